// Which background job should start next? Pure.
//
// Place. Asked by the scheduler, under the DB mutex, whenever something may
// have changed: a memtable was sealed, a job ended, an option was set.
//
// Model. Flushes and compactions have separate limits; compactions get one
// slot until the stall monitor asks for more (RocksDB's rule: extra threads
// only under pressure).

#pragma once

#include <cstdint>
#include <optional>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

struct JobLimits {
  int flushes = 1;
  int compactions = 1;
};

enum class JobKind : uint8_t { kFlush, kCompaction };

struct JobDemand {
  int flushes_waiting = 0;
  int compactions_waiting = 0;
  int flushes_running = 0;  // Started or handed to the pool.
  int compactions_running = 0;
  bool flushes_allowed = true;
  bool compactions_allowed = true;
};

// Flushes first: a full memtable stops writers soonest.
inline std::optional<JobKind> NextJob(const JobDemand& demand,
                                      const JobLimits& limits) {
  if (demand.flushes_allowed && demand.flushes_waiting > 0 &&
      demand.flushes_running < limits.flushes) {
    return JobKind::kFlush;
  }
  if (demand.compactions_allowed && demand.compactions_waiting > 0 &&
      demand.compactions_running < limits.compactions) {
    return JobKind::kCompaction;
  }
  return std::nullopt;
}

}  // namespace ROCKSDB_NAMESPACE::engine
