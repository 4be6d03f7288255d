#include "db/read/db_iterator.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "table/entity.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// What a merge can stand on.
bool IsPlainOrDressed(ValueType type) {
  return type == ValueType::kValue || type == ValueType::kWideColumnEntity ||
         type == ValueType::kValuePreferredSeqno ||
         type == ValueType::kBlobIndex;
}

}  // namespace

DbIterator::DbIterator(DbIteratorDeps deps, const ReadOptions& options,
                       IteratorState state)
    : deps_(std::move(deps)),
      lower_(options.iterate_lower_bound),
      upper_(options.iterate_upper_bound),
      renewed_snapshot_(options.auto_refresh_iterator_with_snapshot &&
                                !options.tailing && deps_.source != nullptr
                            ? options.snapshot
                            : nullptr),
      same_prefix_(options.prefix_same_as_start),
      tailing_(options.tailing && deps_.source != nullptr),
      pins_(options.pin_data),
      unprepared_(options.allow_unprepared_value),
      max_skippable_(options.max_skippable_internal_keys),
      read_options_(options),
      state_(std::move(state)),
      iter_(state_.iter.get()),
      sequence_(state_.sequence) {
  RecordTick(deps_.merge.statistics, NO_ITERATOR_CREATED);
}

DbIterator::~DbIterator() {
  RecordTick(deps_.merge.statistics, NO_ITERATOR_DELETED);
  if (hidden_ > 0) {
    RecordTick(deps_.merge.statistics, NUMBER_ITER_SKIP, hidden_);
  }
}

Slice DbIterator::key() const {
  assert(valid_);
  if (!shows_saved_) return ExtractUserKey(iter_->key());
  return key_is_pinned_ ? pinned_key_ : Slice(saved_key_);
}

Slice DbIterator::value() const {
  assert(valid_);
  if (shows_part_) [[unlikely]]
    return part_;
  if (!shows_saved_) return iter_->value();
  return value_is_pinned_ ? pinned_value_ : Slice(saved_value_);
}

const WideColumns& DbIterator::columns() const {
  assert(valid_);
  if (!shows_entity_) {
    columns_.assign(1, WideColumn(kDefaultWideColumnName, value()));
  }
  return columns_;
}

Status DbIterator::ReadBlob(const Slice& user_key, const Slice& blob_index) {
  if (deps_.blobs == nullptr) {
    return Status::NotSupported(
        "This iterator cannot read values from blob files");
  }
  if (deps_.icmp->timestamp_size() > 0) {
    return Status::NotSupported("blob files with user timestamps");
  }
  return deps_.blobs->Read(read_options_, *state_.version, user_key, blob_index,
                           &blob_value_);
}

Status DbIterator::ReadBlobColumns(const Slice& user_key, Slice* entity) {
  if (!MayHaveBlobColumns(*entity)) return Status::OK();
  const auto read = [&](const Slice& blob_index, Slice* column) {
    Status status = ReadBlob(user_key, blob_index);
    *column = Slice(blob_value_.data(), blob_value_.size());
    return status;
  };
  RETURN_IF_ERROR(InlineBlobColumns(*entity, read, &inlined_));
  part_is_read_ = true;
  *entity = inlined_;
  return Status::OK();
}

void DbIterator::ShowDressed(ValueType type, const Slice& user_key,
                             const Slice& value) {
  Status status;
  part_is_read_ = false;
  if (type == ValueType::kBlobIndex) {
    status = ReadBlob(user_key, value);
    part_ = Slice(blob_value_.data(), blob_value_.size());
    part_is_read_ = true;
  } else if (type == ValueType::kWideColumnEntity) {
    Slice entity = value;
    status = ReadBlobColumns(user_key, &entity);
    if (status.ok()) status = DecodeEntity(entity, &columns_);
    shows_entity_ = status.ok();
    const bool has_default =
        !columns_.empty() && columns_.front().name().empty();
    part_ = has_default ? columns_.front().value() : Slice();
  } else {
    status = PlainValueOf(type, value, &part_);
  }
  shows_part_ = status.ok();
  valid_ = status.ok();
  if (!status.ok()) Fail(status);
}

Status DbIterator::status() const {
  return status_.ok() ? iter_->status() : status_;
}

bool DbIterator::PrepareValue() {
  return valid_ && (shows_saved_ || NeedValue());
}

