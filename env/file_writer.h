// WritableFileWriter: everything the engine writes goes through here.
//
// Place. Above FSWritableFile, below the log writer, the table builder and
// the MANIFEST. Those append bytes; this class turns the bytes into system
// calls: buffering, alignment, waiting at the gate, rate limiting, background
// syncing.
//
// Model. The file consists of the bytes handed to the kernel, followed by the
// buffer:
//
//   0 ........ written ............ size
//   | kernel   | buffer_            |
//
// Buffered I/O: the buffer starts small and doubles up to
// writable_file_max_buffer_size (0: every Append is one write). Direct I/O: the
// buffer begins at an aligned offset, whole blocks are written once and the
// padded last block is written at every Flush and rewritten when it has grown;
// Sync and Close cut the padding off.
//
// Invariants:
//   (1) Bytes reach the file in the order of the calls.
//   (2) After a failed write, sync or close every later call fails with the
//       first error, and the file is not written again: the state of the
//       kernel's pages after a failed fsync is unknown (files are abandoned,
//       not retried).
//
// Threads. One thread at a time, except that SyncWithoutFlush may run
// concurrently with Append and Flush if the file says IsSyncThreadSafe().

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "env/aligned_buffer.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {
class RateLimiter;
class Statistics;
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

struct IoPass;

class WritableFileWriter {
 public:
  // What the writer reports to while it works; null members are skipped.
  struct Observer {
    Statistics* statistics = nullptr;
    // Histogram of Histograms fed with microseconds per write call.
    uint32_t write_histogram = UINT32_MAX;
    // Needed for the histogram only.
    SystemClock* clock = nullptr;
    // Of Tickers: counts the bytes of the file as they are written, padding
    // left out, and each byte once.
    uint32_t written_ticker = UINT32_MAX;
  };

  // Uses writable_file_max_buffer_size, bytes_per_sync,
  // strict_bytes_per_sync, rate_limiter and io_options of `options`; the
  // file's own SetIOPriority (IO_TOTAL: not limited) may be changed later
  // with SetIOPriority below.
  WritableFileWriter(std::unique_ptr<FSWritableFile> file, std::string name,
                     const FileOptions& options, Observer observer);
  WritableFileWriter(std::unique_ptr<FSWritableFile> file, std::string name,
                     const FileOptions& options)
      : WritableFileWriter(std::move(file), std::move(name), options,
                           Observer{}) {}

  // Closes the file, dropping the error: call Close() to learn of it.
  ~WritableFileWriter();

  WritableFileWriter(const WritableFileWriter&) = delete;
  WritableFileWriter& operator=(const WritableFileWriter&) = delete;

  // Creates (or empties) `name` and opens it for writing.
  static Result<std::unique_ptr<WritableFileWriter>> Create(
      FileSystem* fs, const std::string& name, const FileOptions& options,
      Observer observer);
  static Result<std::unique_ptr<WritableFileWriter>> Create(
      FileSystem* fs, const std::string& name, const FileOptions& options) {
    return Create(fs, name, options, Observer{});
  }
  // Renames `old_name` to `name` and writes over it from its beginning. What
  // lies behind the end of the new content stays until CutRest() or Close().
  // Not for direct I/O.
  static Result<std::unique_ptr<WritableFileWriter>> Reuse(
      FileSystem* fs, const std::string& name, const std::string& old_name,
      const FileOptions& options);

  IOStatus Append(const Slice& data) {
    // The common case: one copy, no call.
    if (data.size() <= buffer_.room() && !failed()) {
      buffer_.Append(data.data(), data.size());
      size_.store(Size() + data.size(), std::memory_order_release);
      return IOStatus::OK();
    }
    return AppendSlow(data);
  }

  // Append + Flush, without passing through the buffer where that is
  // possible. What the write-ahead log calls once per group.
  IOStatus AppendAndFlush(const Slice& data);

  // Appends `n` zero bytes.
  IOStatus Pad(size_t n);

  // Hands everything to the kernel and starts write-back of what is due by
  // bytes_per_sync.
  IOStatus Flush();

  // Flush, then wait until the data is on the device.
  IOStatus Sync(bool use_fsync);

  // Syncs what was flushed before the call. May run concurrently with Append
  // and Flush if IsSyncThreadSafe(); NotSupported otherwise.
  IOStatus SyncWithoutFlush(bool use_fsync);

