#include "tools/ldb/ttl_times.h"

#include <algorithm>
#include <ctime>

#include "tools/ldb/output.h"

namespace ROCKSDB_NAMESPACE::ldb {

namespace {

constexpr int64_t kBucketsMax = 10000;

Status ReadSeconds(const Arguments& arguments, const char* flag,
                   int64_t* seconds) {
  const auto given = arguments.Number(flag, static_cast<uint64_t>(*seconds));
  if (!given.ok()) return given.status();
  *seconds = static_cast<int64_t>(std::min<uint64_t>(*given, INT32_MAX));
  return Status::OK();
}

}  // namespace

engine::Result<TtlTimes> TtlTimes::Of(const Arguments& arguments) {
  TtlTimes times;
  times.wanted = arguments.Bool("ttl");
  if (!times.wanted) return times;
  times.shown = arguments.Bool("timestamp");
  RETURN_IF_ERROR(ReadSeconds(arguments, "start_time", &times.start_secs));
  RETURN_IF_ERROR(ReadSeconds(arguments, "end_time", &times.end_secs));
  RETURN_IF_ERROR(ReadSeconds(arguments, "bucket", &times.bucket_secs));
  if (times.end_secs < times.start_secs) {
    return Status::InvalidArgument("End time can't be less than start time");
  }
  if (times.bucket_secs > 0 &&
      (times.end_secs - times.start_secs) / times.bucket_secs >= kBucketsMax) {
    return Status::InvalidArgument(
        "--bucket=" + std::to_string(times.bucket_secs) + " gives more than " +
            std::to_string(kBucketsMax) + " lines",
        "set --start_time and --end_time, or a larger --bucket");
  }
  return times;
}

std::string TtlTimes::Range() const {
  return "from " + TimeText(start_secs) + " to " + TimeText(end_secs);
}

TimeBuckets::TimeBuckets(const TtlTimes& times) : times_(times) {
  if (times.bucket_secs == 0) return;
  const int64_t range_secs = times.end_secs - times.start_secs;
  counts_.resize(static_cast<size_t>((range_secs + times.bucket_secs - 1) /
                                     times.bucket_secs));
}

void TimeBuckets::Add(int64_t secs) {
  if (counts_.empty()) return;
  ++counts_[static_cast<size_t>((secs - times_.start_secs) /
                                times_.bucket_secs)];
}

void TimeBuckets::Print() const {
  int64_t begin = times_.start_secs;
  for (const uint64_t count : counts_) {
    const int64_t end = std::min(begin + times_.bucket_secs, times_.end_secs);
    ldb::Print("Keys in range " + TimeText(begin) + " to " + TimeText(end) +
               " : " + std::to_string(count) + "\n");
    begin = end;
  }
}

std::string TimeText(int64_t secs) {
  const auto time = static_cast<time_t>(secs);
  std::tm local{};
  localtime_r(&time, &local);
  char text[64];
  const size_t length =
      std::strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &local);
  return {text, length};
}

}  // namespace ROCKSDB_NAMESPACE::ldb
