// BlockWriter: compresses payloads and appends them to a table file with
// their trailers.
//
// Place. Between the table builder and the file.
//
// Model. A block is stored compressed only when that saves at least an eighth.
//
// Invariant: after the first error nothing more is written.
//
// Threads. One at a time; PrepareData from any thread, concurrently.

#pragma once

#include <cstdint>
#include <string>

#include "env/file_writer.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/status.h"
#include "table/block/parallel_compressor.h"
#include "table/format/block_handle.h"
#include "table/format/footer.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE {
class Statistics;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class BlockWriter {
 public:
  struct Options {
    CompressionType compression = kNoCompression;
    CompressionOptions compression_opts;
    uint8_t checksum_type = 0;
    uint32_t format_version = 5;
    uint32_t base_context_checksum = 0;
    bool verify_compression = false;
    // Data blocks do not cross a multiple of this many bytes where padding of
    // at most `super_block_padding_max` avoids it; 0: they may.
    uint64_t super_block_bytes = 0;
    uint64_t super_block_padding_max = 0;
    Statistics* statistics = nullptr;
    // Is passed every byte of the file in order; null: none. Outlives this.
    FileChecksumGenerator* file_checksum = nullptr;
  };

  BlockWriter(const Options& options, WritableFileWriter* file);

  // Appends the block and returns where its payload lies.
  BlockHandle WriteCompressed(const Slice& payload);
  // The same with the dictionary of the file's data blocks, if it has one.
  BlockHandle WriteData(const Slice& payload);
  BlockHandle WriteRaw(const Slice& payload);
  // WriteData in two parts, of which the first, the long one, touches nothing
  // of the writer.
  void PrepareData(const Slice& payload, PreparedBlock* prepared) const;
  BlockHandle WriteData(const Slice& payload, const PreparedBlock& prepared);
  void WriteFooter(const Footer& footer);
  // For the data blocks written from now on.
  void SetDictionary(const std::string& raw);
  // Appends zeros until the offset is a multiple of `alignment`.
  void PadTo(uint64_t alignment);

  uint64_t offset() const { return offset_; }
  uint32_t base_context_checksum() const {
    return options_.base_context_checksum;
  }
  // Bit t is set when a block was stored with compression type t.
  uint32_t used_types() const { return used_types_; }
  bool compresses() const { return compression_ != kNoCompression; }
  const Status& status() const { return status_; }
  void SetError(const Status& status) {
    if (status_.ok()) status_ = status;
  }

 private:
  Status AppendBytes(const Slice& bytes);
  BlockHandle Append(const Slice& payload, CompressionType type);
  void PadForSuperBlock(size_t payload_bytes);
  void Prepare(const Slice& payload, bool is_data,
               PreparedBlock* prepared) const;
  BlockHandle Write(const Slice& payload, bool is_data,
                    const PreparedBlock& prepared);
  bool Compresses(const Slice& payload, bool is_data, std::string* out) const;
  Status VerifyCompressed(const Slice& payload, bool is_data,
                          const Slice& compressed) const;

  const Options options_;
  WritableFileWriter* const file_;
  const CompressionType compression_;  // What the build supports of it.
  uint64_t offset_ = 0;
  uint32_t used_types_ = 0;
  Status status_;
  PreparedBlock prepared_;  // Keeps its memory.
  CompressionDict dict_;
  UncompressionDict verify_dict_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