bool DbIterator::ReadValue() {
  if (iter_->ReadValue()) return true;
  Fail(iter_->status());
  return false;
}

Status DbIterator::GetProperty(std::string name, std::string* value) {
  if (name == "rocksdb.iterator.super-version-number") {
    *value = std::to_string(state_.view_number);
    return Status::OK();
  }
  const bool of_key = name == "rocksdb.iterator.is-key-pinned";
  const bool of_value = name == "rocksdb.iterator.is-value-pinned";
  if (!of_key && !of_value && name != "rocksdb.iterator.internal-key") {
    return Status::InvalidArgument("Unidentified property.", name);
  }
  if (!valid_) {
    *value = "Iterator is not valid.";
  } else if (of_key) {
    const bool pinned = shows_saved_ ? key_is_pinned_ : iter_->IsKeyPinned();
    *value = pins_ && pinned ? "1" : "0";
  } else if (of_value) {
    const bool in_blob = shows_part_ && part_is_read_;
    const bool pinned =
        shows_saved_ ? value_is_pinned_ : !in_blob && iter_->IsValuePinned();
    *value = pins_ && pinned ? "1" : "0";
  } else {
    *value = key().ToString();
  }
  return Status::OK();
}

void DbIterator::NotePinnedKey(const Slice& user_key) {
  key_is_pinned_ = iter_->IsKeyPinned();
  pinned_key_ = user_key;
}

// ------------------------------------------------------------- other states

Status DbIterator::Refresh() { return Refresh(nullptr); }

Status DbIterator::Refresh(const Snapshot* snapshot) {
  if (deps_.source == nullptr) {
    return Status::NotSupported("Refresh() is not supported by this iterator");
  }
  if (tailing_ && snapshot != nullptr) {
    return Status::InvalidArgument("A tailing iterator has no snapshot");
  }
  // What the old one was may be gone; without a snapshot nothing is renewed.
  if (renewed_snapshot_ != nullptr) renewed_snapshot_ = snapshot;
  TakeState(deps_.source->Open(snapshot));
  return Status::OK();
}

void DbIterator::TakeState(IteratorState state) {
  assert(state.iter != nullptr);
  if (pins_) {  // (3)
    pinned_states_.push_back(std::move(state_));
  } else {
    state_.iter.reset();  // Before the new one is made use of: memory.
  }
  state_ = std::move(state);
  iter_ = state_.iter.get();
  sequence_ = state_.sequence;
  ClearState();
}

void DbIterator::CatchUp() {
  if (renewed_snapshot_ != nullptr) {
    if (deps_.source->ViewNumber() != state_.view_number) {
      TakeState(deps_.source->Open(renewed_snapshot_));
    }
    return;
  }
  // Before the view's number is looked at: what is newer than that view is
  // newer than this.
  const SequenceNumber now = deps_.source->LastSequence();
  if (deps_.source->ViewNumber() != state_.view_number ||
      !deps_.source->KnowsRangeDeletions(state_)) {
    TakeState(deps_.source->Open(nullptr));
  } else {
    sequence_ = std::min(now, state_.sequence_max);
  }
}

// In front of a step: stands on the entry shown, or behind it.
void DbIterator::CatchUpOnTheWay() {
  if (deps_.source->ViewNumber() == state_.view_number) {
    const SequenceNumber now = deps_.source->LastSequence();
    if (tailing_ && deps_.source->KnowsRangeDeletions(state_)) {
      sequence_ = std::min(now, state_.sequence_max);
    }
    return;
  }
  const bool has_prefix = has_prefix_;
  if (!shows_saved_) SaveKey(ExtractUserKey(iter_->key()));
  CatchUp();
  // With the extractor of the new state.
  if (has_prefix) RememberPrefix(saved_key_);
  TurnToForward();
  // As if it stood on a saved key: there is nothing to step over.
  at_merge_end_ = true;
}

bool DbIterator::RefusesToGoBack() {
  if (!tailing_) return false;
  ClearState();
  Fail(Status::NotSupported("A tailing iterator goes forward only"));
  return true;
}

void DbIterator::ClearState() {
  status_ = Status::OK();
  valid_ = false;
  shows_saved_ = false;
  shows_part_ = false;
  shows_entity_ = false;
  at_merge_end_ = false;
  skipped_ = 0;
  newer_in_row_ = 0;
  ForgetPrefix();
}

