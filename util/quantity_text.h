// Quantities in sentences for people: what is none, one or unlimited is said in
// words, never as "0 B/s", "1 runs" or 2^64 - 1.

#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// From here on a number of bytes stands for "no limit".
inline constexpr double kUnlimitedBytes = 9e18;

// "12.0 MB", "3.4 kB", "17 B", "nothing" or "unlimited".
inline std::string BytesText(double bytes) {
  if (bytes >= kUnlimitedBytes) return "unlimited";
  if (!(bytes >= 0.5)) return "nothing";  // Also what is no number.
  char text[40];
  if (bytes >= 1e8) {
    std::snprintf(text, sizeof(text), "%.0f MB", bytes / 1e6);
  } else if (bytes >= 1e5) {
    std::snprintf(text, sizeof(text), "%.1f MB", bytes / 1e6);
  } else if (bytes >= 1e3) {
    std::snprintf(text, sizeof(text), "%.1f kB", bytes / 1e3);
  } else {
    std::snprintf(text, sizeof(text), "%.0f B", bytes);
  }
  return text;
}

// "12.0 MB/s", "3.4 kB/s", "17 B/s", "nothing" or "unlimited".
inline std::string RateText(double bytes_per_second) {
  const bool word =
      !(bytes_per_second >= 0.5) || bytes_per_second >= kUnlimitedBytes;
  return BytesText(bytes_per_second) + (word ? "" : "/s");
}

// "no files", "1 file", "2 files".
inline std::string CountText(uint64_t count, const char* noun) {
  const std::string number = count == 0 ? "no" : std::to_string(count);
  return number + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace ROCKSDB_NAMESPACE::engine
