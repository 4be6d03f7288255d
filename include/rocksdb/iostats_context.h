// IOStatsContext: what the calling thread read and wrote.
//
// Times are nanoseconds and are measured from PerfLevel kEnableTime... on.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/perf_level.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Reads by the temperature of the file.
struct FileIOByTemperature {
  uint64_t hot_file_bytes_read;
  uint64_t warm_file_bytes_read;
  uint64_t cool_file_bytes_read;
  uint64_t cold_file_bytes_read;
  uint64_t ice_file_bytes_read;
  uint64_t unknown_non_last_level_bytes_read;
  uint64_t unknown_last_level_bytes_read;
  uint64_t hot_file_read_count;
  uint64_t warm_file_read_count;
  uint64_t cool_file_read_count;
  uint64_t cold_file_read_count;
  uint64_t ice_file_read_count;
  uint64_t unknown_non_last_level_read_count;
  uint64_t unknown_last_level_read_count;

  void Reset() { *this = FileIOByTemperature{}; }
};

struct IOStatsContext {
  void Reset();

  // "name = value, " for every field.
  std::string ToString(bool exclude_zero_counters = false) const;

  uint64_t thread_pool_id;
  uint64_t bytes_written;
  uint64_t bytes_read;
  uint64_t open_nanos;
  uint64_t allocate_nanos;
  uint64_t write_nanos;
  uint64_t read_nanos;
  uint64_t range_sync_nanos;
  uint64_t fsync_nanos;
  uint64_t prepare_write_nanos;
  uint64_t logger_nanos;
  uint64_t cpu_write_nanos;
  uint64_t cpu_read_nanos;
  FileIOByTemperature file_io_stats_by_temperature;

  bool disable_iostats = false;
};

// Of the calling thread; never null.
IOStatsContext* get_iostats_context();

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
