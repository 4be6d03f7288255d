// Transaction: writes that are applied together, or not at all if another
// transaction came first.
//
// Place. Made by OptimisticTransactionDB or TransactionDB::BeginTransaction.
// The writes are in a WriteBatchWithIndex until Commit(), and the transaction's
// own reads see them.
//
// Model. A write, and a read with GetForUpdate(), tracks its key. Optimistic:
// Commit() fails if another writer has changed a tracked key since. With locks:
// the call waits until no other transaction has the key, and fails if it has
// changed since the snapshot; Commit() then finds no conflict.
//
// A two-phase commit (transactions with locks): after SetName() and Prepare()
// the writes survive a crash undecided, and a later process commits or rolls
// them back (TransactionDB::GetAllPreparedTransactions).
//
// After a successful Commit(), or a Rollback(), an optimistic transaction is
// empty, still STARTED, and may be used again. It keeps its snapshot, against
// which the keys that follow are checked.
//
// Threads. One at a time.

#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/slice.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Iterator;
class TransactionDB;
class WriteBatchWithIndex;

using TransactionName = std::string;
using TransactionID = uint64_t;
using TxnTimestamp = uint64_t;
constexpr TxnTimestamp kMaxTxnTimestamp =
    std::numeric_limits<TxnTimestamp>::max();

// One end of a range to be locked: a key, or all keys that begin with it
// (inf_suffix: behind the last of them).
class Endpoint {
 public:
  explicit Endpoint(const Slice& slice_arg, bool inf_suffix_arg = false)
      : slice(slice_arg), inf_suffix(inf_suffix_arg) {}
  explicit Endpoint(const char* s, bool inf_suffix_arg = false)
      : slice(s), inf_suffix(inf_suffix_arg) {}
  Endpoint(const char* s, size_t size, bool inf_suffix_arg = false)
      : slice(s, size), inf_suffix(inf_suffix_arg) {}
  Endpoint() = default;

  Slice slice;
  bool inf_suffix = false;
};

// Gets the snapshot that SetSnapshotOnNextOperation() asked for.
class TransactionNotifier {
 public:
  virtual ~TransactionNotifier() = default;
  // `newSnapshot` belongs to the transaction.
  virtual void SnapshotCreated(const Snapshot* newSnapshot) = 0;
};

class Transaction {
 public:
  enum TransactionState {
    STARTED = 0,
    AWAITING_PREPARE = 1,
    PREPARED = 2,
    AWAITING_COMMIT = 3,
    COMMITTED = 4,
    COMMITED = COMMITTED,  // As RocksDB spelled it once.
    AWAITING_ROLLBACK = 5,
    ROLLEDBACK = 6,
    LOCKS_STOLEN = 7,
  };

  Transaction(const Transaction&) = delete;
  void operator=(const Transaction&) = delete;
  // Drops what was not committed.
  virtual ~Transaction() = default;

  // From now on keys are checked against the state of now, and not of the
  // moment in which they are first written. Reads see it only if
  // ReadOptions::snapshot is set to GetSnapshot().
  virtual void SetSnapshot() = 0;
  // The same, when the next key is tracked.
  virtual void SetSnapshotOnNextOperation(
      std::shared_ptr<TransactionNotifier> notifier = nullptr) = 0;
  // Null without one. Valid until it is replaced, cleared, or the transaction
  // ends.
  virtual const Snapshot* GetSnapshot() const = 0;
  // The same, for as long as it is held.
  virtual std::shared_ptr<const Snapshot> GetTimestampedSnapshot() const = 0;
  virtual void ClearSnapshot() = 0;

