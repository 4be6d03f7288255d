#include "test/support/hooked_fs.h"

#include <utility>

namespace ROCKSDB_NAMESPACE::test {

std::string BaseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

namespace {

class HookedWritable final : public FSWritableFileOwnerWrapper {
 public:
  HookedWritable(std::unique_ptr<FSWritableFile> file, std::string path,
                 HookedFileSystem* fs)
      : FSWritableFileOwnerWrapper(std::move(file)),
        path_(std::move(path)),
        fs_(fs) {}

  using FSWritableFileOwnerWrapper::Append;
  using FSWritableFileOwnerWrapper::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kAppend, path_, data.size());
    return s.ok() ? target()->Append(data, options, dbg) : s;
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kAppend, path_, data.size());
    return s.ok() ? target()->PositionedAppend(data, offset, options, dbg) : s;
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kTruncate, path_, size);
    return s.ok() ? target()->Truncate(size, options, dbg) : s;
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kClose, path_);
    // A failed close closes too.
    IOStatus closed = target()->Close(options, dbg);
    return s.ok() ? closed : s;
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kFlush, path_);
    return s.ok() ? target()->Flush(options, dbg) : s;
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kSync, path_);
    return s.ok() ? target()->Sync(options, dbg) : s;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kSync, path_);
    return s.ok() ? target()->Fsync(options, dbg) : s;
  }
  IOStatus RangeSync(uint64_t offset, uint64_t n, const IOOptions& options,
                     IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kRangeSync, path_, n);
    return s.ok() ? target()->RangeSync(offset, n, options, dbg) : s;
  }

 private:
  const std::string path_;
  HookedFileSystem* const fs_;
};

class HookedSequential final : public FSSequentialFileOwnerWrapper {
 public:
  HookedSequential(std::unique_ptr<FSSequentialFile> file, std::string path,
                   HookedFileSystem* fs)
      : FSSequentialFileOwnerWrapper(std::move(file)),
        path_(std::move(path)),
        fs_(fs) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kRead, path_, n);
    if (s.ok()) s = target()->Read(n, options, result, scratch, dbg);
    if (s.ok()) fs_->AfterRead(path_, result, scratch);
    return s;
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kRead, path_, n);
    if (!s.ok()) return s;
    return target()->PositionedRead(offset, n, options, result, scratch, dbg);
  }

 private:
  const std::string path_;
  HookedFileSystem* const fs_;
};

class HookedRandomAccess final : public FSRandomAccessFileOwnerWrapper {
 public:
  HookedRandomAccess(std::unique_ptr<FSRandomAccessFile> file, std::string path,
                     HookedFileSystem* fs)
      : FSRandomAccessFileOwnerWrapper(std::move(file)),
        path_(std::move(path)),
        fs_(fs) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    IOStatus s = fs_->Before(OpKind::kRead, path_, n);
    if (s.ok()) s = target()->Read(offset, n, options, result, scratch, dbg);
    if (s.ok()) fs_->AfterRead(path_, result, scratch);
    return s;
  }
  IOStatus MultiRead(FSReadRequest* requests, size_t count,
                     const IOOptions& options, IODebugContext* dbg) override {
    // One by one, so that each can fail.
    for (size_t i = 0; i < count; ++i) {
      FSReadRequest& r = requests[i];
      r.status = Read(r.offset, r.len, options, &r.result, r.scratch, dbg);
    }
    return IOStatus::OK();
  }
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& opts,
                     std::function<void(FSReadRequest&, void*)> cb,
                     void* cb_arg, void** io_handle, IOHandleDeleter* del_fn,
                     IODebugContext* dbg) override {
    // At once, by the Read() above.
    return FSRandomAccessFile::ReadAsync(req, opts, std::move(cb), cb_arg,
                                         io_handle, del_fn, dbg);
  }

 private:
  const std::string path_;
  HookedFileSystem* const fs_;
};

