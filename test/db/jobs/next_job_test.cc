// What the background does next: one situation per case, and laws that hold
// in every situation.

#include "db/jobs/next_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

#include "test/support/datadriven.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using Kind = JobAction::Kind;

std::string Names(JobClassSet classes) {
  std::string text;
  for (const JobClass c : kJobClasses) {
    if (!classes.Has(c)) continue;
    if (!text.empty()) text += ",";
    text += JobClassName(c);
  }
  return text;
}

std::string Describe(const JobAction& action) {
  const std::string name = JobClassName(action.job_class);
  switch (action.kind) {
    case Kind::kStartFlush:
      return "start flush";
    case Kind::kStart:
      return "start " + Names(action.classes);
    case Kind::kResume:
      return "resume " + name;
    case Kind::kPause:
      return "pause " + name +
             (action.for_start.empty()
                  ? ""
                  : " to start " + Names(action.for_start));
    case Kind::kUnpause:
      return "unpause " + name;
    default:
      return "nothing";
  }
}

// "<who> <word>=<number> ...", who: flush, all, manual or a class.
void ReadLine(const std::string& line, JobDemand* demand) {
  std::istringstream in(line);
  std::string who;
  in >> who;
  for (std::string word; in >> word;) {
    const size_t at = word.find('=');
    const std::string name = word.substr(0, at);
    const int n = std::stoi(word.substr(at + 1));
    if (who == "flush") {
      (name == "waiting" ? demand->flushes_waiting : demand->flushes_running) =
          n;
    } else if (who == "all") {
      (name == "waiting"   ? demand->compactions_waiting
       : name == "running" ? demand->compactions_running
                           : demand->compactions_handed) = n;
    } else if (who == "manual") {
      ManualDemand& m = demand->manual;
      (name == "running"   ? m.running
       : name == "pausing" ? m.pausing
                           : m.paused) = n;
    } else {
      JobClassDemand& d = demand->Of(who == "runs"   ? JobClass::kRuns
                                     : who == "debt" ? JobClass::kDebt
                                                     : JobClass::kMaintenance);
      (name == "waiting"     ? d.waiting
       : name == "running"   ? d.running
       : name == "pausing"   ? d.pausing
       : name == "finishing" ? d.finishing
                             : d.paused) = n;
    }
  }
}

TEST(NextJob, IsWhatTheCasesSay) {
  const auto interpret = [](const test::Case& given) {
    JobDemand demand;
    JobLimits limits;
    limits.compactions = static_cast<int>(given.Uint("slots", 1));
    limits.preempt = given.Uint("preempt", 0) != 0;
    limits.allowance.runs = static_cast<int>(given.Uint("runs", INT_MAX));
    limits.allowance.debt = static_cast<int>(given.Uint("debt", INT_MAX));
    limits.allowance.maintenance =
        static_cast<int>(given.Uint("maintenance", INT_MAX));
    demand.compactions_allowed = given.Uint("may_start", 1) != 0;
    demand.resume_allowed = given.Uint("may_resume", 1) != 0;
    demand.flushes_allowed = given.Uint("may_flush", 1) != 0;
    demand.drain = given.Uint("drain", 0) != 0;
    for (const std::string& line : given.input) ReadLine(line, &demand);
    return Describe(NextJob(demand, limits)) + "\n";
  };
  for (const std::string& diff :
       test::RunDataDriven("test/db/jobs/testdata/next_job", interpret)) {
    ADD_FAILURE() << diff;
  }
}

int Draw(Random64* random, uint64_t below) {
  return static_cast<int>(random->Uniform(below));
}

JobDemand AnyDemand(Random64* random, bool with_paused) {
  JobDemand demand;
  demand.flushes_waiting = Draw(random, 3);
  demand.flushes_running = Draw(random, 3);
  demand.flushes_allowed = Draw(random, 8) > 0;
  demand.compactions_allowed = Draw(random, 8) > 0;
  demand.resume_allowed = demand.compactions_allowed || Draw(random, 2) > 0;
  int most = 0;
  int sum = 0;
  for (JobClassDemand& d : demand.classes) {
    d.waiting = Draw(random, 3);
    d.running = Draw(random, 3);
    d.finishing = Draw(random, 2);
    if (with_paused) {
      d.pausing = Draw(random, 2);
      d.paused = Draw(random, 3);
    }
    demand.compactions_running += d.running + d.finishing + d.pausing;
    most = std::max(most, d.waiting);
    sum += d.waiting;
  }
  // A family may wait for more than one class.
  demand.compactions_waiting =
      most + Draw(random, static_cast<uint64_t>(sum - most) + 1);
  demand.compactions_handed = Draw(random, 2);
  demand.compactions_running += demand.compactions_handed;
  if (with_paused) {
    demand.manual = {Draw(random, 2), Draw(random, 2), Draw(random, 2)};
    demand.drain = Draw(random, 8) == 0;
    demand.compactions_allowed &= !demand.drain;
  }
  return demand;
}

