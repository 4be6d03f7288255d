// ChangeCheck: was a key of a family written after a sequence? Transactions ask
// before they commit.
//
// Place. Above the memtables of a ColumnFamily. A commit's CommitHooks make one
// for each family whose keys they check.
//
// Model. Asks memtables, newest first, until one has a change of the key after
// the sequence (Busy) or holds everything since the sequence (OK):
//
//   mutable -> immutable -> flushed and kept
//   (max_write_buffer_size_to_maintain)
//
// If that history ends before the sequence, tables are asked, where a snapshot
// of the sequence is held. Without one the answer is TryAgain: a compaction may
// have dropped the very deletion that matters.
//
// Invariant: OK means that no entry of the key and no range deletion over it
// has a sequence above the one given, among all that was published when the
// object was made. Two cases go unnoticed: a table that was ingested at exactly
// this sequence, without one of its own; and, where tables are asked, a put
// that a SingleDelete has removed again, which changed nothing. Of tables that
// were ingested no memtable knows: before the last ingestion tables have to be
// asked.
//
// Threads. One. Not under the DB mutex. Ends in the thread that made it, before
// the family and the database go.

#pragma once

#include <string>
#include <vector>

#include "db/column_family/column_family.h"
#include "db/column_family/db_state.h"
#include "db/read/point_lookup.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

class ChangeCheck {
 public:
  enum class Asks : uint8_t {
    kMemTables,
    kTablesToo,  // REQUIRES: a snapshot of each `since` is held.
  };

  // Sees what is published now.
  ChangeCheck(DbState* db, const ColumnFamily* family, Asks asks)
      : db_(db), family_(family), asks_(asks), view_(family->views()) {}
  ChangeCheck(const ChangeCheck&) = delete;
  ChangeCheck& operator=(const ChangeCheck&) = delete;

  // `key` has no timestamp. Errors: Busy: it was written after `since`;
  // TryAgain: the memtables do not reach back so far; NotSupported: the family
  // changes values in place; what reading tables returns.
  Status Unchanged(const Slice& key, SequenceNumber since);

  // Of a family with timestamps: no version of `key` and no range deletion over
  // it has one above `timestamp`, if timestamps ascend with the sequences. Asks
  // tables, too; in those without timestamps (persist_user_defined_timestamps)
  // all are the oldest one. Errors: Busy: one has; TryAgain: history is
  // forgotten up to a later one; what reading tables returns.
  Status NoneNewerThan(const Slice& key, const Slice& timestamp);

 private:
  Status CheckHistory(const Slice& timestamp) const EXCLUDES_LOCK(kStateLock);
  // The newest change that a read at `version`, a key with its timestamp, sees.
  // `found`: the timestamp of the version; empty: the read sees none. Of a
  // range deletion only the sequence is known, in `change`.
  Status NewestAt(const LookupKey& version, std::string* found,
                  NewestChange* change) const;
  Status BeforeHistory(const LookupKey& newest, SequenceNumber since) const;
  // The sealed memtable with this id as it was written; null: it is gone.
  const MemTable* Sealed(uint64_t id);
  // Of the sealed memtables that are known; 0: none.
  uint64_t NewestSealed();
  void TakeHistory() EXCLUDES_LOCK(kStateLock);

  DbState* const db_;
  const ColumnFamily* const family_;
  const Asks asks_;
  const ScopedView view_;
  bool history_taken_ = false;
  std::vector<MemTablePtr> history_;  // Oldest first.
};

}  // namespace ROCKSDB_NAMESPACE::engine
