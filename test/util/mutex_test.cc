#include "util/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "util/core_local.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

template <typename Lock, typename M>
int CountWith(M* mu) {
  int count = 0;  // Not atomic: the lock alone keeps it right.
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20000; i++) {
        Lock lock(mu);
        count++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return count;
}

TEST(Mutex, EveryKindExcludesOtherThreads) {
  Mutex mutex;
  SpinMutex spin_mutex;
  SharedMutex shared_mutex;
  EXPECT_EQ(80000, (CountWith<MutexLock>(&mutex)));
  EXPECT_EQ(80000, (CountWith<SpinLock>(&spin_mutex)));
  EXPECT_EQ(80000, (CountWith<WriteLock>(&shared_mutex)));
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
  std::thread other([&] {
    MutexLock lock(&mu);
    while (stage != 1) changed.Wait(&mu);
    mu.AssertHeld();
    stage = 2;
    changed.SignalAll();
  });
  {
    MutexLock lock(&mu);
    stage = 1;
    changed.SignalAll();
    while (stage != 2) changed.Wait(&mu);
  }
  other.join();
  EXPECT_EQ(2, stage);
}

TEST(CondVar, WaitingForNobodyTimesOut) {
  Mutex mu;
  CondVar never;
  MutexLock lock(&mu);
  while (!never.WaitFor(&mu, std::chrono::microseconds(100))) {
  }
  // A time long past.
  while (!never.TimedWait(&mu, 1)) {
  }
  mu.AssertHeld();
}

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
