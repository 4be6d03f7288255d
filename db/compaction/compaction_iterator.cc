#include "db/compaction/compaction_iterator.h"

#include <cassert>
#include <exception>

#include "db/compaction/surviving_tombstones.h"
#include "table/entity.h"
#include "table/timestamps.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

bool IsValue(ValueType type) {
  return type == ValueType::kValue || type == ValueType::kWideColumnEntity ||
         type == ValueType::kValuePreferredSeqno ||
         type == ValueType::kBlobIndex;
}

Status NotLinked(const Slice& user_key) {
  return Status::Corruption(
      "a blob index among inputs that are linked to no blob file; key " +
      user_key.ToString(/*hex=*/true));
}

// Which range deletion covers a version depends on the time of the read, and
// what they cover then stays for reads of earlier times.
CompactionIteratorOptions KeepingHistory(CompactionIteratorOptions options) {
  if (options.icmp->timestamp_size() > 0) options.tombstones = nullptr;
  return options;
}

const TombstoneSet* TimedTombstones(const CompactionIteratorOptions& options) {
  return options.icmp->timestamp_size() > 0 ? options.tombstones : nullptr;
}

}  // namespace

void CompactionIteratorStats::Add(const CompactionIteratorStats& other) {
  input_records += other.input_records;
  skipped_input |= other.skipped_input;
  input_key_bytes += other.input_key_bytes;
  input_value_bytes += other.input_value_bytes;
  input_deletions += other.input_deletions;
  dropped_hidden += other.dropped_hidden;
  dropped_obsolete += other.dropped_obsolete;
  dropped_by_filter += other.dropped_by_filter;
  dropped_by_range_deletion += other.dropped_by_range_deletion;
  single_delete_mismatches += other.single_delete_mismatches;
}

CompactionIterator::CompactionIterator(CompactionIteratorOptions options,
                                       InternalIterator* input)
    : timed_tombstones_(TimedTombstones(options)),
      options_(KeepingHistory(std::move(options))),
      input_(input),
      oldest_snapshot_(options_.snapshots.empty() ? kSequenceMax
                                                  : options_.snapshots[0]) {
  assert(std::is_sorted(options_.snapshots.begin(), options_.snapshots.end()));
}

void CompactionIterator::SeekToFirst() {
  if (options_.begin.Valid()) {
    input_->Seek(options_.begin.Encode());
  } else {
    input_->SeekToFirst();
  }
  FindNext();
}

void CompactionIterator::Next() {
  assert(valid_);
  if (ShowPending()) return;
  if (shows_input_) StepInput();
  FindNext();
}

SequenceNumber CompactionIterator::Stripe(SequenceNumber sequence) const {
  return StripeOf(options_.snapshots, sequence);
}

bool CompactionIterator::InRangeDeletion() const {
  assert(points_behind_ == 0 || options_.tombstones != nullptr);
  return points_behind_ > 0 &&
         points_behind_ < options_.tombstones->num_points();
}

bool CompactionIterator::Covered(SequenceNumber sequence) const {
  return InRangeDeletion() &&
         options_.tombstones->Newest(points_behind_ - 1, Stripe(sequence)) >
             sequence;
}

// Some range deletion covers `older` but not `newer`, a version of the same key
// that is history, too: no read sees both.
bool CompactionIterator::Parted(const Version& newer,
                                const ParsedInternalKey& older) const {
  if (timed_tombstones_ == nullptr) return false;
  const size_t points = timed_tombstones_->PointsUpTo(older.user_key);
  if (points == 0 || points == timed_tombstones_->num_points()) return false;
  const Comparator& comparator = *options_.icmp->user_comparator();
  const Slice time =
      TimestampOf(older.user_key, options_.icmp->timestamp_size());
  for (size_t rank = 0;; ++rank) {
    rank = timed_tombstones_->RankOver(points - 1, rank);
    if (rank == timed_tombstones_->num_tombstones()) return false;
    const SequenceNumber sequence = timed_tombstones_->sequence(rank);
    if (sequence <= older.sequence) return false;
    const Slice deleted = timed_tombstones_->timestamp(rank);
    const bool covers_newer =
        sequence > newer.sequence &&
        comparator.CompareTimestamp(deleted, newer.timestamp) >= 0;
    if (!covers_newer && comparator.CompareTimestamp(deleted, time) >= 0) {
      return true;
    }
  }
}

