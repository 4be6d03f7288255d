// FileSystem::Default(): files of the operating system.

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "env/posix/posix_async.h"
#include "env/posix/posix_error.h"
#include "env/posix/posix_files.h"
#include "env/posix/posix_lock.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr mode_t kFileMode = 0644;
constexpr mode_t kDirMode = 0755;
constexpr size_t kAlignmentDefault = 4096;

int CloexecFlag(const EnvOptions& options) {
  return options.set_fd_cloexec ? O_CLOEXEC : 0;
}

int OpenRetrying(const std::string& path, int flags) {
  int fd = -1;
  do {
    fd = open(path.c_str(), flags, kFileMode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

// What direct I/O on this file must be aligned to: the device's logical
// block, as far as the kernel tells.
size_t DirectAlignment(int fd) {
#ifdef STATX_DIOALIGN
  struct statx info {};
  if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &info) == 0 &&
      (info.stx_mask & STATX_DIOALIGN) != 0) {
    const size_t wanted =
        std::max(info.stx_dio_mem_align, info.stx_dio_offset_align);
    const bool power_of_two = (wanted & (wanted - 1)) == 0;
    if (wanted >= 512 && power_of_two) return wanted;
  }
#else
  (void)fd;
#endif
  return kAlignmentDefault;
}

// Opens `path`; `what` finishes the sentence "While open a file for ...".
IOStatus Open(const std::string& path, int flags, bool direct, const char* what,
              PosixFileInfo* file) {
  file->path = path;
  file->direct = direct;
  file->fd = OpenRetrying(path, flags | (direct ? O_DIRECT : 0));
  if (file->fd < 0) {
    const int error = errno;
    if (direct && error == EINVAL) {
      return IOStatus::InvalidArgument(
          "Direct I/O is not supported by the file system of", path);
    }
    return PosixError(std::string("While open a file for ") + what, path,
                      error);
  }
  if (direct) file->alignment = DirectAlignment(file->fd);
  return IOStatus::OK();
}

IOStatus Stat(const std::string& path, const char* what, struct stat* info) {
  if (stat(path.c_str(), info) == 0) return IOStatus::OK();
  return PosixError(what, path, errno);
}

class PosixMappedBuffer final : public MemoryMappedFileBuffer {
 public:
  using MemoryMappedFileBuffer::MemoryMappedFileBuffer;
  ~PosixMappedBuffer() override { munmap(base_, length_); }
};

class PosixFileSystem final : public FileSystem {
 public:
  const char* Name() const override { return kDefaultName(); }
  const char* NickName() const override { return "posix"; }

  IOStatus NewSequentialFile(const std::string& path,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext*) override {
    result->reset();
    const bool direct = options.use_direct_reads && !options.use_mmap_reads;
    PosixFileInfo file;
    IOStatus s = Open(path, O_RDONLY | CloexecFlag(options), direct,
                      "sequentially reading", &file);
    if (!s.ok()) return s;
    *result = std::make_unique<PosixSequentialFile>(std::move(file));
    return s;
  }

  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext*) override {
    result->reset();
    const bool direct = options.use_direct_reads && !options.use_mmap_reads;
    PosixFileInfo file;
    IOStatus s = Open(path, O_RDONLY | CloexecFlag(options), direct,
                      "random read", &file);
    if (!s.ok()) return s;
    struct stat info {};
    if (options.use_mmap_reads && fstat(file.fd, &info) == 0 &&
        info.st_size > 0) {
      const auto size = static_cast<size_t>(info.st_size);
      void* base = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.fd, 0);
      if (base == MAP_FAILED) {
        const int error = errno;
        close(file.fd);
        return PosixError("while mmap file for read", path, error);
      }
      *result = std::make_unique<PosixMappedFile>(std::move(file), base, size);
      return s;
    }
    *result = std::make_unique<PosixRandomAccessFile>(std::move(file));
    return s;
  }

  IOStatus Poll(std::vector<void*>& io_handles,
                size_t min_completions) override {
    PollReads(io_handles, min_completions);
    return IOStatus::OK();
  }
  IOStatus AbortIO(std::vector<void*>& io_handles) override {
    AbortReads(io_handles);
    return IOStatus::OK();
  }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext*) override {
    return OpenForWriting(path, O_TRUNC, options, result);
  }

  IOStatus ReopenWritableFile(const std::string& path,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext*) override {
    return OpenForWriting(path, O_APPEND, options, result);
  }

  IOStatus ReuseWritableFile(const std::string& path,
                             const std::string& old_path,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override {
    IOStatus s = RenameFile(old_path, path, options.io_options, dbg);
    if (!s.ok()) return s;
    return OpenForWriting(path, 0, options, result);
  }

  IOStatus NewRandomRWFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext*) override {
    result->reset();
    PosixFileInfo file;
    IOStatus s = Open(path, O_RDWR | CloexecFlag(options), false,
                      "random read/write", &file);
    if (s.ok()) *result = std::make_unique<PosixRandomRWFile>(std::move(file));
    return s;
  }

  IOStatus NewMemoryMappedFileBuffer(
      const std::string& path,
      std::unique_ptr<MemoryMappedFileBuffer>* result) override {
    PosixFileInfo file;
    IOStatus s = Open(path, O_RDWR | O_CLOEXEC, false, "raw mmap", &file);
    if (!s.ok()) return s;
    struct stat info {};
    void* base = MAP_FAILED;
    if (fstat(file.fd, &info) == 0) {
      base = mmap(nullptr, static_cast<size_t>(info.st_size),
                  PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
    }
    const int error = errno;
    close(file.fd);
    if (base == MAP_FAILED) return PosixError("While mmap", path, error);
    *result = std::make_unique<PosixMappedBuffer>(
        base, static_cast<size_t>(info.st_size));
    return s;
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions&,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext*) override {
    result->reset();
    PosixFileInfo file;
    file.path = path;
    file.fd = OpenRetrying(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file.fd < 0) return PosixError("While open directory", path, errno);
    *result = std::make_unique<PosixDirectory>(std::move(file));
    return IOStatus::OK();
  }

  IOStatus FileExists(const std::string& path, const IOOptions&,
                      IODebugContext*) override {
    if (access(path.c_str(), F_OK) == 0) return IOStatus::OK();
    switch (errno) {
      case EACCES:
      case ELOOP:
      case ENAMETOOLONG:
      case ENOENT:
      case ENOTDIR:
        return IOStatus::NotFound();
      default:
        return PosixError("While accessing file", path, errno);
    }
  }

  IOStatus GetChildren(const std::string& dir, const IOOptions&,
                       std::vector<std::string>* result,
                       IODebugContext*) override {
    result->clear();
    const std::unique_ptr<DIR, int (*)(DIR*)> handle(opendir(dir.c_str()),
                                                     &closedir);
    if (handle == nullptr) {
      // NotFound, so that a missing directory can be told from a bad one.
      if (errno == EACCES || errno == ENOENT || errno == ENOTDIR) {
        return IOStatus::NotFound("While opendir: " + dir, PosixReason(errno));
      }
      return PosixError("While opendir", dir, errno);
    }
    // readdir reports an error only through errno.
    errno = 0;
    while (const dirent* entry = readdir(handle.get())) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") result->push_back(name);
      errno = 0;
    }
    if (errno != 0) return PosixError("While readdir", dir, errno);
    return IOStatus::OK();
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions&,
                      IODebugContext*) override {
    if (unlink(path.c_str()) == 0) return IOStatus::OK();
    return PosixError("while unlink() file", path, errno);
  }

  IOStatus Truncate(const std::string& path, size_t size, const IOOptions&,
                    IODebugContext*) override {
    if (truncate(path.c_str(), static_cast<off_t>(size)) == 0) {
      return IOStatus::OK();
    }
    return PosixError("While truncate file to size " + std::to_string(size),
                      path, errno);
  }

  IOStatus CreateDir(const std::string& path, const IOOptions&,
                     IODebugContext*) override {
    if (mkdir(path.c_str(), kDirMode) == 0) return IOStatus::OK();
    return PosixError("While mkdir", path, errno);
  }

  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions&,
                              IODebugContext*) override {
    if (mkdir(path.c_str(), kDirMode) == 0) return IOStatus::OK();
    if (errno != EEXIST) {
      return PosixError("While mkdir if missing", path, errno);
    }
    struct stat info {};
    if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
      return IOStatus::OK();
    }
    return IOStatus::IOError("`" + path + "' exists but is not a directory");
  }

  IOStatus DeleteDir(const std::string& path, const IOOptions&,
                     IODebugContext*) override {
    if (rmdir(path.c_str()) == 0) return IOStatus::OK();
    return PosixError("file rmdir", path, errno);
  }

  IOStatus GetFileSize(const std::string& path, const IOOptions&,
                       uint64_t* size, IODebugContext*) override {
    struct stat info {};
    IOStatus s = Stat(path, "while stat a file for size", &info);
    *size = s.ok() ? static_cast<uint64_t>(info.st_size) : 0;
    return s;
  }

  IOStatus GetFileModificationTime(const std::string& path, const IOOptions&,
                                   uint64_t* mtime, IODebugContext*) override {
    struct stat info {};
    IOStatus s = Stat(path, "while stat a file for modification time", &info);
    if (s.ok()) *mtime = static_cast<uint64_t>(info.st_mtime);
    return s;
  }

  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions&, IODebugContext*) override {
    if (rename(from.c_str(), to.c_str()) == 0) return IOStatus::OK();
    return PosixError("While renaming a file to " + to, from, errno);
  }

  IOStatus LinkFile(const std::string& from, const std::string& to,
                    const IOOptions&, IODebugContext*) override {
    if (link(from.c_str(), to.c_str()) == 0) return IOStatus::OK();
    if (errno == EXDEV || errno == EOPNOTSUPP) {
      return IOStatus::NotSupported("No hard links from " + from + " to " + to,
                                    PosixReason(errno));
    }
    return PosixError("while link file to " + to, from, errno);
  }

  IOStatus NumFileLinks(const std::string& path, const IOOptions&,
                        uint64_t* count, IODebugContext*) override {
    struct stat info {};
    IOStatus s = Stat(path, "while stat a file for num file links", &info);
    if (s.ok()) *count = info.st_nlink;
    return s;
  }

  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions&, bool* same,
                        IODebugContext*) override {
    struct stat a {};
    struct stat b {};
    IOStatus s = Stat(first, "stat file", &a);
    if (s.ok()) s = Stat(second, "stat file", &b);
    if (s.ok()) *same = a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    return s;
  }

  IOStatus LockFile(const std::string& path, const IOOptions&, FileLock** lock,
                    IODebugContext*) override {
    return PosixLockTable::Get()->Acquire(path, lock);
  }

  IOStatus UnlockFile(FileLock* lock, const IOOptions&,
                      IODebugContext*) override {
    return PosixLockTable::Get()->Release(lock);
  }

  IOStatus GetTestDirectory(const IOOptions& options, std::string* path,
                            IODebugContext* dbg) override {
    const char* wanted = getenv("TEST_TMPDIR");
    *path = wanted != nullptr && wanted[0] != '\0'
                ? wanted
                : "/tmp/rocksdbtest-" + std::to_string(geteuid());
    return CreateDirIfMissing(*path, options, dbg);
  }

  IOStatus GetAbsolutePath(const std::string& path, const IOOptions&,
                           std::string* absolute, IODebugContext*) override {
    if (!path.empty() && path[0] == '/') {
      *absolute = path;
      return IOStatus::OK();
    }
    const std::unique_ptr<char, void (*)(void*)> cwd(getcwd(nullptr, 0), &free);
    if (cwd == nullptr) return PosixError("While getcwd", path, errno);
    *absolute = std::string(cwd.get()) + "/" + path;
    return IOStatus::OK();
  }

  IOStatus GetFreeSpace(const std::string& path, const IOOptions&,
                        uint64_t* bytes, IODebugContext*) override {
    struct statvfs info {};
    if (statvfs(path.c_str(), &info) != 0) {
      return PosixError("While doing statvfs", path, errno);
    }
    // What an unprivileged process may still use, unless we are root.
    const uint64_t blocks = geteuid() == 0 ? info.f_bfree : info.f_bavail;
    *bytes = static_cast<uint64_t>(info.f_bsize) * blocks;
    return IOStatus::OK();
  }

  IOStatus IsDirectory(const std::string& path, const IOOptions&, bool* is_dir,
                       IODebugContext*) override {
    struct stat info {};
    IOStatus s = Stat(path, "While doing stat for IsDirectory()", &info);
    if (s.ok()) *is_dir = S_ISDIR(info.st_mode);
    return s;
  }

 private:
  IOStatus OpenForWriting(const std::string& path, int how,
                          const FileOptions& options,
                          std::unique_ptr<FSWritableFile>* result) {
    result->reset();
    const bool append = how == O_APPEND;
    const bool direct = options.use_direct_writes;
    // Not O_APPEND itself: writes name their offset, and pwrite would ignore
    // it on such a descriptor.
    const int flags =
        O_WRONLY | CloexecFlag(options) | (append ? O_CREAT : how | O_CREAT);
    PosixFileInfo file;
    file.allow_fallocate = options.allow_fallocate;
    file.fallocate_keeps_size = options.fallocate_with_keep_size;
    IOStatus s =
        Open(path, flags, direct, append ? "append" : "writing", &file);
    if (!s.ok()) return s;
    struct stat info {};
    if (append && fstat(file.fd, &info) != 0) {
      const int error = errno;
      close(file.fd);
      return PosixError("While fstat", path, error);
    }
    const auto size = static_cast<uint64_t>(info.st_size);
    *result =
        std::make_unique<PosixWritableFile>(std::move(file), size, options);
    return s;
  }
};

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<FileSystem> FileSystem::Default() {
  // Never destroyed: files may still be written while the process exits.
  static const auto* const fs = new std::shared_ptr<FileSystem>(
      std::make_shared<engine::PosixFileSystem>());
  return *fs;
}

}  // namespace ROCKSDB_NAMESPACE
