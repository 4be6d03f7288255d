#include "util/block_checksum.h"

#include "util/check.h"
#include "util/crc32c.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// XXH3 covers the payload only; the last byte is mixed in by this factor, which
// is part of the format.
uint32_t MixLastByte(uint32_t checksum, char last_byte) {
  constexpr uint32_t kLastByteFactor = 0x6b9083d9u;
  return checksum ^ (static_cast<uint8_t>(last_byte) * kLastByteFactor);
}

uint64_t StreamHash(XxhStream::Kind kind, const char* data, size_t n,
                    char last_byte) {
  XxhStream stream(kind);
  stream.Update(data, n);
  stream.Update(&last_byte, 1);
  return stream.Digest();
}

}  // namespace

uint32_t ComputeBlockChecksum(uint8_t type, const char* data, size_t n,
                              char last_byte) {
  switch (static_cast<BlockChecksum>(type)) {
    case BlockChecksum::kNone:
      return 0;
    case BlockChecksum::kCrc32c: {
      const uint32_t crc = crc32c::Value(data, n);
      return crc32c::Mask(crc32c::Extend(crc, &last_byte, 1));
    }
    case BlockChecksum::kXxh32:
      return static_cast<uint32_t>(
          StreamHash(XxhStream::Kind::kXxh32, data, n, last_byte));
    case BlockChecksum::kXxh64:
      return static_cast<uint32_t>(
          StreamHash(XxhStream::Kind::kXxh64, data, n, last_byte));
    case BlockChecksum::kXxh3:
      return MixLastByte(static_cast<uint32_t>(Xxh3(data, n)), last_byte);
  }
  // The footer's reader refuses other types.
  (void)NEVER(type > kBlockChecksumMax);
  return 0;
}

uint32_t ComputeBufferChecksum(uint8_t type, const char* data, size_t n) {
  if (n > 0) return ComputeBlockChecksum(type, data, n - 1, data[n - 1]);
  switch (static_cast<BlockChecksum>(type)) {
    case BlockChecksum::kCrc32c:
      return crc32c::Mask(crc32c::Value(data, 0));
    case BlockChecksum::kXxh32:
      return Xxh32(data, 0);
    case BlockChecksum::kXxh64:
      return static_cast<uint32_t>(Xxh64(data, 0));
    default:
      return 0;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
