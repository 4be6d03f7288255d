// The checksum of a block trailer, for each checksum type of the table format.
//
// Place. table/format writes and verifies trailers with it.
//
// Bytes. The checksum covers the payload followed by one more byte, the
// compression type. CRC32C is masked; XXH64 and XXH3 keep their low 32 bits;
// XXH3 hashes the payload alone and mixes the last byte in by multiplication.
// Since format version 6 the stored value also carries a modifier that depends
// on the file and the block's offset, so that a block read from the wrong place
// fails.
//
// Threads. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// Numbered as in the table footer.
enum class BlockChecksum : uint8_t {
  kNone = 0,
  kCrc32c = 1,
  kXxh32 = 2,
  kXxh64 = 3,
  kXxh3 = 4,
};
inline constexpr uint8_t kBlockChecksumMax = 4;

// The checksum of data[0, n) followed by `last_byte`. `type` is a footer value
// at most kBlockChecksumMax.
uint32_t ComputeBlockChecksum(uint8_t type, const char* data, size_t n,
                              char last_byte);

// The checksum of a whole buffer: its last byte plays `last_byte`; 0 when it is
// empty.
uint32_t ComputeBufferChecksum(uint8_t type, const char* data, size_t n);

// What to add to the checksum of the block at `offset` in a file whose base
// context checksum is `base`; 0 when the file has none.
inline uint32_t ChecksumModifierForContext(uint32_t base, uint64_t offset) {
  if (base == 0) return 0;
  const uint32_t low = static_cast<uint32_t>(offset);
  const uint32_t high = static_cast<uint32_t>(offset >> 32);
  return base ^ (low + high);
}

}  // namespace ROCKSDB_NAMESPACE::engine
