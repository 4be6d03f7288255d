// FileSystem: every file the engine reads or writes goes through here.
//
// Place. It is implemented over the operating system, memory, a device model or
// a test. The engine opens files in no other way.
//
// Model. A call takes IOOptions (purpose, urgency) and may leave notes in an
// IODebugContext, which can be null. Results are returned through pointers and
// set only if the status is OK.
//
// Durability. Append adds bytes; Flush hands them to the operating system; Sync
// and Fsync make them durable. The name of a new, renamed or deleted file is
// durable after Fsync of its directory.
//
// Threads. A FileSystem and FSRandomAccessFile are used by many threads at
// once, other files by one at a time.
#pragma once

#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/env.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"
#include "rocksdb/thread_status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class FileLock;
class FSDirectory;
class FSRandomAccessFile;
class FSRandomRWFile;
class FSSequentialFile;
class FSWritableFile;
class Logger;
class RateLimiter;
enum ChecksumType : char;  // table.h
struct ConfigOptions;
struct ImmutableDBOptions;
struct MutableDBOptions;

using AccessPattern = RandomAccessFile::AccessPattern;
using FileAttributes = Env::FileAttributes;

enum class IOPriority : uint8_t {
  kIOLow,
  kIOHigh,
  kIOTotal,
};

// The kind of data in the bytes.
enum class IOType : uint8_t {
  kData,
  kFilter,
  kIndex,
  kMetadata,
  kWAL,
  kManifest,
  kLog,
  kUnknown,
  kInvalid,
};

// Optional abilities of a FileSystem; see FileSystem::SupportedOps.
enum FSSupportedOps {
  kAsyncIO,
  kFSBuffer,
  kVerifyAndReconstructRead,
  kFSPrefetch,
};

// Hints and requirements for one call.
struct IOOptions {
  // 0: no limit.
  std::chrono::microseconds timeout;
  IOPriority prio;
  // The class under which a rate limiter charges the bytes; IO_TOTAL: free.
  Env::IOPriority rate_limiter_priority;
  IOType type;
  // Custom properties that the application and its file system have agreed on.
  std::unordered_map<std::string, std::string> property_bag;
  // Fsync the directory even where the file system would not need it.
  bool force_dir_fsync;
  // GetChildren lists this directory only.
  bool do_not_recurse;
  // The read failed its checksum before: read from another copy if possible.
  bool verify_and_reconstruct_read;
  Env::IOActivity io_activity = Env::IOActivity::kUnknown;

  IOOptions() : IOOptions(false) {}
  explicit IOOptions(bool force_dir_fsync_)
      : timeout(std::chrono::microseconds::zero()),
        prio(IOPriority::kIOLow),
        rate_limiter_priority(Env::IO_TOTAL),
        type(IOType::kUnknown),
        force_dir_fsync(force_dir_fsync_),
        do_not_recurse(false),
        verify_and_reconstruct_read(false) {}
};

// Why a directory is synced; lets a file system skip unnecessary work.
struct DirFsyncOptions {
  enum FsyncReason : uint8_t {
    kNewFileSynced,
    kFileRenamed,
    kDirRenamed,
    kFileDeleted,
    kDefault,
  } reason;

  std::string renamed_new_name;  // for kFileRenamed

  DirFsyncOptions() : reason(kDefault) {}
  explicit DirFsyncOptions(std::string file_renamed_new_name)
      : reason(kFileRenamed),
        renamed_new_name(std::move(file_renamed_new_name)) {}
  explicit DirFsyncOptions(FsyncReason fsync_reason) : reason(fsync_reason) {}
};

struct FileOptions : EnvOptions {
  IOOptions io_options;
  Temperature temperature = Temperature::kUnknown;
  // The checksum that comes with Append(..., DataVerificationInfo).
  ChecksumType handoff_checksum_type = static_cast<ChecksumType>(1);  // CRC32C
  Env::WriteLifeTimeHint write_hint = Env::WLTH_NOT_SET;

  FileOptions() = default;
  FileOptions(const DBOptions& opts) : EnvOptions(opts) {}
  FileOptions(const EnvOptions& opts) : EnvOptions(opts) {}
  FileOptions(const FileOptions& opts) = default;
  FileOptions& operator=(const FileOptions&) = default;
};

// Notes of one call, for debugging only.
struct IODebugContext {
  std::string file_path;
  std::map<std::string, uint64_t> counters;
  std::string msg;
  const std::string* request_id = nullptr;

  enum TraceData : char {
    kRequestID = 0,
  };
  uint64_t trace_data = 0;  // bit kRequestID: request_id is set