  // The first half of a two-phase commit: the log has the writes. Needs a name.
  // Errors: InvalidArgument: no name, or optimistic; Expired.
  virtual Status Prepare() = 0;
  // Errors: Busy: another writer has changed a tracked key; TryAgain: it cannot
  // be told, because the memtables do not reach back so far. In both cases
  // nothing is written, and the transaction is as it was. Expired: it has
  // outlived TransactionOptions::expiration; TxnNotPrepared: see skip_prepare;
  // InvalidArgument: it needs a commit timestamp.
  virtual Status Commit() = 0;
  // Commit(), and then a snapshot with this time, which the database keeps as
  // one of TransactionDB::CreateTimestampedSnapshot(). kMaxTxnTimestamp: that
  // of SetCommitTimestamp(), which is set otherwise. OK: it is committed, and
  // the snapshot is there unless its time is not above that of an earlier one.
  // `notifier` is called with it; `snapshot` receives it, or null.
  // Errors: InvalidArgument: there is no time, or two different ones; as
  // Commit(). Optimistic: NotSupported.
  virtual Status CommitAndTryCreateSnapshot(
      std::shared_ptr<TransactionNotifier> /*notifier*/ = nullptr,
      TxnTimestamp /*ts*/ = kMaxTxnTimestamp,
      std::shared_ptr<const Snapshot>* /*snapshot*/ = nullptr) {
    return Status::NotSupported("timestamp not supported");
  }
  // Forgets all writes, tracked keys and save points.
  virtual Status Rollback() = 0;

  // As in WriteBatch; also tracked keys go back.
  virtual void SetSavePoint() = 0;
  virtual Status RollbackToSavePoint() = 0;
  virtual Status PopSavePoint() = 0;

