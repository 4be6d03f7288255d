// BlockIter: a cursor over one data block.
//
// Place. Embedded by value in the table iterator and on the stack of a point
// lookup: no virtual calls, no allocation for keys up to kInlineKeyBytes.
//
// Model. The current key lies in the block itself if it shares no prefix with
// its predecessor, else in `buf_`, which keeps the common prefix from entry to
// entry. Prev() decodes one whole restart interval and then returns its entries
// in reverse order; of an interval with very long keys it keeps the last ones.
//
// Invariants:
//   (1) Valid() implies key().size() >= kTrailerSize.
//   (2) Every size and offset is bounded before use; damage ends the walk
//       with corrupt() set.
//   (3) In a protected block only entries that match their checksums are
//       trusted; samples and the hash index are not.
//
// Threads. One at a time. The block must outlive the cursor.

#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "table/block/block.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

class BlockIter {
 public:
  BlockIter() = default;
  ~BlockIter() {
    if (buf_ != inline_) delete[] buf_;
  }
  BlockIter(const BlockIter&) = delete;
  BlockIter& operator=(const BlockIter&) = delete;

  // Starts over on `block`, on no entry.
  void Init(const Block* block, const InternalKeyComparator* icmp) {
    block_ = block;
    icmp_ = icmp;
    data_ = block->data();
    limit_ = data_ + block->entries_end();
    separated_ = block->separated();
    checks_ = block->checks();
    corrupt_ = false;
    Invalidate();
  }

  bool Valid() const { return valid_; }
  bool corrupt() const { return corrupt_; }
  Slice key() const { return {key_, key_size_}; }
  Slice value() const { return {value_, value_size_}; }
  // Of the current entry, in the block.
  uint32_t offset() const { return current_; }
  // True when the key lies in the block and stays as long as that.
  bool KeyIsInBlock() const { return key_ >= data_ && key_ < limit_; }

  void SeekToFirst() { ScanFromRestart(0); }
  void SeekToLast();
  // To the first entry at or after `target`, an internal key.
  void Seek(const Slice& target);
  // The same for a point lookup: uses the hash index. Exact only when the
  // user key is in the block; else it may stand on any larger user key or be
  // past the end.
  void SeekForGet(const Slice& target);
  void Next() {
    prev_index_ = 0;
    Step();
  }
  void Prev();

 private:
  static constexpr size_t kInlineKeyBytes = 112;
  // Step() copies in units of this many bytes.
  static constexpr size_t kCopyUnit = 16;

  // Of prev_keys_, but for one key. A damaged block could claim terabytes by
  // sharing a long key many times.
  static constexpr uint64_t kPrevKeyBytesMax = uint64_t{64} << 20;

  struct PrevEntry {
    size_t key;      // In prev_keys_, unless it lies in the block.
    uint32_t entry;  // Offsets into the block.
    uint32_t next;
    uint32_t value;
    uint32_t value_size;
    uint32_t key_size;
    bool in_block;
  };

  void Invalidate() {
    valid_ = false;
    key_ = buf_;
    key_size_ = 0;
    prev_index_ = 0;
  }
  void SetCorrupt() {
    corrupt_ = true;
    Invalidate();
  }
  // Moves to the entry at next_.
  void Step();
  // The current entry, if the block is protected.
  void Check() {
    if (!checks_->Match(current_, key(), value())) SetCorrupt();
  }
  void StepSeparated();
  bool TakeKey(const char* p, uint32_t shared, uint32_t unshared);
  void GrowKeyBuffer(size_t size);
  // Stands on the first entry of a restart interval.
  void ScanFromRestart(uint32_t index);
  bool RestartKey(uint32_t index, Slice* key);
  bool FindRestart(const Slice& target, uint32_t* index);
  void ScanTo(const Slice& target);
  bool FillPrev(uint32_t index, uint32_t end);
  uint64_t KeepPrev(uint32_t index, uint32_t end, uint64_t skip);
  void TakePrev();
  bool IsRestart(uint32_t offset);
  int Compare(const Slice& a, const Slice& b) const;

  const Block* block_ = nullptr;
  const InternalKeyComparator* icmp_ = nullptr;
  const char* data_ = nullptr;
  const char* limit_ = nullptr;
  const char* next_ = nullptr;  // The entry behind the current one.
  const char* key_ = nullptr;
  size_t key_size_ = 0;
  const char* value_ = nullptr;
  size_t value_size_ = 0;
  uint32_t current_ = 0;  // Offset of the current entry.
  bool valid_ = false;
  bool corrupt_ = false;
  bool separated_ = false;
  const EntryChecks* checks_ = nullptr;  // Null: none.
  uint32_t next_restart_ = 0;  // Separated only: restart at or after next_.
  size_t prev_index_ = 0;      // Entries of prev_ before the current one.

  char* buf_ = inline_;
  size_t buf_capacity_ = kInlineKeyBytes;
  std::vector<PrevEntry> prev_;
  std::string prev_keys_;
  char inline_[kInlineKeyBytes + kCopyUnit];
};

inline bool BlockIter::TakeKey(const char* p, uint32_t shared,
                               uint32_t unshared) {
  if (shared == 0) {
    key_ = p;
    key_size_ = unshared;
    return true;
  }
  if (shared > key_size_) return false;  // (2)
  const size_t size = size_t{shared} + unshared;
  if (size > buf_capacity_) GrowKeyBuffer(size);
  if (key_ != buf_) {
    std::memcpy(buf_, key_, shared);
    key_ = buf_;
  }
  // The block's slack and the buffer's allow for copying a whole unit.
  if (unshared <= kCopyUnit) {
    std::memcpy(buf_ + shared, p, kCopyUnit);
  } else {
    std::memcpy(buf_ + shared, p, unshared);
  }
  key_size_ = size;
  return true;
}

inline void BlockIter::Step() {
  if (separated_) return StepSeparated();
  const char* p = next_;
  if (p >= limit_) {
    valid_ = false;
    return;
  }
  uint32_t shared;
  uint32_t unshared;
  uint32_t value_size;
  current_ = static_cast<uint32_t>(p - data_);
  p = DecodeEntryHead(p, limit_, &shared, &unshared, &value_size);
  if (p == nullptr ||
      uint64_t{unshared} + value_size > static_cast<uint64_t>(limit_ - p) ||
      uint64_t{shared} + unshared < kTrailerSize ||  // (1)
      !TakeKey(p, shared, unshared)) {
    return SetCorrupt();
  }
  value_ = p + unshared;
  value_size_ = value_size;
  next_ = value_ + value_size;
  valid_ = true;
  if (checks_ != nullptr) [[unlikely]]
    Check();  // (3)
}

}  // namespace ROCKSDB_NAMESPACE::engine
