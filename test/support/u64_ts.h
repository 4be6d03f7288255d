// The timestamps of BytewiseComparatorWithU64Ts().

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE::test {

inline std::string Ts(uint64_t time) {
  std::string bytes;
  EncodeU64Ts(time, &bytes);
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE::test