  void AddCounter(const std::string& name, uint64_t value) {
    counters.emplace(name, value);
  }

  void SetRequestId(const std::string* _request_id) {
    request_id = _request_id;
    trace_data |= uint64_t{1} << TraceData::kRequestID;
  }

  std::string ToString() {
    std::ostringstream text;
    text << file_path << ", ";
    for (const auto& counter : counters) {
      text << counter.first << " = " << counter.second << ",";
    }
    text << msg;
    return text.str();
  }
};

using IOHandleDeleter = std::function<void(void*)>;
using FSAllocationPtr = std::unique_ptr<void, IOHandleDeleter>;

class FileSystem : public Customizable {
 public:
  FileSystem();
  FileSystem(const FileSystem&) = delete;
  void operator=(const FileSystem&) = delete;
  ~FileSystem() override;

  static const char* Type() { return "FileSystem"; }
  static const char* kDefaultName() { return "DefaultFileSystem"; }

  // Finds a file system by name ("" and kDefaultName() are the default one).
  static Status Load(const std::string& value,
                     std::shared_ptr<FileSystem>* result);
  static Status CreateFromString(const ConfigOptions& options,
                                 const std::string& value,
                                 std::shared_ptr<FileSystem>* result);

  // The operating system.
  static std::shared_ptr<FileSystem> Default();

  virtual Status RegisterDbPaths(const std::vector<std::string>& /*paths*/) {
    return Status::OK();
  }
  virtual Status UnregisterDbPaths(const std::vector<std::string>& /*paths*/) {
    return Status::OK();
  }

  // NotFound when there is no such file.
  virtual IOStatus NewSequentialFile(const std::string& fname,
                                     const FileOptions& file_opts,
                                     std::unique_ptr<FSSequentialFile>* result,
                                     IODebugContext* dbg) = 0;
  virtual IOStatus NewRandomAccessFile(
      const std::string& fname, const FileOptions& file_opts,
      std::unique_ptr<FSRandomAccessFile>* result, IODebugContext* dbg) = 0;

  enum WriteLifeTimeHint {
    kWLTHNotSet = 0,
    kWLTHNone,
    kWLTHShort,
    kWLTHMedium,
    kWLTHLong,
    kWLTHExtreme,
  };

  // A new, empty file; an existing one of that name is replaced.
  virtual IOStatus NewWritableFile(const std::string& fname,
                                   const FileOptions& file_opts,
                                   std::unique_ptr<FSWritableFile>* result,
                                   IODebugContext* dbg) = 0;
  // Appends to a file, creating it when missing.
  virtual IOStatus ReopenWritableFile(
      const std::string& /*fname*/, const FileOptions& /*options*/,
      std::unique_ptr<FSWritableFile>* /*result*/, IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("ReopenWritableFile");
  }
  // Renames `old_fname` to `fname` and writes over its bytes.
  virtual IOStatus ReuseWritableFile(const std::string& fname,
                                     const std::string& old_fname,
                                     const FileOptions& file_opts,
                                     std::unique_ptr<FSWritableFile>* result,
                                     IODebugContext* dbg);
  virtual IOStatus NewRandomRWFile(const std::string& /*fname*/,
                                   const FileOptions& /*options*/,
                                   std::unique_ptr<FSRandomRWFile>* /*result*/,
                                   IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported(
        "RandomRWFile is not implemented in this FileSystem");
  }
  virtual IOStatus NewMemoryMappedFileBuffer(
      const std::string& /*fname*/,
      std::unique_ptr<MemoryMappedFileBuffer>* /*result*/) {
    return IOStatus::NotSupported(
        "MemoryMappedFileBuffer is not implemented in this FileSystem");
  }
  virtual IOStatus NewDirectory(const std::string& name,
                                const IOOptions& io_opts,
                                std::unique_ptr<FSDirectory>* result,
                                IODebugContext* dbg) = 0;

