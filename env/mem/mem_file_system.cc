#include "env/mem/mem_file_system.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "env/mem/mem_tree.h"
#include "env/posix/posix_error.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using TreePtr = std::shared_ptr<MemFileSystem::Tree>;

// An open file.
struct Handle {
  TreePtr tree;
  MemFilePtr file;
  std::string path;
  bool direct = false;

  size_t alignment() const { return tree->options.direct_alignment; }

  // What the kernel says to a misaligned request on an O_DIRECT descriptor.
  IOStatus CheckAligned(const char* what, uint64_t offset, size_t n,
                        const char* memory) const {
    const uint64_t bits = offset | n | reinterpret_cast<uintptr_t>(memory);
    if (!direct || bits % alignment() == 0) return IOStatus::OK();
    return PosixError(what, path, EINVAL);
  }

  IOStatus Read(uint64_t offset, size_t n, Slice* result, char* scratch) const {
    *result = Slice(scratch, 0);
    IOStatus s = CheckAligned("While pread", offset, n, scratch);
    if (!s.ok()) return s;
    MutexLock lock(&tree->mu);
    const std::string& content = file->content;
    if (offset >= content.size() || n == 0) return s;
    n = std::min(n, content.size() - static_cast<size_t>(offset));
    memcpy(scratch, content.data() + offset, n);
    *result = Slice(scratch, n);
    return s;
  }

  IOStatus Write(const Slice& data, uint64_t offset) const {
    IOStatus s = CheckAligned("While pwrite", offset, data.size(), data.data());
    if (!s.ok() || data.empty()) return s;
    MemChange change;
    change.offset = offset;
    change.bytes = data.ToString();
    MutexLock lock(&tree->mu);
    tree->Change(file.get(), std::move(change));
    return s;
  }

  IOStatus Truncate(uint64_t size) const {
    MemChange change;
    change.truncates = true;
    change.offset = size;
    MutexLock lock(&tree->mu);
    tree->Change(file.get(), std::move(change));
    return IOStatus::OK();
  }

  IOStatus Sync() const {
    MutexLock lock(&tree->mu);
    file->Sync();
    return IOStatus::OK();
  }

  uint64_t Size() const {
    MutexLock lock(&tree->mu);
    return file->content.size();
  }

  size_t UniqueId(char* id, size_t max_size) const {
    const std::string text = "mem" + std::to_string(file->number);
    if (text.size() > max_size) return 0;
    // Bytes, not text. NOLINTNEXTLINE(bugprone-not-null-terminated-result)
    memcpy(id, text.data(), text.size());
    return text.size();
  }
};

class MemSequentialFile final : public FSSequentialFile {
 public:
  explicit MemSequentialFile(Handle handle) : handle_(std::move(handle)) {}

  IOStatus Read(size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    IOStatus s = handle_.Read(position_, n, result, scratch);
    position_ += result->size();
    return s;
  }
  IOStatus Skip(uint64_t n) override {
    position_ += n;
    return IOStatus::OK();
  }
  bool use_direct_io() const override { return handle_.direct; }
  size_t GetRequiredBufferAlignment() const override {
    return handle_.alignment();
  }
  IOStatus InvalidateCache(size_t, size_t) override { return IOStatus::OK(); }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions&,
                          Slice* result, char* scratch,
                          IODebugContext*) override {
    return handle_.Read(offset, n, result, scratch);
  }

 private:
  const Handle handle_;
  uint64_t position_ = 0;
};

class MemRandomAccessFile final : public FSRandomAccessFile {
 public:
  explicit MemRandomAccessFile(Handle handle) : handle_(std::move(handle)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    return handle_.Read(offset, n, result, scratch);
  }
  IOStatus Prefetch(uint64_t, size_t, const IOOptions&,
                    IODebugContext*) override {
    return IOStatus::OK();
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return handle_.UniqueId(id, max_size);
  }
  bool use_direct_io() const override { return handle_.direct; }
  size_t GetRequiredBufferAlignment() const override {
    return handle_.alignment();
  }
  IOStatus InvalidateCache(size_t, size_t) override { return IOStatus::OK(); }
  IOStatus GetFileSize(uint64_t* size) override {
    *size = handle_.Size();
    return IOStatus::OK();
  }

 private:
  const Handle handle_;
};

