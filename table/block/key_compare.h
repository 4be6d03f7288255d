// Comparing internal keys bytewise, eight bytes at a time.
//
// Place. Used by the block seek, the index search and the merge: loops in which
// a call of memcmp would cost more than the comparison.
//
// Model. The eight trailer bytes of an internal key follow its user key, so
// loading eight bytes at any position inside the user key stays inside the
// internal key. No tail loop is needed.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "rocksdb/slice.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

inline uint64_t LoadBigEndian64(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof(v));
  if constexpr (std::endian::native == std::endian::little) {
    v = __builtin_bswap64(v);
  }
  return v;
}

// The first eight bytes of `key` from `from` on as a number that orders like
// them; missing bytes count as zero. Reads only bytes of `key`.
inline uint64_t KeyPrefix64(const Slice& key, size_t from) {
  if (from >= key.size()) return 0;
  const size_t n = key.size() - from;
  if (n >= 8) return LoadBigEndian64(key.data() + from);
  char buf[8] = {};
  std::memcpy(buf, key.data() + from, n);
  return LoadBigEndian64(buf);
}

// The same for the user key of an internal key.
inline uint64_t InternalKeyPrefix64(const Slice& internal_key, size_t from) {
  const size_t user_size = internal_key.size() - kTrailerSize;
  if (from >= user_size) return 0;
  const uint64_t v = LoadBigEndian64(internal_key.data() + from);
  const size_t n = user_size - from;
  if (n >= 8) return v;
  const unsigned drop = static_cast<unsigned>(8 - n) * 8;
  return (v >> drop) << drop;
}

// <0, 0, >0: user keys of two internal keys, bytewise.
inline int CompareUserKeysBytewise(const char* a, size_t a_user_size,
                                   const char* b, size_t b_user_size) {
  size_t n = std::min(a_user_size, b_user_size);
  while (n > 0) {
    uint64_t x = LoadBigEndian64(a);
    uint64_t y = LoadBigEndian64(b);
    if (n < 8) {
      const unsigned drop = static_cast<unsigned>(8 - n) * 8;
      x >>= drop;
      y >>= drop;
      if (x != y) return x < y ? -1 : 1;
      break;
    }
    if (x != y) return x < y ? -1 : 1;
    a += 8;
    b += 8;
    n -= 8;
  }
  if (a_user_size == b_user_size) return 0;
  return a_user_size < b_user_size ? -1 : 1;
}

inline int CompareTrailers(uint64_t a, uint64_t b) {
  return a > b ? -1 : (a < b ? 1 : 0);
}

// <0, 0, >0: two internal keys whose user keys order bytewise.
inline int CompareInternalKeysBytewise(const Slice& a, const Slice& b) {
  const int order = CompareUserKeysBytewise(a.data(), a.size() - kTrailerSize,
                                            b.data(), b.size() - kTrailerSize);
  if (order != 0) return order;
  return CompareTrailers(ExtractTrailer(a), ExtractTrailer(b));
}

}  // namespace ROCKSDB_NAMESPACE::engine
