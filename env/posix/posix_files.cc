#include "env/posix/posix_files.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "env/aligned_buffer.h"
#include "env/posix/posix_async.h"
#include "env/posix/posix_error.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The kernel moves at most this much in one call, whatever is asked.
constexpr size_t kTransferBytesMax = 1 << 30;

// F_SET_RW_HINT, missing in older libc headers.
constexpr int kFcntlSetRwHint = 1024 + 12;

IOStatus WriteFully(const PosixFileInfo& file, const Slice& data,
                    uint64_t offset) {
  size_t done = 0;
  while (done < data.size()) {
    const ssize_t put = pwrite(file.fd, data.data() + done,
                               std::min(data.size() - done, kTransferBytesMax),
                               static_cast<off_t>(offset + done));
    if (put < 0) {
      if (errno == EINTR) continue;
      return PosixError(
          "While pwrite to file at offset " + std::to_string(offset), file.path,
          errno);
    }
    done += static_cast<size_t>(put);
  }
  return IOStatus::OK();
}

// Device, inode and generation name a file for as long as the host runs.
size_t UniqueId(int fd, char* id, size_t max_size) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return 0;
  unsigned int generation = 0;
  // FS_IOC_GETVERSION; without it inode numbers are reused undetectably.
  if (ioctl(fd, _IOR('v', 1, long), &generation) != 0) return 0;
  const uint64_t parts[3] = {info.st_dev, info.st_ino, generation};
  std::string text;
  for (uint64_t part : parts) {
    for (; part >= 0x80; part >>= 7) {
      text.push_back(static_cast<char>(part | 0x80));
    }
    text.push_back(static_cast<char>(part));
  }
  if (text.size() > max_size) return 0;
  // Bytes, not text. NOLINTNEXTLINE(bugprone-not-null-terminated-result)
  memcpy(id, text.data(), text.size());
  return text.size();
}

IOStatus DropCache(const PosixFileInfo& file, size_t offset, size_t length) {
  if (file.direct) return IOStatus::OK();
  const int error =
      posix_fadvise(file.fd, static_cast<off_t>(offset),
                    static_cast<off_t>(length), POSIX_FADV_DONTNEED);
  if (error == 0) return IOStatus::OK();
  return PosixError("While fadvise NotNeeded offset " + std::to_string(offset) +
                        " len " + std::to_string(length),
                    file.path, error);
}

int FadviseFor(FSRandomAccessFile::AccessPattern pattern) {
  switch (pattern) {
    case FSRandomAccessFile::kRandom:
      return POSIX_FADV_RANDOM;
    case FSRandomAccessFile::kSequential:
      return POSIX_FADV_SEQUENTIAL;
    case FSRandomAccessFile::kWillNeed:
      return POSIX_FADV_WILLNEED;
    case FSRandomAccessFile::kWontNeed:
      return POSIX_FADV_DONTNEED;
    default:
      return POSIX_FADV_NORMAL;
  }
}

IOStatus SyncData(const PosixFileInfo& file) {
  if (fdatasync(file.fd) == 0) return IOStatus::OK();
  return PosixError("While fdatasync", file.path, errno);
}

IOStatus SyncAll(const PosixFileInfo& file) {
  if (fsync(file.fd) == 0) return IOStatus::OK();
  return PosixError("While fsync", file.path, errno);
}

}  // namespace

IOStatus PosixReadFully(const PosixFileInfo& file, uint64_t offset, size_t n,
                        Slice* result, char* scratch) {
  size_t done = 0;
  while (done < n) {
    const ssize_t got =
        pread(file.fd, scratch + done, std::min(n - done, kTransferBytesMax),
              static_cast<off_t>(offset + done));
    if (got < 0) {
      if (errno == EINTR) continue;
      *result = Slice(scratch, 0);
      return PosixError("While pread offset " + std::to_string(offset) +
                            " len " + std::to_string(n),
                        file.path, errno);
    }
    if (got == 0) break;
    done += static_cast<size_t>(got);
    // Direct I/O can only stop inside a block at the end of the file, and
    // could not continue from there.
    if (file.direct && done % file.alignment != 0) break;
  }
  *result = Slice(scratch, done);
  return IOStatus::OK();
}