  // OK, or NotFound when there is no such file.
  virtual IOStatus FileExists(const std::string& fname,
                              const IOOptions& options,
                              IODebugContext* dbg) = 0;
  // Names without directory; "." and ".." are not among them.
  virtual IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                               std::vector<std::string>* result,
                               IODebugContext* dbg) = 0;
  // A file deleted meanwhile is left out.
  virtual IOStatus GetChildrenFileAttributes(
      const std::string& dir, const IOOptions& options,
      std::vector<FileAttributes>* result, IODebugContext* dbg);

  virtual IOStatus DeleteFile(const std::string& fname,
                              const IOOptions& options,
                              IODebugContext* dbg) = 0;
  virtual IOStatus Truncate(const std::string& /*fname*/, size_t /*size*/,
                            const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported(
        "Truncate is not supported for this FileSystem");
  }
  virtual IOStatus CreateDir(const std::string& dirname,
                             const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus CreateDirIfMissing(const std::string& dirname,
                                      const IOOptions& options,
                                      IODebugContext* dbg) = 0;
  virtual IOStatus DeleteDir(const std::string& dirname,
                             const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus GetFileSize(const std::string& fname,
                               const IOOptions& options, uint64_t* file_size,
                               IODebugContext* dbg) = 0;
  virtual IOStatus GetFileModificationTime(const std::string& fname,
                                           const IOOptions& options,
                                           uint64_t* file_mtime,
                                           IODebugContext* dbg) = 0;
  // Replaces the target atomically: a crash leaves the old or the new file.
  virtual IOStatus RenameFile(const std::string& src, const std::string& target,
                              const IOOptions& options,
                              IODebugContext* dbg) = 0;
  virtual IOStatus LinkFile(const std::string& /*src*/,
                            const std::string& /*target*/,
                            const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported(
        "LinkFile is not supported for this FileSystem");
  }
  virtual IOStatus SyncFile(const std::string& fname,
                            const FileOptions& file_options,
                            const IOOptions& io_options, bool use_fsync,
                            IODebugContext* dbg);
  virtual IOStatus NumFileLinks(const std::string& /*fname*/,
                                const IOOptions& /*options*/,
                                uint64_t* /*count*/, IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported(
        "Getting number of file links is not supported for this FileSystem");
  }
  virtual IOStatus AreFilesSame(const std::string& /*first*/,
                                const std::string& /*second*/,
                                const IOOptions& /*options*/, bool* /*res*/,
                                IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported(
        "AreFilesSame is not supported for this FileSystem");
  }

  // Holds the file against every other process and every other caller in
  // this one. Fails at once if it is held already.
  virtual IOStatus LockFile(const std::string& fname, const IOOptions& options,
                            FileLock** lock, IODebugContext* dbg) = 0;
  virtual IOStatus UnlockFile(FileLock* lock, const IOOptions& options,
                              IODebugContext* dbg) = 0;

  virtual IOStatus GetTestDirectory(const IOOptions& options, std::string* path,
                                    IODebugContext* dbg) = 0;
  virtual IOStatus NewLogger(const std::string& fname, const IOOptions& io_opts,
                             std::shared_ptr<Logger>* result,
                             IODebugContext* dbg);
  virtual IOStatus GetAbsolutePath(const std::string& db_path,
                                   const IOOptions& options,
                                   std::string* output_path,
                                   IODebugContext* dbg) = 0;

  // Adjusts options this file system cannot honour.
  virtual void SanitizeFileOptions(FileOptions* /*opts*/) const {}

  virtual FileOptions OptimizeForLogRead(const FileOptions& file_options) const;
  virtual FileOptions OptimizeForManifestRead(
      const FileOptions& file_options) const;
  virtual FileOptions OptimizeForLogWrite(const FileOptions& file_options,
                                          const DBOptions& db_options) const;
  virtual FileOptions OptimizeForManifestWrite(
      const FileOptions& file_options) const;
  virtual FileOptions OptimizeForCompactionTableWrite(
      const FileOptions& file_options,
      const ImmutableDBOptions& immutable_ops) const;
  virtual FileOptions OptimizeForCompactionTableRead(
      const FileOptions& file_options,
      const ImmutableDBOptions& db_options) const;
  virtual FileOptions OptimizeForBlobFileRead(
      const FileOptions& file_options,
      const ImmutableDBOptions& db_options) const;

  virtual IOStatus GetFreeSpace(const std::string& /*path*/,
                                const IOOptions& /*options*/,
                                uint64_t* /*diskfree*/,
                                IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("GetFreeSpace");
  }
  virtual IOStatus IsDirectory(const std::string& path,
                               const IOOptions& options, bool* is_dir,
                               IODebugContext* dbg) = 0;

  // Waits until `min_completions` of the reads are done.
  virtual IOStatus Poll(std::vector<void*>& /*io_handles*/,
                        size_t /*min_completions*/) {
    return IOStatus::OK();
  }
  virtual IOStatus AbortIO(std::vector<void*>& /*io_handles*/) {
    return IOStatus::OK();
  }

  // Drops cached pages of the files below `path` from the operating system's
  // cache.
  virtual void DiscardCacheForDirectory(const std::string& /*path*/) {}

  // Bits of FSSupportedOps.
  virtual void SupportedOps(int64_t& supported_ops) {
    supported_ops = int64_t{1} << FSSupportedOps::kAsyncIO;
  }
};

class FSSequentialFile {
 public:
  FSSequentialFile() = default;
  virtual ~FSSequentialFile() = default;

  // *result points into scratch (n bytes) or into the file object. It is
  // shorter than n only at the end of the file.
  virtual IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                        char* scratch, IODebugContext* dbg) = 0;
  virtual IOStatus Skip(uint64_t n) = 0;
  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }
  virtual IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return IOStatus::NotSupported("InvalidateCache not supported.");
  }
  // For direct I/O: offset, n and scratch are aligned.
  virtual IOStatus PositionedRead(uint64_t /*offset*/, size_t /*n*/,
                                  const IOOptions& /*options*/,
                                  Slice* /*result*/, char* /*scratch*/,
                                  IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("PositionedRead");
  }
  virtual Temperature GetTemperature() const { return Temperature::kUnknown; }
};

