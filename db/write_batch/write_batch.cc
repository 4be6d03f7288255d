// WriteBatch and WriteBatchBase: the public face of a batch. Records are
// written by WriteBatchInternal and read by ForEachRecord.

#include "rocksdb/write_batch.h"

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "db/write_batch/batch_format.h"
#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/slice.h"
#include "table/entity.h"

namespace ROCKSDB_NAMESPACE {

using engine::RecordKind;
using engine::WriteBatchInternal;

struct SavePoints {
  std::vector<SavePoint> stack;
};

namespace {

// What a handle says about where a record goes.
struct Target {
  uint32_t family = 0;
  size_t timestamp_size = 0;
};

Target TargetOf(ColumnFamilyHandle* handle, size_t default_timestamp_size) {
  if (handle == nullptr) return {0, default_timestamp_size};
  const Comparator* const comparator = handle->GetComparator();
  return {handle->GetID(),
          comparator == nullptr ? 0 : comparator->timestamp_size()};
}

Status CheckTimestamp(const Target& target, size_t given) {
  if (target.timestamp_size == given) return {};
  return Status::InvalidArgument(
      "timestamp: column family " + std::to_string(target.family) +
          " expects " + std::to_string(target.timestamp_size) + " bytes",
      "found " + std::to_string(given));
}

// A batch knows the size for its default column family from its beginning, so
// that keys without a handle get a place, too.
Status CheckDefault(const Target& target, ColumnFamilyHandle* handle,
                    size_t default_timestamp_size) {
  const bool differs = handle != nullptr && target.family == 0 &&
                       target.timestamp_size != default_timestamp_size;
  return differs ? Status::InvalidArgument("Default cf timestamp size mismatch")
                 : Status::OK();
}

// Of the methods that leave no place for a timestamp.
Status CheckNoTimestamp(const Target& target, ColumnFamilyHandle* handle,
                        size_t default_timestamp_size) {
  RETURN_IF_ERROR(CheckDefault(target, handle, default_timestamp_size));
  return target.timestamp_size == 0
             ? Status::OK()
             : Status::InvalidArgument(
                   "Cannot call this method on column family enabling "
                   "timestamp");
}

Status CheckGroups(const AttributeGroups& groups) {
  if (groups.empty()) {
    return Status::InvalidArgument("Cannot call PutEntity without groups");
  }
  for (const AttributeGroup& group : groups) {
    if (group.column_family() == nullptr) {
      return Status::InvalidArgument(
          "PutEntity: an attribute group has no column family");
    }
  }
  return {};
}

// A key in front of its timestamp.
class StampedKey {
 public:
  StampedKey(const Slice& key, const Slice& timestamp)
      : slices_{key, timestamp} {}
  operator SliceParts() const { return {slices_, 2}; }  // NOLINT: a view.

