// The checksum behind a memtable entry (memtable_protection_bytes_per_key).
//
// Model. It is over the internal key, the value's length and the value, which
// are one run of bytes, and stands right behind them: 1, 2, 4 or 8 bytes of a
// hash. It finds memory that changed by itself; it is never written to a file.

#pragma once

#include <cstdint>
#include <cstring>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

// Of the run from `key` up to `end`.
inline uint64_t EntryChecksum(const char* key, const char* end) {
  constexpr uint64_t kSeed = 0x6d656d7461626c65u;  // Zeros are no entry.
  return Hash64(key, static_cast<size_t>(end - key), kSeed);
}

// `bytes` may be 0.
inline void AppendEntryChecksum(const char* key, char* end, uint32_t bytes) {
  if (bytes == 0) return;
  const uint64_t sum = EntryChecksum(key, end);
  std::memcpy(end, &sum, bytes);
}

// `value` lies behind `key` in an entry that has a checksum of `bytes`.
inline bool EntryChecksumMatches(const Slice& key, const Slice& value,
                                 uint32_t bytes) {
  const char* const end = value.data() + value.size();
  const uint64_t sum = EntryChecksum(key.data(), end);
  return std::memcmp(end, &sum, bytes) == 0;
}

inline Status DamagedEntry(const Slice& key) {
  return Status::Corruption("memtable entry does not match its checksum",
                            "internal key " + key.ToString(/*hex=*/true));
}

inline Status DisorderedEntries(const Slice& key) {
  return Status::Corruption("memtable entries are out of order",
                            "internal key " + key.ToString(/*hex=*/true));
}

}  // namespace ROCKSDB_NAMESPACE::engine
