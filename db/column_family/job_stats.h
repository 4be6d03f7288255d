// What flushes and compactions have moved, by output level.
//
// Threads. A value, guarded by the DB mutex.

#pragma once

#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

struct LevelJobStats {
  uint64_t jobs = 0;
  uint64_t micros = 0;
  uint64_t cpu_micros = 0;
  uint64_t bytes_read_upper = 0;  // From levels above the output level.
  uint64_t bytes_read_output = 0;  // From the output level itself.
  uint64_t bytes_written = 0;
  uint64_t bytes_moved = 0;  // Trivial moves.
  uint64_t records_read = 0;
  uint64_t records_dropped = 0;

  void Add(const LevelJobStats& other) {
    jobs += other.jobs;
    micros += other.micros;
    cpu_micros += other.cpu_micros;
    bytes_read_upper += other.bytes_read_upper;
    bytes_read_output += other.bytes_read_output;
    bytes_written += other.bytes_written;
    bytes_moved += other.bytes_moved;
    records_read += other.records_read;
    records_dropped += other.records_dropped;
  }
};

// Index: output level; flushes count for level 0.
struct FamilyJobStats {
  std::vector<LevelJobStats> levels;
  uint64_t flush_bytes = 0;

  LevelJobStats& At(int level) {
    const auto index = static_cast<size_t>(level);
    if (levels.size() <= index) levels.resize(index + 1);
    return levels[index];
  }
};

}  // namespace ROCKSDB_NAMESPACE::engine