struct FSReadRequest {
  uint64_t offset;
  size_t len;
  // len bytes, or null when fs_scratch is used.
  char* scratch;
  Slice result;     // out
  IOStatus status;  // out
  // A buffer of the file system that holds `result`.
  FSAllocationPtr fs_scratch;
};

class FSRandomAccessFile {
 public:
  FSRandomAccessFile() = default;
  virtual ~FSRandomAccessFile() = default;

  // *result points into scratch (n bytes) or into the file object (mapped
  // files). It is shorter than n only at the end of the file. With
  // use_direct_io() offset, n and scratch are aligned.
  virtual IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                        Slice* result, char* scratch,
                        IODebugContext* dbg) const = 0;
  virtual IOStatus Prefetch(uint64_t /*offset*/, size_t /*n*/,
                            const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("Prefetch");
  }
  virtual IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                             const IOOptions& options, IODebugContext* dbg) {
    for (size_t i = 0; i < num_reqs; ++i) {
      FSReadRequest& req = reqs[i];
      req.status =
          Read(req.offset, req.len, options, &req.result, req.scratch, dbg);
    }
    return IOStatus::OK();
  }
  // Writes an id that is equal only for the same file, and returns its
  // length; 0 when there is none.
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }

  enum AccessPattern { kNormal, kRandom, kSequential, kWillNeed, kWontNeed };
  virtual void Hint(AccessPattern /*pattern*/) {}
  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }
  virtual IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return IOStatus::NotSupported("InvalidateCache not supported.");
  }
  // Starts a read and calls `cb` when it is done, at the latest in Poll().
  // The default reads at once.
  virtual IOStatus ReadAsync(FSReadRequest& req, const IOOptions& opts,
                             std::function<void(FSReadRequest&, void*)> cb,
                             void* cb_arg, void** /*io_handle*/,
                             IOHandleDeleter* /*del_fn*/, IODebugContext* dbg) {
    req.status = Read(req.offset, req.len, opts, &req.result, req.scratch, dbg);
    cb(req, cb_arg);
    return IOStatus::OK();
  }
  virtual Temperature GetTemperature() const { return Temperature::kUnknown; }
  virtual IOStatus GetFileSize(uint64_t* /*result*/) {
    return IOStatus::NotSupported("GetFileSize");
  }
};

// A checksum of the bytes, computed before they were handed over.
struct DataVerificationInfo {
  Slice checksum;
};

class FSWritableFile {
 public:
  FSWritableFile() : FSWritableFile(false) {}
  explicit FSWritableFile(const FileOptions& options)
      : FSWritableFile(options.strict_bytes_per_sync) {
    write_hint_ = options.write_hint;
  }
  FSWritableFile(const FSWritableFile&) = delete;
  void operator=(const FSWritableFile&) = delete;
  virtual ~FSWritableFile() = default;

