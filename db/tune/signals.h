// LsmSignals: everything that the tuner knows about one database, as numbers.
//
// Place. Filled by the tuning driver (or the simulator) once per tick, read by
// Tuner::Step. Knows nothing of files, locks or clocks: the time is in it.
//
// Model. Totals only grow, and the tuner takes differences, so a lost or late
// tick loses nothing. Everything else is the state at this moment.
//
// Invariants:
//   (1) Totals never fall. If one does, the tuner still makes valid decisions.
//   (2) `families` and `jobs` are borrowed for the duration of the call.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "util/ewma.h"

namespace ROCKSDB_NAMESPACE::engine {

// Background work by urgency, most urgent first.
enum class WorkClass : uint8_t {
  kFlush,        // Memtables to L0.
  kRuns,         // Bounds the number of sorted runs: compactions out of L0.
  kDebt,         // Deeper levels over their size.
  kMaintenance,  // Could wait for ever: ttl, periodic, marked, manual.
};
inline constexpr size_t kWorkClasses = 4;
constexpr size_t Index(WorkClass work) { return static_cast<size_t>(work); }

// Totals of one class.
struct WorkTotals {
  uint64_t bytes_written = 0;
  // Time inside the device's write calls, summed over threads.
  uint64_t device_micros = 0;
  // Wall time during which at least one such job was working (not paused).
  uint64_t busy_micros = 0;
};

// Of all flushes that are installed.
struct FlushTotals {
  uint64_t data_bytes = 0;   // Keys and values, as clients wrote them.
  uint64_t table_bytes = 0;  // What they wrote: tables in level 0,
  uint64_t blob_bytes = 0;   // and blob files.

  uint64_t stored_bytes() const { return table_bytes + blob_bytes; }
};

// A compaction that runs or is paused.
struct JobSignal {
  uint32_t family_id = 0;
  WorkClass work = WorkClass::kDebt;
  bool paused = false;
  bool from_level0 = false;
  bool into_level0 = false;   // A tier merge.
  int level0_files_gone = 0;  // When it has ended.
  uint64_t input_bytes = 0;
  uint64_t done_bytes = 0;  // Of input_bytes.

  // The part of its work that reduces debt: a tier merge removes none, and
  // maintenance is not in the estimate.
  uint64_t RepaidSoFar() const {
    const bool tier = from_level0 && into_level0;
    return tier || work == WorkClass::kMaintenance ? 0 : done_bytes;
  }
  // Files of L0 that count as gone by the share of input behind it.
  double RetiredSoFar() const {
    if (input_bytes == 0) return 0;
    const double done =
        static_cast<double>(done_bytes) / static_cast<double>(input_bytes);
    return level0_files_gone * (done < 1 ? done : 1);
  }
};

struct FamilySignals {
  uint32_t id = 0;
  bool auto_compactions = true;

  // Memory.
  uint64_t write_buffer_bytes = 64 << 20;
  int max_write_buffers = 2;
  int min_write_buffers_to_merge = 1;  // The option.
  uint64_t unflushed_bytes = 0;        // Mutable and sealed memtables.

  // Sorted runs.
  int level0_files = 0;
  uint64_t level0_bytes = 0;
  int sorted_runs = 0;      // L0 files and non-empty levels.
  uint64_t base_bytes = 0;  // Of the level that L0 is merged into.
  uint64_t base_target_bytes = 0;
  int level0_trigger = 4;
  int level0_slowdown = 20;
  int level0_stop = 36;

  // Debt: bytes that compactions have to write until every level fits.
  uint64_t debt_bytes = 0;
  // What it will be once the levels below hold data, less what running jobs
  // have done of it: moves without jumps.
  uint64_t foreseen_debt_bytes = 0;
  uint64_t soft_debt_bytes = 0;  // 0: no limit.
  uint64_t hard_debt_bytes = 0;  // 0: no limit.

  double MemtableBytes() const {
    return write_buffer_bytes > 0 ? static_cast<double>(write_buffer_bytes) : 1;
  }
  // All but the memtable that is written to.
  double SealedBytes() const {
    const double memtables =
        std::floor(static_cast<double>(unflushed_bytes) / MemtableBytes());
    return memtables * MemtableBytes();
  }
  // What flushes take by the options: nothing before there is enough for one.
  // One that the tuner wants larger may begin later.
  double FlushableBytes() const {
    const double least = std::max(1, min_write_buffers_to_merge);
    const double sealed = SealedBytes();
    return sealed >= least * MemtableBytes() ? sealed : 0;
  }
};

// Counts what a running job has behind it.
inline void Credit(const JobSignal& job, FamilySignals* family) {
  family->foreseen_debt_bytes -=
      std::min(family->foreseen_debt_bytes, job.RepaidSoFar());
}

// What a database tells the others on its device.
struct DeviceUse {
  double need = 0;  // How pressed it is, 0 to 1.
  bool writers_wait = false;
  uint64_t written_bytes = 0;  // In the background and of synced logs, so far.
};

// What the others have told.
struct Neighbours {
  double need = 0;  // Of the neediest.
  int waiting = 0;  // Those whose writers wait, and what is written for them.
  uint64_t waiting_written_bytes = 0;

  void Add(const DeviceUse& other) {
    need = std::max(need, other.need);
    if (!other.writers_wait) return;
    ++waiting;
    waiting_written_bytes += other.written_bytes;
  }
};

struct LsmSignals {
  uint64_t now_micros = 0;

  // What clients ask for: bytes written so far, and bytes of writers that
  // stand in a queue because writes are paced, delayed or stopped.
  uint64_t accepted_bytes = 0;
  uint64_t waiting_bytes = 0;

  std::array<WorkTotals, kWorkClasses> work{};
  // Of logs, made durable so far: the device has written these as well. Other
  // logs are mostly deleted before the kernel writes them.
  uint64_t log_synced_bytes = 0;
  // Of these, by flushes: logs that other families need as well.
  uint64_t flush_log_synced_bytes = 0;
  FlushTotals flushed;
  // Bytes that flushes now running have written already.
  uint64_t flush_progress_bytes = 0;
  // Data blocks, as stored, that users' reads took from table files and not
  // from a cache.
  uint64_t user_read_bytes = 0;
  int cpus = 1;
  // Of all memtables that share one limit with these, those of other databases
  // too, when reaching it stops writers. 0: no such limit.
  uint64_t shared_memory_bytes = 0;
  uint64_t shared_memory_limit = 0;
  // Other databases on this device.
  Neighbours neighbours;

  std::span<const FamilySignals> families;
  std::span<const JobSignal> jobs;

  uint64_t written_bytes() const {
    uint64_t bytes = log_synced_bytes;
    for (const WorkTotals& totals : work) bytes += totals.bytes_written;
    return bytes;
  }
};

}  // namespace ROCKSDB_NAMESPACE::engine