void DbIterator::Fail(const Status& status) {
  assert(!status.ok());
  if (status_.ok()) status_ = status;
  valid_ = false;
}

bool DbIterator::BeyondUpper(const Slice& user_key) const {
  return upper_ != nullptr &&
         deps_.icmp->CompareUserKey(user_key, *upper_) >= 0;
}

bool DbIterator::BelowLower(const Slice& user_key) const {
  return lower_ != nullptr && deps_.icmp->CompareUserKey(user_key, *lower_) < 0;
}

void DbIterator::RememberPrefix(const Slice& target) {
  has_prefix_ = extractor() != nullptr && extractor()->InDomain(target);
  if (has_prefix_) prefix_ = extractor()->Transform(target).ToString();
}

bool DbIterator::LeftPrefix(const Slice& user_key) const {
  return has_prefix_ && (!extractor()->InDomain(user_key) ||
                         extractor()->Transform(user_key) != Slice(prefix_));
}

// ---------------------------------------------------------------- positions

void DbIterator::SeekToFirst() {
  if (tailing_ || renewed_snapshot_ != nullptr) [[unlikely]]
    CatchUp();
  ClearState();
  direction_ = Direction::kForward;
  if (lower_ != nullptr) {
    saved_key_.clear();
    AppendInternalKey(&saved_key_, *lower_, sequence_, kTypeForSeek);
    iter_->Seek(saved_key_);
  } else {
    iter_->SeekToFirst();
  }
  FindNextUserEntry(false);
  EndSeek();
  if (valid_ && SamePrefix()) RememberPrefix(key());
}

void DbIterator::Seek(const Slice& target) {
  deps_.trace.Seek(QueryTracer::kSeek, target, lower_, upper_);
  const PerfCpuTimer cpu(nullptr, &PerfContext::iter_seek_cpu_nanos);
  const StopWatch watch(deps_.clock, deps_.merge.statistics, DB_SEEK);
  if (tailing_ || renewed_snapshot_ != nullptr) [[unlikely]]
    CatchUp();
  ClearState();
  direction_ = Direction::kForward;
  {
    const PerfTimer timer(nullptr, &PerfContext::seek_internal_seek_time);
    SeekFor(BelowLower(target) ? *lower_ : target);
  }
  if (SamePrefix()) RememberPrefix(target);
  FindNextUserEntry(false);
  EndSeek();
}

// What is left out because of its prefix filter is missed behind the prefix.
void DbIterator::SeekFor(const Slice& user_key) {
  saved_key_.clear();
  AppendInternalKey(&saved_key_, user_key, sequence_, kTypeForSeek);
  PrefixSeek* const prefix = state_.prefix.get();
  if (prefix == nullptr) return iter_->Seek(saved_key_);
  prefix->Begin(PrefixSeek::Direction::kForward);
  iter_->Seek(saved_key_);
  if (prefix->End() && prefix->ends_with_prefix()) RememberPrefix(user_key);
}

void DbIterator::SeekToLast() {
  if (RefusesToGoBack()) return;
  GoBackFromUpper();
  FindPrevUserEntry();
  EndSeek();
  if (valid_ && SamePrefix()) RememberPrefix(key());
}

// To the last entry below the upper bound, or the very last one.
void DbIterator::GoBackFromUpper() {
  if (renewed_snapshot_ != nullptr) [[unlikely]]
    CatchUp();
  ClearState();
  direction_ = Direction::kReverse;
  if (upper_ == nullptr) return iter_->SeekToLast();
  // From just before the newest version of the bound.
  saved_key_.clear();
  AppendInternalKey(&saved_key_, *upper_, kSequenceMax, kTypeForSeek);
  iter_->SeekForPrev(saved_key_);
}

void DbIterator::SeekForPrev(const Slice& target) {
  deps_.trace.Seek(QueryTracer::kSeekForPrev, target, lower_, upper_);
  const PerfCpuTimer cpu(nullptr, &PerfContext::iter_seek_cpu_nanos);
  if (RefusesToGoBack()) return;
  const StopWatch watch(deps_.clock, deps_.merge.statistics, DB_SEEK);
  if (BeyondUpper(target)) {
    GoBackFromUpper();
  } else {
    if (renewed_snapshot_ != nullptr) [[unlikely]]
      CatchUp();
    ClearState();
    direction_ = Direction::kReverse;
    SeekForPrevFor(target);
  }
  if (SamePrefix()) RememberPrefix(target);
  FindPrevUserEntry();
  EndSeek();
}

