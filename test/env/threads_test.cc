// env/thread_pool, env/timer, and the threads of Env::Default().

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/thread_pool.h"
#include "env/timer.h"
#include "rocksdb/env.h"
#include "test/support/manual_clock.h"
#include "util/mutex.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Counts up; waits for a count.
class Gate {
 public:
  void Arrive() {
    MutexLock lock(&mu_);
    ++count_;
    changed_.SignalAll();
  }
  int count() {
    MutexLock lock(&mu_);
    return count_;
  }
  void WaitFor(int count) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    MutexLock lock(&mu_);
    while (count_ < count) {
      if (!changed_.WaitUntil(&mu_, end)) continue;
      ADD_FAILURE() << count_ << " of " << count << " have arrived";
      std::abort();  // The tasks that wait would hang.
    }
  }

 private:
  Mutex mu_;
  CondVar changed_;
  int count_ GUARDED_BY(mu_) = 0;
};

// Gives time to what should not happen. If the time is too short, the test
// proves less, but does not fail.
void ShowsThatNothingHappens() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

// A task that counts itself as running, then waits for `release`.
struct Blocker {
  Gate running;
  Gate release;
  Gate ended;
  static void Run(void* arg) {
    auto* const self = static_cast<Blocker*>(arg);
    self->running.Arrive();
    self->release.WaitFor(1);
    self->ended.Arrive();
  }
  ThreadPool::Task Task() { return {&Run, this, nullptr, nullptr}; }
};

struct Step {
  std::function<void()> fn;
  static void Run(void* arg) { static_cast<Step*>(arg)->fn(); }
};