  virtual IOStatus Append(const Slice& data, const IOOptions& options,
                          IODebugContext* dbg) = 0;
  virtual IOStatus Append(const Slice& data, const IOOptions& options,
                          const DataVerificationInfo& /*verification_info*/,
                          IODebugContext* dbg) {
    return Append(data, options, dbg);
  }
  // For direct I/O: address, offset and size are aligned; may write over the
  // last bytes again.
  virtual IOStatus PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/,
                                    const IOOptions& /*options*/,
                                    IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("PositionedAppend");
  }
  virtual IOStatus PositionedAppend(
      const Slice& /*data*/, uint64_t /*offset*/, const IOOptions& /*options*/,
      const DataVerificationInfo& /*verification_info*/,
      IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("PositionedAppend");
  }
  // Removes the padding of direct I/O.
  virtual IOStatus Truncate(uint64_t /*size*/, const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
    return IOStatus::OK();
  }
  virtual IOStatus Close(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Flush(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Sync(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) {
    return Sync(options, dbg);
  }
  // True if Sync may run concurrently with Append and Flush.
  virtual bool IsSyncThreadSafe() const { return false; }
  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }
  virtual void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) {
    write_hint_ = hint;
  }
  virtual void SetIOPriority(Env::IOPriority pri) { io_priority_ = pri; }
  virtual Env::IOPriority GetIOPriority() { return io_priority_; }
  virtual Env::WriteLifeTimeHint GetWriteLifeTimeHint() { return write_hint_; }
  virtual uint64_t GetFileSize(const IOOptions& /*options*/,
                               IODebugContext* /*dbg*/) {
    return 0;
  }
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
  virtual IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return IOStatus::NotSupported("InvalidateCache not supported.");
  }
  // Starts writing the range to the device, so that a later Sync has less to
  // do.
  virtual IOStatus RangeSync(uint64_t /*offset*/, uint64_t /*nbytes*/,
                             const IOOptions& options, IODebugContext* dbg) {
    return strict_bytes_per_sync_ ? Sync(options, dbg) : IOStatus::OK();
  }
  // Asks for disk space up to the block that holds the last of these bytes.
  virtual void PrepareWrite(size_t offset, size_t len, const IOOptions& options,
                            IODebugContext* dbg) {
    const size_t block_size = preallocation_block_size_;
    if (block_size == 0) return;
    const size_t blocks = (offset + len + block_size - 1) / block_size;
    if (blocks <= last_preallocated_block_) return;
    Allocate(block_size * last_preallocated_block_,
             block_size * (blocks - last_preallocated_block_), options, dbg)
        .PermitUncheckedError();
    last_preallocated_block_ = blocks;
  }
  virtual IOStatus Allocate(uint64_t /*offset*/, uint64_t /*len*/,
                            const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
    return IOStatus::OK();
  }

 protected:
  size_t preallocation_block_size() { return preallocation_block_size_; }

 private:
  explicit FSWritableFile(bool strict_bytes_per_sync)
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

class FSRandomRWFile {
 public:
  FSRandomRWFile() = default;
  FSRandomRWFile(const FSRandomRWFile&) = delete;
  FSRandomRWFile& operator=(const FSRandomRWFile&) = delete;
  virtual ~FSRandomRWFile() = default;

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }
  virtual IOStatus Write(uint64_t offset, const Slice& data,
                         const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                        Slice* result, char* scratch,
                        IODebugContext* dbg) const = 0;
  virtual IOStatus Flush(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Sync(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) {
    return Sync(options, dbg);
  }
  virtual IOStatus Close(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual Temperature GetTemperature() const { return Temperature::kUnknown; }
};

class FSDirectory {
 public:
  virtual ~FSDirectory() = default;

  virtual IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus FsyncWithDirOptions(
      const IOOptions& options, IODebugContext* dbg,
      const DirFsyncOptions& /*dir_fsync_options*/) {
    return Fsync(options, dbg);
  }
  virtual IOStatus Close(const IOOptions& /*options*/,
                         IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("Close");
  }
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }
};

// ---- Wrappers: forward every call. The Owner forms also own the target.

class FileSystemWrapper : public FileSystem {
 public:
  explicit FileSystemWrapper(const std::shared_ptr<FileSystem>& t)
      : target_(t) {}

  FileSystem* target() const { return target_.get(); }

