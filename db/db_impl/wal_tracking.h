// Records in the MANIFEST which logs must exist, once a log is closed and
// durable (track_and_verify_wals_in_manifest). The next open then detects logs
// that are missing or too short.
//
// Place. Called by everything that syncs logs: sync writes, SyncWAL, flushes,
// ingestion and import.
//
// Threads. Any.
#pragma once

#include "db/column_family/db_state.h"

namespace ROCKSDB_NAMESPACE::engine {

// Costs one load when there is nothing to tell. A MANIFEST that cannot be
// written does not fail what was synced: such a log is not verified, and the
// next change of the MANIFEST finds out what is wrong.
// REQUIRES: not the DB mutex.
void TrackSyncedLogs(DbState* db);

// Before new tables are installed. With several families they may hold what is
// newer than data that, in another family, is only in older logs; those must
// not be lost when the tables survive. Where logs are held for prepared
// transactions, neither may the mark of a commit whose data is in the tables.
// REQUIRES: not the DB mutex.
Status SyncClosedLogs(DbState* db);

// max_total_wal_size, or its default: four times what all memtables may take.
// REQUIRES: the DB mutex.
uint64_t WalBytesMax(const DbState& db) REQUIRES_LOCK(kStateLock);

}  // namespace ROCKSDB_NAMESPACE::engine
