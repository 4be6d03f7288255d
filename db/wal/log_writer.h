// wal::Writer: frames logical records and appends them to a log file.
//
// Place. Below the commit pipeline and the MANIFEST writer, above
// WritableFileWriter.
//
// Model. A record is cut at block boundaries and framed in one buffer that
// keeps its memory, so that each call costs one copy, one checksum pass and
// one append; `parts` lets a write group be framed without being joined first.
//
// Invariants:
//   (1) After a failed append nothing is written any more: the position in
//       the file is unknown, and a second record would hide the damage.
//   (2) A file never mixes legacy and recyclable records.
//   (3) Special records (compression, predecessor) come before all others.
//
// Threads. One at a time; a Sync concurrent with appends (SyncWithoutFlush)
// follows the rules of WritableFileWriter.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "db/wal/log_format.h"
#include "db/wal/zstd_frame.h"
#include "env/file_writer.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine::wal {

class Writer {
 public:
  // `recycle`: write recyclable records. `manual_flush`: leave records in the
  // file's buffer until Flush() or Sync().
  Writer(std::unique_ptr<WritableFileWriter> file, uint64_t log_number,
         bool recycle, bool manual_flush = false);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // To be called before the first record, in this order: every record becomes
  // one ZSTD frame; what this log follows.
  IOStatus StartCompression();
  IOStatus AddPredecessor(const Predecessor& predecessor);

  // Appends one logical record and, unless manual_flush, hands it to the
  // kernel.
  IOStatus AddRecord(const Slice& payload) {
    return AddRecord(std::span<const Slice>(&payload, 1));
  }
  // One logical record: the concatenation of `parts`.
  IOStatus AddRecord(std::span<const Slice> parts);

  // Says of what size the timestamps of column families are, before any batch
  // for them; each family once per log.
  IOStatus AddTimestampSizes(const std::map<uint32_t, uint16_t>& sizes);

  // Hands buffered records to the kernel (manual_flush).
  IOStatus Flush() { return file_->Flush(); }
  // Flush, then wait for the device.
  IOStatus Sync(bool use_fsync) { return file_->Sync(use_fsync); }
  IOStatus Close() { return file_->Close(); }

  uint64_t log_number() const { return log_number_; }
  // Memory of buffers, the file's too. Any thread.
  size_t buffer_bytes() const {
    return buffer_capacity_.load(std::memory_order_relaxed) +
           file_->buffer_capacity();
  }
  // Bytes appended so far.
  uint64_t FileSize() const { return file_->GetFileSize(); }
  // No record yet; special ones do not count.
  bool empty() const { return FileSize() == special_bytes_; }
  WritableFileWriter* file() { return file_.get(); }
  const WritableFileWriter* file() const { return file_.get(); }

 private:
  void ReserveFor(size_t payload_size);
  // Cuts and frames `parts`, which hold `size` bytes.
  IOStatus AddFragments(std::span<const Slice> parts, size_t size);
  IOStatus AddSpecial(RecordType type, const Slice& payload);
  IOStatus AppendFrames(size_t size);
  IOStatus AddTimestampRecord(const std::string& payload);

  const std::unique_ptr<WritableFileWriter> file_;
  const uint64_t log_number_;
  const bool recycle_;
  const bool manual_flush_;
  const size_t header_size_;
  size_t block_offset_ = 0;
  uint64_t special_bytes_ = 0;
  size_t fragment_size_max_ = kBlockSize;
  std::unique_ptr<ZstdDeflater> deflater_;  // Null: records stay plain.

  std::unique_ptr<char[]> buffer_;
  std::atomic<size_t> buffer_capacity_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine::wal
