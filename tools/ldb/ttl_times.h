// TtlTimes: what --timestamp, --start_time, --end_time and --bucket ask for.
//
// Place. The commands that walk the keys of a database with a TTL (--ttl).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/ttl/stamped_value.h"
#include "tools/ldb/arguments.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::ldb {

// Of writes, in seconds since 1970.
struct TtlTimes {
  bool wanted = false;  // --ttl; nothing else counts without it.
  bool shown = false;
  int64_t start_secs = engine::kOldestStamp;
  int64_t end_secs = INT32_MAX;  // Not part of the range.
  int64_t bucket_secs = 0;       // 0: entries are not counted by time.

  // Errors: InvalidArgument for what is no number, an end before the start, and
  // more than 10,000 buckets.
  static engine::Result<TtlTimes> Of(const Arguments& arguments);

  bool Holds(int64_t secs) const {
    return secs >= start_secs && secs < end_secs;
  }
  // "from ... to ...".
  std::string Range() const;
};

// Counts writes by time and prints a line per bucket.
class TimeBuckets {
 public:
  explicit TimeBuckets(const TtlTimes& times);
  // REQUIRES: the range holds it.
  void Add(int64_t secs);
  void Print() const;

 private:
  const TtlTimes times_;
  std::vector<uint64_t> counts_;
};

// "Mon Nov 30 14:26:08 2026", local time.
std::string TimeText(int64_t secs);

}  // namespace ROCKSDB_NAMESPACE::ldb
