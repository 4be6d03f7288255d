// Env: threads, and the older way to supply files and time.
//
// Place. DBOptions::env. When a database is opened the Env is resolved once
// into a FileSystem, a SystemClock and thread pools; the engine then uses those
// for files and time (GetFileSystem(), GetSystemClock()).
//
// Model. Three ways to make an Env:
//   Env::Default()      the operating system
//   Env(fs, clock)      a composite: files and time come from the arguments
//   Env()               for classes that override the file methods below; an
//                       adapter file system calls those methods
// EnvWrapper forwards everything and is the easiest base.
//
// The compaction switch. Every Env owns one, returned by compaction_switch(); a
// wrapper returns that of its target. EnableCompactions() and
// DisableCompactions() turn automatic compaction on and off for all databases
// of the Env that opted in with auto_tuned_compaction.
//
// Threads. An Env is used by many threads at once. File objects are used by
// one thread at a time, except RandomAccessFile.
#pragma once

#include <cassert>
#include <cstdarg>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/port_defs.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/thread_status.h"

#if defined(__GNUC__) || defined(__clang__)
#define ROCKSDB_PRINTF_FORMAT_ATTR(format_param, dots_param) \
  __attribute__((__format__(__printf__, format_param, dots_param)))
#else
#define ROCKSDB_PRINTF_FORMAT_ATTR(format_param, dots_param)
#endif

namespace ROCKSDB_NAMESPACE {
namespace engine {
class CompactionSwitch;
}  // namespace engine
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Directory;
class DynamicLibrary;
class FileLock;
class FileSystem;
class Logger;
class MemoryMappedFileBuffer;
class RandomAccessFile;
class RandomRWFile;
class RateLimiter;
class SequentialFile;
class SystemClock;
class WritableFile;
struct ConfigOptions;
struct DBOptions;
struct DataVerificationInfo;
struct ImmutableDBOptions;
struct MutableDBOptions;
struct ThreadStatus;

const size_t kDefaultPageSize = 4 * 1024;

// How a file is to be opened and used.
struct EnvOptions {
  EnvOptions();
  explicit EnvOptions(const DBOptions& options);

  bool use_mmap_reads = false;
  bool use_mmap_writes = true;
  bool use_direct_reads = false;
  bool use_direct_writes = false;
  bool allow_fallocate = true;
  bool set_fd_cloexec = true;
  uint64_t bytes_per_sync = 0;
  bool strict_bytes_per_sync = false;
  // Preallocated space beyond the data does not count as file size.
  bool fallocate_with_keep_size = true;
  size_t compaction_readahead_size = 0;
  size_t random_access_max_buffer_size = 0;
  size_t writable_file_max_buffer_size = 1024 * 1024;
  RateLimiter* rate_limiter = nullptr;
};

class Env : public Customizable {
 public:
  static const char* kDefaultName() { return "DefaultEnv"; }
  static const char* Type() { return "Environment"; }

  struct FileAttributes {
    std::string name;  // without directory
    uint64_t size_bytes;
  };

  // For subclasses that override the file methods.
  Env();
  explicit Env(const std::shared_ptr<FileSystem>& fs);
  Env(const std::shared_ptr<FileSystem>& fs,
      const std::shared_ptr<SystemClock>& clock);
  Env(const Env&) = delete;
  void operator=(const Env&) = delete;
  ~Env() override;

  const char* Name() const override { return ""; }