void DbIterator::EndSeek() {
  if (state_.scan != nullptr) [[unlikely]]
    state_.scan->EndSeek();
  if (Statistics* const statistics = deps_.merge.statistics) {
    statistics->recordTick(NUMBER_DB_SEEK);
    if (valid_) statistics->recordTick(NUMBER_DB_SEEK_FOUND);
  }
  EndStep(0);
}

void DbIterator::EndStep(uint64_t own) {
  assert(!valid_ || status_.ok());  // (2)
  const uint64_t bytes = valid_ ? key().size() + value().size() : 0;
  const bool forward = direction_ == Direction::kForward;
  if (deps_.merge.statistics != nullptr) {
    if (valid_) RecordTick(deps_.merge.statistics, ITER_BYTES_READ, bytes);
    hidden_ += met_.keys + met_.too_new;
    hidden_ += forward ? met_.deletions : 0;
    if (!forward && valid_) --hidden_;
  }
  if (PerfEnabled(kEnableCount)) {
    PerfContext& perf = Contexts().perf;
    perf.iter_read_bytes += bytes;
    perf.internal_key_skipped_count += own + met_.keys;
    if ((met_.deletions | met_.too_new) != 0) [[unlikely]] {
      perf.internal_delete_skipped_count += met_.deletions;
      perf.internal_recent_skipped_count += met_.too_new;
    }
  }
  met_ = {};
}

void DbIterator::SeekForPrevFor(const Slice& user_key) {
  const PerfTimer timer(nullptr, &PerfContext::seek_internal_seek_time);
  saved_key_.clear();
  AppendInternalKey(&saved_key_, user_key, 0, kTypeForSeekForPrev);
  PrefixSeek* const prefix = state_.prefix.get();
  if (prefix == nullptr) return iter_->SeekForPrev(saved_key_);
  prefix->Begin(PrefixSeek::Direction::kBackward);
  iter_->SeekForPrev(saved_key_);
  if (prefix->End() && prefix->ends_with_prefix()) RememberPrefix(user_key);
}

// ------------------------------------------------------------------ forward

void DbIterator::Next() {
  assert(valid_);
  const PerfCpuTimer cpu(nullptr, &PerfContext::iter_next_cpu_nanos);
  if (tailing_ || renewed_snapshot_ != nullptr) [[unlikely]]
    CatchUpOnTheWay();
  uint64_t own = 0;
  if (direction_ == Direction::kReverse) {
    TurnToForward();
    if (!status_.ok()) return;
  } else if (!at_merge_end_) {
    SaveKey(ExtractUserKey(iter_->key()));
    iter_->Next();
    own = 1;
  }
  shows_saved_ = false;
  shows_part_ = false;
  shows_entity_ = false;
  at_merge_end_ = false;
  RecordTick(deps_.merge.statistics, NUMBER_DB_NEXT);
  FindNextUserEntry(true);
  if (valid_) RecordTick(deps_.merge.statistics, NUMBER_DB_NEXT_FOUND);
  if (state_.scan != nullptr) [[unlikely]]
    state_.scan->EndNext();
  EndStep(own);
}

// Stops at the newest visible version of the next key that has a value.
// `skipping_saved_key`: entries of saved_key_ and before it do not count.
void DbIterator::FindNextUserEntry(bool skipping_saved_key) {
  const PerfTimer timer(nullptr, &PerfContext::find_next_user_entry_time);
  valid_ = false;
  bool skipping = skipping_saved_key;
  uint64_t skipped_in_row = 0;
  skipped_ = 0;
  while (iter_->Valid()) {
    ParsedInternalKey entry;
    if (!ParseInternalKey(iter_->key(), &entry)) {
      Fail(Status::Corruption("Internal key shorter than its trailer"));
      return;
    }
    // (1)
    if (BeyondUpper(entry.user_key) || LeftPrefix(entry.user_key)) return;
    if (entry.sequence > sequence_) {
      ++met_.too_new;
      // Not the saved key's to count: these may be versions of later keys.
      if (SkipNewerBySeek(entry.user_key)) continue;
    } else if (skipping &&
               deps_.icmp->CompareUserKey(entry.user_key, saved_key_) <= 0) {
      ++met_.keys;
      if (++skipped_in_row > deps_.max_sequential_skips) {
        skipped_in_row = 0;
        SkipSavedKeyBySeek();
        continue;
      }
    } else {
      skipped_in_row = 0;
      if (ShowOrHide(entry, &skipping)) return;
    }
    if (max_skippable_ > 0 && ++skipped_ > max_skippable_) {
      Fail(Status::Incomplete("Too many internal keys skipped."));
      return;
    }
    iter_->Next();
  }
}

