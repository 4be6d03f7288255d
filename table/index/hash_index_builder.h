// HashIndexBuilder: which data blocks hold which prefix.
//
// Place. The table builder feeds it every key of a table with kHashSearch; the
// two meta blocks it makes supplement an ordinary index.
//
// Bytes. prefixes: the distinct prefixes one after the other, in key order.
// metadata, per prefix: varint32 length, varint32 ordinal of the first data
// block with it, varint32 number of consecutive blocks with it.
//
// Model. A key outside the extractor's domain is its own prefix.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/slice_transform.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

class HashIndexBuilder {
 public:
  explicit HashIndexBuilder(const SliceTransform* prefix_extractor)
      : prefix_extractor_(prefix_extractor) {}

  // `block` is the ordinal of the data block that `user_key` goes into.
  void Add(const Slice& user_key, uint64_t block) {
    const Slice prefix = prefix_extractor_->InDomain(user_key)
                             ? prefix_extractor_->Transform(user_key)
                             : user_key;
    const uint32_t at = static_cast<uint32_t>(block);
    if (open_ && prefix == Slice(prefix_)) {
      last_block_ = at;
      return;
    }
    EndPrefix();
    open_ = true;
    prefix_.assign(prefix.data(), prefix.size());
    first_block_ = last_block_ = at;
  }

  void Finish() { EndPrefix(); }
  // Of Finish().
  const std::string& prefixes() const { return prefixes_; }
  const std::string& metadata() const { return metadata_; }

 private:
  void EndPrefix() {
    if (!open_) return;
    prefixes_ += prefix_;
    PutVarint32(&metadata_, static_cast<uint32_t>(prefix_.size()));
    PutVarint32(&metadata_, first_block_);
    PutVarint32(&metadata_, last_block_ - first_block_ + 1);
    open_ = false;
  }

  const SliceTransform* const prefix_extractor_;
  bool open_ = false;
  std::string prefix_;
  uint32_t first_block_ = 0;
  uint32_t last_block_ = 0;
  std::string prefixes_;
  std::string metadata_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