  // Finds an Env by name ("" and kDefaultName() are the default one).
  static Status LoadEnv(const std::string& value, Env** result);
  static Status LoadEnv(const std::string& value, Env** result,
                        std::shared_ptr<Env>* guard);
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value, Env** result);
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value, Env** result,
                                 std::shared_ptr<Env>* guard);
  static Status CreateFromUri(const ConfigOptions& options,
                              const std::string& env_uri,
                              const std::string& fs_uri, Env** result,
                              std::shared_ptr<Env>* guard);

  // The operating system. Never destroyed.
  static Env* Default();

  // ---- Files. Options, errors and meanings are those of FileSystem.

  virtual Status RegisterDbPaths(const std::vector<std::string>& /*paths*/) {
    return Status::OK();
  }
  virtual Status UnregisterDbPaths(const std::vector<std::string>& /*paths*/) {
    return Status::OK();
  }

  virtual Status NewSequentialFile(const std::string& fname,
                                   std::unique_ptr<SequentialFile>* result,
                                   const EnvOptions& options) = 0;
  virtual Status NewRandomAccessFile(const std::string& fname,
                                     std::unique_ptr<RandomAccessFile>* result,
                                     const EnvOptions& options) = 0;

  // How long the data of a file is expected to live; a hint for the device.
  enum WriteLifeTimeHint {
    WLTH_NOT_SET = 0,
    WLTH_NONE,
    WLTH_SHORT,
    WLTH_MEDIUM,
    WLTH_LONG,
    WLTH_EXTREME,
  };

  // A new, empty file; an existing one of that name is replaced.
  virtual Status NewWritableFile(const std::string& fname,
                                 std::unique_ptr<WritableFile>* result,
                                 const EnvOptions& options) = 0;
  // Appends to an existing file.
  virtual Status ReopenWritableFile(const std::string& /*fname*/,
                                    std::unique_ptr<WritableFile>* /*result*/,
                                    const EnvOptions& /*options*/) {
    return Status::NotSupported("Env::ReopenWritableFile() not supported.");
  }
  // Renames `old_fname` to `fname` and writes over its bytes.
  virtual Status ReuseWritableFile(const std::string& fname,
                                   const std::string& old_fname,
                                   std::unique_ptr<WritableFile>* result,
                                   const EnvOptions& options);
  virtual Status NewRandomRWFile(const std::string& /*fname*/,
                                 std::unique_ptr<RandomRWFile>* /*result*/,
                                 const EnvOptions& /*options*/) {
    return Status::NotSupported("RandomRWFile is not implemented in this Env");
  }
  virtual Status NewMemoryMappedFileBuffer(
      const std::string& /*fname*/,
      std::unique_ptr<MemoryMappedFileBuffer>* /*result*/) {
    return Status::NotSupported(
        "MemoryMappedFileBuffer is not implemented in this Env");
  }
  virtual Status NewDirectory(const std::string& name,
                              std::unique_ptr<Directory>* result) = 0;

  // OK, or NotFound when there is no such file.
  virtual Status FileExists(const std::string& fname) = 0;
  virtual Status GetChildren(const std::string& dir,
                             std::vector<std::string>* result) = 0;
  virtual Status GetChildrenFileAttributes(const std::string& dir,
                                           std::vector<FileAttributes>* result);
  virtual Status DeleteFile(const std::string& fname) = 0;
  virtual Status Truncate(const std::string& /*fname*/, size_t /*size*/) {
    return Status::NotSupported("Truncate is not supported for this Env");
  }
  virtual Status CreateDir(const std::string& dirname) = 0;
  virtual Status CreateDirIfMissing(const std::string& dirname) = 0;
  virtual Status DeleteDir(const std::string& dirname) = 0;
  virtual Status GetFileSize(const std::string& fname, uint64_t* file_size) = 0;
  virtual Status GetFileModificationTime(const std::string& fname,
                                         uint64_t* file_mtime) = 0;
  virtual Status RenameFile(const std::string& src,
                            const std::string& target) = 0;
  virtual Status LinkFile(const std::string& /*src*/,
                          const std::string& /*target*/) {
    return Status::NotSupported("LinkFile is not supported for this Env");
  }
  virtual Status NumFileLinks(const std::string& /*fname*/,
                              uint64_t* /*count*/) {
    return Status::NotSupported(
        "Getting number of file links is not supported for this Env");
  }
  virtual Status AreFilesSame(const std::string& /*first*/,
                              const std::string& /*second*/, bool* /*res*/) {
    return Status::NotSupported("AreFilesSame is not supported for this Env");
  }

  // Holds the file against every other process and every other caller in
  // this one. Fails at once if it is held already.
  virtual Status LockFile(const std::string& fname, FileLock** lock) = 0;
  virtual Status UnlockFile(FileLock* lock) = 0;

  virtual Status LoadLibrary(const std::string& /*lib_name*/,
                             const std::string& /*search_path*/,
                             std::shared_ptr<DynamicLibrary>* /*result*/) {
    return Status::NotSupported("LoadLibrary is not implemented in this Env");
  }

  // ---- Threads.

  // The pools, and the classes of writes. USER is the calling thread.
  enum Priority { BOTTOM, LOW, HIGH, USER, TOTAL };
  static std::string PriorityToString(Priority priority);

  enum IOPriority {
    IO_LOW = 0,
    IO_MID = 1,
    IO_HIGH = 2,
    IO_USER = 3,
    IO_TOTAL = 4
  };

  // The operation for which bytes are read.
  enum class IOActivity : uint8_t {
    kFlush = 0,
    kCompaction = 1,
    kDBOpen = 2,
    kGet = 3,
    kMultiGet = 4,
    kDBIterator = 5,
    kVerifyDBChecksum = 6,
    kVerifyFileChecksums = 7,
    kGetEntity = 8,
    kMultiGetEntity = 9,
    kGetFileChecksumsFromCurrentManifest = 10,
    kUnknown,
  };
  static std::string IOActivityToString(IOActivity activity);

  // Runs function(arg) once in the pool. Jobs of one pool start in the order
  // they were scheduled.
  virtual void Schedule(void (*function)(void* arg), void* arg,
                        Priority pri = LOW, void* tag = nullptr,
                        void (*unschedFunction)(void* arg) = nullptr) = 0;
  // Removes the jobs with this tag that have not started from the queue, calls
  // their unschedFunction, and returns their number.
  virtual int UnSchedule(void* /*tag*/, Priority /*pri*/) { return 0; }

  // Runs function(arg) in a new thread.
  virtual void StartThread(void (*function)(void* arg), void* arg) = 0;

  template <typename FunctionT, typename... Args>
  void StartThreadTyped(FunctionT function, Args&&... args) {
    using Bound = std::pair<std::function<void(Args...)>, std::tuple<Args...>>;
    StartThread(
        [](void* arg) {
          std::unique_ptr<Bound> bound(static_cast<Bound*>(arg));
          std::apply(bound->first, bound->second);
        },
        new Bound(std::function<void(Args...)>(function),
                  std::tuple<Args...>(std::forward<Args>(args)...)));
  }

  // Waits for the threads of StartThread.
  virtual void WaitForJoin() {}

  // Reserved threads of a pool take no job until they are released. Both return
  // the number of threads affected.
  virtual int ReserveThreads(int /*threads*/, Priority /*pri*/) { return 0; }
  virtual int ReleaseThreads(int /*threads*/, Priority /*pri*/) { return 0; }

  virtual unsigned int GetThreadPoolQueueLen(Priority /*pri*/ = LOW) const {
    return 0;
  }

  virtual Status GetTestDirectory(std::string* path) = 0;
  virtual Status NewLogger(const std::string& fname,
                           std::shared_ptr<Logger>* result);

  // ---- Time; see SystemClock.

  virtual uint64_t NowMicros() = 0;
  virtual uint64_t NowNanos() { return NowMicros() * 1000; }
  virtual uint64_t NowCPUNanos() { return 0; }
  virtual void SleepForMicroseconds(int micros) = 0;
  virtual Status GetHostName(char* name, uint64_t len) = 0;
  virtual Status GetHostNameString(std::string* result);
  virtual Status GetCurrentTime(int64_t* unix_time) = 0;

  virtual Status GetAbsolutePath(const std::string& db_path,
                                 std::string* output_path) = 0;

  // The size of a pool. A shrinking pool finishes its running jobs.
  virtual void SetBackgroundThreads(int number, Priority pri = LOW) = 0;
  virtual int GetBackgroundThreads(Priority pri = LOW) = 0;
  virtual Status SetAllowNonOwnerAccess(bool /*allow*/) {
    return Status::NotSupported("Env::SetAllowNonOwnerAccess() not supported.");
  }
  // Grows a pool to at least `number` threads.
  virtual void IncBackgroundThreadsIfNeeded(int number, Priority pri) = 0;
  virtual void LowerThreadPoolIOPriority(Priority /*pool*/ = LOW) {}
  virtual Status LowerThreadPoolCPUPriority(Priority /*pool*/,
                                            CpuPriority /*pri*/) {
    return Status::NotSupported(
        "Env::LowerThreadPoolCPUPriority(Priority, CpuPriority) not supported");
  }
  virtual void LowerThreadPoolCPUPriority(Priority /*pool*/ = LOW) {}

  virtual std::string TimeToString(uint64_t time) = 0;

  // 36 characters in the form of a UUID, different at every call.
  virtual std::string GenerateUniqueId();

  virtual EnvOptions OptimizeForLogRead(const EnvOptions& env_options) const;
  virtual EnvOptions OptimizeForManifestRead(
      const EnvOptions& env_options) const;
  virtual EnvOptions OptimizeForLogWrite(const EnvOptions& env_options,
                                         const DBOptions& db_options) const;
  virtual EnvOptions OptimizeForManifestWrite(
      const EnvOptions& env_options) const;
  virtual EnvOptions OptimizeForCompactionTableWrite(
      const EnvOptions& env_options,
      const ImmutableDBOptions& immutable_ops) const;
  virtual EnvOptions OptimizeForCompactionTableRead(
      const EnvOptions& env_options,
      const ImmutableDBOptions& db_options) const;
  virtual EnvOptions OptimizeForBlobFileRead(
      const EnvOptions& env_options,
      const ImmutableDBOptions& db_options) const;

  virtual Status GetThreadList(std::vector<ThreadStatus>* /*thread_list*/) {
    return Status::NotSupported("Env::GetThreadList() not supported.");
  }
  virtual uint64_t GetThreadID() const;

  virtual Status GetFreeSpace(const std::string& /*path*/,
                              uint64_t* /*diskfree*/) {
    return Status::NotSupported("Env::GetFreeSpace() not supported.");
  }
  virtual Status IsDirectory(const std::string& /*path*/, bool* /*is_dir*/) {
    return Status::NotSupported("Env::IsDirectory() not supported.");
  }
  virtual void SanitizeEnvOptions(EnvOptions* /*env_opts*/) const {}

  const std::shared_ptr<FileSystem>& GetFileSystem() const;
  const std::shared_ptr<SystemClock>& GetSystemClock() const;

  // ---- The compaction switch (see the head of this file).

  void EnableCompactions();
  void DisableCompactions();
  virtual engine::CompactionSwitch* compaction_switch();

 protected:
  std::shared_ptr<FileSystem> file_system_;
  std::shared_ptr<SystemClock> system_clock_;

 private:
  std::shared_ptr<engine::CompactionSwitch> compaction_switch_;
};

