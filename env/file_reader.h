// RandomAccessFileReader and SequentialFileReader: everything the engine
// reads goes through here.
//
// Place. Above FSRandomAccessFile / FSSequentialFile, below table reader, log
// reader, MANIFEST reader.
// Model. Callers ask for any byte range; these classes align it for direct I/O,
// read again after a short read (for the caller, fewer bytes than requested
// always means end of file), ask the rate limiter, and count.
// Errors. Every error names the file.
// Threads. RandomAccessFileReader: any number of threads. SequentialFileReader:
// one at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "env/aligned_buffer.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"
#include "rocksdb/system_clock.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {
class RateLimiter;
class Statistics;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class RandomAccessFileReader {
 public:
  // What reads are reported to; null members are skipped.
  struct Observer {
    Statistics* statistics = nullptr;
    uint32_t read_histogram = UINT32_MAX;  // Of Histograms; microseconds.
    SystemClock* clock = nullptr;          // Null: the default one.
    RateLimiter* rate_limiter = nullptr;   // For reads with a priority.
    // Tickers of the reads that reach the file and of their bytes.
    uint32_t reads_ticker = UINT32_MAX;
    uint32_t bytes_ticker = UINT32_MAX;
  };

  RandomAccessFileReader(std::unique_ptr<FSRandomAccessFile> file,
                         std::string name, Observer observer,
                         FileSystem* file_system = nullptr)
      : file_(std::move(file)),
        file_system_(file_system),
        name_(std::move(name)),
        observer_(observer),
        direct_(file_->use_direct_io()) {}
  RandomAccessFileReader(std::unique_ptr<FSRandomAccessFile> file,
                         std::string name)
      : RandomAccessFileReader(std::move(file), std::move(name), Observer{}) {}

  static Result<std::unique_ptr<RandomAccessFileReader>> Open(
      FileSystem* fs, const std::string& name, const FileOptions& options,
      Observer observer);
  static Result<std::unique_ptr<RandomAccessFileReader>> Open(
      FileSystem* fs, const std::string& name, const FileOptions& options) {
    return Open(fs, name, options, Observer{});
  }

  // Reads up to `n` bytes at `offset`; fewer only at the end of the file.
  // `*result` points into `scratch` (n bytes), or into memory of the file
  // itself when it is mapped.
  //
  // Direct I/O: with `aligned` the bytes stay there, `*result` points into it
  // and `scratch` may be null; without, they are copied to `scratch`, unless
  // offset, n and scratch are aligned: then they are read straight into it.
  IOStatus Read(const IOOptions& options, uint64_t offset, size_t n,
                Slice* result, char* scratch,
                AlignedBuffer* aligned = nullptr) const;

  // Many reads, under way together where the file system can. Each request
  // has a status of its own; a result may be shorter than asked for, also
  // before the end of the file. With direct I/O, requests are aligned.
  void MultiRead(const IOOptions& options, FSReadRequest* requests,
                 size_t count) const;
  // The same across files: the reads of each end in Poll() of the file system,
  // or at once with *handle null. The request stays where it is meanwhile.
  void StartRead(const IOOptions& options, FSReadRequest* request,
                 void** handle, IOHandleDeleter* delete_handle) const;

  // Tells the kernel that a range will be read soon. No error: only a hint.
  void Prefetch(uint64_t offset, size_t n) const;

  const std::string& file_name() const { return name_; }
  bool use_direct_io() const { return direct_; }
  FSRandomAccessFile* file() const { return file_.get(); }
  // For reads whose options name no activity. Do not call it during a read.
  void set_activity(Env::IOActivity activity) { activity_ = activity; }
  // Of which it is a file; null when that is not known.
  FileSystem* file_system() const { return file_system_; }
  SystemClock* clock() const {
    return observer_.clock != nullptr ? observer_.clock
                                      : SystemClock::Default().get();
  }

 private:
  bool timed() const {
    return observer_.statistics != nullptr && observer_.clock != nullptr;
  }
  // A call that took so long. REQUIRES: timed().
  void Report(const IOOptions& options, uint64_t nanos, uint64_t reads,
              uint64_t bytes) const;
  void AskRateLimiter(const IOOptions& options, size_t n) const;
  IOStatus ReadOnce(const IOOptions& options, uint64_t offset, size_t n,
                    Slice* result, char* scratch) const;
  IOStatus ReadRest(const IOOptions& options, uint64_t offset, size_t n,
                    Slice* result, char* scratch) const;
  IOStatus ReadDirect(const IOOptions& options, uint64_t offset, size_t n,
                      AlignedBuffer* aligned, Slice* result) const;
  bool IsAligned(uint64_t offset, size_t n, const char* scratch) const;

  const std::unique_ptr<FSRandomAccessFile> file_;
  FileSystem* const file_system_;
  const std::string name_;
  const Observer observer_;
  const bool direct_;
  Env::IOActivity activity_ = Env::IOActivity::kUnknown;
};

class SequentialFileReader {
 public:
  // `readahead_bytes`: how much is read at a time (0: what is asked for).
  // Direct I/O always reads through an aligned buffer.
  SequentialFileReader(std::unique_ptr<FSSequentialFile> file, std::string name,
                       size_t readahead_bytes = 0);

  static Result<std::unique_ptr<SequentialFileReader>> Open(
      FileSystem* fs, const std::string& name, const FileOptions& options,
      size_t readahead_bytes = 0);

  // Reads up to `n` bytes; fewer only at the end of the file, and none there.
  // `*result` lives in `scratch` (n bytes).
  IOStatus Read(size_t n, Slice* result, char* scratch,
                Env::IOPriority priority = Env::IO_TOTAL);

  // Moves forward; moving past the end is no error.
  IOStatus Skip(uint64_t n);

  const std::string& file_name() const { return name_; }
  bool use_direct_io() const { return direct_; }

 private:
  // Fills the buffer with what comes next; empty at the end of the file.
  IOStatus Fill(const IOOptions& options);
  IOStatus FillDirect(const IOOptions& options);

  const std::unique_ptr<FSSequentialFile> file_;
  const std::string name_;
  const bool direct_;
  AlignedBuffer buffer_;  // Capacity 0: none.
  size_t consumed_ = 0;   // Bytes of the buffer already handed out.
  uint64_t offset_ = 0;   // File offset of the next byte handed out.
};

}  // namespace ROCKSDB_NAMESPACE::engine