  // Flushes and cuts off what a reused file still has behind its content; true
  // in `*cut` if there may have been something. Durable with the next sync.
  IOStatus CutRest(bool* cut);

  // Flushes, cuts padding and preallocation off, closes. Idempotent: a second
  // call returns OK, or the sticky error.
  IOStatus Close();

  // Closes a file that will be deleted: what the buffer holds is not written.
  void Abandon();

  // Bytes appended so far, buffered ones included.
  uint64_t GetFileSize() const { return size_.load(std::memory_order_acquire); }
  // Bytes that a crash of the process cannot lose any more.
  uint64_t GetFlushedSize() const {
    return flushed_.load(std::memory_order_acquire);
  }

  const std::string& file_name() const { return name_; }
  bool use_direct_io() const { return direct_; }
  bool IsSyncThreadSafe() const { return file_->IsSyncThreadSafe(); }
  // Memory of the buffer. Any thread.
  size_t buffer_capacity() const {
    return buffer_capacity_.load(std::memory_order_relaxed);
  }
  FSWritableFile* file() { return file_.get(); }

  // Priority of this file's bytes in the rate limiter.
  void SetIOPriority(Env::IOPriority priority) {
    file_->SetIOPriority(priority);
  }

  // Whose turn this file's bytes are at the gate of background I/O; null (as
  // from the start): not gated. The pass outlives the writer.
  void SetIoPass(const IoPass* pass) { io_pass_ = pass; }

  // OK, or the error that ended this file.
  IOStatus status() const;

 private:
  uint64_t Size() const { return size_.load(std::memory_order_relaxed); }
  // What was appended is in the file up to buffer_offset_, then in the buffer.
  bool BufferIsTail() const {
    return Size() == buffer_offset_ + buffer_.size();
  }
  bool failed() const { return failed_.load(std::memory_order_acquire); }

  // OK, the sticky error, or an error because the file was closed.
  IOStatus Usable() const;
  IOStatus AppendSlow(const Slice& data);
  IOStatus AppendDirect(Slice data);
  // Makes room in the buffer for `n` more bytes as far as its limit allows.
  void GrowBuffer(size_t n);
  // Hands the buffer over; direct I/O keeps the incomplete last block.
  IOStatus WriteBuffer();
  IOStatus WriteBuffered(const char* data, size_t n);
  IOStatus WriteDirect(bool with_tail);
  // One write of as much of `data` as gate and rate limiter grant.
  void PrepareWrite(size_t n);
  IOStatus WriteChunk(Slice* data, uint64_t offset);
  // The file has been written up to `end`.
  void CountWritten(uint64_t end);
  // How much that is; waits for the rate limiter.
  size_t Granted(size_t n);
  IOStatus WriteBackIfDue();
  IOStatus SyncFile(bool use_fsync);
  IOStatus CutPadding();
  // Remembers the first error and returns it; OK stays OK.
  IOStatus Check(IOStatus status) EXCLUDES_LOCK(error_mu_);

  const std::unique_ptr<FSWritableFile> file_;
  const std::string name_;
  const Observer observer_;
  RateLimiter* const rate_limiter_;
  const IoPass* io_pass_ = nullptr;
  const uint64_t bytes_per_sync_;
  const bool strict_bytes_per_sync_;
  const bool direct_;
  const size_t buffer_bytes_max_;
  const IOOptions io_options_;

  AlignedBuffer buffer_;
  std::atomic<size_t> buffer_capacity_{0};
  std::atomic<uint64_t> size_{0};     // Appended.
  std::atomic<uint64_t> flushed_{0};  // Of these, handed to the kernel.
  std::atomic<uint64_t> synced_{0};   // Of these, on the device.
  uint64_t buffer_offset_ = 0;        // Where buffer_[0] goes in the file.
  uint64_t written_back_ = 0;         // RangeSync was called up to here.
  uint64_t counted_ = 0;              // Of these, in written_ticker.
  bool padded_ = false;               // The file is longer than size_.
  bool reused_ = false;               // The same, from its former life.
  bool closed_ = false;

  std::atomic<bool> failed_{false};
  mutable Mutex error_mu_;
  IOStatus error_ GUARDED_BY(error_mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