bool DbIterator::ShowOrHide(const ParsedInternalKey& entry, bool* skipping) {
  switch (entry.type) {
    case ValueType::kDeletion:
    case ValueType::kSingleDeletion:
      ++met_.deletions;
      SaveKey(entry.user_key);
      *skipping = true;
      return false;
    case ValueType::kValue:
      shows_saved_ = false;
      valid_ = unprepared_ || NeedValue();
      return true;
    case ValueType::kWideColumnEntity:
    case ValueType::kValuePreferredSeqno:
    case ValueType::kBlobIndex:
      shows_saved_ = false;
      if (NeedValue()) {
        ShowDressed(entry.type, entry.user_key, iter_->value());
      }
      return true;
    case ValueType::kMerge:
      MergeForward();
      return true;
    default:
      Fail(Status::NotSupported("An entry of type " +
                                std::to_string(static_cast<int>(entry.type)) +
                                " cannot be read by this release"));
      return true;
  }
}

// Collects the operands of the key at hand, down to a base or the key's end.
void DbIterator::MergeForward() {
  SaveKey(ExtractUserKey(iter_->key()));
  value_is_pinned_ = false;
  operands_.clear();
  if (!NeedValue()) return;
  operands_.push_back(iter_->value().ToString());
  MergeBase base;
  for (iter_->Next(); iter_->Valid(); iter_->Next()) {
    ParsedInternalKey entry;
    if (!ParseInternalKey(iter_->key(), &entry)) {
      Fail(Status::Corruption("Internal key shorter than its trailer"));
      return;
    }
    if (deps_.icmp->CompareUserKey(entry.user_key, saved_key_) != 0) break;
    if (!NeedValue()) return;
    if (entry.type == ValueType::kMerge) {
      operands_.push_back(iter_->value().ToString());
      continue;
    }
    if (IsPlainOrDressed(entry.type)) {
      base = {true, entry.type, entry.user_key, iter_->value()};
    } else if (entry.type != ValueType::kDeletion &&
               entry.type != ValueType::kSingleDeletion) {
      Fail(Status::NotSupported("Merge onto an entry of an unread type"));
      return;
    }
    break;
  }
  if (!iter_->status().ok()) return;
  PerfAdd<&PerfContext::internal_merge_count>(operands_.size());
  if (!ResolveSaved(base)) return;
  valid_ = true;
  shows_saved_ = true;
  at_merge_end_ = true;
}

// Merges operands_ into saved_value_ and shows it.
bool DbIterator::ResolveSaved(const MergeBase& base) {
  Status status;
  if (base.exists && base.type == ValueType::kWideColumnEntity) {
    Slice entity = base.value;
    status = ReadBlobColumns(base.key, &entity);
    if (status.ok()) {
      status = ResolveMergeOnEntity(deps_.merge, saved_key_, entity, operands_,
                                    &saved_value_);
    }
    if (status.ok()) {
      ShowDressed(base.type, saved_key_, saved_value_);
      return valid_;
    }
  } else {
    Slice plain;
    if (base.exists && base.type == ValueType::kBlobIndex) {
      status = ReadBlob(base.key, base.value);
      plain = Slice(blob_value_.data(), blob_value_.size());
    } else if (base.exists) {
      status = PlainValueOf(base.type, base.value, &plain);
    }
    if (status.ok()) {
      status =
          ResolveMerge(deps_.merge, saved_key_, base.exists ? &plain : nullptr,
                       operands_, &saved_value_);
    }
  }
  if (!status.ok()) Fail(status);
  return status.ok();
}

// Many versions of one key in a row: a seek beyond them is cheaper.
void DbIterator::SkipSavedKeyBySeek() {
  std::string target;
  AppendInternalKey(&target, saved_key_, 0, ValueType::kDeletion);
  iter_->Seek(target);
  if (iter_->Valid() && iter_->key() == Slice(target)) iter_->Next();
  RecordTick(deps_.merge.statistics, NUMBER_OF_RESEEKS_IN_ITERATION);
}

