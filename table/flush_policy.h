// Where data blocks end: by size, or as the program's policy says.
//
// Place. TableBuilder asks before each entry whether the open block ends.
//
// Model. The rule by size is inline. Only a factory in the options makes a
// policy object, which costs a virtual call for each entry.
//
// Threads. One at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "rocksdb/flush_block_policy.h"
#include "rocksdb/table.h"
#include "table/block/block_builder.h"

namespace ROCKSDB_NAMESPACE::engine {

// A policy cannot make a block larger than this. Readers keep whole blocks in
// memory, and their offsets have 32 bits.
inline constexpr uint64_t kPolicyBlockSizeMax = uint64_t{1} << 30;

class BlockSizeRule {
 public:
  // block_size, block_size_deviation and block_align.
  BlockSizeRule(uint64_t size, int deviation, bool align);

  // Does `block` end before this entry? An empty one does not.
  bool IsFull(const BlockBuilder& block, const Slice& key,
              const Slice& value) const {
    if (block.empty()) return false;
    const uint64_t size = block.SizeEstimate();
    if (size >= limit_) return true;
    // Close early rather than exceed the size: readers allocate whole blocks.
    if (size * 100 <= early_percents_) return false;
    return block.SizeEstimateAfter(key, value) + trailer_ > limit_;
  }

 private:
  uint64_t limit_;
  // Blocks above a hundredth of this may end early.
  uint64_t early_percents_ = UINT64_MAX;
  size_t trailer_;
};

// Null: by size. `block` outlives the policy.
std::unique_ptr<FlushBlockPolicy> NewFlushPolicy(
    const BlockBasedTableOptions& options, const BlockBuilder& block);

}  // namespace ROCKSDB_NAMESPACE::engine
