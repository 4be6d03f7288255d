// Stores the smallest and the largest user timestamp of a table in two of its
// properties.
//
// Place. A property collector that table/table_builder makes for families with
// user timestamps.
//
// Bytes. rocksdb.timestamp_min, rocksdb.timestamp_max: the timestamps as they
// are at the end of keys; in the comparator's order.
//
// Threads. One at a time.

#pragma once

#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/table_properties.h"
#include "table/timestamps.h"

namespace ROCKSDB_NAMESPACE::engine {

class TimestampRange final : public TablePropertiesCollector {
 public:
  // `order` must outlive the object and have timestamps.
  explicit TimestampRange(const Comparator* order) : order_(*order) {}

  const char* Name() const override { return "riverstone.TimestampRange"; }

  Status AddUserKey(const Slice& key, const Slice& /*value*/,
                    EntryType /*type*/, SequenceNumber /*sequence*/,
                    uint64_t /*file_size*/) override {
    const Slice timestamp = TimestampOf(key, order_.timestamp_size());
    if (min_.empty() || order_.CompareTimestamp(timestamp, min_) < 0) {
      min_.assign(timestamp.data(), timestamp.size());
    }
    if (max_.empty() || order_.CompareTimestamp(timestamp, max_) > 0) {
      max_.assign(timestamp.data(), timestamp.size());
    }
    return Status::OK();
  }

  Status Finish(UserCollectedProperties* properties) override {
    if (!min_.empty()) {
      (*properties)["rocksdb.timestamp_min"] = min_;
      (*properties)["rocksdb.timestamp_max"] = max_;
    }
    return Status::OK();
  }

  UserCollectedProperties GetReadableProperties() const override {
    if (min_.empty()) return {};
    return {{"rocksdb.timestamp_min", Slice(min_).ToString(/*hex=*/true)},
            {"rocksdb.timestamp_max", Slice(max_).ToString(/*hex=*/true)}};
  }

 private:
  const Comparator& order_;
  std::string min_;
  std::string max_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
