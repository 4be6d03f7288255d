#include "table/internal_key.h"

#include <cinttypes>
#include <cstdio>

namespace ROCKSDB_NAMESPACE::engine {

bool IsStoredPointType(ValueType type) {
  switch (type) {
    case ValueType::kDeletion:
    case ValueType::kValue:
    case ValueType::kMerge:
    case ValueType::kSingleDeletion:
    case ValueType::kBlobIndex:
    case ValueType::kDeletionWithTimestamp:
    case ValueType::kWideColumnEntity:
    case ValueType::kValuePreferredSeqno:
      return true;
    default:
      return false;
  }
}

std::string ParsedInternalKey::DebugString() const {
  char tail[64];
  std::snprintf(tail, sizeof(tail), "' seq:%" PRIu64 ", type:%u", sequence,
                static_cast<unsigned>(type));
  return "'" + user_key.ToString(/*hex=*/true) + tail;
}

std::string InternalKey::DebugString(bool hex) const {
  ParsedInternalKey parsed;
  if (!ParseInternalKey(rep_, &parsed)) {
    return "(bad)" + Slice(rep_).ToString(true);
  }
  if (hex) return parsed.DebugString();
  char tail[64];
  std::snprintf(tail, sizeof(tail), "' seq:%" PRIu64 ", type:%u",
                parsed.sequence, static_cast<unsigned>(parsed.type));
  return "'" + parsed.user_key.ToString() + tail;
}

}  // namespace ROCKSDB_NAMESPACE::engine
