// The link between a database, its rate limiter and its Env's compaction
// switch.
//
// Model. limiter --(drain decisions)--> CompactionSwitch of the Env
//            '--(each decision)--> LOG, EVENT_LOG

#pragma once

#include "db/column_family/db_state.h"

namespace ROCKSDB_NAMESPACE::engine {

// Warns when there is no auto-tuned limiter that could ever decide. Returns
// whether a DetachTuning() is owed.
bool AttachTuning(DbState* db);
void DetachTuning(DbState* db);

}  // namespace ROCKSDB_NAMESPACE::engine
