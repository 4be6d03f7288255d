#include "env/composite_env.h"

#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The FS files under their older interface. Each owns its file and calls it
// with default options and no debug context.

class SequentialOverFs final : public SequentialFile {
 public:
  explicit SequentialOverFs(std::unique_ptr<FSSequentialFile> file)
      : file_(std::move(file)) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    return file_->Read(n, options_, result, scratch, nullptr);
  }
  Status Skip(uint64_t n) override { return file_->Skip(n); }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(offset, length);
  }
  Status PositionedRead(uint64_t offset, size_t n, Slice* result,
                        char* scratch) override {
    return file_->PositionedRead(offset, n, options_, result, scratch, nullptr);
  }

 private:
  const std::unique_ptr<FSSequentialFile> file_;
  const IOOptions options_;
};

class RandomAccessOverFs final : public RandomAccessFile {
 public:
  explicit RandomAccessOverFs(std::unique_ptr<FSRandomAccessFile> file)
      : file_(std::move(file)) {}

  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    return file_->Read(offset, n, options_, result, scratch, nullptr);
  }
  Status Prefetch(uint64_t offset, size_t n) override {
    return file_->Prefetch(offset, n, options_, nullptr);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return file_->GetUniqueId(id, max_size);
  }
  void Hint(AccessPattern pattern) override {
    file_->Hint(static_cast<FSRandomAccessFile::AccessPattern>(pattern));
  }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(offset, length);
  }
  Status GetFileSize(uint64_t* size) override {
    return file_->GetFileSize(size);
  }

 private:
  const std::unique_ptr<FSRandomAccessFile> file_;
  const IOOptions options_;
};

class WritableOverFs final : public WritableFile {
 public:
  WritableOverFs(std::unique_ptr<FSWritableFile> file,
                 const EnvOptions& options)
      : WritableFile(options), file_(std::move(file)) {}

  using WritableFile::Append;
  using WritableFile::PositionedAppend;
  Status Append(const Slice& data) override {
    return file_->Append(data, options_, nullptr);
  }
  Status PositionedAppend(const Slice& data, uint64_t offset) override {
    return file_->PositionedAppend(data, offset, options_, nullptr);
  }
  Status Truncate(uint64_t size) override {
    return file_->Truncate(size, options_, nullptr);
  }
  Status Close() override { return file_->Close(options_, nullptr); }
  Status Flush() override { return file_->Flush(options_, nullptr); }
  Status Sync() override { return file_->Sync(options_, nullptr); }
  Status Fsync() override { return file_->Fsync(options_, nullptr); }
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
  uint64_t GetFileSize() override {
    return file_->GetFileSize(options_, nullptr);
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
  Status InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(offset, length);
  }
  Status RangeSync(uint64_t offset, uint64_t n) override {
    return file_->RangeSync(offset, n, options_, nullptr);
  }
  void PrepareWrite(size_t offset, size_t n) override {
    file_->PrepareWrite(offset, n, options_, nullptr);
  }
  Status Allocate(uint64_t offset, uint64_t n) override {
    return file_->Allocate(offset, n, options_, nullptr);
  }

 private:
  const std::unique_ptr<FSWritableFile> file_;
  const IOOptions options_;
};

class RandomRwOverFs final : public RandomRWFile {
 public:
  explicit RandomRwOverFs(std::unique_ptr<FSRandomRWFile> file)
      : file_(std::move(file)) {}

  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  Status Write(uint64_t offset, const Slice& data) override {
    return file_->Write(offset, data, options_, nullptr);
  }
  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    return file_->Read(offset, n, options_, result, scratch, nullptr);
  }
  Status Flush() override { return file_->Flush(options_, nullptr); }
  Status Sync() override { return file_->Sync(options_, nullptr); }
  Status Fsync() override { return file_->Fsync(options_, nullptr); }
  Status Close() override { return file_->Close(options_, nullptr); }

 private:
  const std::unique_ptr<FSRandomRWFile> file_;
  const IOOptions options_;
};

