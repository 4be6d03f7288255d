// HookedFileSystem: a file system that shows every call to a function first.
//
// Place. Base of the error-injecting file system and of crash exploration.
// Model. Each call becomes a FileOp, numbered in the order in which the calls
// start. The hook may return an error: then the call fails with it and
// nothing happens below.
// Threads. The hook runs on the threads that call the file system, possibly on
// several at once.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::test {

// What stands after the last slash.
std::string BaseName(const std::string& path);

enum class OpKind {
  // Changes the disk.
  kCreate,
  kReopen,
  kReuse,
  kAppend,
  kFlush,
  kRangeSync,
  kSync,
  kTruncate,
  kClose,
  kDelete,
  kRename,
  kLink,
  kMakeDir,
  kRemoveDir,
  kSyncDir,
  kLock,
  // Only looks.
  kOpenRead,
  kOpenDir,
  kRead,
  kList,
  kStat,
  kFreeSpace,
  kUnlock,
};

const char* OpName(OpKind kind);

struct FileOp {
  OpKind kind = OpKind::kRead;
  std::string path;
  std::string target;   // Of a rename, link or reuse: the new name.
  uint64_t bytes = 0;   // Of a read or write: how many.
  uint64_t number = 0;  // Of this call, from 0.

  bool IsWrite() const { return kind <= OpKind::kLock; }
  // "append 000004.log 123": base names only, so that goldens do not depend
  // on the directory.
  std::string ToString() const;
};

class HookedFileSystem : public FileSystemWrapper {
 public:
  using Hook = std::function<IOStatus(const FileOp&)>;

  HookedFileSystem(const std::shared_ptr<FileSystem>& target, Hook hook)
      : FileSystemWrapper(target), hook_(std::move(hook)) {}

  const char* Name() const override { return "HookedFileSystem"; }

  // For the files: a read has succeeded. May change what was read, which
  // lies in the caller's memory.
  virtual void AfterRead(const std::string& /*path*/, Slice* /*result*/,
                         char* /*scratch*/) {}
  // For the files; returns what the hook says.
  IOStatus Before(OpKind kind, const std::string& path, uint64_t bytes = 0,
                  const std::string& target = "");

  IOStatus NewSequentialFile(const std::string& path,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* r,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* r,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* r,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& path,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* r,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& path,
                             const std::string& old_path,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* r,
                             IODebugContext* dbg) override;
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* r,
                        IODebugContext* dbg) override;
  IOStatus FileExists(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* r,
                       IODebugContext* dbg) override;
  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& options,
                                     std::vector<FileAttributes>* r,
                                     IODebugContext* dbg) override;
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus Truncate(const std::string& path, size_t size,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus CreateDir(const std::string& path, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& options,
                              IODebugContext* dbg) override;
  IOStatus DeleteDir(const std::string& path, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus GetFileSize(const std::string& path, const IOOptions& options,
                       uint64_t* size, IODebugContext* dbg) override;
  IOStatus GetFileModificationTime(const std::string& path,
                                   const IOOptions& options, uint64_t* mtime,
                                   IODebugContext* dbg) override;
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override;
  IOStatus LinkFile(const std::string& from, const std::string& to,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus LockFile(const std::string& path, const IOOptions& options,
                    FileLock** lock, IODebugContext* dbg) override;
  IOStatus UnlockFile(FileLock* lock, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options,
                        uint64_t* bytes, IODebugContext* dbg) override;
  IOStatus IsDirectory(const std::string& path, const IOOptions& options,
                       bool* is_dir, IODebugContext* dbg) override;
  // Through the files of this file system, so that they are seen.
  IOStatus NewLogger(const std::string& path, const IOOptions& options,
                     std::shared_ptr<Logger>* r, IODebugContext* dbg) override;

 private:
  const Hook hook_;
  std::atomic<uint64_t> next_number_{0};
};

}  // namespace ROCKSDB_NAMESPACE::test
