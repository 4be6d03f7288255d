// PosixLockTable: whole-file fcntl locks that also exclude this process.
//
// Place. Behind FileSystem::LockFile of the POSIX file system.
// Model. The kernel's record locks belong to the process: a second lock by
// the same process succeeds, and closing any descriptor of the file drops the
// lock. So the process has one table of the files it has locked, by device and
// inode, and a second lock is refused before the file is opened. A path stays
// locked, too, as it was spelled, when the file has been deleted behind it.
// Threads. Thread-safe.

#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>

#include "rocksdb/env.h"
#include "rocksdb/io_status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class PosixLockTable {
 public:
  // The one table of this process.
  static PosixLockTable* Get();

  IOStatus Acquire(const std::string& path, FileLock** lock);
  // Deletes `lock`.
  IOStatus Release(FileLock* lock);

 private:
  using FileId = std::pair<dev_t, ino_t>;
  struct Holder {
    std::string path;
    int64_t since_seconds = 0;
    uint64_t thread = 0;
  };
  struct Lock;

  IOStatus HeldHere(const std::string& path, const Holder& holder) const;

  Mutex mu_;
  std::map<FileId, Holder> held_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
