// Pseudo-random numbers: seeded, repeatable, fast; never for secrets.
//
// Place. Skiplist heights, shuffles, tests and benchmarks. A caller that needs
// a repeatable run passes the seed; no function here reads a clock.
//
// Threads. A generator belongs to one thread. ThreadRandom() is this thread's
// own; thread n of a process always starts from the same state.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// SplitMix64: turns any seed, also small or similar ones, into good bits.
inline uint64_t SplitMix64(uint64_t* state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// xoroshiro128+: about a nanosecond per number.
class Random64 {
 public:
  explicit Random64(uint64_t seed) {
    s0_ = SplitMix64(&seed);
    s1_ = SplitMix64(&seed);
  }

  uint64_t Next() {
    const uint64_t s0 = s0_;
    uint64_t s1 = s1_;
    const uint64_t result = s0 + s1;
    s1 ^= s0;
    s0_ = std::rotl(s0, 24) ^ s1 ^ (s1 << 16);
    s1_ = std::rotl(s1, 37);
    return result;
  }
  uint32_t Next32() { return static_cast<uint32_t>(Next() >> 32); }

  // Uniform in [0, n), n > 0.
  uint64_t Uniform(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * n) >>
                                 64);
  }
  // True once in n times on average.
  bool OneIn(uint64_t n) { return Uniform(n) == 0; }
  // Uniform in [0, 1).
  double NextDouble() {
    return static_cast<double>(Next() >> 11) * (1.0 / (uint64_t{1} << 53));
  }
  // Skewed: uniform in [0, 2^k) with k uniform in [0, max_log], so small
  // numbers are as common as large ones.
  uint64_t Skewed(int max_log) {
    return Uniform(uint64_t{1} << Uniform(static_cast<uint64_t>(max_log) + 1));
  }

  // What the standard algorithms ask of a generator.
  using result_type = uint64_t;
  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return ~uint64_t{0}; }
  uint64_t operator()() { return Next(); }

 private:
  uint64_t s0_;
  uint64_t s1_;
};

// This thread's generator.
inline Random64& ThreadRandom() {
  static std::atomic<uint64_t> next_seed{1};
  thread_local Random64 random(
      next_seed.fetch_add(1, std::memory_order_relaxed));
  return random;
}

}  // namespace ROCKSDB_NAMESPACE::engine
