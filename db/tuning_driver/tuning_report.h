// How a tuning decision is told: one LOG line and one EVENT_LOG record per
// change, with what changed, why, and the numbers behind it.
//
// Threads. Any, without the DB mutex.

#pragma once

#include <cstdint>

#include "db/column_family/db_state.h"
#include "db/tune/decision.h"

namespace ROCKSDB_NAMESPACE::engine {

struct TuningChange {
  bool only_advice = false;
  TuningDecision before;
  TuningDecision now;
  FamilyDecision shape_before;
  FamilyDecision shape_now;
  TuningView view;
};

void ReportTuning(DbState* db, const TuningChange& change);

// Do both let the same work run, in the same order? Rates aside.
bool SameWork(const TuningDecision& a, const TuningDecision& b);

}  // namespace ROCKSDB_NAMESPACE::engine
