// WriteBatchWithIndex: the public face. Writes go to the wrapped batch first,
// and what it has taken is then indexed; reads go through BatchLookup and
// OverlayIterator.

#include "rocksdb/utilities/write_batch_with_index.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "db/indexed_batch/batch_lookup.h"
#include "db/indexed_batch/family_index.h"
#include "db/indexed_batch/overlay_iterator.h"
#include "db/read/timestamp_iterator.h"
#include "db/write_batch/batch_format.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "table/timestamps.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

using engine::BatchAnswer;
using engine::BatchRecord;
using engine::BatchState;
using engine::FamilyIndex;
using engine::MergeContext;
using engine::OverlayIterator;
using engine::OverlayOptions;

namespace {

uint32_t IdOf(ColumnFamilyHandle* family) {
  return family == nullptr ? 0 : family->GetID();
}

WriteType TypeOf(engine::ValueType type) {
  switch (type) {
    case engine::ValueType::kValue:
      return kPutRecord;
    case engine::ValueType::kMerge:
      return kMergeRecord;
    case engine::ValueType::kDeletion:
      return kDeleteRecord;
    case engine::ValueType::kSingleDeletion:
      return kSingleDeleteRecord;
    case engine::ValueType::kWideColumnEntity:
      return kPutEntityRecord;
    default:
      return kUnknownRecord;
  }
}

class RecordIterator final : public WBWIIterator {
 public:
  explicit RecordIterator(const FamilyIndex* index)
      : index_(index), cursor_(index) {}

  bool Valid() const override { return cursor_.Valid() && status_.ok(); }
  void SeekToFirst() override {
    cursor_.SeekToFirst();
    Read();
  }
  void SeekToLast() override {
    cursor_.SeekToLast();
    Read();
  }
  void Seek(const Slice& key) override {
    cursor_.Seek(key);
    Read();
  }
  void SeekForPrev(const Slice& key) override {
    cursor_.SeekForPrev(key);
    Read();
  }
  void Next() override {
    cursor_.Next();
    Read();
  }
  void Prev() override {
    cursor_.Prev();
    Read();
  }
  // Read again each time, because the batch may have moved.
  WriteEntry Entry() const override {
    assert(Valid());
    BatchRecord record;
    WriteEntry entry;
    if (!ReadIndexedRecord(*index_, cursor_.entry(), &record).ok()) {
      return entry;
    }
    entry.type = TypeOf(record.type);
    entry.key = cursor_.key();
    entry.value = record.value;
    return entry;
  }
  Status status() const override { return status_; }

 private:
  void Read() {
    BatchRecord record;
    status_ = cursor_.Valid()
                  ? ReadIndexedRecord(*index_, cursor_.entry(), &record)
                  : Status::OK();
  }

  const FamilyIndex* const index_;
  FamilyIndex::Cursor cursor_;
  Status status_;
};

Status Damaged() {
  return Status::Corruption("write batch with index: a record cannot be read",
                            "was the wrapped batch changed by itself?");
}

// As the database asks, which is not asked where the batch decides.
Status CheckTime(const ReadOptions& options, const ColumnFamilyHandle& family) {
  const size_t size = family.GetComparator()->timestamp_size();
  if (size == 0 && options.timestamp == nullptr) return Status::OK();
  return engine::CheckReadTimestampSize(
      options, size, "column family '" + family.GetName() + "'");
}

Status NeedsFamily() {
  return Status::InvalidArgument(
      "write batch with index: the key has merge operands",
      "call the form that takes a column family, whose merge operator is used");
}

}  // namespace

struct WriteBatchWithIndex::Rep {
  struct Family {
    Family(const std::string* bytes, const Comparator* comparator)
        : index(bytes, comparator) {}
    FamilyIndex index;
    // Looked up when it is first needed.
    std::shared_ptr<const MergeOperator> merge_operator;
    bool asked_merge_operator = false;
  };

  Rep(const Comparator* backup, size_t reserved_bytes, bool overwrite,
      size_t max_bytes)
      : backup_comparator(backup == nullptr ? BytewiseComparator() : backup),
        overwrite_key(overwrite),
        batch(reserved_bytes, max_bytes, /*protection_bytes_per_key=*/0,
              backup_comparator->timestamp_size()) {}

