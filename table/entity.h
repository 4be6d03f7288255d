// Entities: wide columns as bytes, and the plain value that a stored value
// stands for.
//
// Place. Next to internal keys. Lookups, iterators, compaction and write
// batches use it to read values of all types other than kValue.
//
// Bytes. varint32(1) | varint32(N) | N x (lpstring name, varint32 value size)
//        | N values
//        varint32(2) | varint32(N) | varint32 sizes of the next three but one |
//        N types | N x varint32 name size | N x varint32 value size | names |
//        values
// In version 2, which is read but never written, a value with the type of a
// blob index is stored elsewhere: in a blob file, or in the same table.
// InlineBlobColumns() fetches it; all code that returns columns calls that
// first.
//
// Invariants:
//   (1) Names ascend strictly, so the default column (empty name) is first.
//   (2) Decoding never reads beyond the given bytes, whatever they contain, and
//       uses memory in proportion to their number.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"
#include "table/format/block_handle.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// The columns point into `entity`. Corruption: malformed, and `*columns` is
// empty; NotSupported: some of them are elsewhere.
Status DecodeEntity(const Slice& entity, WideColumns* columns);

// False: every column is in the entity itself.
inline bool MayHaveBlobColumns(const Slice& entity) {
  return !entity.empty() && entity[0] == 2;
}

// Calls visit(blob index) for every column that is elsewhere; its error is the
// result. Corruption: malformed.
Status ForEachBlobColumn(const Slice& entity,
                         const std::function<Status(const Slice&)>& visit);

// `entity` as it would be if no column were elsewhere: read(blob index, value)
// gets those that are; each stays readable until the next call. Corruption: two
// of them share bytes of a file; NotSupported: more than `bytes_max` of values.
// Takes memory for the result and one column.
using ReadBlobColumn =
    std::function<Status(const Slice& blob_index, Slice* value)>;
Status InlineBlobColumns(const Slice& entity, const ReadBlobColumn& read,
                         std::string* inlined,
                         uint64_t bytes_max = kEntrySizeMax);

// The value of the default column; empty without one. Errors as of
// DecodeEntity; of version 1 only what is needed is checked. With `elsewhere`,
// which says whether *value is the blob index of it, only the default column
// has to be here.
Status DefaultColumnOf(const Slice& entity, Slice* value,
                       bool* elsewhere = nullptr);

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
