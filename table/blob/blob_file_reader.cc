#include "table/blob/blob_file_reader.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <utility>

#include "env/io_gate.h"
#include "rocksdb/system_clock.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

Status ApplyReadOptions(const ReadOptions& options, SystemClock* clock,
                        BlobReadRequest* request) {
  request->verify_checksums = options.verify_checksums;
  request->io.rate_limiter_priority = options.rate_limiter_priority;
  uint64_t timeout_micros =
      static_cast<uint64_t>(std::max<int64_t>(0, options.io_timeout.count()));
  if (options.deadline.count() > 0) {
    const auto deadline = static_cast<uint64_t>(options.deadline.count());
    const uint64_t now_micros = clock->NowMicros();
    if (now_micros >= deadline) return Status::TimedOut("Deadline exceeded");
    const uint64_t left_micros = deadline - now_micros;
    timeout_micros = timeout_micros == 0
                         ? left_micros
                         : std::min(timeout_micros, left_micros);
  }
  request->io.timeout = std::chrono::microseconds(timeout_micros);
  return Status::OK();
}

Status BlobFileReader::Damaged(const Status& why, uint64_t offset) const {
  const char* const state = why.getState();
  const std::string text = std::string(state != nullptr ? state : "") + " in " +
                           file_->file_name() + " offset " +
                           std::to_string(offset);
  return why.IsNotSupported() ? Status::NotSupported(text)
                              : Status::Corruption(text);
}

Status BlobFileReader::ReadBytes(const BlobReadRequest& request,
                                 uint64_t offset, size_t n,
                                 char* scratch) const {
  Slice bytes;
  {
    const IoGate::Turn turn(request.io_pass, IoKind::kRead, n,
                            file_->use_direct_io());
    RETURN_IF_ERROR(file_->Read(request.io, offset, n, &bytes, scratch));
  }
  if (bytes.size() != n) {
    return Damaged(Status::Corruption("truncated blob read: expected " +
                                      std::to_string(n) + " bytes, found " +
                                      std::to_string(bytes.size())),
                   offset);
  }
  // A mapped file shows its own memory.
  if (bytes.data() != scratch) std::memcpy(scratch, bytes.data(), n);
  return Status::OK();
}

Status BlobFileReader::ReadEnds(uint32_t family_id) {
  if (file_size_ < kBlobHeaderSize + kBlobFooterSize) {  // (1)
    return Damaged(
        Status::Corruption("blob file too short: expected at least " +
                           std::to_string(kBlobHeaderSize + kBlobFooterSize) +
                           " bytes, found " + std::to_string(file_size_)),
        0);
  }
  char buffer[kBlobFooterSize];
  const BlobReadRequest request;
  RETURN_IF_ERROR(ReadBytes(request, 0, kBlobHeaderSize, buffer));
  BlobFileHeader header;
  Status status = header.DecodeFrom(Slice(buffer, kBlobHeaderSize));
  if (status.ok() && header.family_id != family_id) {
    status = Status::Corruption("blob file's column family: expected " +
                                std::to_string(family_id) + ", found " +
                                std::to_string(header.family_id));
  }
  if (!status.ok()) return Damaged(status, 0);
  compression_ = header.compression;

  const uint64_t footer_at = file_size_ - kBlobFooterSize;
  RETURN_IF_ERROR(ReadBytes(request, footer_at, kBlobFooterSize, buffer));
  BlobFileFooter footer;
  status = footer.DecodeFrom(Slice(buffer, kBlobFooterSize));
  if (!status.ok()) return Damaged(status, footer_at);
  blob_count_ = footer.blob_count;
  return Status::OK();
}

Result<std::unique_ptr<BlobFileReader>> BlobFileReader::Open(
    std::unique_ptr<RandomAccessFileReader> file, uint64_t file_size,
    uint32_t family_id) {
  std::unique_ptr<BlobFileReader> reader(
      new BlobFileReader(std::move(file), file_size));
  RETURN_IF_ERROR(reader->ReadEnds(family_id));
  return reader;
}

// The record has to lie between header and footer, whatever the index says.
Status BlobFileReader::CheckBounds(const Slice& user_key,
                                   const BlobIndex& index) const {
  assert(file_size_ >= kBlobHeaderSize + kBlobFooterSize);  // (1), ReadEnds().
  const uint64_t first =
      kBlobHeaderSize + kBlobRecordHeaderSize + user_key.size();
  const uint64_t end = file_size_ - kBlobFooterSize;
  if (index.offset < first || index.offset > end ||  // (1)
      index.size > end - index.offset) {
    return Damaged(Status::Corruption(
                       "blob out of bounds: expected it between " +
                       std::to_string(first) + " and " + std::to_string(end) +
                       ", found size " + std::to_string(index.size)),
                   index.offset);
  }
  if (index.compression != compression_) {
    return Damaged(
        Status::Corruption("blob compression: expected type " +
                           std::to_string(static_cast<int>(compression_)) +
                           ", found " +
                           std::to_string(static_cast<int>(index.compression))),
        index.offset);
  }
  return Status::OK();
}

