#include "db/db_impl/tuning_link.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "db/events/db_events.h"
#include "db/options/tuning_mode.h"
#include "db/options/validate.h"
#include "rocksdb/system_clock.h"
#include "util/compaction_switch.h"
#include "util/rate_limiter.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

DrainSwitchLimiter* LimiterOf(const DbState& db) {
  return dynamic_cast<DrainSwitchLimiter*>(db.store.options.rate_limiter.get());
}

void ReportDrain(DbState* db, const LimiterDecision& decision) {
  // Every decision of a period is logged, also those that change nothing:
  // the sequence of D and H is what explains a run.
  Info(db->store.info_log, "%s", DescribeDecision(decision).c_str());
  if (decision.verdict.decision == DrainDecision::kHold) return;
  TunerEvent event;
  event.tuner = "drain_switch";
  event.decision = DrainDecisionName(decision.verdict.decision);
  event.reason = decision.changed ? "changed" : "repeated";
  const bool on = decision.verdict.decision == DrainDecision::kEnable;
  event.before = on != decision.changed ? "compaction on" : "compaction off";
  event.after = on ? "compaction on" : "compaction off";
  event.numbers = {{"drained_pct", decision.verdict.drained_pct},
                   {"drained_high_pct", decision.verdict.drained_high_pct},
                   {"intervals", decision.verdict.elapsed_intervals},
                   {"bytes_per_second", decision.bytes_per_second}};
  db->events->TunerDecided(event);
}

}  // namespace

TuningLink::Wanted TuningLink::WantedNow() {
  Wanted wanted;
  MutexLock lock(&deps_.db->mu);
  for (const FamilyPtr& family : deps_.db->families->all()) {
    const TuningMode mode = TuningModeOf(*family->options());
    wanted.drain_switch |= mode == TuningMode::kDrainSwitch;
    wanted.driver |= IsWatched(mode);
  }
  return wanted;
}

void TuningLink::Update(const std::shared_ptr<Timer>& timer) {
  // What was wanted may be out of date once it has been done: another thread
  // may have done what was wanted later before that.
  Wanted wanted = WantedNow();
  for (;;) {
    Running no_longer;
    {
      MutexLock lock(&mu_);
      if (ended_) return;
      if (wanted.drain_switch && !attached_) attached_ = AttachDrainSwitch();
      if (!wanted.drain_switch && attached_) {
        DetachDrainSwitch();
        attached_ = false;
      }
      if (wanted.driver && running_.driver == nullptr) StartDriver(timer);
      if (!wanted.driver) no_longer = std::exchange(running_, {});
    }
    Stop(no_longer);
    const Wanted now = WantedNow();
    if (now == wanted) return;
    wanted = now;
  }
}

void TuningLink::End() {
  Running no_longer;
  {
    MutexLock lock(&mu_);
    ended_ = true;
    if (attached_) DetachDrainSwitch();
    attached_ = false;
    no_longer = std::exchange(running_, {});
  }
  Stop(no_longer);
}

void TuningLink::Tick() {
  std::shared_ptr<TuningDriver> driver;
  {
    MutexLock lock(&mu_);
    driver = running_.driver;
  }
  if (driver != nullptr) driver->Tick();
}

TuningSnapshot TuningLink::Snapshot() const {
  std::shared_ptr<TuningDriver> driver;
  {
    MutexLock lock(&mu_);
    driver = running_.driver;
  }
  return driver != nullptr ? driver->Snapshot() : TuningSnapshot{};
}

// --------------------------------------------------------------- drain switch

// Warns when there is no auto-tuned limiter that could ever decide.
bool TuningLink::AttachDrainSwitch() {
  assert(!attached_ && !ended_);
  DbState* db = deps_.db;
  DrainSwitchLimiter* limiter = LimiterOf(*db);
  if (limiter == nullptr || !limiter->auto_tuned()) {
    Warn(db->store.info_log,
         "auto_tuned_compaction is set, but there is no auto-tuned rate "
         "limiter: nothing is tuned (compaction_tuning=kDrainSwitch)");
    return false;
  }
  CompactionSwitch* compaction_switch = db->env->compaction_switch();
  compaction_switch->AddUser();
  limiter->AttachCompactionSwitch(
      db, compaction_switch, db->store.statistics,
      [db](const LimiterDecision& decision) { ReportDrain(db, decision); });
  return true;
}

