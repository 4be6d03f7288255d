// The link between a database, its rate limiter and its Env's compaction
// switch.
//
// Model. limiter --(drain decisions)--> CompactionSwitch of the Env
//            '--(each decision)--> LOG, EVENT_LOG

#pragma once

#include "db/column_family/db_state.h"

namespace ROCKSDB_NAMESPACE::engine {

// `obeys`: some column family has auto_tuned_compaction. Warns once when it
// has, but no auto-tuned limiter could ever decide. Returns whether a
// DetachTuning() is owed.
bool AttachTuning(DbState* db, bool obeys);
void DetachTuning(DbState* db);

}  // namespace ROCKSDB_NAMESPACE::engine
