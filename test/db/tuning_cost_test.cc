// What a tick of the tuner costs: time, and no memory.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <new>
#include <vector>

#include "rocksdb/env.h"
#include "test/db/tuned_fixture.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RIVERSTONE_COUNTS_ALLOCATIONS 0
#else
#define RIVERSTONE_COUNTS_ALLOCATIONS 1
#endif

namespace {
thread_local uint64_t allocations = 0;
}

#if RIVERSTONE_COUNTS_ALLOCATIONS
// For the whole test program; the others do not look.
__attribute__((noinline)) void* operator new(size_t bytes) {
  ++allocations;
  void* const p = std::malloc(bytes > 0 ? bytes : 1);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
__attribute__((noinline)) void operator delete(void* p) noexcept {
  std::free(p);
}
__attribute__((noinline)) void operator delete(void* p, size_t) noexcept {
  std::free(p);
}
#endif

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::JobSignal;
using engine::TuningDriver;

double ThreadCpuMicros() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 +
         static_cast<double>(now.tv_nsec) / 1e3;
}

// CPU time of this thread, and of some rounds the best: others use the
// machine and its caches, too.
double BestMicrosOf(int times, const std::function<void()>& what) {
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const double start = ThreadCpuMicros();
    for (int i = 0; i < times; ++i) what();
    best = std::min(best, (ThreadCpuMicros() - start) / times);
  }
  return best;
}

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
  TickCostTest() : env_(NewMemEnv(Env::Default())) {
    db_.Open(env_.get(), "/db");
    // Stops the ticks of the timer, but not those of this driver.
    db_.impl()->tuning()->End();
    TuningDriver::Deps deps;
    deps.db = &db_.state();
    stalls_ = std::make_unique<engine::StallMonitor>(&db_.state());
    deps.stalls = stalls_.get();
    deps.jobs = [](std::span<JobSignal> out) {
      for (size_t i = 0; i < out.size(); ++i) {
        out[i] = SomeJob(static_cast<int>(i));
      }
      return out.size();
    };
    deps.allow = [](const engine::TuningDecision&) { return true; };
    deps.schedule = [this] { db_.impl()->scheduler()->ScheduleIfDue(); };
    deps.tell_stalls = [] {};
    deps.accepted_bytes = [this] { return bytes_ += 1 << 20; };
    driver_ = std::make_unique<TuningDriver>(
        std::move(deps), engine::TuningDomain::Of(db_.state().store.fs, "/db"));
  }
  ~TickCostTest() override { driver_.reset(); }

  std::unique_ptr<Env> env_;
  TunedDb db_;
  std::unique_ptr<engine::StallMonitor> stalls_;
  std::unique_ptr<TuningDriver> driver_;
  uint64_t bytes_ = 0;
};

TEST_F(TickCostTest, IsUnderTwentyMicrosecondsWithSixteenJobs) {
  driver_->Tick();
  const double micros = BestMicrosOf(500, [&] { driver_->Tick(); });
  std::printf("one tick with %zu jobs: %.2f us\n", TuningDriver::kJobsMax,
              micros);
#if RIVERSTONE_COUNTS_ALLOCATIONS
  EXPECT_LT(micros, 20);
#endif
}

TEST_F(TickCostTest, AllocatesNothingOnceEverythingWasSeen) {
  if (RIVERSTONE_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "not counted here";
  for (int i = 0; i < 50; ++i) driver_->Tick();
  const uint64_t before = allocations;
  for (int i = 0; i < 100; ++i) driver_->Tick();
  EXPECT_EQ(before, allocations);
}

TEST(StepCostTest, TheLawAlone) {
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
#if RIVERSTONE_COUNTS_ALLOCATIONS
  const uint64_t before = allocations;
  for (int i = 0; i < 100; ++i) step();
  EXPECT_EQ(before, allocations);
#endif
  const double micros = BestMicrosOf(500, step);
  std::printf("one step with 16 jobs: %.2f us\n", micros);
#if RIVERSTONE_COUNTS_ALLOCATIONS
  EXPECT_LT(micros, 10);
#endif
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