class MemWritableFile final : public FSWritableFile {
 public:
  MemWritableFile(Handle handle, uint64_t position, const FileOptions& options)
      : FSWritableFile(options),
        handle_(std::move(handle)),
        position_(position) {}

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions&,
                  IODebugContext*) override {
    if (closed_) return Closed();
    IOStatus s = handle_.Write(data, position_);
    if (s.ok()) position_ += data.size();
    return s;
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions&, IODebugContext*) override {
    if (closed_) return Closed();
    IOStatus s = handle_.Write(data, offset);
    if (s.ok()) position_ = std::max(position_, offset + data.size());
    return s;
  }
  IOStatus Truncate(uint64_t size, const IOOptions&, IODebugContext*) override {
    if (closed_) return Closed();
    position_ = size;
    return handle_.Truncate(size);
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    closed_ = true;
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return closed_ ? Closed() : IOStatus::OK();
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return closed_ ? Closed() : handle_.Sync();
  }
  bool IsSyncThreadSafe() const override { return true; }
  bool use_direct_io() const override { return handle_.direct; }
  size_t GetRequiredBufferAlignment() const override {
    return handle_.alignment();
  }
  uint64_t GetFileSize(const IOOptions&, IODebugContext*) override {
    return position_;
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return handle_.UniqueId(id, max_size);
  }
  IOStatus InvalidateCache(size_t, size_t) override { return IOStatus::OK(); }

 private:
  IOStatus Closed() const {
    return PosixError("While writing a closed file", handle_.path, EBADF);
  }

  const Handle handle_;
  uint64_t position_;
  bool closed_ = false;
};

class MemRandomRwFile final : public FSRandomRWFile {
 public:
  explicit MemRandomRwFile(Handle handle) : handle_(std::move(handle)) {}

  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions&,
                 IODebugContext*) override {
    return handle_.Write(data, offset);
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    return handle_.Read(offset, n, result, scratch);
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return handle_.Sync();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }

 private:
  const Handle handle_;
};

class MemDirectory final : public FSDirectory {
 public:
  MemDirectory(TreePtr tree, std::string path)
      : tree_(std::move(tree)), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    if (closed_) return PosixError("While fsync a directory", path_, EBADF);
    MutexLock lock(&tree_->mu);
    tree_->SyncDirectory(path_);
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    closed_ = true;
    return IOStatus::OK();
  }

 private:
  const TreePtr tree_;
  const std::string path_;
  bool closed_ = false;
};

class MemLock final : public FileLock {
 public:
  explicit MemLock(std::string p) : path(std::move(p)) {}
  const std::string path;
};

}  // namespace

MemFileSystem::MemFileSystem(Options options)
    : tree_(std::make_shared<Tree>(std::move(options))) {}

MemFileSystem::MemFileSystem(std::shared_ptr<Tree> tree)
    : tree_(std::move(tree)) {}

MemFileSystem::~MemFileSystem() = default;

std::shared_ptr<MemFileSystem> MemFileSystem::CrashClone(
    const CrashOptions& options) const {
  return std::shared_ptr<MemFileSystem>(
      new MemFileSystem(tree_->CrashClone(options)));
}

void MemFileSystem::FailSync(const std::string& path, bool stays_visible) {
  MutexLock lock(&tree_->mu);
  const MemFilePtr file = tree_->Find(MemNormalise(path));
  if (file == nullptr) return;
  file->changes.clear();
  if (!stays_visible) file->content = file->durable;
}

std::string MemFileSystem::Describe() const {
  std::string text;
  ForEachFile([&text](const std::string& path, const std::string& content) {
    text += path + " " + std::to_string(content.size()) + "\n";
  });
  return text;
}

void MemFileSystem::ForEachFile(
    const std::function<void(const std::string& path,
                             const std::string& content)>& visit) const {
  MutexLock lock(&tree_->mu);
  for (const auto& [path, file] : tree_->names) visit(path, file->content);
}

// Opening

IOStatus MemFileSystem::NewSequentialFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<FSSequentialFile>* result, IODebugContext*) {
  MutexLock lock(&tree_->mu);
  const MemFilePtr file = tree_->Find(MemNormalise(path));
  if (file == nullptr) {
    return PosixError("While open a file for sequentially reading", path,
                      ENOENT);
  }
  *result = std::make_unique<MemSequentialFile>(
      Handle{tree_, file, path, options.use_direct_reads});
  return IOStatus::OK();
}

