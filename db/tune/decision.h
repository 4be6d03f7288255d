// TuningDecision: what the tuner wants, and why.
//
// Place. Made by Tuner::Step; published by the tuning driver to write
// admission, the byte gate, the scheduler and the pickers.
//
// Invariants:
//   (1) Trivially copyable: published in a seqlock.
//   (2) TuningDecision{} and FamilyDecision{} are RocksDB's static behaviour:
//       nothing is paced, paused, gated or reshaped.
//   (3) Every deviation from that (pacing, pausing, gating, other flushes) has
//       a reason.

#pragma once

#include <array>
#include <climits>
#include <cstdint>
#include <string_view>

#include "db/tune/signals.h"

namespace ROCKSDB_NAMESPACE::engine {

// What limits client writes now.
enum class WriteLimit : uint8_t {
  kNothing,
  kMemtables,  // Flushes are slower than writes; memory is full.
  kRuns,       // L0 files cannot be merged as fast as they come.
  kDebt,       // Deeper levels are too far behind.
};
inline constexpr size_t kWriteLimits = 4;

enum class TuneReason : uint8_t {
  kStatic,         // As RocksDB would.
  kFlushFirst,     // Flushes wait for the device: lower classes give way.
  kRunsRising,     // Runs are about to pass their target.
  kRunsHigh,       // They have passed it.
  kDebtBound,      // Debt has grown: repaying comes first.
  kValley,         // The load leaves room: repay.
  kMemoryHigh,     // Unflushed bytes come near their limit.
  kNeighbourNeed,  // Another database on the device is worse off.
};

// Why writers that are paced by runs get this rate.
enum class RateBound : uint8_t {
  kPlan,          // What flushes and merges can write for minutes.
  kUsual,         // What they wrote before they waited: they catch up.
  kRunningFlush,  // Memory is full until it has ended.
  kRunningMerge,  // L0 is full until it has ended.
  kDebt,          // What is compacted, and what debt has room for.
};

// More threads per compaction than this are not asked for.
inline constexpr int kSlicesMax = 4;

struct FamilyDecision {
  // Memtables that a flush waits for. 0: the option.
  int flush_merge_memtables = 0;
  // Files that a tier merge within L0 needs at least. 0: RocksDB's intra-L0.
  int tier_files_min = 0;
  // A merge that lets L0 grow beyond this many files before it ends is not
  // begun; a smaller one is. 0: no look-ahead.
  int runs_target = 0;
  // For that look-ahead: new L0 files per second, and bytes per second that
  // L0 merges get.
  double level0_files_per_second = 0;
  double merge_bytes_per_second = 0;
  // Bytes of a file as it is flushed when level 0 is pressed, before
  // compression.
  double flushed_file_bytes = 0;
  // A tier merge waits for more files until it takes this share of the files
  // that the target leaves beside those of earlier merges.
  double tier_room_share = 0;
  // The running merge ends too late: a tier merge that writes at most this
  // many bytes for each file that disappears goes before it. 0: none does.
  double tier_beside_bytes_per_file = 0;
  // A merge of up to this many bytes of level 0 into the base level is started
  // even if it does not end in time; tier merges continue meanwhile. 0: none
  // is.
  uint64_t base_merge_bytes = 0;
  // The base level may hold this much before its data is compacted down. 0: its
  // target.
  uint64_t base_target_bytes = 0;
  // Slices of one compaction, at most kSlicesMax. 0: the option.
  int subcompactions = 0;

  TuneReason flush_reason = TuneReason::kStatic;
  TuneReason runs_reason = TuneReason::kStatic;

