// BlobOutput: the blob files that a flush or one slice of a compaction writes.
//
// Place. Values go in, blob indexes come out; the job names the files in the
// edit that names the tables with these indexes.
//
// Model. A file is begun by the first value and ended when it is full:
//
//   Add, Add, ... -> file -> Add, ... -> file -> Finish -> files() -> Keep
//
// Invariants:
//   (1) Every file of files() is complete, on the device and readable.
//   (2) The destructor deletes a file that was not finished, and those of
//       files() unless Keep() was called. What it cannot delete stays until a
//       scan (file_deletion.h) finds it.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/blob/blob_source.h"
#include "db/format/store_context.h"
#include "db/manifest/blob_files.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "table/blob/blob_file_writer.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// Is notified of the blob files that a job writes. Called by the thread that
// writes them, without locks.
class BlobObserver {
 public:
  virtual ~BlobObserver() = default;
  virtual void BlobFileBegun(uint64_t /*number*/) {}
  // Of a file that failed only the number is known, and it is gone.
  virtual void BlobFileEnded(const BlobFileAddition& /*file*/,
                             const Status& /*status*/) {}
};

struct BlobOutputOptions {
  const StoreContext* store = nullptr;
  FileOptions file_options;
  const BlobSource* source = nullptr;
  uint32_t family_id = 0;
  std::shared_ptr<const ColumnFamilyOptions> family;
  std::shared_ptr<const FileHome> home;
  std::function<uint64_t()> new_file_number;
  Env::IOPriority io_priority = Env::IO_LOW;
  const IoPass* io_pass = nullptr;  // Outlives the output; null: not gated.
  // Of Tickers: counts bytes as they are written.
  uint32_t written_ticker = UINT32_MAX;
  Env::WriteLifeTimeHint lifetime_hint = Env::WLTH_NOT_SET;
  bool warm_cache = false;
  BlobObserver* observer = nullptr;  // May be null.
};

class BlobOutput {
 public:
  explicit BlobOutput(BlobOutputOptions options);
  ~BlobOutput();
  BlobOutput(const BlobOutput&) = delete;
  BlobOutput& operator=(const BlobOutput&) = delete;

  // Writes the value and appends the index of it to `*blob_index`.
  Status Add(const Slice& user_key, const Slice& value,
             std::string* blob_index);
  // Ends the open file. Nothing may be added any more.
  Status Finish();
  void Keep() { kept_ = true; }

  const std::vector<BlobFileAddition>& files() const { return files_; }
  uint64_t written_bytes() const { return written_bytes_; }

 private:
  Status Begin();
  Status EndFile();
  std::string PathOf(uint64_t number) const;

  const BlobOutputOptions options_;
  std::unique_ptr<BlobFileWriter> file_;
  std::vector<BlobFileAddition> files_;
  uint64_t written_bytes_ = 0;  // Of complete files, as on disk.
  bool kept_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
