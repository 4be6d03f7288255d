// CountedFileSystem: counts the files that are opened, and what is read from
// and written to them (--report_file_operations).
//
// Place. Around the file system of the database. Mapped files are not counted
// when they are read.
//
// Threads. Thread-safe, as the file system below.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::bench {

struct FileOperations {
  std::atomic<uint64_t> opened{0};
  std::atomic<uint64_t> reads{0};
  std::atomic<uint64_t> bytes_read{0};
  std::atomic<uint64_t> appends{0};
  std::atomic<uint64_t> bytes_written{0};

  void Reset();
  void Print() const;

  void CountRead(uint64_t bytes) {
    reads.fetch_add(1, std::memory_order_relaxed);
    bytes_read.fetch_add(bytes, std::memory_order_relaxed);
  }
  void CountAppend(uint64_t bytes) {
    appends.fetch_add(1, std::memory_order_relaxed);
    bytes_written.fetch_add(bytes, std::memory_order_relaxed);
  }
};

class CountedFileSystem final : public FileSystemWrapper {
 public:
  CountedFileSystem(const std::shared_ptr<FileSystem>& target,
                    std::shared_ptr<FileOperations> operations)
      : FileSystemWrapper(target), operations_(std::move(operations)) {}

  static const char* kClassName() { return "CountedFileSystem"; }
  const char* Name() const override { return kClassName(); }

  IOStatus NewSequentialFile(const std::string& f, const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* r,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& f, const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* r,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& f, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* r,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& f, const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* r,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& f, const std::string& old_fname,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* r,
                             IODebugContext* dbg) override;

 private:
  const std::shared_ptr<FileOperations> operations_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
