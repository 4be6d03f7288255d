// StallMonitor: recalculates whether a column family slows writers down.
//
// Place. Called where a memtable was switched or a version installed, and
// nowhere else: between such events nothing changes (RocksDB's rule). It also
// is the place where the Env's compaction switch takes effect on a family.
//
// Model. levels and limits -> JudgeWriteStall -> a token of the controller;
// changes are logged, counted per cause and told to listeners.
//
// Threads. Under the DB mutex.

#pragma once

#include <string>
#include <vector>

#include "db/column_family/db_state.h"
#include "rocksdb/listener.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class StallMonitor {
 public:
  explicit StallMonitor(DbState* db) : db_(db) {}

  void Recalculate(ColumnFamily* family) REQUIRES_LOCK(kStateLock);
  void RecalculateAll() REQUIRES_LOCK(kStateLock);

  // Condition changes since the last call: the caller tells the listeners
  // once it has released the mutex. EVENT_LOG already has them.
  std::vector<WriteStallInfo> TakeChanges() REQUIRES_LOCK(kStateLock) {
    return std::exchange(changes_, {});
  }
  bool has_changes() const REQUIRES_LOCK(kStateLock) {
    return !changes_.empty();
  }

  static StallLevels LevelsOf(const ColumnFamily& family)
      REQUIRES_LOCK(kStateLock);
  // With what the database as a whole waits for.
  static StallLevels AllLevelsOf(const DbState& db, const ColumnFamily& family)
      REQUIRES_LOCK(kStateLock);
  // Would writers of this family be held up at these levels? How much they are
  // paced does not depend on the levels of one moment.
  bool WouldStall(const ColumnFamily& family, const StallLevels& levels,
                  WriteStallCause* cause) const REQUIRES_LOCK(kStateLock);
  // Is a job that lowers what `cause` measures running or due? If not, no call
  // may wait for that.
  bool RoomMayCome(const ColumnFamily& family, WriteStallCause cause) const
      REQUIRES_LOCK(kStateLock);
  static StallLimits LimitsOf(const ColumnFamily& family);

 private:
  bool IsPaced(const ColumnFamily& family) const REQUIRES_LOCK(kStateLock);
  StallVerdict Judge(const ColumnFamily& family, const StallLevels& levels,
                     const StallLimits& limits) const REQUIRES_LOCK(kStateLock);
  void ApplySwitch(ColumnFamily* family) REQUIRES_LOCK(kStateLock);
  void Vote(ColumnFamily* family, const StallVerdict& verdict,
            const StallLevels& levels, const StallLimits& limits)
      REQUIRES_LOCK(kStateLock);
  void Announce(ColumnFamily* family, const StallVerdict& before,
                const StallVerdict& now, const StallLevels& levels)
      REQUIRES_LOCK(kStateLock);

  DbState* const db_;
  std::vector<WriteStallInfo> changes_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
