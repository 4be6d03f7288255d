#include "env/file_copy.h"

#include <algorithm>

#include "env/file_reader.h"
#include "env/file_writer.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

Status CopyBytes(SequentialFileReader* from, uint64_t size,
                 WritableFileWriter* to) {
  constexpr size_t kChunkBytes = size_t{256} * 1024;
  std::string scratch(kChunkBytes, '\0');
  uint64_t done = 0;
  while (done < size) {
    Slice chunk;
    RETURN_IF_ERROR(from->Read(std::min<uint64_t>(size - done, kChunkBytes),
                               &chunk, scratch.data()));
    if (chunk.empty()) break;
    RETURN_IF_ERROR(to->Append(chunk));
    done += chunk.size();
  }
  if (done == size || size == UINT64_MAX) return Status::OK();
  return Status::Corruption(from->file_name() + ": expected " +
                            std::to_string(size) + " bytes, found " +
                            std::to_string(done));
}

}  // namespace

Status CopyFileSynced(FileSystem* fs, const std::string& from,
                      const std::string& to, uint64_t size,
                      const FileCopyOptions& options) {
  auto source = SequentialFileReader::Open(fs, from, FileOptions());
  if (!source.ok()) return source.status();
  FileOptions file_options;
  file_options.temperature = options.temperature;
  file_options.rate_limiter = options.rate_limiter;
  auto target = WritableFileWriter::Create(fs, to, file_options);
  if (!target.ok()) return target.status();
  if (options.rate_limiter != nullptr) {
    (*target)->SetIOPriority(Env::IO_LOW);
  }
  Status status = CopyBytes(source->get(), size, target->get());
  if (status.ok()) status = (*target)->Sync(options.use_fsync);
  const Status closed = (*target)->Close();
  if (status.ok()) status = closed;
  if (!status.ok()) (void)fs->DeleteFile(to, IOOptions(), nullptr);
  return status;
}

Status SyncFile(FileSystem* fs, const std::string& path, bool use_fsync) {
  std::unique_ptr<FSWritableFile> file;
  RETURN_IF_ERROR(fs->ReopenWritableFile(path, FileOptions(), &file, nullptr));
  RETURN_IF_ERROR(use_fsync ? file->Fsync(IOOptions(), nullptr)
                            : file->Sync(IOOptions(), nullptr));
  return file->Close(IOOptions(), nullptr);
}

Status LinkFileSynced(FileSystem* fs, const std::string& from,
                      const std::string& to, bool use_fsync) {
  RETURN_IF_ERROR(fs->LinkFile(from, to, IOOptions(), nullptr));
  const Status status = SyncFile(fs, to, use_fsync);
  if (!status.ok()) (void)fs->DeleteFile(to, IOOptions(), nullptr);
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
