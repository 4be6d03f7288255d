// The five bytes behind each block: compression type and checksum.
//
// Place. The table builder appends them, read_block checks them.
//
// Bytes. compression type (1), checksum (fixed32) of payload and type byte,
// plus, in files with a base context checksum, a modifier made of it and the
// block's offset.

#pragma once

#include <cstdint>

#include "rocksdb/slice.h"
#include "util/block_checksum.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

inline void EncodeBlockTrailer(uint8_t checksum_type, uint32_t base_context,
                               uint64_t offset, const Slice& payload,
                               char compression_type, char* trailer) {
  trailer[0] = compression_type;
  const uint32_t checksum =
      ComputeBlockChecksum(checksum_type, payload.data(), payload.size(),
                           compression_type) +
      ChecksumModifierForContext(base_context, offset);
  EncodeFixed32(trailer + 1, checksum);
}

struct ChecksumPair {
  uint32_t stored;
  uint32_t computed;
  bool matches() const { return stored == computed; }
};

// `payload` is followed in memory by its trailer.
inline ChecksumPair CheckBlockTrailer(uint8_t checksum_type,
                                      uint32_t base_context, uint64_t offset,
                                      const Slice& payload) {
  const char* const trailer = payload.data() + payload.size();
  const uint32_t stored = DecodeFixed32(trailer + 1);
  if (checksum_type == static_cast<uint8_t>(BlockChecksum::kNone)) {
    return {stored, stored};  // Writers store 0, or the modifier alone.
  }
  const uint32_t computed = ComputeBlockChecksum(checksum_type, payload.data(),
                                                 payload.size(), trailer[0]) +
                            ChecksumModifierForContext(base_context, offset);
  return {stored, computed};
}

}  // namespace ROCKSDB_NAMESPACE::engine
