// Follower: makes an open database show what another process writes.
//
// Place. Held by the façade of a secondary instance; everything else
// works as in a read-only database. Takes no lock and writes no file.
//
// Model. One CatchUp:
//
//   MANIFEST, on from where we were  ->  Versions, not shown yet
//   new tables are opened            (max_open_files = -1)
//   logs, on from where we were      ->  memtables, one per log and family
//   MANIFEST once more               ->  has a family stopped needing a log?
//         yes, or a file was gone: again          no: all views are published
//
// The primary deletes a file only after the MANIFEST says that its family does
// not need it, so whatever was missing shows up there. Memtables are per log
// because a family's log number then says which of them are in tables by now.
//
// Invariants:
//   (1) What readers see is the state after some write of the primary: tables,
//       memtables and sequence are published together, for all families in one
//       hold of the mutex, and a view never shows more than its sequence.
//   (2) An incomplete record at the end of a log or MANIFEST is no error: it
//       is read when it is whole.
//   (3) A failed CatchUp leaves readers what they had.
//
// Threads. CatchUp: any, one after the other. Reads go on meanwhile.

#pragma once

#include <map>
#include <memory>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/manifest/manifest_state.h"
#include "db/recovery/batch_replay.h"
#include "db/recovery/wal_replay.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// Where batches of the primary's logs go.
class FollowedMemTables final : public ReplaySink, public ReplayTarget {
 public:
  explicit FollowedMemTables(DbState* db)
      : db_(db), batches_(this, db->versions->log_holds()) {}

  // ReplaySink.
  Status OnBatch(const ReplayedBatch& batch,
                 SequenceNumber* next_sequence) override;
  bool NextIsExact() const override { return batches_.next_is_exact(); }
  Status OnLogEnd(uint64_t /*log_number*/) override { return Status::OK(); }

  // ReplayTarget.
  void AtLog(uint64_t log_number) override { log_number_ = log_number; }
  Found Find(uint32_t family_id) override;
  void OnMemTableFull(uint32_t /*family_id*/, MemTable* /*memtable*/) override {
  }

  // Drops memtables whose contents are in the family's tables by now. REQUIRES:
  // the DB mutex.
  void DropFlushed(ColumnFamily* family) REQUIRES_LOCK(kStateLock);

  // The newest log with a commit whose prepared section was not met; 0: none.
  uint64_t last_missed_log() const { return batches_.last_missed_log(); }

 private:
  DbState* const db_;
  BatchReplay batches_;
  uint64_t log_number_ = 0;
  uint64_t read_log_ = 0;  // Of the last batch.
  bool timestamps_as_they_are_ = false;
  std::map<uint32_t, uint64_t> mem_log_;  // By family: log of its memtable.
};

class Follower {
 public:
  explicit Follower(DbState* db);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // Reads the MANIFEST and makes the families' Versions. The caller adds the
  // families to the state; then comes the first CatchUp.
  Result<VersionSet::Recovered> Start(
      const std::vector<FamilyConfig>& families);

  // Errors: TryAgain when the primary changes its files faster than they can
  // be read; Corruption, also when a log is damaged: what came before is shown
  // all the same, unless what is committed since may have been in the damaged
  // part. Afterwards it may be called again.
  Status CatchUp() EXCLUDES_LOCK(catching_up_);

 private:
  // When they change, a log that was read may have been written over.
  struct NeededLogs {
    uint64_t from = 0;  // By any family.
    std::map<uint32_t, uint64_t> by_family;
    bool operator==(const NeededLogs&) const = default;
  };

  Status ReadManifest();
  Status SwitchManifest(uint64_t number);
  // One round; `*settled`: everything was there and is published.
  Status Round(bool* settled);
  Status TakeFiles();
  Status OpenTables();
  Status Usable(const Status& opened) const;
  Status TakeLogs();
  void Publish();
  NeededLogs LogsNeeded() const;

  DbState* const db_;
  Mutex catching_up_{LockRank::kCatchUp};
  std::unique_ptr<ManifestFollower> manifest_;
  uint64_t manifest_number_ = 0;
  uint64_t switches_ = 0;  // To another MANIFEST.
  // What the Versions were made of.
  uint64_t taken_edits_ = 0;
  uint64_t taken_switches_ = 0;
  SequenceNumber taken_sequence_ = 0;
  FollowedMemTables memtables_;
  LogReplay logs_;
  Status damage_;  // Of a log that the primary has left behind.
  std::vector<FamilyPtr> dropped_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
