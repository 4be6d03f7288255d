#include "tools/ldb/arguments.h"

#include <charconv>

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

engine::Result<std::string> FromHex(const std::string& word) {
  std::string bytes;
  if (word.starts_with("0x") && Slice(word).size() > 1 &&
      Slice(word.data() + 2, word.size() - 2).DecodeHex(&bytes)) {
    return bytes;
  }
  return Status::InvalidArgument(
      "expected 0x and an even number of hexadecimal digits, found " + word);
}

}  // namespace

std::string ToHex(const Slice& bytes) {
  return "0x" + bytes.ToString(/*hex=*/true);
}

Arguments::Arguments(const std::vector<std::string>& words, const Host* host)
    : host_(host) {
  for (const std::string& word : words) {
    if (word.starts_with("--")) {
      const size_t equals = word.find('=');
      const bool has_value = equals != std::string::npos;
      flags_[word.substr(2, has_value ? equals - 2 : std::string::npos)] =
          has_value ? word.substr(equals + 1) : "";
    } else if (command_.empty()) {
      command_ = word;
    } else {
      parameters_.push_back(word);
    }
  }
}

std::string Arguments::Text(const std::string& flag,
                            const std::string& fallback) const {
  const auto it = flags_.find(flag);
  return it == flags_.end() ? fallback : it->second;
}

bool Arguments::Bool(const std::string& flag, bool fallback) const {
  const auto it = flags_.find(flag);
  if (it == flags_.end()) return fallback;
  return it->second.empty() || it->second == "true" || it->second == "1";
}

engine::Result<uint64_t> Arguments::Number(const std::string& flag,
                                           uint64_t fallback) const {
  const auto it = flags_.find(flag);
  if (it == flags_.end()) return fallback;
  const std::string& text = it->second;
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Status::InvalidArgument(flag + " has an invalid value",
                                   "'" + text + "'");
  }
  return value;
}

engine::Result<std::string> Arguments::Key(const std::string& word) const {
  if (key_hex()) return FromHex(word);
  return word;
}

engine::Result<std::string> Arguments::Value(const std::string& word) const {
  if (value_hex()) return FromHex(word);
  return word;
}

engine::Result<std::optional<std::string>> Arguments::KeyFlag(
    const std::string& flag) const {
  if (!Has(flag)) return std::optional<std::string>();
  engine::Result<std::string> key = Key(Text(flag));
  if (!key.ok()) return key.status();
  return std::optional<std::string>(*key);
}

std::string Arguments::ShowKey(const Slice& key) const {
  if (key_hex()) return ToHex(key);
  const SliceFormatter* const formatter = host_->tool.key_formatter.get();
  return formatter != nullptr ? formatter->Format(key) : key.ToString();
}

std::string Arguments::ShowValue(const Slice& value) const {
  return value_hex() ? ToHex(value) : value.ToString();
}

}  // namespace ROCKSDB_NAMESPACE::ldb