class HookedDirectory final : public FSDirectoryWrapper {
 public:
  HookedDirectory(std::unique_ptr<FSDirectory> directory, std::string path,
                  HookedFileSystem* fs)
      : FSDirectoryWrapper(std::move(directory)),
        path_(std::move(path)),
        fs_(fs) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = fs_->Before(OpKind::kSyncDir, path_);
    return s.ok() ? FSDirectoryWrapper::Fsync(options, dbg) : s;
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* dbg,
                               const DirFsyncOptions& how) override {
    IOStatus s = fs_->Before(OpKind::kSyncDir, path_);
    if (!s.ok()) return s;
    return FSDirectoryWrapper::FsyncWithDirOptions(options, dbg, how);
  }

 private:
  const std::string path_;
  HookedFileSystem* const fs_;
};

}  // namespace

const char* OpName(OpKind kind) {
  static const char* const kNames[] = {
      "create", "reopen",   "reuse",    "append",     "flush",  "range_sync",
      "sync",   "truncate", "close",    "delete",     "rename", "link",
      "mkdir",  "rmdir",    "sync_dir", "lock",       "open",   "open_dir",
      "read",   "list",     "stat",     "free_space", "unlock"};
  return kNames[static_cast<size_t>(kind)];
}

std::string FileOp::ToString() const {
  std::string text = std::string(OpName(kind)) + " " + BaseName(path);
  if (!target.empty()) text += " -> " + BaseName(target);
  if (bytes > 0) text += " " + std::to_string(bytes);
  return text;
}

IOStatus HookedFileSystem::Before(OpKind kind, const std::string& path,
                                  uint64_t bytes, const std::string& target) {
  FileOp op;
  op.kind = kind;
  op.path = path;
  op.target = target;
  op.bytes = bytes;
  op.number = next_number_.fetch_add(1);
  return hook_(op);
}

IOStatus HookedFileSystem::NewSequentialFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<FSSequentialFile>* r, IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kOpenRead, path);
  if (s.ok()) s = target_->NewSequentialFile(path, options, r, dbg);
  if (s.ok()) {
    *r = std::make_unique<HookedSequential>(std::move(*r), path, this);
  }
  return s;
}

IOStatus HookedFileSystem::NewRandomAccessFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<FSRandomAccessFile>* r, IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kOpenRead, path);
  if (s.ok()) s = target_->NewRandomAccessFile(path, options, r, dbg);
  if (s.ok()) {
    *r = std::make_unique<HookedRandomAccess>(std::move(*r), path, this);
  }
  return s;
}

IOStatus HookedFileSystem::NewWritableFile(const std::string& path,
                                           const FileOptions& options,
                                           std::unique_ptr<FSWritableFile>* r,
                                           IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kCreate, path);
  if (s.ok()) s = target_->NewWritableFile(path, options, r, dbg);
  if (s.ok()) *r = std::make_unique<HookedWritable>(std::move(*r), path, this);
  return s;
}

IOStatus HookedFileSystem::ReopenWritableFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* r, IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kReopen, path);
  if (s.ok()) s = target_->ReopenWritableFile(path, options, r, dbg);
  if (s.ok()) *r = std::make_unique<HookedWritable>(std::move(*r), path, this);
  return s;
}

IOStatus HookedFileSystem::ReuseWritableFile(const std::string& path,
                                             const std::string& old_path,
                                             const FileOptions& options,
                                             std::unique_ptr<FSWritableFile>* r,
                                             IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kReuse, old_path, 0, path);
  if (s.ok()) s = target_->ReuseWritableFile(path, old_path, options, r, dbg);
  if (s.ok()) *r = std::make_unique<HookedWritable>(std::move(*r), path, this);
  return s;
}

IOStatus HookedFileSystem::NewDirectory(const std::string& path,
                                        const IOOptions& options,
                                        std::unique_ptr<FSDirectory>* r,
                                        IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kOpenDir, path);
  if (s.ok()) s = target_->NewDirectory(path, options, r, dbg);
  if (s.ok()) {
    *r = std::make_unique<HookedDirectory>(std::move(*r), path, this);
  }
  return s;
}

IOStatus HookedFileSystem::FileExists(const std::string& path,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kStat, path);
  return s.ok() ? target_->FileExists(path, options, dbg) : s;
}