  Family* FamilyOf(uint32_t id, const Comparator* comparator) {
    engine::MutexLock lock(&mu);
    const auto [it, added] = families.try_emplace(id, nullptr);
    if (added) {
      it->second = std::make_unique<Family>(&batch.Data(), comparator);
    }
    return it->second.get();
  }
  // Null: the batch has nothing of this family.
  const Family* Find(uint32_t id) const {
    engine::MutexLock lock(&mu);
    const auto found = families.find(id);
    return found == families.end() ? nullptr : found->second.get();
  }
  const Comparator* ComparatorOf(ColumnFamilyHandle* handle) const {
    const Comparator* const comparator =
        handle == nullptr ? nullptr : handle->GetComparator();
    return comparator == nullptr ? backup_comparator : comparator;
  }
  Family* FamilyOf(ColumnFamilyHandle* handle) {
    return FamilyOf(IdOf(handle), ComparatorOf(handle));
  }
  // Indexes the record that begins at `offset`, and returns where the next one
  // does; 0: there is none. Without a comparator only where its family has an
  // index.
  size_t IndexRecord(size_t offset, const Comparator* comparator);
  // Adds what `write` has put into the batch.
  template <typename Write>
  Status AddIndexed(ColumnFamilyHandle* handle, const Write& write);
  Status Rebuild();
  Status MergeOperatorOf(ColumnFamilyHandle* handle, Family* family,
                         MergeContext* context) const;
  Status StateOf(ColumnFamilyHandle* handle, const Slice& key,
                 BatchState* state) const;
  // REQUIRES: state.decides().
  Status AnswerAlone(ColumnFamilyHandle* handle, const Slice& key,
                     const BatchState& state, BatchAnswer* answer);
  // REQUIRES: the batch says something of the key.
  Status AnswerThrough(DB* db, const ReadOptions& options,
                       ColumnFamilyHandle* handle, const Slice& key,
                       const BatchState& state, BatchAnswer* answer);
  // The whole answer; `visit` gets it while what it points to is alive.
  Status Answer(ColumnFamilyHandle* handle, const Slice& key,
                const std::function<Status(const BatchAnswer&)>& visit);

  // Keys of which the batch knows nothing are read together.
  template <typename Value, typename ReadOne, typename ReadRest>
  void ReadMany(ColumnFamilyHandle* handle, std::span<const Slice> keys,
                Value* values, Status* statuses, const ReadOne& read_one,
                const ReadRest& read_rest) const;

  const Comparator* const backup_comparator;
  const bool overwrite_key;
  WriteBatch batch;
  // Readers may make a family's index, and look up its merge operator, at the
  // same time.
  mutable engine::Mutex mu;
  std::map<uint32_t, std::unique_ptr<Family>> families GUARDED_BY(mu);
};

size_t WriteBatchWithIndex::Rep::IndexRecord(size_t offset,
                                             const Comparator* comparator) {
  const std::string& bytes = batch.Data();
  const char* const limit = bytes.data() + bytes.size();
  BatchRecord record;
  const engine::RecordShape* shape = nullptr;
  const char* const next = engine::batch_internal::ReadRecord(
      bytes.data() + offset, limit, &record, &shape);
  if (next == nullptr) return 0;
  const auto end = static_cast<size_t>(next - bytes.data());
  if (!shape->counted) return end;
  if (comparator == nullptr && Find(record.family) == nullptr) return end;
  FamilyIndex& index = FamilyOf(record.family, comparator)->index;
  const auto offset_of = [&bytes](const Slice& slice) {
    return static_cast<size_t>(slice.data() - bytes.data());
  };
  const size_t timestamp_size = index.comparator()->timestamp_size();
  const Slice key = engine::StripTimestamp(record.key, timestamp_size);
  if (record.type == engine::ValueType::kRangeDeletion) {
    const Slice to = engine::StripTimestamp(record.value, timestamp_size);
    index.AddRangeDeletion({offset, offset_of(key), offset_of(to),
                            static_cast<uint32_t>(key.size()),
                            static_cast<uint32_t>(to.size())});
    return end;
  }
  const FamilyIndex::Entry entry{offset, offset_of(key),
                                 static_cast<uint32_t>(key.size())};
  if (overwrite_key && record.type != engine::ValueType::kMerge) {
    index.AddOrReplace(entry);
  } else {
    index.Add(entry);
  }
  return end;
}

template <typename Write>
Status WriteBatchWithIndex::Rep::AddIndexed(ColumnFamilyHandle* handle,
                                            const Write& write) {
  const size_t offset = batch.GetDataSize();
  RETURN_IF_ERROR(write());
  return IndexRecord(offset, ComparatorOf(handle)) > 0 ? Status::OK()
                                                       : Damaged();
}

