#include "db/transaction/transaction_base.h"

#include <functional>
#include <utility>

#include "db/read/family_iterators.h"
#include "rocksdb/env.h"
#include "rocksdb/write_batch.h"
#include "table/entity.h"
#include "table/timestamps.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::string Joined(const SliceParts& parts) {
  std::string bytes;
  for (int i = 0; i < parts.num_parts; ++i) {
    bytes.append(parts.parts[i].data(), parts.parts[i].size());
  }
  return bytes;
}

// Calls `get` with each key's place and value.
template <typename Get>
std::vector<Status> GetEach(const std::vector<Slice>& keys,
                            std::vector<std::string>* values, const Get& get) {
  values->assign(keys.size(), std::string());
  std::vector<Status> statuses(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    statuses[i] = get(i, &(*values)[i]);
  }
  return statuses;
}

// Adds the records of a batch through the transaction's calls, which take keys
// without timestamps.
class Rebuilder final : public WriteBatch::Handler {
 public:
  using HandleOf = std::function<std::unique_ptr<ColumnFamilyHandle>(uint32_t)>;
  Rebuilder(Transaction* transaction, HandleOf handle_of)
      : transaction_(transaction), handle_of_(std::move(handle_of)) {}

  Status PutCF(uint32_t id, const Slice& key, const Slice& value) override {
    return With(id, [&](ColumnFamilyHandle* family) {
      return transaction_->Put(family, PlainKey(*family, key), value);
    });
  }
  Status PutEntityCF(uint32_t id, const Slice& key,
                     const Slice& entity) override {
    WideColumns columns;
    RETURN_IF_ERROR(DecodeEntity(entity, &columns));
    return With(id, [&](ColumnFamilyHandle* family) {
      return transaction_->PutEntity(family, PlainKey(*family, key), columns);
    });
  }
  Status DeleteCF(uint32_t id, const Slice& key) override {
    return With(id, [&](ColumnFamilyHandle* family) {
      return transaction_->Delete(family, PlainKey(*family, key));
    });
  }
  Status SingleDeleteCF(uint32_t id, const Slice& key) override {
    return With(id, [&](ColumnFamilyHandle* family) {
      return transaction_->SingleDelete(family, PlainKey(*family, key));
    });
  }
  Status MergeCF(uint32_t id, const Slice& key, const Slice& value) override {
    return With(id, [&](ColumnFamilyHandle* family) {
      return transaction_->Merge(family, PlainKey(*family, key), value);
    });
  }
  void LogData(const Slice& blob) override { transaction_->PutLogData(blob); }

 private:
  static Slice PlainKey(const ColumnFamilyHandle& family, const Slice& key) {
    return StripTimestamp(key, family.GetComparator()->timestamp_size());
  }
  template <typename Add>
  Status With(uint32_t id, const Add& add) {
    const std::unique_ptr<ColumnFamilyHandle> family = handle_of_(id);
    if (family == nullptr) {
      return Status::InvalidArgument("RebuildFromWriteBatch: column family " +
                                     std::to_string(id) + " does not exist");
    }
    return add(family.get());
  }

  Transaction* const transaction_;
  const HandleOf handle_of_;
};

}  // namespace

TransactionBase::TransactionBase(DB* db, const WriteOptions& write_options,
                                 const Comparator* comparator)
    : db_(db),
      batch_(comparator, /*reserved_bytes=*/0, /*overwrite_key=*/true),
      commit_time_batch_(
          /*reserved_bytes=*/0, /*max_bytes=*/0, /*protection_bytes_per_key=*/0,
          comparator == nullptr ? 0 : comparator->timestamp_size()) {
  Restart(write_options);
}

void TransactionBase::Restart(const WriteOptions& write_options) {
  Clear();
  ClearSnapshot();
  write_options_ = write_options;
  indexing_ = true;
  name_.clear();
  log_number_ = 0;
  SetState(STARTED);
  start_micros_ = db_->GetEnv()->GetSystemClock()->NowMicros();
}

void TransactionBase::Clear() {
  batch_.Clear();
  commit_time_batch_.Clear();
  counts_ = {};
  tracked_.Clear();
  save_points_.clear();
}

uint64_t TransactionBase::GetElapsedTime() const {
  return (db_->GetEnv()->GetSystemClock()->NowMicros() - start_micros_) / 1000;
}

// ---- The snapshot.

void TransactionBase::TakeSnapshot(std::shared_ptr<const Snapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  snapshot_due_ = false;
  notifier_.reset();
}

void TransactionBase::SetSnapshot() {
  TakeSnapshot({db_->GetSnapshot(), [db = db_](const Snapshot* snapshot) {
                  db->ReleaseSnapshot(snapshot);
                }});
}

