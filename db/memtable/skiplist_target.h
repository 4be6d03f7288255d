// SkipListTarget: a key a skiplist descent looks for, with what every step
// compares first worked out once.

#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "rocksdb/slice.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// The first eight bytes of a user key, shorter keys padded with zeros: orders
// like the bytewise comparator wherever two prefixes differ.
inline uint64_t UserKeyPrefix(const char* data, size_t size) {
  uint64_t prefix = 0;
  if (size >= sizeof(prefix)) {
    std::memcpy(&prefix, data, sizeof(prefix));
  } else {
    std::memcpy(&prefix, data, size);
  }
  if constexpr (std::endian::native == std::endian::little)
    prefix = __builtin_bswap64(prefix);
  return prefix;
}

// What a descent looks for.
struct SkipListTarget {
  SkipListTarget(const Slice& key, uint64_t internal_trailer)
      : user_key(key),
        trailer(internal_trailer),
        prefix(UserKeyPrefix(key.data(), key.size())) {}
  explicit SkipListTarget(const Slice& internal_key)
      : SkipListTarget(ExtractUserKey(internal_key),
                       ExtractTrailer(internal_key)) {}

  Slice user_key;
  uint64_t trailer;
  uint64_t prefix;
};

}  // namespace ROCKSDB_NAMESPACE::engine
