// PessimisticDB: the TransactionDB: its locks, which transactions there are,
// and locks for writes that belong to none.
//
// Place. Wraps a DBImpl, or databases on top of one. Transactions commit
// through the DBImpl.
//
// Threads. As TransactionDB.

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "db/transaction/locks/point_locks.h"
#include "db/wal/log_holds.h"
#include "rocksdb/utilities/transaction_db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class PessimisticTransaction;

class PessimisticDB final : public TransactionDB {
 public:
  PessimisticDB(DB* db, const TransactionDBOptions& options);
  ~PessimisticDB() override;

  DBImpl* impl() const { return impl_; }
  PointLocks* locks() { return &locks_; }
  // Its keys can be locked.
  void AddFamily(const ColumnFamilyHandle& family);
  const TransactionDBOptions& options() const { return options_; }
  uint64_t NowMicros() const { return clock_->NowMicros(); }
  static TransactionID NewId();  // Unlike all others of this process.

  // Errors: InvalidArgument: there is one of this name.
  Status AddName(const TransactionName& name, PessimisticTransaction* txn);
  void RemoveName(PessimisticTransaction* txn);
  void AddExpiring(PessimisticTransaction* txn);
  void RemoveExpiring(PessimisticTransaction* txn);

  // Asked before a commit is visible: a snapshot of this time at `last`, its
  // newest sequence, kept as one of CreateTimestampedSnapshot(). Null: there is
  // one of this or a later time, or memtables take none.
  std::shared_ptr<const Snapshot> SnapshotOfCommit(TxnTimestamp time,
                                                   SequenceNumber last);

  // Of a transaction that ended undecided: until the database is closed.
  void KeepLog(LogHold log);
  // Makes transactions of what the opening found prepared.
  // Errors: NotSupported; nothing is lost then.
  Status RestorePrepared();
  // The database below is the caller's again.
  void ReleaseBase() { db_ = nullptr; }

  // TransactionDB.
  Transaction* BeginTransaction(const WriteOptions& write_options,
                                const TransactionOptions& txn_options,
                                Transaction* old_txn) override;
  Transaction* GetTransactionByName(const TransactionName& name) override;
  void GetAllPreparedTransactions(std::vector<Transaction*>* trans) override;
  std::unordered_multimap<uint32_t, KeyLockInfo> GetLockStatusData() override {
    return locks_.All();
  }
  std::vector<DeadlockPath> GetDeadlockInfoBuffer() override {
    return locks_.Deadlocks();
  }
  void SetDeadlockInfoBufferSize(uint32_t target_size) override {
    locks_.SetMaxDeadlocks(target_size);
  }
  std::pair<Status, std::shared_ptr<const Snapshot>> CreateTimestampedSnapshot(
      TxnTimestamp ts) override;
  std::shared_ptr<const Snapshot> GetTimestampedSnapshot(
      TxnTimestamp ts) const override;
  void ReleaseTimestampedSnapshotsOlderThan(TxnTimestamp ts) override;
  Status GetTimestampedSnapshots(TxnTimestamp ts_lb, TxnTimestamp ts_ub,
                                 std::vector<std::shared_ptr<const Snapshot>>&
                                     timestamped_snapshots) const override;

  // Families have locks.
  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& column_family_name,
                            ColumnFamilyHandle** handle) override;
  using StackableDB::CreateColumnFamilyWithImport;
  Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& column_family_name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle) override;
  Status DropColumnFamily(ColumnFamilyHandle* column_family) override;
  Status Close() override;

  // Writes of no transaction.
  using StackableDB::Put;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, const Slice& value) override;
  using StackableDB::PutEntity;
  Status PutEntity(const WriteOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns) override;
  using StackableDB::Delete;
  Status Delete(const WriteOptions& options, ColumnFamilyHandle* column_family,
                const Slice& key) override;
  using StackableDB::SingleDelete;
  Status SingleDelete(const WriteOptions& options,
                      ColumnFamilyHandle* column_family,
                      const Slice& key) override;
  using StackableDB::Merge;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, const Slice& value) override;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, const Slice& ts, const Slice& value) override;
  Status Delete(const WriteOptions& options, ColumnFamilyHandle* column_family,
                const Slice& key, const Slice& ts) override;
  Status SingleDelete(const WriteOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& ts) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, const Slice& ts, const Slice& value) override;
  using TransactionDB::DeleteRange;
  Status DeleteRange(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key, const Slice& ts) override;
  Status Write(const WriteOptions& options, WriteBatch* updates) override;
  Status Write(const WriteOptions& options,
               const TransactionDBWriteOptimizations& optimizations,
               WriteBatch* updates) override;

 private:
  class WriteLocks;

  template <typename Work>
  Status WithLock(ColumnFamilyHandle* family, const Slice& key,
                  const Work& work);
  // All up to `sequence` is in memtables. Null: they take no snapshots.
  // REQUIRES: a writer that leads, or another snapshot that is held.
  const Snapshot* NewSnapshotAt(SequenceNumber sequence);
  std::shared_ptr<const Snapshot> KeepSnapshot(const Snapshot* held,
                                               TxnTimestamp time)
      REQUIRES_LOCK(mu_);

  const TransactionDBOptions options_;
  DBImpl* const impl_;
  SystemClock* const clock_;
  PointLocks locks_;
  std::atomic<bool> any_timestamps_{false};  // In any family, ever.

  mutable Mutex mu_{LockRank::kTransactionNames};
  std::unordered_map<TransactionName, PessimisticTransaction*> names_
      GUARDED_BY(mu_);
  std::unordered_map<TransactionID, PessimisticTransaction*> expiring_
      GUARDED_BY(mu_);
  std::map<TxnTimestamp, std::shared_ptr<const Snapshot>> snapshots_
      GUARDED_BY(mu_);
  // The largest that snapshots with a time have had: it rises with the time.
  SequenceNumber newest_snapshot_sequence_ GUARDED_BY(mu_) = 0;
  std::vector<LogHold> kept_logs_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
