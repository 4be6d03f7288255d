#include "table/block/block_iter.h"

#include <algorithm>

#include "table/block/key_compare.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

inline int BlockIter::Compare(const Slice& a, const Slice& b) const {
  return icmp_->bytewise() ? CompareInternalKeysBytewise(a, b)
                           : icmp_->Compare(a, b);
}

void BlockIter::GrowKeyBuffer(size_t size) {
  assert(size > buf_capacity_);
  const size_t capacity = std::max(size, 2 * buf_capacity_);
  char* bigger = new char[capacity + kCopyUnit];
  if (key_ == buf_) {
    std::memcpy(bigger, buf_, key_size_);
    key_ = bigger;
  }
  if (buf_ != inline_) delete[] buf_;
  buf_ = bigger;
  buf_capacity_ = capacity;
}

bool BlockIter::IsRestart(uint32_t offset) {
  while (next_restart_ < block_->restart_count() &&
         block_->restart(next_restart_) < offset) {
    ++next_restart_;
  }
  return next_restart_ < block_->restart_count() &&
         block_->restart(next_restart_) == offset;
}

// Entries carry no value bytes; a restart entry says where in the values
// section its value begins, the others follow one another.
void BlockIter::StepSeparated() {
  const char* p = next_;
  if (p >= limit_) {
    valid_ = false;
    return;
  }
  uint32_t shared;
  uint32_t unshared;
  uint32_t value_size;
  current_ = static_cast<uint32_t>(p - data_);
  const char* value = value_ + value_size_;
  p = DecodeEntryHead(p, limit_, &shared, &unshared, &value_size);
  if (p != nullptr && IsRestart(current_)) {
    uint32_t offset = 0;
    p = GetVarint32Ptr(p, limit_, &offset);
    if (p != nullptr) {
      if (offset > block_->values_end() - block_->values_begin()) {  // (2)
        return SetCorrupt();
      }
      value = data_ + block_->values_begin() + offset;
    }
  }
  if (p == nullptr || unshared > static_cast<uint64_t>(limit_ - p) ||
      uint64_t{shared} + unshared < kTrailerSize ||  // (1)
      value_size >
          static_cast<uint64_t>(data_ + block_->values_end() - value) ||
      !TakeKey(p, shared, unshared)) {
    return SetCorrupt();
  }
  value_ = value;
  value_size_ = value_size;
  next_ = p + unshared;
  valid_ = true;
  if (checks_ != nullptr) Check();  // (3)
}

void BlockIter::ScanFromRestart(uint32_t index) {
  assert(index < block_->restart_count());
  const uint32_t offset = block_->restart(index);
  Invalidate();
  value_ = limit_;
  value_size_ = 0;
  next_restart_ = index;
  // An empty block still has the restart point 0, which is also its end.
  if (offset != 0 && offset >= block_->entries_end()) return SetCorrupt();
  next_ = data_ + offset;
  Step();
}

bool BlockIter::RestartKey(uint32_t index, Slice* key) {
  if (checks_ == nullptr) [[likely]]
    return block_->RestartKey(index, key);
  ScanFromRestart(index);
  *key = this->key();
  return valid_;
}

// The last restart point whose key is smaller than `target`, else 0.
bool BlockIter::FindRestart(const Slice& target, uint32_t* index) {
  uint32_t low = 0;  // Everything before is known to be smaller.
  uint32_t high = block_->restart_count() - 1;
  if (checks_ == nullptr) block_->NarrowRestarts(target, &low, &high);  // (3)
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    Slice key;
    if (!RestartKey(middle, &key)) return false;
    if (Compare(key, target) < 0) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  *index = low;
  return true;
}

void BlockIter::ScanTo(const Slice& target) {
  if (icmp_->bytewise()) {
    while (valid_ && CompareInternalKeysBytewise(key(), target) < 0) Step();
  } else {
    while (valid_ && icmp_->Compare(key(), target) < 0) Step();
  }
}

void BlockIter::Seek(const Slice& target) {
  uint32_t index = 0;
  if (!FindRestart(target, &index)) return SetCorrupt();
  ScanFromRestart(index);
  ScanTo(target);
}

void BlockIter::SeekForGet(const Slice& target) {
  if (block_->bucket_count() == 0 || checks_ != nullptr) return Seek(target);
  const uint32_t hash = DataBlockHash(ExtractUserKey(target));
  uint32_t index = block_->bucket(hash % block_->bucket_count());
  if (index == kBucketCollision) return Seek(target);
  // The key is not here, but if it is larger than all of the block the next
  // block may have it: the end of the last interval tells.
  if (index == kBucketEmpty) index = block_->restart_count() - 1;
  if (index >= block_->restart_count()) return SetCorrupt();
  ScanFromRestart(index);
  ScanTo(target);
}

void BlockIter::SeekToLast() {
  ScanFromRestart(block_->restart_count() - 1);
  while (valid_ && next_ < limit_) Step();
}

// Decodes the entries of interval `index` that begin before offset `end`: all,
// or the last ones if their keys are too long to be kept together. Those before
// are decoded again when Prev() comes to them.
bool BlockIter::FillPrev(uint32_t index, uint32_t end) {
  const uint64_t key_bytes = KeepPrev(index, end, 0);
  if (key_bytes > kPrevKeyBytesMax) {
    (void)KeepPrev(index, end, key_bytes - kPrevKeyBytesMax);
  }
  return !corrupt_ && !prev_.empty();
}

// Keeps the entries whose keys come behind the first `skip` bytes of keys that
// would have to be copied, up to kPrevKeyBytesMax more, and the one whose key
// lies across the beginning. Returns the bytes of all such keys.
uint64_t BlockIter::KeepPrev(uint32_t index, uint32_t end, uint64_t skip) {
  prev_.clear();
  prev_keys_.clear();
  uint64_t key_bytes = 0;
  for (ScanFromRestart(index); valid_ && current_ < end; Step()) {
    const bool in_block = KeyIsInBlock();
    if (!in_block) key_bytes += key_size_;
    if (key_bytes < skip || key_bytes - skip > kPrevKeyBytesMax) continue;
    const size_t key =
        in_block ? static_cast<size_t>(key_ - data_) : prev_keys_.size();
    prev_.push_back({key, current_, static_cast<uint32_t>(next_ - data_),
                     static_cast<uint32_t>(value_ - data_),
                     static_cast<uint32_t>(value_size_),
                     static_cast<uint32_t>(key_size_), in_block});
    if (!in_block) prev_keys_.append(key_, key_size_);
  }
  return key_bytes;
}

void BlockIter::TakePrev() {
  assert(prev_index_ > 0 && prev_index_ <= prev_.size());
  const PrevEntry& e = prev_[--prev_index_];
  key_ = (e.in_block ? data_ : prev_keys_.data()) + e.key;
  key_size_ = e.key_size;
  assert(key_size_ >= kTrailerSize);  // (1)
  value_ = data_ + e.value;
  value_size_ = e.value_size;
  current_ = e.entry;
  next_ = data_ + e.next;
  next_restart_ = 0;
  valid_ = true;
}

void BlockIter::Prev() {
  assert(valid_);
  if (prev_index_ > 0) return TakePrev();
  const uint32_t end = current_;
  if (end == 0) return Invalidate();
  // The last restart point before the current entry.
  uint32_t low = 0;
  uint32_t high = block_->restart_count() - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    if (block_->restart(middle) < end) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  if (!FillPrev(low, end)) return SetCorrupt();
  prev_index_ = prev_.size();
  TakePrev();
}

}  // namespace ROCKSDB_NAMESPACE::engine
