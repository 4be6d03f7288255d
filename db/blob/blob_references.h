// Which blobs an entry points at.
//
// Place. Whoever links tables to blob files or counts garbage asks here, so
// that all agree on what a reference is.
//
// Threads. Pure.

#pragma once

#include "rocksdb/slice.h"
#include "table/blob/blob_format.h"
#include "table/internal_key.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// A number that stands for the table the entry is in, not for a blob file.
inline constexpr uint64_t kBlobInSameTable = 0;

// Calls visit(const BlobIndex&) for every blob that an entry of this type with
// this value points at. Errors: those of decoding.
template <typename Visit>
Status ForEachBlob(ValueType type, const Slice& value, Visit&& visit) {
  // Columns in blob files: they would have to be found in here.
  constexpr char kEntityWithBlobs = 2;
  if (type == ValueType::kWideColumnEntity && !value.empty() &&
      value[0] == kEntityWithBlobs) {
    return Status::NotSupported(
        "wide column entity of version 2: columns in blob files");
  }
  if (type != ValueType::kBlobIndex) [[likely]]
    return Status::OK();
  BlobIndex index;
  RETURN_IF_ERROR(index.DecodeFrom(value));
  visit(index);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
