#include "db/column_family/stall_monitor.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/options/tuning_mode.h"
#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE::engine {

StallLevels StallMonitor::LevelsOf(const ColumnFamily& family) {
  const LevelState& state = family.versions()->level_state();
  StallLevels levels;
  levels.unflushed_memtables = static_cast<int>(family.imm().num_sealed());
  levels.level0_files = state.l0_stall_count;
  levels.pending_compaction_bytes = state.pending_compaction_bytes;
  levels.bottommost_bytes =
      state.level_bytes.empty() ? 0 : state.level_bytes.back();
  levels.files_marked_for_compaction = static_cast<int>(state.marked.size());
  return levels;
}

StallLevels StallMonitor::AllLevelsOf(const DbState& db,
                                      const ColumnFamily& family) {
  db.mu.AssertHeld();
  StallLevels levels = LevelsOf(family);
  const WriteBufferManager* manager =
      db.store.options.write_buffer_manager.get();
  if (manager == nullptr || family.id() != 0) return levels;
  levels.buffer_manager_full = db.buffer_stalled;
  levels.buffer_manager_bytes = manager->memory_usage();
  levels.buffer_manager_limit = manager->buffer_size();
  return levels;
}

StallLimits StallMonitor::LimitsOf(const ColumnFamily& family) {
  const ColumnFamilyOptions& options = *family.options();
  StallLimits limits;
  limits.max_write_buffer_number = options.max_write_buffer_number;
  limits.min_write_buffer_number_to_merge =
      options.min_write_buffer_number_to_merge;
  limits.disable_auto_compactions = family.limits().disable_auto_compactions;
  limits.level0_compaction_trigger =
      family.limits().level0_file_num_compaction_trigger;
  limits.level0_slowdown_trigger = options.level0_slowdown_writes_trigger;
  limits.level0_stop_trigger = options.level0_stop_writes_trigger;
  limits.soft_pending_bytes = options.soft_pending_compaction_bytes_limit;
  limits.hard_pending_bytes = options.hard_pending_compaction_bytes_limit;
  limits.max_bytes_for_level_base = options.max_bytes_for_level_base;
  return limits;
}

// With the adaptive tuner only a limit stops writers; short of it they are
// paced, which is a delay with the cause the tuner names.
bool StallMonitor::IsPaced(const ColumnFamily& family) const {
  db_->mu.AssertHeld();
  return db_->tuning.adaptive &&
         TuningModeOf(*family.options()) == TuningMode::kAdaptive;
}

bool StallMonitor::WouldStall(const ColumnFamily& family,
                              const StallLevels& levels,
                              WriteStallCause* cause) const {
  db_->mu.AssertHeld();
  const StallVerdict verdict = JudgeWriteStall(levels, LimitsOf(family));
  *cause = verdict.cause;
  return verdict.condition == WriteStallCondition::kStopped ||
         (verdict.condition == WriteStallCondition::kDelayed &&
          !IsPaced(family));
}

bool StallMonitor::RoomMayCome(const ColumnFamily& family,
                               WriteStallCause cause) const {
  db_->mu.AssertHeld();
  const MemTableList& imm = family.imm();
  if (cause == WriteStallCause::kMemtableLimit) {
    const bool in_flush = imm.num_unflushed() > imm.num_not_started();
    return in_flush || imm.IsFlushPending();
  }
  if (!db_->errors.CompactionsAllowed() || db_->compaction_aborts > 0) {
    return false;
  }
  const JobClassSet due = family.CompactionsDue();
  const auto& running = family.running();
  if (cause != WriteStallCause::kL0FileCountLimit) {
    return !due.empty() || !running.empty();
  }
  // A merge of level 0 whose files are all busy becomes due when the job that
  // has them ends.
  const bool blocked = family.compaction_blocked.Has(JobClass::kRuns);
  return due.Has(JobClass::kRuns) || (blocked && !running.empty()) ||
         std::any_of(running.begin(), running.end(),
                     [](const CompactionPlan* plan) {
                       return plan->start_level() == 0;
                     });
}

