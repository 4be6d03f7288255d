// WaitOnClock: waits on a condition until a time of an injected clock.
//
// Place. Wherever a thread sleeps until another thread signals or time passes
// (rate limiter, timer, write delay). The public SystemClock knows only
// sleeping, so a clock whose time is moved by hand implements WaitableClock as
// well; for any other clock the rest of the wait is spent in real time.
//
// Threads. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>

#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// Implemented by manual clocks, found by dynamic_cast.
class WaitableClock {
 public:
  virtual ~WaitableClock() = default;

  // Releases `mu` while asleep. Returns once `cv` is signalled or this clock
  // has reached `deadline_micros`; may wake early.
  virtual void WaitUntil(CondVar* cv, Mutex* mu, uint64_t deadline_micros) = 0;
};

// As WaitableClock::WaitUntil, for any clock.
inline void WaitOnClock(SystemClock* clock, CondVar* cv, Mutex* mu,
                        uint64_t deadline_micros) REQUIRES_LOCK(mu) {
  if (auto* waitable = dynamic_cast<WaitableClock*>(clock)) {
    waitable->WaitUntil(cv, mu, deadline_micros);
    return;
  }
  const uint64_t now = clock->NowMicros();
  if (now >= deadline_micros) return;
  cv->WaitFor(mu, std::chrono::microseconds(deadline_micros - now));
}

}  // namespace ROCKSDB_NAMESPACE::engine
