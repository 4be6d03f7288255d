#include "env/posix/posix_lock.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <ctime>

#include "env/posix/posix_error.h"
#include "env/posix/posix_files.h"

namespace ROCKSDB_NAMESPACE::engine {

struct PosixLockTable::Lock final : public FileLock {
  Lock(int descriptor, FileId file, std::string name)
      : fd(descriptor), id(file), path(std::move(name)) {}
  int fd;
  const FileId id;
  const std::string path;
};

namespace {

int SetLock(int fd, short type) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;  // Start 0, length 0: the whole file.
  return fcntl(fd, F_SETLK, &range);
}

}  // namespace

PosixLockTable* PosixLockTable::Get() {
  static auto* const table = new PosixLockTable;
  return table;
}

IOStatus PosixLockTable::HeldHere(const std::string& path,
                                  const Holder& holder) const {
  return PosixError("lock hold by current process, acquire time " +
                        std::to_string(holder.since_seconds) +
                        " acquiring thread " + std::to_string(holder.thread),
                    path, ENOLCK);
}

IOStatus PosixLockTable::Acquire(const std::string& path, FileLock** lock) {
  *lock = nullptr;
  MutexLock guard(&mu_);
  struct stat info {};
  const bool exists = stat(path.c_str(), &info) == 0;
  for (const auto& [id, holder] : held_) {
    if (holder.path == path ||
        (exists && id == FileId{info.st_dev, info.st_ino})) {
      return HeldHere(path, holder);
    }
  }
  int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return PosixError("while open a file for lock", path, errno);
  if (SetLock(fd, F_WRLCK) != 0 || fstat(fd, &info) != 0) {
    const int error = errno;
    close(fd);
    return PosixError("While lock file", path, error);
  }
  const FileId id{info.st_dev, info.st_ino};
  held_[id] = {path, static_cast<int64_t>(time(nullptr)),
               static_cast<uint64_t>(pthread_self())};
  *lock = new Lock(fd, id, path);
  return IOStatus::OK();
}

IOStatus PosixLockTable::Release(FileLock* lock) {
  auto* const held = static_cast<Lock*>(lock);
  IOStatus status;
  {
    MutexLock guard(&mu_);
    [[maybe_unused]] const size_t erased = held_.erase(held->id);
    assert(erased == 1);
    if (SetLock(held->fd, F_UNLCK) != 0) {
      status = PosixError("unlock", held->path, errno);
    }
    close(held->fd);
  }
  delete held;
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