StallVerdict StallMonitor::Judge(const ColumnFamily& family,
                                 const StallLevels& levels,
                                 const StallLimits& limits) const {
  db_->mu.AssertHeld();
  if (!IsPaced(family)) return JudgeWriteStall(levels, limits);
  // What is sealed becomes a file whether writers stop or not: the limit
  // holds for that file as well.
  StallLevels coming = levels;
  coming.level0_files += family.imm().files_to_come();
  StallVerdict verdict = JudgeWriteStall(coming, limits);
  if (verdict.condition == WriteStallCondition::kStopped) return verdict;
  assert(db_->tuning.adaptive);
  if (db_->tuning.pacing_bytes_per_second == 0) return {};
  verdict.condition = WriteStallCondition::kDelayed;
  switch (db_->tuning.limit) {
    case WriteLimit::kMemtables:
      verdict.cause = WriteStallCause::kMemtableLimit;
      break;
    case WriteLimit::kDebt:
      verdict.cause = WriteStallCause::kPendingCompactionBytes;
      break;
    default:
      verdict.cause = WriteStallCause::kL0FileCountLimit;
  }
  return verdict;
}

void StallMonitor::RecalculateAll() {
  db_->mu.AssertHeld();
  for (const FamilyPtr& family : db_->families->all()) {
    Recalculate(family.get());
  }
}

// The switch replaces a family's own trigger only for as long as it is off,
// and only here: a flip of the switch waits for the next event.
void StallMonitor::ApplySwitch(ColumnFamily* family) {
  db_->mu.AssertHeld();
  if (TuningModeOf(*family->options()) != TuningMode::kDrainSwitch) return;
  const CompactionSwitch* compaction_switch = db_->env->compaction_switch();
  const CompactionSwitch::Limits now =
      compaction_switch->Effective(family->OwnLimits());
  if (now.disable_auto_compactions ==
      family->limits().disable_auto_compactions) {
    return;
  }
  family->ApplyLimits(now);
  Info(db_->store.info_log,
       "[%s] auto-tuned compaction: automatic compaction is %s, "
       "level0_file_num_compaction_trigger=%d",
       family->name().c_str(), now.disable_auto_compactions ? "off" : "on",
       now.level0_file_num_compaction_trigger);
}

void StallMonitor::Recalculate(ColumnFamily* family) {
  db_->mu.AssertHeld();
  if (family->dropped()) return;
  ApplySwitch(family);
  const StallLevels levels = AllLevelsOf(*db_, *family);
  const StallLimits limits = LimitsOf(*family);
  const StallVerdict verdict = Judge(*family, levels, limits);
  const StallVerdict before = family->stall().verdict;
  Vote(family, verdict, levels, limits);
  family->stall().verdict = verdict;
  family->stall().pending_bytes_before = levels.pending_compaction_bytes;
  Announce(family, before, verdict, levels);
}

