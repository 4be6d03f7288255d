// What limits writes and what tunes a family, in words and as a map: for
// properties.
//
// Threads. Under the DB mutex; the snapshot is taken before.

#pragma once

#include <string>

#include "db/column_family/db_state.h"
#include "db/tuning_driver/tuning_report.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// What a process answers that reads a database which another one may write.
inline constexpr char kNotTheWriter[] =
    "Unknown: this process has the database open for reading only. Ask the "
    "process that writes it, or see its LOG.";

// One sentence about the whole database: "Writes are refused ...", "stopped by
// ...", "delayed to ...", "paced at ...", or "not limited ...".
std::string WriteLimitText(const DbState& db, const TuningSnapshot& tuning)
    REQUIRES_LOCK(kStateLock);

// Makes "limit" and "pressure_pct" say that writers are stopped or delayed, if
// they are.
void ShowStall(const StallVerdict& verdict, TuningStateMap* state);

// Of one family, in every mode. Keys: docs/tuning.md.
TuningStateMap TuningStateOf(const DbState& db, const ColumnFamily& family,
                             const TuningSnapshot& tuning)
    REQUIRES_LOCK(kStateLock);

}  // namespace ROCKSDB_NAMESPACE::engine
