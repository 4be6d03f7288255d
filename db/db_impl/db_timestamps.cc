// User timestamps of DBImpl: reads at a time, writes with one, and how far
// back one may read.

#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "db/column_family/check_state.h"
#include "db/db_impl/batch_reserve.h"
#include "db/db_impl/db_impl.h"
#include "db/read/point_lookup.h"
#include "db/read/timestamp_iterator.h"
#include "rocksdb/comparator.h"
#include "rocksdb/table_properties.h"
#include "table/range_del/tombstone_set.h"
#include "table/timestamps.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

Status WrongSize(const char* what, const ColumnFamily& family, size_t found) {
  return Status::InvalidArgument(
      std::string(what) + ": column family '" + family.name() + "' expects " +
          std::to_string(family.icmp().timestamp_size()) + " bytes",
      "found " + std::to_string(found));
}

std::string TextOf(const ColumnFamily& family, const Slice& timestamp) {
  return family.icmp().user_comparator()->TimestampToString(timestamp);
}

}  // namespace

// ---------------------------------------------------------------------- reads

namespace {

// After the view was pinned: what a later rise of the limit drops is in it.
Status CheckReadTimestamp(DbState* db, const ColumnFamily& family,
                          const ReadOptions& options) {
  const size_t size = family.icmp().timestamp_size();
  RETURN_IF_ERROR(CheckReadTimestampSize(
      options, size, "column family '" + family.name() + "'"));
  if (size == 0) return Status::OK();
  const Slice* const start = options.iter_start_ts;
  std::string low;
  {
    MutexLock lock(&db->mu);
    low = family.versions()->full_history_ts_low();
  }
  const Slice from = start == nullptr ? *options.timestamp : *start;
  if (low.empty() ||
      family.icmp().user_comparator()->CompareTimestamp(from, low) >= 0) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "Read timestamp: " + TextOf(family, from) +
      " is smaller than full_history_ts_low: " + TextOf(family, low));
}

}  // namespace

Status DBImpl::LookUpAt(const ReadOptions& options, const FamilyPtr& family,
                        const Slice& key, PinnableSlice* value,
                        PinnableWideColumns* columns, std::string* timestamp) {
  std::string unwanted;
  const ScopedView view(family->views());
  RETURN_IF_ERROR(CheckReadTimestamp(state_.get(), *family, options));
  const SequenceNumber sequence = SequenceFor(options, *view);
  LookupDeps deps = LookupDepsOf(*family, options);
  std::string stamped = key.ToString();
  if (family->icmp().timestamp_size() > 0) {
    deps.timestamp = timestamp != nullptr ? timestamp : &unwanted;
    stamped.append(options.timestamp->data(), options.timestamp->size());
  }
  if (timestamp != nullptr) timestamp->clear();
  if (columns != nullptr) {
    return LookUpEntity(deps, *view, options, stamped, sequence, columns);
  }
  return LookUp(deps, *view, options, stamped, sequence, value);
}

Status DBImpl::GetAt(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     PinnableSlice* value, std::string* timestamp) {
  Statistics* const statistics = state_->store.statistics;
  StopWatch watch(state_->store.clock, statistics, DB_GET);
  value->Reset();
  const Status status = LookUpAt(options, FamilyOf(column_family), key, value,
                                 nullptr, timestamp);
  RecordTick(statistics, NUMBER_KEYS_READ);
  if (status.ok()) {
    RecordTick(statistics, BYTES_READ, value->size());
    RecordInHistogram(statistics, BYTES_PER_READ, value->size());
  }
  return status;
}

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
void DBImpl::MultiGetAt(const ReadOptions& options, size_t num_keys,
                        ColumnFamilyHandle** column_families, const Slice* keys,
                        PinnableSlice* values, std::string* timestamps,
                        Status* statuses) {
  Statistics* const statistics = state_->store.statistics;
  StopWatch watch(state_->store.clock, statistics, DB_MULTIGET);
  RecordTick(statistics, NUMBER_MULTIGET_CALLS);
  RecordTick(statistics, NUMBER_MULTIGET_KEYS_READ, num_keys);
  // All keys at one moment, which a snapshot holds while they are read.
  ReadOptions at = options;
  const Snapshot* const held =
      options.snapshot == nullptr ? NewSnapshot() : nullptr;
  if (held != nullptr) at.snapshot = held;
  uint64_t bytes = 0;
  for (size_t i = 0; i < num_keys; ++i) {
    values[i].Reset();
    if (bytes > options.value_size_soft_limit) {
      statuses[i] = Status::Aborted("value_size_soft_limit exceeded");
      continue;
    }
    // A family without timestamps is read as ever.
    ReadOptions plain = at;
    const FamilyPtr& family = FamilyOf(column_families[i]);
    if (family->icmp().timestamp_size() == 0) plain.timestamp = nullptr;
    statuses[i] = LookUpAt(plain, family, keys[i], &values[i], nullptr,
                           timestamps == nullptr ? nullptr : &timestamps[i]);
    if (!statuses[i].ok()) continue;
    bytes += values[i].size();
    RecordTick(statistics, NUMBER_MULTIGET_KEYS_FOUND);
    RecordTick(statistics, NUMBER_MULTIGET_BYTES_READ, values[i].size());
  }
  ReleaseSnapshot(held);
}

