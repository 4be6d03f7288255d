#include "db/db_impl/stall_watchdog.h"

#include <algorithm>
#include <cassert>

#include "db/column_family/stall_monitor.h"
#include "db/events/db_events.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::string Named(const char* name, uint64_t value) {
  return std::string(", ") + name + " " + std::to_string(value);
}

std::string ClassNames(const char* name, JobClassSet classes) {
  std::string text;
  for (const JobClass c : kJobClasses) {
    if (classes.Has(c)) text += std::string(" ") + JobClassName(c);
  }
  return std::string(", ") + name + (text.empty() ? " none" : text);
}

}  // namespace

void StallWatchdog::Check() {
  DbState& db = *deps_.db;
  if (!db.controller.IsStopped()) {
    progress_.Reset();
    return;
  }
  deps_.buffer->EndIfOver();
  std::vector<std::string> state;
  uint64_t stuck_micros = 0;
  {
    MutexLock lock(&db.mu);
    const NoProgress::Look look = Look();
    if (!progress_.Observe(look)) return;
    assert(look.stopped && progress_.since_micros() <= look.now_micros);
    stuck_micros = look.now_micros - progress_.since_micros();
    state = State();
    ++db.stops_without_job;
  }
  Warn(db.store.info_log,
       "Writes have been stopped for %.1f s and no job runs that could let "
       "them go on. State:",
       static_cast<double>(stuck_micros) / 1e6);
  // Line by line: a logger cuts long messages.
  for (const std::string& line : state) {
    Warn(db.store.info_log, "  %s", line.c_str());
  }
  db.events->log().LogStopWithoutJob(stuck_micros, state);
}

NoProgress::Look StallWatchdog::Look() const {
  const DbState& db = *deps_.db;
  NoProgress::Look look;
  look.now_micros = db.store.clock->NowMicros();
  look.jobs_started = static_cast<uint64_t>(db.next_job_id.load());
  // After an error writes fail; they do not wait.
  if (db.closing || db.errors.stopped()) return look;
  const std::vector<FamilyPtr> families = db.families->all();
  look.stopped =
      std::any_of(families.begin(), families.end(), [](const auto& family) {
        kStateLock.AssertHeld();
        // A full write buffer manager waits for jobs of other databases, too,
        // and lets writers go when none of them is due.
        const StallVerdict& verdict = family->stall().verdict;
        return verdict.condition == WriteStallCondition::kStopped &&
               verdict.cause != WriteStallCause::kWriteBufferManagerLimit;
      });
  // A task that waits for a thread of the pool counts as running: the pool's
  // other tasks end.
  look.job_runs =
      !deps_.scheduler->idle() || deps_.compactor->active_jobs() > 0;
  return look;
}

std::vector<std::string> StallWatchdog::State() const {
  std::vector<std::string> lines = {JobState()};
  for (const FamilyPtr& family : deps_.db->families->all()) {
    lines.push_back(FamilyState(*family));
  }
  return lines;
}

std::string StallWatchdog::JobState() const {
  const DbState& db = *deps_.db;
  const JobScheduler& scheduler = *deps_.scheduler;
  const JobAllowance& allowed = scheduler.allowance();
  std::string text = "Jobs: background work is ";
  text += scheduler.paused() ? "paused (PauseBackgroundWork)" : "not paused";
  if (scheduler.compactions_paused()) {
    text += ", automatic compactions wait for an exclusive CompactRange";
  }
  if (db.compaction_aborts > 0) {
    text += ", compactions wait for ResumeAllCompactions";
  }
  text += Named("paused compactions",
                static_cast<uint64_t>(deps_.compactor->running()));
  text += ", background error " + db.errors.error().ToString();
  if (deps_.errors->flushes_held())
    text += ", flushes are held after a failure";
  if (deps_.errors->compactions_held()) {
    text += ", compactions are held after a failure";
  }
  for (const JobClass c : kJobClasses) {
    if (allowed.Of(c) == INT_MAX) continue;
    text += std::string(", the tuner allows ") + std::to_string(allowed.Of(c)) +
            " of " + JobClassName(c);
  }
  if (!db.wal_locks.empty()) text += ", LockWAL() is in force";
  return text;
}

std::string StallWatchdog::FamilyState(const ColumnFamily& family) {
  const StallLevels levels = StallMonitor::LevelsOf(family);
  const StallLimits limits = StallMonitor::LimitsOf(family);
  const StallVerdict verdict = family.stall().verdict;
  std::string text = "[" + family.name() + "] writes " +
                     StallConditionName(verdict.condition) + " by " +
                     StallCauseName(verdict.cause);
  text += ": unflushed memtables " +
          std::to_string(levels.unflushed_memtables) + " of " +
          std::to_string(limits.max_write_buffer_number);
  text += Named("not started", family.imm().num_not_started());
  text += Named("to merge",
                static_cast<uint64_t>(limits.min_write_buffer_number_to_merge));
  text +=
      family.imm().IsFlushPending() ? ", flush pending" : ", no flush pending";
  text +=
      Named("running flushes", static_cast<uint64_t>(family.running_flushes));
  text += Named("L0 files", static_cast<uint64_t>(levels.level0_files));
  text += " (trigger " + std::to_string(limits.level0_compaction_trigger) +
          ", slowdown " + std::to_string(limits.level0_slowdown_trigger) +
          ", stop " + std::to_string(limits.level0_stop_trigger) + ")";
  text += Named("pending compaction bytes", levels.pending_compaction_bytes);
  text += " (soft " + std::to_string(limits.soft_pending_bytes) + ", hard " +
          std::to_string(limits.hard_pending_bytes) + ")";
  text += limits.disable_auto_compactions ? ", automatic compaction off"
                                          : ", automatic compaction on";
  text += ClassNames("compactions due", family.CompactionsDue());
  text += ClassNames("blocked", family.compaction_blocked);
  text += Named("registered plans", family.running().size());
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::engine