// After a rollback: records that had been replaced in the index are in it
// again. What was added past the index has none.
Status WriteBatchWithIndex::Rep::Rebuild() {
  {
    engine::MutexLock lock(&mu);
    for (auto& [id, family] : families) family->index.Clear();
  }
  const size_t size = batch.GetDataSize();
  for (size_t offset = engine::kBatchHeaderSize; offset < size;) {
    offset = IndexRecord(offset, /*comparator=*/nullptr);
    if (offset == 0) return Damaged();
  }
  return Status::OK();
}

Status WriteBatchWithIndex::Rep::MergeOperatorOf(ColumnFamilyHandle* handle,
                                                 Family* family,
                                                 MergeContext* context) const {
  if (handle == nullptr) return NeedsFamily();
  {
    engine::MutexLock lock(&mu);
    context->merge_operator = family->merge_operator.get();
    if (family->asked_merge_operator) return Status::OK();
  }
  ColumnFamilyDescriptor descriptor;
  RETURN_IF_ERROR(handle->GetDescriptor(&descriptor));
  engine::MutexLock lock(&mu);
  if (!family->asked_merge_operator) {
    family->merge_operator = descriptor.options.merge_operator;
    family->asked_merge_operator = true;
  }
  context->merge_operator = family->merge_operator.get();
  return Status::OK();
}

Status WriteBatchWithIndex::Rep::StateOf(ColumnFamilyHandle* handle,
                                         const Slice& key,
                                         BatchState* state) const {
  const Family* const family = Find(IdOf(handle));
  return family == nullptr ? Status::OK()
                           : ReadBatchState(family->index, key, state);
}

Status WriteBatchWithIndex::Rep::AnswerAlone(ColumnFamilyHandle* handle,
                                             const Slice& key,
                                             const BatchState& state,
                                             BatchAnswer* answer) {
  MergeContext merge;
  if (!state.operands.empty()) {
    RETURN_IF_ERROR(MergeOperatorOf(handle, FamilyOf(handle), &merge));
  }
  return AnswerOf(merge, key, state, answer);
}

Status WriteBatchWithIndex::Rep::Answer(
    ColumnFamilyHandle* handle, const Slice& key,
    const std::function<Status(const BatchAnswer&)>& visit) {
  BatchState state;
  RETURN_IF_ERROR(StateOf(handle, key, &state));
  if (!state.decides()) {
    return state.operands.empty() ? Status::NotFound()
                                  : Status::MergeInProgress();
  }
  BatchAnswer answer;
  RETURN_IF_ERROR(AnswerAlone(handle, key, state, &answer));
  return visit(answer);
}

Status WriteBatchWithIndex::Rep::AnswerThrough(
    DB* db, const ReadOptions& options, ColumnFamilyHandle* handle,
    const Slice& key, const BatchState& state, BatchAnswer* answer) {
  if (state.decides()) return AnswerAlone(handle, key, state, answer);
  MergeContext merge;
  RETURN_IF_ERROR(MergeOperatorOf(handle, FamilyOf(handle), &merge));
  PinnableWideColumns base;
  Status status = db->GetEntity(options, handle, key, &base);
  if (!status.ok() && !status.IsNotFound()) return status;
  return AnswerOn(merge, key, state, status.ok() ? &base.columns() : nullptr,
                  answer);
}

template <typename Value, typename ReadOne, typename ReadRest>
void WriteBatchWithIndex::Rep::ReadMany(ColumnFamilyHandle* handle,
                                        std::span<const Slice> keys,
                                        Value* values, Status* statuses,
                                        const ReadOne& read_one,
                                        const ReadRest& read_rest) const {
  std::vector<size_t> unknown;
  std::vector<Slice> wanted;
  for (size_t i = 0; i < keys.size(); ++i) {
    BatchState state;
    statuses[i] = StateOf(handle, keys[i], &state);
    if (!statuses[i].ok()) continue;
    if (state.decides() || !state.operands.empty()) {
      statuses[i] = read_one(i);
    } else {
      unknown.push_back(i);
      wanted.push_back(keys[i]);
    }
  }
  if (unknown.empty()) return;
  std::vector<Value> found(unknown.size());
  std::vector<Status> read(unknown.size());
  read_rest(wanted, found.data(), read.data());
  for (size_t j = 0; j < unknown.size(); ++j) {
    values[unknown[j]] = std::move(found[j]);
    statuses[unknown[j]] = std::move(read[j]);
  }
}

