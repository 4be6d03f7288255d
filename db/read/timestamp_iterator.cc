#include "db/read/timestamp_iterator.h"

#include <cassert>
#include <utility>

#include "table/entity.h"
#include "table/timestamps.h"
#include "util/coding.h"
#include "util/result.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

Status CheckReadTimestampSize(const ReadOptions& options, size_t size,
                              const std::string& owner) {
  const auto check = [&](const char* what, const Slice* given) {
    const size_t found = given == nullptr ? 0 : given->size();
    if (found == size && (size > 0 || given == nullptr)) return Status::OK();
    return Status::InvalidArgument(
        what + (": " + owner) + " expects " + std::to_string(size) + " bytes",
        "found " + std::to_string(found));
  };
  RETURN_IF_ERROR(check("ReadOptions::timestamp", options.timestamp));
  if (options.iter_start_ts == nullptr) return Status::OK();
  return check("ReadOptions::iter_start_ts", options.iter_start_ts);
}

ReadOptions OptionsBelowTimestamps(const ReadOptions& options) {
  ReadOptions below = options;
  below.iterate_lower_bound = nullptr;
  below.iterate_upper_bound = nullptr;
  below.prefix_same_as_start = false;
  below.auto_prefix_mode = false;
  below.total_order_seek = true;
  return below;
}

TimestampIterator::TimestampIterator(TimestampIteratorDeps deps,
                                     const ReadOptions& options,
                                     std::unique_ptr<InternalIterator> iter)
    : deps_(std::move(deps)),
      comparator_(*deps_.icmp->user_comparator()),
      size_(comparator_.timestamp_size()),
      lower_(options.iterate_lower_bound),
      upper_(options.iterate_upper_bound),
      same_prefix_(options.prefix_same_as_start &&
                   deps_.prefix_extractor != nullptr),
      timestamp_(options.timestamp->ToString()),
      lower_timestamp_(options.iter_start_ts == nullptr
                           ? std::string()
                           : options.iter_start_ts->ToString()),
      min_timestamp_(MinTimestampOf(comparator_)),
      max_timestamp_(MaxTimestampOf(comparator_)),
      iter_(std::move(iter)) {
  RecordTick(deps_.merge.statistics, NO_ITERATOR_CREATED);
}

TimestampIterator::~TimestampIterator() {
  RecordTick(deps_.merge.statistics, NO_ITERATOR_DELETED);
}

Slice TimestampIterator::key() const {
  if (every_version()) return saved_;
  return StripTimestamp(ExtractUserKey(saved_), size_);
}

Slice TimestampIterator::timestamp() const {
  return TimestampOf(ExtractUserKey(saved_), size_);
}

const WideColumns& TimestampIterator::columns() const {
  if (!shows_entity_) {
    columns_.assign(1, WideColumn(kDefaultWideColumnName, value_));
  }
  return columns_;
}

Status TimestampIterator::status() const {
  return status_.ok() ? iter_->status() : status_;
}

Status TimestampIterator::Refresh(const Snapshot* snapshot) {
  if (!deps_.reopen) {
    return Status::NotSupported("Refresh() is not supported by this iterator");
  }
  iter_ = deps_.reopen(snapshot, &deps_.sequence);
  Clear();
  return Status::OK();
}

void TimestampIterator::Clear() {
  status_ = Status::OK();
  valid_ = false;
  has_prefix_ = false;
}

void TimestampIterator::Fail(const Status& status) {
  if (status_.ok()) status_ = status;
  valid_ = false;
}

// ---------------------------------------------------------------- boundaries

int TimestampIterator::CompareToBound(const Slice& user_key,
                                      const Slice& bound) const {
  return comparator_.CompareWithoutTimestamp(user_key, /*a_has_ts=*/true, bound,
                                             /*b_has_ts=*/false);
}

