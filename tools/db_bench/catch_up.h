// CatchUp: writers pause for a while, and then write what they missed.
//
// Place. The write generator and the simulator's sources ask it before they
// ask the limiter.
//
// Model. The shape goes on asking while writers pause. From the end of the
// pause on, a write starts at once until writers have written all that was
// asked for since the pause began; from then on they follow the shape.
//
// Threads. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "tools/db_bench/load_shape.h"

namespace ROCKSDB_NAMESPACE::bench {

struct WritePause {
  double from_seconds = 0;
  double seconds = 0;  // 0: writers do not pause.
};

class CatchUp {
 public:
  // `step_seconds`: how long one rate of the shape holds; 0: for ever.
  CatchUp(const WritePause& pause, const LoadShape& shape, double step_seconds);

  // False without a pause, and when writers have made up for it.
  bool pending() const { return !done_.load(std::memory_order_relaxed); }
  double end_seconds() const { return pause_.from_seconds + pause_.seconds; }
  // Writers wait until end_seconds().
  bool Pauses(double seconds) const {
    return seconds >= pause_.from_seconds && seconds < end_seconds();
  }
  // True if a write of `bytes` need not wait for the shape; then it counts.
  bool Takes(double seconds, uint64_t bytes);

 private:
  const WritePause pause_;
  const LoadShape& shape_;
  const double step_seconds_;
  std::atomic<uint64_t> written_{0};  // Since the pause.
  std::atomic<double> asked_{0};      // Since it began, when last looked at.
  std::atomic<bool> done_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