// ---- Making.

WriteBatchWithIndex::WriteBatchWithIndex(
    const Comparator* backup_index_comparator, size_t reserved_bytes,
    bool overwrite_key, size_t max_bytes, size_t /*protection_bytes_per_key*/)
    : rep_(std::make_unique<Rep>(backup_index_comparator, reserved_bytes,
                                 overwrite_key, max_bytes)) {}
WriteBatchWithIndex::~WriteBatchWithIndex() = default;
WriteBatchWithIndex::WriteBatchWithIndex(WriteBatchWithIndex&&) noexcept =
    default;
WriteBatchWithIndex& WriteBatchWithIndex::operator=(
    WriteBatchWithIndex&&) noexcept = default;

// ---- Writing.

Status WriteBatchWithIndex::Put(ColumnFamilyHandle* column_family,
                                const Slice& key, const Slice& value) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.Put(column_family, key, value);
  });
}

Status WriteBatchWithIndex::Put(const Slice& key, const Slice& value) {
  return Put(nullptr, key, value);
}

Status WriteBatchWithIndex::Put(ColumnFamilyHandle* column_family,
                                const Slice& key, const Slice& ts,
                                const Slice& value) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.Put(column_family, key, ts, value);
  });
}

Status WriteBatchWithIndex::PutEntity(ColumnFamilyHandle* column_family,
                                      const Slice& key,
                                      const WideColumns& columns) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.PutEntity(column_family, key, columns);
  });
}

Status WriteBatchWithIndex::PutEntity(const Slice& key,
                                      const AttributeGroups& attribute_groups) {
  size_t offset = rep_->batch.GetDataSize();
  RETURN_IF_ERROR(rep_->batch.PutEntity(key, attribute_groups));
  for (const AttributeGroup& group : attribute_groups) {
    offset =
        rep_->IndexRecord(offset, rep_->ComparatorOf(group.column_family()));
    if (offset == 0) return Damaged();
  }
  assert(offset == rep_->batch.GetDataSize());
  return Status::OK();
}

Status WriteBatchWithIndex::Merge(ColumnFamilyHandle* column_family,
                                  const Slice& key, const Slice& value) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.Merge(column_family, key, value);
  });
}

Status WriteBatchWithIndex::Merge(const Slice& key, const Slice& value) {
  return Merge(nullptr, key, value);
}

Status WriteBatchWithIndex::Merge(ColumnFamilyHandle* column_family,
                                  const Slice& key, const Slice& ts,
                                  const Slice& value) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.Merge(column_family, key, ts, value);
  });
}

Status WriteBatchWithIndex::Delete(ColumnFamilyHandle* column_family,
                                   const Slice& key) {
  return rep_->AddIndexed(
      column_family, [&] { return rep_->batch.Delete(column_family, key); });
}

Status WriteBatchWithIndex::Delete(const Slice& key) {
  return Delete(nullptr, key);
}

Status WriteBatchWithIndex::Delete(ColumnFamilyHandle* column_family,
                                   const Slice& key, const Slice& ts) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.Delete(column_family, key, ts);
  });
}

Status WriteBatchWithIndex::SingleDelete(ColumnFamilyHandle* column_family,
                                         const Slice& key) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.SingleDelete(column_family, key);
  });
}

Status WriteBatchWithIndex::SingleDelete(const Slice& key) {
  return SingleDelete(nullptr, key);
}

Status WriteBatchWithIndex::SingleDelete(ColumnFamilyHandle* column_family,
                                         const Slice& key, const Slice& ts) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.SingleDelete(column_family, key, ts);
  });
}

Status WriteBatchWithIndex::DeleteRange(ColumnFamilyHandle* column_family,
                                        const Slice& begin_key,
                                        const Slice& end_key) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.DeleteRange(column_family, begin_key, end_key);
  });
}

Status WriteBatchWithIndex::DeleteRange(const Slice& begin_key,
                                        const Slice& end_key) {
  return DeleteRange(nullptr, begin_key, end_key);
}

Status WriteBatchWithIndex::DeleteRange(ColumnFamilyHandle* column_family,
                                        const Slice& begin_key,
                                        const Slice& end_key, const Slice& ts) {
  return rep_->AddIndexed(column_family, [&] {
    return rep_->batch.DeleteRange(column_family, begin_key, end_key, ts);
  });
}

Status WriteBatchWithIndex::PutLogData(const Slice& blob) {
  return rep_->batch.PutLogData(blob);
}

