// The kinds of entries as programs know them.
//
// Place. Translates the types of internal keys for the collectors of table
// properties.

#pragma once

#include "rocksdb/types.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// What a collector of table properties is told.
inline EntryType PublicEntryType(ValueType type) {
  switch (type) {
    case ValueType::kValue:
      return kEntryPut;
    case ValueType::kDeletion:
      return kEntryDelete;
    case ValueType::kDeletionWithTimestamp:
      return kEntryDeleteWithTimestamp;
    case ValueType::kSingleDeletion:
      return kEntrySingleDelete;
    case ValueType::kMerge:
      return kEntryMerge;
    case ValueType::kRangeDeletion:
      return kEntryRangeDeletion;
    case ValueType::kBlobIndex:
      return kEntryBlobIndex;
    case ValueType::kWideColumnEntity:
      return kEntryWideColumnEntity;
    case ValueType::kValuePreferredSeqno:
      return kEntryTimedPut;
    default:
      return kEntryOther;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