bool TimestampIterator::BeyondUpper(const Slice& user_key) const {
  return upper_ != nullptr && CompareToBound(user_key, *upper_) >= 0;
}

bool TimestampIterator::BelowLower(const Slice& user_key) const {
  return lower_ != nullptr && CompareToBound(user_key, *lower_) < 0;
}

void TimestampIterator::RememberPrefix(const Slice& target) {
  has_prefix_ = same_prefix_ && deps_.prefix_extractor->InDomain(target);
  if (has_prefix_) {
    prefix_ = deps_.prefix_extractor->Transform(target).ToString();
  }
}

bool TimestampIterator::LeftPrefix(const Slice& user_key) const {
  if (!has_prefix_) return false;
  const Slice key = StripTimestamp(user_key, size_);
  return !deps_.prefix_extractor->InDomain(key) ||
         deps_.prefix_extractor->Transform(key) != Slice(prefix_);
}

bool TimestampIterator::SameGroup(const Slice& user_key,
                                  const Slice& other) const {
  return every_version()
             ? comparator_.Compare(user_key, other) == 0
             : comparator_.CompareWithoutTimestamp(user_key, other) == 0;
}

bool TimestampIterator::Visible(const ParsedInternalKey& entry) const {
  if (entry.sequence > deps_.sequence) return false;
  const Slice timestamp = TimestampOf(entry.user_key, size_);
  return comparator_.CompareTimestamp(timestamp, timestamp_) <= 0 &&
         (!every_version() ||
          comparator_.CompareTimestamp(timestamp, lower_timestamp_) >= 0);
}

void TimestampIterator::SeekTo(const Slice& key, const std::string& timestamp,
                               uint64_t trailer, bool for_prev) {
  // `key` may be part of the entry at hand.
  std::string target;
  target.reserve(key.size() + timestamp.size() + kTrailerSize);
  target.append(key.data(), key.size());
  target.append(timestamp);
  PutFixed64(&target, trailer);
  target_ = std::move(target);
  if (for_prev) {
    iter_->SeekForPrev(target_);
  } else {
    iter_->Seek(target_);
  }
}

void TimestampIterator::SeekBefore(const Slice& user_key) {
  const uint64_t trailer = PackSequenceAndType(kSequenceMax, kTypeForSeek);
  SeekTo(StripTimestamp(user_key, size_),
         every_version() ? TimestampOf(user_key, size_).ToString()
                         : max_timestamp_,
         trailer, /*for_prev=*/true);
}

void TimestampIterator::SeekToGroup(const Slice& user_key) {
  const uint64_t trailer = PackSequenceAndType(deps_.sequence, kTypeForSeek);
  SeekTo(StripTimestamp(user_key, size_),
         every_version() ? TimestampOf(user_key, size_).ToString() : timestamp_,
         trailer, /*for_prev=*/false);
}

// ---------------------------------------------------------------- positions

void TimestampIterator::SeekToFirst() {
  if (lower_ != nullptr) {
    SeekFrom(*lower_);
    return;
  }
  Clear();
  RecordTick(deps_.merge.statistics, NUMBER_DB_SEEK);
  iter_->SeekToFirst();
  FindForward(/*hides_saved=*/false);
  if (valid_) RecordTick(deps_.merge.statistics, NUMBER_DB_SEEK_FOUND);
  if (valid_) RememberPrefix(StripTimestamp(ExtractUserKey(saved_), size_));
}

void TimestampIterator::Seek(const Slice& target) {
  deps_.trace.Seek(QueryTracer::kSeek, target, lower_, upper_);
  SeekFrom(target);
}

void TimestampIterator::SeekFrom(const Slice& target) {
  Clear();
  RecordTick(deps_.merge.statistics, NUMBER_DB_SEEK);
  RememberPrefix(target);
  const bool below =
      lower_ != nullptr &&
      comparator_.CompareWithoutTimestamp(target, false, *lower_, false) < 0;
  SeekTo(below ? *lower_ : target, timestamp_,
         PackSequenceAndType(deps_.sequence, kTypeForSeek), false);
  FindForward(/*hides_saved=*/false);
  if (valid_) RecordTick(deps_.merge.statistics, NUMBER_DB_SEEK_FOUND);
}