TEST(ThreadPool, OneThreadRunsTasksInOrder) {
  std::vector<int> order;
  Gate done;
  std::vector<Step> steps(100);
  ThreadPool pool(Env::LOW);
  for (int i = 0; i < 100; ++i) {
    steps[i].fn = [&order, &done, i] {
      order.push_back(i);
      done.Arrive();
    };
    pool.Schedule({&Step::Run, &steps[i], nullptr, nullptr});
  }
  done.WaitFor(100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST(ThreadPool, RunsAsManyAtOnceAsItHasThreads) {
  Blocker blocker;
  ThreadPool pool(Env::LOW);
  for (int i = 0; i < 4; ++i) pool.Schedule(blocker.Task());
  blocker.running.WaitFor(1);
  EXPECT_EQ(pool.queue_length(), 3u);
  pool.SetThreads(3);
  blocker.running.WaitFor(3);
  EXPECT_EQ(pool.queue_length(), 1u);
  pool.RaiseThreads(2);
  EXPECT_EQ(pool.threads(), 3);
  blocker.release.Arrive();
  blocker.running.WaitFor(4);
}

TEST(ThreadPool, ShrinksAndGrowsAgainWhileItWorks) {
  ThreadPool pool(Env::LOW);
  for (const int threads : {4, 1, 3, 0, 2, 1}) {
    pool.SetThreads(threads);
    // As many as there are threads run, and one has to wait, however long.
    Blocker blocker;
    for (int i = 0; i < threads + 1; ++i) pool.Schedule(blocker.Task());
    blocker.running.WaitFor(threads);
    ShowsThatNothingHappens();
    EXPECT_EQ(blocker.running.count(), threads);
    EXPECT_EQ(pool.queue_length(), 1u);
    blocker.release.Arrive();
    if (threads == 0) pool.SetThreads(1);
    blocker.running.WaitFor(threads + 1);
    blocker.ended.WaitFor(threads + 1);
    EXPECT_EQ(pool.queue_length(), 0u);
  }
}

// A surplus thread waits for the ones above it to end and may take no work:
// waking it alone is waking none.
TEST(ThreadPool, SurplusThreadsThatWaitDoNotSwallowTheWakeUp) {
  Blocker blockers[3];
  Blocker last;
  ThreadPool pool(Env::LOW);
  for (int i = 0; i < 3; ++i) {
    pool.SetThreads(i + 1);
    pool.Schedule(blockers[i].Task());
    blockers[i].running.WaitFor(1);
  }
  pool.SetThreads(1);
  // Thread 1 begins to wait before thread 0, so that it is first to be woken.
  for (const int i : {1, 0}) {
    blockers[i].release.Arrive();
    blockers[i].ended.WaitFor(1);
    ShowsThatNothingHappens();
  }
  last.release.Arrive();
  pool.Schedule(last.Task());
  last.ended.WaitFor(1);
  blockers[2].release.Arrive();
}

TEST(ThreadPool, UnscheduledTasksAreToldSoAndDoNotRun) {
  Blocker blocker;
  ThreadPool pool(Env::LOW);
  pool.Schedule(blocker.Task());
  blocker.running.WaitFor(1);
  std::atomic<int> ran{0};
  std::atomic<int> unscheduled{0};
  struct Counters {
    std::atomic<int>* ran;
    std::atomic<int>* unscheduled;
  } counters{&ran, &unscheduled};
  int tag = 0;
  for (int i = 0; i < 6; ++i) {
    pool.Schedule(
        {[](void* arg) { ++*static_cast<Counters*>(arg)->ran; }, &counters,
         i % 2 == 0 ? &tag : nullptr,
         [](void* arg) { ++*static_cast<Counters*>(arg)->unscheduled; }});
  }
  EXPECT_EQ(pool.Unschedule(&tag, Env::LOW), 3);
  EXPECT_EQ(pool.Unschedule(&tag, Env::LOW), 0);
  EXPECT_EQ(unscheduled, 3);
  blocker.release.Arrive();
  Blocker last;
  last.release.Arrive();
  pool.Schedule(last.Task());
  last.running.WaitFor(1);
  EXPECT_EQ(ran, 3);
  pool.JoinAll();
}

TEST(ThreadPool, ReservedThreadsTakeNoWork) {
  Blocker warm_up;
  Blocker blocker;
  ThreadPool pool(Env::LOW);
  pool.SetThreads(2);
  EXPECT_EQ(pool.Reserve(1), 0) << "no thread sleeps yet";
  // Let both threads run something and go to sleep.
  pool.Schedule(warm_up.Task());
  pool.Schedule(warm_up.Task());
  warm_up.running.WaitFor(2);
  warm_up.release.Arrive();
  int reserved = 0;
  while ((reserved += pool.Reserve(5)) < 2) std::this_thread::yield();
  EXPECT_EQ(reserved, 2);
  pool.Schedule(blocker.Task());
  ShowsThatNothingHappens();
  EXPECT_EQ(pool.queue_length(), 1u);
  EXPECT_EQ(blocker.running.count(), 0);
  EXPECT_EQ(pool.Release(1), 1);
  blocker.running.WaitFor(1);
  EXPECT_EQ(pool.Release(5), 1);
  blocker.release.Arrive();
}

TEST(ThreadPool, WorksWithTheThreadsThatTheSystemGives) {
  std::atomic<int> ran{0};
  Gate done;
  Step step;
  step.fn = [&] {
    ++ran;
    done.Arrive();
  };
  ThreadPool none(Env::LOW);
  ThreadPool pool(Env::LOW);
  pool.SetThreads(4);
  {
    const ThreadStartLimit limit(1);
    for (int i = 0; i < 10; ++i) {
      pool.Schedule({&Step::Run, &step, nullptr, nullptr});
    }
    done.WaitFor(10);
    EXPECT_TRUE(pool.StartFirst().ok());
    EXPECT_TRUE(none.StartFirst().IsTryAgain());
    none.Schedule({&Step::Run, &step, nullptr, nullptr});
    ShowsThatNothingHappens();
    EXPECT_EQ(10, ran);
  }
  // The next attempt gets a thread, which does what has waited.
  EXPECT_TRUE(none.StartFirst().ok());
  done.WaitFor(11);
  none.SetThreads(0);
  EXPECT_FALSE(none.StartFirst().ok());
}

TEST(PosixEnv, PoolsDoTheWorkForWhichTheSystemHasNoThread) {
  ASSERT_TRUE(StartBackgroundThreads().ok());
  Gate done;
  Step step;
  step.fn = [&] { done.Arrive(); };
  Env* const env = Env::Default();
  const ThreadStartLimit limit(0);
  env->StartThread(&Step::Run, &step);
  env->WaitForJoin();
  EXPECT_EQ(1, done.count());
  for (const Env::Priority priority : {Env::LOW, Env::HIGH, Env::USER}) {
    env->Schedule(&Step::Run, &step, priority, nullptr, nullptr);
  }
  done.WaitFor(4);
}

TEST(Timer, RunsWhatWasAddedOnceItHasAThread) {
  test::ManualClock clock(0);
  Gate called;
  Timer timer(&clock);
  {
    const ThreadStartLimit limit(0);
    EXPECT_TRUE(timer.Start().IsTryAgain());
    timer.Add(100, 0, [&called] { called.Arrive(); });
    EXPECT_EQ(1u, timer.size());
  }
  EXPECT_TRUE(timer.Start().ok());
  clock.Advance(100);
  called.WaitFor(1);
}

TEST(ThreadPool, JoinDropsWhatDidNotStart) {
  Blocker blocker;
  std::atomic<bool> ran{false};
  Step step;
  step.fn = [&ran] { ran = true; };
  ThreadPool pool(Env::LOW);
  pool.Schedule(blocker.Task());
  blocker.running.WaitFor(1);
  pool.Schedule({&Step::Run, &step, nullptr, nullptr});
  std::thread joiner([&pool] { pool.JoinAll(); });
  while (pool.queue_length() > 0) std::this_thread::yield();
  blocker.release.Arrive();
  joiner.join();
  pool.Schedule({&Step::Run, &step, nullptr, nullptr});  // It has stopped.
  EXPECT_EQ(pool.queue_length(), 0u);
  EXPECT_FALSE(ran);
}

// Timer

TEST(Timer, CallsInOrderOnceOrRepeatedly) {
  test::ManualClock clock(1000);
  std::atomic<int> once{0};
  std::atomic<int> repeated{0};
  Timer timer(&clock);
  timer.Add(2000, 0, [&once] { ++once; });
  const Timer::Handle handle =
      timer.Add(1500, 1000, [&repeated] { ++repeated; });
  timer.RunDue();
  EXPECT_EQ(repeated, 0);
  clock.Advance(500);
  timer.RunDue();
  // RunDue shares the work with the timer's own thread; Cancel waits for it.
  clock.Advance(500);
  timer.RunDue();
  EXPECT_TRUE(timer.Cancel(handle));
  EXPECT_FALSE(timer.Cancel(handle));
  EXPECT_EQ(repeated, 1);
  clock.Advance(10000);
  timer.RunDue();
  while (timer.size() > 0) std::this_thread::yield();
  EXPECT_EQ(once, 1);
  EXPECT_EQ(repeated, 1);
}

TEST(Timer, ALateTimerSkipsWhatItMissed) {
  test::ManualClock clock(0);
  std::atomic<int> calls{0};
  Gate called;
  Timer timer(&clock);
  const Timer::Handle handle = timer.Add(100, 100, [&] {
    ++calls;
    called.Arrive();
  });
  clock.Advance(1050);
  timer.RunDue();
  called.WaitFor(1);
  timer.RunDue();
  EXPECT_EQ(calls, 1);
  clock.Advance(50);  // 1100: the next multiple.
  timer.RunDue();
  called.WaitFor(2);
  EXPECT_TRUE(timer.Cancel(handle));
  EXPECT_EQ(calls, 2);
}

// It was due again at once, and RunDue() went on for ever.
TEST(Timer, APeriodThatOverflowsIsNotDueAgain) {
  test::ManualClock clock(1000);
  std::atomic<int> calls{0};
  Gate called;
  Timer timer(&clock);
  timer.Add(500, UINT64_MAX, [&] {
    ++calls;
    called.Arrive();
  });
  timer.RunDue();
  called.WaitFor(1);
  clock.Advance(1'000'000);
  timer.RunDue();
  EXPECT_EQ(1, calls);
  EXPECT_EQ(1u, timer.size());
}

TEST(Timer, ItsThreadWakesWhenAManualClockMoves) {
  test::ManualClock clock(0);
  Gate called;
  Timer timer(&clock);
  timer.Add(3600u * 1000 * 1000, 0, [&called] { called.Arrive(); });
  clock.Advance(int64_t{3600} * 1000 * 1000);
  called.WaitFor(1);
}

TEST(Timer, CancelWaitsForARunningCallback) {
  const std::shared_ptr<SystemClock> clock = SystemClock::Default();
  Blocker blocker;
  std::atomic<bool> finished{false};
  Timer timer(clock.get());
  const Timer::Handle handle = timer.Add(0, 1, [&] {
    Blocker::Run(&blocker);
    finished = true;
  });
  blocker.running.WaitFor(1);
  std::atomic<bool> cancelled{false};
  std::thread canceller([&] {
    EXPECT_TRUE(timer.Cancel(handle));
    EXPECT_TRUE(finished);
    cancelled = true;
  });
  ShowsThatNothingHappens();
  EXPECT_FALSE(cancelled);
  blocker.release.Arrive();
  canceller.join();
  EXPECT_EQ(timer.size(), 0u);
  EXPECT_EQ(blocker.running.count(), 1);
}

// Also if the callback, or another thread, has cancelled it before.
TEST(Timer, ASecondCancelWaitsForTheCallbackToo) {
  test::ManualClock clock(0);
  Blocker blocker;
  std::atomic<Timer::Handle> handle{0};
  std::atomic<bool> finished{false};
  Timer timer(&clock);
  handle = timer.Add(10, 10, [&] {
    EXPECT_TRUE(timer.Cancel(handle));
    EXPECT_FALSE(timer.Cancel(handle));
    Blocker::Run(&blocker);
    finished = true;
  });
  clock.Advance(10);
  blocker.running.WaitFor(1);
  std::thread releaser([&] {
    ShowsThatNothingHappens();
    blocker.release.Arrive();
  });
  EXPECT_FALSE(timer.Cancel(handle));
  EXPECT_TRUE(finished);
  releaser.join();
  EXPECT_EQ(0u, timer.size());
}

TEST(Timer, ACallbackMayCancelItself) {
  test::ManualClock clock(0);
  std::atomic<Timer::Handle> handle{0};
  std::atomic<int> calls{0};
  Timer timer(&clock);
  handle = timer.Add(10, 10, [&] {
    ++calls;
    EXPECT_TRUE(timer.Cancel(handle));
  });
  clock.Advance(10);
  timer.RunDue();
  while (timer.size() > 0) std::this_thread::yield();
  EXPECT_EQ(calls, 1);
}

TEST(Timer, OneTimerPerClock) {
  const std::shared_ptr<Timer> timer = TimerOf(Env::Default());
  const std::unique_ptr<Env> memory(NewMemEnv(Env::Default()));
  EXPECT_EQ(TimerOf(memory.get()), timer) << "the same clock";
  EnvWrapper wrapper(Env::Default());
  EXPECT_NE(TimerOf(&wrapper), timer) << "a clock that may be overridden";
}

// Env::Default()

TEST(DefaultEnv, RunsTasksInThePoolTheyAreScheduledIn) {
  Env* const env = Env::Default();
  // The pools outlive the test, so what their tasks use does too.
  static auto* const blockers = new std::vector<std::unique_ptr<Blocker>>;
  for (const Env::Priority priority : {Env::BOTTOM, Env::LOW, Env::HIGH}) {
    env->IncBackgroundThreadsIfNeeded(1, priority);
    EXPECT_GE(env->GetBackgroundThreads(priority), 1);
    Blocker& blocker = *blockers->emplace_back(std::make_unique<Blocker>());
    env->Schedule(&Blocker::Run, &blocker, priority);
    blocker.running.WaitFor(1);
    // Another pool does not wait for this one.
    Blocker& other = *blockers->emplace_back(std::make_unique<Blocker>());
    const Env::Priority another = priority == Env::HIGH ? Env::LOW : Env::HIGH;
    env->IncBackgroundThreadsIfNeeded(1, another);
    other.release.Arrive();
    env->Schedule(&Blocker::Run, &other, another);
    other.ended.WaitFor(1);
    env->SetBackgroundThreads(1, priority);
    int tag = 0;
    Blocker& never = *blockers->emplace_back(std::make_unique<Blocker>());
    env->Schedule(&Blocker::Run, &never, priority, &tag);
    EXPECT_EQ(env->GetThreadPoolQueueLen(priority), 1u);
    EXPECT_EQ(env->UnSchedule(&tag, priority), 1);
    EXPECT_EQ(env->GetThreadPoolQueueLen(priority), 0u);
    blocker.release.Arrive();
    blocker.ended.WaitFor(1);
    EXPECT_EQ(never.running.count(), 0);
  }
}

TEST(DefaultEnv, StartedThreadsAreJoined) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 3; ++i) {
    Env::Default()->StartThreadTyped([](std::atomic<int>* count) { ++*count; },
                                     &ran);
  }
  Env::Default()->WaitForJoin();
  EXPECT_EQ(ran, 3);
}

TEST(DefaultEnv, KnowsHostThreadAndIds) {
  Env* const env = Env::Default();
  std::string host;
  ASSERT_TRUE(env->GetHostNameString(&host).ok());
  EXPECT_FALSE(host.empty());
  EXPECT_NE(env->GetThreadID(), 0u);
  const std::string id = env->GenerateUniqueId();
  EXPECT_EQ(id.size(), 36u);
  EXPECT_EQ(id[8], '-');
  EXPECT_EQ(id[14], '4');
  EXPECT_NE(id, env->GenerateUniqueId());
  EXPECT_EQ(Env::PriorityToString(Env::HIGH), "High");
  Env* loaded = nullptr;
  ASSERT_TRUE(Env::LoadEnv("", &loaded).ok());
  EXPECT_EQ(loaded, env);
  EXPECT_FALSE(Env::LoadEnv("no such", &loaded).ok());
}

TEST(Env, WrappersShareTheCompactionSwitchOfTheirBase) {
  const std::unique_ptr<Env> memory(NewMemEnv(Env::Default()));
  EnvWrapper wrapper(memory.get());
  EXPECT_EQ(wrapper.compaction_switch(), Env::Default()->compaction_switch());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
