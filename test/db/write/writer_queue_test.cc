// How threads wait for each other in the commit pipeline.

#include "db/write/writer_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "rocksdb/system_clock.h"
#include "test/support/bounded.h"
#include "test/support/effort.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// The last thread may be done at any moment, also just before the one that
// waits goes to sleep. Delays of the length of its spinning meet that moment
// now and then.
TEST(Countdown, EndsHoweverLateTheLastThreadIsDone) {
  constexpr int kRounds = test::Effort(400000);
  WaitPolicy policy(0, 0, SystemClock::Default().get());
  std::atomic<Countdown*> given{nullptr};
  std::atomic<bool> over{false};
  std::thread last([&] {
    for (int round = 0; !over; ++round) {
      Countdown* countdown = nullptr;
      while (!over && (countdown = given.exchange(nullptr)) == nullptr) {
      }
      if (countdown == nullptr) return;
      for (int i = 0; i < round % (2 * WaitPolicy::kSpins); ++i) CpuRelax();
      countdown->Done();
    }
  });
  const int ended = test::Bounded("AwaitZero", [&] {
    int rounds = 0;
    for (; rounds < kRounds; ++rounds) {
      Countdown countdown;
      countdown.Add();
      given = &countdown;
      policy.AwaitZero(&countdown);
    }
    return rounds;
  });
  over = true;
  last.join();
  EXPECT_EQ(kRounds, ended);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
