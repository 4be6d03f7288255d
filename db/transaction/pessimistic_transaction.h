// PessimisticTransaction: a transaction that locks its keys.
//
// Place. Made by PessimisticDB, whose locks it takes.
//
// Model. The state decides what may be called:
//
//   STARTED ---------------------Commit--> AWAITING_COMMIT --> COMMITTED
//      |'--Prepare--> AWAITING_PREPARE           |
//      |                    '--> PREPARED --Commit
//      |                             '--Rollback--> AWAITING_ROLLBACK
//      |                                                '--> ROLLEDBACK
//      '--its locks were taken after it expired--> LOCKS_STOLEN
//
// What is refused changes nothing. Any other error leaves it in the AWAITING
// state: whether the log has it is not known, and recovery will tell.
// Rollback() may be tried again then, except of a commit. Rollback() gives up
// writes and locks of a transaction that is STARTED and stays so. A transaction
// that has ended may go on with new keys, but not commit them; only
// BeginTransaction() makes it new.
//
// Prepare() puts the writes into the log, between marks with the name. They go
// to memtables when the log has the mark of the commit. Until then the log is
// held, also when the object is deleted undecided: recovery finds it again.
//
// Invariants:
//   (1) Each tracked key is locked, unless the locks were taken away.
//   (2) A key whose `since` is not above the snapshot's sequence has not
//       changed since the snapshot, and cannot, because it is locked.
//   (3) Locks go after the writes are readable.
//   (4) What was prepared does not change. The commit gives timestamps to a
//       copy, and its mark has them.
//   (5) No version of a key that was validated is newer than the read time.
//
// Threads. One at a time; GiveUpLocks(), GetWaitingTxns() and GetState() from
// any.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/transaction/locks/lock_owner.h"
#include "db/transaction/transaction_base.h"
#include "db/transaction/transaction_times.h"
#include "db/wal/log_holds.h"
#include "db/write/commit_pipeline.h"
#include "db/write_batch/prepared_section.h"
#include "rocksdb/utilities/transaction_db.h"

namespace ROCKSDB_NAMESPACE::engine {

class PessimisticDB;

class PessimisticTransaction final : public TransactionBase {
 public:
  PessimisticTransaction(PessimisticDB* db, const WriteOptions& write_options,
                         const TransactionOptions& options);
  ~PessimisticTransaction() override;

  // As if it were new.
  void Reuse(const WriteOptions& write_options,
             const TransactionOptions& options);

  Status Prepare() override;
  Status Commit() override { return Commit(nullptr); }
  Status CommitAndTryCreateSnapshot(
      std::shared_ptr<TransactionNotifier> notifier, TxnTimestamp ts,
      std::shared_ptr<const Snapshot>* snapshot) override;
  Status Rollback() override;
  Status RollbackToSavePoint() override;
  Status SetName(const TransactionName& name) override;
  Status SetReadTimestampForValidation(TxnTimestamp ts) override {
    return times_.SetRead(ts);
  }
  Status SetCommitTimestamp(TxnTimestamp ts) override {
    return times_.SetCommit(ts);
  }
  TxnTimestamp GetCommitTimestamp() const override { return times_.commit(); }
  void SetLockTimeout(int64_t timeout) override;
  TransactionID GetID() const override { return owner_.id; }
  bool IsDeadlockDetect() const override { return owner_.detects_deadlocks; }
  std::vector<TransactionID> GetWaitingTxns(uint32_t* column_family_id,
                                            std::string* key) const override {
    return owner_.waiting.Get(column_family_id, key);
  }

  // As recovery found it. It is PREPARED, and its keys are locked.
  Status Restore(const TransactionName& name,
                 const UndecidedTransaction& found);

  // Asked of an expired one, by those that want its locks. False: it is
  // committing, or has ended.
  bool GiveUpLocks();

 private:
  Status TrackKey(uint32_t family, const std::string& key,
                  const KeyUse& use) override;
  Status CheckUse(const KeyUse& use, const TrackedKey* known) const;
  // REQUIRES: the key is locked.
  Status NoteLocked(uint32_t family, const std::string& key, const KeyUse& use,
                    const TrackedKey* known);
  void OnUntracked(uint32_t family, const std::string& key) override;
  Status CheckTimestamps(const ColumnFamilyHandle& family) const override;
  Status CheckTimedRead(const ColumnFamilyHandle& family,
                        const ReadOptions& options,
                        bool do_validate) const override;
  const Slice* ReadTime() const override;
  std::unique_ptr<ColumnFamilyHandle> HandleOf(uint32_t family) override;

  void Begin(const TransactionOptions& options);
  void Leave();  // The registers of the database.
  void EndWork();
  bool IsExpired() const;
  bool LeaveStarted(TransactionState next);
  Status WhyNotStarted() const;
  Status Commit(CommitHooks* hooks);
  Status CommitPrepared(CommitHooks* hooks);
  Status RollbackPrepared();
  Status WriteHalf(WriteBatch* batch, const TwoPhase& two_phase,
                   CommitHooks* hooks, TransactionState before);
  void End(TransactionState state);
  Status Validate(uint32_t family, const std::string& key,
                  const Snapshot& snapshot) const;
  Status ValidateTime(uint32_t family, const std::string& key) const;
  Status Stamp(WriteBatch* batch, bool* stamped) const;

  PessimisticDB* const owner_db_;
  LockOwner owner_;
  bool skips_locks_ = false;
  bool skips_prepare_ = true;
  bool restoring_ = false;
  TransactionTimes times_;
  LogHold prepared_in_;
  // As the log has it, also of families that are gone.
  std::unique_ptr<WriteBatch> prepared_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
