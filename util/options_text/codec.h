// Codecs: how one C++ type is written as options text and read back.
//
// Place. A field table (field.h) names a codec per option; the codec follows
// from the member's type. Types of the db layer (tables, filters, merge
// operators, ...) get theirs in db/options/objects.h.
//
// Model. TextCodec<T> has a type name for people, Parse, Print, and Log (the
// LOG writes booleans as 0 and 1 and shortens compression names, as RocksDB
// does). KindOf<T> packs them behind void pointers, so that tables are plain
// data.
//
// Threads. Pure functions.

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "rocksdb/status.h"
#include "util/options_text/enum_names.h"
#include "util/options_text/scan.h"

namespace ROCKSDB_NAMESPACE::engine {

struct OptionField;

// How text is to be read or written.
struct TextMode {
  bool escaped = true;             // strings use backslash escapes
  bool ignore_unknown = false;     // skip names that are not in the table
  bool ignore_unsupported = true;  // an unknown object leaves the field alone
  bool mutable_only = false;       // refuse (or leave out) the others
  bool shared_only = false;        // write only what all releases know
  bool shallow = false;            // objects by name, without their options
};

struct OptionKind {
  const char* type;
  Status (*parse)(const TextMode& mode, std::string_view text, void* value);
  void (*print)(const TextMode& mode, const void* value, std::string* out);
  void (*log)(const void* value, std::string* out);
  // The fields of a nested struct, or empty.
  std::span<const OptionField> (*fields)();
  // Every value, if they are few: both booleans, the names of an enum.
  std::vector<std::string> (*values)();
};

template <typename T>
struct TextCodec;

// Table of a nested struct; specialised next to the table.
template <typename T>
struct StructTable;

template <typename T>
concept HasTable = requires { StructTable<T>::kType; };

template <typename T>
std::span<const OptionField> FieldsOf() {
  if constexpr (HasTable<T>) {
    return StructTable<T>::Fields();
  } else {
    return {};
  }
}

template <typename T>
void LogValue(const void* value, std::string* out) {
  const T& typed = *static_cast<const T*>(value);
  if constexpr (requires { TextCodec<T>::Log(typed, out); }) {
    TextCodec<T>::Log(typed, out);
  } else {
    TextCodec<T>::Print(TextMode(), typed, out);
  }
}

template <typename T>
std::vector<std::string> ValuesOf() {
  std::vector<std::string> values;
  if constexpr (std::is_same_v<T, bool>) {
    values = {"false", "true"};
  } else if constexpr (NamedEnum<T>) {
    for (const EnumName<T>& entry : EnumNames<T>::Get()) {
      values.emplace_back(entry.name);
    }
  }
  return values;
}

template <typename T>
inline constexpr OptionKind kKindOf = {
    TextCodec<T>::kType,
    [](const TextMode& mode, std::string_view text, void* value) {
      return TextCodec<T>::Parse(mode, text, static_cast<T*>(value));
    },
    [](const TextMode& mode, const void* value, std::string* out) {
      TextCodec<T>::Print(mode, *static_cast<const T*>(value), out);
    },
    &LogValue<T>,
    &FieldsOf<T>,
    &ValuesOf<T>,
};

// -- Scalars.

template <>
struct TextCodec<bool> {
  static constexpr const char* kType = "bool";
  static Status Parse(const TextMode&, std::string_view text, bool* value) {
    return ParseBool(text, value);
  }
  static void Print(const TextMode&, bool value, std::string* out) {
    *out += value ? "true" : "false";
  }
  static void Log(bool value, std::string* out) { *out += value ? '1' : '0'; }
};

template <typename T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct TextCodec<T> {
  using Limits = std::numeric_limits<T>;
  static constexpr const char* kType =
      std::is_signed_v<T> ? "int" : (sizeof(T) == 8 ? "uint64" : "uint");
  static Status Parse(const TextMode&, std::string_view text, T* value) {
    if constexpr (std::is_signed_v<T>) {
      int64_t number = 0;
      RETURN_IF_ERROR(ParseSigned(text, Limits::min(), Limits::max(), &number));
      *value = static_cast<T>(number);
    } else {
      uint64_t number = 0;
      RETURN_IF_ERROR(ParseUnsigned(text, Limits::max(), &number));
      *value = static_cast<T>(number);
    }
    return Status::OK();
  }
  static void Print(const TextMode&, T value, std::string* out) {
    *out += std::to_string(value);
  }
};

template <>
struct TextCodec<double> {
  static constexpr const char* kType = "double";
  static Status Parse(const TextMode&, std::string_view text, double* value) {
    return ParseDouble(text, value);
  }
  static void Print(const TextMode&, double value, std::string* out) {
    *out += PrintDouble(value);
  }
};

template <>
struct TextCodec<std::string> {
  static constexpr const char* kType = "string";
  static Status Parse(const TextMode& mode, std::string_view text,
                      std::string* value) {
    *value = mode.escaped ? UnescapeText(text) : std::string(text);
    return Status::OK();
  }
  static void Print(const TextMode& mode, const std::string& value,
                    std::string* out) {
    *out += mode.escaped ? EscapeText(value) : value;
  }
  static void Log(const std::string& value, std::string* out) { *out += value; }
};

template <NamedEnum T>
struct TextCodec<T> {
  static constexpr const char* kType = "enum";
  static Status Parse(const TextMode&, std::string_view text, T* value) {
    text = TrimText(text);
    for (const EnumName<T>& entry : EnumNames<T>::Get()) {
      if (text == entry.name) {
        *value = entry.value;
        return Status::OK();
      }
    }
    return Status::InvalidArgument("not a known value",
                                   Slice(text.data(), text.size()));
  }
  static void Print(const TextMode&, T value, std::string* out) {
    for (const EnumName<T>& entry : EnumNames<T>::Get()) {
      if (value == entry.value) {
        *out += entry.name;
        return;
      }
    }
    *out += std::to_string(static_cast<int64_t>(value));
  }
  static void Log(T value, std::string* out) {
    if constexpr (requires { EnumNames<T>::LogName(value); }) {
      *out += EnumNames<T>::LogName(value);
    } else {
      Print(TextMode(), value, out);
    }
  }
};

// -- Composites.

template <typename T>
struct TextCodec<std::vector<T>> {
  static constexpr const char* kType = "list";
  static Status Parse(const TextMode& mode, std::string_view text,
                      std::vector<T>* value) {
    const Result<std::vector<std::string>> parts = SplitList(text, ':');
    if (!parts.ok()) return parts.status();
    std::vector<T> elements;
    for (const std::string& part : *parts) {
      T element{};
      RETURN_IF_ERROR(TextCodec<T>::Parse(mode, part, &element));
      elements.push_back(element);
    }
    *value = std::move(elements);
    return Status::OK();
  }
  static void Print(const TextMode& mode, const std::vector<T>& value,
                    std::string* out) {
    for (size_t i = 0; i < value.size(); ++i) {
      if (i > 0) *out += ':';
      TextCodec<T>::Print(mode, value[i], out);
    }
  }
};

// Defined with the field table's functions (field.h).
Status ParseStruct(std::span<const OptionField> fields, const TextMode& mode,
                   std::string_view text, void* object);
void PrintStruct(std::span<const OptionField> fields, const TextMode& mode,
                 const void* object, std::string* out);

template <HasTable T>
struct TextCodec<T> {
  static constexpr const char* kType = StructTable<T>::kType;
  static Status Parse(const TextMode& mode, std::string_view text, T* value) {
    if constexpr (requires { StructTable<T>::ParseOldForm(text, value); }) {
      if (text.find('=') == std::string_view::npos) {
        return StructTable<T>::ParseOldForm(text, value);
      }
    }
    return ParseStruct(StructTable<T>::Fields(), mode, text, value);
  }
  static void Print(const TextMode& mode, const T& value, std::string* out) {
    PrintStruct(StructTable<T>::Fields(), mode, &value, out);
  }
};

}  // namespace ROCKSDB_NAMESPACE::engine
