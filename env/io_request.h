// IoRequest: what is asked of a disk, and for which purpose.
//
// Place. Used by the gate and by both policies of the I/O scheduler.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// The purpose of a request. MANIFESTs and other small files have no class.
enum class IoClass : uint8_t {
  kFlush,
  kRuns,         // Compaction that bounds the number of sorted runs.
  kDebt,         // Compaction of deeper levels.
  kMaintenance,  // Compaction that could also be done tomorrow.
  kLog,          // Write-ahead logs.
  kUserReads,
  kBackups,  // Backups and checkpoints.
};
inline constexpr size_t kIoClasses = 7;

inline const char* IoClassName(IoClass io_class) {
  constexpr const char* kNames[kIoClasses] = {
      "flush", "runs", "debt", "maintenance", "log", "reads", "backups"};
  return kNames[static_cast<size_t>(io_class)];
}

// Whether requests of this class wait while a flush writes (flush_first).
inline bool YieldsToFlushes(IoClass io_class) {
  return io_class != IoClass::kFlush && io_class != IoClass::kLog &&
         io_class != IoClass::kUserReads;
}

enum class IoKind : uint8_t { kRead, kWrite };
inline constexpr size_t kIoKinds = 2;

struct IoRequest {
  IoKind kind = IoKind::kWrite;
  uint64_t bytes = 0;
  // A buffered write has none, because the kernel writes it back together with
  // others. A sync is two operations without bytes.
  uint32_t operations = 1;
  // False: the call returns when a cache has the bytes, not the disk.
  bool reaches_disk = true;
};

// The answer of a policy.
struct IoAnswer {
  bool go = false;
  // If not: the time to ask again.
  uint64_t ask_again_micros = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