  Status RegisterDbPaths(const std::vector<std::string>& paths) override {
    return target_->RegisterDbPaths(paths);
  }
  Status UnregisterDbPaths(const std::vector<std::string>& paths) override {
    return target_->UnregisterDbPaths(paths);
  }
  IOStatus NewSequentialFile(const std::string& f, const FileOptions& file_opts,
                             std::unique_ptr<FSSequentialFile>* r,
                             IODebugContext* dbg) override {
    return target_->NewSequentialFile(f, file_opts, r, dbg);
  }
  IOStatus NewRandomAccessFile(const std::string& f,
                               const FileOptions& file_opts,
                               std::unique_ptr<FSRandomAccessFile>* r,
                               IODebugContext* dbg) override {
    return target_->NewRandomAccessFile(f, file_opts, r, dbg);
  }
  IOStatus NewWritableFile(const std::string& f, const FileOptions& file_opts,
                           std::unique_ptr<FSWritableFile>* r,
                           IODebugContext* dbg) override {
    return target_->NewWritableFile(f, file_opts, r, dbg);
  }
  IOStatus ReopenWritableFile(const std::string& f,
                              const FileOptions& file_opts,
                              std::unique_ptr<FSWritableFile>* r,
                              IODebugContext* dbg) override {
    return target_->ReopenWritableFile(f, file_opts, r, dbg);
  }
  IOStatus ReuseWritableFile(const std::string& f, const std::string& old_fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSWritableFile>* r,
                             IODebugContext* dbg) override {
    return target_->ReuseWritableFile(f, old_fname, file_opts, r, dbg);
  }
  IOStatus NewRandomRWFile(const std::string& f, const FileOptions& file_opts,
                           std::unique_ptr<FSRandomRWFile>* r,
                           IODebugContext* dbg) override {
    return target_->NewRandomRWFile(f, file_opts, r, dbg);
  }
  IOStatus NewMemoryMappedFileBuffer(
      const std::string& f,
      std::unique_ptr<MemoryMappedFileBuffer>* r) override {
    return target_->NewMemoryMappedFileBuffer(f, r);
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& io_opts,
                        std::unique_ptr<FSDirectory>* r,
                        IODebugContext* dbg) override {
    return target_->NewDirectory(name, io_opts, r, dbg);
  }
  IOStatus FileExists(const std::string& f, const IOOptions& options,
                      IODebugContext* dbg) override {
    return target_->FileExists(f, options, dbg);
  }
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* r,
                       IODebugContext* dbg) override {
    return target_->GetChildren(dir, options, r, dbg);
  }
  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& options,
                                     std::vector<FileAttributes>* r,
                                     IODebugContext* dbg) override {
    return target_->GetChildrenFileAttributes(dir, options, r, dbg);
  }
  IOStatus DeleteFile(const std::string& f, const IOOptions& options,
                      IODebugContext* dbg) override {
    return target_->DeleteFile(f, options, dbg);
  }
  IOStatus Truncate(const std::string& f, size_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    return target_->Truncate(f, size, options, dbg);
  }
  IOStatus CreateDir(const std::string& d, const IOOptions& options,
                     IODebugContext* dbg) override {
    return target_->CreateDir(d, options, dbg);
  }
  IOStatus CreateDirIfMissing(const std::string& d, const IOOptions& options,
                              IODebugContext* dbg) override {
    return target_->CreateDirIfMissing(d, options, dbg);
  }
  IOStatus DeleteDir(const std::string& d, const IOOptions& options,
                     IODebugContext* dbg) override {
    return target_->DeleteDir(d, options, dbg);
  }
  IOStatus GetFileSize(const std::string& f, const IOOptions& options,
                       uint64_t* size, IODebugContext* dbg) override {
    return target_->GetFileSize(f, options, size, dbg);
  }
  IOStatus GetFileModificationTime(const std::string& f,
                                   const IOOptions& options, uint64_t* mtime,
                                   IODebugContext* dbg) override {
    return target_->GetFileModificationTime(f, options, mtime, dbg);
  }
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override {
    return target_->RenameFile(from, to, options, dbg);
  }
  IOStatus LinkFile(const std::string& from, const std::string& to,
                    const IOOptions& options, IODebugContext* dbg) override {
    return target_->LinkFile(from, to, options, dbg);
  }
  IOStatus SyncFile(const std::string& f, const FileOptions& file_options,
                    const IOOptions& io_options, bool use_fsync,
                    IODebugContext* dbg) override {
    return target_->SyncFile(f, file_options, io_options, use_fsync, dbg);
  }
  IOStatus NumFileLinks(const std::string& f, const IOOptions& options,
                        uint64_t* count, IODebugContext* dbg) override {
    return target_->NumFileLinks(f, options, count, dbg);
  }
  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions& options, bool* res,
                        IODebugContext* dbg) override {
    return target_->AreFilesSame(first, second, options, res, dbg);
  }
  IOStatus LockFile(const std::string& f, const IOOptions& options,
                    FileLock** l, IODebugContext* dbg) override {
    return target_->LockFile(f, options, l, dbg);
  }
  IOStatus UnlockFile(FileLock* l, const IOOptions& options,
                      IODebugContext* dbg) override {
    return target_->UnlockFile(l, options, dbg);
  }
  IOStatus GetTestDirectory(const IOOptions& options, std::string* path,
                            IODebugContext* dbg) override {
    return target_->GetTestDirectory(options, path, dbg);
  }
  IOStatus NewLogger(const std::string& f, const IOOptions& options,
                     std::shared_ptr<Logger>* result,
                     IODebugContext* dbg) override {
    return target_->NewLogger(f, options, result, dbg);
  }
  IOStatus GetAbsolutePath(const std::string& db_path, const IOOptions& options,
                           std::string* output_path,
                           IODebugContext* dbg) override {
    return target_->GetAbsolutePath(db_path, options, output_path, dbg);
  }
  void SanitizeFileOptions(FileOptions* opts) const override {
    target_->SanitizeFileOptions(opts);
  }
  FileOptions OptimizeForLogRead(const FileOptions& o) const override {
    return target_->OptimizeForLogRead(o);
  }
  FileOptions OptimizeForManifestRead(const FileOptions& o) const override {
    return target_->OptimizeForManifestRead(o);
  }
  FileOptions OptimizeForLogWrite(const FileOptions& o,
                                  const DBOptions& db_options) const override {
    return target_->OptimizeForLogWrite(o, db_options);
  }
  FileOptions OptimizeForManifestWrite(const FileOptions& o) const override {
    return target_->OptimizeForManifestWrite(o);
  }
  FileOptions OptimizeForCompactionTableWrite(
      const FileOptions& o,
      const ImmutableDBOptions& immutable_ops) const override {
    return target_->OptimizeForCompactionTableWrite(o, immutable_ops);
  }
  FileOptions OptimizeForCompactionTableRead(
      const FileOptions& o,
      const ImmutableDBOptions& db_options) const override {
    return target_->OptimizeForCompactionTableRead(o, db_options);
  }
  FileOptions OptimizeForBlobFileRead(
      const FileOptions& o,
      const ImmutableDBOptions& db_options) const override {
    return target_->OptimizeForBlobFileRead(o, db_options);
  }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options,
                        uint64_t* diskfree, IODebugContext* dbg) override {
    return target_->GetFreeSpace(path, options, diskfree, dbg);
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions& options,
                       bool* is_dir, IODebugContext* dbg) override {
    return target_->IsDirectory(path, options, is_dir, dbg);
  }
  IOStatus Poll(std::vector<void*>& io_handles,
                size_t min_completions) override {
    return target_->Poll(io_handles, min_completions);
  }
  IOStatus AbortIO(std::vector<void*>& io_handles) override {
    return target_->AbortIO(io_handles);
  }
  void DiscardCacheForDirectory(const std::string& path) override {
    target_->DiscardCacheForDirectory(path);
  }
  void SupportedOps(int64_t& supported_ops) override {
    target_->SupportedOps(supported_ops);
  }
  Status PrepareOptions(const ConfigOptions& options) override {
    return target_->PrepareOptions(options);
  }

 protected:
  const Customizable* Inner() const override { return target_.get(); }

  std::shared_ptr<FileSystem> target_;
};

