#include "db/read/level_iterator.h"

namespace ROCKSDB_NAMESPACE::engine {

LevelIterator::LevelIterator(const LevelIteratorOptions& options,
                             const ReadOptions& read_options,
                             LevelFilesPtr files)
    : options_(options),
      read_options_(read_options),
      files_(std::move(files)) {}

Status LevelIterator::status() const {
  if (!status_.ok() || table_ == nullptr) return status_;
  return table_->status();
}

void LevelIterator::Open(size_t index) {
  if (index == index_ && table_ != nullptr) return;
  index_ = index;
  table_.reset();
  if (index >= files_->size()) return;
  table_.reset(options_.tables->NewIterator(
      read_options_, *files_->files[index], options_.level, options_.purpose,
      options_.readahead_bytes, options_.io_pass));
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

void LevelIterator::Seek(const Slice& target) {
  const size_t index = files_->Find(*options_.icmp, target);
  valid_ = false;
  if (index >= files_->size() || BeyondUpper(index)) {
    table_.reset();
    index_ = SIZE_MAX;
    return;
  }
  Open(index);
  table_->Seek(target);
  SkipEmptyForward();
}

void LevelIterator::SeekForPrev(const Slice& target) {
  valid_ = false;
  if (files_->empty()) return;
  size_t index = files_->Find(*options_.icmp, target);
  if (index >= files_->size()) index = files_->size() - 1;
  Open(index);
  table_->SeekForPrev(target);
  SkipEmptyBackward();
}

void LevelIterator::Next() {
  table_->Next();
  if (table_->Valid()) {
    Mirror(*table_);
    return;
  }
  SkipEmptyForward();
}

void LevelIterator::Prev() {
  table_->Prev();
  if (table_->Valid()) {
    Mirror(*table_);
    return;
  }
  SkipEmptyBackward();
}

}  // namespace ROCKSDB_NAMESPACE::engine
