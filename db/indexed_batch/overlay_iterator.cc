#include "db/indexed_batch/overlay_iterator.h"

#include <cassert>
#include <utility>

#include "rocksdb/snapshot.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

OverlayIterator::OverlayIterator(const FamilyIndex* index,
                                 std::unique_ptr<Iterator> base,
                                 OverlayOptions options)
    : index_(index),
      base_(std::move(base)),
      options_(std::move(options)),
      batch_(index) {}

// Within the bounds, in the direction of the walk.
bool OverlayIterator::BatchHasKey() const {
  if (!batch_.Valid()) return false;
  if (forward_) {
    return !options_.has_upper_bound ||
           Compare(batch_.key(), options_.upper_bound) < 0;
  }
  return !options_.has_lower_bound ||
         Compare(batch_.key(), options_.lower_bound) >= 0;
}

void OverlayIterator::Reset() {
  valid_ = false;
  status_ = Status::OK();
}

void OverlayIterator::Fail(Status status) {
  valid_ = false;
  status_ = std::move(status);
}

void OverlayIterator::SeekToFirst() {
  Reset();
  forward_ = true;
  base_->SeekToFirst();
  if (options_.has_lower_bound) {
    batch_.Seek(options_.lower_bound);
  } else {
    batch_.SeekToFirst();
  }
  Settle();
}

void OverlayIterator::SeekToLast() {
  Reset();
  forward_ = false;
  base_->SeekToLast();
  batch_.SeekToLast();
  if (options_.has_upper_bound) {
    batch_.Seek(options_.upper_bound);
    batch_.Valid() ? batch_.PrevKey() : batch_.SeekToLast();
  }
  Settle();
}

void OverlayIterator::Seek(const Slice& target) {
  Reset();
  forward_ = true;
  base_->Seek(target);
  const bool below =
      options_.has_lower_bound && Compare(target, options_.lower_bound) < 0;
  batch_.Seek(below ? Slice(options_.lower_bound) : target);
  Settle();
}

void OverlayIterator::SeekForPrev(const Slice& target) {
  Reset();
  forward_ = false;
  base_->SeekForPrev(target);
  batch_.SeekForPrev(target);
  if (options_.has_upper_bound && Compare(target, options_.upper_bound) >= 0) {
    batch_.Seek(options_.upper_bound);
    batch_.Valid() ? batch_.PrevKey() : batch_.SeekToLast();
  }
  Settle();
}

// A range deletion of the batch is newer than all of the database.
bool OverlayIterator::SkipDeletedBase() {
  if (!index_->has_range_deletions()) return false;
  Slice end;
  if (!index_->EndOfDeletion(base_->key(), !forward_, &end)) return false;
  if (!options_.total_order) {  // A seek could miss what follows.
    AdvanceBase();
    return true;
  }
  const std::string to = end.ToString();
  if (forward_) {
    base_->Seek(to);
  } else {
    base_->SeekForPrev(to);
    if (base_->Valid() && Compare(base_->key(), to) == 0) base_->Prev();
  }
  return true;
}

void OverlayIterator::Settle() {
  for (;;) {
    const bool has_base = base_->Valid();
    if (!has_base && !base_->status().ok()) return Fail(base_->status());
    if (has_base && SkipDeletedBase()) continue;
    const bool has_batch = BatchHasKey();
    if (!has_base && !has_batch) {
      valid_ = false;
      return;
    }
    int order = has_base ? -1 : 1;
    if (has_base && has_batch) {
      order = Compare(base_->key(), batch_.key());
      if (!forward_) order = -order;
    }
    if (order < 0) {
      valid_ = true;
      shows_ = Shows::kBase;
      return;
    }
    if (TakeFromBatch(/*base_has_it=*/order == 0) || !status_.ok()) return;
    // Deleted.
    if (order == 0) AdvanceBase();
    AdvanceBatch();
  }
}

