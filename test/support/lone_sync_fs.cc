#include "test/support/lone_sync_fs.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace ROCKSDB_NAMESPACE::test {

namespace {

class LoneSyncFile final : public FSWritableFileOwnerWrapper {
 public:
  LoneSyncFile(std::unique_ptr<FSWritableFile> file, std::string path)
      : FSWritableFileOwnerWrapper(std::move(file)), path_(std::move(path)) {}

  bool IsSyncThreadSafe() const override { return false; }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    const Alone alone(this, "append");
    return target()->Append(data, options, dbg);
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    const Alone alone(this, "append");
    return target()->Append(data, options, info, dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    const Alone alone(this, "append");
    return target()->PositionedAppend(data, offset, options, dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& info,
                            IODebugContext* dbg) override {
    const Alone alone(this, "append");
    return target()->PositionedAppend(data, offset, options, info, dbg);
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    const Alone alone(this, "truncate");
    return target()->Truncate(size, options, dbg);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    const Alone alone(this, "close");
    return target()->Close(options, dbg);
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    const Alone alone(this, "flush");
    return target()->Flush(options, dbg);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    const Alone alone(this, "sync");
    return target()->Sync(options, dbg);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    const Alone alone(this, "sync");
    return target()->Fsync(options, dbg);
  }
  IOStatus RangeSync(uint64_t offset, uint64_t n, const IOOptions& options,
                     IODebugContext* dbg) override {
    const Alone alone(this, "range sync");
    return target()->RangeSync(offset, n, options, dbg);
  }

 private:
  // The only call for a scope.
  class Alone {
   public:
    Alone(LoneSyncFile* file, const char* what) : file_(file) {
      const char* const other = file->running_.exchange(what);
      if (other == nullptr) return;
      std::fprintf(stderr, "%s of %s during %s, which is not thread-safe\n",
                   what, file->path_.c_str(), other);
      std::abort();
    }
    ~Alone() { file_->running_.store(nullptr); }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    LoneSyncFile* const file_;
  };

  const std::string path_;
  std::atomic<const char*> running_{nullptr};
};

IOStatus Wrap(const IOStatus& status, const std::string& path,
              std::unique_ptr<FSWritableFile>* r) {
  if (status.ok()) *r = std::make_unique<LoneSyncFile>(std::move(*r), path);
  return status;
}

}  // namespace

IOStatus LoneSyncFileSystem::NewWritableFile(const std::string& path,
                                             const FileOptions& options,
                                             std::unique_ptr<FSWritableFile>* r,
                                             IODebugContext* dbg) {
  return Wrap(target()->NewWritableFile(path, options, r, dbg), path, r);
}

IOStatus LoneSyncFileSystem::ReopenWritableFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* r, IODebugContext* dbg) {
  return Wrap(target()->ReopenWritableFile(path, options, r, dbg), path, r);
}

IOStatus LoneSyncFileSystem::ReuseWritableFile(
    const std::string& path, const std::string& old_path,
    const FileOptions& options, std::unique_ptr<FSWritableFile>* r,
    IODebugContext* dbg) {
  return Wrap(target()->ReuseWritableFile(path, old_path, options, r, dbg),
              path, r);
}

}  // namespace ROCKSDB_NAMESPACE::test