void TimestampIterator::SeekToLast() {
  Clear();
  RecordTick(deps_.merge.statistics, NUMBER_DB_SEEK);
  if (upper_ != nullptr) {
    SeekTo(*upper_, max_timestamp_,
           PackSequenceAndType(kSequenceMax, kTypeForSeek), true);
  } else {
    iter_->SeekToLast();
  }
  FindBackward();
  if (valid_) RecordTick(deps_.merge.statistics, NUMBER_DB_SEEK_FOUND);
  if (valid_) RememberPrefix(StripTimestamp(ExtractUserKey(saved_), size_));
}

void TimestampIterator::SeekForPrev(const Slice& target) {
  deps_.trace.Seek(QueryTracer::kSeekForPrev, target, lower_, upper_);
  if (upper_ != nullptr &&
      comparator_.CompareWithoutTimestamp(target, false, *upper_, false) >= 0) {
    SeekToLast();
    return;
  }
  Clear();
  RecordTick(deps_.merge.statistics, NUMBER_DB_SEEK);
  RememberPrefix(target);
  SeekTo(target, min_timestamp_, PackSequenceAndType(0, kTypeForSeekForPrev),
         true);
  FindBackward();
  if (valid_) RecordTick(deps_.merge.statistics, NUMBER_DB_SEEK_FOUND);
}

void TimestampIterator::Next() {
  assert(valid_);
  RecordTick(deps_.merge.statistics, NUMBER_DB_NEXT);
  // In both directions the internal iterator stands on or behind the entry
  // shown, within its group.
  FindForward(/*hides_saved=*/true);
  if (valid_) RecordTick(deps_.merge.statistics, NUMBER_DB_NEXT_FOUND);
}

void TimestampIterator::Prev() {
  assert(valid_);
  RecordTick(deps_.merge.statistics, NUMBER_DB_PREV);
  SeekBefore(ExtractUserKey(saved_));
  FindBackward();
  if (valid_) RecordTick(deps_.merge.statistics, NUMBER_DB_PREV_FOUND);
}

// ------------------------------------------------------------------ searches

bool TimestampIterator::Parse(ParsedInternalKey* entry) {
  if (ParseInternalKey(iter_->key(), entry) &&
      entry->user_key.size() >= size_) {
    return true;
  }
  Fail(Status::Corruption("Internal key shorter than timestamp and trailer"));
  return false;
}

void TimestampIterator::FindForward(bool hides_saved) {
  valid_ = false;
  ParsedInternalKey entry;
  while (iter_->Valid()) {
    if (!Parse(&entry)) return;
    // (2)
    if (BeyondUpper(entry.user_key) || LeftPrefix(entry.user_key)) return;
    const bool hidden =
        hides_saved && SameGroup(entry.user_key, ExtractUserKey(saved_));
    if (!hidden && Visible(entry)) {
      saved_.assign(iter_->key().data(), iter_->key().size());
      hides_saved = true;
      if (Show(entry) || !status_.ok()) return;
    } else {
      iter_->Next();
    }
  }
}

// The internal iterator stands on the last entry before where it came from.
void TimestampIterator::FindBackward() {
  valid_ = false;
  ParsedInternalKey entry;
  std::string group;
  while (iter_->Valid()) {
    if (!Parse(&entry)) return;
    // (2)
    if (BelowLower(entry.user_key) || LeftPrefix(entry.user_key)) return;
    group.assign(entry.user_key.data(), entry.user_key.size());
    for (SeekToGroup(group); iter_->Valid(); iter_->Next()) {
      if (!Parse(&entry)) return;
      if (!SameGroup(entry.user_key, group)) break;
      if (!Visible(entry)) continue;
      saved_.assign(iter_->key().data(), iter_->key().size());
      if (Show(entry) || !status_.ok()) return;
      break;
    }
    if (!iter_->status().ok()) return;
    SeekBefore(group);
  }
}

