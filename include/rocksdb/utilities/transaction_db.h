// TransactionDB: transactions that lock the keys which they write or read for
// update, so that a conflict shows at once and not at the commit.
//
// Model. Locks are in memory, by column family and key. A transaction holds
// its locks until it commits, rolls back or is deleted. Writes outside of
// transactions (Put, Delete, Merge, Write) lock their keys for the time of the
// write. Reads lock nothing and see what is committed.
//
// Threads. As DB. Calls wait for locks.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/utilities/stackable_db.h"
#include "rocksdb/utilities/transaction.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class LockManagerHandle;
class SecondaryIndex;
class TransactionDB;
class TransactionDBMutexFactory;

// When memtables get what a transaction writes. In RocksDB the later policies
// write it before its commit, which makes commits short and moves the work of
// telling committed from uncommitted entries to every read. Here all three mean
// WRITE_COMMITTED: a program may name any of them, and name another at the next
// opening. The log is that of WRITE_COMMITTED; RocksDB opens it with that
// policy, or with any other once the log is empty.
enum TxnDBWritePolicy {
  WRITE_COMMITTED = 0,
  WRITE_PREPARED,
  WRITE_UNPREPARED,
};

constexpr uint32_t kInitialMaxDeadlocks = 5;

struct TransactionDBOptions {
  // Of locked keys per column family; then Busy (kLockLimit). Not above 0: no
  // limit.
  int64_t max_num_locks = -1;
  // How many deadlocks GetDeadlockInfoBuffer() knows, the newest ones.
  uint32_t max_num_deadlocks = kInitialMaxDeadlocks;
  // Parts of each family's lock table, with a mutex each.
  size_t num_stripes = 16;
  // How long a transaction waits for a lock, in milliseconds, unless
  // TransactionOptions::lock_timeout says otherwise. 0: not at all; negative:
  // for ever.
  int64_t transaction_lock_timeout = 1000;
  // The same, of writes outside of transactions.
  int64_t default_lock_timeout = 1000;
  // Null: the library's.
  std::shared_ptr<TransactionDBMutexFactory> custom_mutex_factory;
  TxnDBWritePolicy write_policy = TxnDBWritePolicy::WRITE_COMMITTED;
  // Has no effect: Rollback() of what is in no memtable needs no operands.
  bool rollback_merge_operands = false;
  // Not null: NotSupported.
  std::shared_ptr<LockManagerHandle> lock_mgr_handle;
  // Has no effect: waiting transactions are always woken key by key.
  bool use_per_key_point_lock_mgr = false;
  // Writes outside of transactions lock nothing: the program sees to it that
  // they meet no transaction.
  bool skip_concurrency_control = false;
  // Of WRITE_UNPREPARED. Has no effect.
  int64_t default_write_batch_flush_threshold = 0;
  // Of WRITE_PREPARED. Has no effect.
  std::function<bool(TransactionDB* db, ColumnFamilyHandle* column_family,
                     const Slice& key)>
      rollback_deletion_type_callback;
  // Has no effect: commits go through memtables.
  uint32_t txn_commit_bypass_memtable_threshold =
      std::numeric_limits<uint32_t>::max();
  // False: keys are not asked for their timestamps; GetForUpdate() needs no
  // read timestamp, and is InvalidArgument with one.
  bool enable_udt_validation = true;
  // Not empty: NotSupported.
  std::vector<std::shared_ptr<SecondaryIndex>> secondary_indices;
};

struct TransactionOptions {
  // SetSnapshot() at the beginning.
  bool set_snapshot = false;
  // Before it waits for a lock, look whether those that hold it wait for this
  // transaction; then Busy (kDeadlock). Looks at other transactions with this
  // option only.
  bool deadlock_detect = false;
  // Has no effect: the commit-time batch is always written.
  bool use_only_the_last_commit_time_batch_for_recovery = false;
  // Milliseconds. 0: does not wait; negative:
  // TransactionDBOptions::transaction_lock_timeout.
  int64_t lock_timeout = -1;
  // Has no effect: deadlocks are looked for before each wait.
  int64_t deadlock_timeout_us = 500;
  // Milliseconds after which other transactions may take its locks, and its
  // commit fails with Expired. Negative: never.
  int64_t expiration = -1;
  // How many transactions are looked at; when it does not suffice, Busy
  // (kDeadlock).
  int64_t deadlock_detect_depth = 50;
  // Bytes of the write batch; a write above it is MemoryLimit. 0: no limit.
  size_t max_write_batch_size = 0;
  // Locks nothing: the program sees to it that transactions do not meet.
  bool skip_concurrency_control = false;
  // False: Commit() without Prepare() is TxnNotPrepared.
  bool skip_prepare = true;
  // Of WRITE_UNPREPARED. Has no effect.
  int64_t write_batch_flush_threshold = -1;
  // Has no effect.
  bool write_batch_track_timestamp_size = false;
  // The three have no effect: commits go through memtables.
  bool commit_bypass_memtable = false;
  uint32_t large_txn_commit_optimize_threshold =
      std::numeric_limits<uint32_t>::max();
  uint64_t large_txn_commit_optimize_byte_threshold =
      std::numeric_limits<uint64_t>::max();
};

// Of a write outside of transactions.
struct TransactionDBWriteOptimizations {
  // Locks nothing: the program sees to it that no transaction has the keys.
  bool skip_concurrency_control = false;
  // Has no effect.
  bool skip_duplicate_key_check = false;
};

struct KeyLockInfo {
  std::string key;
  std::vector<TransactionID> ids;  // Of those that hold it.
  bool exclusive;
};