IOStatus HookedFileSystem::GetChildren(const std::string& dir,
                                       const IOOptions& options,
                                       std::vector<std::string>* r,
                                       IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kList, dir);
  return s.ok() ? target_->GetChildren(dir, options, r, dbg) : s;
}

IOStatus HookedFileSystem::GetChildrenFileAttributes(
    const std::string& dir, const IOOptions& options,
    std::vector<FileAttributes>* r, IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kList, dir);
  return s.ok() ? target_->GetChildrenFileAttributes(dir, options, r, dbg) : s;
}

IOStatus HookedFileSystem::DeleteFile(const std::string& path,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kDelete, path);
  return s.ok() ? target_->DeleteFile(path, options, dbg) : s;
}

IOStatus HookedFileSystem::Truncate(const std::string& path, size_t size,
                                    const IOOptions& options,
                                    IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kTruncate, path, size);
  return s.ok() ? target_->Truncate(path, size, options, dbg) : s;
}

IOStatus HookedFileSystem::CreateDir(const std::string& path,
                                     const IOOptions& options,
                                     IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kMakeDir, path);
  return s.ok() ? target_->CreateDir(path, options, dbg) : s;
}

IOStatus HookedFileSystem::CreateDirIfMissing(const std::string& path,
                                              const IOOptions& options,
                                              IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kMakeDir, path);
  return s.ok() ? target_->CreateDirIfMissing(path, options, dbg) : s;
}

IOStatus HookedFileSystem::DeleteDir(const std::string& path,
                                     const IOOptions& options,
                                     IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kRemoveDir, path);
  return s.ok() ? target_->DeleteDir(path, options, dbg) : s;
}

IOStatus HookedFileSystem::GetFileSize(const std::string& path,
                                       const IOOptions& options, uint64_t* size,
                                       IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kStat, path);
  return s.ok() ? target_->GetFileSize(path, options, size, dbg) : s;
}

IOStatus HookedFileSystem::GetFileModificationTime(const std::string& path,
                                                   const IOOptions& options,
                                                   uint64_t* mtime,
                                                   IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kStat, path);
  if (!s.ok()) return s;
  return target_->GetFileModificationTime(path, options, mtime, dbg);
}

IOStatus HookedFileSystem::RenameFile(const std::string& from,
                                      const std::string& to,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kRename, from, 0, to);
  return s.ok() ? target_->RenameFile(from, to, options, dbg) : s;
}

IOStatus HookedFileSystem::LinkFile(const std::string& from,
                                    const std::string& to,
                                    const IOOptions& options,
                                    IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kLink, from, 0, to);
  return s.ok() ? target_->LinkFile(from, to, options, dbg) : s;
}

IOStatus HookedFileSystem::LockFile(const std::string& path,
                                    const IOOptions& options, FileLock** lock,
                                    IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kLock, path);
  return s.ok() ? target_->LockFile(path, options, lock, dbg) : s;
}

IOStatus HookedFileSystem::UnlockFile(FileLock* lock, const IOOptions& options,
                                      IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kUnlock, "");
  // An unlock that fails unlocks too: otherwise no test could open again.
  IOStatus unlocked = target_->UnlockFile(lock, options, dbg);
  return s.ok() ? unlocked : s;
}

IOStatus HookedFileSystem::GetFreeSpace(const std::string& path,
                                        const IOOptions& options,
                                        uint64_t* bytes, IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kFreeSpace, path);
  return s.ok() ? target_->GetFreeSpace(path, options, bytes, dbg) : s;
}

IOStatus HookedFileSystem::IsDirectory(const std::string& path,
                                       const IOOptions& options, bool* is_dir,
                                       IODebugContext* dbg) {
  IOStatus s = Before(OpKind::kStat, path);
  return s.ok() ? target_->IsDirectory(path, options, is_dir, dbg) : s;
}

IOStatus HookedFileSystem::NewLogger(const std::string& path,
                                     const IOOptions& options,
                                     std::shared_ptr<Logger>* r,
                                     IODebugContext* dbg) {
  return FileSystem::NewLogger(path, options, r, dbg);
}

}  // namespace ROCKSDB_NAMESPACE::test
