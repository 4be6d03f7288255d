#include "db/remote_compaction/sealed_fields.h"

#include <cassert>
#include <utility>

#include "util/coding.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr size_t kVersionAt = kSealMagicBytes;
constexpr size_t kLengthAt = kVersionAt + sizeof(uint32_t);
constexpr size_t kHeadBytes = kLengthAt + sizeof(uint64_t);
constexpr size_t kChecksumBytes = sizeof(uint32_t);

}  // namespace

SealedWriter::SealedWriter(std::string_view magic) : bytes_(magic) {
  assert(magic.size() == kSealMagicBytes);
  PutFixed32(&bytes_, kSealVersion);
  PutFixed64(&bytes_, 0);  // Seal() knows the length.
  assert(bytes_.size() == kHeadBytes);
}

void SealedWriter::Number(uint64_t value) { PutVarint64(&bytes_, value); }

void SealedWriter::Text(const Slice& value) {
  PutLengthPrefixedSlice(&bytes_, value);
}

std::string SealedWriter::Seal() {
  assert(bytes_.size() >= kHeadBytes);
  EncodeFixed64(bytes_.data() + kLengthAt, bytes_.size() - kHeadBytes);
  const uint32_t crc = crc32c::Value(bytes_.data(), bytes_.size());
  PutFixed32(&bytes_, crc32c::Mask(crc));
  return std::move(bytes_);
}

SealedReader::SealedReader(const char* what, std::string_view magic,
                           const Slice& bytes)
    : what_(what) {
  assert(magic.size() == kSealMagicBytes);
  Open(magic, bytes);
}

void SealedReader::Open(std::string_view magic, const Slice& bytes) {
  if (bytes.size() < kHeadBytes + kChecksumBytes) {
    Fail("at least " + std::to_string(kHeadBytes + kChecksumBytes) + " bytes",
         std::to_string(bytes.size()));
    return;
  }
  if (std::string_view(bytes.data(), kSealMagicBytes) != magic) {
    Fail("the word " + std::string(magic),
         Slice(bytes.data(), kSealMagicBytes).ToString(/*hex=*/true));
    return;
  }
  const uint32_t version = DecodeFixed32(bytes.data() + kVersionAt);
  if (version != kSealVersion) {
    status_ =
        Status::NotSupported(std::string(what_) + ": expected version " +
                                 std::to_string(kSealVersion),
                             "found " + std::to_string(version) +
                                 "; both processes must have the same release");
    return;
  }
  const uint64_t length = DecodeFixed64(bytes.data() + kLengthAt);
  if (length != bytes.size() - kHeadBytes - kChecksumBytes) {
    Fail(std::to_string(length) + " bytes of fields",
         std::to_string(bytes.size() - kHeadBytes - kChecksumBytes));
    return;
  }
  const size_t covered = bytes.size() - kChecksumBytes;
  const uint32_t expected =
      crc32c::Unmask(DecodeFixed32(bytes.data() + covered));
  const uint32_t found = crc32c::Value(bytes.data(), covered);
  if (found != expected) {
    Fail("checksum " + std::to_string(expected), std::to_string(found));
    return;
  }
  rest_ = Slice(bytes.data() + kHeadBytes, static_cast<size_t>(length));
}

void SealedReader::Fail(const std::string& expected, const std::string& found) {
  if (!status_.ok()) return;
  status_ = Status::Corruption(std::string(what_) + ": expected " + expected,
                               "found " + found);
  rest_ = Slice();
}

uint64_t SealedReader::Number(const char* name, uint64_t max) {
  if (!ok()) return 0;
  uint64_t value = 0;
  if (!GetVarint64(&rest_, &value)) {
    Fail(std::string("a number, ") + name,
         std::to_string(rest_.size()) + " bytes that are none");
    return 0;
  }
  if (value > max) {
    Fail(std::string(name) + " of at most " + std::to_string(max),
         std::to_string(value));
    return 0;
  }
  return value;
}

std::string SealedReader::Text(const char* name) {
  if (!ok()) return {};
  Slice value;
  if (!GetLengthPrefixedSlice(&rest_, &value)) {
    Fail(std::string("a text, ") + name,
         std::to_string(rest_.size()) + " bytes that are none");
    return {};
  }
  return value.ToString();
}

size_t SealedReader::Count(const char* name) {
  return static_cast<size_t>(Number(name, rest_.size()));
}

Status SealedReader::Finish() {
  if (!rest_.empty()) {
    Fail("the end of the fields", std::to_string(rest_.size()) + " bytes more");
  }
  return status_;
}

}  // namespace ROCKSDB_NAMESPACE::engine
