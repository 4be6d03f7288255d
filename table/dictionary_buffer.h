// DictionaryBuffer: holds the data blocks of a file until its compression
// dictionary is made.
//
// Place. The table builder puts finished blocks here instead of writing them,
// until there is enough data to make a dictionary.
//
// Model. The samples for a dictionary are spread evenly over the buffered
// blocks, so that it fits the whole file even if its keys change in character.
// Options bound the buffered bytes, and so does the block cache, where their
// memory is charged.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

class CacheReservation;

class DictionaryBuffer {
 public:
  struct Options {
    CompressionType type = kNoCompression;
    CompressionOptions compression;
    uint64_t bytes_max = 0;        // 0: no bound.
    std::shared_ptr<Cache> cache;  // Charged for what waits; may be null.
  };
  struct Waiting {
    std::string payload;
    std::string last_key;
  };

  explicit DictionaryBuffer(const Options& options);
  ~DictionaryBuffer();
  DictionaryBuffer(const DictionaryBuffer&) = delete;
  DictionaryBuffer& operator=(const DictionaryBuffer&) = delete;

  void Add(const Slice& payload, const Slice& last_key);
  // True when no more blocks should wait.
  bool full() const { return full_; }
  // Waiting blocks, in order.
  const std::vector<Waiting>& blocks() const { return blocks_; }
  // The dictionary for them; empty when none is worth having.
  std::string MakeDictionary() const;

 private:
  const Options options_;
  std::vector<Waiting> blocks_;
  uint64_t bytes_ = 0;
  bool full_ = false;
  std::unique_ptr<CacheReservation> reservation_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