 private:
  Slice slices_[2];
};

// Adds a record whose key is given without the timestamp that its family wants:
// with a place for it. `value`: SliceParts, where the record has one.
template <typename... Value>
Status AddPlaced(WriteBatch* batch, const RecordKind& kind,
                 const Target& target, const Slice& key,
                 const Value&... value) {
  const std::string place(target.timestamp_size, '\0');
  RETURN_IF_ERROR(WriteBatchInternal::Add(batch, kind, target.family,
                                          StampedKey(key, place), value...));
  WriteBatchInternal::MarkLacksTimestamp(batch);
  return {};
}

// Appends to `ends` where, in `rep`, keys with timestamps of `size` end.
Status FindTimestamps(const std::string& rep, size_t size,
                      const std::function<size_t(uint32_t)>& size_of,
                      std::vector<size_t>* ends) {
  Status status;
  const auto add = [&](const Slice& key) {
    if (key.size() < size) {
      status = Status::Corruption(
          "a key that ends in a timestamp of " + std::to_string(size) +
              " bytes",
          "found one of " + std::to_string(key.size()) + " bytes");
    } else {
      ends->push_back(
          static_cast<size_t>(key.data() + key.size() - rep.data()));
    }
  };
  const auto visit = [&](const engine::BatchRecord& record) {
    if (!engine::IsCounted(record.type)) return true;
    const Target target{record.family, size_of(record.family)};
    if (target.timestamp_size == 0) return true;
    if (target.timestamp_size == std::numeric_limits<size_t>::max()) {
      status = Status::NotFound("column family", std::to_string(record.family));
      return false;
    }
    status = CheckTimestamp(target, size);
    if (status.ok()) add(record.key);
    const bool is_range = record.type == engine::ValueType::kRangeDeletion;
    if (status.ok() && is_range) add(record.value);
    return status.ok();
  };
  const Status parsed = engine::ForEachRecord(rep, visit);
  return status.ok() ? parsed : status;
}

}  // namespace

// ---- Making and copying.

WriteBatch::WriteBatch(size_t reserved_bytes, size_t max_bytes,
                       size_t /*protection_bytes_per_key*/,
                       size_t default_cf_ts_sz)
    : content_flags_(0),
      max_bytes_(max_bytes),
      default_cf_ts_sz_(default_cf_ts_sz) {
  if (reserved_bytes > engine::kBatchHeaderSize) rep_.reserve(reserved_bytes);
  rep_.resize(engine::kBatchHeaderSize);
}

WriteBatch::WriteBatch(const std::string& rep) : WriteBatch(std::string(rep)) {}

WriteBatch::WriteBatch(std::string&& rep)
    : content_flags_(engine::kDeferred), max_bytes_(0), rep_(std::move(rep)) {}

WriteBatch::WriteBatch(const WriteBatch& src)
    : wal_term_point_(src.wal_term_point_),
      content_flags_(src.content_flags_.load(std::memory_order_relaxed)),
      max_bytes_(src.max_bytes_),
      default_cf_ts_sz_(src.default_cf_ts_sz_),
      rep_(src.rep_) {
  if (src.save_points_ != nullptr) {
    save_points_ = std::make_unique<SavePoints>(*src.save_points_);
  }
}

WriteBatch::WriteBatch(WriteBatch&& src) noexcept
    : save_points_(std::move(src.save_points_)),
      wal_term_point_(src.wal_term_point_),
      content_flags_(src.content_flags_.load(std::memory_order_relaxed)),
      max_bytes_(src.max_bytes_),
      default_cf_ts_sz_(src.default_cf_ts_sz_),
      rep_(std::move(src.rep_)) {
  src.Clear();  // Empty and usable, header included.
}

WriteBatch& WriteBatch::operator=(const WriteBatch& src) {
  if (this != &src) *this = WriteBatch(src);
  return *this;
}

// Declared as RocksDB declares it.
// NOLINTNEXTLINE(performance-noexcept-move-constructor)
WriteBatch& WriteBatch::operator=(WriteBatch&& src) {
  if (this == &src) return *this;
  save_points_ = std::move(src.save_points_);
  wal_term_point_ = src.wal_term_point_;
  content_flags_.store(src.content_flags_.load(std::memory_order_relaxed),
                       std::memory_order_relaxed);
  max_bytes_ = src.max_bytes_;
  default_cf_ts_sz_ = src.default_cf_ts_sz_;
  rep_ = std::move(src.rep_);
  src.Clear();
  return *this;
}

WriteBatch::~WriteBatch() = default;

void WriteBatch::Clear() {
  rep_.assign(engine::kBatchHeaderSize, '\0');
  content_flags_.store(0, std::memory_order_relaxed);
  if (save_points_ != nullptr) save_points_->stack.clear();
  wal_term_point_.clear();
}

// ---- Records.

Status WriteBatch::Put(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& value) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckDefault(target, column_family, default_cf_ts_sz_));
  if (target.timestamp_size > 0) {
    return AddPlaced(this, engine::kPutRecord, target, key,
                     SliceParts(&value, 1));
  }
  return WriteBatchInternal::Put(this, target.family, key, value);
}

Status WriteBatch::Put(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& ts, const Slice& value) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckTimestamp(target, ts.size()));
  return WriteBatchInternal::Add(this, engine::kPutRecord, target.family,
                                 StampedKey(key, ts), SliceParts(&value, 1));
}

Status WriteBatch::Put(ColumnFamilyHandle* column_family, const SliceParts& key,
                       const SliceParts& value) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckNoTimestamp(target, column_family, default_cf_ts_sz_));
  return WriteBatchInternal::Add(this, engine::kPutRecord, target.family, key,
                                 value);
}

Status WriteBatch::PutEntity(ColumnFamilyHandle* column_family,
                             const Slice& key, const WideColumns& columns) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckNoTimestamp(target, column_family, default_cf_ts_sz_));
  std::string entity;
  RETURN_IF_ERROR(engine::EncodeUnsortedEntity(columns, &entity));
  return WriteBatchInternal::Add(this, engine::kPutEntityRecord, target.family,
                                 key, entity);
}

// All groups or none, also where memory runs out on the way.
Status WriteBatch::PutEntity(const Slice& key,
                             const AttributeGroups& attribute_groups) {
  RETURN_IF_ERROR(CheckGroups(attribute_groups));
  const SavePoint before(rep_.size(), Count(),
                         content_flags_.load(std::memory_order_relaxed));
  const auto take_back = [&] {
    rep_.resize(before.size);
    if (before.size >= engine::kBatchHeaderSize) {
      WriteBatchInternal::SetCount(this, before.count);
    }
    content_flags_.store(before.content_flags, std::memory_order_relaxed);
  };
  try {
    for (const AttributeGroup& group : attribute_groups) {
      Status status = PutEntity(group.column_family(), key, group.columns());
      if (status.ok()) continue;
      take_back();
      return status;
    }
  } catch (...) {
    take_back();
    throw;
  }
  return {};
}

