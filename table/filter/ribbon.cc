#include "table/filter/ribbon.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "table/filter/filter_bits.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Keys that 2^k slots hold with one failure in twenty seeds; k from 8 to 17
// measured, beyond by formula, below unknown.
double KeysFor(int k) {
  static constexpr double kMeasured[] = {248.851, 499.532, 1001.26, 2003.97,
                                         4005.59, 8000.39, 15966.6, 31828.1,
                                         63447.3, 126506};
  constexpr double kStep = 0.0038;
  constexpr double kBase = 131072.0 / 126506.0 - 17 * kStep;
  if (k < 8) return 0;
  if (k < 18) return kMeasured[k - 8];
  return std::exp2(k) / (kBase + kStep * k);
}

uint64_t SlotsFor(uint64_t keys) {
  constexpr double kLog2E = 1.4426950409;
  constexpr double kRoundUp = 0.999999999;
  const double n = static_cast<double>(keys);
  int k = static_cast<int>(std::lround(std::log(n) * kLog2E));
  uint64_t slots = uint64_t{2} * kRibbonRowBits;
  if (KeysFor(k) != 0) {
    if (n < KeysFor(k)) --k;
    const double low = KeysFor(k);
    const double high = KeysFor(k + 1);
    slots = static_cast<uint64_t>((n - low) / (high - low) * std::exp2(k) +
                                  std::exp2(k) + kRoundUp);
  }
  slots = (slots + kRibbonRowBits - 1) / kRibbonRowBits * kRibbonRowBits;
  return std::max(slots, uint64_t{2} * kRibbonRowBits);
}

// The false positive rate of a Bloom filter that lies in lines of 512 bits:
// lines differ in how many keys they got.
double BloomRate(double bits_per_key, int probes) {
  const auto rate = [probes](double bits) {
    return std::pow(1 - std::exp(-probes / bits), probes);
  };
  const double keys_per_line = 512 / bits_per_key;
  const double deviation = std::sqrt(keys_per_line);
  return (rate(512 / (keys_per_line + deviation)) +
          rate(512 / (keys_per_line - deviation))) /
         2;
}

int TrailingZeros(RibbonRow row) {
  const uint64_t low = static_cast<uint64_t>(row);
  return low != 0 ? std::countr_zero(low)
                  : 64 + std::countr_zero(static_cast<uint64_t>(row >> 64));
}

// One equation per slot, in echelon form: the equation in slot i begins there.
class Band {
 public:
  explicit Band(const RibbonShape& shape)
      : shape_(shape), coefficients_(shape.slots()), results_(shape.slots()) {}

  // False when the equations contradict each other.
  bool Fill(const std::vector<uint64_t>& hashes, uint32_t seed) {
    constexpr size_t kAhead = 8;  // Slots whose loading is started in advance.
    std::fill(coefficients_.begin(), coefficients_.end(), RibbonRow{0});
    std::fill(results_.begin(), results_.end(), 0u);
    const uint64_t raw_seed = RibbonRawSeed(seed);
    const uint64_t starts = shape_.slots() - (kRibbonRowBits - 1);
    RibbonEquation ahead[kAhead] = {};  // An equation of zeros says nothing.
    for (size_t i = 0; i < hashes.size(); ++i) {
      RibbonEquation& next = ahead[i % kAhead];
      if (!Add(next)) return false;
      next = RibbonEquationOf(hashes[i], raw_seed, starts);
      __builtin_prefetch(&coefficients_[next.start], 1);
    }
    // The rest may go in any order: the solution is the same.
    for (const RibbonEquation& rest : ahead) {
      if (!Add(rest)) return false;
    }
    return true;
  }

