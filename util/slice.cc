#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The value of a hexadecimal digit, or -1.
int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Slice::Slice(const SliceParts& parts, std::string* buf) {
  size_t size = 0;
  for (int i = 0; i < parts.num_parts; i++) size += parts.parts[i].size();
  buf->clear();
  buf->reserve(size);
  for (int i = 0; i < parts.num_parts; i++) {
    buf->append(parts.parts[i].data(), parts.parts[i].size());
  }
  data_ = buf->data();
  size_ = buf->size();
}

std::string Slice::ToString(bool hex) const {
  if (!hex) return std::string(data_, size_);
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  text.reserve(2 * size_);
  for (size_t i = 0; i < size_; i++) {
    const unsigned char byte = static_cast<unsigned char>(data_[i]);
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

bool Slice::DecodeHex(std::string* result) const {
  if (size_ % 2 != 0 || result == nullptr) return false;
  result->clear();
  result->reserve(size_ / 2);
  for (size_t i = 0; i < size_; i += 2) {
    const int high = HexDigit(data_[i]);
    const int low = HexDigit(data_[i + 1]);
    if (high < 0 || low < 0) return false;
    result->push_back(static_cast<char>(high * 16 + low));
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
