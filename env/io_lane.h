// IoLane: what the disk has done for one class and kind of request, and what
// waits for it.
//
// Place. Counted at the gates (env/io_gate). Copies of files, which belong to
// no database's work, are counted in the scheduler behind (env/io_scheduler).
//
// Threads. IoLaneCount: any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"
#include "util/core_local.h"

namespace ROCKSDB_NAMESPACE::engine {

struct IoLane {
  uint64_t calls = 0;             // Returned, failed ones included.
  uint64_t bytes = 0;             // Of these.
  uint64_t dispatched_bytes = 0;  // Including those of calls under way.
  uint64_t device_micros = 0;     // Inside the calls.
  uint64_t sync_micros = 0;  // Inside fsync and the like; not in the above.
  uint64_t syncs = 0;
  uint64_t wait_micros = 0;  // At the gate.
  uint32_t waiting = 0;      // Threads at the gate now.
  uint32_t inside = 0;       // Threads in a call now, syncs included.

  IoLane& operator+=(const IoLane& other);
  uint64_t in_flight_bytes() const {
    return dispatched_bytes > bytes ? dispatched_bytes - bytes : 0;
  }
};

// One line of memory each: jobs of different classes do not disturb each other.
struct alignas(kCacheLineSize) IoLaneCount {
  std::atomic<uint64_t> calls{0};
  std::atomic<uint64_t> bytes{0};
  std::atomic<uint64_t> dispatched_bytes{0};
  std::atomic<uint64_t> device_nanos{0};
  std::atomic<uint64_t> sync_nanos{0};
  std::atomic<uint64_t> syncs{0};
  std::atomic<uint64_t> wait_micros{0};
  std::atomic<uint32_t> waiting{0};
  std::atomic<uint32_t> inside{0};

  // Not at one moment, but nothing in flight is negative.
  IoLane Read() const;
};

}  // namespace ROCKSDB_NAMESPACE::engine
