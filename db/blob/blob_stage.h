// BlobStage: what becomes of a value on its way into a new table.
//
// Place. Between the compaction iterator and the table, in jobs that write or
// read blob files; other jobs have none.
//
// Model.
//   entry        becomes
//   value        a blob index, where values go to blob files and it is large
//                enough; else it stays
//   blob index   the same; if garbage collection empties its file, the value
//                is read and treated as above
//   entity       the same; if garbage collection empties a file that one of its
//                columns is in, all its columns come into the table
//   others       the same
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "db/blob/blob_garbage.h"
#include "db/blob/blob_output.h"
#include "db/blob/blob_source.h"
#include "rocksdb/slice.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// Reads blobs for one job and counts what that costs.
class BlobFetcher {
 public:
  BlobFetcher(const BlobSource* source, std::shared_ptr<const Version> version,
              const IoPass* io_pass)
      : source_(source), version_(std::move(version)), io_pass_(io_pass) {}

  Result<BlobValue> Fetch(const Slice& user_key, const Slice& blob_index);
  // An entity with all its columns in itself.
  Status Inline(const Slice& user_key, const Slice& entity,
                std::string* inlined);

  uint64_t blobs_read() const { return blobs_read_; }
  uint64_t bytes_read() const { return bytes_read_; }

 private:
  const BlobSource* const source_;
  const std::shared_ptr<const Version> version_;
  const IoPass* const io_pass_;
  uint64_t blobs_read_ = 0;
  uint64_t bytes_read_ = 0;
};

struct BlobStageOptions {
  // Null: values stay in the table.
  std::unique_ptr<BlobOutput> output;
  uint64_t min_blob_size = 0;
  // Blobs of files below this number are relocated; 0: none are.
  uint64_t collect_below = 0;
  BlobFetcher* fetcher = nullptr;     // Needed to relocate.
  BlobGarbageMeter* meter = nullptr;  // Null: the inputs have no blobs.
  Statistics* statistics = nullptr;
};

class BlobStage {
 public:
  explicit BlobStage(BlobStageOptions options) : options_(std::move(options)) {}

  // Afterwards key() and value() are what the table gets, until the next call.
  Status Pass(const Slice& internal_key, const Slice& value);
  Slice key() const { return key_; }
  Slice value() const { return value_; }

  // Ends the blob files.
  Status Finish();
  // Null when values stay in the table.
  BlobOutput* output() { return options_.output.get(); }
  const BlobOutput* output() const { return options_.output.get(); }

 private:
  bool Wants(const Slice& value) const {
    return options_.output != nullptr && !value.empty() &&
           value.size() >= options_.min_blob_size;
  }
  // The entry stays as it is.
  Status Keep(const Slice& internal_key, const Slice& value);
  Status PassIndex(const Slice& internal_key, const Slice& value);
  Status PassEntity(const Slice& internal_key, const Slice& entity);
  Status Store(const Slice& internal_key, const Slice& value);
  void SetKey(const Slice& internal_key, ValueType type);

  const BlobStageOptions options_;
  Slice key_;
  Slice value_;
  std::string key_buffer_;
  std::string value_buffer_;
  BlobValue relocated_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
