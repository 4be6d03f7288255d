#include "table/format/footer.h"

#include <cassert>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "util/block_checksum.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr char kExtendedMarker[4] = {0x3e, 0x00, 0x7a, 0x00};
constexpr size_t kMarkerAt = 1;
constexpr size_t kChecksumAt = 5;
constexpr size_t kBaseContextAt = 9;
constexpr size_t kMetaindexSizeAt = 13;
constexpr size_t kReservedAt = 33;  // Eight bytes that must be zero.
constexpr size_t kVersionAt = 41;
constexpr size_t kMagicAt = 45;
constexpr size_t kHandlesSize = 40;

Status Corrupt(const std::string& file_name, uint64_t offset,
               const std::string& what) {
  return Status::Corruption(what + " in footer of " + file_name,
                            "at offset " + std::to_string(offset));
}

constexpr char kOtherKind[] = " table format is not supported: ";

Status WrongMagic(const std::string& file_name, uint64_t magic) {
  if (magic == kPlainTableMagic || magic == kPlainTableLegacyMagic) {
    return Status::NotSupported("plain" + (kOtherKind + file_name));
  }
  if (magic == kCuckooTableMagic) {
    return Status::NotSupported("cuckoo" + (kOtherKind + file_name));
  }
  char text[96];
  std::snprintf(text, sizeof(text),
                "bad table magic number: expected %" PRIx64 ", found %" PRIx64,
                kBlockBasedMagic, magic);
  return Status::Corruption(std::string(text) + " in " + file_name);
}

// The 40 bytes of handles of versions below 6.
Status DecodeHandles(const char* p, uint64_t offset,
                     const std::string& file_name, Footer* footer) {
  Slice handles(p, kHandlesSize);
  if (!GetBlockHandle(&handles, &footer->metaindex) ||
      !GetBlockHandle(&handles, &footer->index)) {
    return Corrupt(file_name, offset, "bad block handle");
  }
  if (!footer->metaindex.Fits(offset) || !footer->index.Fits(offset)) {
    return Corrupt(file_name, offset, "block handle outside the file");
  }
  return Status::OK();
}

uint32_t ExtendedChecksum(const char* p, uint8_t checksum_type,
                          uint32_t base_context, uint64_t offset) {
  char copy[kFooterSize];
  std::memcpy(copy, p, kFooterSize);
  EncodeFixed32(copy + kChecksumAt, 0);
  return ComputeBufferChecksum(checksum_type, copy, kFooterSize) +
         ChecksumModifierForContext(base_context, offset);
}

// Bytes 1 to 40 of versions 6 and 7.
Status DecodeExtended(const char* p, uint64_t offset,
                      const std::string& file_name, Footer* footer) {
  if (std::memcmp(p + kMarkerAt, kExtendedMarker, sizeof(kExtendedMarker)) !=
      0) {
    return Corrupt(file_name, offset, "bad extended marker");
  }
  footer->base_context_checksum = DecodeFixed32(p + kBaseContextAt);
  if (footer->base_context_checksum == 0) {
    return Corrupt(file_name, offset, "base context checksum of 0");
  }
  const uint32_t stored = DecodeFixed32(p + kChecksumAt);
  const uint32_t computed = ExtendedChecksum(
      p, footer->checksum_type, footer->base_context_checksum, offset);
  if (stored != computed) {
    return Corrupt(file_name, offset,
                   "checksum mismatch: expected " + std::to_string(stored) +
                       ", found " + std::to_string(computed));
  }
  if (DecodeFixed64(p + kReservedAt) != 0) {
    return Corrupt(file_name, offset, "reserved bytes not zero");
  }
  const uint64_t size = DecodeFixed32(p + kMetaindexSizeAt);
  if (size + kBlockTrailerSize > offset) {
    return Corrupt(file_name, offset, "metaindex larger than the file");
  }
  footer->metaindex = {offset - kBlockTrailerSize - size, size};
  return Status::OK();
}

}  // namespace

bool IsOtherTableKind(const Status& status) {
  return status.IsNotSupported() && status.getState() != nullptr &&
         std::strstr(status.getState(), kOtherKind) != nullptr;
}

Result<Footer> DecodeFooter(const Slice& tail, uint64_t file_size,
                            const std::string& file_name) {
  assert(tail.size() >= kFooterSize || tail.size() == file_size);
  if (tail.size() < kLegacyFooterSize) {
    return Status::Corruption("file is too short (" +
                              std::to_string(file_size) +
                              " bytes) to be an sstable: " + file_name);
  }
  const char* const end = tail.data() + tail.size();
  const uint64_t magic = DecodeFixed64(end - sizeof(uint64_t));
  Footer footer;
  if (magic == kBlockBasedLegacyMagic) {
    footer.checksum_type = static_cast<uint8_t>(BlockChecksum::kCrc32c);
    RETURN_IF_ERROR(DecodeHandles(end - kLegacyFooterSize,
                                  file_size - kLegacyFooterSize, file_name,
                                  &footer));
    return footer;
  }
  if (magic != kBlockBasedMagic) return WrongMagic(file_name, magic);
  if (tail.size() < kFooterSize) {
    return Corrupt(file_name, 0, "file is too short");
  }

  const char* const p = end - kFooterSize;
  const uint64_t offset = file_size - kFooterSize;
  footer.checksum_type = static_cast<uint8_t>(p[0]);
  footer.format_version = DecodeFixed32(p + kVersionAt);
  // Version 0 has another magic.
  if (footer.format_version == 0 ||
      footer.format_version > kFormatVersionReadMax) {
    return Status::NotSupported("table format_version " +
                                std::to_string(footer.format_version) +
                                " is not supported (0 to 7 are): " + file_name);
  }
  if (footer.checksum_type > kBlockChecksumMax) {
    return Corrupt(
        file_name, offset,
        "unknown checksum type " + std::to_string(footer.checksum_type));
  }
  RETURN_IF_ERROR(footer.format_version >= 6
                      ? DecodeExtended(p, offset, file_name, &footer)
                      : DecodeHandles(p + 1, offset, file_name, &footer));
  return footer;
}

std::string EncodeFooter(const Footer& footer, uint64_t offset) {
  std::string bytes(1, static_cast<char>(footer.checksum_type));
  if (footer.format_version < 6) {
    PutBlockHandle(&bytes, footer.metaindex);
    PutBlockHandle(&bytes, footer.index);
  } else {
    bytes.append(kExtendedMarker, sizeof(kExtendedMarker));
    PutFixed32(&bytes, 0);
    PutFixed32(&bytes, footer.base_context_checksum);
    PutFixed32(&bytes, static_cast<uint32_t>(footer.metaindex.size));
  }
  bytes.resize(kVersionAt, '\0');
  PutFixed32(&bytes, footer.format_version);
  static_assert(kVersionAt + sizeof(uint32_t) == kMagicAt);
  PutFixed64(&bytes, kBlockBasedMagic);
  if (footer.format_version >= 6) {
    EncodeFixed32(bytes.data() + kChecksumAt,
                  ExtendedChecksum(bytes.data(), footer.checksum_type,
                                   footer.base_context_checksum, offset));
  }
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE::engine
