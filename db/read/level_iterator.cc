#include "db/read/level_iterator.h"

#include <cassert>

#include "table/prefix_seek.h"

namespace ROCKSDB_NAMESPACE::engine {

LevelIterator::LevelIterator(const LevelIteratorOptions& options,
                             const ReadOptions& read_options,
                             LevelFilesPtr files)
    : options_(options), read_options_(read_options), files_(std::move(files)) {
  if (read_options.adaptive_readahead) {
    options_.scan.readahead_carried = &readahead_carried_;
  }
}

Status LevelIterator::status() const {
  if (!status_.ok() || table_ == nullptr) return status_;
  return table_->status();
}

void LevelIterator::Open(size_t index) {
  if (index == index_ && table_ != nullptr) return;
  index_ = index;
  if (read_options_.pin_data && table_ != nullptr) {
    pinned_.push_back(std::move(table_));
  }
  table_.reset();
  if (index >= files_->size()) return;
  table_.reset(options_.tables->NewIterator(
      read_options_, *files_->files[index], options_.level, options_.scan));
  if (options_.cover != nullptr) AddToCover();
}

void LevelIterator::AddToCover() {
  const LevelFile& file = files_->flat[index_];
  auto tombstones = options_.tables->Tombstones(*file.file, options_.level);
  if (!tombstones.ok()) {
    table_.reset(NewEmptyInternalIterator(tombstones.status()));
  } else if (*tombstones != nullptr) {
    options_.cover->AddFile(options_.child, *tombstones, file.smallest,
                            file.largest);
  }
}

// Files from here on begin at or behind the read's upper bound.
bool LevelIterator::BeyondUpper(size_t index) const {
  const Slice* upper = read_options_.iterate_upper_bound;
  return upper != nullptr &&
         options_.icmp->CompareUserKey(files_->flat[index].smallest_user_key(),
                                       *upper) >= 0;
}

void LevelIterator::SkipEmptyForward() {
  while (table_ != nullptr && !table_->Valid()) {
    if (!table_->status().ok()) break;
    const size_t next = index_ + 1;
    if (next >= files_->size() || BeyondUpper(next)) {
      valid_ = false;
      return;
    }
    Open(next);
    table_->SeekToFirst();
  }
  valid_ = false;
  if (table_ != nullptr && table_->Valid()) Mirror(*table_);
}

void LevelIterator::SkipEmptyBackward() {
  while (table_ != nullptr && !table_->Valid()) {
    if (!table_->status().ok()) break;
    if (index_ == 0) {
      valid_ = false;
      return;
    }
    Open(index_ - 1);
    table_->SeekToLast();
  }
  valid_ = false;
  if (table_ != nullptr && table_->Valid()) Mirror(*table_);
}

void LevelIterator::SeekToFirst() {
  Open(0);
  if (table_ != nullptr) table_->SeekToFirst();
  SkipEmptyForward();
}

void LevelIterator::SeekToLast() {
  valid_ = false;
  if (files_->empty()) return;
  Open(files_->size() - 1);
  table_->SeekToLast();
  SkipEmptyBackward();
}

// From here on: has the table in hand been ruled out?
void LevelIterator::AwaitRuling() {
  if (options_.scan.prefix != nullptr) {
    (void)options_.scan.prefix->TakeJustRuledOut();
  }
}

// True when it has, and no key behind `bound`, its end, has the prefix of
// `target`.
bool LevelIterator::PrefixEndsBefore(const Slice& bound, const Slice& target) {
  PrefixSeek* const prefix = options_.scan.prefix;
  return prefix != nullptr && prefix->TakeJustRuledOut() &&
         !prefix->GoesOnBehind(ExtractUserKey(bound), ExtractUserKey(target));
}

void LevelIterator::Seek(const Slice& target) {
  const size_t index = files_->Find(*options_.icmp, target);
  valid_ = false;
  if (index >= files_->size() || BeyondUpper(index)) {
    Open(SIZE_MAX);
    return;
  }
  Open(index);
  AwaitRuling();
  table_->Seek(target);
  if (PrefixEndsBefore(files_->flat[index].largest, target)) return;
  SkipEmptyForward();
}

void LevelIterator::SeekForPrev(const Slice& target) {
  valid_ = false;
  if (files_->empty()) return;
  size_t index = files_->Find(*options_.icmp, target);
  if (index >= files_->size()) index = files_->size() - 1;
  // Between two files: the one behind has nothing to show.
  if (index > 0 &&
      options_.icmp->Compare(files_->flat[index].smallest, target) > 0) {
    --index;
  }
  Open(index);
  AwaitRuling();
  table_->SeekForPrev(target);
  if (PrefixEndsBefore(files_->flat[index].smallest, target)) return;
  SkipEmptyBackward();
}

void LevelIterator::Next() {
  assert(valid_ && table_ != nullptr);
  table_->Next();
  if (table_->Valid()) {
    Mirror(*table_);
    return;
  }
  SkipEmptyForward();
}

bool LevelIterator::ReadValue() {
  assert(valid_ && table_ != nullptr);
  const bool ok = table_->ReadValue();
  Mirror(*table_);
  return ok;
}

bool LevelIterator::IsKeyPinned() const {
  return valid_ && table_->IsKeyPinned();
}

bool LevelIterator::IsValuePinned() const {
  return valid_ && table_->IsValuePinned();
}

void LevelIterator::Prev() {
  assert(valid_ && table_ != nullptr);
  table_->Prev();
  if (table_->Valid()) {
    Mirror(*table_);
    return;
  }
  SkipEmptyBackward();
}

}  // namespace ROCKSDB_NAMESPACE::engine
