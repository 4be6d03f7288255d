// The hash functions that reach the disk, and the checksums built from them.
//
// Place. Hash64 feeds Bloom and Ribbon filters; Hash32Legacy the data-block
// hash index and the legacy filter; the XX functions are block checksums.
// In-memory tables (cache shards, lock stripes) may use any of them.
//
// Model. Hash64 is the frozen XXH3 preview of the filter formats, written from
// its description; it is not XXH3-64 for all lengths. The published xxHash
// family is included header-only in hash.cc and nowhere else, so no xxHash
// symbol leaves the library.
//
// Threads. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

struct Uint128 {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const Uint128&) const = default;
};

// The filter hash (XXH3 preview, seed 0).
uint64_t Hash64(const char* data, size_t n);
inline uint64_t Hash64(const Slice& s) { return Hash64(s.data(), s.size()); }

// A seeded hash for tables in memory; its values never reach the disk.
uint64_t Hash64(const char* data, size_t n, uint64_t seed);

// The 32-bit legacy hash.
uint32_t Hash32Legacy(const char* data, size_t n, uint32_t seed);
inline constexpr uint32_t kLegacyBloomSeed = 0xbc9f1d34u;
inline constexpr uint32_t kDataBlockHashSeed = 397;
inline uint32_t DataBlockHash(const Slice& user_key) {
  return Hash32Legacy(user_key.data(), user_key.size(), kDataBlockHashSeed);
}

// The published algorithms.
uint32_t Xxh32(const char* data, size_t n, uint32_t seed = 0);
uint64_t Xxh64(const char* data, size_t n, uint64_t seed = 0);
uint64_t Xxh3(const char* data, size_t n, uint64_t seed = 0);
Uint128 Xxh3x128(const char* data, size_t n, uint64_t seed = 0);

// XXH32 or XXH64, seed 0, of data that comes in pieces.
class XxhStream {
 public:
  enum class Kind { kXxh32, kXxh64 };
  explicit XxhStream(Kind kind);
  void Update(const char* data, size_t n);
  uint64_t Digest() const;

 private:
  const Kind kind_;
  alignas(64) unsigned char state_[128];  // Holds either state; see hash.cc.
};

// Maps a hash uniformly to [0, range).
inline uint32_t FastRange32(uint32_t hash, uint32_t range) {
  return static_cast<uint32_t>((uint64_t{hash} * range) >> 32);
}
inline size_t FastRange64(uint64_t hash, size_t range) {
  return static_cast<size_t>((static_cast<unsigned __int128>(hash) * range) >>
                             64);
}

}  // namespace ROCKSDB_NAMESPACE::engine