// ---- Files of an Env. The same as their FS namesakes in file_system.h,
// without per-call options.

class SequentialFile {
 public:
  SequentialFile() = default;
  virtual ~SequentialFile();

  // *result points into scratch or into the file object. Shorter than n only
  // at the end of the file.
  virtual Status Read(size_t n, Slice* result, char* scratch) = 0;
  virtual Status Skip(uint64_t n) = 0;
  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }
  virtual Status InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return Status::NotSupported(
        "SequentialFile::InvalidateCache not supported.");
  }
  virtual Status PositionedRead(uint64_t /*offset*/, size_t /*n*/,
                                Slice* /*result*/, char* /*scratch*/) {
    return Status::NotSupported(
        "SequentialFile::PositionedRead() not supported.");
  }
};

struct ReadRequest {
  uint64_t offset;
  size_t len;
  char* scratch;
  Slice result;   // out
  Status status;  // out
};

class RandomAccessFile {
 public:
  RandomAccessFile() = default;
  virtual ~RandomAccessFile();

  virtual Status Read(uint64_t offset, size_t n, Slice* result,
                      char* scratch) const = 0;
  virtual Status Prefetch(uint64_t /*offset*/, size_t /*n*/) {
    return Status::OK();
  }
  virtual Status MultiRead(ReadRequest* reqs, size_t num_reqs) {
    for (size_t i = 0; i < num_reqs; ++i) {
      ReadRequest& req = reqs[i];
      req.status = Read(req.offset, req.len, &req.result, req.scratch);
    }
    return Status::OK();
  }
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }
  enum AccessPattern { NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED };
  virtual void Hint(AccessPattern /*pattern*/) {}
  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }
  virtual Status InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return Status::NotSupported(
        "RandomAccessFile::InvalidateCache not supported.");
  }
  virtual Status GetFileSize(uint64_t* /*file_size*/) {
    return Status::NotSupported("RandomAccessFile::GetFileSize not supported.");
  }
};

