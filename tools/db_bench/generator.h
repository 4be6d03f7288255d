// WriteGenerator: when may the next write of a benchmark start?
//
// Place. Between a writing workload and the database. A load shape
// (load_shape.h) sets the rate, or a caller of Hold.
//
// Model. A rate limiter that is refilled every 100 ms, and a staircase of
// rates: the shape's rate at k * step holds from k * step on. Which rate holds
// is a function of the clock alone, so a stalled write delays no step, and any
// number of writers see the same staircase.
//
// A held rate is an open loop instead: writes have dates, every 20 ms those
// that are due may start, and who is late by up to a second catches up. So
// less than the rate is accepted only where writes last too long, not where
// the writer was not scheduled.
//
// Writers may pause once and then make up for it (catch_up.h).
//
// Invariants, while a shape is followed:
//   (1) Tokens that were not taken are lost: demand is not made up after a
//   stall. (2) The limiter's rate is at least one byte per second; where the
//   shape
//       asks for nothing, a write waits until it asks again.
//
// Threads. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "tools/db_bench/catch_up.h"
#include "tools/db_bench/load_shape.h"

namespace ROCKSDB_NAMESPACE::bench {

class WriteGenerator {
 public:
  // A fixed rate.
  WriteGenerator(uint64_t bytes_per_second, SystemClock* clock,
                 std::unique_ptr<RateLimiter> limiter);
  // A staircase under `shape`, `step_micros` long each; 0: one step for ever.
  WriteGenerator(LoadShape shape, uint64_t step_micros, SystemClock* clock,
                 std::unique_ptr<RateLimiter> limiter,
                 const WritePause& pause = {});

  // Returns when a write of `bytes` may start.
  void Request(int64_t bytes);

  // From now on this rate holds, whatever the shape says; 0: writes wait.
  void Hold(uint64_t bytes_per_second);

  // The rate that holds now, 0 when nothing is asked for.
  uint64_t BytesPerSecond() const;

 private:
  static constexpr uint64_t kNotHeld = ~uint64_t{0};

  double ElapsedSeconds() const;
  uint64_t Step() const;
  uint64_t RateOf(uint64_t step) const;
  void SetLimiter(uint64_t bytes_per_second);
  void FollowTheShape();
  // Waits while writers pause. True if the write makes up for the pause.
  bool MakesUp(int64_t bytes);
  // False when the rate changed meanwhile.
  bool WaitForDate(int64_t bytes, uint64_t rate);

  const LoadShape shape_;
  const uint64_t step_micros_;
  SystemClock* const clock_;
  const uint64_t start_micros_;
  const std::unique_ptr<RateLimiter> limiter_;
  CatchUp catch_up_;
  std::atomic<uint64_t> applied_step_{0};
  std::atomic<uint64_t> held_{kNotHeld};
  std::atomic<uint64_t> next_date_{0};  // Of the write after the last.
};

// A limiter of the real clock as the generator wants it.
std::unique_ptr<RateLimiter> NewGeneratorLimiter(uint64_t bytes_per_second);

}  // namespace ROCKSDB_NAMESPACE::bench