void TransactionBase::SetSnapshotOnNextOperation(
    std::shared_ptr<TransactionNotifier> notifier) {
  snapshot_due_ = true;
  notifier_ = std::move(notifier);
}

void TransactionBase::ClearSnapshot() { TakeSnapshot(nullptr); }

void TransactionBase::MakeSnapshotIfDue() {
  if (!snapshot_due_) return;
  const std::shared_ptr<TransactionNotifier> notifier = std::move(notifier_);
  SetSnapshot();
  if (notifier != nullptr) notifier->SnapshotCreated(snapshot_.get());
}

// ---- Save points.

void TransactionBase::SetSavePoint() {
  SavePoint& point = save_points_.emplace_back();
  point.snapshot = snapshot_;
  point.snapshot_due = snapshot_due_;
  point.notifier = notifier_;
  point.counts = counts_;
  batch_.SetSavePoint();
}

Status TransactionBase::RollbackToSavePoint() {
  if (save_points_.empty()) return Status::NotFound();
  SavePoint& point = save_points_.back();
  snapshot_ = std::move(point.snapshot);
  snapshot_due_ = point.snapshot_due;
  notifier_ = std::move(point.notifier);
  counts_ = point.counts;
  tracked_.Remove(point.added, [this](uint32_t family, const std::string& key) {
    OnUntracked(family, key);
  });
  save_points_.pop_back();
  return batch_.RollbackToSavePoint();
}

Status TransactionBase::PopSavePoint() {
  if (save_points_.empty()) return Status::NotFound();
  const TrackedKeys added = std::move(save_points_.back().added);
  save_points_.pop_back();
  if (!save_points_.empty()) save_points_.back().added.Add(added);
  return batch_.PopSavePoint();
}

Status TransactionBase::Rollback() {
  Clear();
  return Status::OK();
}

void TransactionBase::Note(uint32_t family, const std::string& key,
                           SequenceNumber since, const KeyUse& use) {
  tracked_.Track(family, key, since, use.read_only, use.exclusive);
  if (!save_points_.empty()) {
    save_points_.back().added.Track(family, key, since, use.read_only,
                                    use.exclusive);
  }
}

void TransactionBase::UndoGetForUpdate(ColumnFamilyHandle* column_family,
                                       const Slice& key) {
  const uint32_t family = FamilyOr(column_family)->GetID();
  const std::string bytes = key.ToString();
  // What an older save point tracks stays.
  if (!save_points_.empty() &&
      !save_points_.back().added.UndoRead(family, bytes)) {
    return;
  }
  if (tracked_.UndoRead(family, bytes) &&
      tracked_.Find(family, bytes) == nullptr) {
    OnUntracked(family, bytes);
  }
}

// ---- Reads.

Status TransactionBase::Get(const ReadOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            std::string* value) {
  return batch_.GetFromBatchAndDB(db_, options, FamilyOr(column_family), key,
                                  value);
}

Status TransactionBase::Get(const ReadOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            PinnableSlice* pinnable_val) {
  return batch_.GetFromBatchAndDB(db_, options, FamilyOr(column_family), key,
                                  pinnable_val);
}

Status TransactionBase::Get(const ReadOptions& options, const Slice& key,
                            std::string* value) {
  return Get(options, nullptr, key, value);
}

Status TransactionBase::Get(const ReadOptions& options, const Slice& key,
                            PinnableSlice* pinnable_val) {
  return Get(options, nullptr, key, pinnable_val);
}

Status TransactionBase::GetEntity(const ReadOptions& options,
                                  ColumnFamilyHandle* column_family,
                                  const Slice& key,
                                  PinnableWideColumns* columns) {
  return batch_.GetEntityFromBatchAndDB(db_, options, FamilyOr(column_family),
                                        key, columns);
}

std::vector<Status> TransactionBase::MultiGet(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_family,
    const std::vector<Slice>& keys, std::vector<std::string>* values) {
  return GetEach(keys, values, [&](size_t i, std::string* value) {
    return Get(options, column_family[i], keys[i], value);
  });
}

