// Entities: wide columns as bytes, and what a stored value means as a plain
// one.
//
// Place. Beside internal keys: lookups, iterators, compaction and write
// batches all read values of the types that are not simply kValue here.
//
// Bytes. varint32(1) | varint32(N) | N x (lpstring name, varint32 value size)
//        | N values
//
// Invariants:
//   (1) Names ascend strictly, so the default column (empty name) is first.
//   (2) Decoding stays within the given bytes whatever they say, and takes
//       memory in proportion to them.

#pragma once

#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// The columns point into `entity`. Corruption: malformed, and `*columns` is
// empty; NotSupported: of a version with values in blob files.
Status DecodeEntity(const Slice& entity, WideColumns* columns);

// The value of the default column; empty without one. Errors as above; only
// what is needed is checked.
Status DefaultColumnOf(const Slice& entity, Slice* value);

// Corruption when the names do not ascend strictly; InvalidArgument for sizes
// beyond 32 bits.
Status EncodeEntity(const WideColumns& columns, std::string* entity);
// The same for columns in any order.
Status EncodeUnsortedEntity(const WideColumns& columns, std::string* entity);

// `entity` with another default column. `*result` must not hold them.
Status ReplaceDefaultColumn(const Slice& entity, const Slice& value,
                            std::string* result);

// A value with a preferred sequence number ("timed put") ends with 8 bytes
// that are not the user's. Corruption when it is shorter.
Status StripPreferredSequence(const Slice& stored, Slice* value);

// A base value in the plain form that Get shows: kValue, kWideColumnEntity and
// kValuePreferredSeqno.
inline Status PlainValueOf(ValueType type, const Slice& stored, Slice* value) {
  if (type == ValueType::kWideColumnEntity) {
    return DefaultColumnOf(stored, value);
  }
  if (type == ValueType::kValuePreferredSeqno) {
    return StripPreferredSequence(stored, value);
  }
  *value = stored;
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