IOStatus PosixClose(int* fd, const std::string& path) {
  if (*fd < 0) return IOStatus::OK();
  const int closing = *fd;
  // Also after an error the descriptor is gone: closing twice could close a
  // file that another thread has just opened.
  *fd = -1;
  if (close(closing) == 0) return IOStatus::OK();
  return PosixError("While closing file", path, errno);
}

// PosixSequentialFile

PosixSequentialFile::~PosixSequentialFile() { close(file_.fd); }

IOStatus PosixSequentialFile::Read(size_t n, const IOOptions&, Slice* result,
                                   char* scratch, IODebugContext*) {
  IOStatus status = PosixReadFully(file_, position_, n, result, scratch);
  position_ += result->size();
  return status;
}

IOStatus PosixSequentialFile::PositionedRead(uint64_t offset, size_t n,
                                             const IOOptions&, Slice* result,
                                             char* scratch, IODebugContext*) {
  return PosixReadFully(file_, offset, n, result, scratch);
}

IOStatus PosixSequentialFile::Skip(uint64_t n) {
  position_ += n;
  return IOStatus::OK();
}

IOStatus PosixSequentialFile::InvalidateCache(size_t offset, size_t length) {
  return DropCache(file_, offset, length);
}

// PosixRandomAccessFile

PosixRandomAccessFile::~PosixRandomAccessFile() { close(file_.fd); }

IOStatus PosixRandomAccessFile::Read(uint64_t offset, size_t n,
                                     const IOOptions&, Slice* result,
                                     char* scratch, IODebugContext*) const {
  return PosixReadFully(file_, offset, n, result, scratch);
}

IOStatus PosixRandomAccessFile::Prefetch(uint64_t offset, size_t n,
                                         const IOOptions&, IODebugContext*) {
  if (file_.direct) return IOStatus::OK();
  if (readahead(file_.fd, static_cast<off64_t>(offset), n) == 0) {
    return IOStatus::OK();
  }
  return PosixError("While prefetching offset " + std::to_string(offset) +
                        " len " + std::to_string(n),
                    file_.path, errno);
}

IOStatus PosixRandomAccessFile::MultiRead(FSReadRequest* reqs, size_t num_reqs,
                                          const IOOptions&, IODebugContext*) {
  if (num_reqs < 2 || !ReadTogether(file_, reqs, num_reqs)) {
    ReadEach(file_, reqs, num_reqs);
  }
  return IOStatus::OK();
}

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
IOStatus PosixRandomAccessFile::ReadAsync(
    FSReadRequest& req, const IOOptions& opts,
    std::function<void(FSReadRequest&, void*)> cb, void* cb_arg,
    void** io_handle, IOHandleDeleter* del_fn, IODebugContext* dbg) {
  void* const handle = StartRead(file_, req, &cb, cb_arg);
  if (handle == nullptr) {
    return FSRandomAccessFile::ReadAsync(req, opts, std::move(cb), cb_arg,
                                         io_handle, del_fn, dbg);
  }
  *io_handle = handle;
  *del_fn = DeleteStartedRead;
  return IOStatus::OK();
}

size_t PosixRandomAccessFile::GetUniqueId(char* id, size_t max_size) const {
  return UniqueId(file_.fd, id, max_size);
}

void PosixRandomAccessFile::Hint(AccessPattern pattern) {
  if (!file_.direct) posix_fadvise(file_.fd, 0, 0, FadviseFor(pattern));
}

IOStatus PosixRandomAccessFile::InvalidateCache(size_t offset, size_t length) {
  return DropCache(file_, offset, length);
}

// PosixMappedFile

PosixMappedFile::~PosixMappedFile() {
  munmap(base_, size_);
  close(file_.fd);
}

