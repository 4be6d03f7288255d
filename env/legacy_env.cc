#include "env/legacy_env.h"

#include <string>
#include <utility>
#include <vector>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

IOStatus Io(Status status) { return status_to_io_status(std::move(status)); }

class FsSequential final : public FSSequentialFile {
 public:
  explicit FsSequential(std::unique_ptr<SequentialFile> file)
      : file_(std::move(file)) {}

  IOStatus Read(size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    return Io(file_->Read(n, result, scratch));
  }
  IOStatus Skip(uint64_t n) override { return Io(file_->Skip(n)); }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return Io(file_->InvalidateCache(offset, length));
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions&,
                          Slice* result, char* scratch,
                          IODebugContext*) override {
    return Io(file_->PositionedRead(offset, n, result, scratch));
  }

 private:
  const std::unique_ptr<SequentialFile> file_;
};

class FsRandomAccess final : public FSRandomAccessFile {
 public:
  explicit FsRandomAccess(std::unique_ptr<RandomAccessFile> file)
      : file_(std::move(file)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    return Io(file_->Read(offset, n, result, scratch));
  }
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions&,
                    IODebugContext*) override {
    return Io(file_->Prefetch(offset, n));
  }
  IOStatus MultiRead(FSReadRequest* requests, size_t count, const IOOptions&,
                     IODebugContext*) override {
    std::vector<ReadRequest> older(count);
    for (size_t i = 0; i < count; ++i) {
      older[i].offset = requests[i].offset;
      older[i].len = requests[i].len;
      older[i].scratch = requests[i].scratch;
    }
    IOStatus status = Io(file_->MultiRead(older.data(), count));
    for (size_t i = 0; i < count; ++i) {
      requests[i].status = Io(std::move(older[i].status));
      requests[i].result = older[i].result;
    }
    return status;
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return file_->GetUniqueId(id, max_size);
  }
  void Hint(AccessPattern pattern) override {
    file_->Hint(static_cast<RandomAccessFile::AccessPattern>(pattern));
  }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return Io(file_->InvalidateCache(offset, length));
  }
  IOStatus GetFileSize(uint64_t* size) override {
    return Io(file_->GetFileSize(size));
  }

 private:
  const std::unique_ptr<RandomAccessFile> file_;
};

class FsWritable final : public FSWritableFile {
 public:
  FsWritable(std::unique_ptr<WritableFile> file, const FileOptions& options)
      : FSWritableFile(options), file_(std::move(file)) {}

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions&,
                  IODebugContext*) override {
    return Io(file_->Append(data));
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions&, IODebugContext*) override {
    return Io(file_->PositionedAppend(data, offset));
  }
  IOStatus Truncate(uint64_t size, const IOOptions&, IODebugContext*) override {
    return Io(file_->Truncate(size));
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return Io(file_->Close());
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return Io(file_->Flush());
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return Io(file_->Sync());
  }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    return Io(file_->Fsync());
  }
  bool IsSyncThreadSafe() const override { return file_->IsSyncThreadSafe(); }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  void SetIOPriority(Env::IOPriority pri) override {
    file_->SetIOPriority(pri);
  }
  Env::IOPriority GetIOPriority() override { return file_->GetIOPriority(); }
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override {
    file_->SetWriteLifeTimeHint(hint);
  }
  Env::WriteLifeTimeHint GetWriteLifeTimeHint() override {
    return file_->GetWriteLifeTimeHint();
  }
  uint64_t GetFileSize(const IOOptions&, IODebugContext*) override {
    return file_->GetFileSize();
  }
  void SetPreallocationBlockSize(size_t size) override {
    file_->SetPreallocationBlockSize(size);
  }
  void GetPreallocationStatus(size_t* block_size, size_t* last) override {
    file_->GetPreallocationStatus(block_size, last);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return file_->GetUniqueId(id, max_size);
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return Io(file_->InvalidateCache(offset, length));
  }
  IOStatus RangeSync(uint64_t offset, uint64_t n, const IOOptions&,
                     IODebugContext*) override {
    return Io(file_->RangeSync(offset, n));
  }
  void PrepareWrite(size_t offset, size_t n, const IOOptions&,
                    IODebugContext*) override {
    file_->PrepareWrite(offset, n);
  }
  IOStatus Allocate(uint64_t offset, uint64_t n, const IOOptions&,
                    IODebugContext*) override {
    return Io(file_->Allocate(offset, n));
  }

 private:
  const std::unique_ptr<WritableFile> file_;
};

