// How a tuning decision is told: what changed, why, and the numbers behind it,
// as one LOG line, one EVENT_LOG record, a call of every listener, and the
// property "rocksdb.auto-tune.state".
//
// Threads. Any. ReportTuning without the DB mutex.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "db/column_family/db_state.h"
#include "db/tuning_driver/tuning_snapshot.h"

namespace ROCKSDB_NAMESPACE::engine {

// A change in words.
struct TuningWords {
  std::string before;  // "pacing none, debt_jobs any"
  std::string after;   // "pacing 12.0 MB/s, debt_jobs 0"
  std::string text;    // "pacing none -> 12.0 MB/s (runs_high), ..."
  std::string reason;  // Of the first thing that changed.
};
TuningWords WordsOf(const TuningChange& change);

// What limits writes now, in one sentence.
std::string WhyText(const TuningSnapshot& snapshot);

// Is it worth a line? Rates count when they move by a quarter.
bool IsNews(const TuningChange& change);

// Tells of the last change of `snapshot`.
void ReportTuning(DbState* db, const TuningSnapshot& snapshot);

using TuningStateMap = std::map<std::string, std::string>;

// Adds what the tuner knows. In kAdvise nothing is paced: what would be is
// under "advised_..." and "advice".
void AddTuningState(const TuningSnapshot& snapshot, TuningStateMap* state);

// The map for people: lines, the sentence first.
std::string TuningStateText(const TuningStateMap& state);

}  // namespace ROCKSDB_NAMESPACE::engine
