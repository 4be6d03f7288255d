// LoneSyncFileSystem: its files cannot be synced while they are appended to.
//
// Place. Around any file system, in programs that check that the engine asks
// IsSyncThreadSafe(): a file of a user's class says false by default.
//
// Invariants: at most one call changes a file at a time. Two of them end the
// process with a message that names the file.
//
// Threads. Thread-safe.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::test {

class LoneSyncFileSystem final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;

  const char* Name() const override { return "LoneSyncFileSystem"; }
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
};

}  // namespace ROCKSDB_NAMESPACE::test