IOStatus PosixMappedFile::Read(uint64_t offset, size_t n, const IOOptions&,
                               Slice* result, char*, IODebugContext*) const {
  if (offset > size_) {
    *result = Slice();
    return IOStatus::IOError("While mmap read offset " +
                                 std::to_string(offset) + " of " +
                                 std::to_string(size_) + " bytes",
                             file_.path);
  }
  const size_t available = size_ - static_cast<size_t>(offset);
  *result =
      Slice(static_cast<const char*>(base_) + offset, std::min(n, available));
  return IOStatus::OK();
}

size_t PosixMappedFile::GetUniqueId(char* id, size_t max_size) const {
  return UniqueId(file_.fd, id, max_size);
}

void PosixMappedFile::Hint(AccessPattern pattern) {
  // The same numbers as fadvise: POSIX_MADV_* are its twins.
  (void)posix_madvise(base_, size_, FadviseFor(pattern));
}

IOStatus PosixMappedFile::InvalidateCache(size_t offset, size_t length) {
  return DropCache(file_, offset, length);
}

// PosixWritableFile

PosixWritableFile::~PosixWritableFile() {
  if (file_.fd >= 0) (void)Close(IOOptions(), nullptr);
}

IOStatus PosixWritableFile::Append(const Slice& data, const IOOptions&,
                                   IODebugContext*) {
  IOStatus status = WriteFully(file_, data, size_);
  if (status.ok()) size_ += data.size();
  return status;
}

IOStatus PosixWritableFile::PositionedAppend(const Slice& data, uint64_t offset,
                                             const IOOptions&,
                                             IODebugContext*) {
  assert(!file_.direct ||
         (offset % file_.alignment == 0 && data.size() % file_.alignment == 0));
  IOStatus status = WriteFully(file_, data, offset);
  if (status.ok()) size_ = std::max<uint64_t>(size_, offset + data.size());
  return status;
}

IOStatus PosixWritableFile::Truncate(uint64_t size, const IOOptions&,
                                     IODebugContext*) {
  if (ftruncate(file_.fd, static_cast<off_t>(size)) != 0) {
    return PosixError("While ftruncate file to size " + std::to_string(size),
                      file_.path, errno);
  }
  size_ = size;
  return IOStatus::OK();
}

IOStatus PosixWritableFile::Close(const IOOptions& options,
                                  IODebugContext* dbg) {
  if (file_.fd < 0) return IOStatus::OK();
  IOStatus status;
  if (allocated_) {
    // Gives back the blocks beyond the end. The truncation alone does not:
    // the size already is what it sets, and some file systems stop there.
    status = Truncate(size_, options, dbg);
    struct stat info {};
    if (status.ok() && file_.fallocate_keeps_size &&
        fstat(file_.fd, &info) == 0) {
      const uint64_t held = static_cast<uint64_t>(info.st_blocks) * 512;
      const uint64_t needed =
          AlignUp(size_, static_cast<uint64_t>(info.st_blksize));
      if (held > needed) {
        (void)fallocate(file_.fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE,
                        static_cast<off_t>(size_),
                        static_cast<off_t>(held - size_));
      }
    }
  }
  IOStatus closed = PosixClose(&file_.fd, file_.path);
  return status.ok() ? closed : status;
}

IOStatus PosixWritableFile::Flush(const IOOptions&, IODebugContext*) {
  return IOStatus::OK();
}

IOStatus PosixWritableFile::Sync(const IOOptions&, IODebugContext*) {
  return SyncData(file_);
}

IOStatus PosixWritableFile::Fsync(const IOOptions&, IODebugContext*) {
  return SyncAll(file_);
}

void PosixWritableFile::SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) {
  if (hint == write_hint_) return;
  uint64_t value = hint;
  if (fcntl(file_.fd, kFcntlSetRwHint, &value) == 0) write_hint_ = hint;
}

uint64_t PosixWritableFile::GetFileSize(const IOOptions&, IODebugContext*) {
  return size_;
}