class FSSequentialFileWrapper : public FSSequentialFile {
 public:
  explicit FSSequentialFileWrapper(FSSequentialFile* t) : target_(t) {}

  FSSequentialFile* target() const { return target_; }

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    return target_->Read(n, options, result, scratch, dbg);
  }
  IOStatus Skip(uint64_t n) override { return target_->Skip(n); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override {
    return target_->PositionedRead(offset, n, options, result, scratch, dbg);
  }
  Temperature GetTemperature() const override {
    return target_->GetTemperature();
  }

 private:
  FSSequentialFile* target_;
};

class FSSequentialFileOwnerWrapper : public FSSequentialFileWrapper {
 public:
  explicit FSSequentialFileOwnerWrapper(std::unique_ptr<FSSequentialFile>&& t)
      : FSSequentialFileWrapper(t.get()), guard_(std::move(t)) {}

 private:
  std::unique_ptr<FSSequentialFile> guard_;
};

class FSRandomAccessFileWrapper : public FSRandomAccessFile {
 public:
  explicit FSRandomAccessFileWrapper(FSRandomAccessFile* t) : target_(t) {}

  FSRandomAccessFile* target() const { return target_; }

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    return target_->Read(offset, n, options, result, scratch, dbg);
  }
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override {
    return target_->MultiRead(reqs, num_reqs, options, dbg);
  }
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions& options,
                    IODebugContext* dbg) override {
    return target_->Prefetch(offset, n, options, dbg);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }
  void Hint(AccessPattern pattern) override { target_->Hint(pattern); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& opts,
                     std::function<void(FSReadRequest&, void*)> cb,
                     void* cb_arg, void** io_handle, IOHandleDeleter* del_fn,
                     IODebugContext* dbg) override {
    return target_->ReadAsync(req, opts, cb, cb_arg, io_handle, del_fn, dbg);
  }
  Temperature GetTemperature() const override {
    return target_->GetTemperature();
  }
  IOStatus GetFileSize(uint64_t* result) override {
    return target_->GetFileSize(result);
  }

 private:
  FSRandomAccessFile* target_;
};

class FSRandomAccessFileOwnerWrapper : public FSRandomAccessFileWrapper {
 public:
  explicit FSRandomAccessFileOwnerWrapper(
      std::unique_ptr<FSRandomAccessFile>&& t)
      : FSRandomAccessFileWrapper(t.get()), guard_(std::move(t)) {}