// What decides without a tuner: flushes first, then any compaction, each
// within its slots.
Kind StaticKind(const JobDemand& demand, const JobLimits& limits) {
  if (demand.flushes_allowed && demand.flushes_waiting > 0 &&
      demand.flushes_running < limits.flushes) {
    return Kind::kStartFlush;
  }
  const int waiting = demand.compactions_waiting - demand.compactions_handed;
  if (demand.compactions_allowed && waiting > 0 &&
      demand.compactions_running < limits.compactions) {
    return Kind::kStart;
  }
  return Kind::kNothing;
}

TEST(NextJob, WithoutAllowancesIsTheStaticRule) {
  Random64 random(301);
  int started = 0;
  for (int i = 0; i < 100000; ++i) {
    const JobDemand demand = AnyDemand(&random, /*with_paused=*/false);
    JobLimits limits;
    limits.flushes = 1 + Draw(&random, 2);
    limits.compactions = 1 + Draw(&random, 8);
    const JobAction action = NextJob(demand, limits);
    ASSERT_EQ(StaticKind(demand, limits), action.kind) << Describe(action);
    if (action.kind != Kind::kStart) continue;
    ++started;
    // Every class that waits may be picked: scores alone decide.
    for (const JobClass c : kJobClasses) {
      ASSERT_EQ(demand.Of(c).waiting > 0, action.classes.Has(c));
    }
  }
  EXPECT_GT(started, 10000);
}

// Which of several jobs the engine takes depends on their sizes.
struct Preference {
  bool pauses_manual = false;
  bool unpauses_manual = false;
};

// Carries an action out. False: it cannot be.
bool Apply(const JobAction& action, Preference preference, JobDemand* demand) {
  using Which = JobAction::Which;
  const bool may_be_manual = action.which != Which::kAutomatic;
  const bool must_be_manual = action.which == Which::kManual;
  JobClassDemand& d = demand->Of(action.job_class);
  ManualDemand& m = demand->manual;
  const bool maintenance = action.job_class == JobClass::kMaintenance;
  switch (action.kind) {
    case Kind::kStartFlush:
      --demand->flushes_waiting;
      ++demand->flushes_running;
      return true;
    case Kind::kStart:
      ++demand->compactions_handed;
      ++demand->compactions_running;
      return !action.classes.empty();
    case Kind::kResume:
      ++demand->compactions_handed;
      ++demand->compactions_running;
      return d.paused > 0;
    case Kind::kPause: {
      const bool manual =
          maintenance && may_be_manual && m.running > 0 &&
          (preference.pauses_manual || must_be_manual || d.running == 0);
      int& from = manual ? m.running : d.running;
      ++(manual ? m.pausing : d.pausing);
      return from-- > 0;
    }
    case Kind::kUnpause: {
      const bool manual =
          maintenance && may_be_manual && m.pausing + m.paused > 0 &&
          (preference.unpauses_manual || must_be_manual || d.pausing == 0);
      int& from = !manual ? d.pausing : m.pausing > 0 ? m.pausing : m.paused;
      ++(manual ? m.running : d.running);
      return from-- > 0;
    }
    default:
      return false;
  }
}

// scheduler.h (1).
TEST(NextJob, ComesToRestWithinSlotsAndAllowances) {
  Random64 random(302);
  for (int i = 0; i < 100000; ++i) {
    JobDemand demand = AnyDemand(&random, /*with_paused=*/true);
    JobLimits limits;
    limits.flushes = 1 + Draw(&random, 2);
    limits.compactions = 1 + Draw(&random, 8);
    limits.preempt = Draw(&random, 2) > 0;
    limits.allowance = {Draw(&random, 4) - 1, Draw(&random, 4),
                        Draw(&random, 4)};
    const int running_before = demand.compactions_running;
    const Preference preference = {Draw(&random, 2) > 0, Draw(&random, 2) > 0};
    int steps = 0;
    std::string path;
    for (; steps < 100; ++steps) {
      const JobAction action = NextJob(demand, limits);
      if (action.kind == Kind::kNothing) break;
      path += Describe(action) + "; ";
      ASSERT_TRUE(Apply(action, preference, &demand)) << path;
    }
    ASSERT_LT(steps, 100) << path;
    ASSERT_LE(demand.compactions_running,
              std::max(running_before, limits.compactions))
        << path;
    for (const JobClass c : kJobClasses) {
      const JobClassDemand& d = demand.Of(c);
      if (demand.drain || d.running == 0) continue;
      const int manual =
          c == JobClass::kMaintenance ? demand.manual.running : 0;
      ASSERT_LE(d.running + manual, std::max(limits.allowance.Of(c), 0))
          << path;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