// Sequence 0 compresses better and lets later reads stop early. But a range
// deletion that is older than the entry and still written for the sake of other
// keys would then cover it. Only at the very bottom are those all gone.
SequenceNumber CompactionIterator::Rewritten(SequenceNumber sequence,
                                             const Slice& user_key) const {
  // Sequences order a key's timestamps among range deletions.
  if (options_.icmp->timestamp_size() > 0) return sequence;
  if (!AtBottom(sequence, user_key)) return sequence;
  const bool deletion_stays =
      !options_.bottommost && InRangeDeletion() &&
      options_.tombstones->Newest(points_behind_ - 1, kSequenceMax) > 0;
  return deletion_stays ? sequence : 0;
}

bool CompactionIterator::NothingBelow(const Slice& user_key) const {
  if (options_.bottommost) return true;
  return options_.may_exist_below && !options_.may_exist_below(user_key);
}

bool CompactionIterator::AtBottom(SequenceNumber sequence,
                                  const Slice& user_key) const {
  if (options_.icmp->timestamp_size() > 0 && !IsHistory(user_key)) return false;
  return sequence <= oldest_snapshot_ && NothingBelow(user_key);
}

bool CompactionIterator::DeletionIsDone(SequenceNumber sequence,
                                        const Slice& user_key) const {
  if (AtBottom(sequence, user_key)) return true;
  return options_.deletion_needed && sequence <= oldest_snapshot_ &&
         !options_.deletion_needed(user_key);
}

bool CompactionIterator::IsHistory(const Slice& user_key) const {
  return !options_.full_history_ts_low.empty() &&
         options_.icmp->user_comparator()->CompareTimestamp(
             TimestampOf(user_key, options_.icmp->timestamp_size()),
             options_.full_history_ts_low) < 0;
}

bool CompactionIterator::IsTrimmed(const Slice& user_key) const {
  return !options_.trim_after.empty() &&
         options_.icmp->user_comparator()->CompareTimestamp(
             TimestampOf(user_key, options_.icmp->timestamp_size()),
             options_.trim_after) > 0;
}

bool CompactionIterator::SameKey(const Slice& user_key) const {
  if (!has_key_) return false;
  if (options_.icmp->timestamp_size() > 0 && IsHistory(user_key_)) {
    // Then the older one is history, too.
    return options_.icmp->SameKey(user_key, user_key_);
  }
  return options_.icmp->CompareUserKey(user_key, user_key_) == 0;
}

void CompactionIterator::StartKey(const Slice& user_key) {
  user_key_.assign(user_key.data(), user_key.size());
  has_key_ = true;
  stripe_taken_ = false;
  if (options_.tombstones == nullptr) return;
  const TombstoneSet& tombstones = *options_.tombstones;
  // Keys ascend: mostly the fragment is still the same.
  if (points_behind_ < tombstones.num_points() &&
      options_.icmp->CompareUserKey(tombstones.point(points_behind_),
                                    user_key) <= 0) {
    points_behind_ = tombstones.PointsUpTo(user_key);
  }
}

void CompactionIterator::StepInput() { input_->Next(); }

bool CompactionIterator::ReadEntry(ParsedInternalKey* entry) {
  if (ParseInternalKey(input_->key(), entry) &&
      IsStoredPointType(entry->type)) {
    return true;
  }
  status_ =
      Status::Corruption("Compaction input holds a malformed internal key: " +
                         input_->key().ToString(/*hex=*/true));
  return false;
}

// Another job counts and filters such an entry.
bool CompactionIterator::IsPastEnd(const ParsedInternalKey& entry) const {
  return options_.end &&
         options_.icmp->CompareUserKey(entry.user_key, *options_.end) >= 0;
}

void CompactionIterator::CountInput() {
  ++stats_.input_records;
  stats_.input_key_bytes += input_->key().size();
  stats_.input_value_bytes += input_->value().size();
}

// Notes where the versions of another key begin.
void CompactionIterator::NoteKey(const ParsedInternalKey& entry) {
  newest_ = !SameKey(entry.user_key);
  if (newest_) {
    StartKey(entry.user_key);
  } else if (options_.icmp->timestamp_size() > 0) {
    user_key_.assign(entry.user_key.data(), entry.user_key.size());
  }
}

// Whatever its stripe is: trimmed, or covered by a range deletion.
bool CompactionIterator::IsGone(const ParsedInternalKey& entry) {
  if (IsTrimmed(entry.user_key)) return true;
  NoteKey(entry);
  if (!Covered(entry.sequence)) return false;
  assert(options_.icmp->timestamp_size() == 0);  // (4)
  ++stats_.dropped_by_range_deletion;
  return true;
}

