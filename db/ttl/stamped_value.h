// StampedValue: the time at the end of every value of a DBWithTTL.
//
// Bytes. value | fixed32 seconds since 1970, signed
//
// A time before the feature was released is no time: the value was not written
// by such a database, or is damaged.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/system_clock.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr size_t kStampSize = sizeof(int32_t);
// 9 May 2013.
inline constexpr int32_t kOldestStamp = 1368146402;

// Errors: the clock's.
inline Status CurrentStamp(SystemClock* clock, int32_t* seconds) {
  int64_t now = 0;
  Status status = clock->GetCurrentTime(&now);
  *seconds = static_cast<int32_t>(now);
  return status;
}

inline void AppendStamp(int32_t seconds, std::string* value) {
  PutFixed32(value, static_cast<uint32_t>(seconds));
}

// Corruption: the bytes are too few, or end in no time.
inline Status CheckStamp(const Slice& stamped) {
  if (stamped.size() < kStampSize) {
    return Status::Corruption("TTL database: a value of " +
                                  std::to_string(stamped.size()) +
                                  " bytes has no time at its end",
                              "was it written without DBWithTTL?");
  }
  const auto seconds = static_cast<int32_t>(
      DecodeFixed32(stamped.data() + stamped.size() - kStampSize));
  if (seconds >= kOldestStamp) return Status::OK();
  return Status::Corruption("TTL database: the time at the end of a value is " +
                                std::to_string(seconds) + ", before " +
                                std::to_string(kOldestStamp),
                            "was it written without DBWithTTL?");
}

// REQUIRES: the value is not shorter than a stamp.
inline Slice WithoutStamp(const Slice& stamped) {
  return {stamped.data(), stamped.size() - kStampSize};
}
inline Slice StampOf(const Slice& stamped) {
  return {stamped.data() + stamped.size() - kStampSize, kStampSize};
}

// Without a time, without a TTL and without a clock nothing expires.
inline bool IsExpired(const Slice& stamped, int32_t ttl_seconds,
                      SystemClock* clock) {
  int32_t now = 0;
  if (ttl_seconds <= 0 || stamped.size() < kStampSize ||
      !CurrentStamp(clock, &now).ok()) {
    return false;
  }
  const auto written =
      static_cast<int32_t>(DecodeFixed32(StampOf(stamped).data()));
  return int64_t{written} + ttl_seconds < int64_t{now};
}

}  // namespace ROCKSDB_NAMESPACE::engine