// The same for versions too new to be seen: to the newest visible one of
// `user_key`, at which the internal iterator stands. False when there were
// too few so far; then nothing has moved.
bool DbIterator::SkipNewerBySeek(const Slice& user_key) {
  if (newer_in_row_ == 0 || user_key != Slice(newer_key_)) {
    newer_key_.assign(user_key.data(), user_key.size());
    newer_in_row_ = 0;
  }
  if (++newer_in_row_ <= deps_.max_sequential_skips) return false;
  newer_in_row_ = 0;
  std::string target;
  AppendInternalKey(&target, newer_key_, sequence_, kTypeForSeek);
  iter_->Seek(target);
  RecordTick(deps_.merge.statistics, NUMBER_OF_RESEEKS_IN_ITERATION);
  return true;
}

// The internal iterator stands before the key shown (saved_key_); brings it
// to the first entry behind that key's newest version.
void DbIterator::TurnToForward() {
  direction_ = Direction::kForward;
  if (!SamePrefix()) ForgetPrefix();  // Nothing is left out any more.
  std::string target;
  AppendInternalKey(&target, saved_key_, kSequenceMax, kTypeForSeek);
  iter_->Seek(target);
  at_merge_end_ = false;
}

// ------------------------------------------------------------------ reverse

void DbIterator::Prev() {
  if (RefusesToGoBack()) return;
  assert(valid_);
  const PerfCpuTimer cpu(nullptr, &PerfContext::iter_prev_cpu_nanos);
  if (direction_ == Direction::kForward) TurnToReverse();
  RecordTick(deps_.merge.statistics, NUMBER_DB_PREV);
  FindPrevUserEntry();
  if (valid_) RecordTick(deps_.merge.statistics, NUMBER_DB_PREV_FOUND);
  if (state_.scan != nullptr) [[unlikely]]
    state_.scan->EndPrev();
  EndStep(0);
}

// Brings the internal iterator to the last entry before the key shown.
void DbIterator::TurnToReverse() {
  if (!shows_saved_) SaveKey(ExtractUserKey(iter_->key()));
  direction_ = Direction::kReverse;
  if (!SamePrefix()) ForgetPrefix();  // Nothing is left out any more.
  at_merge_end_ = false;
  SeekBeforeSavedKey();
}

// REQUIRES: the internal iterator stands on the oldest version of a key (the
// last in its order), or nowhere.
void DbIterator::FindPrevUserEntry() {
  const PerfTimer timer(nullptr, &PerfContext::find_next_user_entry_time);
  valid_ = false;
  shows_part_ = false;
  shows_entity_ = false;
  skipped_ = 0;
  while (iter_->Valid()) {
    if (iter_->key().size() < kTrailerSize) {
      Fail(Status::Corruption("Internal key shorter than its trailer"));
      return;
    }
    const Slice user_key = ExtractUserKey(iter_->key());
    if (BelowLower(user_key) || LeftPrefix(user_key)) return;  // (1)
    SaveKey(user_key);
    const Found found = CollectVersions();
    if (found == Found::kError || !iter_->status().ok()) return;
    if (found != Found::kNothing) {
      valid_ = ResolveReverse(found);
      shows_saved_ = true;
      return;
    }
  }
}

// Walks the versions of saved_key_ from oldest to newest; afterwards the
// internal iterator stands before them.
DbIterator::Found DbIterator::CollectVersions() {
  Found found = Found::kNothing;
  operands_.clear();
  uint64_t versions = 0;
  for (; iter_->Valid(); iter_->Prev()) {
    ParsedInternalKey entry;
    if (!ParseInternalKey(iter_->key(), &entry)) {
      Fail(Status::Corruption("Internal key shorter than its trailer"));
      return Found::kError;
    }
    if (deps_.icmp->CompareUserKey(entry.user_key, saved_key_) != 0) break;
    if (max_skippable_ > 0 && ++skipped_ > max_skippable_ + 1) {
      Fail(Status::Incomplete("Too many internal keys skipped."));
      return Found::kError;
    }
    if (entry.sequence > sequence_) {
      ++met_.too_new;
      if (++versions <= deps_.max_sequential_skips) continue;
      SeekBeforeSavedKey();  // Nothing newer is visible either.
      break;
    }
    ++met_.keys;
    if (++versions > deps_.max_sequential_skips) return CollectFromNewest();
    // Versions of one key may differ in their bytes; the newest is shown.
    if (!deps_.icmp->bytewise()) SaveKey(entry.user_key);
    found = AbsorbVersion(entry, found);
    if (found == Found::kError) return found;
  }
  return found;
}