void CompactionIterator::FindNext() {
  valid_ = false;
  shows_input_ = false;
  interrupted_ = false;
  while (input_->Valid()) {
    if (token_ != nullptr && token_->wish() != PauseToken::Wish::kRun) {
      interrupted_ = true;
      return;
    }
    ParsedInternalKey entry;
    if (!ReadEntry(&entry)) return;
    if (IsPastEnd(entry)) return;
    CountInput();
    if (IsGone(entry)) {
      StepInput();
      continue;
    }
    const SequenceNumber stripe = Stripe(entry.sequence);
    if (stripe_taken_ && stripe == hidden_stripe_) {
      if (hidden_by_value_ && entry.type == ValueType::kSingleDeletion) {
        if (HandleHiddenSingleDeletion(entry)) return;
        continue;
      }
      ++stats_.dropped_hidden;
      StepInput();
      continue;
    }
    stripe_taken_ = true;
    hidden_stripe_ = stripe;
    hidden_by_value_ = IsValue(entry.type);
    if (HandleVisible(entry) || !status_.ok()) return;
  }
  status_ = input_->status();
}

bool CompactionIterator::HandleVisible(const ParsedInternalKey& entry) {
  switch (entry.type) {
    case ValueType::kValue:
    case ValueType::kWideColumnEntity:
    case ValueType::kValuePreferredSeqno:
    case ValueType::kBlobIndex:
      return HandleValue(entry);
    case ValueType::kDeletion:
    case ValueType::kDeletionWithTimestamp:
      return HandleDeletion(entry);
    case ValueType::kSingleDeletion:
      return HandleSingleDeletion(entry);
    case ValueType::kMerge:
      return HandleMerge(entry);
    default:
      // Types this release does not interpret are carried through.
      ShowInput(entry, entry.sequence);
      return true;
  }
}

// -------------------------------------------------------------- what is shown

void CompactionIterator::ShowInput(const ParsedInternalKey& entry,
                                   SequenceNumber sequence) {
  // Only to 0: the order among versions of a key stays.
  assert(sequence == entry.sequence || sequence == 0);  // (1)
  valid_ = true;
  shows_input_ = true;
  if (sequence == entry.sequence) {
    key_ = input_->key();
  } else {
    key_buffer_.clear();
    AppendInternalKey(&key_buffer_, entry.user_key, sequence, entry.type);
    key_ = key_buffer_;
  }
  value_ = input_->value();
}

void CompactionIterator::ShowOwned(SequenceNumber sequence, ValueType type,
                                   std::string value) {
  assert(has_key_ && sequence <= kSequenceMax);
  valid_ = true;
  key_buffer_.clear();
  AppendInternalKey(&key_buffer_, user_key_, sequence, type);
  value_buffer_ = std::move(value);
  key_ = key_buffer_;
  value_ = value_buffer_;
}

bool CompactionIterator::ShowPending() {
  if (pending_.empty()) return false;
  key_buffer_ = std::move(pending_.front().first);
  value_buffer_ = std::move(pending_.front().second);
  pending_.pop_front();
  key_ = key_buffer_;
  value_ = value_buffer_;
  valid_ = true;
  shows_input_ = false;
  return true;
}

// ------------------------------------------------------------- kinds of entry

// (6)
bool CompactionIterator::FilterDecides(const ParsedInternalKey& entry) const {
  if (options_.filter == nullptr || !newest_) return false;
  return !InRangeDeletion() ||
         options_.tombstones->Newest(points_behind_ - 1, kSequenceMax) <=
             entry.sequence;
}

bool CompactionIterator::HandleValue(const ParsedInternalKey& entry) {
  return FilterDecides(entry) ? FilterValue(entry) : KeepValue(entry);
}

// A timed put becomes a plain one: its preferred sequence number is only a
// wish.
bool CompactionIterator::KeepValue(const ParsedInternalKey& entry) {
  const SequenceNumber sequence = Rewritten(entry.sequence, entry.user_key);
  if (entry.type != ValueType::kValuePreferredSeqno) {
    ShowInput(entry, sequence);
    return true;
  }
  Slice value;
  status_ = StripPreferredSequence(input_->value(), &value);
  if (!status_.ok()) return false;
  std::string owned = value.ToString();
  StepInput();
  ShowOwned(sequence, ValueType::kValue, std::move(owned));
  return true;
}

