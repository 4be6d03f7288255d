// Units of the tests of rates.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

inline constexpr uint64_t kMB = 1000 * 1000;

}  // namespace ROCKSDB_NAMESPACE::test