class WritableFile {
 public:
  WritableFile() : WritableFile(false) {}
  explicit WritableFile(const EnvOptions& options)
      : WritableFile(options.strict_bytes_per_sync) {}
  WritableFile(const WritableFile&) = delete;
  void operator=(const WritableFile&) = delete;
  virtual ~WritableFile();

  virtual Status Append(const Slice& data) = 0;
  virtual Status Append(const Slice& data,
                        const DataVerificationInfo& /*verification_info*/) {
    return Append(data);
  }
  virtual Status PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/) {
    return Status::NotSupported(
        "WritableFile::PositionedAppend() not supported.");
  }
  virtual Status PositionedAppend(
      const Slice& /*data*/, uint64_t /*offset*/,
      const DataVerificationInfo& /*verification_info*/) {
    return Status::NotSupported("PositionedAppend");
  }
  virtual Status Truncate(uint64_t /*size*/) { return Status::OK(); }
  virtual Status Close() = 0;
  virtual Status Flush() = 0;
  virtual Status Sync() = 0;
  virtual Status Fsync() { return Sync(); }
  virtual bool IsSyncThreadSafe() const { return false; }
  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }
  virtual void SetIOPriority(Env::IOPriority pri) { io_priority_ = pri; }
  virtual Env::IOPriority GetIOPriority() { return io_priority_; }
  virtual void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) {
    write_hint_ = hint;
  }
  virtual Env::WriteLifeTimeHint GetWriteLifeTimeHint() { return write_hint_; }
  virtual uint64_t GetFileSize() { return 0; }
  virtual void SetPreallocationBlockSize(size_t size) {
    preallocation_block_size_ = size;
  }
  virtual void GetPreallocationStatus(size_t* block_size,
                                      size_t* last_allocated_block) {
    *block_size = preallocation_block_size_;
    *last_allocated_block = last_preallocated_block_;
  }
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }
  virtual Status InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return Status::NotSupported("WritableFile::InvalidateCache not supported.");
  }
  virtual Status RangeSync(uint64_t /*offset*/, uint64_t /*nbytes*/) {
    return strict_bytes_per_sync_ ? Sync() : Status::OK();
  }
  // Asks for disk space up to the block that holds the last of these bytes.
  virtual void PrepareWrite(size_t offset, size_t len) {
    const size_t block_size = preallocation_block_size_;
    if (block_size == 0) return;
    const size_t blocks = (offset + len + block_size - 1) / block_size;
    if (blocks <= last_preallocated_block_) return;
    Allocate(block_size * last_preallocated_block_,
             block_size * (blocks - last_preallocated_block_))
        .PermitUncheckedError();
    last_preallocated_block_ = blocks;
  }
  virtual Status Allocate(uint64_t /*offset*/, uint64_t /*len*/) {
    return Status::OK();
  }

 protected:
  size_t preallocation_block_size() { return preallocation_block_size_; }

 private:
  explicit WritableFile(bool strict_bytes_per_sync)
      : io_priority_(Env::IO_TOTAL),
        write_hint_(Env::WLTH_NOT_SET),
        strict_bytes_per_sync_(strict_bytes_per_sync) {}

  size_t last_preallocated_block_ = 0;
  size_t preallocation_block_size_ = 0;

 protected:
  Env::IOPriority io_priority_;
  Env::WriteLifeTimeHint write_hint_;
  const bool strict_bytes_per_sync_;
};

