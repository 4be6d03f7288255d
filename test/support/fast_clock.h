// FastClock: real time, but so many times as fast.
//
// Place. For programs in which much waits for a retry that comes later: a hold
// of a second after a failure, say, would be most of the time of a run.
//
// Threads. Thread-safe.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

#include "rocksdb/system_clock.h"
#include "util/clock_wait.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::test {

class FastClock final : public SystemClockWrapper,
                        public engine::WaitableClock {
 public:
  explicit FastClock(uint64_t factor)
      : SystemClockWrapper(SystemClock::Default()),
        factor_(factor),
        start_nanos_(target_->NowNanos()) {}

  const char* Name() const override { return "FastClock"; }
  uint64_t NowMicros() override { return NowNanos() / 1000; }
  uint64_t NowNanos() override {
    const uint64_t passed_nanos = target_->NowNanos() - start_nanos_;
    return start_nanos_ + passed_nanos * factor_;
  }
  void SleepForMicroseconds(int micros) override {
    const auto factor = static_cast<int>(factor_);
    target_->SleepForMicroseconds(micros / factor + 1);
  }
  void WaitUntil(engine::CondVar* cv, engine::Mutex* mu,
                 uint64_t deadline_micros) override REQUIRES_LOCK(mu) {
    const uint64_t now_micros = NowMicros();
    if (now_micros >= deadline_micros) return;
    constexpr uint64_t kLookAgainMicros = 1000 * 1000;
    const uint64_t rest_micros = std::min(
        kLookAgainMicros, (deadline_micros - now_micros) / factor_ + 1);
    cv->WaitFor(mu, std::chrono::microseconds(rest_micros));
  }

 private:
  const uint64_t factor_;
  const uint64_t start_nanos_;
};

}  // namespace ROCKSDB_NAMESPACE::test