  // The solution, in which slots without equation are 0.
  void Solve(char* out) const {
    RibbonRow state[kRibbonColumnsMax] = {};
    for (uint32_t block = shape_.blocks; block-- > 0;) {
      const uint32_t columns =
          block < shape_.upper_start ? shape_.columns - 1 : shape_.columns;
      const size_t begin = size_t{block} * kRibbonRowBits;
      for (size_t i = begin + kRibbonRowBits; i-- > begin;) {
        for (uint32_t j = 0; j < columns; ++j) {
          const RibbonRow shifted = state[j] << 1;
          const unsigned bit =
              Parity(shifted & coefficients_[i]) ^ (results_[i] >> j & 1);
          state[j] = shifted | bit;
        }
      }
      const uint64_t first = uint64_t{block} * shape_.columns -
                             std::min(block, shape_.upper_start);
      char* segment = out + first * kRibbonSegmentBytes;
      for (uint32_t j = 0; j < columns; ++j) {
        EncodeFixed64(segment, static_cast<uint64_t>(state[j]));
        EncodeFixed64(segment + 8, static_cast<uint64_t>(state[j] >> 64));
        segment += kRibbonSegmentBytes;
      }
    }
  }

 private:
  bool Add(RibbonEquation e) {
    while (e.coefficients != 0) {
      const size_t slot = e.start;
      assert(slot < coefficients_.size());
      if (coefficients_[slot] == 0) {
        coefficients_[slot] = e.coefficients;
        results_[slot] = e.result;
        return true;
      }
      e.coefficients ^= coefficients_[slot];
      e.result ^= results_[slot];
      if (e.coefficients == 0) break;
      const int zeros = TrailingZeros(e.coefficients);
      e.start += static_cast<uint64_t>(zeros);
      e.coefficients >>= zeros;
    }
    return e.result == 0;  // The same equation again.
  }

  const RibbonShape shape_;
  std::vector<RibbonRow> coefficients_;
  std::vector<uint32_t> results_;
};

}  // namespace

// A bijection of the seed byte, so that neighbouring seeds differ in many
// bits.
uint64_t RibbonRawSeed(uint32_t seed) {
  uint64_t t = uint64_t{seed} * 0xc78219a23eeadd03u;
  t ^= (t & 0xf0f0f0f0f0f0f0f0u) >> 4;
  return static_cast<uint32_t>(t);
}

RibbonShape RibbonShapeFor(uint64_t keys, int millibits_per_key,
                           uint64_t first_hash) {
  RibbonShape shape;
  if (keys == 0 || keys > kRibbonKeysMax) return shape;
  const uint64_t slots = SlotsFor(keys);
  shape.blocks = static_cast<uint32_t>(slots / kRibbonRowBits);

  const double one_in = 1 / BloomRate(millibits_per_key / 1000.0,
                                      FastLocalBloomProbes(millibits_per_key));
  // Between the rates of `lower` columns and of one more, by mixing.
  const int lower = std::clamp(std::ilogb(one_in), 0,
                               static_cast<int>(kRibbonColumnsMax) - 1);
  const double upper_rate = std::exp2(-(lower + 1));
  const double portion = std::clamp(
      (1 / one_in - upper_rate) / (std::exp2(-lower) - upper_rate), 0.0, 1.0);
  // Where the mix falls within a block is left to chance, so that the average
  // over many filters is exact.
  const double chance =
      (static_cast<double>(first_hash >> 32) + 0.5) / std::exp2(32);
  const double starts = static_cast<double>(slots - (kRibbonRowBits - 1));
  shape.upper_start = static_cast<uint32_t>(
      (portion * starts + chance) / static_cast<double>(kRibbonRowBits));
  shape.columns = static_cast<uint32_t>(lower) + 1;
  assert(0 < shape.columns && shape.columns <= kRibbonColumnsMax);
  return shape;
}

std::string BuildRibbon(const std::vector<uint64_t>& hashes,
                        const RibbonShape& shape) {
  assert(!hashes.empty() && shape.blocks >= 2);
  constexpr uint32_t kSeeds = 256;
  Band band(shape);
  const uint32_t first_seed = static_cast<uint8_t>(hashes.front());
  uint32_t tried = 0;
  while (!band.Fill(hashes, (first_seed + tried) % kSeeds)) {
    if (++tried == kSeeds) return {};
  }
  const size_t size = shape.data_bytes();
  std::string payload(size + kFilterMetadataSize, '\0');
  band.Solve(payload.data());
  char* const metadata = payload.data() + size;
  const uint32_t seed = (first_seed + tried) % kSeeds;
  EncodeFixed32(metadata + 1, shape.blocks << 8 | seed);
  metadata[0] = static_cast<char>(-2);
  return payload;
}

}  // namespace ROCKSDB_NAMESPACE::engine
