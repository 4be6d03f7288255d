// Time that passes for an Env's timer.

#pragma once

#include <cstdint>
#include <future>
#include <memory>

#include "env/timer.h"
#include "test/support/manual_clock.h"

namespace ROCKSDB_NAMESPACE::test {

// Moves the clock, and returns when all that was due then has run. One thread
// runs it, in the order in which it is due; so a function that is due now comes
// last. REQUIRES: no other thread calls RunDue().
inline void AdvanceTimer(ManualClock* clock, engine::Timer* timer,
                         int64_t micros) {
  clock->Advance(micros);
  const auto last = std::make_shared<std::promise<void>>();
  const std::future<void> ran = last->get_future();
  timer->Add(clock->NowMicros(), 0, [last] { last->set_value(); });
  ran.wait();
}

}  // namespace ROCKSDB_NAMESPACE::test
