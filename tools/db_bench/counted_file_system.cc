#include "tools/db_bench/counted_file_system.h"

#include <cinttypes>
#include <cstdio>
#include <functional>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

using Operations = std::shared_ptr<FileOperations>;

class CountedSequentialFile final : public FSSequentialFileOwnerWrapper {
 public:
  CountedSequentialFile(std::unique_ptr<FSSequentialFile>&& file,
                        Operations operations)
      : FSSequentialFileOwnerWrapper(std::move(file)),
        operations_(std::move(operations)) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IOStatus read =
        FSSequentialFileOwnerWrapper::Read(n, options, result, scratch, dbg);
    if (read.ok()) operations_->CountRead(result->size());
    return read;
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override {
    IOStatus read = FSSequentialFileOwnerWrapper::PositionedRead(
        offset, n, options, result, scratch, dbg);
    if (read.ok()) operations_->CountRead(result->size());
    return read;
  }

 private:
  const Operations operations_;
};

class CountedRandomAccessFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  CountedRandomAccessFile(std::unique_ptr<FSRandomAccessFile>&& file,
                          Operations operations)
      : FSRandomAccessFileOwnerWrapper(std::move(file)),
        operations_(std::move(operations)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    IOStatus read = FSRandomAccessFileOwnerWrapper::Read(offset, n, options,
                                                         result, scratch, dbg);
    if (read.ok()) operations_->CountRead(result->size());
    return read;
  }
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override {
    IOStatus read =
        FSRandomAccessFileOwnerWrapper::MultiRead(reqs, num_reqs, options, dbg);
    for (size_t i = 0; read.ok() && i < num_reqs; ++i) {
      if (reqs[i].status.ok()) operations_->CountRead(reqs[i].result.size());
    }
    return read;
  }
  // NOLINTNEXTLINE(readability-function-size): the interface's parameters.
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& opts,
                     std::function<void(FSReadRequest&, void*)> cb,
                     void* cb_arg, void** io_handle, IOHandleDeleter* del_fn,
                     IODebugContext* dbg) override {
    const auto counted = [operations = operations_, then = std::move(cb)](
                             FSReadRequest& done, void* argument) {
      if (done.status.ok()) operations->CountRead(done.result.size());
      then(done, argument);
    };
    return FSRandomAccessFileOwnerWrapper::ReadAsync(req, opts, counted, cb_arg,
                                                     io_handle, del_fn, dbg);
  }

 private:
  const Operations operations_;
};

class CountedWritableFile final : public FSWritableFileOwnerWrapper {
 public:
  CountedWritableFile(std::unique_ptr<FSWritableFile>&& file,
                      Operations operations)
      : FSWritableFileOwnerWrapper(std::move(file)),
        operations_(std::move(operations)) {}

  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    operations_->CountAppend(data.size());
    return FSWritableFileOwnerWrapper::Append(data, options, dbg);
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    operations_->CountAppend(data.size());
    return FSWritableFileOwnerWrapper::Append(data, options, info, dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    operations_->CountAppend(data.size());
    return FSWritableFileOwnerWrapper::PositionedAppend(data, offset, options,
                                                        dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& info,
                            IODebugContext* dbg) override {
    operations_->CountAppend(data.size());
    return FSWritableFileOwnerWrapper::PositionedAppend(data, offset, options,
                                                        info, dbg);
  }

 private:
  const Operations operations_;
};

// `opened`: how opening *file ended.
template <typename Counted, typename File>
IOStatus CountOpened(IOStatus opened, const Operations& operations,
                     std::unique_ptr<File>* file) {
  if (!opened.ok()) return opened;
  operations->opened.fetch_add(1, std::memory_order_relaxed);
  *file = std::make_unique<Counted>(std::move(*file), operations);
  return opened;
}

}  // namespace

void FileOperations::Reset() {
  opened = 0;
  reads = 0;
  bytes_read = 0;
  appends = 0;
  bytes_written = 0;
}

void FileOperations::Print() const {
  std::printf("Num files opened: %" PRIu64 "\n", opened.load());
  std::printf("Num Read(): %" PRIu64 "\n", reads.load());
  std::printf("Num Append(): %" PRIu64 "\n", appends.load());
  std::printf("Num bytes read: %" PRIu64 "\n", bytes_read.load());
  std::printf("Num bytes written: %" PRIu64 "\n", bytes_written.load());
}

IOStatus CountedFileSystem::NewSequentialFile(
    const std::string& f, const FileOptions& options,
    std::unique_ptr<FSSequentialFile>* r, IODebugContext* dbg) {
  return CountOpened<CountedSequentialFile>(
      FileSystemWrapper::NewSequentialFile(f, options, r, dbg), operations_, r);
}

IOStatus CountedFileSystem::NewRandomAccessFile(
    const std::string& f, const FileOptions& options,
    std::unique_ptr<FSRandomAccessFile>* r, IODebugContext* dbg) {
  return CountOpened<CountedRandomAccessFile>(
      FileSystemWrapper::NewRandomAccessFile(f, options, r, dbg), operations_,
      r);
}

IOStatus CountedFileSystem::NewWritableFile(const std::string& f,
                                            const FileOptions& options,
                                            std::unique_ptr<FSWritableFile>* r,
                                            IODebugContext* dbg) {
  return CountOpened<CountedWritableFile>(
      FileSystemWrapper::NewWritableFile(f, options, r, dbg), operations_, r);
}

IOStatus CountedFileSystem::ReopenWritableFile(
    const std::string& f, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* r, IODebugContext* dbg) {
  return CountOpened<CountedWritableFile>(
      FileSystemWrapper::ReopenWritableFile(f, options, r, dbg), operations_,
      r);
}

IOStatus CountedFileSystem::ReuseWritableFile(
    const std::string& f, const std::string& old_fname,
    const FileOptions& options, std::unique_ptr<FSWritableFile>* r,
    IODebugContext* dbg) {
  return CountOpened<CountedWritableFile>(
      FileSystemWrapper::ReuseWritableFile(f, old_fname, options, r, dbg),
      operations_, r);
}

}  // namespace ROCKSDB_NAMESPACE::bench
