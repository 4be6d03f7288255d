// ReadAhead: one read of a file that runs concurrently with its caller.
//
// Place. In FilePrefetchBuffer, for iterators with ReadOptions::async_io: while
// one window is walked the next one is on its way.
//
// Model.
//
//   idle --Start--> under way --Finish: waits--> idle, bytes handed over
//                   under way --Abandon: called off--> idle
//
// If the file system cannot read asynchronously, Start does the read.
//
// Invariants: the buffer is not touched while a read is under way.
//
// Threads. Belongs to one iterator.

#pragma once

#include <cstddef>
#include <cstdint>

#include "env/aligned_buffer.h"
#include "env/file_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

struct IoPass;

class ReadAhead {
 public:
  explicit ReadAhead(const RandomAccessFileReader* file) : file_(file) {}
  ~ReadAhead() { Abandon(); }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // False when the file was opened without its file system.
  static bool Possible(const RandomAccessFileReader& file) {
    return file.file_system() != nullptr;
  }

  // Calls off what is under way. With direct I/O offset and size are aligned.
  // An error of starting is none: then there is nothing to be had. Takes its
  // turn at the gate under `pass`, or null.
  void Start(const IOOptions& options, const IoPass* pass, uint64_t offset,
             size_t n);
  // True when the read that was started begins at `offset`.
  bool BeginsAt(uint64_t offset) const {
    return started_ && request_.offset == offset;
  }
  // Waits. *result is shorter than what was asked for at the end of the file,
  // and lives until the next Start(). After an error the caller reads itself.
  IOStatus Finish(Slice* result);
  void Abandon();

 private:
  void ReleaseHandle();

  const RandomAccessFileReader* const file_;
  AlignedBuffer buffer_;
  FSReadRequest request_{};
  bool started_ = false;
  bool told_ = false;  // By the callback, with the result.
  void* handle_ = nullptr;
  IOHandleDeleter delete_handle_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
