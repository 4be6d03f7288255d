// BlobFileWriter: one blob file on its way to disk.
//
// Place. Above a file writer; db/blob/blob_output decides when a file begins
// and ends, and what happens to it after an error.
//
// Model. Header, a record per value, footer. Each value is compressed
// separately, and stored compressed even if that makes it larger, because the
// compression type applies to the whole file.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "env/file_writer.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/slice.h"
#include "table/blob/blob_format.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct BlobWriteOptions {
  uint64_t file_number = 0;
  uint32_t family_id = 0;
  CompressionType compression = kNoCompression;
  CompressionOptions compression_opts;
  FileChecksumGenFactory* checksum_factory = nullptr;  // May be null.
};

class BlobFileWriter {
 public:
  BlobFileWriter(const BlobWriteOptions& options,
                 std::unique_ptr<WritableFileWriter> file);
  BlobFileWriter(const BlobFileWriter&) = delete;
  BlobFileWriter& operator=(const BlobFileWriter&) = delete;

  Status WriteHeader();
  // Appends a record; the index points at it.
  Result<BlobIndex> Add(const Slice& user_key, const Slice& value);
  // Footer, sync, close. Nothing may follow.
  Status Finish(bool use_fsync);
  // In place of Finish(), for a file that will be deleted.
  void Abandon() { file_->Abandon(); }

  uint64_t file_number() const { return options_.file_number; }
  uint64_t file_size() const { return file_->GetFileSize(); }
  uint64_t blob_count() const { return blob_count_; }
  // Of all records, without header and footer.
  uint64_t blob_bytes() const { return blob_bytes_; }
  // Null unless asked for; complete after Finish().
  const FileChecksumGenerator* checksum() const { return checksum_.get(); }

 private:
  Status Append(const Slice& bytes);

  const BlobWriteOptions options_;
  const std::unique_ptr<WritableFileWriter> file_;
  std::unique_ptr<FileChecksumGenerator> checksum_;
  uint64_t blob_count_ = 0;
  uint64_t blob_bytes_ = 0;
  std::string record_;      // Reused.
  std::string compressed_;  // Reused.
};

}  // namespace ROCKSDB_NAMESPACE::engine
