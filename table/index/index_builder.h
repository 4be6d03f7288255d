// IndexBuilder: collects one separator and handle per data block and encodes
// the index block at the end.
//
// Place. Fed by the table builder after each data block.
//
// Model. Whether separators are stored as bare user keys is decided for the
// whole file, and only its end knows: the first pair of neighbouring blocks
// that share a boundary user key forbids it. So separators are kept as
// internal keys and encoded by Finish().
//
// Threads. One at a time.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/table.h"
#include "table/format/block_handle.h"
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
  };

  explicit IndexBuilder(const Options& options)
      : options_(options), user_keys_(options.may_use_user_keys) {}

  // A block ended with `last_key`; the next one begins with
  // `*next_first_key`, or there is none.
  void AddBlock(const Slice& last_key, const Slice* next_first_key,
                const BlockHandle& handle);

  // The index block payload.
  std::string Finish() const;
  size_t SizeEstimate() const { return keys_.size() + 12 * entries_.size(); }
  bool uses_user_keys() const { return user_keys_; }
  bool delta_encodes_values() const { return options_.delta_encode_values; }

 private:
  struct Entry {
    BlockHandle handle;
    size_t key_end;  // In keys_.
  };

  void ShortenSeparator(const Slice& next_first_key);
  void ShortenSuccessor();

  const Options options_;
  bool user_keys_;
  std::string keys_;
  std::vector<Entry> entries_;
  std::string separator_;  // Of the block being added.
  std::string scratch_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