Status CompactionIterator::PlainOrBlob(ValueType type, const Slice& user_key,
                                       const Slice& stored, BlobValue* blob,
                                       Slice* value) {
  if (type != ValueType::kBlobIndex) return PlainValueOf(type, stored, value);
  // blob_files.h (1)
  if (options_.blobs == nullptr) return NotLinked(user_key);
  Result<BlobValue> fetched = options_.blobs->Fetch(user_key, stored);
  if (!fetched.ok()) return fetched.status();
  *blob = std::move(*fetched);
  *value = blob->slice();
  return Status::OK();
}

Status CompactionIterator::WithoutBlobs(const Slice& user_key, Slice* entity,
                                        std::string* inlined) {
  if (!MayHaveBlobColumns(*entity)) return Status::OK();
  // blob_files.h (1)
  if (options_.blobs == nullptr) return NotLinked(user_key);
  RETURN_IF_ERROR(options_.blobs->Inline(user_key, *entity, inlined));
  *entity = *inlined;
  return Status::OK();
}

// What the filter says of the value or entity at the input.
CompactionFilter::Decision CompactionIterator::AskFilter(
    const ParsedInternalKey& entry, Change* change) {
  using Decision = CompactionFilter::Decision;
  const bool entity = entry.type == ValueType::kWideColumnEntity;
  Slice value = input_->value();
  BlobValue blob;
  std::string inlined;
  WideColumns columns;
  try {
    // Deciding by the key alone saves the reading of the blob.
    if (entry.type == ValueType::kBlobIndex) {
      const Decision by_key = options_.filter->FilterBlobByKey(
          options_.level, entry.user_key, &change->value, &skip_until_);
      if (by_key != Decision::kUndetermined) return by_key;
    }
    if (entity) {
      status_ = WithoutBlobs(entry.user_key, &value, &inlined);
      if (status_.ok()) status_ = DecodeEntity(value, &columns);
    } else {
      status_ = PlainOrBlob(entry.type, entry.user_key, input_->value(), &blob,
                            &value);
    }
    if (!status_.ok()) return Decision::kKeep;
    return options_.filter->FilterV3(
        options_.level, entry.user_key,
        entity ? CompactionFilter::ValueType::kWideColumnEntity
               : CompactionFilter::ValueType::kValue,
        entity ? nullptr : &value, entity ? &columns : nullptr, &change->value,
        &change->columns, &skip_until_);
  } catch (const std::exception& e) {
    status_ = Status::Corruption(std::string("Compaction filter failed: ") +
                                 e.what());
    return Decision::kKeep;
  }
}

bool CompactionIterator::ShowNewColumns(SequenceNumber sequence,
                                        const Change& change) {
  WideColumns columns;
  columns.reserve(change.columns.size());
  for (const auto& [name, value] : change.columns) {
    columns.emplace_back(name, value);
  }
  std::string encoded;
  status_ = EncodeUnsortedEntity(columns, &encoded);
  if (!status_.ok()) return false;
  StepInput();
  ShowOwned(Rewritten(sequence, user_key_), ValueType::kWideColumnEntity,
            std::move(encoded));
  return true;
}

bool CompactionIterator::FilterValue(const ParsedInternalKey& entry) {
  Change change;
  const CompactionFilter::Decision decision = AskFilter(entry, &change);
  if (!status_.ok()) return false;
  const SequenceNumber sequence = entry.sequence;
  const bool bottom = AtBottom(sequence, entry.user_key);
  switch (decision) {
    case CompactionFilter::Decision::kKeep:
      return KeepValue(entry);
    case CompactionFilter::Decision::kChangeValue:
      StepInput();
      ShowOwned(Rewritten(sequence, user_key_), ValueType::kValue,
                std::move(change.value));
      return true;
    case CompactionFilter::Decision::kChangeWideColumnEntity:
      return ShowNewColumns(sequence, change);
    case CompactionFilter::Decision::kRemove:
    case CompactionFilter::Decision::kPurge:
      ++stats_.dropped_by_filter;
      StepInput();
      if (bottom) return false;
      ShowOwned(sequence,
                options_.icmp->timestamp_size() > 0
                    ? ValueType::kDeletionWithTimestamp
                    : ValueType::kDeletion,
                {});
      return true;
    case CompactionFilter::Decision::kRemoveAndSkipUntil: {
      ++stats_.dropped_by_filter;
      if (options_.icmp->CompareUserKey(skip_until_, entry.user_key) <= 0) {
        ShowInput(entry, sequence);  // A bound that skips nothing: keep.
        return true;
      }
      std::string target;
      AppendInternalKey(&target, skip_until_, kSequenceMax, kTypeForSeek);
      stats_.skipped_input = true;
      input_->Seek(target);
      return false;
    }
    default:
      status_ = Status::NotSupported(
          "This compaction filter decision is not supported");
      return false;
  }
}

