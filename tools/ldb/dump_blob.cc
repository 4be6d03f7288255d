// The records of one blob file, one after the other.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "env/file_reader.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"
#include "table/blob/blob_file_reader.h"
#include "table/blob/blob_format.h"
#include "tools/ldb/dump_file.h"
#include "tools/ldb/output.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

using engine::BlobFileFooter;
using engine::BlobFileHeader;
using engine::BlobRecordHeader;
using engine::kBlobFooterSize;
using engine::kBlobHeaderSize;
using engine::kBlobRecordHeaderSize;

class BlobDump {
 public:
  BlobDump(std::string path, const Arguments& arguments)
      : path_(std::move(path)), arguments_(arguments) {}

  Status Run() {
    const std::shared_ptr<FileSystem> fs = FileSystem::Default();
    RETURN_IF_ERROR(fs->GetFileSize(path_, IOOptions(), &size_, nullptr));
    auto file =
        engine::RandomAccessFileReader::Open(fs.get(), path_, FileOptions());
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
    RETURN_IF_ERROR(Ends());
    const uint64_t end = size_ - kBlobFooterSize;
    for (uint64_t at = kBlobHeaderSize; at < end;) {
      RETURN_IF_ERROR(Record(end, &at));
    }
    if (!arguments_.json()) Summary();
    return Status::OK();
  }

 private:
  // Exactly `n` bytes; the caller has compared with the file's size.
  Status Read(uint64_t at, uint64_t n, std::string* bytes) const {
    bytes->resize(n);
    Slice got;
    RETURN_IF_ERROR(file_->Read(IOOptions(), at, n, &got, bytes->data()));
    if (got.size() != n) return Damaged(at, "the file has shrunk");
    if (got.data() != bytes->data()) bytes->assign(got.data(), got.size());
    return Status::OK();
  }
  Status Damaged(uint64_t at, const std::string& why) const {
    return Status::Corruption(path_ + ": at " + std::to_string(at), why);
  }

  Status Ends() {
    if (size_ < kBlobHeaderSize + kBlobFooterSize) {
      return Damaged(0, "expected header and footer, found " +
                            std::to_string(size_) + " bytes");
    }
    std::string bytes;
    RETURN_IF_ERROR(Read(0, kBlobHeaderSize, &bytes));
    BlobFileHeader header;
    RETURN_IF_ERROR(header.DecodeFrom(bytes));
    RETURN_IF_ERROR(Read(size_ - kBlobFooterSize, kBlobFooterSize, &bytes));
    BlobFileFooter footer;
    RETURN_IF_ERROR(footer.DecodeFrom(bytes));
    compression_ = header.compression;
    if (arguments_.json()) return Status::OK();
    std::string compression;
    RETURN_IF_ERROR(
        GetStringFromCompressionType(&compression, header.compression));
    std::printf(
        "Blob log header:\n"
        "  Version          : 1\n"
        "  Column Family ID : %u\n"
        "  Compression      : %s\n"
        "  Expiration range : nil\n"
        "Blob log footer:\n"
        "  Blob count       : %llu\n"
        "  Expiration Range : nil\n",
        header.family_id, compression.c_str(),
        static_cast<unsigned long long>(footer.blob_count));
    return Status::OK();
  }

  Status Record(uint64_t end, uint64_t* at) {
    std::string bytes;
    const uint64_t start = *at;
    if (end - start < kBlobRecordHeaderSize) {
      return Damaged(start, "no room for a record");
    }
    RETURN_IF_ERROR(Read(start, kBlobRecordHeaderSize, &bytes));
    BlobRecordHeader record;
    RETURN_IF_ERROR(record.DecodeFrom(bytes));
    const uint64_t room = end - start - kBlobRecordHeaderSize;
    if (record.key_size > room || record.value_size > room - record.key_size) {
      return Damaged(start, "a record that is longer than the file");
    }
    const uint64_t body = start + kBlobRecordHeaderSize;
    RETURN_IF_ERROR(Read(body, record.key_size + record.value_size, &bytes));
    *at = body + bytes.size();
    const Slice key(bytes.data(), record.key_size);
    const Slice value(bytes.data() + record.key_size, record.value_size);
    ++records_;
    key_bytes_ += key.size();
    value_bytes_ += value.size();
    if (compression_ != kNoCompression) {
      RETURN_IF_ERROR(CountInflated(start, value));
    }
    if (arguments_.json()) {
      Json(body + key.size(), key, value);
    } else {
      std::printf(
          "Read record with offset 0x%llx (%llu):\n"
          "  key size   : %llu\n"
          "  value size : %llu\n"
          "  expiration : 0\n",
          static_cast<unsigned long long>(start),
          static_cast<unsigned long long>(start),
          static_cast<unsigned long long>(key.size()),
          static_cast<unsigned long long>(value.size()));
      const bool hex = arguments_.key_hex() && arguments_.value_hex();
      Print("  key        : " + key.ToString(hex) + "\n");
      Print("  blob       : " + value.ToString(hex) + "\n");
    }
    return Status::OK();
  }

  Status CountInflated(uint64_t at, const Slice& value) {
    engine::BlobValue stored;
    stored.data = std::make_unique<char[]>(value.size());
    std::copy_n(value.data(), value.size(), stored.data.get());
    stored.size = value.size();
    const auto inflated =
        engine::InflateBlob(compression_, std::move(stored),
                            path_ + ": record at " + std::to_string(at));
    if (!inflated.ok()) return inflated.status();
    raw_bytes_ += inflated->size;
    return Status::OK();
  }

  void Json(uint64_t at, const Slice& key, const Slice& value) const {
    engine::JsonWriter object;
    object.Add("file", JsonText(path_))
        .Add("offset", at)
        .Add("key", JsonKey(arguments_, key))
        .Add("stored_bytes", static_cast<uint64_t>(value.size()));
    PrintJson(std::move(object));
  }

  void Summary() const {
    std::printf(
        "Summary:\n"
        "  total records: %llu\n"
        "  total key size: %llu\n"
        "  total blob size: %llu\n",
        static_cast<unsigned long long>(records_),
        static_cast<unsigned long long>(key_bytes_),
        static_cast<unsigned long long>(value_bytes_));
    if (compression_ == kNoCompression) return;
    std::printf("  total raw blob size: %llu\n",
                static_cast<unsigned long long>(raw_bytes_));
  }

  const std::string path_;
  const Arguments& arguments_;
  std::unique_ptr<engine::RandomAccessFileReader> file_;
  uint64_t size_ = 0;
  CompressionType compression_ = kNoCompression;
  uint64_t records_ = 0;
  uint64_t key_bytes_ = 0;
  uint64_t value_bytes_ = 0;
  uint64_t raw_bytes_ = 0;
};

}  // namespace

Status DumpBlobFile(const std::string& path, const Arguments& arguments) {
  return BlobDump(path, arguments).Run();
}

}  // namespace ROCKSDB_NAMESPACE::ldb