void StallMonitor::Vote(ColumnFamily* family, const StallVerdict& verdict,
                        const StallLevels& levels, const StallLimits& limits) {
  db_->mu.AssertHeld();
  WriteController& controller = db_->controller;
  FamilyStall& stall = family->stall();
  const DelayHistory history{controller.NeedsDelay(), controller.IsStopped(),
                             stall.pending_bytes_before,
                             controller.delayed_write_rate(),
                             controller.max_delayed_write_rate()};
  bool level0_running = false;
  for (const CompactionPlan* plan : family->running()) {
    level0_running |= plan->start_level() == 0;
  }
  if (verdict.condition != WriteStallCondition::kNormal) {
    stall.counters.Count(verdict, level0_running);
  }
  std::string sentence;
  switch (verdict.condition) {
    case WriteStallCondition::kStopped:
      stall.token = controller.Stop();
      assert(controller.IsStopped());
      // No further memtable will come to be flushed with.
      if (family->imm().num_not_started() > 0) family->imm().RequestFlush();
      // Once for each stop of the manager: what other databases do changes
      // nothing of it.
      if (verdict.cause != WriteStallCause::kWriteBufferManagerLimit ||
          stall.verdict != verdict) {
        sentence = StallSentence(family->name(), verdict, levels, limits, 0);
      }
      break;
    case WriteStallCondition::kDelayed: {
      if (IsPaced(*family)) {
        // The pacer holds writers back, not the controller.
        stall.token = controller.Pressure();
        break;
      }
      const uint64_t rate = DelayedWriteRate(
          history, NearStop(verdict.cause, levels, limits), levels, limits);
      assert(0 < rate && rate <= history.rate_max);
      stall.token = controller.Delay(rate);
      sentence = StallSentence(family->name(), verdict, levels, limits, rate);
      break;
    }
    default: {
      const CompactionPressure pressure = JudgePressure(levels, limits);
      const bool had_none = stall.token.vote() == WriteController::Vote::kNone;
      if (pressure == CompactionPressure::kNone) {
        stall.token = {};
      } else {
        stall.token = controller.Pressure();
      }
      if (had_none && pressure != CompactionPressure::kNone) {
        sentence = PressureSentence(family->name(), pressure, levels);
      }
      if (history.was_delayed && !controller.NeedsDelay() &&
          !controller.IsStopped()) {
        controller.set_delayed_write_rate(
            RateAfterDelay(history.rate_before, history.rate_max));
      }
    }
  }
  if (sentence.empty()) return;
  if (verdict.condition == WriteStallCondition::kNormal) {
    Info(db_->store.info_log, "%s", sentence.c_str());
  } else {
    Warn(db_->store.info_log, "%s", sentence.c_str());
  }
}

void StallMonitor::Announce(ColumnFamily* family, const StallVerdict& before,
                            const StallVerdict& now,
                            const StallLevels& levels) {
  db_->mu.AssertHeld();
  using Cause = WriteStallCause;
  const bool buffer_freed = before.cause == Cause::kWriteBufferManagerLimit &&
                            now.cause != Cause::kWriteBufferManagerLimit;
  if (buffer_freed) {
    Info(db_->store.info_log,
         "[%s] Writes no longer wait for the write buffer manager: memtables "
         "of all databases take %llu bytes, its limit is %llu",
         family->name().c_str(),
         static_cast<unsigned long long>(levels.buffer_manager_bytes),
         static_cast<unsigned long long>(levels.buffer_manager_limit));
  }
  if (before.condition == now.condition) return;
  WriteStallInfo info;
  info.cf_name = family->name();
  info.condition.prev = before.condition;
  info.condition.cur = now.condition;
  // What ends a stall has no cause of its own: name the one that ended.
  const bool ended = now.condition == WriteStallCondition::kNormal;
  StallNumbers numbers;
  numbers.cause = StallCauseName(ended ? before.cause : now.cause);
  numbers.unflushed_memtables = levels.unflushed_memtables;
  numbers.level0_files = levels.level0_files;
  numbers.pending_compaction_bytes = levels.pending_compaction_bytes;
  numbers.delayed_write_rate =
      IsPaced(*family) && now.condition == WriteStallCondition::kDelayed
          ? db_->tuning.pacing_bytes_per_second
          : db_->controller.delayed_write_rate();
  // At once, for the sake of its time.
  db_->events->log().LogStallChange(info, numbers);
  changes_.push_back(std::move(info));
  const bool was_stopped = before.condition == WriteStallCondition::kStopped;
  // The tuner tells itself of the end of pacing.
  if (ended && !buffer_freed && (was_stopped || !IsPaced(*family))) {
    Info(db_->store.info_log,
         "[%s] Writes are no longer %s: %d memtables wait for their flush, %d "
         "files in L0, %llu bytes wait for compaction",
         family->name().c_str(), StallConditionName(before.condition),
         levels.unflushed_memtables, levels.level0_files,
         static_cast<unsigned long long>(levels.pending_compaction_bytes));
  }
  db_->changed.SignalAll();
}

}  // namespace ROCKSDB_NAMESPACE::engine