// The same, but with a seek to the newest visible version: of many versions
// those that it hides are not looked at.
DbIterator::Found DbIterator::CollectFromNewest() {
  operands_.clear();
  std::string target;
  AppendInternalKey(&target, saved_key_, sequence_, kTypeForSeek);
  iter_->Seek(target);
  RecordTick(deps_.merge.statistics, NUMBER_OF_RESEEKS_IN_ITERATION);
  std::vector<std::string> newest_first;
  bool newest = true;
  Found base = Found::kNothing;
  for (; iter_->Valid(); iter_->Next()) {
    ParsedInternalKey entry;
    if (!ParseInternalKey(iter_->key(), &entry)) {
      Fail(Status::Corruption("Internal key shorter than its trailer"));
      return Found::kError;
    }
    if (!deps_.icmp->SameKey(entry.user_key, saved_key_)) break;
    if (std::exchange(newest, false) && !deps_.icmp->bytewise()) {
      SaveKey(entry.user_key);
    }
    if (entry.type != ValueType::kMerge) {
      base = AbsorbVersion(entry, Found::kNothing);
      break;
    }
    if (!NeedValue()) return Found::kError;
    newest_first.push_back(iter_->value().ToString());
  }
  if (base == Found::kError || !iter_->status().ok()) return Found::kError;
  SeekBeforeSavedKey();
  if (newest_first.empty()) return base;
  value_is_pinned_ = false;
  merge_base_ = base == Found::kPlain;
  operands_.assign(std::make_move_iterator(newest_first.rbegin()),
                   std::make_move_iterator(newest_first.rend()));
  return Found::kMerged;
}

// Afterwards the internal iterator stands before all versions of the key.
void DbIterator::SeekBeforeSavedKey() {
  std::string target;
  AppendInternalKey(&target, saved_key_, kSequenceMax, kTypeForSeek);
  iter_->SeekForPrev(target);
}

DbIterator::Found DbIterator::AbsorbVersion(const ParsedInternalKey& entry,
                                            Found so_far) {
  switch (entry.type) {
    case ValueType::kValue:
    case ValueType::kWideColumnEntity:
    case ValueType::kValuePreferredSeqno:
    case ValueType::kBlobIndex:  // Which version is shown is not known yet.
      if (!NeedValue()) return Found::kError;
      saved_value_.assign(iter_->value().data(), iter_->value().size());
      saved_type_ = entry.type;
      if (!deps_.icmp->bytewise()) {
        base_key_.assign(entry.user_key.data(), entry.user_key.size());
      }
      value_is_pinned_ =
          pins_ && entry.type == ValueType::kValue && iter_->IsValuePinned();
      pinned_value_ = iter_->value();
      operands_.clear();
      return Found::kPlain;
    case ValueType::kDeletion:
    case ValueType::kSingleDeletion:
      ++met_.deletions;
      operands_.clear();
      return Found::kNothing;
    case ValueType::kMerge:
      // The plain value below, if any, becomes the first operand's base; it
      // is kept in saved_value_ and told apart by the empty operand list.
      if (!NeedValue()) return Found::kError;
      value_is_pinned_ = false;
      if (operands_.empty()) {
        merge_base_ = so_far == Found::kPlain;
      }
      operands_.push_back(iter_->value().ToString());
      return Found::kMerged;
    default:
      Fail(Status::NotSupported("An entry of type " +
                                std::to_string(static_cast<int>(entry.type)) +
                                " cannot be read by this release"));
      return Found::kError;
  }
}

bool DbIterator::ResolveReverse(Found found) {
  if (found == Found::kPlain) {
    if (saved_type_ == ValueType::kValue) return true;
    ShowDressed(saved_type_, saved_key_, saved_value_);
    return valid_;
  }
  PerfAdd<&PerfContext::internal_merge_count>(operands_.size());
  std::reverse(operands_.begin(), operands_.end());
  const std::string base = std::move(saved_value_);
  return ResolveSaved({merge_base_, saved_type_,
                       deps_.icmp->bytewise() ? saved_key_ : base_key_, base});
}

}  // namespace ROCKSDB_NAMESPACE::engine
