#include "rocksdb/utilities/types_util.h"

#include <cstddef>
#include <string>

#include "table/entry_type.h"
#include "table/internal_key.h"
#include "table/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckGiven(const char* function, const Comparator* comparator,
                  const void* result) {
  if (comparator != nullptr && result != nullptr) return Status::OK();
  return Status::InvalidArgument(
      function, comparator == nullptr ? "the comparator is null"
                                      : "the place of the result is null");
}

}  // namespace

Status GetInternalKeyForSeek(const Slice& user_key,
                             const Comparator* comparator, std::string* buf) {
  Status status = CheckGiven("GetInternalKeyForSeek", comparator, buf);
  if (!status.ok()) return status;
  const std::string key =
      user_key.ToString() + engine::MaxTimestampOf(*comparator);
  buf->clear();
  engine::AppendInternalKey(buf, key, engine::kSequenceMax,
                            engine::kTypeForSeek);
  return status;
}

Status GetInternalKeyForSeekForPrev(const Slice& user_key,
                                    const Comparator* comparator,
                                    std::string* buf) {
  Status status = CheckGiven("GetInternalKeyForSeekForPrev", comparator, buf);
  if (!status.ok()) return status;
  const std::string key =
      user_key.ToString() + engine::MinTimestampOf(*comparator);
  buf->clear();
  engine::AppendInternalKey(buf, key, 0, engine::kTypeForSeekForPrev);
  return status;
}

Status ParseEntry(const Slice& internal_key, const Comparator* comparator,
                  ParsedEntryInfo* parsed_entry) {
  Status status = CheckGiven("ParseEntry", comparator, parsed_entry);
  if (!status.ok()) return status;
  const size_t timestamp_size = comparator->timestamp_size();
  engine::ParsedInternalKey key;
  if (!engine::ParseInternalKey(internal_key, &key) ||
      key.user_key.size() < timestamp_size) {
    return Status::Corruption(
        "internal key: expected at least " +
            std::to_string(timestamp_size + engine::kTrailerSize) + " bytes",
        "found " + internal_key.ToString(/*hex=*/true));
  }
  if (!engine::IsStoredPointType(key.type) &&
      key.type != engine::ValueType::kRangeDeletion) {
    return Status::Corruption(
        "internal key: unknown type " +
            std::to_string(static_cast<unsigned>(key.type)),
        internal_key.ToString(/*hex=*/true));
  }
  parsed_entry->user_key = engine::StripTimestamp(key.user_key, timestamp_size);
  parsed_entry->timestamp = engine::TimestampOf(key.user_key, timestamp_size);
  parsed_entry->sequence = key.sequence;
  parsed_entry->type = engine::PublicEntryType(key.type);
  return status;
}

}  // namespace ROCKSDB_NAMESPACE
