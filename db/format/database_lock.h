// DatabaseLock: holds the LOCK of a database that is not open, while its files
// are changed.
//
// Place. Restoring, repair, DestroyDB. An open database holds its lock itself.
//
// Threads. One.
#pragma once

#include <string>

#include "db/format/file_names.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

class DatabaseLock {
 public:
  DatabaseLock() = default;
  ~DatabaseLock() { Release(); }
  DatabaseLock(const DatabaseLock&) = delete;
  DatabaseLock& operator=(const DatabaseLock&) = delete;

  // Call once. `fs` must outlive the lock. Errors: IOError if it is taken.
  IOStatus Take(FileSystem* fs, const std::string& db) {
    fs_ = fs;
    return fs->LockFile(LockFileName(db), IOOptions(), &lock_, nullptr);
  }
  void Release() {
    if (lock_ == nullptr) return;
    fs_->UnlockFile(lock_, IOOptions(), nullptr).PermitUncheckedError();
    lock_ = nullptr;
  }

 private:
  FileSystem* fs_ = nullptr;
  FileLock* lock_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE::engine
