// WriteGenerator: when may the next write of a benchmark start?
//
// Place. Between a writing workload and the database. Rates are fixed, or
// follow f(x) = a sin(bx + c) + d bytes per second, x in seconds.
//
// Model. A rate limiter that is refilled every 100 ms, and a staircase of
// rates: rate f(k * step) holds from k * step on. Which rate holds is a
// function of the clock alone, so a stalled write delays no step, and any
// number of writers see the same staircase.
//
// Invariants:
//   (1) Tokens that nobody took are lost: demand is not made up after a stall.
//   (2) The rate is at least one byte per second.
//
// Threads. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::bench {

struct SineLaw {
  double a = 0;
  double b = 1;
  double c = 0;
  double d = 0;

  // Bytes per second at `seconds`.
  uint64_t At(double seconds) const;
};

class WriteGenerator {
 public:
  // A fixed rate.
  WriteGenerator(uint64_t bytes_per_second, SystemClock* clock,
                 std::unique_ptr<RateLimiter> limiter);
  // A staircase under `law`, `step_micros` long each.
  WriteGenerator(const SineLaw& law, uint64_t step_micros, SystemClock* clock,
                 std::unique_ptr<RateLimiter> limiter);

  // Returns when a write of `bytes` may start.
  void Request(int64_t bytes);

  // The rate that holds now.
  uint64_t BytesPerSecond() const;

 private:
  uint64_t Step() const;
  uint64_t RateOf(uint64_t step) const;

  const SineLaw law_;
  const uint64_t step_micros_;  // 0: one step for ever.
  SystemClock* const clock_;
  const uint64_t start_micros_;
  const std::unique_ptr<RateLimiter> limiter_;
  std::atomic<uint64_t> applied_step_{0};
};

// A limiter of the real clock as the generator wants it.
std::unique_ptr<RateLimiter> NewGeneratorLimiter(uint64_t bytes_per_second);

}  // namespace ROCKSDB_NAMESPACE::bench
