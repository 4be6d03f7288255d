// FilePrefetchBuffer: reads ahead of a reader that moves forward.
//
// Place. One per table iterator (or per index/filter load at table open);
// between the block fetcher and RandomAccessFileReader.
// Model. One window of the file is in memory. A read inside it costs no I/O; a
// read that passes its end loads the next window, which keeps the bytes that
// both share:
//
//   kFixed    every load is `bytes_max` (compaction_readahead_size)
//   kAuto     nothing is loaded until `reads_before` reads in a row were
//             sequential; then `bytes_initial`, doubling up to `bytes_max`;
//             a jump starts over
//
// While a window is being consumed the kernel is advised of the next one
// (buffered files only), so that reading and computing overlap; or, with
// ReadBeside(), the next window is read concurrently, and the load takes it
// over.
// Threads. Belongs to one iterator.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "env/aligned_buffer.h"
#include "env/file_reader.h"
#include "env/read_ahead.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

struct IoPass;

class FilePrefetchBuffer {
 public:
  struct Policy {
    size_t bytes_initial = size_t{8} * 1024;
    size_t bytes_max = size_t{256} * 1024;
    uint32_t reads_before = 2;

    static Policy Fixed(size_t bytes) { return {bytes, bytes, 0}; }
    static Policy Auto(size_t bytes_initial, size_t bytes_max,
                       uint32_t reads_before) {
      return {bytes_initial, bytes_max, reads_before};
    }
  };

  FilePrefetchBuffer(const RandomAccessFileReader* file, Policy policy)
      : file_(file), policy_(policy), bytes_next_(policy.bytes_initial) {}

  // True: `*result` holds the bytes (fewer than `n` only at the end of the
  // file) and lives until the next call. False: this read is not worth a
  // window; the caller reads for itself. An error ends the read.
  IOStatus TryRead(const IOOptions& options, uint64_t offset, size_t n,
                   Slice* result, bool* served);

  // Loads [offset, offset + n) now, for example the tail of a table file at
  // open. Later reads inside are served.
  IOStatus Load(const IOOptions& options, uint64_t offset, size_t n);

  // Loads take their turn at the gate of background I/O under this pass; null
  // (as from the start): not gated. The pass outlives the buffer.
  void set_io_pass(const IoPass* pass) { io_pass_ = pass; }

  // From now on the next window is read while the current one is used, if the
  // file system can do that (ReadOptions::async_io).
  void ReadBeside() {
    if (ReadAhead::Possible(*file_)) {
      ahead_ = std::make_unique<ReadAhead>(file_);
    }
  }

  // Readahead never goes beyond this offset (the end of what may be read).
  void set_limit(uint64_t limit) { limit_ = limit; }

  // What a reader of one file after the other hands on: the size that the next
  // load would have had ...
  size_t bytes_next() const { return bytes_next_; }
  // ... with which the next file begins, if the last one was read in order.
  void GoOnWith(size_t bytes) {
    if (bytes <= policy_.bytes_initial) return;
    bytes_next_ = bytes < policy_.bytes_max ? bytes : policy_.bytes_max;
    sequential_ = policy_.reads_before;
  }

  uint64_t bytes_loaded() const { return bytes_loaded_; }
  // Reads that got their bytes here, and these bytes.
  uint64_t reads_served() const { return reads_served_; }
  uint64_t bytes_served() const { return bytes_served_; }

 private:
  bool Contains(uint64_t offset, size_t n) const {
    return offset >= start_ && offset + n <= start_ + size();
  }
  size_t size() const { return window_.size(); }
  void NoteRead(uint64_t offset, size_t n);
  void PrepareNext(const IOOptions& options);
  size_t TakeAhead(uint64_t offset, size_t n);
  IOStatus ReadPieces(const IOOptions& options, uint64_t offset, size_t n);

  const RandomAccessFileReader* const file_;
  const Policy policy_;
  const IoPass* io_pass_ = nullptr;
  std::unique_ptr<ReadAhead> ahead_;  // Null: no read-ahead.
  AlignedBuffer window_;
  uint64_t start_ = 0;       // File offset of window_[0].
  bool at_end_ = false;      // The window reaches the end of the file.
  size_t bytes_next_;        // Size of the next load.
  uint64_t expected_ = 0;    // Where a sequential reader would read next.
  uint32_t sequential_ = 0;  // Reads in a row that were.
  uint64_t limit_ = UINT64_MAX;
  uint64_t bytes_loaded_ = 0;
  uint64_t reads_served_ = 0;
  uint64_t bytes_served_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
