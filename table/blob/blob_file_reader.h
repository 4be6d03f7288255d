// BlobFileReader: one blob file open for reading values.
//
// Place. Kept open by db/blob/blob_source; below it is only a file.
//
// Invariants:
//   (1) Every size and offset, from an index or from the file, is bounded by
//       the file's size before it is used.
//   (2) A returned value belongs to the requested key and, with
//       verify_checksums, has the bytes that were written.
//
// Errors. Corruption names the file, the offset, what was expected and found.
// Threads. Any number at once.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "env/file_reader.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "table/blob/blob_format.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct IoPass;

// A value in memory of its own.
struct BlobValue {
  std::unique_ptr<char[]> data;
  size_t start = 0;  // What stood before it in the file was read along.
  size_t size = 0;

  Slice slice() const { return {data.get() + start, size}; }
  size_t MemoryBytes() const { return start + size; }
};

struct BlobReadRequest {
  bool verify_checksums = true;
  IOOptions io;
  const IoPass* io_pass = nullptr;  // Null: not gated.
};

// The limits and priority of a user's read. TimedOut when its time is over.
Status ApplyReadOptions(const ReadOptions& options, SystemClock* clock,
                        BlobReadRequest* request);

class BlobFileReader {
 public:
  // Reads and checks header and footer. `family_id` is what the header has to
  // say. Errors: those of the file; Corruption; NotSupported.
  static Result<std::unique_ptr<BlobFileReader>> Open(
      std::unique_ptr<RandomAccessFileReader> file, uint64_t file_size,
      uint32_t family_id);

  // The value `index` points at, inflated. `bytes_read` (may be null) gets the
  // number of bytes taken from the file.
  Result<BlobValue> Read(const BlobReadRequest& request, const Slice& user_key,
                         const BlobIndex& index, uint64_t* bytes_read) const;

  // Reads all records and compares their checksums and their number.
  // Errors: Corruption; those of the file.
  Status VerifyRecords(const BlobReadRequest& request) const;

  uint64_t file_size() const { return file_size_; }
  uint64_t blob_count() const { return blob_count_; }
  CompressionType compression() const { return compression_; }
  const RandomAccessFileReader& file() const { return *file_; }

 private:
  BlobFileReader(std::unique_ptr<RandomAccessFileReader> file,
                 uint64_t file_size)
      : file_(std::move(file)), file_size_(file_size) {}

  Status ReadEnds(uint32_t family_id);
  Status CheckBounds(const Slice& user_key, const BlobIndex& index) const;
  Status CheckRecord(const Slice& record, const Slice& user_key,
                     const BlobIndex& index) const;
  // `*next`: where the record begins, and then where it ends.
  Status VerifyRecord(const BlobReadRequest& request, uint64_t* next,
                      std::string* buffer) const;
  // Exactly `n` bytes into `scratch`.
  Status ReadBytes(const BlobReadRequest& request, uint64_t offset, size_t n,
                   char* scratch) const;
  Status Damaged(const Status& why, uint64_t offset) const;

  const std::unique_ptr<RandomAccessFileReader> file_;
  const uint64_t file_size_;
  uint64_t blob_count_ = 0;
  CompressionType compression_ = kNoCompression;
};

// Inflates a stored value; `where` goes into the error.
Result<BlobValue> InflateBlob(CompressionType compression, BlobValue stored,
                              const std::string& where);

}  // namespace ROCKSDB_NAMESPACE::engine
