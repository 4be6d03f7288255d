// Wide columns: a value made of named columns, an entity.
//
// Place. Argument of PutEntity, result of GetEntity and Iterator::columns().
//
// Model. An entity's columns are sorted by name, bytewise, and no name occurs
// twice. The column with the empty name is the default one: Get and value()
// show it (empty when there is none), and merge operands change it alone. A
// plain value reads as an entity that has only the default column.
//
// Threads. Const methods may be called by several threads at once, others by
// one.
#pragma once

#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// A name and a value, neither of them owned.
class WideColumn {
 public:
  WideColumn() = default;
  // From anything a Slice is made of.
  template <typename N, typename V>
  WideColumn(N&& name, V&& value)
      : name_(std::forward<N>(name)), value_(std::forward<V>(value)) {}
  // From tuples of Slice's arguments.
  template <typename NTuple, typename VTuple>
  WideColumn(std::piecewise_construct_t /*tag*/, NTuple&& name_tuple,
             VTuple&& value_tuple)
      : name_(std::make_from_tuple<Slice>(std::forward<NTuple>(name_tuple))),
        value_(std::make_from_tuple<Slice>(std::forward<VTuple>(value_tuple))) {
  }

  const Slice& name() const { return name_; }
  const Slice& value() const { return value_; }
  Slice& name() { return name_; }
  Slice& value() { return value_; }

 private:
  Slice name_;
  Slice value_;
};

inline bool operator==(const WideColumn& lhs, const WideColumn& rhs) {
  return lhs.name() == rhs.name() && lhs.value() == rhs.value();
}

inline bool operator!=(const WideColumn& lhs, const WideColumn& rhs) {
  return !(lhs == rhs);
}

// name:value, in hexadecimal when the stream says std::hex.
inline std::ostream& operator<<(std::ostream& os, const WideColumn& column) {
  const bool hex =
      (os.flags() & std::ios_base::basefield) == std::ios_base::hex;
  os << column.name().ToString(hex) << ':' << column.value().ToString(hex);
  return os;
}

using WideColumns = std::vector<WideColumn>;

extern const Slice kDefaultWideColumnName;  // Empty.
extern const WideColumns kNoWideColumns;

// Columns together with the bytes they point into: a block in a cache, or a
// copy. Move, do not copy.
class PinnableWideColumns {
 public:
  PinnableWideColumns() = default;
  PinnableWideColumns(const PinnableWideColumns&) = delete;
  PinnableWideColumns& operator=(const PinnableWideColumns&) = delete;
  PinnableWideColumns(PinnableWideColumns&& other) noexcept {
    *this = std::move(other);
  }
  PinnableWideColumns& operator=(PinnableWideColumns&& other) noexcept;
  ~PinnableWideColumns() = default;

  const WideColumns& columns() const { return columns_; }
  // Bytes of the value as it is stored.
  size_t serialized_size() const { return value_.size(); }

  // One default column. With `cleanable` its cleanups are taken over and the
  // bytes are not copied.
  void SetPlainValue(const Slice& value) { SetPlainValue(value, nullptr); }
  void SetPlainValue(const Slice& value, Cleanable* cleanable);
  void SetPlainValue(PinnableSlice&& value);
  void SetPlainValue(std::string&& value);

  // `value`: an entity as it is stored. Corruption: it is not an entity, and
  // there are no columns then.
  Status SetWideColumnValue(const Slice& value) {
    return SetWideColumnValue(value, nullptr);
  }
  Status SetWideColumnValue(const Slice& value, Cleanable* cleanable);
  Status SetWideColumnValue(PinnableSlice&& value);
  Status SetWideColumnValue(std::string&& value);

  void Reset();

 private:
  void Take(const Slice& value, Cleanable* cleanable);
  void ShowPlain();
  Status ShowEntity();

  PinnableSlice value_;
  WideColumns columns_;
};

inline bool operator==(const PinnableWideColumns& lhs,
                       const PinnableWideColumns& rhs) {
  return lhs.columns() == rhs.columns();
}

inline bool operator!=(const PinnableWideColumns& lhs,
                       const PinnableWideColumns& rhs) {
  return !(lhs == rhs);
}

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