class FsRandomRw final : public FSRandomRWFile {
 public:
  explicit FsRandomRw(std::unique_ptr<RandomRWFile> file)
      : file_(std::move(file)) {}

  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions&,
                 IODebugContext*) override {
    return Io(file_->Write(offset, data));
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    return Io(file_->Read(offset, n, result, scratch));
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return Io(file_->Flush());
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return Io(file_->Sync());
  }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    return Io(file_->Fsync());
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return Io(file_->Close());
  }

 private:
  const std::unique_ptr<RandomRWFile> file_;
};

class FsDirectory final : public FSDirectory {
 public:
  explicit FsDirectory(std::unique_ptr<Directory> directory)
      : directory_(std::move(directory)) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    return Io(directory_->Fsync());
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return Io(directory_->Close());
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return directory_->GetUniqueId(id, max_size);
  }

 private:
  const std::unique_ptr<Directory> directory_;
};

template <typename Wrapper, typename Fs, typename Old, typename... Args>
IOStatus Wrap(Status status, std::unique_ptr<Old> file,
              std::unique_ptr<Fs>* result, const Args&... args) {
  if (status.ok()) {
    *result = std::make_unique<Wrapper>(std::move(file), args...);
  }
  return Io(std::move(status));
}

class LegacyFileSystem final : public FileSystem {
 public:
  explicit LegacyFileSystem(Env* env) : env_(env) {}

  const char* Name() const override { return "LegacyFileSystem"; }