// The next writes may be to families of another database.
void WriteBatchWithIndex::Clear() {
  rep_->batch.Clear();
  engine::MutexLock lock(&rep_->mu);
  rep_->families.clear();
}

WriteBatch* WriteBatchWithIndex::GetWriteBatch() { return &rep_->batch; }

void WriteBatchWithIndex::SetSavePoint() { rep_->batch.SetSavePoint(); }

Status WriteBatchWithIndex::RollbackToSavePoint() {
  RETURN_IF_ERROR(rep_->batch.RollbackToSavePoint());
  return rep_->Rebuild();
}

Status WriteBatchWithIndex::PopSavePoint() {
  return rep_->batch.PopSavePoint();
}

void WriteBatchWithIndex::SetMaxBytes(size_t max_bytes) {
  rep_->batch.SetMaxBytes(max_bytes);
}

size_t WriteBatchWithIndex::GetDataSize() const {
  return rep_->batch.GetDataSize();
}

// ---- Reading the batch.

WBWIIterator* WriteBatchWithIndex::NewIterator(
    ColumnFamilyHandle* column_family) {
  return new RecordIterator(&rep_->FamilyOf(column_family)->index);
}

WBWIIterator* WriteBatchWithIndex::NewIterator() {
  return NewIterator(nullptr);
}

Iterator* WriteBatchWithIndex::NewIteratorWithBase(
    ColumnFamilyHandle* column_family, Iterator* base_iterator,
    const ReadOptions* opts) {
  std::unique_ptr<Iterator> base(base_iterator);
  Rep::Family* const family = rep_->FamilyOf(column_family);
  OverlayOptions options;
  options.find_merge_operator = [rep = rep_.get(), column_family,
                                 family](MergeContext* merge) {
    return rep->MergeOperatorOf(column_family, family, merge);
  };
  options.within_prefix = opts != nullptr && opts->prefix_same_as_start;
  options.total_order = opts != nullptr && !options.within_prefix &&
                        (opts->total_order_seek || opts->auto_prefix_mode);
  if (opts != nullptr && opts->iterate_lower_bound != nullptr) {
    options.has_lower_bound = true;
    options.lower_bound = opts->iterate_lower_bound->ToString();
  }
  if (opts != nullptr && opts->iterate_upper_bound != nullptr) {
    options.has_upper_bound = true;
    options.upper_bound = opts->iterate_upper_bound->ToString();
  }
  return new OverlayIterator(&family->index, std::move(base),
                             std::move(options));
}

Iterator* WriteBatchWithIndex::NewIteratorWithBase(Iterator* base_iterator) {
  return NewIteratorWithBase(nullptr, base_iterator);
}

Status WriteBatchWithIndex::GetFromBatch(ColumnFamilyHandle* column_family,
                                         const DBOptions& /*options*/,
                                         const Slice& key, std::string* value) {
  return rep_->Answer(column_family, key, [value](const BatchAnswer& answer) {
    Slice plain;
    RETURN_IF_ERROR(PlainValueOf(answer, &plain));
    value->assign(plain.data(), plain.size());
    return Status::OK();
  });
}

Status WriteBatchWithIndex::GetEntityFromBatch(
    ColumnFamilyHandle* column_family, const Slice& key,
    PinnableWideColumns* columns) {
  if (columns == nullptr) {
    return Status::InvalidArgument("GetEntityFromBatch needs columns to fill");
  }
  columns->Reset();
  return rep_->Answer(column_family, key, [columns](const BatchAnswer& answer) {
    return ColumnsOf(answer, columns);
  });
}

// ---- Reading through the batch.

namespace {

Status CheckTarget(const DB* db, const void* value) {
  if (db != nullptr && value != nullptr) return Status::OK();
  return Status::InvalidArgument(
      "reading a batch and a database needs both, and a value to fill");
}

}  // namespace

Status WriteBatchWithIndex::GetFromBatchAndDB(DB* db,
                                              const ReadOptions& read_options,
                                              const Slice& key,
                                              std::string* value) {
  RETURN_IF_ERROR(CheckTarget(db, value));
  return GetFromBatchAndDB(db, read_options, db->DefaultColumnFamily(), key,
                           value);
}

Status WriteBatchWithIndex::GetFromBatchAndDB(DB* db,
                                              const ReadOptions& read_options,
                                              const Slice& key,
                                              PinnableSlice* value) {
  RETURN_IF_ERROR(CheckTarget(db, value));
  return GetFromBatchAndDB(db, read_options, db->DefaultColumnFamily(), key,
                           value);
}

