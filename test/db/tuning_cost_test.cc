// What a tick of the tuner costs, counted: it asks each of its sources once,
// reads the clock a few times and allocates nothing. How long that takes is in
// the histogram rocksdb.autotune.tick.micros; a test that measured it would
// fail on a slow machine and prove nothing on a fast one.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "test/db/call_counts.h"
#include "test/db/tuned_fixture.h"
#include "test/support/clocked_env.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::JobSignal;
using engine::TuningDriver;

// Counts how often the thread that ticks reads it, which has a time of its own:
// the ticks are as far apart as the law expects, however late the thread is.
class CountingClock final : public SystemClockWrapper {
 public:
  CountingClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "CountingClock"; }
  uint64_t NowMicros() override {
    if (ticks_micros == 0) return SystemClockWrapper::NowMicros();
    ++reads;
    return ticks_micros;
  }
  uint64_t NowNanos() override {
    if (ticks_micros == 0) return SystemClockWrapper::NowNanos();
    ++reads;
    return ticks_micros * 1000;
  }

  // 0: this thread does not tick.
  static thread_local uint64_t ticks_micros;
  static thread_local int reads;
};
thread_local uint64_t CountingClock::ticks_micros = 0;
thread_local int CountingClock::reads = 0;

JobSignal SomeJob(int i) {
  JobSignal job;
  job.work = i % 2 == 0 ? engine::WorkClass::kRuns : engine::WorkClass::kDebt;
  job.from_level0 = i % 2 == 0;
  job.level0_files_gone = 4;
  job.input_bytes = 64 << 20;
  job.done_bytes = static_cast<uint64_t>(i) << 20;
  return job;
}

// A driver of its own beside the database's, which is off.
class TickCostTest : public ::testing::Test {
 protected:
  TickCostTest() {
    db_.Open(&env_, "/db");
    // Stops the ticks of the timer, but not those of this driver.
    db_.impl()->tuning()->End();
    TuningDriver::Deps deps;
    deps.db = &db_.state();
    stalls_ = std::make_unique<engine::StallMonitor>(&db_.state());
    deps.stalls = stalls_.get();
    deps.jobs = [this](std::span<JobSignal> out) {
      ++asked_.jobs;
      for (size_t i = 0; i < out.size(); ++i) {
        out[i] = SomeJob(static_cast<int>(i));
      }
      return out.size();
    };
    deps.allow = [](const engine::TuningDecision&) { return true; };
    deps.schedule = [this] {
      ++asked_.schedule;
      db_.impl()->scheduler()->ScheduleIfDue();
    };
    deps.notify_stall_listeners = [] {};
    deps.accepted_bytes = [this] {
      ++asked_.bytes;
      return bytes_ += 1 << 20;
    };
    driver_ = std::make_unique<TuningDriver>(
        std::move(deps), engine::TuningDomain::Of(db_.state().store.fs, "/db"));
  }
  ~TickCostTest() override {
    CountingClock::ticks_micros = 0;
    driver_.reset();
  }
  void Tick(int times) {
    if (CountingClock::ticks_micros == 0) {
      CountingClock::ticks_micros = SystemClock::Default()->NowMicros();
    }
    for (int i = 0; i < times; ++i) {
      CountingClock::ticks_micros += TuningDriver::kTickMicros;
      driver_->Tick();
    }
  }

  struct Asked {
    int jobs = 0;
    int bytes = 0;
    int schedule = 0;
  };

  const std::unique_ptr<Env> mem_{NewMemEnv(Env::Default())};
  ClockedEnv env_{mem_.get(), mem_->GetFileSystem(),
                  std::make_shared<CountingClock>()};
  TunedDb db_;
  std::unique_ptr<engine::StallMonitor> stalls_;
  std::unique_ptr<TuningDriver> driver_;
  uint64_t bytes_ = 0;
  Asked asked_;
};

TEST_F(TickCostTest, ATickAsksEverySourceOnceAndTheClockAFewTimes) {
  Tick(1);
  asked_ = {};
  CountingClock::reads = 0;
  constexpr int kTicks = 100;
  Tick(kTicks);
  EXPECT_EQ(asked_.jobs, kTicks);
  EXPECT_EQ(asked_.bytes, kTicks);
  EXPECT_LE(asked_.schedule, kTicks);
  constexpr int kClockReadsMax = 6;
  EXPECT_GE(CountingClock::reads, kTicks);
  EXPECT_LE(CountingClock::reads, kTicks * kClockReadsMax);
}

// tuning_driver.h (2).
TEST_F(TickCostTest, AllocatesNothingOnceEverythingWasSeen) {
  if (!kCountsCalls) GTEST_SKIP() << "not counted here";
  Tick(50);
  const uint64_t before = Allocations();
  Tick(100);
  EXPECT_EQ(before, Allocations());
}

TEST(StepCostTest, TheLawAloneAllocatesNothing) {
  if (!kCountsCalls) GTEST_SKIP() << "not counted here";
  engine::Tuner tuner;
  std::vector<engine::FamilySignals> families(1);
  std::vector<engine::FamilyDecision> shapes(1);
  std::vector<JobSignal> jobs;
  for (int i = 0; i < 16; ++i) jobs.push_back(SomeJob(i));
  families[0].level0_files = 12;
  engine::LsmSignals signals;
  signals.families = families;
  signals.jobs = jobs;
  const auto step = [&] {
    signals.now_micros += TuningDriver::kTickMicros;
    signals.accepted_bytes += 4 << 20;
    (void)tuner.Step(signals, shapes);
  };
  step();
  const uint64_t before = Allocations();
  for (int i = 0; i < 100; ++i) step();
  EXPECT_EQ(before, Allocations());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
