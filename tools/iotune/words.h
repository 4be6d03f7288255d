// Quantities as iotune writes them: short, for tables and pictures.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::iotune {

inline std::string Formatted(const char* format, double value) {
  char text[60];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// "545 MB/s", "4.5 MB/s".
inline std::string Bandwidth(double bytes_per_second) {
  const double mb = bytes_per_second / 1e6;
  return Formatted(mb < 10 && mb > 0 ? "%.1f MB/s" : "%.0f MB/s", mb);
}

// "95000/s".
inline std::string Operations(double per_second) {
  return Formatted("%.0f/s", per_second);
}

// "64 KiB", "unknown".
inline std::string Length(uint64_t bytes) {
  if (bytes == 0) return "unknown";
  return Formatted("%.0f KiB", static_cast<double>(bytes) / 1024);
}

// "0.43 ms", "120 ms", "2.1 s".
inline std::string Duration(uint64_t micros) {
  const double ms = static_cast<double>(micros) / 1000;
  if (ms >= 1000) return Formatted("%.1f s", ms / 1000);
  return Formatted(ms < 10 ? "%.2f ms" : "%.0f ms", ms);
}

}  // namespace ROCKSDB_NAMESPACE::iotune