class DirectoryOverFs final : public Directory {
 public:
  explicit DirectoryOverFs(std::unique_ptr<FSDirectory> directory)
      : directory_(std::move(directory)) {}

  Status Fsync() override { return directory_->Fsync(options_, nullptr); }
  Status Close() override { return directory_->Close(options_, nullptr); }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return directory_->GetUniqueId(id, max_size);
  }

 private:
  const std::unique_ptr<FSDirectory> directory_;
  const IOOptions options_;
};

// Gives the caller `file` under the interface that `Wrapper` implements.
template <typename Wrapper, typename Old, typename Fs, typename... Args>
Status Wrap(const IOStatus& status, std::unique_ptr<Fs> file,
            std::unique_ptr<Old>* result, const Args&... args) {
  if (status.ok()) {
    *result = std::make_unique<Wrapper>(std::move(file), args...);
  }
  return status;
}

}  // namespace

Status CompositeEnv::RegisterDbPaths(const std::vector<std::string>& paths) {
  return file_system_->RegisterDbPaths(paths);
}

Status CompositeEnv::UnregisterDbPaths(const std::vector<std::string>& paths) {
  return file_system_->UnregisterDbPaths(paths);
}

Status CompositeEnv::NewSequentialFile(const std::string& f,
                                       std::unique_ptr<SequentialFile>* r,
                                       const EnvOptions& options) {
  std::unique_ptr<FSSequentialFile> file;
  const IOStatus s =
      file_system_->NewSequentialFile(f, FileOptions(options), &file, nullptr);
  return Wrap<SequentialOverFs>(s, std::move(file), r);
}

Status CompositeEnv::NewRandomAccessFile(const std::string& f,
                                         std::unique_ptr<RandomAccessFile>* r,
                                         const EnvOptions& options) {
  std::unique_ptr<FSRandomAccessFile> file;
  const IOStatus s = file_system_->NewRandomAccessFile(f, FileOptions(options),
                                                       &file, nullptr);
  return Wrap<RandomAccessOverFs>(s, std::move(file), r);
}

Status CompositeEnv::NewWritableFile(const std::string& f,
                                     std::unique_ptr<WritableFile>* r,
                                     const EnvOptions& options) {
  std::unique_ptr<FSWritableFile> file;
  const IOStatus s =
      file_system_->NewWritableFile(f, FileOptions(options), &file, nullptr);
  return Wrap<WritableOverFs>(s, std::move(file), r, options);
}

Status CompositeEnv::ReopenWritableFile(const std::string& f,
                                        std::unique_ptr<WritableFile>* r,
                                        const EnvOptions& options) {
  std::unique_ptr<FSWritableFile> file;
  const IOStatus s =
      file_system_->ReopenWritableFile(f, FileOptions(options), &file, nullptr);
  return Wrap<WritableOverFs>(s, std::move(file), r, options);
}

Status CompositeEnv::ReuseWritableFile(const std::string& f,
                                       const std::string& old_f,
                                       std::unique_ptr<WritableFile>* r,
                                       const EnvOptions& options) {
  std::unique_ptr<FSWritableFile> file;
  const IOStatus s = file_system_->ReuseWritableFile(
      f, old_f, FileOptions(options), &file, nullptr);
  return Wrap<WritableOverFs>(s, std::move(file), r, options);
}

Status CompositeEnv::NewRandomRWFile(const std::string& f,
                                     std::unique_ptr<RandomRWFile>* r,
                                     const EnvOptions& options) {
  std::unique_ptr<FSRandomRWFile> file;
  const IOStatus s =
      file_system_->NewRandomRWFile(f, FileOptions(options), &file, nullptr);
  return Wrap<RandomRwOverFs>(s, std::move(file), r);
}

Status CompositeEnv::NewMemoryMappedFileBuffer(
    const std::string& f, std::unique_ptr<MemoryMappedFileBuffer>* r) {
  return file_system_->NewMemoryMappedFileBuffer(f, r);
}