Status WriteBatchWithIndex::GetFromBatchAndDB(DB* db,
                                              const ReadOptions& read_options,
                                              ColumnFamilyHandle* column_family,
                                              const Slice& key,
                                              std::string* value) {
  RETURN_IF_ERROR(CheckTarget(db, value));
  PinnableSlice pinned(value);
  const Status status =
      GetFromBatchAndDB(db, read_options, column_family, key, &pinned);
  if (status.ok() && pinned.IsPinned()) {
    value->assign(pinned.data(), pinned.size());
  }
  return status;
}

Status WriteBatchWithIndex::GetFromBatchAndDB(DB* db,
                                              const ReadOptions& read_options,
                                              ColumnFamilyHandle* column_family,
                                              const Slice& key,
                                              PinnableSlice* value) {
  RETURN_IF_ERROR(CheckTarget(db, value));
  if (column_family == nullptr) column_family = db->DefaultColumnFamily();
  RETURN_IF_ERROR(CheckTime(read_options, *column_family));
  BatchState state;
  RETURN_IF_ERROR(rep_->StateOf(column_family, key, &state));
  if (!state.decides() && state.operands.empty()) {
    return db->Get(read_options, column_family, key, value);
  }
  BatchAnswer answer;
  RETURN_IF_ERROR(rep_->AnswerThrough(db, read_options, column_family, key,
                                      state, &answer));
  Slice plain;
  RETURN_IF_ERROR(PlainValueOf(answer, &plain));
  value->Reset();
  value->PinSelf(plain);
  return Status::OK();
}

Status WriteBatchWithIndex::GetEntityFromBatchAndDB(
    DB* db, const ReadOptions& read_options, ColumnFamilyHandle* column_family,
    const Slice& key, PinnableWideColumns* columns) {
  RETURN_IF_ERROR(CheckTarget(db, columns));
  if (column_family == nullptr) column_family = db->DefaultColumnFamily();
  RETURN_IF_ERROR(CheckTime(read_options, *column_family));
  BatchState state;
  RETURN_IF_ERROR(rep_->StateOf(column_family, key, &state));
  if (!state.decides() && state.operands.empty()) {
    return db->GetEntity(read_options, column_family, key, columns);
  }
  columns->Reset();
  BatchAnswer answer;
  RETURN_IF_ERROR(rep_->AnswerThrough(db, read_options, column_family, key,
                                      state, &answer));
  return ColumnsOf(answer, columns);
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void WriteBatchWithIndex::MultiGetFromBatchAndDB(
    DB* db, const ReadOptions& read_options, ColumnFamilyHandle* column_family,
    size_t num_keys, const Slice* keys, PinnableSlice* values, Status* statuses,
    bool sorted_input) {
  const Status checked = CheckTarget(db, statuses);
  if (!checked.ok()) {
    std::fill_n(statuses, num_keys, checked);
    return;
  }
  if (column_family == nullptr) column_family = db->DefaultColumnFamily();
  rep_->ReadMany(
      column_family, {keys, num_keys}, values, statuses,
      [&](size_t i) {
        return GetFromBatchAndDB(db, read_options, column_family, keys[i],
                                 &values[i]);
      },
      [&](const std::vector<Slice>& wanted, PinnableSlice* found,
          Status* read) {
        db->MultiGet(read_options, column_family, wanted.size(), wanted.data(),
                     found, read, sorted_input);
      });
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void WriteBatchWithIndex::MultiGetEntityFromBatchAndDB(
    DB* db, const ReadOptions& read_options, ColumnFamilyHandle* column_family,
    size_t num_keys, const Slice* keys, PinnableWideColumns* results,
    Status* statuses, bool sorted_input) {
  const Status checked = CheckTarget(db, statuses);
  if (!checked.ok()) {
    std::fill_n(statuses, num_keys, checked);
    return;
  }
  if (column_family == nullptr) column_family = db->DefaultColumnFamily();
  rep_->ReadMany(
      column_family, {keys, num_keys}, results, statuses,
      [&](size_t i) {
        return GetEntityFromBatchAndDB(db, read_options, column_family, keys[i],
                                       &results[i]);
      },
      [&](const std::vector<Slice>& wanted, PinnableWideColumns* found,
          Status* read) {
        db->MultiGetEntity(read_options, column_family, wanted.size(),
                           wanted.data(), found, read, sorted_input);
      });
}

}  // namespace ROCKSDB_NAMESPACE
