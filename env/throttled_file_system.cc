#include "env/throttled_file_system.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using FileId = DeviceModel::FileId;

class ThrottledWritableFile final : public FSWritableFileOwnerWrapper {
 public:
  ThrottledWritableFile(std::unique_ptr<FSWritableFile>&& target, FileId id,
                        ThrottledFileSystem* fs)
      : FSWritableFileOwnerWrapper(std::move(target)), id_(id), fs_(fs) {}
  ~ThrottledWritableFile() override { fs_->ForgetWriter(id_); }

  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    return Charged(target()->Append(data, options, dbg), data.size());
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    return Charged(target()->Append(data, options, info, dbg), data.size());
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    return Charged(target()->PositionedAppend(data, offset, options, dbg),
                   data.size());
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& info,
                            IODebugContext* dbg) override {
    return Charged(target()->PositionedAppend(data, offset, options, info, dbg),
                   data.size());
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return Synced(target()->Sync(options, dbg));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return Synced(target()->Fsync(options, dbg));
  }

 private:
  // A failed call cost nothing.
  IOStatus Charged(IOStatus status, uint64_t bytes) {
    if (status.ok()) fs_->ChargeAppend(id_, bytes);
    return status;
  }
  IOStatus Synced(IOStatus status) {
    if (status.ok()) fs_->ChargeSync(id_);
    return status;
  }

  const FileId id_;
  ThrottledFileSystem* const fs_;
};

class ThrottledRandomAccessFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  ThrottledRandomAccessFile(std::unique_ptr<FSRandomAccessFile>&& target,
                            FileId id, ThrottledFileSystem* fs)
      : FSRandomAccessFileOwnerWrapper(std::move(target)), id_(id), fs_(fs) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    IOStatus status = target()->Read(offset, n, options, result, scratch, dbg);
    if (status.ok()) Charge(offset, result->size());
    return status;
  }
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override {
    IOStatus status = target()->MultiRead(reqs, num_reqs, options, dbg);
    for (size_t i = 0; status.ok() && i < num_reqs; ++i) {
      if (reqs[i].status.ok()) Charge(reqs[i].offset, reqs[i].result.size());
    }
    return status;
  }
  // NOLINTNEXTLINE(readability-function-size): the interface's parameters.
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& opts,
                     std::function<void(FSReadRequest&, void*)> cb,
                     void* cb_arg, void** io_handle, IOHandleDeleter* del_fn,
                     IODebugContext* dbg) override {
    // Charged when it starts: the caller may wait for it anywhere.
    Charge(req.offset, req.len);
    return target()->ReadAsync(req, opts, std::move(cb), cb_arg, io_handle,
                               del_fn, dbg);
  }

 private:
  void Charge(uint64_t offset, uint64_t bytes) const {
    fs_->ChargeRead(id_, offset, bytes, target()->use_direct_io());
  }

  const FileId id_;
  ThrottledFileSystem* const fs_;
};

class ThrottledSequentialFile final : public FSSequentialFileOwnerWrapper {
 public:
  ThrottledSequentialFile(std::unique_ptr<FSSequentialFile>&& target, FileId id,
                          ThrottledFileSystem* fs)
      : FSSequentialFileOwnerWrapper(std::move(target)), id_(id), fs_(fs) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IOStatus status = target()->Read(n, options, result, scratch, dbg);
    if (!status.ok()) return status;
    fs_->ChargeRead(id_, offset_, result->size(), target()->use_direct_io());
    offset_ += result->size();
    return status;
  }
  IOStatus Skip(uint64_t n) override {
    IOStatus status = target()->Skip(n);
    if (status.ok()) offset_ += n;
    return status;
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override {
    IOStatus status =
        target()->PositionedRead(offset, n, options, result, scratch, dbg);
    if (status.ok()) {
      fs_->ChargeRead(id_, offset, result->size(), target()->use_direct_io());
    }
    return status;
  }

 private:
  const FileId id_;
  ThrottledFileSystem* const fs_;
  uint64_t offset_ = 0;
};

}  // namespace

ThrottledFileSystem::ThrottledFileSystem(
    const std::shared_ptr<FileSystem>& target,
    std::shared_ptr<SystemClock> clock, const DeviceModel::Options& options,
    std::function<bool(const std::string& path)> is_wal)
    : FileSystemWrapper(target),
      clock_(std::move(clock)),
      is_wal_(std::move(is_wal)),
      model_(options) {}

IOStatus ThrottledFileSystem::NewSequentialFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSSequentialFile>* r, IODebugContext* dbg) {
  std::unique_ptr<FSSequentialFile> file;
  IOStatus status = target()->NewSequentialFile(f, file_opts, &file, dbg);
  if (!status.ok()) return status;
  *r =
      std::make_unique<ThrottledSequentialFile>(std::move(file), IdOf(f), this);
  return status;
}

