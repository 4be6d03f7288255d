#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

namespace {

char HexDigit(unsigned value) {
  return static_cast<char>(value < 10 ? '0' + value : 'A' + value - 10);
}

// The value of a hexadecimal digit, or -1.
int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Slice::Slice(const SliceParts& parts, std::string* buf) {
  size_t total = 0;
  for (int i = 0; i < parts.num_parts; ++i) total += parts.parts[i].size();
  buf->clear();
  buf->reserve(total);
  for (int i = 0; i < parts.num_parts; ++i) {
    buf->append(parts.parts[i].data(), parts.parts[i].size());
  }
  data_ = buf->data();
  size_ = buf->size();
}

std::string Slice::ToString(bool hex) const {
  if (!hex) return std::string(data_, size_);
  std::string digits;
  digits.reserve(2 * size_);
  for (size_t i = 0; i < size_; ++i) {
    const auto byte = static_cast<unsigned char>(data_[i]);
    digits.push_back(HexDigit(byte >> 4));
    digits.push_back(HexDigit(byte & 15u));
  }
  return digits;
}

bool Slice::DecodeHex(std::string* result) const {
  if (size_ % 2 != 0 || result == nullptr) return false;
  result->clear();
  result->reserve(size_ / 2);
  for (size_t i = 0; i < size_; i += 2) {
    const int high = HexValue(data_[i]);
    const int low = HexValue(data_[i + 1]);
    if (high < 0 || low < 0) return false;
    result->push_back(static_cast<char>(high << 4 | low));
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
