#include "db/db_impl/wal_tracking.h"

#include <cassert>
#include <vector>

#include "db/column_family/check_state.h"
#include "util/held_locks.h"

namespace ROCKSDB_NAMESPACE::engine {

void TrackSyncedLogs(DbState* db) {
  assert(!HoldsLock(LockRank::kState));
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
  CheckState(*db);
  if (!status.ok()) {
    Warn(db->store.info_log, "A synced log could not be tracked: %s",
         status.ToString().c_str());
  }
}

Status SyncClosedLogs(DbState* db) {
  size_t families = 0;
  uint64_t closed_below = 0;
  {
    MutexLock lock(&db->mu);
    families = db->families->all().size();
    assert(families > 0);
    closed_below = db->wals->current_number();
  }
  const bool has_prepared = db->versions->log_holds()->oldest() != 0;
  if (families == 1 && !has_prepared) return Status::OK();
  RETURN_IF_ERROR(db->wals->SyncClosed());
  db->versions->log_holds()->NoteDurable(closed_below);
  TrackSyncedLogs(db);
  MutexLock lock(&db->mu);
  for (const FamilyPtr& family : db->families->all()) {
    family->versions()->AdvanceLogNumber(closed_below);
  }
  return Status::OK();
}

uint64_t WalBytesMax(const DbState& db) {
  db.mu.AssertHeld();
  if (db.options->max_total_wal_size > 0) {
    return db.options->max_total_wal_size;
  }
  uint64_t memtables = 0;
  for (const FamilyPtr& family : db.families->all()) {
    memtables +=
        family->options()->write_buffer_size *
        static_cast<uint64_t>(family->options()->max_write_buffer_number);
  }
  return 4 * memtables;
}

}  // namespace ROCKSDB_NAMESPACE::engine
