// BlockBuilder: encodes entries into a key-value block.
//
// Place. Makes data blocks, the metaindex, properties and index blocks.
//
// Bytes. See table/block/block.h. Each entry stores only what differs from
// the key before it; every `restart_interval` entries, one is stored in full
// and its offset is noted, so that a reader can search.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

class BlockBuilder {
 public:
  struct Options {
    int restart_interval = 16;
    bool use_delta_encoding = true;
    // Entries per bucket of the hash index; 0: none is written.
    double hash_ratio = 0;
    // Values behind all keys instead of each behind its key. Not together
    // with AddWithoutSize().
    bool separate_values = false;
  };

  explicit BlockBuilder(const Options& options);

  // Appends an entry. Keys ascend; `key` is an internal key if a hash index
  // is wanted.
  void Add(const Slice& key, const Slice& value);
  // The entry form of index blocks with delta-encoded values: no value size;
  // `delta_value` is stored when the key shares bytes with the last one,
  // unless `force_full` makes it share none.
  void AddWithoutSize(const Slice& key, const Slice& full_value,
                      const Slice& delta_value, bool force_full = false);

  // Ends the block. The result lives until Reset().
  Slice Finish();
  void Reset();

  bool empty() const { return buffer_.empty(); }
  size_t entry_count() const { return entry_count_; }
  // Of the block as Finish() would leave it now, without a hash index.
  size_t SizeEstimate() const {
    return buffer_.size() + values_.size() +
           (restarts_.size() + 1 + options_.separate_values) * sizeof(uint32_t);
  }
  // The same after one more Add(); a few bytes off at most.
  size_t SizeEstimateAfter(const Slice& key, const Slice& value) const;
  Slice last_key() const { return last_key_; }

 private:
  // Opens a restart interval if it is time; returns the bytes `key` shares
  // with the last key.
  size_t BeginEntry(const Slice& key);
  void EndEntry(const Slice& key, size_t shared);
  void AddSeparated(const Slice& key, const Slice& value);
  void NoteHash(const Slice& key);
  bool AppendHashIndex();

  const Options options_;
  std::string buffer_;
  std::string values_;  // With separate_values.
  std::string last_key_;
  std::vector<uint32_t> restarts_;
  int entries_in_interval_ = 0;
  size_t entry_count_ = 0;

  struct Hashed {
    uint32_t hash;
    uint8_t restart;
  };
  std::vector<Hashed> hashes_;
  bool hash_valid_ = true;  // False once the restarts outgrow one byte.
};

}  // namespace ROCKSDB_NAMESPACE::engine