size_t PosixWritableFile::GetUniqueId(char* id, size_t max_size) const {
  return UniqueId(file_.fd, id, max_size);
}

IOStatus PosixWritableFile::InvalidateCache(size_t offset, size_t length) {
  return DropCache(file_, offset, length);
}

IOStatus PosixWritableFile::RangeSync(uint64_t offset, uint64_t n,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  // Strict: also wait for the write-back started by earlier calls, so that
  // never more than bytes_per_sync are under way.
  const unsigned int flags =
      strict_bytes_per_sync_
          ? SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE
          : SYNC_FILE_RANGE_WRITE;
  const auto start = static_cast<off64_t>(strict_bytes_per_sync_ ? 0 : offset);
  const auto length =
      static_cast<off64_t>(strict_bytes_per_sync_ ? offset + n : n);
  if (sync_file_range(file_.fd, start, length, flags) == 0) {
    return IOStatus::OK();
  }
  if (errno == ENOSYS || errno == EINVAL || errno == ESPIPE) {
    // This file system cannot; the base class knows what strictness asks.
    return FSWritableFile::RangeSync(offset, n, options, dbg);
  }
  return PosixError("While sync_file_range", file_.path, errno);
}

IOStatus PosixWritableFile::Allocate(uint64_t offset, uint64_t n,
                                     const IOOptions&, IODebugContext*) {
  if (!file_.allow_fallocate) return IOStatus::OK();
  const PerfTimer timer(nullptr, &IOStatsContext::allocate_nanos);
  const int mode = file_.fallocate_keeps_size ? FALLOC_FL_KEEP_SIZE : 0;
  if (fallocate(file_.fd, mode, static_cast<off_t>(offset),
                static_cast<off_t>(n)) == 0) {
    allocated_ = true;
    return IOStatus::OK();
  }
  // Only a hint: where it does not exist there is nothing to report.
  if (errno == EOPNOTSUPP || errno == ENOSYS) {
    file_.allow_fallocate = false;
    return IOStatus::OK();
  }
  return PosixError("While fallocate offset " + std::to_string(offset) +
                        " len " + std::to_string(n),
                    file_.path, errno);
}

// PosixRandomRWFile

PosixRandomRWFile::~PosixRandomRWFile() {
  (void)PosixClose(&file_.fd, file_.path);
}

IOStatus PosixRandomRWFile::Write(uint64_t offset, const Slice& data,
                                  const IOOptions&, IODebugContext*) {
  return WriteFully(file_, data, offset);
}

IOStatus PosixRandomRWFile::Read(uint64_t offset, size_t n, const IOOptions&,
                                 Slice* result, char* scratch,
                                 IODebugContext*) const {
  return PosixReadFully(file_, offset, n, result, scratch);
}

IOStatus PosixRandomRWFile::Flush(const IOOptions&, IODebugContext*) {
  return IOStatus::OK();
}

IOStatus PosixRandomRWFile::Sync(const IOOptions&, IODebugContext*) {
  return SyncData(file_);
}

IOStatus PosixRandomRWFile::Fsync(const IOOptions&, IODebugContext*) {
  return SyncAll(file_);
}

IOStatus PosixRandomRWFile::Close(const IOOptions&, IODebugContext*) {
  return PosixClose(&file_.fd, file_.path);
}

// PosixDirectory

PosixDirectory::~PosixDirectory() { (void)PosixClose(&file_.fd, file_.path); }

IOStatus PosixDirectory::Fsync(const IOOptions&, IODebugContext*) {
  if (file_.fd < 0) {
    return IOStatus::IOError("While fsync a closed directory", file_.path);
  }
  return SyncAll(file_);
}

IOStatus PosixDirectory::Close(const IOOptions&, IODebugContext*) {
  return PosixClose(&file_.fd, file_.path);
}

size_t PosixDirectory::GetUniqueId(char* id, size_t max_size) const {
  return UniqueId(file_.fd, id, max_size);
}

}  // namespace ROCKSDB_NAMESPACE::engine
