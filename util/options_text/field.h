// Field tables: one row per option of a struct, and everything made of them.
//
// Place. The tables themselves are in db/options. Parsing, printing, the LOG
// dump, the OPTIONS file, SetOptions() and docs/options.md all walk the same
// rows, so an option is described once.
//
// Invariants: names are unique within a table; a row's name is RocksDB's name
// of the member.
//
// Threads. Tables are constant.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rocksdb/status.h"
#include "util/options_text/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

enum OptionFlags : unsigned {
  kNoFlags = 0,
  // SetOptions() or SetDBOptions() may change it.
  kMutable = 1u << 0,
  // Every release since 7.8.3 knows the name in an OPTIONS file.
  kShared = 1u << 1,
  // Has no effect here yet: named in the LOG when it is not the default.
  kAccepted = 1u << 2,
  // Of an earlier release, without effect there as here.
  kObsolete = 1u << 3,
  // Not in RocksDB.
  kOurs = 1u << 4,
  // Has no text form (objects a program makes), or none in OPTIONS files.
  kNotStored = 1u << 5,
  // Not shared, but a release that can read such a database opens it only if
  // its OPTIONS file says this.
  kNeeded = 1u << 6,
};

struct OptionField {
  const char* name;
  const OptionKind* kind;
  void* (*at)(void* object);
  unsigned flags;
  // Values that opening refuses, by their text ("a|b"); kAnyObject is every
  // pointer but null. ValidateOptions() reads them here.
  const char* refused = nullptr;
  // The same in words, where it takes code to tell.
  const char* refused_when = nullptr;

  bool Has(OptionFlags flag) const { return (flags & flag) != 0; }
  const void* Of(const void* object) const {
    return at(const_cast<void*>(object));
  }
};

template <typename S, auto kMember>
constexpr OptionField Field(const char* name, unsigned flags = kNoFlags) {
  using T = std::remove_reference_t<decltype(std::declval<S&>().*kMember)>;
  return {
      name, &kKindOf<T>,
      [](void* object) -> void* {
        return reinterpret_cast<void*>(&(static_cast<S*>(object)->*kMember));
      },
      flags};
}

inline constexpr OptionKind kDroppedKind = {
    "any",
    [](const TextMode&, std::string_view, void*) { return Status::OK(); },
    [](const TextMode&, const void*, std::string*) {},
    [](const void*, std::string*) {},
    [] { return std::span<const OptionField>(); },
    [] { return std::vector<std::string>(); },
};

// What only OPTIONS files of earlier releases say: any text is taken, and
// dropped.
constexpr OptionField Dropped(const char* name, unsigned flags = kNoFlags) {
  return {name, &kDroppedKind, [](void* object) { return object; },
          flags | kObsolete | kNotStored};
}

inline constexpr char kAnyObject[] = "set";

constexpr OptionField Refusing(const char* values, OptionField field) {
  field.refused = values;
  return field;
}

constexpr OptionField RefusingWhen(const char* words, OptionField field) {
  field.refused_when = words;
  return field;
}

using FieldTable = std::span<const OptionField>;

// The row called `name`, or null. "outer.inner" is not looked into.
const OptionField* FindField(FieldTable fields, std::string_view name);

// Sets one option; `name` may be "outer.inner". InvalidArgument: unknown
// name, unreadable value, or an immutable option in mutable_only mode.
Status SetField(FieldTable fields, const TextMode& mode, std::string_view name,
                std::string_view value, void* object);

// "name=value" of every row that has text, each followed by `delimiter`.
void PrintFields(FieldTable fields, const TextMode& mode, const void* object,
                 std::string_view delimiter, std::string* out);

std::string PrintField(const OptionField& field, const TextMode& mode,
                       const void* object);

// Is the value of `object` one of the row's refused ones?
bool IsRefused(const OptionField& field, const void* object);

// Do both objects print the same?
bool SameValue(const OptionField& field, const void* a, const void* b);

// Lines for the LOG, one per row (nested structs one per member).
std::vector<std::string> LogLines(FieldTable fields, const void* object,
                                  const std::string& prefix);

}  // namespace ROCKSDB_NAMESPACE::engine