Status CompositeEnv::NewDirectory(const std::string& name,
                                  std::unique_ptr<Directory>* r) {
  std::unique_ptr<FSDirectory> directory;
  const IOStatus s =
      file_system_->NewDirectory(name, IOOptions(), &directory, nullptr);
  return Wrap<DirectoryOverFs>(s, std::move(directory), r);
}

Status CompositeEnv::FileExists(const std::string& f) {
  return file_system_->FileExists(f, IOOptions(), nullptr);
}

Status CompositeEnv::GetChildren(const std::string& dir,
                                 std::vector<std::string>* r) {
  return file_system_->GetChildren(dir, IOOptions(), r, nullptr);
}

Status CompositeEnv::GetChildrenFileAttributes(const std::string& dir,
                                               std::vector<FileAttributes>* r) {
  return file_system_->GetChildrenFileAttributes(dir, IOOptions(), r, nullptr);
}

Status CompositeEnv::DeleteFile(const std::string& f) {
  return file_system_->DeleteFile(f, IOOptions(), nullptr);
}

Status CompositeEnv::Truncate(const std::string& f, size_t size) {
  return file_system_->Truncate(f, size, IOOptions(), nullptr);
}

Status CompositeEnv::CreateDir(const std::string& d) {
  return file_system_->CreateDir(d, IOOptions(), nullptr);
}

Status CompositeEnv::CreateDirIfMissing(const std::string& d) {
  return file_system_->CreateDirIfMissing(d, IOOptions(), nullptr);
}

Status CompositeEnv::DeleteDir(const std::string& d) {
  return file_system_->DeleteDir(d, IOOptions(), nullptr);
}

Status CompositeEnv::GetFileSize(const std::string& f, uint64_t* size) {
  return file_system_->GetFileSize(f, IOOptions(), size, nullptr);
}

Status CompositeEnv::GetFileModificationTime(const std::string& f,
                                             uint64_t* mtime) {
  return file_system_->GetFileModificationTime(f, IOOptions(), mtime, nullptr);
}

Status CompositeEnv::RenameFile(const std::string& from,
                                const std::string& to) {
  return file_system_->RenameFile(from, to, IOOptions(), nullptr);
}

Status CompositeEnv::LinkFile(const std::string& from, const std::string& to) {
  return file_system_->LinkFile(from, to, IOOptions(), nullptr);
}

Status CompositeEnv::NumFileLinks(const std::string& f, uint64_t* count) {
  return file_system_->NumFileLinks(f, IOOptions(), count, nullptr);
}

Status CompositeEnv::AreFilesSame(const std::string& first,
                                  const std::string& second, bool* res) {
  return file_system_->AreFilesSame(first, second, IOOptions(), res, nullptr);
}

Status CompositeEnv::LockFile(const std::string& f, FileLock** l) {
  return file_system_->LockFile(f, IOOptions(), l, nullptr);
}

Status CompositeEnv::UnlockFile(FileLock* l) {
  return file_system_->UnlockFile(l, IOOptions(), nullptr);
}

Status CompositeEnv::GetTestDirectory(std::string* path) {
  return file_system_->GetTestDirectory(IOOptions(), path, nullptr);
}

Status CompositeEnv::NewLogger(const std::string& f,
                               std::shared_ptr<Logger>* result) {
  return file_system_->NewLogger(f, IOOptions(), result, nullptr);
}

Status CompositeEnv::GetAbsolutePath(const std::string& path,
                                     std::string* output) {
  return file_system_->GetAbsolutePath(path, IOOptions(), output, nullptr);
}

Status CompositeEnv::GetFreeSpace(const std::string& path, uint64_t* bytes) {
  return file_system_->GetFreeSpace(path, IOOptions(), bytes, nullptr);
}

Status CompositeEnv::IsDirectory(const std::string& path, bool* is_dir) {
  return file_system_->IsDirectory(path, IOOptions(), is_dir, nullptr);
}

void CompositeEnv::SanitizeEnvOptions(EnvOptions* options) const {
  FileOptions file_options(*options);
  file_system_->SanitizeFileOptions(&file_options);
  *options = static_cast<const EnvOptions&>(file_options);
}

}  // namespace ROCKSDB_NAMESPACE::engine
