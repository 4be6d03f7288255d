// TransactionBase: what all kinds of transactions share: their batch, their
// snapshot, the keys they track, and save points over these three.
//
// Place. Below OptimisticTransaction and PessimisticTransaction. A kind says
// what tracking a key means (TrackKey) and how a transaction is committed.
//
// Threads. One at a time.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/transaction/tracked_keys.h"
#include "rocksdb/comparator.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/write_batch_with_index.h"

namespace ROCKSDB_NAMESPACE::engine {

class TransactionBase : public Transaction {
 public:
  TransactionBase(DB* db, const WriteOptions& write_options,
                  const Comparator* comparator);
  ~TransactionBase() override = default;

  void SetSnapshot() override;
  void SetSnapshotOnNextOperation(
      std::shared_ptr<TransactionNotifier> notifier) override;
  const Snapshot* GetSnapshot() const override { return snapshot_.get(); }
  std::shared_ptr<const Snapshot> GetTimestampedSnapshot() const override {
    return snapshot_;
  }
  void ClearSnapshot() override;

  Status Rollback() override;
  void SetSavePoint() override;
  Status RollbackToSavePoint() override;
  Status PopSavePoint() override;

  Status Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, std::string* value) override;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, PinnableSlice* pinnable_val) override;
  Status Get(const ReadOptions& options, const Slice& key,
             std::string* value) override;
  Status Get(const ReadOptions& options, const Slice& key,
             PinnableSlice* pinnable_val) override;
  Status GetEntity(const ReadOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   PinnableWideColumns* columns) override;
  std::vector<Status> MultiGet(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_family,
      const std::vector<Slice>& keys,
      std::vector<std::string>* values) override;
  std::vector<Status> MultiGet(const ReadOptions& options,
                               const std::vector<Slice>& keys,
                               std::vector<std::string>* values) override;
  void MultiGet(const ReadOptions& options, ColumnFamilyHandle* column_family,
                size_t num_keys, const Slice* keys, PinnableSlice* values,
                Status* statuses, bool sorted_input) override;
  void MultiGetEntity(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, size_t num_keys,
                      const Slice* keys, PinnableWideColumns* results,
                      Status* statuses, bool sorted_input) override;
  Status GetForUpdate(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      std::string* value, bool exclusive,
                      bool do_validate) override;
  Status GetForUpdate(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      PinnableSlice* pinnable_val, bool exclusive,
                      bool do_validate) override;
  Status GetForUpdate(const ReadOptions& options, const Slice& key,
                      std::string* value, bool exclusive,
                      bool do_validate) override;
  Status GetEntityForUpdate(const ReadOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            PinnableWideColumns* columns, bool exclusive,
                            bool do_validate) override;
  std::vector<Status> MultiGetForUpdate(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_family,
      const std::vector<Slice>& keys,
      std::vector<std::string>* values) override;
  std::vector<Status> MultiGetForUpdate(
      const ReadOptions& options, const std::vector<Slice>& keys,
      std::vector<std::string>* values) override;
  Iterator* GetIterator(const ReadOptions& read_options) override;
  Iterator* GetIterator(const ReadOptions& read_options,
                        ColumnFamilyHandle* column_family) override;
  std::unique_ptr<Iterator> GetCoalescingIterator(
      const ReadOptions& read_options,
      const std::vector<ColumnFamilyHandle*>& column_families) override;
  std::unique_ptr<AttributeGroupIterator> GetAttributeGroupIterator(
      const ReadOptions& read_options,
      const std::vector<ColumnFamilyHandle*>& column_families) override;

  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& value, bool assume_tracked) override;
  Status Put(const Slice& key, const Slice& value) override;
  Status PutUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& value) override;
  Status PutUntracked(const Slice& key, const Slice& value) override;
  Status Put(ColumnFamilyHandle* column_family, const SliceParts& key,
             const SliceParts& value, bool assume_tracked) override;
  Status Put(const SliceParts& key, const SliceParts& value) override;
  Status PutUntracked(ColumnFamilyHandle* column_family, const SliceParts& key,
                      const SliceParts& value) override;
  Status PutUntracked(const SliceParts& key, const SliceParts& value) override;
  Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns, bool assume_tracked) override;
  Status PutEntityUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                            const WideColumns& columns) override;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& value, bool assume_tracked) override;
  Status Merge(const Slice& key, const Slice& value) override;
  Status MergeUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                        const Slice& value) override;
  Status MergeUntracked(const Slice& key, const Slice& value) override;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                bool assume_tracked) override;
  Status Delete(const Slice& key) override;
  Status DeleteUntracked(ColumnFamilyHandle* column_family,
                         const Slice& key) override;
  Status DeleteUntracked(const Slice& key) override;
  Status Delete(ColumnFamilyHandle* column_family, const SliceParts& key,
                bool assume_tracked) override;
  Status Delete(const SliceParts& key) override;
  Status DeleteUntracked(ColumnFamilyHandle* column_family,
                         const SliceParts& key) override;
  Status DeleteUntracked(const SliceParts& key) override;
  Status SingleDelete(ColumnFamilyHandle* column_family, const Slice& key,
                      bool assume_tracked) override;
  Status SingleDelete(const Slice& key) override;
  Status SingleDeleteUntracked(ColumnFamilyHandle* column_family,
                               const Slice& key) override;
  Status SingleDeleteUntracked(const Slice& key) override;
  Status SingleDelete(ColumnFamilyHandle* column_family, const SliceParts& key,
                      bool assume_tracked) override;
  Status SingleDelete(const SliceParts& key) override;

  void PutLogData(const Slice& blob) override;
  void DisableIndexing() override { indexing_ = false; }
  void EnableIndexing() override { indexing_ = true; }

  uint64_t GetNumKeys() const override { return tracked_.size(); }
  uint64_t GetNumPuts() const override { return counts_.puts; }
  uint64_t GetNumDeletes() const override { return counts_.deletes; }
  uint64_t GetNumMerges() const override { return counts_.merges; }
  uint64_t GetElapsedTime() const override;

  WriteBatchWithIndex* GetWriteBatch() override { return &batch_; }
  WriteOptions* GetWriteOptions() override { return &write_options_; }
  void SetWriteOptions(const WriteOptions& write_options) override {
    write_options_ = write_options;
  }
  void UndoGetForUpdate(ColumnFamilyHandle* column_family,
                        const Slice& key) override;
  void UndoGetForUpdate(const Slice& key) override {
    UndoGetForUpdate(nullptr, key);
  }
  WriteBatch* GetCommitTimeWriteBatch() override { return &commit_time_batch_; }

  Status RebuildFromWriteBatch(WriteBatch* src_batch) override;

 protected:
  // A read for update, or a write.
  struct KeyUse {
    bool read_only = false;
    bool exclusive = true;        // Locks are.
    bool validate = true;         // The key must not have changed.
    bool assume_tracked = false;  // It must be tracked already.
    bool timed = false;           // Its family has timestamps.
  };
  // A key is about to be used. An error refuses that.
  virtual Status TrackKey(uint32_t family, const std::string& key,
                          const KeyUse& use) = 0;
  // It is tracked no longer; not called for all keys at once.
  virtual void OnUntracked(uint32_t /*family*/, const std::string& /*key*/) {}

  // OK: this family, which has timestamps, may be written. By default not.
  virtual Status CheckTimestamps(const ColumnFamilyHandle& family) const;
  // OK: a key of it may be read for update.
  virtual Status CheckTimedRead(const ColumnFamilyHandle& /*family*/,
                                const ReadOptions& /*options*/,
                                bool /*do_validate*/) const {
    return Status::OK();
  }
  // What a read for update without ReadOptions::timestamp reads at; null: as
  // any other.
  virtual const Slice* ReadTime() const { return nullptr; }

  // As a new transaction.
  void Restart(const WriteOptions& write_options);
  // Forgets writes, tracked keys and save points; the snapshot stays.
  void Clear();
  void MakeSnapshotIfDue();
  void TakeSnapshot(std::shared_ptr<const Snapshot> snapshot);
  // Notes the key here and in the newest save point.
  void Note(uint32_t family, const std::string& key, SequenceNumber since,
            const KeyUse& use);
  const TrackedKeys& tracked() const { return tracked_; }
  void NoteTimeChecked(uint32_t family, const std::string& key) {
    tracked_.NoteTimeChecked(family, key);
  }
  // Of a family by its id, to add writes to it; null: there is none.
  virtual std::unique_ptr<ColumnFamilyHandle> HandleOf(uint32_t family) = 0;
  DB* db() const { return db_; }

 private:
  struct Counts {
    uint64_t puts = 0;
    uint64_t deletes = 0;
    uint64_t merges = 0;
  };
  struct SavePoint {
    std::shared_ptr<const Snapshot> snapshot;
    bool snapshot_due = false;
    std::shared_ptr<TransactionNotifier> notifier;
    Counts counts;
    TrackedKeys added;  // Since then.
  };

  WriteBatchBase* Batch() {
    return indexing_ ? static_cast<WriteBatchBase*>(&batch_)
                     : batch_.GetWriteBatch();
  }
  static KeyUse TrackedUse(bool assume_tracked) {
    KeyUse use;
    use.assume_tracked = assume_tracked;
    use.validate = !assume_tracked;
    return use;
  }
  static KeyUse UncheckedUse() {
    KeyUse use;
    use.validate = false;
    return use;
  }
  ColumnFamilyHandle* FamilyOr(ColumnFamilyHandle* family) const {
    return family == nullptr ? db_->DefaultColumnFamily() : family;
  }
  bool HasTimestamps(ColumnFamilyHandle* family) const {
    return FamilyOr(family)->GetComparator()->timestamp_size() > 0;
  }
  Status TrackRead(const ReadOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   bool exclusive, bool do_validate);
  // Calls `read` with the options for a read for update.
  template <typename Read>
  Status ReadForUpdate(const ReadOptions& options,
                       ColumnFamilyHandle* column_family,
                       const Read& read) const;
  template <typename Add>
  Status Write(ColumnFamilyHandle* family, const Slice& key, const KeyUse& use,
               uint64_t Counts::*count, const Add& add);

  DB* const db_;
  WriteOptions write_options_;
  WriteBatchWithIndex batch_;
  WriteBatch commit_time_batch_;
  bool indexing_ = true;
  Counts counts_;
  uint64_t start_micros_ = 0;
  std::shared_ptr<const Snapshot> snapshot_;
  bool snapshot_due_ = false;
  std::shared_ptr<TransactionNotifier> notifier_;
  TrackedKeys tracked_;
  std::vector<SavePoint> save_points_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