std::vector<Status> TransactionBase::MultiGet(
    const ReadOptions& options, const std::vector<Slice>& keys,
    std::vector<std::string>* values) {
  return MultiGet(options,
                  std::vector<ColumnFamilyHandle*>(keys.size(), nullptr), keys,
                  values);
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void TransactionBase::MultiGet(const ReadOptions& options,
                               ColumnFamilyHandle* column_family,
                               size_t num_keys, const Slice* keys,
                               PinnableSlice* values, Status* statuses,
                               bool sorted_input) {
  batch_.MultiGetFromBatchAndDB(db_, options, FamilyOr(column_family), num_keys,
                                keys, values, statuses, sorted_input);
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void TransactionBase::MultiGetEntity(const ReadOptions& options,
                                     ColumnFamilyHandle* column_family,
                                     size_t num_keys, const Slice* keys,
                                     PinnableWideColumns* results,
                                     Status* statuses, bool sorted_input) {
  batch_.MultiGetEntityFromBatchAndDB(db_, options, FamilyOr(column_family),
                                      num_keys, keys, results, statuses,
                                      sorted_input);
}

Status TransactionBase::TrackRead(const ReadOptions& options,
                                  ColumnFamilyHandle* column_family,
                                  const Slice& key, bool exclusive,
                                  bool do_validate) {
  if (!do_validate && options.snapshot != nullptr) {
    return Status::InvalidArgument(
        "GetForUpdate reads a snapshot, but is not to validate its key",
        "set do_validate, or read without ReadOptions::snapshot");
  }
  KeyUse use;
  use.timed = HasTimestamps(column_family);
  if (use.timed) {
    RETURN_IF_ERROR(
        CheckTimedRead(*FamilyOr(column_family), options, do_validate));
  }
  use.read_only = true;
  use.exclusive = exclusive;
  use.validate = do_validate;
  return TrackKey(FamilyOr(column_family)->GetID(), key.ToString(), use);
}

template <typename Read>
Status TransactionBase::ReadForUpdate(const ReadOptions& options,
                                      ColumnFamilyHandle* column_family,
                                      const Read& read) const {
  const Slice* const time = ReadTime();
  if (time == nullptr || options.timestamp != nullptr ||
      !HasTimestamps(column_family)) {
    return read(options);
  }
  ReadOptions timed = options;
  timed.timestamp = time;
  return read(timed);
}

Status TransactionBase::GetForUpdate(const ReadOptions& options,
                                     ColumnFamilyHandle* column_family,
                                     const Slice& key, std::string* value,
                                     bool exclusive, bool do_validate) {
  RETURN_IF_ERROR(
      TrackRead(options, column_family, key, exclusive, do_validate));
  if (value == nullptr) return Status::OK();
  return ReadForUpdate(options, column_family, [&](const ReadOptions& timed) {
    return Get(timed, column_family, key, value);
  });
}

Status TransactionBase::GetForUpdate(const ReadOptions& options,
                                     ColumnFamilyHandle* column_family,
                                     const Slice& key,
                                     PinnableSlice* pinnable_val,
                                     bool exclusive, bool do_validate) {
  RETURN_IF_ERROR(
      TrackRead(options, column_family, key, exclusive, do_validate));
  if (pinnable_val == nullptr) return Status::OK();
  return ReadForUpdate(options, column_family, [&](const ReadOptions& timed) {
    return Get(timed, column_family, key, pinnable_val);
  });
}

Status TransactionBase::GetForUpdate(const ReadOptions& options,
                                     const Slice& key, std::string* value,
                                     bool exclusive, bool do_validate) {
  return GetForUpdate(options, nullptr, key, value, exclusive, do_validate);
}

Status TransactionBase::GetEntityForUpdate(const ReadOptions& options,
                                           ColumnFamilyHandle* column_family,
                                           const Slice& key,
                                           PinnableWideColumns* columns,
                                           bool exclusive, bool do_validate) {
  RETURN_IF_ERROR(
      TrackRead(options, column_family, key, exclusive, do_validate));
  if (columns == nullptr) return Status::OK();
  return ReadForUpdate(options, column_family, [&](const ReadOptions& timed) {
    return GetEntity(timed, column_family, key, columns);
  });
}

// All keys or none: a key that is refused ends it.
std::vector<Status> TransactionBase::MultiGetForUpdate(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_family,
    const std::vector<Slice>& keys, std::vector<std::string>* values) {
  for (size_t i = 0; i < keys.size(); ++i) {
    const Status status =
        TrackRead(options, column_family[i], keys[i], /*exclusive=*/true,
                  /*do_validate=*/true);
    if (!status.ok()) return std::vector<Status>(keys.size(), status);
  }
  return GetEach(keys, values, [&](size_t i, std::string* value) {
    ColumnFamilyHandle* const family = column_family[i];
    return ReadForUpdate(options, family, [&](const ReadOptions& timed) {
      return Get(timed, family, keys[i], value);
    });
  });
}

std::vector<Status> TransactionBase::MultiGetForUpdate(
    const ReadOptions& options, const std::vector<Slice>& keys,
    std::vector<std::string>* values) {
  return MultiGetForUpdate(
      options, std::vector<ColumnFamilyHandle*>(keys.size(), nullptr), keys,
      values);
}

Iterator* TransactionBase::GetIterator(const ReadOptions& read_options) {
  return GetIterator(read_options, nullptr);
}

Iterator* TransactionBase::GetIterator(const ReadOptions& read_options,
                                       ColumnFamilyHandle* column_family) {
  ColumnFamilyHandle* const family = FamilyOr(column_family);
  return batch_.NewIteratorWithBase(
      family, db_->NewIterator(read_options, family), &read_options);
}

std::unique_ptr<Iterator> TransactionBase::GetCoalescingIterator(
    const ReadOptions& read_options,
    const std::vector<ColumnFamilyHandle*>& column_families) {
  return CoalesceFamilies(db_, read_options, column_families,
                          [&](ColumnFamilyHandle* family, Iterator* base) {
                            return batch_.NewIteratorWithBase(family, base,
                                                              &read_options);
                          });
}

std::unique_ptr<AttributeGroupIterator>
TransactionBase::GetAttributeGroupIterator(
    const ReadOptions& read_options,
    const std::vector<ColumnFamilyHandle*>& column_families) {
  return GroupFamilies(db_, read_options, column_families,
                       [&](ColumnFamilyHandle* family, Iterator* base) {
                         return batch_.NewIteratorWithBase(family, base,
                                                           &read_options);
                       });
}

// ---- Writes.

Status TransactionBase::CheckTimestamps(
    const ColumnFamilyHandle& family) const {
  return Status::InvalidArgument("transactions: column family " +
                                     family.GetName() + " has user timestamps",
                                 "they cannot be written by transactions");
}

template <typename Add>
Status TransactionBase::Write(ColumnFamilyHandle* family, const Slice& key,
                              const KeyUse& use, uint64_t Counts::*count,
                              const Add& add) {
  const ColumnFamilyHandle& of = *FamilyOr(family);
  KeyUse timed = use;
  timed.timed = HasTimestamps(family);
  if (timed.timed) RETURN_IF_ERROR(CheckTimestamps(of));
  RETURN_IF_ERROR(TrackKey(of.GetID(), key.ToString(), timed));
  RETURN_IF_ERROR(add(Batch()));
  ++(counts_.*count);
  return Status::OK();
}

void TransactionBase::PutLogData(const Slice& blob) {
  (void)batch_.PutLogData(blob);
}

Status TransactionBase::Put(ColumnFamilyHandle* column_family, const Slice& key,
                            const Slice& value, bool assume_tracked) {
  return Write(column_family, key, TrackedUse(assume_tracked), &Counts::puts,
               [&](WriteBatchBase* batch) {
                 return batch->Put(FamilyOr(column_family), key, value);
               });
}

Status TransactionBase::Put(const Slice& key, const Slice& value) {
  return Put(nullptr, key, value, /*assume_tracked=*/false);
}

Status TransactionBase::PutUntracked(ColumnFamilyHandle* column_family,
                                     const Slice& key, const Slice& value) {
  return Write(column_family, key, UncheckedUse(), &Counts::puts,
               [&](WriteBatchBase* batch) {
                 return batch->Put(FamilyOr(column_family), key, value);
               });
}

Status TransactionBase::PutUntracked(const Slice& key, const Slice& value) {
  return PutUntracked(nullptr, key, value);
}

Status TransactionBase::Put(ColumnFamilyHandle* column_family,
                            const SliceParts& key, const SliceParts& value,
                            bool assume_tracked) {
  return Put(column_family, Joined(key), Joined(value), assume_tracked);
}

Status TransactionBase::Put(const SliceParts& key, const SliceParts& value) {
  return Put(nullptr, key, value, /*assume_tracked=*/false);
}

Status TransactionBase::PutUntracked(ColumnFamilyHandle* column_family,
                                     const SliceParts& key,
                                     const SliceParts& value) {
  return PutUntracked(column_family, Joined(key), Joined(value));
}

Status TransactionBase::PutUntracked(const SliceParts& key,
                                     const SliceParts& value) {
  return PutUntracked(nullptr, key, value);
}

Status TransactionBase::PutEntity(ColumnFamilyHandle* column_family,
                                  const Slice& key, const WideColumns& columns,
                                  bool assume_tracked) {
  return Write(column_family, key, TrackedUse(assume_tracked), &Counts::puts,
               [&](WriteBatchBase* batch) {
                 return batch->PutEntity(FamilyOr(column_family), key, columns);
               });
}

Status TransactionBase::PutEntityUntracked(ColumnFamilyHandle* column_family,
                                           const Slice& key,
                                           const WideColumns& columns) {
  return Write(column_family, key, UncheckedUse(), &Counts::puts,
               [&](WriteBatchBase* batch) {
                 return batch->PutEntity(FamilyOr(column_family), key, columns);
               });
}

Status TransactionBase::Merge(ColumnFamilyHandle* column_family,
                              const Slice& key, const Slice& value,
                              bool assume_tracked) {
  return Write(column_family, key, TrackedUse(assume_tracked), &Counts::merges,
               [&](WriteBatchBase* batch) {
                 return batch->Merge(FamilyOr(column_family), key, value);
               });
}

Status TransactionBase::Merge(const Slice& key, const Slice& value) {
  return Merge(nullptr, key, value, /*assume_tracked=*/false);
}

Status TransactionBase::MergeUntracked(ColumnFamilyHandle* column_family,
                                       const Slice& key, const Slice& value) {
  return Write(column_family, key, UncheckedUse(), &Counts::merges,
               [&](WriteBatchBase* batch) {
                 return batch->Merge(FamilyOr(column_family), key, value);
               });
}

Status TransactionBase::MergeUntracked(const Slice& key, const Slice& value) {
  return MergeUntracked(nullptr, key, value);
}

Status TransactionBase::Delete(ColumnFamilyHandle* column_family,
                               const Slice& key, bool assume_tracked) {
  return Write(column_family, key, TrackedUse(assume_tracked), &Counts::deletes,
               [&](WriteBatchBase* batch) {
                 return batch->Delete(FamilyOr(column_family), key);
               });
}

Status TransactionBase::Delete(const Slice& key) {
  return Delete(nullptr, key, /*assume_tracked=*/false);
}

Status TransactionBase::DeleteUntracked(ColumnFamilyHandle* column_family,
                                        const Slice& key) {
  return Write(column_family, key, UncheckedUse(), &Counts::deletes,
               [&](WriteBatchBase* batch) {
                 return batch->Delete(FamilyOr(column_family), key);
               });
}

Status TransactionBase::DeleteUntracked(const Slice& key) {
  return DeleteUntracked(nullptr, key);
}

Status TransactionBase::Delete(ColumnFamilyHandle* column_family,
                               const SliceParts& key, bool assume_tracked) {
  return Delete(column_family, Joined(key), assume_tracked);
}

Status TransactionBase::Delete(const SliceParts& key) {
  return Delete(nullptr, key, /*assume_tracked=*/false);
}

Status TransactionBase::DeleteUntracked(ColumnFamilyHandle* column_family,
                                        const SliceParts& key) {
  return DeleteUntracked(column_family, Joined(key));
}

Status TransactionBase::DeleteUntracked(const SliceParts& key) {
  return DeleteUntracked(nullptr, key);
}

Status TransactionBase::SingleDelete(ColumnFamilyHandle* column_family,
                                     const Slice& key, bool assume_tracked) {
  return Write(column_family, key, TrackedUse(assume_tracked), &Counts::deletes,
               [&](WriteBatchBase* batch) {
                 return batch->SingleDelete(FamilyOr(column_family), key);
               });
}

Status TransactionBase::SingleDelete(const Slice& key) {
  return SingleDelete(nullptr, key, /*assume_tracked=*/false);
}

Status TransactionBase::SingleDeleteUntracked(ColumnFamilyHandle* column_family,
                                              const Slice& key) {
  return Write(column_family, key, UncheckedUse(), &Counts::deletes,
               [&](WriteBatchBase* batch) {
                 return batch->SingleDelete(FamilyOr(column_family), key);
               });
}

Status TransactionBase::SingleDeleteUntracked(const Slice& key) {
  return SingleDeleteUntracked(nullptr, key);
}

Status TransactionBase::SingleDelete(ColumnFamilyHandle* column_family,
                                     const SliceParts& key,
                                     bool assume_tracked) {
  return SingleDelete(column_family, Joined(key), assume_tracked);
}

Status TransactionBase::SingleDelete(const SliceParts& key) {
  return SingleDelete(nullptr, key, /*assume_tracked=*/false);
}

Status TransactionBase::RebuildFromWriteBatch(WriteBatch* src_batch) {
  if (src_batch == nullptr) {
    return Status::InvalidArgument("RebuildFromWriteBatch needs a batch");
  }
  Rebuilder rebuilder(this, [this](uint32_t id) { return HandleOf(id); });
  return src_batch->Iterate(&rebuilder);
}

}  // namespace ROCKSDB_NAMESPACE::engine
