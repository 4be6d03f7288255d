#include "db/db_impl/tuning_text.h"

#include "db/column_family/stall_monitor.h"
#include "db/options/tuning_mode.h"
#include "util/quantity_text.h"
#include "util/rate_limiter.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

int Severity(WriteStallCondition condition) {
  switch (condition) {
    case WriteStallCondition::kStopped:
      return 2;
    case WriteStallCondition::kDelayed:
      return 1;
    default:
      return 0;
  }
}

// The family that limits writes most; null: none does.
ColumnFamily* Worst(const DbState& db) REQUIRES_LOCK(kStateLock) {
  ColumnFamily* worst = nullptr;
  int severity = 0;
  for (const FamilyPtr& family : db.families->all()) {
    const int its = Severity(family->stall().verdict.condition);
    if (family->dropped() || its <= severity) continue;
    worst = family.get();
    severity = its;
  }
  return worst;
}

void AddDrainSwitch(const DbState& db, TuningStateMap* state) {
  const auto* limiter = dynamic_cast<const DrainSwitchLimiter*>(
      db.store.options.rate_limiter.get());
  LimiterDecision last;
  if (limiter == nullptr || !limiter->LastDecision(&last)) return;
  TuningStateMap& s = *state;
  s["decision"] = DrainDecisionName(last.verdict.decision);
  s["drained_pct"] = std::to_string(last.verdict.drained_pct);
  s["drained_high_pct"] = std::to_string(last.verdict.drained_high_pct);
  s["time_micros"] = std::to_string(last.time_micros);
}

std::string PinnedNames(uint32_t pinned) {
  std::string names;
  for (const char* name : {"max_bytes_for_level_base", "max_subcompactions"}) {
    if ((pinned & PinnedBy(name)) == 0) continue;
    names += (names.empty() ? "" : ",") + std::string(name);
  }
  return names;
}

const char* LimitNameOf(WriteStallCause cause) {
  switch (cause) {
    case WriteStallCause::kL0FileCountLimit:
      return WriteLimitName(WriteLimit::kRuns);
    case WriteStallCause::kPendingCompactionBytes:
      return WriteLimitName(WriteLimit::kDebt);
    default:
      return WriteLimitName(WriteLimit::kMemtables);
  }
}

}  // namespace

void ShowStall(const StallVerdict& verdict, TuningStateMap* state) {
  if (verdict.condition == WriteStallCondition::kNormal) return;
  const bool stopped = verdict.condition == WriteStallCondition::kStopped;
  std::string& limit = (*state)["limit"];
  const char* const nothing = WriteLimitName(WriteLimit::kNothing);
  if (stopped || limit == nothing) limit = LimitNameOf(verdict.cause);
  std::string& pressure = (*state)["pressure_pct"];
  const bool low = pressure.size() < 3;
  if (stopped && low) pressure = "100";
  if (!stopped && pressure == "0") pressure = "1";
}

std::string WriteLimitText(const DbState& db, const TuningSnapshot& tuning) {
  db.mu.AssertHeld();
  if (db.errors.stopped()) {
    return "Writes are refused: " + db.errors.error().ToString() + ".";
  }
  if (!db.wal_locks.empty()) {
    return "Writes are stopped by LockWAL(), until UnlockWAL() is called.";
  }
  ColumnFamily* worst = Worst(db);
  const bool paced = db.tuning.pacing_bytes_per_second > 0;
  if (worst != nullptr) {
    const StallVerdict& verdict = worst->stall().verdict;
    const bool stopped = verdict.condition == WriteStallCondition::kStopped;
    if (stopped || !paced) {
      return WriteLimitSentence(
          worst->name(), verdict, StallMonitor::AllLevelsOf(db, *worst),
          StallMonitor::LimitsOf(*worst), db.controller.delayed_write_rate());
    }
  }
  if (tuning.mode == TuningMode::kAdaptive) return WhyText(tuning);
  for (const FamilyPtr& family : db.families->all()) {
    if (!family->limits().disable_auto_compactions) continue;
    return "Writes are not limited: automatic compaction of [" +
           family->name() + "] is off, its " +
           CountText(static_cast<uint64_t>(
                         StallMonitor::LevelsOf(*family).level0_files),
                     "file") +
           " in L0 and its debt do not count.";
  }
  return "Writes are not limited.";
}

TuningStateMap TuningStateOf(const DbState& db, const ColumnFamily& family,
                             const TuningSnapshot& tuning) {
  db.mu.AssertHeld();
  TuningStateMap state;
  const TuningMode mode = TuningModeOf(*family.options());
  state["mode"] = TuningModeName(mode);
  state["enabled"] = family.options()->auto_tuned_compaction ? "1" : "0";
  state["compaction"] = family.limits().disable_auto_compactions ? "off" : "on";
  state["why"] = WriteLimitText(db, tuning);
  if (mode == TuningMode::kDrainSwitch) AddDrainSwitch(db, &state);
  if (!IsWatched(mode)) return state;
  TuningSnapshot mine = tuning;
  // What is in force for this family, after what the user pinned.
  if (mode == TuningMode::kAdaptive) mine.shape = family.shape();
  AddTuningState(mine, &state);
  // The tuner decides ten times a second and may not have seen it yet.
  if (ColumnFamily* worst = Worst(db)) {
    ShowStall(worst->stall().verdict, &state);
  }
  if (!db.wal_locks.empty()) {
    state["limit"] = "lock_wal";
    state["pressure_pct"] = "100";
  }
  if (db.errors.stopped()) state["limit"] = "error";
  const std::string pinned = PinnedNames(family.pinned);
  if (!pinned.empty()) state["pinned"] = pinned;
  return state;
}

}  // namespace ROCKSDB_NAMESPACE::engine