// One that waits, and for what.
struct DeadlockInfo {
  TransactionID m_txn_id;
  uint32_t m_cf_id;
  bool m_exclusive;
  std::string m_waiting_key;
};

// Each waits for the next; the last one for the first.
struct DeadlockPath {
  std::vector<DeadlockInfo> path;
  bool limit_exceeded;    // deadlock_detect_depth did not suffice; no path.
  int64_t deadlock_time;  // Seconds since 1970.

  explicit DeadlockPath(std::vector<DeadlockInfo> path_entry,
                        const int64_t& dl_time)
      : path(std::move(path_entry)),
        limit_exceeded(false),
        deadlock_time(dl_time) {}
  explicit DeadlockPath(const int64_t& dl_time = 0, bool limit = false)
      : limit_exceeded(limit), deadlock_time(dl_time) {}
  bool empty() { return path.empty() && !limit_exceeded; }
};

class TransactionDB : public StackableDB {
 public:
  // As DB::Open(). Errors: NotSupported: an option above says so, or a prepared
  // transaction has records that cannot be written.
  static Status Open(const Options& options,
                     const TransactionDBOptions& txn_db_options,
                     const std::string& dbname, TransactionDB** dbptr);
  static Status Open(const DBOptions& db_options,
                     const TransactionDBOptions& txn_db_options,
                     const std::string& dbname,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     TransactionDB** dbptr);
  // In three steps: PrepareWrap(), opening with what it has changed, and
  // WrapDB(), which owns `db` if it is OK. `handles`: of all families of
  // `column_families`; they stay the caller's.
  static void PrepareWrap(DBOptions* db_options,
                          std::vector<ColumnFamilyDescriptor>* column_families,
                          std::vector<size_t>* compaction_enabled_cf_indices);
  static Status WrapDB(DB* db, const TransactionDBOptions& txn_db_options,
                       const std::vector<size_t>& compaction_enabled_cf_indices,
                       const std::vector<ColumnFamilyHandle*>& handles,
                       TransactionDB** dbptr);
  static Status WrapStackableDB(
      StackableDB* db, const TransactionDBOptions& txn_db_options,
      const std::vector<size_t>& compaction_enabled_cf_indices,
      const std::vector<ColumnFamilyHandle*>& handles, TransactionDB** dbptr);

  TransactionDB(const TransactionDB&) = delete;
  void operator=(const TransactionDB&) = delete;
  ~TransactionDB() override = default;

  using StackableDB::Write;
  // Errors: TimedOut: a key is locked; InvalidArgument: range deletions, which
  // no lock can cover, without skip_concurrency_control.
  virtual Status Write(const WriteOptions& opts,
                       const TransactionDBWriteOptimizations& /*optimizations*/,
                       WriteBatch* updates) {
    return Write(opts, updates);
  }
  using StackableDB::DeleteRange;
  // Always NotSupported.
  Status DeleteRange(const WriteOptions& /*options*/,
                     ColumnFamilyHandle* /*column_family*/,
                     const Slice& /*begin_key*/,
                     const Slice& /*end_key*/) override {
    return Status::NotSupported("range deletions in a TransactionDB",
                                "locks are of single keys");
  }

  // The caller deletes the result, before the database is closed. `old_txn`,
  // one of this database, is made a new one instead and returned.
  virtual Transaction* BeginTransaction(
      const WriteOptions& write_options,
      const TransactionOptions& txn_options = TransactionOptions(),
      Transaction* old_txn = nullptr) = 0;

  // One that SetName() has named and that has not ended; null: there is none.
  virtual Transaction* GetTransactionByName(const TransactionName& name) = 0;
  // Those that are prepared, also by an earlier process: the caller commits or
  // rolls them back, and deletes them.
  virtual void GetAllPreparedTransactions(std::vector<Transaction*>* trans) = 0;

  // All locks that are held, by column family.
  virtual std::unordered_multimap<uint32_t, KeyLockInfo>
  GetLockStatusData() = 0;
  // The newest deadlocks, newest first.
  virtual std::vector<DeadlockPath> GetDeadlockInfoBuffer() = 0;
  virtual void SetDeadlockInfoBufferSize(uint32_t target_size) = 0;

  // Snapshots that a program finds by a time of its own, which must not
  // decrease. They are held until released.
  // Errors: InvalidArgument: a later time has one already.
  virtual std::pair<Status, std::shared_ptr<const Snapshot>>
  CreateTimestampedSnapshot(TxnTimestamp ts) = 0;
  std::shared_ptr<const Snapshot> GetLatestTimestampedSnapshot() const {
    return GetTimestampedSnapshot(kMaxTxnTimestamp);
  }
  // Null: there is none of exactly this time.
  virtual std::shared_ptr<const Snapshot> GetTimestampedSnapshot(
      TxnTimestamp ts) const = 0;
  virtual void ReleaseTimestampedSnapshotsOlderThan(TxnTimestamp ts) = 0;
  Status GetAllTimestampedSnapshots(
      std::vector<std::shared_ptr<const Snapshot>>& timestamped_snapshots)
      const {
    return GetTimestampedSnapshots(0, kMaxTxnTimestamp, timestamped_snapshots);
  }
  // From `ts_lb` to before `ts_ub`, added to the vector in ascending order.
  virtual Status GetTimestampedSnapshots(
      TxnTimestamp ts_lb, TxnTimestamp ts_ub,
      std::vector<std::shared_ptr<const Snapshot>>& timestamped_snapshots)
      const = 0;

 protected:
  explicit TransactionDB(DB* db) : StackableDB(db) {}
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
