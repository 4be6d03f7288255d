// Which blobs an entry points at.
//
// Place. All code that links tables to blob files or counts garbage uses this,
// so that there is one definition of a reference.
//
// Threads. Pure.

#pragma once

#include "rocksdb/slice.h"
#include "table/blob/blob_format.h"
#include "table/entity.h"
#include "table/internal_key.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// Calls visit(const BlobIndex&) for every blob that an entry of this type with
// this value points at. Errors: those of decoding.
template <typename Visit>
Status ForEachBlob(ValueType type, const Slice& value, Visit&& visit) {
  const auto decode = [&](const Slice& encoded) -> Status {
    BlobIndex index;
    RETURN_IF_ERROR(index.DecodeFrom(encoded));
    visit(index);
    return Status::OK();
  };
  if (type == ValueType::kBlobIndex) return decode(value);
  if (type != ValueType::kWideColumnEntity) [[likely]]
    return Status::OK();
  return ForEachBlobColumn(value, decode);
}

}  // namespace ROCKSDB_NAMESPACE::engine
