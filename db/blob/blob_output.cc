#include "db/blob/blob_output.h"

#include <cassert>
#include <utility>

#include "db/format/file_names.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

BlobOutput::BlobOutput(BlobOutputOptions options)
    : options_(std::move(options)) {}

BlobOutput::~BlobOutput() {
  FileSystem* const fs = options_.store->fs;
  if (file_ != nullptr) {
    const uint64_t number = file_->file_number();
    file_->Abandon();
    file_.reset();
    (void)fs->DeleteFile(PathOf(number), IOOptions(), nullptr);  // (2)
    if (options_.observer != nullptr) {
      BlobFileAddition unfinished;
      unfinished.number = number;
      options_.observer->BlobFileEnded(unfinished,
                                       Status::Aborted("the job has failed"));
    }
  }
  if (kept_) return;  // (2)
  for (const BlobFileAddition& file : files_) {
    (void)fs->DeleteFile(PathOf(file.number), IOOptions(), nullptr);
  }
}

std::string BlobOutput::PathOf(uint64_t number) const {
  return BlobFileName(options_.home->Dir(0), number);
}

Status BlobOutput::Begin() {
  assert(file_ == nullptr);
  const StoreContext& store = *options_.store;
  BlobWriteOptions write;
  write.file_number = options_.new_file_number();
  write.family_id = options_.family_id;
  write.compression = options_.family->blob_compression_type;
  write.compression_opts = options_.family->blob_compression_opts;
  write.checksum_factory = store.options.file_checksum_gen_factory.get();
  if (options_.observer != nullptr) {
    options_.observer->BlobFileBegun(write.file_number);
  }
  Result<std::unique_ptr<WritableFileWriter>> file = WritableFileWriter::Create(
      store.fs, PathOf(write.file_number), options_.file_options,
      {store.statistics, BLOB_DB_BLOB_FILE_WRITE_MICROS, store.clock,
       options_.written_ticker});
  if (!file.ok()) {
    if (options_.observer != nullptr) {
      BlobFileAddition none;
      none.number = write.file_number;
      options_.observer->BlobFileEnded(none, file.status());
    }
    return file.status();
  }
  (*file)->SetIOPriority(options_.io_priority);
  (*file)->SetIoPass(options_.io_pass);
  (*file)->file()->SetWriteLifeTimeHint(options_.lifetime_hint);
  file_ = std::make_unique<BlobFileWriter>(write, std::move(*file));
  return file_->WriteHeader();
}

Status BlobOutput::EndFile() {
  assert(file_ != nullptr && file_->blob_count() > 0);
  const StoreContext& store = *options_.store;
  RETURN_IF_ERROR(file_->Finish(store.options.use_fsync));
  BlobFileAddition file;
  file.number = file_->file_number();
  file.blob_count = file_->blob_count();
  file.blob_bytes = file_->blob_bytes();
  if (const FileChecksumGenerator* checksum = file_->checksum()) {
    file.checksum_method = checksum->Name();
    file.checksum_value = checksum->GetChecksum();
  }
  const uint64_t bytes = file_->file_size();
  BlobFile written(file);
  written.home = options_.home;
  RETURN_IF_ERROR(options_.source->CheckReadable(written));  // (1)
  file_.reset();
  assert(files_.empty() || files_.back().number < file.number);
  files_.push_back(file);
  written_bytes_ += bytes;
  RecordTick(store.statistics, BLOB_DB_BLOB_FILE_BYTES_WRITTEN, bytes);
  RecordTick(store.statistics, BLOB_DB_BLOB_FILE_SYNCED);
  if (options_.observer != nullptr) {
    options_.observer->BlobFileEnded(file, Status::OK());
  }
  return Status::OK();
}

Status BlobOutput::Add(const Slice& user_key, const Slice& value,
                       std::string* blob_index) {
  if (file_ == nullptr) RETURN_IF_ERROR(Begin());
  const Result<BlobIndex> added = file_->Add(user_key, value);
  if (!added.ok()) return added.status();
  assert(added->file_number == file_->file_number());
  added->EncodeTo(blob_index);
  if (options_.warm_cache) options_.source->Warm(*added, value);
  const bool full = file_->file_size() >= options_.family->blob_file_size;
  return full ? EndFile() : Status::OK();
}

Status BlobOutput::Finish() {
  return file_ != nullptr ? EndFile() : Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
