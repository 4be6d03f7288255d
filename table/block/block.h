// Block: the uncompressed payload of one key-value block, in memory.
//
// Place. The block cache holds data blocks in this form; BlockIter walks them.
// Index blocks are turned into a FlatIndex instead.
//
// Bytes.
//
//   entries                 varint32 shared, unshared, value size; key; value
//   [values section]        only with separated keys and values
//   restart offsets         R x fixed32
//   [hash buckets, N]       N bytes, fixed16 N
//   [values section offset] fixed32, only with separated keys and values
//   footer word             fixed32: low 28 bits R, high 4 bits flags
//
// At a restart point `shared` is 0; with separated values a varint32 offset
// into the values section follows the value size there.
//
// Model. A sample of the restart points is kept in the head of the object, so
// that a search usually narrows down to one interval without touching the rest
// of the block.
// One allocation holds this object and the payload behind it, with
// kSlack readable bytes at the end so that loops may load whole words.
//
// Invariants: after Parse() returned true the regions above lie inside the
// payload. Entries and restart offsets are checked when they are visited.
//
// Threads. Immutable after Parse() and the calls that directly follow it.

#pragma once

#include <malloc.h>

#include <cassert>
#include <cstdint>
#include <memory>

#include "rocksdb/slice.h"
#include "table/block/entry_checks.h"
#include "table/format/block_handle.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

class Block {
 public:
  // Room for the trailer, which is read along with the payload, and for loops
  // that load 16 bytes at the last one.
  static constexpr size_t kSlack = kBlockTrailerSize + 16;

  static constexpr size_t kCacheLineBytes = 64;

  // Bytes in memory in addition to the payload.
  static constexpr size_t kOverhead = 192;

  struct Deleter {
    void operator()(Block* block) const { Free(block); }
  };
  using Ptr = std::unique_ptr<Block, Deleter>;

  // Memory for a payload of `size` bytes; fill data(), then call Parse().
  static Ptr Allocate(size_t size) {
    assert(size <= kBlockSizeMax);
    void* memory = ::operator new(sizeof(Block) + size + kSlack);
    return Ptr(new (memory) Block(static_cast<uint32_t>(size)));
  }
  static void Free(Block* block) {
    block->~Block();
    ::operator delete(block);
  }
  static Ptr Copy(const Slice& payload) {
    Ptr block = Allocate(payload.size());
    if (!payload.empty()) {
      std::memcpy(block->data(), payload.data(), payload.size());
    }
    return block;
  }

  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  char* data() { return reinterpret_cast<char*>(this + 1); }
  const char* data() const { return reinterpret_cast<const char*>(this + 1); }
  uint32_t size() const { return size_; }
  Slice payload() const { return {data(), size_}; }
  // What the allocator gave, which is more than was asked for.
  size_t memory_usage() const {
    return malloc_usable_size(const_cast<Block*>(this)) +
           (checks_ == nullptr ? 0 : checks_->memory_usage());
  }

  // Finds the regions; false when they do not fit (a damaged block).
  bool Parse();
  // Notes where restart points lie, so that a search touches few cache lines:
  // call once after Parse() if the keys are internal keys in bytewise order.
  void TakeSamples();
  // From now on each entry that is read must match its checksum: call once
  // after Parse(). False: an entry is damaged.
  bool Protect(const InternalKeyComparator* icmp, size_t bytes_per_key) {
    checks_ = EntryChecks::Make(*this, icmp, bytes_per_key);
    return checks_ != nullptr;
  }
  // Null: not protected.
  const EntryChecks* checks() const { return checks_.get(); }

  uint32_t entries_end() const { return entries_end_; }
  uint32_t restart_count() const { return restart_count_; }
  uint32_t restart(uint32_t index) const {
    assert(index < restart_count_);
    // All are sampled: the samples lie nearer than the end of the block.
    if (restart_count_ == sample_count_) return samples_[index].offset;
    return DecodeFixed32(data() + restarts_ + index * sizeof(uint32_t));
  }
  // The key at a restart point; false when the entry is damaged.
  bool RestartKey(uint32_t index, Slice* key) const;
  // Narrows [*low, *high], in which the last restart point before `target`
  // (an internal key) is known to be, by what the samples tell.
  void NarrowRestarts(const Slice& target, uint32_t* low, uint32_t* high) const;
  // Brings in what a search looks at first; then, with samples, where the one
  // for `target` will scan.
  void Prefetch() const {
    for (size_t i = 0; i < sizeof(Block); i += kCacheLineBytes) {
      __builtin_prefetch(reinterpret_cast<const char*>(this) + i);
    }
  }
  void PrefetchFor(const Slice& target) const;
  bool separated() const { return separated_; }
  // The values section, when separated().
  uint32_t values_begin() const { return entries_end_; }
  uint32_t values_end() const { return restarts_; }

  // 0: no hash index.
  uint32_t bucket_count() const { return bucket_count_; }
  uint8_t bucket(uint32_t index) const {
    assert(index < bucket_count_);
    return static_cast<uint8_t>(data()[buckets_ + index]);
  }

 private:
  explicit Block(uint32_t size) : size_(size) {}
  ~Block() = default;

  const uint32_t size_;
  uint32_t entries_end_ = 0;
  uint32_t restarts_ = 0;
  uint32_t restart_count_ = 0;
  uint32_t buckets_ = 0;
  uint16_t bucket_count_ = 0;
  bool separated_ = false;
  std::unique_ptr<const EntryChecks> checks_;

  // Evenly spaced restart points; with the usual block size and interval, all.
  // With each, the first eight bytes of its user key after the block's common
  // prefix.
  struct Sample {
    uint64_t prefix;
    uint32_t offset;
    uint32_t index;
  };
  static constexpr uint32_t kSamplesMax = 8;
  uint8_t sample_count_ = 0;
  uint8_t common_ = 0;      // Bytes in common.
  uint16_t first_key_ = 0;  // Where the first key lies.
  Sample samples_[kSamplesMax];
};
static_assert(sizeof(Block) + Block::kSlack <= Block::kOverhead);

// The footer word.
inline constexpr uint32_t kRestartCountMask = (1u << 28) - 1;
inline constexpr uint32_t kBlockSeparatedFlag = 1u << 28;
inline constexpr uint32_t kBlockUniformFlag = 1u << 29;  // A hint.
inline constexpr uint32_t kBlockReservedFlag = 1u << 30;
inline constexpr uint32_t kBlockHashFlag = 1u << 31;
// Larger blocks never have a hash index.
inline constexpr size_t kHashedBlockSizeMax = 65536;
// Bucket values that are no restart index.
inline constexpr uint8_t kBucketEmpty = 255;
inline constexpr uint8_t kBucketCollision = 254;

// Decodes the three sizes at the head of an entry. Returns the byte behind
// them, or null when they do not end before `limit`.
inline const char* DecodeEntryHead(const char* p, const char* limit,
                                   uint32_t* shared, uint32_t* unshared,
                                   uint32_t* value_size) {
  if (limit - p < 3) return nullptr;
  *shared = static_cast<uint8_t>(p[0]);
  *unshared = static_cast<uint8_t>(p[1]);
  *value_size = static_cast<uint8_t>(p[2]);
  if ((*shared | *unshared | *value_size) < 128) return p + 3;
  p = GetVarint32Ptr(p, limit, shared);
  if (p != nullptr) p = GetVarint32Ptr(p, limit, unshared);
  if (p == nullptr) return nullptr;
  return GetVarint32Ptr(p, limit, value_size);
}

}  // namespace ROCKSDB_NAMESPACE::engine