Status WriteBatch::Delete(ColumnFamilyHandle* column_family, const Slice& key) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckDefault(target, column_family, default_cf_ts_sz_));
  if (target.timestamp_size > 0) {
    return AddPlaced(this, engine::kDeleteRecord, target, key);
  }
  return WriteBatchInternal::Delete(this, target.family, key);
}

Status WriteBatch::Delete(ColumnFamilyHandle* column_family, const Slice& key,
                          const Slice& ts) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckTimestamp(target, ts.size()));
  return WriteBatchInternal::Add(this, engine::kDeleteRecord, target.family,
                                 StampedKey(key, ts));
}

Status WriteBatch::Delete(ColumnFamilyHandle* column_family,
                          const SliceParts& key) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckNoTimestamp(target, column_family, default_cf_ts_sz_));
  return WriteBatchInternal::Add(this, engine::kDeleteRecord, target.family,
                                 key);
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* column_family,
                                const Slice& key) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckDefault(target, column_family, default_cf_ts_sz_));
  if (target.timestamp_size > 0) {
    return AddPlaced(this, engine::kSingleDeleteRecord, target, key);
  }
  return WriteBatchInternal::SingleDelete(this, target.family, key);
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* column_family,
                                const Slice& key, const Slice& ts) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckTimestamp(target, ts.size()));
  return WriteBatchInternal::Add(this, engine::kSingleDeleteRecord,
                                 target.family, StampedKey(key, ts));
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* column_family,
                                const SliceParts& key) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckNoTimestamp(target, column_family, default_cf_ts_sz_));
  return WriteBatchInternal::Add(this, engine::kSingleDeleteRecord,
                                 target.family, key);
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* column_family,
                               const Slice& begin_key, const Slice& end_key) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckDefault(target, column_family, default_cf_ts_sz_));
  if (target.timestamp_size > 0) {
    const std::string place(target.timestamp_size, '\0');
    return AddPlaced(this, engine::kDeleteRangeRecord, target, begin_key,
                     StampedKey(end_key, place));
  }
  return WriteBatchInternal::DeleteRange(this, target.family, begin_key,
                                         end_key);
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* column_family,
                               const Slice& begin_key, const Slice& end_key,
                               const Slice& ts) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckTimestamp(target, ts.size()));
  return WriteBatchInternal::Add(this, engine::kDeleteRangeRecord,
                                 target.family, StampedKey(begin_key, ts),
                                 StampedKey(end_key, ts));
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* column_family,
                               const SliceParts& begin_key,
                               const SliceParts& end_key) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckNoTimestamp(target, column_family, default_cf_ts_sz_));
  return WriteBatchInternal::Add(this, engine::kDeleteRangeRecord,
                                 target.family, begin_key, end_key);
}

Status WriteBatch::Merge(ColumnFamilyHandle* column_family, const Slice& key,
                         const Slice& value) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckDefault(target, column_family, default_cf_ts_sz_));
  if (target.timestamp_size > 0) {
    return AddPlaced(this, engine::kMergeRecord, target, key,
                     SliceParts(&value, 1));
  }
  return WriteBatchInternal::Merge(this, target.family, key, value);
}

Status WriteBatch::Merge(ColumnFamilyHandle* column_family, const Slice& key,
                         const Slice& ts, const Slice& value) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckTimestamp(target, ts.size()));
  return WriteBatchInternal::Add(this, engine::kMergeRecord, target.family,
                                 StampedKey(key, ts), SliceParts(&value, 1));
}

Status WriteBatch::Merge(ColumnFamilyHandle* column_family,
                         const SliceParts& key, const SliceParts& value) {
  const Target target = TargetOf(column_family, default_cf_ts_sz_);
  RETURN_IF_ERROR(CheckNoTimestamp(target, column_family, default_cf_ts_sz_));
  return WriteBatchInternal::Add(this, engine::kMergeRecord, target.family, key,
                                 value);
}

Status WriteBatch::PutLogData(const Slice& blob) {
  return WriteBatchInternal::AddLogData(this, blob);
}

// ---- Save points.

void WriteBatch::SetSavePoint() {
  if (save_points_ == nullptr) save_points_ = std::make_unique<SavePoints>();
  save_points_->stack.emplace_back(
      rep_.size(), Count(), content_flags_.load(std::memory_order_relaxed));
}

