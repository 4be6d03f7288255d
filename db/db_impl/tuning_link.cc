#include "db/db_impl/tuning_link.h"

#include "db/events/db_events.h"
#include "util/compaction_switch.h"
#include "util/rate_limiter.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

DrainSwitchLimiter* LimiterOf(const DbState& db) {
  return dynamic_cast<DrainSwitchLimiter*>(db.store.options.rate_limiter.get());
}

void Report(DbState* db, const LimiterDecision& decision) {
  // Every decision of a period is logged, also those that change nothing:
  // the sequence of D and H is what explains a run.
  Info(db->store.info_log, "%s", DescribeDecision(decision).c_str());
  if (decision.verdict.decision == DrainDecision::kHold) return;
  TunerEvent event;
  event.tuner = "drain_switch";
  event.decision = DrainDecisionName(decision.verdict.decision);
  event.reason = decision.changed ? "changed" : "repeated";
  event.numbers = {{"drained_pct", decision.verdict.drained_pct},
                   {"drained_high_pct", decision.verdict.drained_high_pct},
                   {"intervals", decision.verdict.elapsed_intervals},
                   {"bytes_per_second", decision.bytes_per_second}};
  db->events->TunerDecided(event);
}

}  // namespace

bool AttachTuning(DbState* db) {
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
      [db](const LimiterDecision& decision) { Report(db, decision); });
  return true;
}

void DetachTuning(DbState* db) {
  LimiterOf(*db)->Detach(db);
  db->env->compaction_switch()->RemoveUser();
}

}  // namespace ROCKSDB_NAMESPACE::engine