class RandomRWFile {
 public:
  RandomRWFile() = default;
  RandomRWFile(const RandomRWFile&) = delete;
  RandomRWFile& operator=(const RandomRWFile&) = delete;
  virtual ~RandomRWFile() = default;

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }
  virtual Status Write(uint64_t offset, const Slice& data) = 0;
  virtual Status Read(uint64_t offset, size_t n, Slice* result,
                      char* scratch) const = 0;
  virtual Status Flush() = 0;
  virtual Status Sync() = 0;
  virtual Status Fsync() { return Sync(); }
  virtual Status Close() = 0;
};

class MemoryMappedFileBuffer {
 public:
  MemoryMappedFileBuffer(void* _base, size_t _length)
      : base_(_base), length_(_length) {}
  MemoryMappedFileBuffer(const MemoryMappedFileBuffer&) = delete;
  MemoryMappedFileBuffer& operator=(const MemoryMappedFileBuffer&) = delete;
  // Releases the mapping.
  virtual ~MemoryMappedFileBuffer() = 0;

  void* GetBase() const { return base_; }
  size_t GetLen() const { return length_; }

 protected:
  void* base_;
  const size_t length_;
};

class Directory {
 public:
  virtual ~Directory() = default;
  virtual Status Fsync() = 0;
  virtual Status Close() { return Status::NotSupported("Close"); }
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }
};

// A held lock; released by UnlockFile of the object that made it.
class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  void operator=(const FileLock&) = delete;
  virtual ~FileLock();
};

class DynamicLibrary {
 public:
  virtual ~DynamicLibrary() = default;
  virtual const char* Name() const = 0;
  template <typename T>
  Status LoadFunction(const std::string& sym_name, std::function<T>* function) {
    void* address = nullptr;
    Status s = LoadSymbol(sym_name, &address);
    *function = reinterpret_cast<T*>(address);
    return s;
  }
  virtual Status LoadSymbol(const std::string& sym_name, void** func) = 0;
};

// ---- The information log.

enum InfoLogLevel : unsigned char {
  DEBUG_LEVEL = 0,
  INFO_LEVEL,
  WARN_LEVEL,
  ERROR_LEVEL,
  FATAL_LEVEL,
  HEADER_LEVEL,
  NUM_INFO_LOG_LEVELS,
};

// Receives the lines of LOG. Override Logv(format, ap) to get the level as a
// prefix of the line, or Logv(level, ...) to get it separately.
class Logger {
 public:
  size_t kDoNotSupportGetLogFileSize = (std::numeric_limits<size_t>::max)();

  explicit Logger(const InfoLogLevel log_level = InfoLogLevel::INFO_LEVEL)
      : closed_(false), log_level_(log_level) {}
  Logger(const Logger&) = delete;
  void operator=(const Logger&) = delete;
  virtual ~Logger();

  // Flushes and closes. Later calls do nothing.
  virtual Status Close();

  // Lines that open every new log file, whatever the level.
  virtual void LogHeader(const char* format, va_list ap) {
    Logv(InfoLogLevel::INFO_LEVEL, format, ap);
  }
  virtual void Logv(const char* /*format*/, va_list /*ap*/) {}
  virtual void Logv(const InfoLogLevel log_level, const char* format,
                    va_list ap);
  virtual size_t GetLogFileSize() const { return kDoNotSupportGetLogFileSize; }
  virtual void Flush() {}
  virtual InfoLogLevel GetInfoLogLevel() const { return log_level_; }
  virtual void SetInfoLogLevel(const InfoLogLevel log_level) {
    log_level_ = log_level;
  }

 protected:
  virtual Status CloseImpl();
  bool closed_;

 private:
  InfoLogLevel log_level_;
};

// Each writes one line if `info_log` is not null and the level is enabled.
void LogFlush(const std::shared_ptr<Logger>& info_log);
void Log(const InfoLogLevel log_level, const std::shared_ptr<Logger>& info_log,
         const char* format, ...) ROCKSDB_PRINTF_FORMAT_ATTR(3, 4);