bool CompactionIterator::HandleDeletion(const ParsedInternalKey& entry) {
  ++stats_.input_deletions;
  if (DeletionIsDone(entry.sequence, entry.user_key)) {
    ++stats_.dropped_obsolete;
    StepInput();
    return false;
  }
  ShowInput(entry, entry.sequence);
  return true;
}

// A single deletion and the one value under it disappear together when no
// snapshot stands between them.
bool CompactionIterator::HandleSingleDeletion(const ParsedInternalKey& entry) {
  ++stats_.input_deletions;
  const SequenceNumber sequence = entry.sequence;
  StepInput();
  ParsedInternalKey next;
  if (input_->Valid()) {
    if (!ReadEntry(&next)) return false;
    if (SameKey(next.user_key) && Stripe(next.sequence) == hidden_stripe_) {
      switch (next.type) {
        case ValueType::kValue:
        case ValueType::kWideColumnEntity:
        case ValueType::kValuePreferredSeqno:
        case ValueType::kBlobIndex:
          stats_.input_records += 1;
          stats_.dropped_hidden += 1;
          stats_.dropped_obsolete += 1;
          StepInput();
          // What is older belongs to an earlier life of the key.
          stripe_taken_ = false;
          return false;
        case ValueType::kSingleDeletion:
        case ValueType::kDeletion:
        case ValueType::kDeletionWithTimestamp:
          ++stats_.single_delete_mismatches;
          stripe_taken_ = false;  // The older deletion speaks for both.
          return false;
        default:
          ++stats_.single_delete_mismatches;
          break;
      }
    }
  } else if (!input_->status().ok()) {
    return false;  // FindNext() reports it.
  }
  if (DeletionIsDone(sequence, user_key_)) {
    ++stats_.dropped_obsolete;
    return false;
  }
  ShowOwned(sequence, ValueType::kSingleDeletion, {});
  return true;
}

// Hidden by a newer value, which a later single deletion may take away: then
// this one still has to answer for the value it was meant for, wherever that
// is. It goes only together with that value, or when there is none.
bool CompactionIterator::HandleHiddenSingleDeletion(
    const ParsedInternalKey& entry) {
  ++stats_.input_deletions;
  const SequenceNumber sequence = entry.sequence;
  StepInput();
  ParsedInternalKey next;
  if (input_->Valid()) {
    if (!ReadEntry(&next)) return true;
    if (SameKey(next.user_key) && Stripe(next.sequence) == hidden_stripe_) {
      ++stats_.dropped_hidden;
      if (!IsValue(next.type)) return false;
      ++stats_.input_records;
      ++stats_.dropped_hidden;
      StepInput();
      return false;
    }
  } else if (!input_->status().ok()) {
    return false;  // FindNext() reports it.
  }
  if (AtBottom(sequence, user_key_)) {
    ++stats_.dropped_obsolete;
    return false;
  }
  ShowOwned(sequence, ValueType::kSingleDeletion, {});
  return true;
}

// What the filter leaves of the operand at the input.
void CompactionIterator::TakeOperand(const ParsedInternalKey& entry,
                                     Operands* operands) {
  std::string value = input_->value().ToString();
  if (options_.filter != nullptr) {
    std::string new_value;
    CompactionFilter::Decision decision = CompactionFilter::Decision::kKeep;
    try {
      const Slice operand(value);
      decision = options_.filter->FilterV3(
          options_.level, entry.user_key,
          CompactionFilter::ValueType::kMergeOperand, &operand, nullptr,
          &new_value, nullptr, &skip_until_);
    } catch (const std::exception& e) {
      status_ = Status::Corruption(std::string("Compaction filter failed: ") +
                                   e.what());
      return;
    }
    if (decision == CompactionFilter::Decision::kRemove) {
      ++stats_.dropped_by_filter;
      return;
    }
    if (decision == CompactionFilter::Decision::kChangeValue) {
      value = std::move(new_value);
    } else if (decision != CompactionFilter::Decision::kKeep) {
      status_ = Status::NotSupported(
          "This compaction filter decision is not supported for operands");
      return;
    }
  }
  assert(operands->sequences.size() == operands->values.size());
  operands->sequences.push_back(entry.sequence);
  operands->values.push_back(std::move(value));
}