void TuningLink::DetachDrainSwitch() {
  assert(attached_);
  LimiterOf(*deps_.db)->Detach(deps_.db);
  deps_.db->env->compaction_switch()->RemoveUser();
}

// ------------------------------------------------------------------- adaptive

void TuningLink::StartDriver(const std::shared_ptr<Timer>& timer) {
  assert(running_.driver == nullptr && !ended_);
  DbState* db = deps_.db;
  TuningDriver::Deps driver;
  driver.db = db;
  driver.stalls = deps_.stalls;
  driver.jobs = [this](std::span<JobSignal> out)
                    REQUIRES_LOCK(kStateLock) { return Jobs(out); };
  driver.allow = [this](const TuningDecision& d)
                     REQUIRES_LOCK(kStateLock) { return Allow(d); };
  driver.schedule = deps_.schedule;
  driver.notify_stall_listeners = deps_.notify_stall_listeners;
  driver.accepted_bytes = deps_.accepted_bytes;
  running_.driver = std::make_shared<TuningDriver>(
      std::move(driver), TuningDomain::Of(db->store.fs, db->store.dbname));
  running_.timer = timer;
  running_.tick =
      timer->Add(db->store.clock->NowMicros() + TuningDriver::kTickMicros,
                 TuningDriver::kTickMicros,
                 [ticking = running_.driver] { ticking->Tick(); });
}

void TuningLink::Stop(const Running& running) {
  if (running.driver == nullptr) return;
  running.driver->Stop();
  running.timer->Cancel(running.tick);
}

// REQUIRES: the DB mutex.
bool TuningLink::Allow(const TuningDecision& decision) {
  deps_.db->mu.AssertHeld();
  JobScheduler& scheduler = *deps_.scheduler;
  const JobAllowance allowance{.debt = decision.debt_jobs_max,
                               .maintenance = decision.maintenance_jobs_max};
  const bool same = allowance == scheduler.allowance() &&
                    decision.preempt == scheduler.preempt();
  scheduler.SetAllowance(allowance);
  scheduler.SetPreempt(decision.preempt);
  deps_.compactor->ApplyTuning();
  // Options may have changed since the last decision.
  const BackgroundLimits most =
      ResolveBackgroundLimits(*deps_.db->options, /*speed_up=*/true);
  const int slots = decision.all_slots ? most.compactions : 0;
  // A slice of one job must not take the thread of another: that one may be
  // the smaller merge the tuner waits for.
  const int slices = std::max(
      static_cast<int>(deps_.db->options->max_subcompactions), kSlicesMax);
  const std::pair<int, int> wanted(slots, slots * (slices - 1));
  if (wanted == slots_) return !same;
  slots_ = wanted;
  scheduler.SetCompactionSlots(wanted.first, wanted.second);
  return true;
}

// REQUIRES: the DB mutex.
size_t TuningLink::Jobs(std::span<JobSignal> out) const {
  deps_.db->mu.AssertHeld();
  std::array<JobProgressInfo, TuningDriver::kJobsMax> jobs;
  const size_t count =
      deps_.compactor->Jobs({jobs.data(), std::min(jobs.size(), out.size())});
  size_t told = 0;
  for (size_t i = 0; i < count; ++i) {
    const JobProgressInfo& from = jobs[i];
    if (from.installed) continue;  // The tree tells of it.
    JobSignal& to = out[told++];
    to.family_id = from.family_id;
    to.work = WorkClassOf(from.job_class);
    to.paused = from.state == JobProgressInfo::State::kPaused;
    to.from_level0 = from.start_level == 0;
    to.into_level0 = from.output_level == 0;
    to.level0_files_gone = from.level0_files_gone;
    to.input_bytes = from.input_bytes;
    to.done_bytes = std::min(from.progress_bytes, from.input_bytes);
  }
  return told;
}

}  // namespace ROCKSDB_NAMESPACE::engine
