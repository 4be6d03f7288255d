// Ribbon filters: the space of a Bloom filter less about 30%, for more CPU at
// construction.
//
// Place. FilterBitsBuilder makes payloads with it; FilterBits probes them.
//
// Model. Every key is a linear equation over bits: 128 coefficients at a
// place that its hash chooses, and as many result bits as the filter has
// columns. Construction solves the system by elimination within that ribbon; a
// probe evaluates the key's equation. Keys that were added satisfy theirs.
// Others do so by chance, and each column halves the probability. If a system
// has no solution, another seed is tried.
//
// Bytes. Slots in blocks of 128. The solution of one block in one column is a
// segment of 16 bytes; segments are stored block by block, column by column.
// The first blocks have one column less than the rest, so that false-positive
// rates between two powers of two are possible.
//
// Threads. Pure functions.

#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

using RibbonRow = unsigned __int128;

// Whether an odd number of bits is set.
inline unsigned Parity(RibbonRow row) {
  const uint64_t folded =
      static_cast<uint64_t>(row) ^ static_cast<uint64_t>(row >> 64);
  return static_cast<unsigned>(std::popcount(folded)) & 1;
}

inline constexpr uint32_t kRibbonRowBits = 128;
inline constexpr size_t kRibbonSegmentBytes = 16;
inline constexpr uint32_t kRibbonColumnsMax = 32;
// More keys than this get a Bloom filter.
inline constexpr uint64_t kRibbonKeysMax = 950'000'000;

// The equation of one key.
struct RibbonEquation {
  uint64_t start;  // The slot of coefficient 0.
  RibbonRow coefficients;
  uint32_t result;
};
uint64_t RibbonRawSeed(uint32_t seed);
inline RibbonEquation RibbonEquationOf(uint64_t hash, uint64_t raw_seed,
                                       uint64_t starts) {
  const uint64_t h = (hash ^ raw_seed) * 0x6193d459236a3a0du;
  const uint64_t a = h * 0xc28f82822b650bedu;
  return {FastRange64(h, starts),
          ((RibbonRow{a} << 64) | (a ^ 0xc367844a6e52731du)) | 1,
          static_cast<uint32_t>(__builtin_bswap64(a))};
}

// How large the filter of some keys is to be.
struct RibbonShape {
  uint32_t blocks = 0;
  uint32_t columns = 0;      // Of the blocks from upper_start on.
  uint32_t upper_start = 0;  // Those before have a column less.

  uint64_t slots() const { return uint64_t{blocks} * kRibbonRowBits; }
  uint64_t data_bytes() const {
    return (uint64_t{blocks} * columns - upper_start) * kRibbonSegmentBytes;
  }
};
// For `keys` hashes, of which `first_hash` was added first, and the false
// positive rate of a Bloom filter of `millibits_per_key`.
RibbonShape RibbonShapeFor(uint64_t keys, int millibits_per_key,
                           uint64_t first_hash);

// Bytes that construction takes, the payload included.
inline size_t RibbonMemory(const RibbonShape& shape) {
  return shape.slots() * (sizeof(RibbonRow) + sizeof(uint32_t)) +
         shape.data_bytes();
}
// The payload, metadata included; empty when no seed gives a solution.
std::string BuildRibbon(const std::vector<uint64_t>& hashes,
                        const RibbonShape& shape);

}  // namespace ROCKSDB_NAMESPACE::engine
