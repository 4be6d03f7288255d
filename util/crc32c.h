// CRC32C (Castagnoli), and the mask under which it is stored.
//
// Place. WAL and MANIFEST records, table blocks, whole-file checksums. Runs at
// memory speed: the kernel is chosen once, at the first call, by what the
// processor offers (see crc32c.cc).
//
// Bytes. Reflected polynomial 0x82F63B78, initial value and final xor
// 0xFFFFFFFF: the nine digits "123456789" give 0xE3069283. A CRC stored next to
// the data it covers is masked, because the CRC of data that holds its own CRC
// degenerates.
//
// Threads. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine::crc32c {

// The CRC of A ++ data[0, n), given `crc`, the CRC of A.
uint32_t Extend(uint32_t crc, const char* data, size_t n);

inline uint32_t Value(const char* data, size_t n) { return Extend(0, data, n); }

// The CRC of A ++ B from the CRCs of A and of B and the length of B.
uint32_t Combine(uint32_t crc_a, uint32_t crc_b, size_t size_b);

inline constexpr uint32_t kMaskDelta = 0xa282ead8u;

inline uint32_t Mask(uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + kMaskDelta;
}
inline uint32_t Unmask(uint32_t masked) {
  const uint32_t rotated = masked - kMaskDelta;
  return (rotated >> 17) | (rotated << 15);
}

// Which kernel runs here: "sse4.2+pclmul", "sse4.2", "armv8" or "table".
const char* KernelName();

// Every kernel that can run here, for tests: the dispatched one must agree with
// the portable one.
uint32_t ExtendPortable(uint32_t crc, const char* data, size_t n);

}  // namespace ROCKSDB_NAMESPACE::engine::crc32c
