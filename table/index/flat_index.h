// FlatIndex: a decoded index block, made for searching.
//
// Place. The table reader turns every index block (the whole index, the top
// level of a partitioned one, or one partition) into this once, when it is
// loaded; no iterator over the encoded form exists.
//
// Model. Separators are stored one after the other in `keys_`. With the
// bytewise order the first eight bytes after their common prefix are also
// stored as big-endian numbers, and the search runs over these:
//
//   separators  user0017... user0018... user0023...
//   common_     user00
//   prefixes_   "17......"  "18......"  "23......"
//
// First keys, if the index has them, are kept as well. With them a block that
// begins after the key sought need not be read, and reading the block of a seek
// can be deferred.
//
// Separator s of block i satisfies: last key of block i <= s < first key of
// block i + 1, so x is in the first block whose separator is >= x.
//
// Threads. Immutable.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "table/block/block.h"
#include "table/format/block_handle.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// How the index blocks of one file are encoded (from its properties).
struct IndexEncoding {
  bool key_is_user_key = false;
  bool value_is_delta = false;
  bool has_first_key = false;
};

class FlatIndex {
 public:
  // Decodes a key-value block. Null when it is damaged: bad layout,
  // separators out of order, or a handle that ends behind `file_limit`.
  static std::unique_ptr<FlatIndex> Parse(Block* block,
                                          const IndexEncoding& encoding,
                                          const InternalKeyComparator& icmp,
                                          uint64_t file_limit);

  size_t size() const { return handles_.size(); }
  BlockHandle handle(size_t i) const {
    return {handles_[i].offset, handles_[i].size};
  }
  // The stored separator: an internal key, or a user key if
  // encoding().key_is_user_key.
  Slice separator(size_t i) const {
    const uint32_t begin = i == 0 ? 0 : handles_[i - 1].key_end;
    return {keys_.data() + begin, handles_[i].key_end - begin};
  }
  Slice separator_user_key(size_t i) const {
    const Slice s = separator(i);
    return encoding_.key_is_user_key ? s : ExtractUserKey(s);
  }

  bool has_first_keys() const { return encoding_.has_first_key; }
  // The internal key of block i's first entry. REQUIRES: has_first_keys()
  Slice first_key(size_t i) const {
    const uint32_t begin = i == 0 ? 0 : first_key_ends_[i - 1];
    return {first_keys_.data() + begin, first_key_ends_[i] - begin};
  }
  Slice first_user_key(size_t i) const { return ExtractUserKey(first_key(i)); }

  // The first entry whose separator is at or after `target` (an internal
  // key); size() if there is none. The comparator is that of Parse(), by
  // name: an index in a cache may outlive the object it was parsed with.
  size_t Find(const InternalKeyComparator& icmp, const Slice& target) const;
  // The same for many targets, in step with each other.
  void FindMany(const InternalKeyComparator& icmp, const Slice* targets,
                size_t count, size_t* found) const;

  // Appends an index block that Parse() makes the same index of, with this
  // encoding but without deltas.
  void AppendBlockTo(std::string* out) const;

  const IndexEncoding& encoding() const { return encoding_; }
  size_t memory_usage() const {
    return sizeof(*this) + handles_.capacity() * sizeof(Entry) +
           prefixes_.capacity() * sizeof(uint64_t) + keys_.capacity() +
           first_key_ends_.capacity() * sizeof(uint32_t) +
           first_keys_.capacity();
  }

 private:
  struct Entry {
    uint64_t offset;
    uint32_t size;
    uint32_t key_end;  // In keys_.
  };
  class Parser;

  explicit FlatIndex(const IndexEncoding& encoding) : encoding_(encoding) {}
  bool Before(const InternalKeyComparator& icmp, size_t i,
              const Slice& target) const;
  size_t FindBetween(const InternalKeyComparator& icmp, size_t low, size_t high,
                     const Slice& target) const;
  void BuildPrefixes();
  // True when the bytes in common already say where `target` belongs.
  bool OutsideCommon(const Slice& target, size_t* found) const;
  // `low`: the last separator whose prefix may be smaller than `wanted`.
  size_t FindFrom(const InternalKeyComparator& icmp, size_t low,
                  uint64_t wanted, const Slice& target) const;

  const IndexEncoding encoding_;
  std::vector<Entry> handles_;
  std::string keys_;
  // With has_first_keys(): one behind the other, and their ends.
  std::string first_keys_;
  std::vector<uint32_t> first_key_ends_;
  size_t common_ = 0;
  std::vector<uint64_t> prefixes_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
