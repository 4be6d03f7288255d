// IndexBuilder: collects one separator and handle per data block and encodes
// the index at the end, as one block or in partitions.
//
// Place. Fed by the table builder after each data block.
//
// Model. Whether separators are stored as bare user keys is decided for the
// whole file, and known only at its end: a single pair of adjacent blocks that
// share a boundary user key rules it out. So entries are kept and encoded by
// Finish(). Only the boundaries of partitions are decided as entries arrive:
//
//   data blocks   b1 b2 b3 | b4 b5 | b6
//   partitions    P1       | P2    | P3      each an index block
//   top level     (s3,P1)  (s5,P2)  (s6,P3)  s: separator of the last block
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/table.h"
#include "table/format/block_handle.h"
#include "table/index/index_entries.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

class IndexBuilder {
 public:
  struct Options {
    const InternalKeyComparator* icmp = nullptr;
    BlockBasedTableOptions::IndexShorteningMode shortening =
        BlockBasedTableOptions::IndexShorteningMode::kShortenSeparators;
    int restart_interval = 1;
    bool may_use_user_keys = true;    // format_version >= 3
    bool delta_encode_values = true;  // format_version >= 4, no padding
    bool first_keys = false;          // kBinarySearchWithFirstKey
    // A partition is ended before it exceeds this; 0: one block for all.
    uint64_t partition_bytes = 0;
    // And when it is less than this many percent short of it and the next
    // entry would exceed it.
    int partition_deviation_percent = 10;
  };

  // What the root of the index is, once everything else is written.
  struct Finished {
    std::string root;              // The payload of the index or top level.
    uint64_t payload_bytes = 0;    // Of all blocks.
    uint64_t partition_count = 0;  // 0: not partitioned.
    uint64_t root_key_bytes = 0;   // Separators, in full.
  };
  // Appends a block and says where it lies.
  using WriteBlock = std::function<BlockHandle(const Slice& payload)>;

  explicit IndexBuilder(const Options& options);

  // A block from `first_key` to `last_key` ended; the next one begins with
  // `*next_first_key`, or there is none. True when its entry begins a
  // partition behind another one. `first_key` matters with first keys only.
  bool AddBlock(const Slice& first_key, const Slice& last_key,
                const Slice* next_first_key, const BlockHandle& handle);
  // The next entry begins a partition.
  void CutPartition() { cut_wanted_ = true; }

  // The separator of the block added last, an internal key.
  Slice last_separator() const { return separator_; }
  bool empty() const { return entries_.empty(); }

  // `write` gets the partitions, in order.
  Finished Finish(const WriteBlock& write) const;
  size_t SizeEstimate() const { return entries_.memory_bytes(); }
  bool uses_user_keys() const { return form_.user_keys; }
  bool delta_encodes_values() const { return form_.delta_values; }
  const IndexForm& form() const { return form_; }

 private:
  void ShortenSeparator(const Slice& next_first_key);
  void ShortenSuccessor();
  bool PartitionIsFull(const Slice& separator) const;
  bool NotePartition();

  const Options options_;
  IndexForm form_;
  IndexEntries entries_;
  std::string separator_;  // Of the block being added.
  std::string scratch_;
  // Partitions: where each begins, and the open one, encoded to know its size.
  std::vector<size_t> begins_;
  BlockBuilder open_;
  bool cut_wanted_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
