// Write stalls: whether a column family asks writers to slow down or to stop,
// why, how much, and what LOG says about it.
//
// Place. Pure arithmetic. Called where a new version, memtable or flush result
// was installed, once per column family; db/write/write_controller then holds
// the answers of all families.
//
// Model. Three measures, each with its bounds, judged in this order; the first
// hit wins:
//
//               unflushed memtables     files in L0     pending bytes
//   stop        >= max_write_buffers    >= stop         >= hard
//   delay       >= max - 1 (if > 3)     >= slowdown     >= soft
//   pressure    (none)                  ~ 2 x trigger   ~ soft / 4
//
// A full write buffer manager is a stop as well, judged after these. It applies
// to the whole database; one of its families reports it.
//
// The delayed rate is one number for the database, and it persists: the first
// delay starts with the rate that the last one ended with, and each
// recalculation during a delay moves it.
//
//   near a stop, or stopped before     x 0.6
//   pending bytes not falling          x 0.8
//   pending bytes falling              x 1.25
//   the delay ends                     x 1.4
//
// Invariants:
//   (1) With automatic compaction off only memtables and the write buffer
//       manager can stall, and a delay has the configured maximum as its rate.
//   (2) The rate stays in [min(16 KiB/s, maximum), maximum].
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr uint64_t kDelayedWriteRateMin = uint64_t{16} * 1024;

// What a column family looks like now.
struct StallLevels {
  int unflushed_memtables = 0;
  int level0_files = 0;
  uint64_t pending_compaction_bytes = 0;
  // For the pressure to compact faster.
  uint64_t bottommost_bytes = 0;
  // Writers wait for a shared write buffer manager: bytes in use, its limit.
  bool buffer_manager_full = false;
  uint64_t buffer_manager_bytes = 0;
  uint64_t buffer_manager_limit = 0;
  int files_marked_for_compaction = 0;
};

// The options it is judged by, the compaction switch already applied.
struct StallLimits {
  int max_write_buffer_number = 2;
  int min_write_buffer_number_to_merge = 1;
  bool disable_auto_compactions = false;
  int level0_compaction_trigger = 4;
  int level0_slowdown_trigger = 20;
  int level0_stop_trigger = 36;
  // 0: no limit.
  uint64_t soft_pending_bytes = 64ull << 30;
  uint64_t hard_pending_bytes = 256ull << 30;
  uint64_t max_bytes_for_level_base = 256ull << 20;
};

struct StallVerdict {
  WriteStallCondition condition = WriteStallCondition::kNormal;
  WriteStallCause cause = WriteStallCause::kNone;

  bool operator==(const StallVerdict&) const = default;
};

StallVerdict JudgeWriteStall(const StallLevels& levels,
                             const StallLimits& limits);

// Is the delay so close to the stop of the same cause that it must bite?
bool NearStop(WriteStallCause cause, const StallLevels& levels,
              const StallLimits& limits);

enum class CompactionPressure { kNone, kLevel0Files, kPendingBytes, kMarked };

// Should more compaction threads run although writers are not delayed yet?
CompactionPressure JudgePressure(const StallLevels& levels,
                                 const StallLimits& limits);

// State of the controller before the column family's old answer is replaced.
struct DelayHistory {
  bool was_delayed = false;
  bool was_stopped = false;
  uint64_t pending_bytes_before = 0;
  uint64_t rate_before = 0;
  uint64_t rate_max = 0;
};

// The delayed write rate, bytes per second, for a family that is to be delayed.
uint64_t DelayedWriteRate(const DelayHistory& history, bool near_stop,
                          const StallLevels& levels, const StallLimits& limits);

// The rate left behind for the next delay when a delay ends.
uint64_t RateAfterDelay(uint64_t rate, uint64_t rate_max);

// The LOG sentence of a verdict ("" when nothing stalls). `rate` is used by
// delays only.
std::string StallSentence(const std::string& column_family,
                          const StallVerdict& verdict,
                          const StallLevels& levels, const StallLimits& limits,
                          uint64_t rate);
// The same for people who ask what limits writes now: in words, with the option
// that sets the bound. "" when nothing stalls.
std::string WriteLimitSentence(const std::string& column_family,
                               const StallVerdict& verdict,
                               const StallLevels& levels,
                               const StallLimits& limits, uint64_t rate);
std::string PressureSentence(const std::string& column_family,
                             CompactionPressure pressure,
                             const StallLevels& levels);

// "memtable-limit", "l0-file-count-limit", "pending-compaction-bytes",
// "write-buffer-manager-limit" or "none".
const char* StallCauseName(WriteStallCause cause);
// "normal", "delayed" or "stopped".
const char* StallConditionName(WriteStallCondition condition);

// How often each verdict was given. One column family's; its owner locks.
class StallCounters {
 public:
  // Counts a recalculation that ended in `verdict`; `level0_compaction_running`
  // tells whether L0 was being compacted at that moment.
  void Count(const StallVerdict& verdict, bool level0_compaction_running);

  uint64_t delays(WriteStallCause cause) const { return delays_[Index(cause)]; }
  uint64_t stops(WriteStallCause cause) const { return stops_[Index(cause)]; }
  uint64_t total_delays() const;
  uint64_t total_stops() const;

  // The entries of the property "rocksdb.cf-write-stall-stats".
  std::map<std::string, std::string> ToMap() const;
  // The line "Write Stall (count): ..." of "rocksdb.stats", with line end.
  std::string ToLine() const;

 private:
  static constexpr size_t kCauses =
      static_cast<size_t>(WriteStallCause::kCFScopeWriteStallCauseEnumMax);
  static size_t Index(WriteStallCause cause) {
    return static_cast<size_t>(cause);
  }

  std::array<uint64_t, kCauses> delays_{};
  std::array<uint64_t, kCauses> stops_{};
  uint64_t level0_delays_with_compaction_ = 0;
  uint64_t level0_stops_with_compaction_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