IOStatus MemFileSystem::NewRandomAccessFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<FSRandomAccessFile>* result, IODebugContext*) {
  MutexLock lock(&tree_->mu);
  const MemFilePtr file = tree_->Find(MemNormalise(path));
  if (file == nullptr) {
    return PosixError("While open a file for random read", path, ENOENT);
  }
  *result = std::make_unique<MemRandomAccessFile>(
      Handle{tree_, file, path, options.use_direct_reads});
  return IOStatus::OK();
}

IOStatus MemFileSystem::OpenForWriting(
    const std::string& path, bool keep, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* result) {
  const std::string normal = MemNormalise(path);
  MutexLock lock(&tree_->mu);
  if (tree_->directories.count(normal) > 0) {
    return PosixError("While open a file for writing", path, EISDIR);
  }
  if (tree_->directories.count(MemParent(normal)) == 0) {
    return PosixError("While open a file for writing", path, ENOENT);
  }
  MemFilePtr file = tree_->Find(normal);
  if (file == nullptr) {
    file = tree_->NewFile();
    tree_->ChangeNames({{{normal, file}}});
  } else if (!keep && !file->content.empty()) {
    MemChange cut;
    cut.truncates = true;
    tree_->Change(file.get(), std::move(cut));
  }
  const uint64_t position = keep ? file->content.size() : 0;
  *result = std::make_unique<MemWritableFile>(
      Handle{tree_, file, path, options.use_direct_writes}, position, options);
  return IOStatus::OK();
}

IOStatus MemFileSystem::NewWritableFile(const std::string& path,
                                        const FileOptions& options,
                                        std::unique_ptr<FSWritableFile>* result,
                                        IODebugContext*) {
  return OpenForWriting(path, /*keep=*/false, options, result);
}

IOStatus MemFileSystem::ReopenWritableFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* result, IODebugContext*) {
  return OpenForWriting(path, /*keep=*/true, options, result);
}

IOStatus MemFileSystem::ReuseWritableFile(
    const std::string& path, const std::string& old_path,
    const FileOptions& options, std::unique_ptr<FSWritableFile>* result,
    IODebugContext* dbg) {
  IOStatus s = RenameFile(old_path, path, options.io_options, dbg);
  if (!s.ok()) return s;
  MutexLock lock(&tree_->mu);
  // The old bytes stay until they are written over.
  *result = std::make_unique<MemWritableFile>(
      Handle{tree_, tree_->Find(MemNormalise(path)), path,
             options.use_direct_writes},
      /*position=*/0, options);
  return s;
}

IOStatus MemFileSystem::NewRandomRWFile(const std::string& path,
                                        const FileOptions&,
                                        std::unique_ptr<FSRandomRWFile>* result,
                                        IODebugContext*) {
  MutexLock lock(&tree_->mu);
  const MemFilePtr file = tree_->Find(MemNormalise(path));
  if (file == nullptr) {
    return PosixError("While open a file for random read/write", path, ENOENT);
  }
  *result = std::make_unique<MemRandomRwFile>(Handle{tree_, file, path});
  return IOStatus::OK();
}

IOStatus MemFileSystem::NewDirectory(const std::string& path, const IOOptions&,
                                     std::unique_ptr<FSDirectory>* result,
                                     IODebugContext*) {
  const std::string normal = MemNormalise(path);
  MutexLock lock(&tree_->mu);
  if (tree_->directories.count(normal) == 0) {
    return PosixError("While open directory", path, ENOENT);
  }
  *result = std::make_unique<MemDirectory>(tree_, normal);
  return IOStatus::OK();
}

// Names

IOStatus MemFileSystem::FileExists(const std::string& path, const IOOptions&,
                                   IODebugContext*) {
  const std::string normal = MemNormalise(path);
  MutexLock lock(&tree_->mu);
  const bool exists =
      tree_->Find(normal) != nullptr || tree_->directories.count(normal) > 0;
  return exists ? IOStatus::OK() : IOStatus::NotFound();
}

IOStatus MemFileSystem::GetChildren(const std::string& dir, const IOOptions&,
                                    std::vector<std::string>* result,
                                    IODebugContext*) {
  const std::string normal = MemNormalise(dir);
  result->clear();
  MutexLock lock(&tree_->mu);
  if (tree_->directories.count(normal) == 0) {
    return IOStatus::NotFound("While opendir: " + dir, PosixReason(ENOENT));
  }
  const auto add = [&](const std::string& path) {
    if (path == "/" || MemParent(path) != normal) return;
    result->push_back(path.substr(path.rfind('/') + 1));
  };
  for (const auto& name : tree_->names) add(name.first);
  for (const std::string& path : tree_->directories) add(path);
  return IOStatus::OK();
}