 private:
  std::unique_ptr<FSRandomAccessFile> guard_;
};

class FSWritableFileWrapper : public FSWritableFile {
 public:
  explicit FSWritableFileWrapper(FSWritableFile* t) : target_(t) {}

  FSWritableFile* target() const { return target_; }

  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    return target_->Append(data, options, dbg);
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    return target_->Append(data, options, info, dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    return target_->PositionedAppend(data, offset, options, dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& info,
                            IODebugContext* dbg) override {
    return target_->PositionedAppend(data, offset, options, info, dbg);
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    return target_->Truncate(size, options, dbg);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Close(options, dbg);
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Flush(options, dbg);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Sync(options, dbg);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Fsync(options, dbg);
  }
  bool IsSyncThreadSafe() const override { return target_->IsSyncThreadSafe(); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override {
    target_->SetWriteLifeTimeHint(hint);
  }
  Env::WriteLifeTimeHint GetWriteLifeTimeHint() override {
    return target_->GetWriteLifeTimeHint();
  }
  void SetIOPriority(Env::IOPriority pri) override {
    target_->SetIOPriority(pri);
  }
  Env::IOPriority GetIOPriority() override { return target_->GetIOPriority(); }
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* dbg) override {
    return target_->GetFileSize(options, dbg);
  }
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
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  IOStatus RangeSync(uint64_t offset, uint64_t nbytes, const IOOptions& options,
                     IODebugContext* dbg) override {
    return target_->RangeSync(offset, nbytes, options, dbg);
  }
  void PrepareWrite(size_t offset, size_t len, const IOOptions& options,
                    IODebugContext* dbg) override {
    target_->PrepareWrite(offset, len, options, dbg);
  }
  IOStatus Allocate(uint64_t offset, uint64_t len, const IOOptions& options,
                    IODebugContext* dbg) override {
    return target_->Allocate(offset, len, options, dbg);
  }

 private:
  FSWritableFile* target_;
};

class FSWritableFileOwnerWrapper : public FSWritableFileWrapper {
 public:
  explicit FSWritableFileOwnerWrapper(std::unique_ptr<FSWritableFile>&& t)
      : FSWritableFileWrapper(t.get()), guard_(std::move(t)) {}

 private:
  std::unique_ptr<FSWritableFile> guard_;
};

class FSRandomRWFileWrapper : public FSRandomRWFile {
 public:
  explicit FSRandomRWFileWrapper(FSRandomRWFile* t) : target_(t) {}

  FSRandomRWFile* target() const { return target_; }

  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* dbg) override {
    return target_->Write(offset, data, options, dbg);
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    return target_->Read(offset, n, options, result, scratch, dbg);
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Flush(options, dbg);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Sync(options, dbg);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Fsync(options, dbg);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Close(options, dbg);
  }
  Temperature GetTemperature() const override {
    return target_->GetTemperature();
  }

 private:
  FSRandomRWFile* target_;
};

class FSRandomRWFileOwnerWrapper : public FSRandomRWFileWrapper {
 public:
  explicit FSRandomRWFileOwnerWrapper(std::unique_ptr<FSRandomRWFile>&& t)
      : FSRandomRWFileWrapper(t.get()), guard_(std::move(t)) {}

 private:
  std::unique_ptr<FSRandomRWFile> guard_;
};

class FSDirectoryWrapper : public FSDirectory {
 public:
  explicit FSDirectoryWrapper(std::unique_ptr<FSDirectory>&& t)
      : guard_(std::move(t)), target_(guard_.get()) {}
  explicit FSDirectoryWrapper(FSDirectory* t) : target_(t) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Fsync(options, dbg);
  }
  IOStatus FsyncWithDirOptions(
      const IOOptions& options, IODebugContext* dbg,
      const DirFsyncOptions& dir_fsync_options) override {
    return target_->FsyncWithDirOptions(options, dbg, dir_fsync_options);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return target_->Close(options, dbg);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }

 private:
  std::unique_ptr<FSDirectory> guard_;
  FSDirectory* target_;
};

IOStatus WriteStringToFile(FileSystem* fs, const Slice& data,
                           const std::string& fname, bool should_sync = false,
                           const IOOptions& io_options = IOOptions(),
                           const FileOptions& file_options = FileOptions());
IOStatus ReadFileToString(FileSystem* fs, const std::string& fname,
                          std::string* data);
IOStatus ReadFileToString(FileSystem* fs, const std::string& fname,
                          const IOOptions& opts, std::string* data);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