// Gathers the operands of one stripe; with a base, or at the bottom, they
// become a value, else as few operands as the operator can make of them.
bool CompactionIterator::HandleMerge(const ParsedInternalKey& first) {
  Operands operands;
  TakeOperand(first, &operands);
  SequenceNumber oldest = first.sequence;
  const size_t stamp = options_.icmp->timestamp_size();
  std::string time = TimestampOf(user_key_, stamp).ToString();
  std::optional<MergeBase> base;
  bool covered = false;
  bool key_ended = true;
  for (StepInput(); status_.ok() && input_->Valid(); StepInput()) {
    ParsedInternalKey entry;
    if (!ReadEntry(&entry)) return false;
    if (!SameKey(entry.user_key)) break;
    if (Stripe(entry.sequence) != hidden_stripe_) {
      key_ended = false;
      break;
    }
    ++stats_.input_records;
    const bool parted = Parted({oldest, time}, entry);
    oldest = entry.sequence;
    if (parted || Covered(entry.sequence)) {
      // As if a deletion were here, and what is older is covered, too.
      ++stats_.dropped_by_range_deletion;
      covered = true;
      StepInput();
      break;
    }
    if (entry.type == ValueType::kMerge) {
      time.assign(TimestampOf(entry.user_key, stamp).ToStringView());
      TakeOperand(entry, &operands);
      continue;
    }
    base = MergeBase{entry.sequence, entry.type, entry.user_key.ToString(),
                     input_->value().ToString()};
    StepInput();
    break;
  }
  if (!status_.ok() || !input_->status().ok()) return false;
  if (operands.values.empty()) return ShowBase(base);
  const bool at_bottom = key_ended && AtBottom(oldest, user_key_);
  if (!base && !covered && !at_bottom) {
    return EmitOperands(operands.sequences, &operands.values);
  }
  return ShowMerged(operands, base);
}

bool CompactionIterator::ShowMerged(const Operands& operands,
                                    const std::optional<MergeBase>& base) {
  assert(!operands.values.empty());
  std::string result;
  const bool on_entity = base && base->type == ValueType::kWideColumnEntity;
  if (on_entity) {
    Slice entity = base->value;
    std::string inlined;
    status_ = WithoutBlobs(base->user_key, &entity, &inlined);
    if (!status_.ok()) return false;
    status_ = ResolveMergeOnEntity(options_.merge, user_key_, entity,
                                   operands.values, &result);
  } else {
    const bool has_value = base && IsValue(base->type);
    Slice value;
    BlobValue blob;
    if (has_value) {
      status_ =
          PlainOrBlob(base->type, base->user_key, base->value, &blob, &value);
    }
    if (!status_.ok()) return false;
    status_ =
        ResolveMerge(options_.merge, user_key_, has_value ? &value : nullptr,
                     operands.values, &result);
  }
  if (!status_.ok()) return false;
  const SequenceNumber newest = operands.sequences.front();
  ShowOwned(Rewritten(newest, user_key_),
            on_entity ? ValueType::kWideColumnEntity : ValueType::kValue,
            std::move(result));
  return true;
}

// The filter removed every operand: what they stood on is left.
bool CompactionIterator::ShowBase(std::optional<MergeBase>& base) {
  if (!base) return false;
  const bool bottom = AtBottom(base->sequence, user_key_);
  if (!IsValue(base->type) && bottom) return false;
  user_key_ = std::move(base->user_key);
  ShowOwned(Rewritten(base->sequence, user_key_), base->type,
            std::move(base->value));
  return true;
}

bool CompactionIterator::EmitOperands(
    const std::vector<SequenceNumber>& sequences,
    std::vector<std::string>* operands) {
  assert(!operands->empty() && sequences.size() == operands->size());
  std::string combined;
  if (CombineOperands(options_.merge, user_key_, *operands, &combined)) {
    ShowOwned(sequences.front(), ValueType::kMerge, std::move(combined));
    return true;
  }
  for (size_t i = 0; i < sequences.size(); ++i) {
    Entry entry;
    AppendInternalKey(&entry.first, user_key_, sequences[i], ValueType::kMerge);
    entry.second = std::move((*operands)[i]);
    pending_.push_back(std::move(entry));
  }
  return ShowPending();
}

}  // namespace ROCKSDB_NAMESPACE::engine