  bool operator==(const FamilyDecision&) const = default;
};

// Equal but for the noise in the rates: a picker that found nothing by one
// finds nothing by the other.
bool PickAlike(const FamilyDecision& a, const FamilyDecision& b);

// What a user has set at run time stays as set: these bits say what.
inline constexpr uint32_t kPinnedBaseBytes = 1;
inline constexpr uint32_t kPinnedSubcompactions = 2;

// What setting the option `name` at run time pins; 0: nothing.
uint32_t PinnedBy(std::string_view name);
// Takes back what the user's own settings decide.
void KeepPinned(uint32_t pinned, FamilyDecision* shape);

struct TuningDecision {
  // Bytes per second that each class may write. 0: no limit.
  std::array<uint64_t, kWorkClasses> budget_bytes_per_second{};
  // While a flush writes, the lower classes wait; kRuns may go on at its
  // floor.
  bool flush_first = false;
  uint64_t runs_floor_bytes_per_second = 0;
  uint32_t chunk_bytes = 1 << 20;

  // Jobs of each class that may run now; those beyond are paused. Nothing
  // bounds how many merges of L0 run.
  int debt_jobs_max = INT_MAX;
  int maintenance_jobs_max = INT_MAX;
  // A more urgent job takes the slot of a less urgent one, which is paused.
  bool preempt = false;
  // All of max_background_compactions may run, not only one until pressure.
  bool all_slots = false;

  // Client writes, bytes per second. 0: not paced.
  uint64_t pacing_bytes_per_second = 0;

  // How much memory can take: a rate, at which flushes free it, and an amount
  // at once, the room that is left. While memory is not nearly full
  // (memory_pace_from_share), this slows only writers that together bring more
  // than flushes free, or more than twice what is usual. 0: no bound.
  uint64_t burst_bytes_per_second = 0;
  uint64_t burst_bytes = 0;
  // What the last decision's burst let through is not repaid.
  bool forgives_burst = false;

  WriteLimit limit = WriteLimit::kNothing;
  TuneReason pacing_reason = TuneReason::kStatic;
  TuneReason gate_reason = TuneReason::kStatic;
  TuneReason jobs_reason = TuneReason::kStatic;

  // What the pacer keeps to.
  uint64_t RateLimit() const {
    return pacing_bytes_per_second > 0 ? pacing_bytes_per_second
                                       : burst_bytes_per_second;
  }
  uint64_t BurstLimit() const {
    return pacing_bytes_per_second > 0 ? 0 : burst_bytes;
  }

  bool operator==(const TuningDecision&) const = default;
};

// The numbers behind a decision, for those who want to see into it.
struct TuningView {
  double offered_bytes_per_second = 0;
  double flush_bytes_per_second = 0;     // What a flush gets while it runs.
  double merge_bytes_per_second = 0;     // The same for L0 merges.
  double capacity_bytes_per_second = 0;  // All background writing; 0: unknown.
  double sustainable_bytes_per_second = 0;
  // Of what clients write, what flushes write; and of that, what is in level 0.
  double stored_share = 1;
  double table_share = 1;
  // Of the plan for writers that wait, for each byte that they write: what is
  // merged, and synced of logs; and the L0 files that it leads to.
  double merged_per_byte = 0;
  double logged_per_byte = 0;
  double level_wanted = 0;
  RateBound rate_bound = RateBound::kPlan;
  double flush_wait_share = 0;  // Of a flush's time, inside the device.
  double read_weight = 0;       // Of reads from files and writes, 0 to 1.
  double predicted_runs = 0;    // L0 files just before the next merge ends.
  double memory_share = 0;      // Unflushed bytes of their limit.
  double debt_share = 0;        // Debt, of the hard limit.
  double pressure = 0;          // 0: free; 1: at a limit.
  DeviceUse use;                // For neighbours.
  uint64_t debt_bytes = 0;
  uint64_t foreseen_debt_bytes = 0;  // FamilySignals; with credit.
  int sorted_runs = 0;
  int level0_files = 0;
};

const char* WriteLimitName(WriteLimit limit);   // "nothing", "memtables", ...
const char* TuneReasonName(TuneReason reason);  // "static", "runs_rising", ...

}  // namespace ROCKSDB_NAMESPACE::engine