Status WriteBatch::RollbackToSavePoint() {
  if (save_points_ == nullptr || save_points_->stack.empty()) {
    return Status::NotFound();
  }
  const SavePoint point = save_points_->stack.back();
  save_points_->stack.pop_back();
  if (point.size > rep_.size() || point.count > Count()) {
    return Status::Corruption("the batch is shorter than its save point");
  }
  rep_.resize(point.size);
  WriteBatchInternal::SetCount(this, point.count);
  content_flags_.store(point.content_flags, std::memory_order_relaxed);
  return {};
}

Status WriteBatch::PopSavePoint() {
  if (save_points_ == nullptr || save_points_->stack.empty()) {
    return Status::NotFound();
  }
  save_points_->stack.pop_back();
  return {};
}

void WriteBatch::MarkWalTerminationPoint() {
  wal_term_point_ = SavePoint(rep_.size(), Count(),
                              content_flags_.load(std::memory_order_relaxed));
}

Status WriteBatch::UpdateTimestamps(
    const Slice& ts,
    // NOLINTNEXTLINE(performance-unnecessary-value-param): RocksDB's signature.
    std::function<size_t(uint32_t)> ts_sz_func) {
  if (ts_sz_func == nullptr) {
    return Status::InvalidArgument("UpdateTimestamps needs a function");
  }
  std::vector<size_t> ends;
  RETURN_IF_ERROR(FindTimestamps(rep_, ts.size(), ts_sz_func, &ends));
  const std::string bytes = ts.ToString();  // It may point into the batch.
  for (const size_t end : ends) {
    rep_.replace(end - bytes.size(), bytes.size(), bytes);
  }
  // Also of what a save point keeps.
  constexpr uint32_t kOthers = ~uint32_t{engine::kLacksTimestamp};
  content_flags_.fetch_and(kOthers, std::memory_order_relaxed);
  wal_term_point_.content_flags &= kOthers;
  if (save_points_ != nullptr) {
    for (SavePoint& point : save_points_->stack) point.content_flags &= kOthers;
  }
  return {};
}

// ---- Reading.

uint32_t WriteBatch::Count() const {
  if (rep_.size() < engine::kBatchHeaderSize) return 0;
  return WriteBatchInternal::Count(this);
}

Status WriteBatch::Iterate(Handler* handler) const {
  Status status;
  bool empty_so_far = true;
  const Status parsed =
      engine::ForEachRecord(rep_, [&](const engine::BatchRecord& record) {
        if (!handler->Continue()) return false;
        status = WriteBatchInternal::Dispatch(record, empty_so_far, handler);
        // A no-op ends a transaction's part; what follows starts empty again.
        empty_so_far = record.type == engine::ValueType::kNoop ||
                       (empty_so_far && !engine::IsCounted(record.type));
        return status.ok();
      });
  return status.ok() ? parsed : status;
}

Status WriteBatch::VerifyChecksum() const {
  return engine::ForEachRecord(rep_,
                               [](const engine::BatchRecord&) { return true; });
}

uint32_t WriteBatch::ComputeContentFlags() const {
  uint32_t flags = content_flags_.load(std::memory_order_relaxed);
  if ((flags & engine::kDeferred) == 0) return flags;
  flags &= engine::kLacksTimestamp;
  // A damaged batch has what can be read of it; writing it reports the damage.
  engine::ForEachRecord(rep_, [&flags](const engine::BatchRecord& record) {
    flags |= engine::ContentFlagOf(record.type);
    return true;
  }).PermitUncheckedError();
  content_flags_.store(flags, std::memory_order_relaxed);
  return flags;
}

bool WriteBatch::HasPut() const {
  return (ComputeContentFlags() & engine::kHasPut) != 0;
}
bool WriteBatch::HasTimedPut() const {
  return (ComputeContentFlags() & engine::kHasTimedPut) != 0;
}
bool WriteBatch::HasPutEntity() const {
  return (ComputeContentFlags() & engine::kHasPutEntity) != 0;
}
bool WriteBatch::HasDelete() const {
  return (ComputeContentFlags() & engine::kHasDelete) != 0;
}
bool WriteBatch::HasSingleDelete() const {
  return (ComputeContentFlags() & engine::kHasSingleDelete) != 0;
}
bool WriteBatch::HasDeleteRange() const {
  return (ComputeContentFlags() & engine::kHasDeleteRange) != 0;
}
bool WriteBatch::HasMerge() const {
  return (ComputeContentFlags() & engine::kHasMerge) != 0;
}
bool WriteBatch::HasBeginPrepare() const {
  return (ComputeContentFlags() & engine::kHasBeginPrepare) != 0;
}
bool WriteBatch::HasEndPrepare() const {
  return (ComputeContentFlags() & engine::kHasEndPrepare) != 0;
}
bool WriteBatch::HasCommit() const {
  return (ComputeContentFlags() & engine::kHasCommit) != 0;
}
bool WriteBatch::HasRollback() const {
  return (ComputeContentFlags() & engine::kHasRollback) != 0;
}

}  // namespace ROCKSDB_NAMESPACE