// `record` is header, key and value.
Status BlobFileReader::CheckRecord(const Slice& record, const Slice& user_key,
                                   const BlobIndex& index) const {
  const uint64_t offset =
      index.offset - user_key.size() - kBlobRecordHeaderSize;
  assert(record.size() == kBlobRecordHeaderSize + user_key.size() + index.size);
  BlobRecordHeader header;
  const Status status =
      header.DecodeFrom(Slice(record.data(), kBlobRecordHeaderSize));
  if (!status.ok()) return Damaged(status, offset);
  // (1)
  if (header.key_size != user_key.size() || header.value_size != index.size) {
    return Damaged(
        Status::Corruption("blob record sizes: expected key " +
                           std::to_string(user_key.size()) + " and value " +
                           std::to_string(index.size) + ", found " +
                           std::to_string(header.key_size) + " and " +
                           std::to_string(header.value_size)),
        offset);
  }
  const Slice key(record.data() + kBlobRecordHeaderSize, user_key.size());
  if (key != user_key) {  // (2)
    return Damaged(Status::Corruption("blob record key: expected " +
                                      user_key.ToString(/*hex=*/true) +
                                      ", found " + key.ToString(/*hex=*/true)),
                   offset);
  }
  const Slice value(key.data() + key.size(), index.size);
  const uint32_t crc = BlobRecordHeader::Of(key, value).blob_crc;
  if (crc != header.blob_crc) {  // (2)
    return Damaged(Status::Corruption("blob checksum mismatch: expected " +
                                      std::to_string(header.blob_crc) +
                                      ", found " + std::to_string(crc)),
                   offset);
  }
  return Status::OK();
}

Status BlobFileReader::VerifyRecord(const BlobReadRequest& request,
                                    uint64_t* next, std::string* buffer) const {
  const uint64_t offset = *next;
  uint64_t room = file_size_ - kBlobFooterSize - offset;
  BlobRecordHeader header;
  Status status = Status::Corruption("truncated blob record");
  if (room >= kBlobRecordHeaderSize) {
    char bytes[kBlobRecordHeaderSize];
    RETURN_IF_ERROR(ReadBytes(request, offset, kBlobRecordHeaderSize, bytes));
    status = header.DecodeFrom(Slice(bytes, kBlobRecordHeaderSize));
    room -= kBlobRecordHeaderSize;
  }
  if (!status.ok()) return Damaged(status, offset);
  // (1)
  if (header.key_size > room || header.value_size > room - header.key_size) {
    return Damaged(
        Status::Corruption("blob record sizes: expected at most " +
                           std::to_string(room) + ", found key " +
                           std::to_string(header.key_size) + " and value " +
                           std::to_string(header.value_size)),
        offset);
  }
  const auto key_size = static_cast<size_t>(header.key_size);
  const auto value_size = static_cast<size_t>(header.value_size);
  buffer->resize(key_size + value_size);
  if (!buffer->empty()) {
    RETURN_IF_ERROR(ReadBytes(request, offset + kBlobRecordHeaderSize,
                              buffer->size(), buffer->data()));
  }
  const Slice key(buffer->data(), key_size);
  const Slice value(buffer->data() + key_size, value_size);
  const uint32_t crc = BlobRecordHeader::Of(key, value).blob_crc;
  if (crc != header.blob_crc) {
    return Damaged(Status::Corruption("blob checksum mismatch: expected " +
                                      std::to_string(header.blob_crc) +
                                      ", found " + std::to_string(crc)),
                   offset);
  }
  *next = offset + BlobRecordBytes(header.key_size, header.value_size);
  return Status::OK();
}

Status BlobFileReader::VerifyRecords(const BlobReadRequest& request) const {
  std::string buffer;
  uint64_t next = kBlobHeaderSize;
  const uint64_t end = file_size_ - kBlobFooterSize;
  uint64_t count = 0;
  for (; next < end; ++count) {
    RETURN_IF_ERROR(VerifyRecord(request, &next, &buffer));
  }
  if (count == blob_count_) return Status::OK();
  return Damaged(
      Status::Corruption("blobs: expected " + std::to_string(blob_count_) +
                         ", found " + std::to_string(count)),
      end);
}

Result<BlobValue> InflateBlob(CompressionType compression, BlobValue stored,
                              const std::string& where) {
  assert(stored.data != nullptr);
  if (compression == kNoCompression) return stored;
  UncompressRequest request;
  request.type = compression;
  Result<UncompressedBlock> inflated = Uncompress(request, stored.slice());
  if (!inflated.ok()) {
    const std::string why = inflated.status().ToString() + " in " + where;
    return inflated.status().IsNotSupported() ? Status::NotSupported(why)
                                              : Status::Corruption(why);
  }
  BlobValue value;
  value.data = std::move(inflated->data);
  value.size = inflated->size;
  return value;
}

Result<BlobValue> BlobFileReader::Read(const BlobReadRequest& request,
                                       const Slice& user_key,
                                       const BlobIndex& index,
                                       uint64_t* bytes_read) const {
  RETURN_IF_ERROR(CheckBounds(user_key, index));
  // What stands before the value is needed for checking only.
  const size_t before =
      request.verify_checksums ? kBlobRecordHeaderSize + user_key.size() : 0;
  const size_t size = before + static_cast<size_t>(index.size);
  BlobValue stored;
  stored.data =
      std::make_unique_for_overwrite<char[]>(std::max<size_t>(size, 1));
  stored.size = size;
  RETURN_IF_ERROR(
      ReadBytes(request, index.offset - before, size, stored.data.get()));
  if (bytes_read != nullptr) *bytes_read = size;
  if (before > 0) {
    RETURN_IF_ERROR(CheckRecord(stored.slice(), user_key, index));
    stored.start = before;
    stored.size = static_cast<size_t>(index.size);
  }
  if (compression_ == kNoCompression) return stored;
  return InflateBlob(
      compression_, std::move(stored),
      file_->file_name() + " offset " + std::to_string(index.offset));
}

}  // namespace ROCKSDB_NAMESPACE::engine
