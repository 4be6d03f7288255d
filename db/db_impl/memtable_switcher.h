// MemTableSwitcher: the database's side of a commit.
//
// Place. The CommitHost of the pipeline: appends to the log, makes room by
// sealing full memtables, publishes sequences. Also seals on request, for
// Flush() and Close().
//
// Model. A seal starts a new log (if the old one has anything in it), gives
// the family a fresh memtable and queues the old one for flushing:
//
//   log 7 | mem A   --seal-->   log 9 | mem B     imm: A, then log 7 can go
//
// A memtable is sealed when it is full, when all logs together exceed
// max_total_wal_size (in the families that need the oldest log), or when the
// write buffer manager reaches its limit (db/db_impl/buffer_stall.h).
//
// With atomic_flush every seal covers all families at one sequence: a cut. The
// memtables of one cut are installed together.
//
// Threads. CommitHost calls come from the leader of the log stage; Seal()
// from any thread inside an ExclusiveGuard.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/db_impl/buffer_stall.h"
#include "db/write/commit_pipeline.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class MemTableSwitcher final : public CommitHost {
 public:
  struct Deps {
    DbState* db = nullptr;
    StallMonitor* stalls = nullptr;
    BufferStall* buffer = nullptr;
    // Under the mutex: a flush may be due.
    std::function<void()> schedule;
    // Under the mutex; releases it: tells listeners of stall changes.
    std::function<void()> notify_stall_listeners;
    // Under the mutex; releases it: remembers the error, tells listeners,
    // plans to resume.
    std::function<void(const Status&, BackgroundErrorReason)> on_error;
  };

  explicit MemTableSwitcher(Deps deps) : deps_(std::move(deps)) {}
  void set_pipeline(CommitPipeline* pipeline) { pipeline_ = pipeline; }

  // CommitHost.
  Status EnsureRoom(const WriteOptions& options, uint64_t group_bytes) override;
  Status AppendToWal(const WalAppend& append) override;
  Status StallInterrupted() override;
  bool NeedsRoom() const override { return deps_.buffer->NeedsRoom(); }
  void Publish(SequenceNumber last, bool unlogged) override;
  void OnCommitError(const Status& status) override;

  // Seals the family's memtable unless it is empty; with atomic_flush the
  // others', too, and asks for all of them to be flushed. REQUIRES: the mutex
  // held (released meanwhile) and the log stage. `dropped` collects references
  // to be released without the mutex.
  Status Seal(ColumnFamily* family, FlushReason reason,
              std::vector<ViewRef>* dropped) REQUIRES_LOCK(kStateLock);

  // Called by a flush job: seals a memtable when another database that shares
  // the write buffer manager has asked for it, unless a writer leads; then the
  // leader does it. Releases the mutex meanwhile.
  void SealForOthers() REQUIRES_LOCK(kStateLock);

 private:
  // A memtable that a cut seals, and what comes after it.
  struct Sealing {
    ColumnFamily* family = nullptr;
    MemTablePtr successor;
  };
  Status PlanCut(ColumnFamily* family, std::vector<ViewRef>* dropped,
                 std::vector<Sealing>* cut, std::vector<MemTableInfo>* sealed)
      REQUIRES_LOCK(kStateLock);
  void SealOne(Sealing* sealing, FlushReason reason,
               std::vector<ViewRef>* dropped, std::vector<MemTableInfo>* sealed)
      REQUIRES_LOCK(kStateLock);
  Status SealFull(std::vector<ViewRef>* dropped) REQUIRES_LOCK(kStateLock);
  // The mutex is not held.
  void SealUnlessLed();
  Status SealForWalSize(std::vector<ViewRef>* dropped)
      REQUIRES_LOCK(kStateLock);
  uint64_t MaxTotalWalBytes() const REQUIRES_LOCK(kStateLock);
  // The oldest log with unflushed data; UINT64_MAX: there is none.
  uint64_t OldestUnflushedLog() const REQUIRES_LOCK(kStateLock);
  // The write buffer manager's limit is near and this database is to free
  // memory: seals the memtable that takes most. REQUIRES: as Seal.
  Status SealForBufferLimit(std::vector<ViewRef>* dropped)
      REQUIRES_LOCK(kStateLock);
  Status StartLogIfUsed() REQUIRES_LOCK(kStateLock);

  const Deps deps_;
  CommitPipeline* pipeline_ = nullptr;
  uint64_t cuts_ = 0;  // Under the mutex.
  std::atomic<uint64_t> wal_bytes_max_{UINT64_MAX};
  // Flushes that free the logs up to this one have been asked for. Until they
  // end, the logs may take more than wal_bytes_max_.
  std::atomic<uint64_t> freed_log_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
