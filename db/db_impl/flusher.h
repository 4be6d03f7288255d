// Flusher: finds memtables to flush, runs the job, installs the result.
//
// Place. Called by the scheduler's tasks; every flush goes through the
// scheduler. The job itself is db/flush/flush_job.
//
// Model. pick (mutex) -> FlushJob::Build (no mutex) -> one MANIFEST edit for
// all finished flushes at the old end -> publish -> release logs.
//
// With experimental_mempurge_threshold a flush that was due because a memtable
// is full is tried in memory first (FlushJob::Purge), as long as the logs,
// which then stay, are below max_total_wal_size.
//
// Invariant: flushes of one family are installed in the order of their
// memtables, whichever job finishes first.
//
// Threads. Functions under the DB mutex, which is released while a job works.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/flush/flush_job.h"
#include "rocksdb/listener.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// The family's memtables up to this id must become tables.
struct FlushGoal {
  FamilyPtr family;
  uint64_t memtable_id = 0;
};

class Flusher {
 public:
  struct Deps {
    DbState* db = nullptr;
    StallMonitor* stalls = nullptr;
    // Under the mutex: a flush has failed that began when
    // ErrorState::clear_count() was this.
    std::function<void(const Status&, uint64_t clear_count)> on_error;
    // Under the mutex; releases it: deletes what became obsolete.
    std::function<void()> delete_obsolete;
    // Under the mutex; releases it: tells listeners of stall changes.
    std::function<void()> notify_stall_listeners;
  };

  explicit Flusher(Deps deps) : deps_(std::move(deps)) {}

  // Families with something to flush.
  int waiting() const REQUIRES_LOCK(kStateLock);
  // One job; false: nothing waited.
  bool RunOne() REQUIRES_LOCK(kStateLock);
  // The memtables of `family` up to `id_max` are in tables, or an error.
  bool Done(const ColumnFamily& family, uint64_t id_max) const
      REQUIRES_LOCK(kStateLock);
  // `family` was dropped: discards the tables that waited to be installed in
  // it, and installs those of other families that waited for its memtables.
  // Releases the mutex meanwhile.
  void FamilyDropped(ColumnFamily* family) REQUIRES_LOCK(kStateLock);
  // A flush of all families together is over: see DbState::atomic_flushes.
  // Releases the mutex meanwhile.
  void EndAtomicFlush() REQUIRES_LOCK(kStateLock);
  // Releases the logs that no family needs any more.
  void ReleaseLogs() REQUIRES_LOCK(kStateLock);

 private:
  struct Job;
  // The last references to memtables, to be released without the mutex.
  struct Dropped {
    std::vector<ViewRef> views;
    std::vector<MemTablePtr> memtables;
  };

  FamilyPtr NextFamily() REQUIRES_LOCK(kStateLock);
  Status Run(Job* job) REQUIRES_LOCK(kStateLock);
  // What may survive at most, in bytes; 0: the flush is not tried in memory.
  uint64_t PurgeLimit(const Job& job) const REQUIRES_LOCK(kStateLock);
  // True: the survivors are in the place of the memtables. Releases the mutex
  // meanwhile.
  bool Purge(Job* job) REQUIRES_LOCK(kStateLock);
  // `family`: of a job that is built; what is built of others may be installed
  // in its place. Null: what is built of every family. Releases the mutex
  // meanwhile.
  Status Install(ColumnFamily* family) REQUIRES_LOCK(kStateLock);
  // The same, for callers without a job.
  void InstallWaiting(ColumnFamily* family) REQUIRES_LOCK(kStateLock);
  // Parts of Install(). `together` becomes true if tables of all families were
  // installed.
  Status InstallBuilt(ColumnFamily* family, Dropped* dropped, bool* together)
      REQUIRES_LOCK(kStateLock);
  Status InstallEvery(Dropped* dropped, bool* together)
      REQUIRES_LOCK(kStateLock);
  Result<bool> InstallNext(ColumnFamily* family, Dropped* dropped,
                           bool* together) REQUIRES_LOCK(kStateLock);
  bool EverythingBuilt() const REQUIRES_LOCK(kStateLock);
  FlushInstall InstallOf(ColumnFamily* family, Dropped* dropped)
      REQUIRES_LOCK(kStateLock);
  // Deletes what is built of a dropped family: nothing installs it any more.
  void DiscardBuilt(ColumnFamily* family) REQUIRES_LOCK(kStateLock);
  void Discard(const ColumnFamily& family, const VersionEdit& edit)
      REQUIRES_LOCK(kStateLock);
  // Files that are in a Version now, or gone, need no protection.
  static void ReleaseOutputs(DbState* db, ColumnFamily* family)
      REQUIRES_LOCK(kStateLock);
  void OnInstalled(ColumnFamily* family, Dropped* dropped)
      REQUIRES_LOCK(kStateLock);
  void Count(const Job& job) REQUIRES_LOCK(kStateLock);
  void Succeeded(Job* job) REQUIRES_LOCK(kStateLock);
  void CheckSpace(const Job& job) REQUIRES_LOCK(kStateLock);
  void Failed(const Status& status, uint64_t clear_count)
      REQUIRES_LOCK(kStateLock);

  const Deps deps_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
