// Bodies of rocksdb/file_system.h that every file system shares.

#include "rocksdb/file_system.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "env/info_log.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

FileSystem::FileSystem() = default;
FileSystem::~FileSystem() = default;

Status FileSystem::Load(const std::string& value,
                        std::shared_ptr<FileSystem>* result) {
  if (value.empty() || value == kDefaultName() || value == "posix") {
    *result = Default();
    return Status::OK();
  }
  return Status::NotSupported("No FileSystem is called", value);
}

Status FileSystem::CreateFromString(const ConfigOptions&,
                                    const std::string& value,
                                    std::shared_ptr<FileSystem>* result) {
  return Load(value, result);
}

Status SystemClock::CreateFromString(const ConfigOptions&,
                                     const std::string& value,
                                     std::shared_ptr<SystemClock>* result) {
  if (value.empty() || value == kDefaultName()) {
    *result = Default();
    return Status::OK();
  }
  return Status::NotSupported("No SystemClock is called", value);
}

IOStatus FileSystem::ReuseWritableFile(const std::string& fname,
                                       const std::string& old_fname,
                                       const FileOptions& file_opts,
                                       std::unique_ptr<FSWritableFile>* result,
                                       IODebugContext* dbg) {
  IOStatus s = RenameFile(old_fname, fname, file_opts.io_options, dbg);
  if (!s.ok()) return s;
  return NewWritableFile(fname, file_opts, result, dbg);
}

IOStatus FileSystem::GetChildrenFileAttributes(
    const std::string& dir, const IOOptions& options,
    std::vector<FileAttributes>* result, IODebugContext* dbg) {
  std::vector<std::string> names;
  IOStatus s = GetChildren(dir, options, &names, dbg);
  if (!s.ok()) return s;
  result->clear();
  const std::string prefix = dir + "/";
  for (std::string& name : names) {
    const std::string path = prefix + name;
    uint64_t size = 0;
    s = GetFileSize(path, options, &size, dbg);
    if (s.ok()) {
      result->push_back({std::move(name), size});
    } else if (!FileExists(path, options, dbg).IsNotFound()) {
      return s;
    }
  }
  return IOStatus::OK();
}

IOStatus FileSystem::SyncFile(const std::string& fname,
                              const FileOptions& file_options,
                              const IOOptions& io_options, bool use_fsync,
                              IODebugContext* dbg) {
  // Reopening would make a file that is missing.
  IOStatus s = FileExists(fname, io_options, dbg);
  if (s.IsNotFound()) return IOStatus::PathNotFound("While sync file", fname);
  if (!s.ok()) return s;
  std::unique_ptr<FSWritableFile> file;
  s = ReopenWritableFile(fname, file_options, &file, dbg);
  if (!s.ok()) return s;
  s = use_fsync ? file->Fsync(io_options, dbg) : file->Sync(io_options, dbg);
  IOStatus closed = file->Close(io_options, dbg);
  return s.ok() ? closed : s;
}

IOStatus FileSystem::NewLogger(const std::string& fname, const IOOptions&,
                               std::shared_ptr<Logger>* result,
                               IODebugContext*) {
  return status_to_io_status(
      engine::NewFileLogger(this, SystemClock::Default().get(), fname, result));
}

namespace {

// The write-ahead log and the MANIFEST are read and written through the page
// cache: they are small, and appended to in pieces of any size.
FileOptions Buffered(FileOptions options) {
  options.use_direct_reads = false;
  options.use_direct_writes = false;
  options.use_mmap_reads = false;
  options.use_mmap_writes = false;
  return options;
}

}  // namespace

FileOptions FileSystem::OptimizeForLogRead(const FileOptions& options) const {
  FileOptions result = options;
  result.use_direct_reads = false;
  return result;
}

FileOptions FileSystem::OptimizeForManifestRead(
    const FileOptions& options) const {
  return OptimizeForLogRead(options);
}

FileOptions FileSystem::OptimizeForManifestWrite(
    const FileOptions& options) const {
  return Buffered(options);
}

FileOptions FileSystem::OptimizeForCompactionTableWrite(
    const FileOptions& options, const ImmutableDBOptions&) const {
  return options;
}

FileOptions FileSystem::OptimizeForCompactionTableRead(
    const FileOptions& options, const ImmutableDBOptions&) const {
  return options;
}

FileOptions FileSystem::OptimizeForBlobFileRead(
    const FileOptions& options, const ImmutableDBOptions&) const {
  return options;
}

IOStatus WriteStringToFile(FileSystem* fs, const Slice& data,
                           const std::string& fname, bool should_sync,
                           const IOOptions& io_options,
                           const FileOptions& file_options) {
  std::unique_ptr<FSWritableFile> file;
  IOStatus s = fs->NewWritableFile(fname, file_options, &file, nullptr);
  if (!s.ok()) return s;
  s = file->Append(data, io_options, nullptr);
  if (s.ok() && should_sync) s = file->Sync(io_options, nullptr);
  IOStatus closed = file->Close(io_options, nullptr);
  if (s.ok()) s = std::move(closed);
  // Half a file under the right name would be taken for a whole one.
  if (!s.ok())
    fs->DeleteFile(fname, io_options, nullptr).PermitUncheckedError();
  return s;
}

IOStatus ReadFileToString(FileSystem* fs, const std::string& fname,
                          std::string* data) {
  return ReadFileToString(fs, fname, IOOptions(), data);
}

IOStatus ReadFileToString(FileSystem* fs, const std::string& fname,
                          const IOOptions& options, std::string* data) {
  data->clear();
  std::unique_ptr<FSSequentialFile> file;
  IOStatus s = fs->NewSequentialFile(fname, FileOptions(), &file, nullptr);
  if (!s.ok()) return s;
  constexpr size_t kBufferBytes = 8192;
  const std::unique_ptr<char[]> buffer(new char[kBufferBytes]);
  while (true) {
    Slice piece;
    s = file->Read(kBufferBytes, options, &piece, buffer.get(), nullptr);
    if (!s.ok() || piece.empty()) return s;
    data->append(piece.data(), piece.size());
  }
}

}  // namespace ROCKSDB_NAMESPACE
