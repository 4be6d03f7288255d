#include "util/mutex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "util/core_local.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Threads that leave the processor while they hold the lock. How many of them
// were there together, at most, and what they have counted.
struct Inside {
  int most = 0;
  int count = 0;
};

template <typename Lock, typename M>
Inside CountWith(M* mu) {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  int count = 0;  // Not atomic: the lock alone keeps it right.
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; i++) {
        Lock lock(mu);
        most = std::max(most.load(), ++inside);
        const int before = count;
        std::this_thread::yield();
        count = before + 1;
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return {most, count};
}

TEST(Mutex, EveryKindExcludesOtherThreads) {
  Mutex mutex;
  SpinMutex spin_mutex;
  SharedMutex shared_mutex;
  for (const Inside& found :
       {CountWith<MutexLock>(&mutex), CountWith<SpinLock>(&spin_mutex),
        CountWith<WriteLock>(&shared_mutex)}) {
    EXPECT_EQ(1, found.most);
    EXPECT_EQ(2000, found.count);
  }
}

TEST(Mutex, ReadersShareALockThatAWriterHasAlone) {
  SharedMutex mu;
  std::atomic<int> readers{0};
  std::atomic<bool> wrote{false};
  std::vector<std::thread> threads;
  std::thread writer;
  {
    ReadLock mine(&mu);
    for (int t = 0; t < 3; t++) {
      threads.emplace_back([&] {
        ReadLock lock(&mu);
        // Ends only if all of them are in at once.
        ++readers;
        while (readers < 3) std::this_thread::yield();
        EXPECT_FALSE(wrote);
      });
    }
    while (readers < 3) std::this_thread::yield();
    for (std::thread& thread : threads) thread.join();
    writer = std::thread([&] {
      WriteLock lock(&mu);
      wrote = true;
    });
    // That it does not happen takes time to show.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(wrote);
  }
  writer.join();
  EXPECT_TRUE(wrote);
}

TEST(Mutex, TryLockFailsWhileHeld) {
  SpinMutex spin_mutex;
  ASSERT_TRUE(spin_mutex.TryLock());
  EXPECT_FALSE(spin_mutex.TryLock());
  spin_mutex.Unlock();
  EXPECT_TRUE(spin_mutex.TryLock());
  spin_mutex.Unlock();
}

TEST(CondVar, AWaiterSeesWhatTheSignallerWrote) {
  Mutex mu;
  CondVar changed;
  int stage = 0;
  std::vector<int> seen;
  std::thread other([&] {
    MutexLock lock(&mu);
    seen.push_back(stage);
    stage = 1;
    changed.SignalAll();
    // Lets the lock go, and has it again afterwards.
    while (stage != 2) changed.Wait(&mu);
    EXPECT_FALSE(mu.TryLock());
    seen.push_back(stage);
    stage = 3;
    changed.SignalAll();
  });
  {
    MutexLock lock(&mu);
    while (stage != 1) changed.Wait(&mu);
    stage = 2;
    // It wakes, and must not go on before this is over.
    changed.SignalAll();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(2, stage);
    while (stage != 3) changed.Wait(&mu);
  }
  other.join();
  EXPECT_EQ((std::vector<int>{0, 2}), seen);
}

// Waits as long as `wait` is woken early; the time that the last wait took.
template <typename Wait>
std::chrono::microseconds TimedOutAfter(Wait&& wait) {
  for (;;) {
    const auto start = std::chrono::steady_clock::now();
    if (wait()) {
      return std::chrono::duration_cast<std::chrono::microseconds>(
          std::chrono::steady_clock::now() - start);
    }
  }
}

TEST(CondVar, WaitingWithoutASignalTimesOut) {
  Mutex mu;
  CondVar never;
  MutexLock lock(&mu);
  const std::chrono::microseconds timeout(3000);
  EXPECT_GE(TimedOutAfter([&] { return never.WaitFor(&mu, timeout); }),
            timeout);
  EXPECT_FALSE(mu.TryLock());
  // A time long past.
  EXPECT_TRUE(never.TimedWait(&mu, 1));
  EXPECT_FALSE(mu.TryLock());
}

TEST(CondVar, ASignalledWaiterIsNotToldThatTimeRanOut) {
  Mutex mu;
  CondVar changed;
  bool done = false;
  std::thread other([&] {
    MutexLock lock(&mu);
    done = true;
    changed.Signal();
  });
  {
    MutexLock lock(&mu);
    bool timed_out = false;
    while (!done) timed_out = changed.WaitFor(&mu, std::chrono::hours(1));
    EXPECT_FALSE(timed_out);
  }
  other.join();
}

// core_local.h (1).
TEST(CoreLocal, TheSlotsCoverTheCoresAndHoldEveryCount) {
  CoreLocalArray<std::atomic<int>> counts;
  EXPECT_GE(counts.size(), std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10000; i++) counts.Here().fetch_add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  int total = 0;
  for (size_t i = 0; i < counts.size(); i++) total += counts.At(i).load();
  EXPECT_EQ(40000, total);
}

TEST(Random, EqualSeedsGiveEqualNumbersAndRangesAreKept) {
  Random64 a(5);
  Random64 b(5);
  Random64 c(6);
  int differing = 0;
  int small = 0;
  for (int i = 0; i < 10000; i++) {
    const uint64_t number = a.Next();
    EXPECT_EQ(number, b.Next());
    if (number != c.Next()) differing++;
    EXPECT_LT(a.Uniform(10), 10u);
    b.Uniform(10);
    if (c.OneIn(4)) small++;
    const double d = a.NextDouble();
    b.NextDouble();
    EXPECT_TRUE(d >= 0.0 && d < 1.0);
  }
  EXPECT_EQ(10000, differing);
  EXPECT_NEAR(2500, small, 250);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