void Log(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Header(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Debug(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Info(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Warn(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Error(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Fatal(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);

void LogFlush(Logger* info_log);
void Log(const InfoLogLevel log_level, Logger* info_log, const char* format,
         ...) ROCKSDB_PRINTF_FORMAT_ATTR(3, 4);
void Log(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Header(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Debug(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Info(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Warn(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Error(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Fatal(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);

Status WriteStringToFile(Env* env, const Slice& data, const std::string& fname,
                         bool should_sync = false);
Status ReadFileToString(Env* env, const std::string& fname, std::string* data);

// ---- Wrappers: forward every call. The target must live longer, unless it
// is owned.

class EnvWrapper : public Env {
 public:
  struct Target {
    Env* env;
    std::shared_ptr<Env> guard;

    explicit Target(Env* t) : env(t) {}
    explicit Target(std::unique_ptr<Env>&& t)
        : env(nullptr), guard(t.release()) {
      env = guard.get();
    }
    explicit Target(const std::shared_ptr<Env>& t) : env(t.get()), guard(t) {}

    void Prepare() {
      if (guard != nullptr) {
        env = guard.get();
      } else if (env == nullptr) {
        env = Env::Default();
      }
    }
  };

  explicit EnvWrapper(Env* t);
  explicit EnvWrapper(std::unique_ptr<Env>&& t);
  explicit EnvWrapper(const std::shared_ptr<Env>& t);
  ~EnvWrapper() override;

  Env* target() const { return target_.env; }

  const char* Name() const override { return target_.env->Name(); }

  Status RegisterDbPaths(const std::vector<std::string>& paths) override {
    return target_.env->RegisterDbPaths(paths);
  }
  Status UnregisterDbPaths(const std::vector<std::string>& paths) override {
    return target_.env->UnregisterDbPaths(paths);
  }
  Status NewSequentialFile(const std::string& f,
                           std::unique_ptr<SequentialFile>* r,
                           const EnvOptions& options) override {
    return target_.env->NewSequentialFile(f, r, options);
  }
  Status NewRandomAccessFile(const std::string& f,
                             std::unique_ptr<RandomAccessFile>* r,
                             const EnvOptions& options) override {
    return target_.env->NewRandomAccessFile(f, r, options);
  }
  Status NewWritableFile(const std::string& f, std::unique_ptr<WritableFile>* r,
                         const EnvOptions& options) override {
    return target_.env->NewWritableFile(f, r, options);
  }
  Status ReopenWritableFile(const std::string& f,
                            std::unique_ptr<WritableFile>* r,
                            const EnvOptions& options) override {
    return target_.env->ReopenWritableFile(f, r, options);
  }
  Status ReuseWritableFile(const std::string& f, const std::string& old_fname,
                           std::unique_ptr<WritableFile>* r,
                           const EnvOptions& options) override {
    return target_.env->ReuseWritableFile(f, old_fname, r, options);
  }
  Status NewRandomRWFile(const std::string& f, std::unique_ptr<RandomRWFile>* r,
                         const EnvOptions& options) override {
    return target_.env->NewRandomRWFile(f, r, options);
  }
  Status NewMemoryMappedFileBuffer(
      const std::string& f,
      std::unique_ptr<MemoryMappedFileBuffer>* r) override {
    return target_.env->NewMemoryMappedFileBuffer(f, r);
  }
  Status NewDirectory(const std::string& name,
                      std::unique_ptr<Directory>* r) override {
    return target_.env->NewDirectory(name, r);
  }
  Status FileExists(const std::string& f) override {
    return target_.env->FileExists(f);
  }
  Status GetChildren(const std::string& dir,
                     std::vector<std::string>* r) override {
    return target_.env->GetChildren(dir, r);
  }
  Status GetChildrenFileAttributes(const std::string& dir,
                                   std::vector<FileAttributes>* r) override {
    return target_.env->GetChildrenFileAttributes(dir, r);
  }
  Status DeleteFile(const std::string& f) override {
    return target_.env->DeleteFile(f);
  }
  Status Truncate(const std::string& f, size_t size) override {
    return target_.env->Truncate(f, size);
  }
  Status CreateDir(const std::string& d) override {
    return target_.env->CreateDir(d);
  }
  Status CreateDirIfMissing(const std::string& d) override {
    return target_.env->CreateDirIfMissing(d);
  }
  Status DeleteDir(const std::string& d) override {
    return target_.env->DeleteDir(d);
  }
  Status GetFileSize(const std::string& f, uint64_t* size) override {
    return target_.env->GetFileSize(f, size);
  }
  Status GetFileModificationTime(const std::string& f,
                                 uint64_t* mtime) override {
    return target_.env->GetFileModificationTime(f, mtime);
  }
  Status RenameFile(const std::string& from, const std::string& to) override {
    return target_.env->RenameFile(from, to);
  }
  Status LinkFile(const std::string& from, const std::string& to) override {
    return target_.env->LinkFile(from, to);
  }
  Status NumFileLinks(const std::string& f, uint64_t* count) override {
    return target_.env->NumFileLinks(f, count);
  }
  Status AreFilesSame(const std::string& first, const std::string& second,
                      bool* res) override {
    return target_.env->AreFilesSame(first, second, res);
  }
  Status LockFile(const std::string& f, FileLock** l) override {
    return target_.env->LockFile(f, l);
  }
  Status UnlockFile(FileLock* l) override { return target_.env->UnlockFile(l); }
  Status IsDirectory(const std::string& path, bool* is_dir) override {
    return target_.env->IsDirectory(path, is_dir);
  }
  Status LoadLibrary(const std::string& lib_name,
                     const std::string& search_path,
                     std::shared_ptr<DynamicLibrary>* result) override {
    return target_.env->LoadLibrary(lib_name, search_path, result);
  }
  void Schedule(void (*f)(void* arg), void* a, Priority pri,
                void* tag = nullptr, void (*u)(void* arg) = nullptr) override {
    target_.env->Schedule(f, a, pri, tag, u);
  }
  int UnSchedule(void* tag, Priority pri) override {
    return target_.env->UnSchedule(tag, pri);
  }
  void StartThread(void (*f)(void*), void* a) override {
    target_.env->StartThread(f, a);
  }
  void WaitForJoin() override { target_.env->WaitForJoin(); }
  int ReserveThreads(int threads, Priority pri) override {
    return target_.env->ReserveThreads(threads, pri);
  }
  int ReleaseThreads(int threads, Priority pri) override {
    return target_.env->ReleaseThreads(threads, pri);
  }
  unsigned int GetThreadPoolQueueLen(Priority pri = LOW) const override {
    return target_.env->GetThreadPoolQueueLen(pri);
  }
  Status GetTestDirectory(std::string* path) override {
    return target_.env->GetTestDirectory(path);
  }
  Status NewLogger(const std::string& fname,
                   std::shared_ptr<Logger>* result) override {
    return target_.env->NewLogger(fname, result);
  }
  uint64_t NowMicros() override { return target_.env->NowMicros(); }
  uint64_t NowNanos() override { return target_.env->NowNanos(); }
  uint64_t NowCPUNanos() override { return target_.env->NowCPUNanos(); }
  void SleepForMicroseconds(int micros) override {
    target_.env->SleepForMicroseconds(micros);
  }
  Status GetHostName(char* name, uint64_t len) override {
    return target_.env->GetHostName(name, len);
  }
  Status GetHostNameString(std::string* result) override {
    return target_.env->GetHostNameString(result);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    return target_.env->GetCurrentTime(unix_time);
  }
  Status GetAbsolutePath(const std::string& db_path,
                         std::string* output_path) override {
    return target_.env->GetAbsolutePath(db_path, output_path);
  }
  void SetBackgroundThreads(int num, Priority pri) override {
    target_.env->SetBackgroundThreads(num, pri);
  }
  int GetBackgroundThreads(Priority pri) override {
    return target_.env->GetBackgroundThreads(pri);
  }
  Status SetAllowNonOwnerAccess(bool allow) override {
    return target_.env->SetAllowNonOwnerAccess(allow);
  }
  void IncBackgroundThreadsIfNeeded(int num, Priority pri) override {
    target_.env->IncBackgroundThreadsIfNeeded(num, pri);
  }
  void LowerThreadPoolIOPriority(Priority pool) override {
    target_.env->LowerThreadPoolIOPriority(pool);
  }
  void LowerThreadPoolCPUPriority(Priority pool) override {
    target_.env->LowerThreadPoolCPUPriority(pool);
  }
  Status LowerThreadPoolCPUPriority(Priority pool, CpuPriority pri) override {
    return target_.env->LowerThreadPoolCPUPriority(pool, pri);
  }
  std::string TimeToString(uint64_t time) override {
    return target_.env->TimeToString(time);
  }
  std::string GenerateUniqueId() override {
    return target_.env->GenerateUniqueId();
  }
  Status GetThreadList(std::vector<ThreadStatus>* thread_list) override {
    return target_.env->GetThreadList(thread_list);
  }
  uint64_t GetThreadID() const override { return target_.env->GetThreadID(); }
  EnvOptions OptimizeForLogRead(const EnvOptions& o) const override {
    return target_.env->OptimizeForLogRead(o);
  }
  EnvOptions OptimizeForManifestRead(const EnvOptions& o) const override {
    return target_.env->OptimizeForManifestRead(o);
  }
  EnvOptions OptimizeForLogWrite(const EnvOptions& o,
                                 const DBOptions& db_options) const override {
    return target_.env->OptimizeForLogWrite(o, db_options);
  }
  EnvOptions OptimizeForManifestWrite(const EnvOptions& o) const override {
    return target_.env->OptimizeForManifestWrite(o);
  }
  EnvOptions OptimizeForCompactionTableWrite(
      const EnvOptions& o,
      const ImmutableDBOptions& immutable_ops) const override {
    return target_.env->OptimizeForCompactionTableWrite(o, immutable_ops);
  }
  EnvOptions OptimizeForCompactionTableRead(
      const EnvOptions& o,
      const ImmutableDBOptions& db_options) const override {
    return target_.env->OptimizeForCompactionTableRead(o, db_options);
  }
  EnvOptions OptimizeForBlobFileRead(
      const EnvOptions& o,
      const ImmutableDBOptions& db_options) const override {
    return target_.env->OptimizeForBlobFileRead(o, db_options);
  }
  Status GetFreeSpace(const std::string& path, uint64_t* diskfree) override {
    return target_.env->GetFreeSpace(path, diskfree);
  }
  void SanitizeEnvOptions(EnvOptions* env_opts) const override {
    target_.env->SanitizeEnvOptions(env_opts);
  }
  engine::CompactionSwitch* compaction_switch() override {
    return target_.env->compaction_switch();
  }
  Status PrepareOptions(const ConfigOptions& options) override;

 protected:
  const Customizable* Inner() const override { return target_.env; }

 private:
  Target target_;
};

class SequentialFileWrapper : public SequentialFile {
 public:
  explicit SequentialFileWrapper(SequentialFile* t) : target_(t) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    return target_->Read(n, result, scratch);
  }
  Status Skip(uint64_t n) override { return target_->Skip(n); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  Status PositionedRead(uint64_t offset, size_t n, Slice* result,
                        char* scratch) override {
    return target_->PositionedRead(offset, n, result, scratch);
  }

 private:
  SequentialFile* target_;
};

class RandomAccessFileWrapper : public RandomAccessFile {
 public:
  explicit RandomAccessFileWrapper(RandomAccessFile* t) : target_(t) {}

  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    return target_->Read(offset, n, result, scratch);
  }
  Status MultiRead(ReadRequest* reqs, size_t num_reqs) override {
    return target_->MultiRead(reqs, num_reqs);
  }
  Status Prefetch(uint64_t offset, size_t n) override {
    return target_->Prefetch(offset, n);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }
  void Hint(AccessPattern pattern) override { target_->Hint(pattern); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  Status GetFileSize(uint64_t* file_size) override {
    return target_->GetFileSize(file_size);
  }

 private:
  RandomAccessFile* target_;
};

class WritableFileWrapper : public WritableFile {
 public:
  explicit WritableFileWrapper(WritableFile* t) : target_(t) {}

  Status Append(const Slice& data) override { return target_->Append(data); }
  Status Append(const Slice& data, const DataVerificationInfo& info) override {
    return target_->Append(data, info);
  }
  Status PositionedAppend(const Slice& data, uint64_t offset) override {
    return target_->PositionedAppend(data, offset);
  }
  Status PositionedAppend(const Slice& data, uint64_t offset,
                          const DataVerificationInfo& info) override {
    return target_->PositionedAppend(data, offset, info);
  }
  Status Truncate(uint64_t size) override { return target_->Truncate(size); }
  Status Close() override { return target_->Close(); }
  Status Flush() override { return target_->Flush(); }
  Status Sync() override { return target_->Sync(); }
  Status Fsync() override { return target_->Fsync(); }
  bool IsSyncThreadSafe() const override { return target_->IsSyncThreadSafe(); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  void SetIOPriority(Env::IOPriority pri) override {
    target_->SetIOPriority(pri);
  }
  Env::IOPriority GetIOPriority() override { return target_->GetIOPriority(); }
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override {
    target_->SetWriteLifeTimeHint(hint);
  }
  Env::WriteLifeTimeHint GetWriteLifeTimeHint() override {
    return target_->GetWriteLifeTimeHint();
  }
  uint64_t GetFileSize() override { return target_->GetFileSize(); }
  void SetPreallocationBlockSize(size_t size) override {
    target_->SetPreallocationBlockSize(size);
  }
  void GetPreallocationStatus(size_t* block_size,
                              size_t* last_allocated_block) override {
    target_->GetPreallocationStatus(block_size, last_allocated_block);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  Status RangeSync(uint64_t offset, uint64_t nbytes) override {
    return target_->RangeSync(offset, nbytes);
  }
  void PrepareWrite(size_t offset, size_t len) override {
    target_->PrepareWrite(offset, len);
  }
  Status Allocate(uint64_t offset, uint64_t len) override {
    return target_->Allocate(offset, len);
  }

 private:
  WritableFile* target_;
};

class RandomRWFileWrapper : public RandomRWFile {
 public:
  explicit RandomRWFileWrapper(RandomRWFile* target) : target_(target) {}

  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  Status Write(uint64_t offset, const Slice& data) override {
    return target_->Write(offset, data);
  }
  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    return target_->Read(offset, n, result, scratch);
  }
  Status Flush() override { return target_->Flush(); }
  Status Sync() override { return target_->Sync(); }
  Status Fsync() override { return target_->Fsync(); }
  Status Close() override { return target_->Close(); }

 private:
  RandomRWFile* target_;
};

class DirectoryWrapper : public Directory {
 public:
  explicit DirectoryWrapper(Directory* target) : target_(target) {}

  Status Fsync() override { return target_->Fsync(); }
  Status Close() override { return target_->Close(); }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }

 private:
  Directory* target_;
};

class LoggerWrapper : public Logger {
 public:
  explicit LoggerWrapper(Logger* target) : target_(target) {}

  Status Close() override { return target_->Close(); }
  void LogHeader(const char* format, va_list ap) override {
    target_->LogHeader(format, ap);
  }
  void Logv(const char* format, va_list ap) override {
    target_->Logv(format, ap);
  }
  void Logv(const InfoLogLevel log_level, const char* format,
            va_list ap) override {
    target_->Logv(log_level, format, ap);
  }
  size_t GetLogFileSize() const override { return target_->GetLogFileSize(); }
  void Flush() override { target_->Flush(); }
  InfoLogLevel GetInfoLogLevel() const override {
    return target_->GetInfoLogLevel();
  }
  void SetInfoLogLevel(const InfoLogLevel log_level) override {
    target_->SetInfoLogLevel(log_level);
  }

 private:
  Logger* target_;
};

// Files in memory over the threads of `base_env`; the caller deletes it.
Env* NewMemEnv(Env* base_env);

// A logger that writes lines to `fname`, with time and thread.
Status NewEnvLogger(const std::string& fname, Env* env,
                    std::shared_ptr<Logger>* result);

// The default threads and clock over `fs`.
std::unique_ptr<Env> NewCompositeEnv(const std::shared_ptr<FileSystem>& fs);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
