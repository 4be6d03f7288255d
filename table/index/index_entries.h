// IndexEntries: separators and handles in order, and their encoding.
//
// Place. The index builder keeps one entry per data block, the partitioned
// filter builder one per filter partition.
//
// Model. Whether separators are stored as bare user keys is known only at the
// end of a file, so they are kept as internal keys and encoded then. Any run
// of entries can become a block.
//
// Bytes. Key-value blocks (table/block/block.h); the value is a handle, or,
// with delta values, the change of size for a key that shares bytes with the
// one before it. A first key follows as length and bytes.
//
// Threads. One at a time.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "table/block/block_builder.h"
#include "table/format/block_handle.h"

namespace ROCKSDB_NAMESPACE::engine {

// The separators of one index block, in full: more is neither written nor
// read. A damaged block could claim gigabytes by sharing a long key many times.
inline constexpr uint64_t kIndexKeyBytesMax = uint64_t{1} << 30;

// How the index blocks of one file are written.
struct IndexForm {
  int restart_interval = 1;
  bool user_keys = false;
  bool delta_values = false;
  bool first_keys = false;
};

class IndexEntries {
 public:
  // `separator` is an internal key; `first_key` is kept only for a form with
  // first keys.
  void Add(const Slice& separator, const Slice& first_key,
           const BlockHandle& handle);
  void Add(const Slice& separator, const BlockHandle& handle) {
    Add(separator, Slice(), handle);
  }

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  size_t memory_bytes() const { return keys_.size() + 12 * size(); }
  Slice separator(size_t i) const {
    const size_t begin = BeginOf(i);
    return {keys_.data() + begin, entries_[i].separator_end - begin};
  }

  // Entries [begin, end) as the payload of one block.
  std::string Encode(size_t begin, size_t end, const IndexForm& form) const;
  // Appends entry `i` to a block that begins with entry `first`.
  void AppendTo(BlockBuilder* block, size_t i, size_t first,
                const IndexForm& form) const;

 private:
  struct Entry {
    BlockHandle handle;
    size_t separator_end;  // In keys_; the first key lies behind it.
    size_t end;
  };

  size_t BeginOf(size_t i) const { return i == 0 ? 0 : entries_[i - 1].end; }

  std::string keys_;
  std::vector<Entry> entries_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