Iterator* DBImpl::NewTimestampIterator(const ReadOptions& options,
                                       const FamilyPtr& family,
                                       const ViewRef& first,
                                       const SequenceNumber* at) {
  if (family->icmp().timestamp_size() == 0) {
    return NewErrorIterator(CheckReadTimestamp(state_.get(), *family, options));
  }
  if (options.tailing) {
    return NewErrorIterator(
        Status::NotSupported("Tailing iterators with user timestamps"));
  }
  const ReadOptions inner = OptionsBelowTimestamps(options);
  const auto open = [this, inner, family](const ViewRef& pinned,
                                          const SequenceNumber* sequence,
                                          SequenceNumber* used) {
    const ReadView* const view = pinned.get();
    *used = sequence != nullptr ? *sequence : SequenceFor(inner, *view);
    IteratorState state;
    state.sequence = *used;
    return NewInternalIterator(inner, family, *view, state);
  };
  if (const Status status = CheckReadTimestamp(state_.get(), *family, options);
      !status.ok()) {
    return NewErrorIterator(status);
  }
  TimestampIteratorDeps deps;
  std::unique_ptr<InternalIterator> iter = open(first, at, &deps.sequence);
  deps.icmp = &family->icmp();
  deps.merge = {first->options->merge_operator.get(), state_->store.info_log,
                state_->store.statistics};
  deps.prefix_extractor = first->options->prefix_extractor;
  deps.trace = {&state_->tracer, family->id()};
  deps.reopen = [open, family](const Snapshot* snapshot, SequenceNumber* used) {
    const SequenceNumber sequence =
        snapshot != nullptr ? snapshot->GetSequenceNumber() : 0;
    return open(family->views().Pin(),
                snapshot != nullptr ? &sequence : nullptr, used);
  };
  return new TimestampIterator(std::move(deps), options, std::move(iter));
}

// --------------------------------------------------------------------- writes

Status DBImpl::CheckNoTimestamp(ColumnFamilyHandle* column_family) {
  const ColumnFamily& family = *FamilyOf(column_family);
  if (family.icmp().timestamp_size() == 0) [[likely]]
    return Status::OK();
  return WrongSize("timestamp", family, 0);
}

Status DBImpl::Put(const WriteOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   const Slice& ts, const Slice& value) {
  WriteBatch batch(BatchReserve(key.size() + ts.size() + value.size()));
  RETURN_IF_ERROR(batch.Put(column_family, key, ts, value));
  return Write(options, &batch);
}

Status DBImpl::Delete(const WriteOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& ts) {
  WriteBatch batch;
  RETURN_IF_ERROR(batch.Delete(column_family, key, ts));
  return Write(options, &batch);
}

Status DBImpl::SingleDelete(const WriteOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            const Slice& ts) {
  WriteBatch batch;
  RETURN_IF_ERROR(batch.SingleDelete(column_family, key, ts));
  return Write(options, &batch);
}

Status DBImpl::DeleteRange(const WriteOptions& options,
                           ColumnFamilyHandle* column_family,
                           const Slice& begin_key, const Slice& end_key,
                           const Slice& ts) {
  WriteBatch batch;
  RETURN_IF_ERROR(batch.DeleteRange(column_family, begin_key, end_key, ts));
  return Write(options, &batch);
}

Status DBImpl::Merge(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& ts, const Slice& value) {
  WriteBatch batch(BatchReserve(key.size() + ts.size() + value.size()));
  RETURN_IF_ERROR(batch.Merge(column_family, key, ts, value));
  return Write(options, &batch);
}

// -------------------------------------------------------------------- history

