#include "db/jobs/next_job.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Kind = JobAction::Kind;
using Which = JobAction::Which;

class Decider {
 public:
  Decider(const JobDemand& demand, const JobLimits& limits)
      : d_(demand), limits_(limits) {}

  JobAction Decide();

 private:
  // What a class would use slots for.
  struct Wish {
    int resume = 0;
    bool start = false;
  };

  int ManualRunning(JobClass c) const {
    return c == JobClass::kMaintenance ? d_.manual.running : 0;
  }
  // The number of jobs that may start in addition to the running ones.
  int Room(JobClass c) const {
    if (d_.drain) return INT_MAX;
    const JobClassDemand& d = d_.Of(c);
    return limits_.allowance.Of(c) - d.running - d.finishing - ManualRunning(c);
  }
  Wish WishOf(JobClass c) const;
  JobAction PauseExcess() const;
  std::optional<Which> CanUnpause(JobClass c, bool starved) const;
  JobClassSet Startable(JobClass first) const;
  JobAction Preempt(JobClass c, bool for_start) const;
  JobAction UseSlot(JobClass c, const Wish& wish, JobClass first_start) const;

  const JobDemand& d_;
  const JobLimits& limits_;
};

Decider::Wish Decider::WishOf(JobClass c) const {
  const int room = std::max(Room(c), 0);
  Wish wish;
  if (d_.resume_allowed) wish.resume = std::min(d_.Of(c).paused, room);
  wish.start = d_.compactions_allowed && d_.Of(c).waiting > 0 && room > 0;
  return wish;
}

JobAction Decider::PauseExcess() const {
  if (d_.drain) return {};
  for (size_t i = kJobClassCount; i-- > 0;) {
    const JobClass c = kJobClasses[i];
    const int pausable = d_.Of(c).running + ManualRunning(c);
    const int running = pausable + d_.Of(c).finishing;
    if (pausable > 0 && running > std::max(limits_.allowance.Of(c), 0)) {
      return {Kind::kPause, c, {}, {}};
    }
  }
  return {};
}

// A pause that was meant to free a slot for a more urgent class stays.
std::optional<Which> Decider::CanUnpause(JobClass c, bool starved) const {
  if (!d_.resume_allowed || Room(c) <= 0) return std::nullopt;
  if (d_.Of(c).pausing > 0 && !starved) return Which::kAutomatic;
  const bool manual =
      c == JobClass::kMaintenance && d_.manual.pausing + d_.manual.paused > 0;
  return manual ? std::optional(Which::kManual) : std::nullopt;
}

// The classes a new job may be of: all that wait, up to one that has paused
// jobs to go on with; under preemption the most urgent only.
JobClassSet Decider::Startable(JobClass first) const {
  JobClassSet classes;
  for (const JobClass c : kJobClasses) {
    if (c < first) continue;
    const Wish wish = WishOf(c);
    if (wish.resume > 0) break;
    if (wish.start) classes.Add(c);
    if (wish.start && limits_.preempt) break;
  }
  return classes;
}

JobAction Decider::Preempt(JobClass c, bool for_start) const {
  for (size_t i = kJobClassCount; i-- > static_cast<size_t>(c) + 1;) {
    if (d_.classes[i].running == 0) continue;
    return {Kind::kPause,
            kJobClasses[i],
            {},
            for_start ? JobClassSet::Of(c) : JobClassSet(),
            Which::kAutomatic};
  }
  return {};
}

// `first_start`: the most urgent class that waits for a start.
JobAction Decider::UseSlot(JobClass c, const Wish& wish,
                           JobClass first_start) const {
  if (wish.resume > 0) return {Kind::kResume, c, {}, {}};
  // A task on its way may see to the more urgent ones.
  JobClassSet classes = Startable(first_start);
  if (classes.empty()) classes = Startable(c);
  return {Kind::kStart, c, classes, {}};
}

JobAction Decider::Decide() {
  if (d_.flushes_allowed && d_.flushes_waiting > 0 &&
      d_.flushes_running < limits_.flushes) {  // scheduler.h (1)
    return {Kind::kStartFlush, JobClass::kRuns, {}, {}};
  }
  const JobAction excess = PauseExcess();
  if (excess.kind != Kind::kNothing) return excess;

  // scheduler.h (1)
  const bool slot_free = d_.compactions_running < limits_.compactions;
  int coming = d_.compactions_handed;  // Slots that will ask for work.
  for (const JobClassDemand& other : d_.classes) coming += other.pausing;
  int resumes = 0;  // Wanted by this class and the more urgent ones.
  int starts = 0;
  bool starved = false;
  JobClass first_start = JobClass::kMaintenance;
  for (const JobClass c : kJobClasses) {
    if (const std::optional<Which> which = CanUnpause(c, starved)) {
      return {Kind::kUnpause, c, {}, {}, *which};
    }
    const Wish wish = WishOf(c);
    if (wish.resume == 0 && !wish.start) continue;
    resumes += wish.resume;
    if (wish.start) {
      if (starts == 0) first_start = c;
      starts = std::min(starts + d_.Of(c).waiting, d_.compactions_waiting);
    }
    if (resumes + starts <= d_.compactions_handed) continue;
    if (slot_free) return UseSlot(c, wish, first_start);
    if (!limits_.preempt) continue;
    starved = true;
    if (resumes + starts <= coming) continue;
    const JobAction pause = Preempt(c, /*for_start=*/wish.resume == 0);
    if (pause.kind != Kind::kNothing) return pause;
  }
  return {};
}

}  // namespace

JobAction NextJob(const JobDemand& demand, const JobLimits& limits) {
  assert(demand.flushes_running >= 0 && demand.compactions_running >= 0);
  assert(demand.compactions_handed >= 0);
  return Decider(demand, limits).Decide();
}

}  // namespace ROCKSDB_NAMESPACE::engine
