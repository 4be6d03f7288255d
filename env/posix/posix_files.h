// The file classes of the POSIX file system.
//
// Place. Made by posix_file_system.cc only.
// Model. One class per role, each owning one file descriptor. Direct I/O
// (O_DIRECT) is a property of the descriptor: offsets, lengths and memory
// must then be multiples of the logical block size, which is what
// GetRequiredBufferAlignment reports and what env/file_writer.h obeys.
// Errors. PosixError sentences with the path; EINTR is retried; a short
// transfer is continued.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

// What every class needs to know of its file.
struct PosixFileInfo {
  int fd = -1;
  std::string path;
  bool direct = false;
  size_t alignment = 4096;
  bool allow_fallocate = true;
  bool fallocate_keeps_size = true;
};

class PosixSequentialFile final : public FSSequentialFile {
 public:
  explicit PosixSequentialFile(PosixFileInfo info) : file_(std::move(info)) {}
  ~PosixSequentialFile() override;

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override;
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override;
  IOStatus Skip(uint64_t n) override;
  bool use_direct_io() const override { return file_.direct; }
  size_t GetRequiredBufferAlignment() const override { return file_.alignment; }
  IOStatus InvalidateCache(size_t offset, size_t length) override;

 private:
  const PosixFileInfo file_;
  uint64_t position_ = 0;
};

class PosixRandomAccessFile final : public FSRandomAccessFile {
 public:
  explicit PosixRandomAccessFile(PosixFileInfo info) : file_(std::move(info)) {}
  ~PosixRandomAccessFile() override;

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions& options,
                    IODebugContext* dbg) override;
  // All at once where the kernel can (io_ring.h), else one after the other.
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override;
  // Reads at once, without a handle, where the kernel cannot. The file must
  // outlive the handle.
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& opts,
                     std::function<void(FSReadRequest&, void*)> cb,
                     void* cb_arg, void** io_handle, IOHandleDeleter* del_fn,
                     IODebugContext* dbg) override;
  size_t GetUniqueId(char* id, size_t max_size) const override;
  void Hint(AccessPattern pattern) override;
  bool use_direct_io() const override { return file_.direct; }
  size_t GetRequiredBufferAlignment() const override { return file_.alignment; }
  IOStatus InvalidateCache(size_t offset, size_t length) override;

 private:
  const PosixFileInfo file_;
};

// A whole file mapped read-only: Read copies nothing.
class PosixMappedFile final : public FSRandomAccessFile {
 public:
  PosixMappedFile(PosixFileInfo info, void* base, size_t size)
      : file_(std::move(info)), base_(base), size_(size) {}
  ~PosixMappedFile() override;

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  size_t GetUniqueId(char* id, size_t max_size) const override;
  void Hint(AccessPattern pattern) override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;

 private:
  const PosixFileInfo file_;
  void* const base_;
  const size_t size_;
};

class PosixWritableFile final : public FSWritableFile {
 public:
  PosixWritableFile(PosixFileInfo info, uint64_t size,
                    const FileOptions& options)
      : FSWritableFile(options), file_(std::move(info)), size_(size) {}
  ~PosixWritableFile() override;

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override;
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override;
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  bool IsSyncThreadSafe() const override { return true; }
  bool use_direct_io() const override { return file_.direct; }
  size_t GetRequiredBufferAlignment() const override { return file_.alignment; }
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override;
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* dbg) override;
  size_t GetUniqueId(char* id, size_t max_size) const override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  IOStatus RangeSync(uint64_t offset, uint64_t n, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus Allocate(uint64_t offset, uint64_t n, const IOOptions& options,
                    IODebugContext* dbg) override;

 private:
  PosixFileInfo file_;
  uint64_t size_;
  bool allocated_ = false;
};

class PosixRandomRWFile final : public FSRandomRWFile {
 public:
  explicit PosixRandomRWFile(PosixFileInfo info) : file_(std::move(info)) {}
  ~PosixRandomRWFile() override;

  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* dbg) override;
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;

 private:
  PosixFileInfo file_;
};

class PosixDirectory final : public FSDirectory {
 public:
  explicit PosixDirectory(PosixFileInfo info) : file_(std::move(info)) {}
  ~PosixDirectory() override;

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  size_t GetUniqueId(char* id, size_t max_size) const override;

 private:
  PosixFileInfo file_;
};

// Reads up to `n` bytes; fewer only at the end of the file.
IOStatus PosixReadFully(const PosixFileInfo& file, uint64_t offset, size_t n,
                        Slice* result, char* scratch);

// Closes *fd once and forgets it.
IOStatus PosixClose(int* fd, const std::string& path);

}  // namespace ROCKSDB_NAMESPACE::engine