  Status RegisterDbPaths(const std::vector<std::string>& paths) override {
    return env_->RegisterDbPaths(paths);
  }
  Status UnregisterDbPaths(const std::vector<std::string>& paths) override {
    return env_->UnregisterDbPaths(paths);
  }
  IOStatus NewSequentialFile(const std::string& f, const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* r,
                             IODebugContext*) override {
    std::unique_ptr<SequentialFile> file;
    Status s = env_->NewSequentialFile(f, &file, options);
    return Wrap<FsSequential>(std::move(s), std::move(file), r);
  }
  IOStatus NewRandomAccessFile(const std::string& f, const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* r,
                               IODebugContext*) override {
    std::unique_ptr<RandomAccessFile> file;
    Status s = env_->NewRandomAccessFile(f, &file, options);
    return Wrap<FsRandomAccess>(std::move(s), std::move(file), r);
  }
  IOStatus NewWritableFile(const std::string& f, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* r,
                           IODebugContext*) override {
    std::unique_ptr<WritableFile> file;
    Status s = env_->NewWritableFile(f, &file, options);
    return Wrap<FsWritable>(std::move(s), std::move(file), r, options);
  }
  IOStatus ReopenWritableFile(const std::string& f, const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* r,
                              IODebugContext*) override {
    std::unique_ptr<WritableFile> file;
    Status s = env_->ReopenWritableFile(f, &file, options);
    return Wrap<FsWritable>(std::move(s), std::move(file), r, options);
  }
  IOStatus ReuseWritableFile(const std::string& f, const std::string& old_f,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* r,
                             IODebugContext*) override {
    std::unique_ptr<WritableFile> file;
    Status s = env_->ReuseWritableFile(f, old_f, &file, options);
    return Wrap<FsWritable>(std::move(s), std::move(file), r, options);
  }
  IOStatus NewRandomRWFile(const std::string& f, const FileOptions& options,
                           std::unique_ptr<FSRandomRWFile>* r,
                           IODebugContext*) override {
    std::unique_ptr<RandomRWFile> file;
    Status s = env_->NewRandomRWFile(f, &file, options);
    return Wrap<FsRandomRw>(std::move(s), std::move(file), r);
  }
  IOStatus NewMemoryMappedFileBuffer(
      const std::string& f,
      std::unique_ptr<MemoryMappedFileBuffer>* r) override {
    return Io(env_->NewMemoryMappedFileBuffer(f, r));
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions&,
                        std::unique_ptr<FSDirectory>* r,
                        IODebugContext*) override {
    std::unique_ptr<Directory> directory;
    Status s = env_->NewDirectory(name, &directory);
    return Wrap<FsDirectory>(std::move(s), std::move(directory), r);
  }
  IOStatus FileExists(const std::string& f, const IOOptions&,
                      IODebugContext*) override {
    return Io(env_->FileExists(f));
  }
  IOStatus GetChildren(const std::string& dir, const IOOptions&,
                       std::vector<std::string>* r, IODebugContext*) override {
    return Io(env_->GetChildren(dir, r));
  }
  IOStatus GetChildrenFileAttributes(const std::string& dir, const IOOptions&,
                                     std::vector<FileAttributes>* r,
                                     IODebugContext*) override {
    return Io(env_->GetChildrenFileAttributes(dir, r));
  }
  IOStatus DeleteFile(const std::string& f, const IOOptions&,
                      IODebugContext*) override {
    return Io(env_->DeleteFile(f));
  }
  IOStatus Truncate(const std::string& f, size_t size, const IOOptions&,
                    IODebugContext*) override {
    return Io(env_->Truncate(f, size));
  }
  IOStatus CreateDir(const std::string& d, const IOOptions&,
                     IODebugContext*) override {
    return Io(env_->CreateDir(d));
  }
  IOStatus CreateDirIfMissing(const std::string& d, const IOOptions&,
                              IODebugContext*) override {
    return Io(env_->CreateDirIfMissing(d));
  }
  IOStatus DeleteDir(const std::string& d, const IOOptions&,
                     IODebugContext*) override {
    return Io(env_->DeleteDir(d));
  }
  IOStatus GetFileSize(const std::string& f, const IOOptions&, uint64_t* size,
                       IODebugContext*) override {
    return Io(env_->GetFileSize(f, size));
  }
  IOStatus GetFileModificationTime(const std::string& f, const IOOptions&,
                                   uint64_t* mtime, IODebugContext*) override {
    return Io(env_->GetFileModificationTime(f, mtime));
  }
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions&, IODebugContext*) override {
    return Io(env_->RenameFile(from, to));
  }
  IOStatus LinkFile(const std::string& from, const std::string& to,
                    const IOOptions&, IODebugContext*) override {
    return Io(env_->LinkFile(from, to));
  }
  IOStatus NumFileLinks(const std::string& f, const IOOptions&, uint64_t* count,
                        IODebugContext*) override {
    return Io(env_->NumFileLinks(f, count));
  }
  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions&, bool* res, IODebugContext*) override {
    return Io(env_->AreFilesSame(first, second, res));
  }
  IOStatus LockFile(const std::string& f, const IOOptions&, FileLock** lock,
                    IODebugContext*) override {
    return Io(env_->LockFile(f, lock));
  }
  IOStatus UnlockFile(FileLock* lock, const IOOptions&,
                      IODebugContext*) override {
    return Io(env_->UnlockFile(lock));
  }
  IOStatus GetTestDirectory(const IOOptions&, std::string* path,
                            IODebugContext*) override {
    return Io(env_->GetTestDirectory(path));
  }
  IOStatus NewLogger(const std::string& f, const IOOptions&,
                     std::shared_ptr<Logger>* result,
                     IODebugContext*) override {
    return Io(env_->NewLogger(f, result));
  }
  IOStatus GetAbsolutePath(const std::string& path, const IOOptions&,
                           std::string* output, IODebugContext*) override {
    return Io(env_->GetAbsolutePath(path, output));
  }
  void SanitizeFileOptions(FileOptions* options) const override {
    env_->SanitizeEnvOptions(options);
  }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions&,
                        uint64_t* bytes, IODebugContext*) override {
    return Io(env_->GetFreeSpace(path, bytes));
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions&, bool* is_dir,
                       IODebugContext*) override {
    return Io(env_->IsDirectory(path, is_dir));
  }

 private:
  Env* const env_;
};

class LegacyClock final : public SystemClock {
 public:
  explicit LegacyClock(Env* env) : env_(env) {}

  const char* Name() const override { return "LegacySystemClock"; }
  uint64_t NowMicros() override { return env_->NowMicros(); }
  uint64_t NowNanos() override { return env_->NowNanos(); }
  uint64_t CPUMicros() override { return env_->NowCPUNanos() / 1000; }
  uint64_t CPUNanos() override { return env_->NowCPUNanos(); }
  void SleepForMicroseconds(int micros) override {
    env_->SleepForMicroseconds(micros);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    return env_->GetCurrentTime(unix_time);
  }
  std::string TimeToString(uint64_t time) override {
    return env_->TimeToString(time);
  }

 private:
  Env* const env_;
};

}  // namespace

std::shared_ptr<FileSystem> NewLegacyFileSystem(Env* env) {
  return std::make_shared<LegacyFileSystem>(env);
}

std::shared_ptr<SystemClock> NewLegacyClock(Env* env) {
  return std::make_shared<LegacyClock>(env);
}

}  // namespace ROCKSDB_NAMESPACE::engine
