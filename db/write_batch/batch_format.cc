#include "db/write_batch/batch_format.h"

#include <cstdio>

namespace ROCKSDB_NAMESPACE::engine::batch_internal {

namespace {

std::string Hex(uint8_t tag) {
  char text[8];
  std::snprintf(text, sizeof(text), "0x%02X", tag);
  return text;
}

// Why the bytes at `p` are not the slice called `name`; "" when they are, and
// `p` then stands behind it.
std::string WhySlice(const char** p, const char* limit, const char* name) {
  uint32_t size = 0;
  const char* const begin = GetVarint32Ptr(*p, limit, &size);
  if (begin == nullptr) {
    return std::string(name) + ": expected a length, found " +
           std::to_string(limit - *p) + " bytes that are none";
  }
  const auto left = static_cast<size_t>(limit - begin);
  if (left < size) {
    return std::string(name) + ": expected " + std::to_string(size) +
           " bytes, found " + std::to_string(left);
  }
  *p = begin + size;
  return "";
}

// The slow way through a record that ReadRecord refused.
std::string WhyRecord(const char* p, const char* limit) {
  const auto tag = static_cast<uint8_t>(*p++);
  if (tag >= kNumTags || !kShapes[tag].known) {
    return "unknown tag " + Hex(tag);
  }
  const RecordShape& shape = kShapes[tag];
  const std::string what = "tag " + Hex(tag) + ", ";
  if (shape.has_family) {
    uint32_t family = 0;
    p = GetVarint32Ptr(p, limit, &family);
    if (p == nullptr) return what + "column family: expected a varint32";
  }
  for (uint8_t i = 0; i < shape.num_slices; ++i) {
    const std::string why = WhySlice(&p, limit, i == 0 ? "key" : "value");
    if (!why.empty()) return what + why;
  }
  return what + "unreadable";
}

}  // namespace

Status BadRecord(const Slice& rep, const char* p) {
  return Status::Corruption(
      "bad WriteBatch record at offset " + std::to_string(p - rep.data()),
      WhyRecord(p, rep.data() + rep.size()));
}

Status BadHeader(const Slice& rep) {
  return Status::Corruption("malformed WriteBatch (too small)",
                            "header: expected " +
                                std::to_string(kBatchHeaderSize) +
                                " bytes, found " + std::to_string(rep.size()));
}

Status WrongCount(uint32_t expected, uint64_t found) {
  return Status::Corruption("WriteBatch has wrong count",
                            "header says " + std::to_string(expected) +
                                ", records are " + std::to_string(found));
}

}  // namespace ROCKSDB_NAMESPACE::engine::batch_internal
