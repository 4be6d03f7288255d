#include "table/blob/blob_file_writer.h"

#include <cassert>
#include <utility>

#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

BlobFileWriter::BlobFileWriter(const BlobWriteOptions& options,
                               std::unique_ptr<WritableFileWriter> file)
    : options_(options), file_(std::move(file)) {
  if (options_.checksum_factory != nullptr) {
    FileChecksumGenContext context;
    context.file_name = file_->file_name();
    checksum_ = options_.checksum_factory->CreateFileChecksumGenerator(context);
  }
}

Status BlobFileWriter::Append(const Slice& bytes) {
  if (checksum_ != nullptr) checksum_->Update(bytes.data(), bytes.size());
  return file_->Append(bytes);
}

Status BlobFileWriter::WriteHeader() {
  assert(file_->GetFileSize() == 0 && blob_count_ == 0);
  BlobFileHeader header;
  header.family_id = options_.family_id;
  header.compression = options_.compression;
  record_.clear();
  header.EncodeTo(&record_);
  assert(record_.size() == kBlobHeaderSize);
  return Append(record_);
}

Result<BlobIndex> BlobFileWriter::Add(const Slice& user_key,
                                      const Slice& value) {
  assert(file_->GetFileSize() >= kBlobHeaderSize);
  Slice stored = value;
  if (options_.compression != kNoCompression) {
    CompressRequest request;
    request.type = options_.compression;
    request.options = &options_.compression_opts;
    RETURN_IF_ERROR(Compress(request, value, &compressed_));
    stored = compressed_;
  }
  BlobIndex index;
  index.file_number = options_.file_number;
  index.offset = file_->GetFileSize() + kBlobRecordHeaderSize + user_key.size();
  index.size = stored.size();
  index.compression = options_.compression;

  record_.clear();
  BlobRecordHeader::Of(user_key, stored).EncodeTo(&record_);
  record_.append(user_key.data(), user_key.size());
  RETURN_IF_ERROR(Append(record_));
  RETURN_IF_ERROR(Append(stored));
  assert(file_->GetFileSize() == index.offset + index.size);
  ++blob_count_;
  blob_bytes_ += BlobRecordBytes(user_key.size(), stored.size());
  return index;
}

Status BlobFileWriter::Finish(bool use_fsync) {
  BlobFileFooter footer;
  footer.blob_count = blob_count_;
  record_.clear();
  footer.EncodeTo(&record_);
  assert(record_.size() == kBlobFooterSize);
  assert(file_->GetFileSize() == kBlobHeaderSize + blob_bytes_);
  RETURN_IF_ERROR(Append(record_));
  if (checksum_ != nullptr) checksum_->Finalize();
  RETURN_IF_ERROR(file_->Sync(use_fsync));
  return file_->Close();
}

}  // namespace ROCKSDB_NAMESPACE::engine
