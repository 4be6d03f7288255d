#include "db/db_impl/wal_tracking.h"

#include <vector>

namespace ROCKSDB_NAMESPACE::engine {

void TrackSyncedLogs(DbState* db) {
  if (!db->wals->has_untracked()) return;
  VersionEdit edit;
  for (const WalSet::Live& log : db->wals->TakeUntracked()) {
    edit.wal_additions.push_back({log.number, log.size_bytes});
  }
  if (edit.wal_additions.empty()) return;
  MutexLock lock(&db->mu);
  const Status status =
      db->versions->LogAndApply(db->families->default_family()->versions(),
                                &edit, &db->mu, db->directory.get());
  if (!status.ok()) {
    Warn(db->store.info_log, "A synced log could not be tracked: %s",
         status.ToString().c_str());
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
