// Keys of tests that need many: sorted as their numbers are.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

// "key000042"; requires number < 1'000'000.
inline std::string NumberedKey(uint64_t number) {
  const std::string digits = std::to_string(number);
  return "key" + std::string(6 - digits.size(), '0') + digits;
}

}  // namespace ROCKSDB_NAMESPACE::test