IOStatus MemFileSystem::DeleteFile(const std::string& path, const IOOptions&,
                                   IODebugContext*) {
  const std::string normal = MemNormalise(path);
  MutexLock lock(&tree_->mu);
  if (tree_->Find(normal) == nullptr) {
    return PosixError("while unlink() file", path, ENOENT);
  }
  tree_->ChangeNames({{{normal, nullptr}}});
  return IOStatus::OK();
}

IOStatus MemFileSystem::Truncate(const std::string& path, size_t size,
                                 const IOOptions&, IODebugContext*) {
  MutexLock lock(&tree_->mu);
  const MemFilePtr file = tree_->Find(MemNormalise(path));
  if (file == nullptr) return PosixError("While truncate file", path, ENOENT);
  MemChange change;
  change.truncates = true;
  change.offset = size;
  tree_->Change(file.get(), std::move(change));
  return IOStatus::OK();
}

IOStatus MemFileSystem::CreateDir(const std::string& path,
                                  const IOOptions& options,
                                  IODebugContext* dbg) {
  {
    const std::string normal = MemNormalise(path);
    MutexLock lock(&tree_->mu);
    if (tree_->Find(normal) != nullptr ||
        tree_->directories.count(normal) > 0) {
      return PosixError("While mkdir", path, EEXIST);
    }
  }
  return CreateDirIfMissing(path, options, dbg);
}

IOStatus MemFileSystem::CreateDirIfMissing(const std::string& path,
                                           const IOOptions&, IODebugContext*) {
  MutexLock lock(&tree_->mu);
  // Missing parents are made too: there is no shell here to make them.
  for (std::string dir = MemNormalise(path); dir != "/"; dir = MemParent(dir)) {
    if (tree_->Find(dir) != nullptr) {
      return IOStatus::IOError("`" + dir + "' exists but is not a directory");
    }
    tree_->directories.insert(dir);
  }
  return IOStatus::OK();
}

IOStatus MemFileSystem::DeleteDir(const std::string& path,
                                  const IOOptions& options,
                                  IODebugContext* dbg) {
  std::vector<std::string> children;
  IOStatus s = GetChildren(path, options, &children, dbg);
  if (!s.ok()) return PosixError("file rmdir", path, ENOENT);
  if (!children.empty()) return PosixError("file rmdir", path, ENOTEMPTY);
  MutexLock lock(&tree_->mu);
  tree_->directories.erase(MemNormalise(path));
  return s;
}

IOStatus MemFileSystem::GetFileSize(const std::string& path, const IOOptions&,
                                    uint64_t* size, IODebugContext*) {
  const std::string normal = MemNormalise(path);
  *size = 0;
  MutexLock lock(&tree_->mu);
  if (tree_->directories.count(normal) > 0) return IOStatus::OK();
  const MemFilePtr file = tree_->Find(normal);
  if (file == nullptr) {
    return PosixError("while stat a file for size", path, ENOENT);
  }
  *size = file->content.size();
  return IOStatus::OK();
}

IOStatus MemFileSystem::GetFileModificationTime(const std::string& path,
                                                const IOOptions&,
                                                uint64_t* mtime,
                                                IODebugContext*) {
  MutexLock lock(&tree_->mu);
  const MemFilePtr file = tree_->Find(MemNormalise(path));
  if (file == nullptr) {
    return PosixError("while stat a file for modification time", path, ENOENT);
  }
  *mtime = file->mtime_seconds;
  return IOStatus::OK();
}

IOStatus MemFileSystem::RenameFile(const std::string& from,
                                   const std::string& to, const IOOptions&,
                                   IODebugContext*) {
  const std::string source = MemNormalise(from);
  const std::string target = MemNormalise(to);
  const std::string what = "While renaming a file to " + to;
  MutexLock lock(&tree_->mu);
  if (tree_->directories.count(MemParent(target)) == 0) {
    return PosixError(what, from, ENOENT);
  }
  if (source == target) return IOStatus::OK();
  if (tree_->directories.count(source) > 0) {
    if (tree_->directories.count(target) > 0 ||
        tree_->Find(target) != nullptr) {
      return PosixError(what, from, ENOTEMPTY);
    }
    tree_->MoveDirectory(source, target);
    return IOStatus::OK();
  }
  const MemFilePtr file = tree_->Find(source);
  if (file == nullptr) return PosixError(what, from, ENOENT);
  if (tree_->directories.count(target) > 0) {
    return PosixError(what, from, EISDIR);
  }
  tree_->ChangeNames({{{source, nullptr}, {target, file}}});
  return IOStatus::OK();
}