bool OverlayIterator::TakeFromBatch(bool base_has_it) {
  const Slice key = batch_.key();
  BatchState state;
  Status status = ReadBatchState(*index_, key, &state);
  if (status.ok() && !state.decides() && state.operands.empty()) {
    status = Status::Corruption("write batch with index: no record of a key");
  }
  MergeContext merge;
  if (status.ok() && !state.operands.empty()) {
    status = options_.find_merge_operator(&merge);
  }
  if (!status.ok()) {
    // Nothing to answer.
  } else if (state.decides()) {
    status = AnswerOf(merge, key, state, &answer_);
  } else {
    const bool prepared = !base_has_it || base_->PrepareValue();
    status = prepared
                 ? AnswerOn(merge, key, state,
                            base_has_it ? &base_->columns() : nullptr, &answer_)
                 : base_->status();
  }
  if (status.ok() && answer_.exists) {
    // Copied, because the batch may grow before the caller reads them.
    key_.assign(key.data(), key.size());
    if (state.operands.empty()) {
      answer_.merged.assign(answer_.bytes.data(), answer_.bytes.size());
      answer_.bytes = answer_.merged;
    }
    has_columns_ = false;
    status = PlainValueOf(answer_, &value_);
  }
  if (!status.ok()) {
    Fail(std::move(status));
    return false;
  }
  valid_ = answer_.exists;
  shows_ = Shows::kBatch;
  return valid_;
}

void OverlayIterator::LeaveCurrent() {
  if (shows_ == Shows::kBase) return AdvanceBase();
  if (base_->Valid() && Compare(base_->key(), key_) == 0) AdvanceBase();
  if (batch_.Valid() && Compare(batch_.key(), key_) == 0) AdvanceBatch();
}

// Where the base has ended, nothing tells its end from a prefix without keys.
void OverlayIterator::TurnBase(const Slice& current) {
  const auto is_before = [this, &current] {
    const int order = Compare(base_->key(), current);
    return forward_ ? order < 0 : order > 0;
  };
  if (!base_->Valid() && !options_.total_order && !options_.within_prefix &&
      base_->status().ok()) {
    // Its first key in the new direction is the last of the old one, unless a
    // seek has hidden what is there.
    forward_ ? base_->SeekToFirst() : base_->SeekToLast();
    if (!base_->Valid() || !is_before()) return;
  }
  if (!base_->Valid() || options_.total_order) {
    forward_ ? base_->Seek(current) : base_->SeekForPrev(current);
    return;
  }
  while (base_->Valid() && is_before()) AdvanceBase();
}

// Invariant (1) for the other direction.
void OverlayIterator::TurnTo(bool forward) {
  if (forward_ == forward) return;
  const std::string current = key().ToString();
  forward_ = forward;
  if (shows_ == Shows::kBatch) TurnBase(current);
  forward ? batch_.Seek(current) : batch_.SeekForPrev(current);
  // Written since the base showed it.
  if (shows_ == Shows::kBase && batch_.Valid() &&
      Compare(batch_.key(), current) == 0) {
    AdvanceBatch();
  }
}

void OverlayIterator::Next() {
  assert(valid_);
  TurnTo(/*forward=*/true);
  LeaveCurrent();
  Settle();
}

void OverlayIterator::Prev() {
  assert(valid_);
  TurnTo(/*forward=*/false);
  LeaveCurrent();
  Settle();
}

Slice OverlayIterator::key() const {
  assert(valid_);
  return shows_ == Shows::kBase ? base_->key() : Slice(key_);
}

Slice OverlayIterator::value() const {
  assert(valid_);
  return shows_ == Shows::kBase ? base_->value() : value_;
}

const WideColumns& OverlayIterator::columns() const {
  assert(valid_);
  if (shows_ == Shows::kBase) return base_->columns();
  if (!has_columns_) {
    has_columns_ = ColumnsOf(answer_, &columns_).ok();
    if (!has_columns_) return kNoWideColumns;
  }
  return columns_.columns();
}

Slice OverlayIterator::timestamp() const {
  assert(valid_);
  return shows_ == Shows::kBase ? base_->timestamp() : Slice();
}

bool OverlayIterator::PrepareValue() {
  assert(valid_);
  if (shows_ == Shows::kBatch || base_->PrepareValue()) return true;
  Fail(base_->status());
  return false;
}

Status OverlayIterator::status() const {
  return status_.ok() ? base_->status() : status_;
}

Status OverlayIterator::Refresh(const Snapshot* snapshot) {
  valid_ = false;
  status_ = Status::OK();
  return base_->Refresh(snapshot);
}

}  // namespace ROCKSDB_NAMESPACE::engine
