// The built-in prefix extractors.

#include "rocksdb/slice_transform.h"

#include <algorithm>
#include <charconv>

namespace ROCKSDB_NAMESPACE {

namespace {

class FixedPrefixTransform final : public SliceTransform {
 public:
  static constexpr const char* kClass = "rocksdb.FixedPrefix";
  static constexpr const char* kNick = "fixed";

  explicit FixedPrefixTransform(size_t size)
      : size_(size), id_(std::string(kClass) + "." + std::to_string(size)) {}

  const char* Name() const override { return kClass; }
  const char* NickName() const override { return kNick; }
  std::string GetId() const override { return id_; }
  bool IsInstanceOf(const std::string& name) const override {
    return name == id_ || name == kNick + (":" + std::to_string(size_)) ||
           SliceTransform::IsInstanceOf(name);
  }

  Slice Transform(const Slice& key) const override {
    return Slice(key.data(), std::min(size_, key.size()));
  }
  bool InDomain(const Slice& key) const override { return key.size() >= size_; }
  bool FullLengthEnabled(size_t* len) const override {
    *len = size_;
    return true;
  }
  bool SameResultWhenAppended(const Slice& prefix) const override {
    return InDomain(prefix);
  }

 private:
  const size_t size_;
  const std::string id_;
};

class CappedPrefixTransform final : public SliceTransform {
 public:
  static constexpr const char* kClass = "rocksdb.CappedPrefix";
  static constexpr const char* kNick = "capped";

  explicit CappedPrefixTransform(size_t size)
      : size_(size), id_(std::string(kClass) + "." + std::to_string(size)) {}

  const char* Name() const override { return kClass; }
  const char* NickName() const override { return kNick; }
  std::string GetId() const override { return id_; }
  bool IsInstanceOf(const std::string& name) const override {
    return name == id_ || name == kNick + (":" + std::to_string(size_)) ||
           SliceTransform::IsInstanceOf(name);
  }

  Slice Transform(const Slice& key) const override {
    return Slice(key.data(), std::min(size_, key.size()));
  }
  bool InDomain(const Slice& /*key*/) const override { return true; }
  bool SameResultWhenAppended(const Slice& prefix) const override {
    return prefix.size() >= size_;
  }

 private:
  const size_t size_;
  const std::string id_;
};

class NoopTransform final : public SliceTransform {
 public:
  static constexpr const char* kClass = "rocksdb.Noop";

  const char* Name() const override { return kClass; }
  Slice Transform(const Slice& key) const override { return key; }
  bool InDomain(const Slice& /*key*/) const override { return true; }
};

// True when `text` is `head`, `separator` and a decimal number.
bool ParseSized(const std::string& text, const std::string& head,
                char separator, size_t* size) {
  if (text.size() <= head.size() + 1 || text.compare(0, head.size(), head) != 0)
    return false;
  if (text[head.size()] != separator) return false;
  const char* const end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data() + head.size() + 1, end, *size);
  return error == std::errc() && stop == end;
}

}  // namespace

const SliceTransform* NewFixedPrefixTransform(size_t prefix_len) {
  return new FixedPrefixTransform(prefix_len);
}

const SliceTransform* NewCappedPrefixTransform(size_t cap_len) {
  return new CappedPrefixTransform(cap_len);
}

const SliceTransform* NewNoopTransform() { return new NoopTransform; }

std::string SliceTransform::AsString() const { return GetId(); }

Status SliceTransform::CreateFromString(
    const ConfigOptions& /*config_options*/, const std::string& id,
    std::shared_ptr<const SliceTransform>* result) {
  size_t size = 0;
  if (id.empty() || id == "nullptr") {
    result->reset();
  } else if (ParseSized(id, FixedPrefixTransform::kNick, ':', &size) ||
             ParseSized(id, FixedPrefixTransform::kClass, '.', &size)) {
    result->reset(NewFixedPrefixTransform(size));
  } else if (ParseSized(id, CappedPrefixTransform::kNick, ':', &size) ||
             ParseSized(id, CappedPrefixTransform::kClass, '.', &size)) {
    result->reset(NewCappedPrefixTransform(size));
  } else if (id == NoopTransform::kClass) {
    result->reset(NewNoopTransform());
  } else {
    return Status::NotSupported("Could not load SliceTransform", id);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