Status DBImpl::IncreaseFullHistoryTsLow(ColumnFamilyHandle* column_family,
                                        std::string ts_low) {
  RETURN_IF_ERROR(CheckWritable());
  const FamilyPtr& family = FamilyOf(column_family);
  const size_t size = family->icmp().timestamp_size();
  if (size == 0) {
    return Status::InvalidArgument(
        "Timestamp is not enabled in this column family");
  }
  if (ts_low.size() != size) {
    return WrongSize("full_history_ts_low", *family, ts_low.size());
  }
  // One at a time, so that the MANIFEST never says a smaller one later.
  MutexLock alone(&history_mu_);
  MutexLock lock(&state_->mu);
  FamilyVersions* const versions = family->versions();
  const std::string& now = versions->full_history_ts_low();
  const Comparator& comparator = *family->icmp().user_comparator();
  if (!now.empty()) {
    const int order = comparator.CompareTimestamp(ts_low, now);
    if (order == 0) return Status::OK();
    if (order < 0) {
      return Status::InvalidArgument("Cannot decrease full_history_ts_low",
                                     TextOf(*family, now));
    }
  }
  VersionEdit edit;
  edit.column_family = family->id();
  edit.full_history_ts_low = std::move(ts_low);
  const Status status = state_->versions->LogAndApply(
      versions, &edit, &state_->mu, state_->directory.get());
  CheckState(*state_);
  return status;
}

Status DBImpl::GetFullHistoryTsLow(ColumnFamilyHandle* column_family,
                                   std::string* ts_low) {
  if (ts_low == nullptr) return Status::InvalidArgument("ts_low is nullptr");
  const FamilyPtr& family = FamilyOf(column_family);
  if (family->icmp().timestamp_size() == 0) {
    return Status::InvalidArgument(
        "Timestamp is not enabled in this column family");
  }
  MutexLock lock(&state_->mu);
  *ts_low = family->versions()->full_history_ts_low();
  return Status::OK();
}

namespace {

// The newest of the timestamps that it is given.
class NewestTimestamp {
 public:
  explicit NewestTimestamp(const Comparator* order) : order_(*order) {
    assert(order->timestamp_size() > 0);
  }

  void Add(const Slice& timestamp) {
    if (timestamp.size() != order_.timestamp_size()) return;
    if (newest_.empty() || order_.CompareTimestamp(timestamp, newest_) > 0) {
      newest_.assign(timestamp.data(), timestamp.size());
    }
  }
  Status AddAll(const MemTable& memtable) {
    const std::unique_ptr<InternalIterator> it(memtable.NewIterator());
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      Add(TimestampOf(ExtractUserKey(it->key()), order_.timestamp_size()));
    }
    std::vector<RangeTombstone> tombstones;
    memtable.range_deletions().AppendTo(&tombstones);
    for (const RangeTombstone& tombstone : tombstones) {
      Add(tombstone.timestamp);
    }
    return it->status();
  }
  // `limit`: of tables whose timestamps were taken off, all were below it; may
  // be empty.
  Status AddTable(const ColumnFamily& family, const FileMetaData& file,
                  int level, const std::string& limit) {
    if (!file.max_timestamp.empty()) {
      Add(file.max_timestamp);
      return Status::OK();
    }
    if (!file.timestamps_persisted) {
      AddBelow(limit);
      return Status::OK();
    }
    const auto table = family.tables().Find(file, level);
    if (!table.ok()) return table.status();
    const UserCollectedProperties& properties =
        (*table)->properties()->user_collected_properties;
    const auto found = properties.find("rocksdb.timestamp_max");
    if (found == properties.end()) return Status::OK();
    Add(found->second);
    // So a compaction of tables without timestamps writes them.
    if (found->second == MinTimestampOf(order_)) AddBelow(limit);
    return Status::OK();
  }
  const std::string& newest() const { return newest_; }

 private:
  void AddBelow(const std::string& limit) {
    uint64_t time = 0;
    if (!DecodeU64Ts(limit, &time).ok() || time == 0) return;
    std::string bytes;
    Add(EncodeU64Ts(time - 1, &bytes));
  }

  const Comparator& order_;
  std::string newest_;
};

}  // namespace

Status DBImpl::GetNewestUserDefinedTimestamp(ColumnFamilyHandle* column_family,
                                             std::string* newest_timestamp) {
  if (newest_timestamp == nullptr) {
    return Status::InvalidArgument("newest_timestamp is nullptr");
  }
  newest_timestamp->clear();
  const FamilyPtr& family = FamilyOf(column_family);
  if (family->icmp().timestamp_size() == 0) {
    return Status::InvalidArgument(
        "Timestamp is not enabled in this column family");
  }
  const ViewRef view = family->views().Pin();
  std::string limit;
  {
    MutexLock lock(&state_->mu);
    limit = family->versions()->full_history_ts_low();
  }
  NewestTimestamp newest(family->icmp().user_comparator());
  RETURN_IF_ERROR(newest.AddAll(*view->mem));
  for (const MemTablePtr& memtable : *view->imm) {
    RETURN_IF_ERROR(newest.AddAll(*memtable));
  }
  const Version& version = *view->version;
  for (int level = 0; level < version.num_non_empty_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      RETURN_IF_ERROR(newest.AddTable(*family, *file, level, limit));
    }
  }
  *newest_timestamp = newest.newest();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