IOStatus MemFileSystem::LinkFile(const std::string& from, const std::string& to,
                                 const IOOptions&, IODebugContext*) {
  const std::string target = MemNormalise(to);
  const std::string what = "while link file to " + to;
  MutexLock lock(&tree_->mu);
  const MemFilePtr file = tree_->Find(MemNormalise(from));
  if (file == nullptr || tree_->directories.count(MemParent(target)) == 0) {
    return PosixError(what, from, ENOENT);
  }
  if (tree_->Find(target) != nullptr) return PosixError(what, from, EEXIST);
  tree_->ChangeNames({{{target, file}}});
  return IOStatus::OK();
}

IOStatus MemFileSystem::NumFileLinks(const std::string& path, const IOOptions&,
                                     uint64_t* count, IODebugContext*) {
  MutexLock lock(&tree_->mu);
  const MemFilePtr file = tree_->Find(MemNormalise(path));
  if (file == nullptr) {
    return PosixError("while stat a file for num file links", path, ENOENT);
  }
  *count = file->links;
  return IOStatus::OK();
}

IOStatus MemFileSystem::AreFilesSame(const std::string& first,
                                     const std::string& second,
                                     const IOOptions&, bool* same,
                                     IODebugContext*) {
  MutexLock lock(&tree_->mu);
  const MemFilePtr a = tree_->Find(MemNormalise(first));
  const MemFilePtr b = tree_->Find(MemNormalise(second));
  if (a == nullptr) return PosixError("stat file", first, ENOENT);
  if (b == nullptr) return PosixError("stat file", second, ENOENT);
  *same = a == b;
  return IOStatus::OK();
}

IOStatus MemFileSystem::LockFile(const std::string& path, const IOOptions&,
                                 FileLock** lock, IODebugContext*) {
  const std::string normal = MemNormalise(path);
  *lock = nullptr;
  MutexLock guard(&tree_->mu);
  if (tree_->directories.count(MemParent(normal)) == 0) {
    return PosixError("while open a file for lock", path, ENOENT);
  }
  if (tree_->locked.count(normal) > 0) {
    return PosixError("lock hold by current process", path, ENOLCK);
  }
  if (tree_->Find(normal) == nullptr) {
    tree_->ChangeNames({{{normal, tree_->NewFile()}}});
  }
  tree_->locked.insert(normal);
  *lock = new MemLock(normal);
  return IOStatus::OK();
}

IOStatus MemFileSystem::UnlockFile(FileLock* lock, const IOOptions&,
                                   IODebugContext*) {
  const std::unique_ptr<MemLock> held(static_cast<MemLock*>(lock));
  MutexLock guard(&tree_->mu);
  tree_->locked.erase(held->path);
  return IOStatus::OK();
}

IOStatus MemFileSystem::GetTestDirectory(const IOOptions& options,
                                         std::string* path,
                                         IODebugContext* dbg) {
  *path = "/test";
  return CreateDirIfMissing(*path, options, dbg);
}

IOStatus MemFileSystem::GetAbsolutePath(const std::string& path,
                                        const IOOptions&, std::string* absolute,
                                        IODebugContext*) {
  *absolute = MemNormalise(path);
  return IOStatus::OK();
}

IOStatus MemFileSystem::GetFreeSpace(const std::string&, const IOOptions&,
                                     uint64_t* bytes, IODebugContext*) {
  *bytes = tree_->options.free_bytes;
  return IOStatus::OK();
}

IOStatus MemFileSystem::IsDirectory(const std::string& path, const IOOptions&,
                                    bool* is_dir, IODebugContext*) {
  const std::string normal = MemNormalise(path);
  MutexLock lock(&tree_->mu);
  *is_dir = tree_->directories.count(normal) > 0;
  if (!*is_dir && tree_->Find(normal) == nullptr) {
    return PosixError("While doing stat for IsDirectory()", path, ENOENT);
  }
  return IOStatus::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
