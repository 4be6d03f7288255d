// The keys of histories: of few bytes, and such that many are near each other.
//
// Place. Used by the generator.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

// Twelve prefixes of three bytes with suffixes; some keys are shorter, some
// hold extreme bytes.
inline std::string KeyAt(uint64_t n) {
  if (n % 31 == 0) return std::string(n % 3, 'b');
  std::string key = {'a', static_cast<char>('a' + n % 4),
                     static_cast<char>('a' + n / 4 % 3)};
  key += std::to_string(n / 12);
  if (n % 29 == 0) key[n % key.size()] = '\xff';
  if (n % 37 == 0) key += '\0';
  if (n % 41 == 0) key += std::string(40, 'z');
  return key;
}

// Behind all of these, in the order of numbers.
inline std::string NewKeyAt(uint64_t n) {
  const std::string digits = std::to_string(n);
  return "new" + std::string(8 - digits.size(), '0') + digits;
}

}  // namespace ROCKSDB_NAMESPACE::stress