IOStatus ThrottledFileSystem::NewRandomAccessFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSRandomAccessFile>* r, IODebugContext* dbg) {
  std::unique_ptr<FSRandomAccessFile> file;
  IOStatus status = target()->NewRandomAccessFile(f, file_opts, &file, dbg);
  if (!status.ok()) return status;
  *r = std::make_unique<ThrottledRandomAccessFile>(std::move(file), IdOf(f),
                                                   this);
  return status;
}

IOStatus ThrottledFileSystem::NewWritableFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* r, IODebugContext* dbg) {
  IOStatus status = target()->NewWritableFile(f, file_opts, r, dbg);
  if (status.ok()) WrapWritable(f, r);
  return status;
}

IOStatus ThrottledFileSystem::ReopenWritableFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* r, IODebugContext* dbg) {
  IOStatus status = target()->ReopenWritableFile(f, file_opts, r, dbg);
  if (status.ok()) WrapWritable(f, r);
  return status;
}

IOStatus ThrottledFileSystem::ReuseWritableFile(
    const std::string& f, const std::string& old_fname,
    const FileOptions& file_opts, std::unique_ptr<FSWritableFile>* r,
    IODebugContext* dbg) {
  IOStatus status =
      target()->ReuseWritableFile(f, old_fname, file_opts, r, dbg);
  if (!status.ok()) return status;
  {
    MutexLock lock(&mu_);
    DropName(old_fname);
  }
  WrapWritable(f, r);
  return status;
}

IOStatus ThrottledFileSystem::DeleteFile(const std::string& f,
                                         const IOOptions& options,
                                         IODebugContext* dbg) {
  IOStatus status = target()->DeleteFile(f, options, dbg);
  MutexLock lock(&mu_);
  if (status.ok()) DropName(f);
  return status;
}

IOStatus ThrottledFileSystem::RenameFile(const std::string& from,
                                         const std::string& to,
                                         const IOOptions& options,
                                         IODebugContext* dbg) {
  IOStatus status = target()->RenameFile(from, to, options, dbg);
  if (!status.ok()) return status;
  MutexLock lock(&mu_);
  DropName(to);
  const auto it = ids_.find(from);
  if (it != ids_.end()) {
    const FileId id = it->second;
    ids_.erase(it);
    ids_[to] = id;
  }
  return status;
}

uint64_t ThrottledFileSystem::written_bytes() const {
  MutexLock lock(&mu_);
  return model_.written_bytes();
}

uint64_t ThrottledFileSystem::read_bytes() const {
  MutexLock lock(&mu_);
  return model_.read_bytes();
}

void ThrottledFileSystem::ChargeAppend(FileId file, uint64_t bytes) {
  uint64_t done_ns = 0;
  {
    MutexLock lock(&mu_);
    done_ns = model_.Append(file, bytes, clock_->NowNanos());
  }
  SleepUntil(done_ns);
}

void ThrottledFileSystem::ChargeSync(FileId file) {
  uint64_t done_ns = 0;
  {
    MutexLock lock(&mu_);
    done_ns = model_.Sync(file, clock_->NowNanos());
  }
  SleepUntil(done_ns);
}

void ThrottledFileSystem::ChargeRead(FileId file, uint64_t offset,
                                     uint64_t bytes, bool direct) {
  uint64_t done_ns = 0;
  {
    MutexLock lock(&mu_);
    done_ns = model_.Read(file, offset, bytes, direct, clock_->NowNanos());
  }
  SleepUntil(done_ns);
}

void ThrottledFileSystem::SleepUntil(uint64_t done_ns) {
  const uint64_t now_ns = clock_->NowNanos();
  if (done_ns < now_ns + kSleepMinNs) return;
  const uint64_t micros = (done_ns - now_ns) / 1000;
  clock_->SleepForMicroseconds(static_cast<int>(
      std::min<uint64_t>(micros, std::numeric_limits<int>::max())));
}

void ThrottledFileSystem::WrapWritable(const std::string& f,
                                       std::unique_ptr<FSWritableFile>* r) {
  MutexLock lock(&mu_);
  DropName(f);
  const FileId id = model_.AddFile({is_wal_(f), (*r)->use_direct_io()});
  ids_[f] = id;
  writers_.insert(id);
  *r = std::make_unique<ThrottledWritableFile>(std::move(*r), id, this);
}

FileId ThrottledFileSystem::IdOf(const std::string& f) const {
  MutexLock lock(&mu_);
  const auto it = ids_.find(f);
  return it == ids_.end() ? 0 : it->second;
}

void ThrottledFileSystem::DropName(const std::string& f) {
  const auto it = ids_.find(f);
  if (it == ids_.end()) return;
  if (writers_.count(it->second) != 0) {
    nameless_.insert(it->second);
  } else {
    model_.RemoveFile(it->second);
  }
  ids_.erase(it);
}

void ThrottledFileSystem::ForgetWriter(FileId file) {
  MutexLock lock(&mu_);
  writers_.erase(file);
  if (nameless_.erase(file) != 0) model_.RemoveFile(file);
}

}  // namespace ROCKSDB_NAMESPACE::engine
