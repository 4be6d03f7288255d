#include "db/backup/backup_env.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include "db/backup/backup_layout.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

class BackupFileSystem final : public FileSystemWrapper {
 public:
  BackupFileSystem(const std::shared_ptr<FileSystem>& fs,
                   const std::string& root, std::string name,
                   const BackupMeta& meta)
      : FileSystemWrapper(fs), name_(std::move(name)) {
    for (const BackupFile& file : meta.files) {
      if (file.excluded || !IsShared(file.path)) continue;
      shared_[name_ + "/" + OriginalName(file.path)] = root + "/" + file.path;
    }
  }

  const char* Name() const override { return "BackupFileSystem"; }

  IOStatus NewSequentialFile(const std::string& path,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* r,
                             IODebugContext* dbg) override {
    return target()->NewSequentialFile(Place(path), options, r, dbg);
  }
  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* r,
                               IODebugContext* dbg) override {
    return target()->NewRandomAccessFile(Place(path), options, r, dbg);
  }
  IOStatus FileExists(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override {
    return target()->FileExists(Place(path), options, dbg);
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions& options,
                       uint64_t* size, IODebugContext* dbg) override {
    return target()->GetFileSize(Place(path), options, size, dbg);
  }
  IOStatus GetFileModificationTime(const std::string& path,
                                   const IOOptions& options, uint64_t* time,
                                   IODebugContext* dbg) override {
    return target()->GetFileModificationTime(Place(path), options, time, dbg);
  }
  IOStatus GetChildren(const std::string& directory, const IOOptions& options,
                       std::vector<std::string>* names,
                       IODebugContext* dbg) override {
    IOStatus status = target()->GetChildren(directory, options, names, dbg);
    if (!status.ok() || directory != name_) return status;
    for (const auto& [path, place] : shared_) {
      names->push_back(path.substr(name_.size() + 1));
    }
    return status;
  }

  IOStatus NewWritableFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<FSWritableFile>*,
                           IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions&,
                              std::unique_ptr<FSWritableFile>*,
                              IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus ReuseWritableFile(const std::string& path, const std::string&,
                             const FileOptions&,
                             std::unique_ptr<FSWritableFile>*,
                             IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<FSRandomRWFile>*,
                           IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus NewLogger(const std::string& path, const IOOptions&,
                     std::shared_ptr<Logger>*, IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions&,
                      IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus Truncate(const std::string& path, size_t, const IOOptions&,
                    IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus CreateDir(const std::string& path, const IOOptions&,
                     IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& options,
                              IODebugContext* dbg) override {
    return target()->FileExists(path, options, dbg).ok() ? IOStatus::OK()
                                                         : Refuse(path);
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions&,
                     IODebugContext*) override {
    return Refuse(path);
  }
  IOStatus RenameFile(const std::string& from, const std::string&,
                      const IOOptions&, IODebugContext*) override {
    return Refuse(from);
  }
  IOStatus LinkFile(const std::string& from, const std::string&,
                    const IOOptions&, IODebugContext*) override {
    return Refuse(from);
  }
  IOStatus LockFile(const std::string& path, const IOOptions&, FileLock**,
                    IODebugContext*) override {
    return Refuse(path);
  }

 private:
  const std::string& Place(const std::string& path) const {
    const auto found = shared_.find(path);
    return found == shared_.end() ? path : found->second;
  }
  static IOStatus Refuse(const std::string& path) {
    return IOStatus::NotSupported("a backup cannot be changed", path);
  }

  const std::string name_;
  std::unordered_map<std::string, std::string> shared_;
};

}  // namespace

std::shared_ptr<Env> NewBackupEnv(const std::shared_ptr<FileSystem>& fs,
                                  const std::string& root,
                                  const std::string& name,
                                  const BackupMeta& meta) {
  return NewCompositeEnv(
      std::make_shared<BackupFileSystem>(fs, root, name, meta));
}

}  // namespace ROCKSDB_NAMESPACE::engine
