// JsonWriter: one JSON object, written from front to back.
//
// Place. EVENT_LOG lines, timelines, reports.
//
// Bytes. One line, RocksDB's spacing: {"a": 1, "b": [1, 2], "c": {"d": "x"}}.
// Strings are escaped; bytes outside ASCII pass as they are. A number that is
// not finite becomes null.
//
// Invariant: a key belongs before every value inside an object and before none
// inside an array; asserted.
#pragma once

#include <cassert>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class JsonWriter {
 public:
  JsonWriter() : text_("{") {}

  JsonWriter& Key(std::string_view name) {
    Separate();
    Quote(name);
    text_ += ": ";
    after_key_ = true;
    return *this;
  }

  JsonWriter& Value(std::string_view text) {
    Separate();
    Quote(text);
    return Written();
  }
  JsonWriter& Value(const char* text) { return Value(std::string_view(text)); }
  JsonWriter& Value(bool value) { return Raw(value ? "true" : "false"); }
  template <std::integral T>
  JsonWriter& Value(T value) {
    return Raw(std::to_string(value));
  }
  JsonWriter& Value(double value) {
    if (!std::isfinite(value)) return Raw("null");
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", value);
    return Raw(text);
  }

  // Key and value of a member.
  template <typename T>
  JsonWriter& Add(std::string_view name, const T& value) {
    return Key(name).Value(value);
  }

  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }

  template <typename Range>
  JsonWriter& AddArray(std::string_view name, const Range& values) {
    Key(name).BeginArray();
    for (const auto& value : values) Value(value);
    return EndArray();
  }

  // The finished object; the writer is used up.
  std::string Finish() && {
    text_ += '}';
    return std::move(text_);
  }

 private:
  // A comma, unless the value is the first or stands behind its key.
  void Separate() {
    if (after_key_ || first_) {
      first_ = after_key_ = false;
      return;
    }
    text_ += ", ";
  }
  JsonWriter& Written() {
    first_ = false;
    return *this;
  }
  JsonWriter& Raw(std::string_view text) {
    Separate();
    text_ += text;
    return Written();
  }
  JsonWriter& Open(char bracket) {
    Separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  JsonWriter& Close(char bracket) {
    assert(!after_key_);
    text_ += bracket;
    return Written();
  }

  void Quote(std::string_view text) {
    text_ += '"';
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (byte < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof(escape), "\\u%04x", byte);
        text_ += escape;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool first_ = true;       // Nothing stands in the innermost bracket yet.
  bool after_key_ = false;  // A value is due.
};

}  // namespace ROCKSDB_NAMESPACE::engine