bool TimestampIterator::Show(const ParsedInternalKey& entry) {
  assert(saved_.size() == entry.user_key.size() + kTrailerSize);  // (1)
  shows_entity_ = false;
  value_.clear();
  switch (entry.type) {
    case ValueType::kValue:
    case ValueType::kWideColumnEntity:
    case ValueType::kValuePreferredSeqno:
      return ShowValue(entry.type, iter_->value());
    case ValueType::kDeletion:
    case ValueType::kDeletionWithTimestamp:
    case ValueType::kSingleDeletion:
      valid_ = every_version();
      return valid_;
    case ValueType::kMerge:
      if (!every_version()) return ShowMerged(entry);
      Fail(Status::NotSupported("iter_start_ts with merge operands"));
      return false;
    default:
      Fail(Status::NotSupported("An entry of type " +
                                std::to_string(static_cast<int>(entry.type)) +
                                " cannot be read by this release"));
      return false;
  }
}

bool TimestampIterator::ShowValue(ValueType type, const Slice& stored) {
  Status status;
  if (type == ValueType::kWideColumnEntity) {
    status = DecodeEntity(stored, &columns_);
    shows_entity_ = status.ok();
    const bool has_default =
        !columns_.empty() && columns_.front().name().empty();
    value_ = has_default ? columns_.front().value() : Slice();
  } else {
    status = PlainValueOf(type, stored, &value_);
  }
  valid_ = status.ok();
  if (!status.ok()) Fail(status);
  return valid_;
}

// Collects the operands of the key at hand, down to a base or the key's end.
bool TimestampIterator::ShowMerged(const ParsedInternalKey& first) {
  std::vector<std::string> operands = {iter_->value().ToString()};
  const std::string key = first.user_key.ToString();
  ParsedInternalKey entry;
  Slice base;
  bool has_base = false;
  ValueType base_type = ValueType::kValue;
  for (iter_->Next(); iter_->Valid(); iter_->Next()) {
    if (!Parse(&entry)) return false;
    if (!SameGroup(entry.user_key, key)) break;
    if (!Visible(entry)) continue;
    if (entry.type == ValueType::kMerge) {
      operands.push_back(iter_->value().ToString());
      continue;
    }
    base_type = entry.type;
    has_base = base_type == ValueType::kValue ||
               base_type == ValueType::kWideColumnEntity ||
               base_type == ValueType::kValuePreferredSeqno;
    if (has_base) base = iter_->value();
    if (base_type == ValueType::kBlobIndex) {
      Fail(Status::NotSupported("Merge onto an entry of an unread type"));
      return false;
    }
    break;
  }
  if (!iter_->status().ok()) return false;
  const Status status = MergeOnto(StripTimestamp(key, size_), operands,
                                  has_base ? &base : nullptr, &base_type);
  if (status.ok()) return ShowValue(base_type, merged_);
  Fail(status);
  return false;
}

// Into merged_; null: there is no base. *type is that of the base, and becomes
// that of the result.
Status TimestampIterator::MergeOnto(const Slice& plain_key,
                                    const std::vector<std::string>& operands,
                                    const Slice* base, ValueType* type) {
  if (base != nullptr && *type == ValueType::kWideColumnEntity) {
    return ResolveMergeOnEntity(deps_.merge, plain_key, *base, operands,
                                &merged_);
  }
  Slice plain;
  if (base != nullptr) RETURN_IF_ERROR(PlainValueOf(*type, *base, &plain));
  *type = ValueType::kValue;
  return ResolveMerge(deps_.merge, plain_key,
                      base != nullptr ? &plain : nullptr, operands, &merged_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
