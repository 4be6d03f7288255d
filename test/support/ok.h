// An assertion for scripts, which are no test bodies.
#pragma once

#include <gtest/gtest.h>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::test {

inline void Ok(const Status& status) {
  ASSERT_TRUE(status.ok()) << status.ToString();
}

}  // namespace ROCKSDB_NAMESPACE::test