  // Reads of the database as it would be with the transaction's own writes.
  // Nothing is tracked.
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     std::string* value) = 0;
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     PinnableSlice* pinnable_val) = 0;
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     std::string* value) = 0;
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     PinnableSlice* pinnable_val) = 0;
  virtual Status GetEntity(const ReadOptions& options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           PinnableWideColumns* columns) = 0;
  virtual std::vector<Status> MultiGet(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_family,
      const std::vector<Slice>& keys, std::vector<std::string>* values) = 0;
  virtual std::vector<Status> MultiGet(const ReadOptions& options,
                                       const std::vector<Slice>& keys,
                                       std::vector<std::string>* values) = 0;
  virtual void MultiGet(const ReadOptions& options,
                        ColumnFamilyHandle* column_family, size_t num_keys,
                        const Slice* keys, PinnableSlice* values,
                        Status* statuses, bool sorted_input = false) = 0;
  virtual void MultiGetEntity(const ReadOptions& options,
                              ColumnFamilyHandle* column_family,
                              size_t num_keys, const Slice* keys,
                              PinnableWideColumns* results, Status* statuses,
                              bool sorted_input = false) = 0;

  // A read whose key is tracked: Commit() fails if it changes. `value` may be
  // null. `exclusive` is for locks. Without `do_validate` changes are no
  // failure: an optimistic transaction then does not track the key.
  // Errors: InvalidArgument: ReadOptions::snapshot without `do_validate`.
  virtual Status GetForUpdate(const ReadOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice& key, std::string* value,
                              bool exclusive = true,
                              bool do_validate = true) = 0;
  virtual Status GetForUpdate(const ReadOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice& key, PinnableSlice* pinnable_val,
                              bool exclusive = true,
                              bool do_validate = true) = 0;
  virtual Status GetForUpdate(const ReadOptions& options, const Slice& key,
                              std::string* value, bool exclusive = true,
                              bool do_validate = true) = 0;
  virtual Status GetEntityForUpdate(const ReadOptions& options,
                                    ColumnFamilyHandle* column_family,
                                    const Slice& key,
                                    PinnableWideColumns* columns,
                                    bool exclusive = true,
                                    bool do_validate = true) = 0;
  virtual std::vector<Status> MultiGetForUpdate(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_family,
      const std::vector<Slice>& keys, std::vector<std::string>* values) = 0;
  virtual std::vector<Status> MultiGetForUpdate(
      const ReadOptions& options, const std::vector<Slice>& keys,
      std::vector<std::string>* values) = 0;
  // Locks a range of keys. NotSupported without a range lock manager.
  virtual Status GetRangeLock(ColumnFamilyHandle* /*column_family*/,
                              const Endpoint& /*start*/,
                              const Endpoint& /*end*/) {
    return Status::NotSupported("range locks need a range lock manager");
  }

  // Sees the transaction's writes. Delete it before the transaction ends.
  virtual Iterator* GetIterator(const ReadOptions& read_options) = 0;
  virtual Iterator* GetIterator(const ReadOptions& read_options,
                                ColumnFamilyHandle* column_family) = 0;
  // The same over several families, as DB::NewCoalescingIterator() and
  // DB::NewAttributeGroupIterator().
  virtual std::unique_ptr<Iterator> GetCoalescingIterator(
      const ReadOptions& read_options,
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;
  virtual std::unique_ptr<AttributeGroupIterator> GetAttributeGroupIterator(
      const ReadOptions& read_options,
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;

  // Writes. `assume_tracked`: the key was tracked by an earlier call.
  virtual Status Put(ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& value, bool assume_tracked = false) = 0;
  virtual Status Put(const Slice& key, const Slice& value) = 0;
  virtual Status Put(ColumnFamilyHandle* column_family, const SliceParts& key,
                     const SliceParts& value, bool assume_tracked = false) = 0;
  virtual Status Put(const SliceParts& key, const SliceParts& value) = 0;
  virtual Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                           const WideColumns& columns,
                           bool assume_tracked = false) = 0;
  virtual Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& value, bool assume_tracked = false) = 0;
  virtual Status Merge(const Slice& key, const Slice& value) = 0;
  virtual Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                        bool assume_tracked = false) = 0;
  virtual Status Delete(const Slice& key) = 0;
  virtual Status Delete(ColumnFamilyHandle* column_family,
                        const SliceParts& key, bool assume_tracked = false) = 0;
  virtual Status Delete(const SliceParts& key) = 0;
  virtual Status SingleDelete(ColumnFamilyHandle* column_family,
                              const Slice& key,
                              bool assume_tracked = false) = 0;
  virtual Status SingleDelete(const Slice& key) = 0;
  virtual Status SingleDelete(ColumnFamilyHandle* column_family,
                              const SliceParts& key,
                              bool assume_tracked = false) = 0;
  virtual Status SingleDelete(const SliceParts& key) = 0;

  // Writes that are not checked.
  virtual Status PutUntracked(ColumnFamilyHandle* column_family,
                              const Slice& key, const Slice& value) = 0;
  virtual Status PutUntracked(const Slice& key, const Slice& value) = 0;
  virtual Status PutUntracked(ColumnFamilyHandle* column_family,
                              const SliceParts& key,
                              const SliceParts& value) = 0;
  virtual Status PutUntracked(const SliceParts& key,
                              const SliceParts& value) = 0;
  virtual Status PutEntityUntracked(ColumnFamilyHandle* column_family,
                                    const Slice& key,
                                    const WideColumns& columns) = 0;
  virtual Status MergeUntracked(ColumnFamilyHandle* column_family,
                                const Slice& key, const Slice& value) = 0;
  virtual Status MergeUntracked(const Slice& key, const Slice& value) = 0;
  virtual Status DeleteUntracked(ColumnFamilyHandle* column_family,
                                 const Slice& key) = 0;
  virtual Status DeleteUntracked(const Slice& key) = 0;
  virtual Status DeleteUntracked(ColumnFamilyHandle* column_family,
                                 const SliceParts& key) = 0;
  virtual Status DeleteUntracked(const SliceParts& key) = 0;
  virtual Status SingleDeleteUntracked(ColumnFamilyHandle* column_family,
                                       const Slice& key) = 0;
  virtual Status SingleDeleteUntracked(const Slice& key) = 0;

  // Bytes that go into the log with the commit.
  virtual void PutLogData(const Slice& blob) = 0;

  // Without an index writes are faster, and the transaction's reads do not see
  // them.
  virtual void DisableIndexing() = 0;
  virtual void EnableIndexing() = 0;

  // Of tracked keys, and of the writes in the batch.
  virtual uint64_t GetNumKeys() const = 0;
  virtual uint64_t GetNumPuts() const = 0;
  virtual uint64_t GetNumDeletes() const = 0;
  virtual uint64_t GetNumMerges() const = 0;
  // Milliseconds since it began.
  virtual uint64_t GetElapsedTime() const = 0;

  // What Commit() will write. To be changed only by the transaction's calls.
  virtual WriteBatchWithIndex* GetWriteBatch() = 0;
  virtual WriteOptions* GetWriteOptions() = 0;
  virtual void SetWriteOptions(const WriteOptions& write_options) = 0;
  // Milliseconds; has no effect without locks.
  virtual void SetLockTimeout(int64_t timeout) = 0;

  // Stops tracking a key that was only read, once for each GetForUpdate().
  virtual void UndoGetForUpdate(ColumnFamilyHandle* column_family,
                                const Slice& key) = 0;
  virtual void UndoGetForUpdate(const Slice& key) = 0;
  // Adds the writes of a batch, tracking their keys.
  virtual Status RebuildFromWriteBatch(WriteBatch* src_batch) = 0;
  // Written at the commit without being read or tracked.
  virtual WriteBatch* GetCommitTimeWriteBatch() = 0;

  virtual void SetLogNumber(uint64_t log) { log_number_ = log; }
  virtual uint64_t GetLogNumber() const { return log_number_; }
  // For two-phase commits.
  virtual Status SetName(const TransactionName& name) = 0;
  virtual TransactionName GetName() const { return name_; }
  virtual TransactionID GetID() const { return 0; }
  virtual bool IsDeadlockDetect() const { return false; }
  virtual std::vector<TransactionID> GetWaitingTxns(
      uint32_t* /*column_family_id*/, std::string* /*key*/) const {
    return {};
  }

  TransactionState GetState() const { return txn_state_; }
  void SetState(TransactionState state) { txn_state_ = state; }
  uint64_t GetId() { return id_; }

  // Of families with user timestamps of 8 bytes, in a TransactionDB. Their keys
  // are written without a timestamp, and all get that of the commit, also those
  // that GetWriteBatch() was given with another. Optimistic: NotSupported.
  //
  // The time that was read: from now on a key that GetForUpdate() or a write
  // tracks is Busy if a version of it has a newer timestamp, and TryAgain if
  // that may be forgotten (full_history_ts_low). GetForUpdate() needs it, and
  // reads at it. Errors: InvalidArgument: lower than before.
  virtual Status SetReadTimestampForValidation(TxnTimestamp /*ts*/) {
    return Status::NotSupported("timestamp not supported");
  }
  // Without it Commit() is InvalidArgument if a key lacks its timestamp. Stays
  // after Rollback(). Errors: InvalidArgument: not above the read timestamp.
  virtual Status SetCommitTimestamp(TxnTimestamp /*ts*/) {
    return Status::NotSupported("timestamp not supported");
  }
  // kMaxTxnTimestamp: it was not set.
  virtual TxnTimestamp GetCommitTimestamp() const { return kMaxTxnTimestamp; }

 protected:
  Transaction() = default;
  explicit Transaction(const TransactionDB* /*db*/) {}

  virtual void SetId(uint64_t id) {
    assert(id_ == 0);
    id_ = id;
  }
  virtual uint64_t GetLastLogNumber() const { return log_number_; }

  uint64_t log_number_ = 0;
  TransactionName name_;
  std::atomic<TransactionState> txn_state_{STARTED};
  uint64_t id_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
