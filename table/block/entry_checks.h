// EntryChecks: a checksum for each entry of a block that stays in memory
// (block_protection_bytes_per_key).
//
// Place. Owned by Block; made when a data block has been read, or is put into
// the cache as it is written. BlockIter checks every entry that it visits.
//
// Model. 1, 2, 4 or 8 bytes of a hash of key and value, found by the offset at
// which the entry begins. It detects memory that changed after the block's own
// checksum was verified; it is never written to a file.
//
// Threads. Immutable.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

class Block;
class InternalKeyComparator;

class EntryChecks {
 public:
  // Of a block that was parsed. Null when an entry is damaged.
  static std::unique_ptr<const EntryChecks> Make(
      const Block& block, const InternalKeyComparator* icmp,
      size_t bytes_per_key);

  // False also for an offset at which no entry begins.
  bool Match(uint32_t offset, const Slice& key, const Slice& value) const;
  size_t memory_usage() const {
    return sizeof(*this) + offsets_.capacity() * sizeof(uint32_t) +
           sums_.capacity();
  }

 private:
  explicit EntryChecks(size_t bytes_per_key) : bytes_(bytes_per_key) {}
  void Add(uint32_t offset, const Slice& key, const Slice& value);

  const size_t bytes_;
  std::vector<uint32_t> offsets_;  // Ascending.
  std::string sums_;               // bytes_ for each offset.
};

}  // namespace ROCKSDB_NAMESPACE::engine
