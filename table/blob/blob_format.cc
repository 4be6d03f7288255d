#include "table/blob/blob_format.h"

#include "util/coding.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint32_t kMagic = 0x00248f37;
constexpr uint32_t kVersion = 1;
constexpr uint8_t kHasTtl = 1;
constexpr size_t kExpirationRangeSize = 16;

// First bytes of an index.
enum class IndexForm : uint8_t { kInlinedTtl = 0, kBlob = 1, kBlobTtl = 2 };

uint32_t MaskedCrc(const char* data, size_t n) {
  return crc32c::Mask(crc32c::Value(data, n));
}

Status Mismatch(const char* what, uint64_t expected, uint64_t found) {
  return Status::Corruption(std::string("blob file ") + what,
                            "expected " + std::to_string(expected) +
                                ", found " + std::to_string(found));
}

}  // namespace

void BlobFileHeader::EncodeTo(std::string* dst) const {
  PutFixed32(dst, kMagic);
  PutFixed32(dst, kVersion);
  PutFixed32(dst, family_id);
  dst->push_back(0);  // Flags.
  dst->push_back(static_cast<char>(compression));
  dst->append(kExpirationRangeSize, '\0');
}

Status BlobFileHeader::DecodeFrom(const Slice& bytes) {
  if (bytes.size() != kBlobHeaderSize) {
    return Mismatch("header size", kBlobHeaderSize, bytes.size());
  }
  const char* const p = bytes.data();
  if (DecodeFixed32(p) != kMagic) {
    return Mismatch("header magic", kMagic, DecodeFixed32(p));
  }
  if (DecodeFixed32(p + 4) != kVersion) {
    return Mismatch("header version", kVersion, DecodeFixed32(p + 4));
  }
  family_id = DecodeFixed32(p + 8);
  const auto flags = static_cast<uint8_t>(p[12]);
  if (flags == kHasTtl) {
    return Status::NotSupported("blob files with expiration times");
  }
  if (flags != 0) return Mismatch("header flags", 0, flags);
  compression = static_cast<CompressionType>(p[13]);
  return Status::OK();
}

void BlobFileFooter::EncodeTo(std::string* dst) const {
  const size_t start = dst->size();
  PutFixed32(dst, kMagic);
  PutFixed64(dst, blob_count);
  dst->append(kExpirationRangeSize, '\0');
  PutFixed32(dst, MaskedCrc(dst->data() + start, dst->size() - start));
}

Status BlobFileFooter::DecodeFrom(const Slice& bytes) {
  if (bytes.size() != kBlobFooterSize) {
    return Mismatch("footer size", kBlobFooterSize, bytes.size());
  }
  constexpr size_t kCrcAt = kBlobFooterSize - 4;
  const char* const p = bytes.data();
  if (DecodeFixed32(p) != kMagic) {
    return Mismatch("footer magic", kMagic, DecodeFixed32(p));
  }
  const uint32_t crc = MaskedCrc(p, kCrcAt);
  if (DecodeFixed32(p + kCrcAt) != crc) {
    return Mismatch("footer checksum", crc, DecodeFixed32(p + kCrcAt));
  }
  blob_count = DecodeFixed64(p + 4);
  return Status::OK();
}

BlobRecordHeader BlobRecordHeader::Of(const Slice& key,
                                      const Slice& stored_value) {
  BlobRecordHeader header;
  header.key_size = key.size();
  header.value_size = stored_value.size();
  const uint32_t crc = crc32c::Value(key.data(), key.size());
  header.blob_crc = crc32c::Mask(
      crc32c::Extend(crc, stored_value.data(), stored_value.size()));
  return header;
}

void BlobRecordHeader::EncodeTo(std::string* dst) const {
  const size_t start = dst->size();
  PutFixed64(dst, key_size);
  PutFixed64(dst, value_size);
  PutFixed64(dst, 0);  // Never expires.
  PutFixed32(dst, MaskedCrc(dst->data() + start, dst->size() - start));
  PutFixed32(dst, blob_crc);
}

Status BlobRecordHeader::DecodeFrom(const Slice& bytes) {
  if (bytes.size() != kBlobRecordHeaderSize) {
    return Mismatch("record header size", kBlobRecordHeaderSize, bytes.size());
  }
  constexpr size_t kCrcAt = 24;
  const char* const p = bytes.data();
  const uint32_t crc = MaskedCrc(p, kCrcAt);
  if (DecodeFixed32(p + kCrcAt) != crc) {
    return Mismatch("record header checksum", crc, DecodeFixed32(p + kCrcAt));
  }
  key_size = DecodeFixed64(p);
  value_size = DecodeFixed64(p + 8);
  blob_crc = DecodeFixed32(p + kCrcAt + 4);
  return Status::OK();
}

void BlobIndex::EncodeTo(std::string* dst) const {
  dst->push_back(static_cast<char>(IndexForm::kBlob));
  PutVarint64(dst, file_number);
  PutVarint64(dst, offset);
  PutVarint64(dst, size);
  dst->push_back(static_cast<char>(compression));
}

Status BlobIndex::DecodeFrom(const Slice& bytes) {
  Slice rest = bytes;
  const auto malformed = [&] {
    return Status::Corruption(
        "blob index", "expected form 1, found " + bytes.ToString(/*hex=*/true));
  };
  if (rest.empty()) return malformed();
  const auto form = static_cast<IndexForm>(rest[0]);
  if (form == IndexForm::kInlinedTtl || form == IndexForm::kBlobTtl) {
    return Status::NotSupported("blob indexes with expiration times");
  }
  if (form != IndexForm::kBlob) return malformed();
  rest.remove_prefix(1);
  if (!GetVarint64(&rest, &file_number) || !GetVarint64(&rest, &offset) ||
      !GetVarint64(&rest, &size) || rest.size() != 1) {
    return malformed();
  }
  compression = static_cast<CompressionType>(rest[0]);
  return Status::OK();
}

std::string BlobIndex::DebugString() const {
  return "blob file " + std::to_string(file_number) + " offset " +
         std::to_string(offset) + " size " + std::to_string(size);
}

}  // namespace ROCKSDB_NAMESPACE::engine
