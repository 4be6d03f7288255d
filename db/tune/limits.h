// The constants of the adaptive law, in one table: what each is, its default,
// the range it is legal in, the extremes tests run it at, and where the
// number comes from.
//
// Place. Read by the tuner. It does not contain guards of arithmetic (a tick
// too short to give a speed, a rate that no device has), which stand where they
// are used, nor the leveled picker's conditions for a tier merge.
//
// "Model": measured with a model of one period of the capped sine (8 MiB
// memtables, 25 MB/s at the crest, caps of 45 to 90 MB/s) before the engine
// had the law; docs/decisions has the figures. "Chosen": no figure yet; the
// simulator's goals hold with it.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "util/ewma.h"

namespace ROCKSDB_NAMESPACE::engine {

enum class TuneParam : uint8_t {
  kOfferedHalfLifeSecs,
  kPeakHalfLifeSecs,
  kSpeedHalfLifeSecs,
  kWorkNowHalfLifeSecs,
  kShareHalfLifeSecs,
  kInitialSpeed,
  kFlushFirstHoldSecs,
  kRunsFloorShare,
  kFlushMergeFrom,
  kFlushMergeMore,
  kFlushMergeKeep,
  kFlushMergeMax,
  kFlushMergeHoldSecs,
  kRunsTargetMax,
  kRunsRiseFrom,
  kReadHalfLifeSecs,
  kReadRunsOver,
  kTierFilesMin,
  kDebtPauseAt,
  kDebtResumeAt,
  kDebtWorkFrom,
  kBaseMergeSecs,
  kDebtIdleSecs,
  kSubcompactionsFrom,
  kRunsPaceFrom,
  kDebtPaceFrom,
  kForeseenPaceFrom,
  kDebtHalfLifeSecs,
  kMemoryPaceFrom,
  kMemoryBurstTo,
  kBurstSecs,
  kPaceRatioLow,
  kPaceRatioHigh,
  kPaceFloor,
  kPaceSlewPerSec,
  kSaturatedShare,
  kChunkSecs,
  kMostlyOn,
  kMostlyOff,
  kWorkHalfLifeSecs,
  kWorkPerByteMax,
  kMergeShareMin,
  kMergeFilesCredit,
  kSlowdownShareMax,
  kFlushSpare,
  kFlushFillSecs,
  kTierBesideShare,
  kValleyShare,
  kSlicesBound,
  kDebtShareMin,
  kRunsFirstLead,
  kRunsBusySecs,
  kNeighbourFrom,
  kDebtNear,
  kBurstShare,
  kPaceSlewDown,
  kLevelWanted,
  kLevelGain,
  kLevelBrake,
  kPlanSecs,
  kPlanTiers,
  kLevelShare,
  kUsualFromSecs,
  kUsualMore,
  kCount,
};
inline constexpr size_t kTuneParams = static_cast<size_t>(TuneParam::kCount);

struct TuneLimit {
  TuneParam param;
  const char* name;
  double value;
  double min;
  double max;
  double test_low;
  double test_high;
  const char* reason;
};

inline constexpr std::array<TuneLimit, kTuneParams> kTuneLimits = {{
    {TuneParam::kOfferedHalfLifeSecs, "offered_half_life_secs", 0.5, 0.05, 10,
     0.1, 5,
     "follows a sine step within a second; one memtable of noise is gone"},
    {TuneParam::kPeakHalfLifeSecs, "peak_half_life_secs", 5, 0.5, 120, 1, 60,
     "longer than the valleys of a 4 s square wave, shorter than a burst's "
     "pause, so that the pause is used"},
    {TuneParam::kSpeedHalfLifeSecs, "speed_half_life_secs", 2, 0.1, 60, 0.5, 20,
     "of working time: some flushes, or one merge"},
    {TuneParam::kWorkNowHalfLifeSecs, "work_now_half_life_secs", 10, 1, 120, 2,
     60, "a few merges: their kinds mix"},
    {TuneParam::kShareHalfLifeSecs, "share_half_life_secs", 1, 0.1, 30, 0.2, 10,
     "some flushes"},
    {TuneParam::kInitialSpeed, "initial_speed_bytes_per_second", 64e6, 1e6,
     1e10, 1e6, 1e9,
     "before the first merge was seen; a slow disk's, so that the first "
     "decision errs towards small merges"},
    {TuneParam::kFlushFirstHoldSecs, "flush_first_hold_secs", 2, 0, 60, 0, 10,
     "longer than one flush at the slowest useful rate"},
    {TuneParam::kRunsFloorShare, "runs_floor_share", 0.1, 0, 0.5, 0, 0.5,
     "of capacity, for L0 merges while flushes write without a pause"},
    {TuneParam::kFlushMergeFrom, "flush_merge_from_share", 0.3, 0, 1, 0, 1,
     "of the runs target: two memtables per flush halve the L0 files at no "
     "cost in writes. Model: peak of L0 at 45 MB/s 56 -> 33 files"},
    {TuneParam::kFlushMergeMore, "flush_merge_more_share", 0.7, 0, 2, 0.1, 2,
     "of the runs target: three memtables. Model: 33 -> 24 files"},
    {TuneParam::kFlushMergeKeep, "flush_merge_keep_share", 0.5, 0, 1, 0, 1,
     "of the mark where it began: one merge takes L0 from one mark below the "
     "other, so a smaller gap would toggle with every merge"},
    {TuneParam::kFlushMergeMax, "flush_merge_max", 3, 1, 8, 1, 8,
     "memory: what is flushed and what arrives meanwhile must fit"},
    {TuneParam::kFlushMergeHoldSecs, "flush_merge_hold_secs", 3, 0, 60, 0, 10,
     "a larger flush is kept for a few flushes: fewer changes, and a memtable "
     "that waits for one more costs nothing"},
    {TuneParam::kRunsTargetMax, "runs_target_max", 20, 2, 1000, 4, 100,
     "files in L0 that reads bear: RocksDB's default slowdown, also for those "
     "who have set theirs out of reach"},
    {TuneParam::kRunsRiseFrom, "runs_rise_from_share", 0.9, 0.1, 1, 0.6, 1,
     "of the soft limit of debt: by degrees, as each merge moves debt. "
     "Simulator, open_95: worst second 0.34 at 1, 0.43 here"},
    {TuneParam::kReadHalfLifeSecs, "read_half_life_secs", 30, 1, 600, 2, 120,
     "how much is read moves the target of runs, and merges last that long"},
    {TuneParam::kReadRunsOver, "read_runs_over", 4, 0, 100, 0, 20,
     "files over the compaction trigger: the runs target where nearly all that "
     "users do is reading from files. Reads during 12 MB/s of writes at "
     "60 MB/s: median 880 -> 520 us"},
    {TuneParam::kTierFilesMin, "tier_files_min", 4, 2, 16, 2, 10,
     "fewer removes too few runs for its bytes. Model: 4 and 5 are best"},
    {TuneParam::kDebtPauseAt, "debt_pause_at_share", 0.8, 0.1, 2, 0.2, 1.5,
     "of the runs target, predicted: L0 needs the device"},
    {TuneParam::kDebtResumeAt, "debt_resume_at_share", 0.5, 0, 2, 0.1, 1.4,
     "well below the pause: no hunting"},
    {TuneParam::kDebtWorkFrom, "debt_work_from_share", 0.2, 0.05, 1, 0.1, 1,
     "of the soft limit: a load that lasts. Simulator, 900 s at nine tenths of "
     "what 45 MB/s sustain: accepted 70 % without, 81 % with; 0.1 and 0.5 are "
     "worse"},
    {TuneParam::kBaseMergeSecs, "base_merge_secs", 20, 1, 600, 2, 120,
     "of merging alone: large enough to be worth its base level, small enough "
     "to end"},
    {TuneParam::kDebtIdleSecs, "debt_idle_secs", 0.3, 0.1, 5, 0.1, 2,
     "without a merge of L0: then deeper levels may go on whatever the runs "
     "are, so that a merge that cannot start never leaves the device idle"},
    {TuneParam::kSubcompactionsFrom, "subcompactions_from_share", 0.5, 0, 2, 0,
     1.5,
     "of the runs target or of the soft debt limit, on a device that is not "
     "the limit: then more threads help"},
    {TuneParam::kRunsPaceFrom, "runs_pace_from_share", 0.5, 0, 0.95, 0, 0.9,
     "of the way from slowdown to stop: the last part of the band"},
    {TuneParam::kDebtPaceFrom, "debt_pace_from_share", 0.25, 0, 0.95, 0, 0.9,
     "of the way from soft to hard. Research model: 5.1 % -> 0.8 % error"},
    {TuneParam::kForeseenPaceFrom, "foreseen_pace_from_share", 0.5, 0, 0.95, 0,
     0.9,
     "of the pacing band of debt: what RocksDB's estimate will jump to. "
     "Simulator, 17 MB/s for 1800 s on 60 MB/s: stops of 117 s without, none "
     "with"},
    {TuneParam::kDebtHalfLifeSecs, "debt_half_life_secs", 15, 1, 600, 2, 120,
     "longer than one merge into the base level, by which debt moves"},
    {TuneParam::kMemoryPaceFrom, "memory_pace_from_share", 0.8, 0.3, 0.98, 0.5,
     0.95,
     "of the memory limit, less what running flushes have written: a flush of "
     "three of six memtables and what comes meanwhile stay below"},
    {TuneParam::kMemoryBurstTo, "memory_burst_to_share", 0.95, 0.3, 1, 0.5, 1,
     "of the memory limit: bursts may fill that much"},
    {TuneParam::kBurstSecs, "burst_secs", 0.4, 0.1, 10, 0.2, 5,
     "time in which flushes should drain the excess: four ticks"},
    {TuneParam::kPaceRatioLow, "pace_ratio_low", 0.4, 0.05, 0.9, 0.1, 0.9,
     "of the sustainable rate at a limit: the band empties"},
    {TuneParam::kPaceRatioHigh, "pace_ratio_high", 4, 1.1, 100, 1.2, 50,
     "of the sustainable rate where pacing begins: clients that ask "
     "for less notice no step"},
    {TuneParam::kPaceFloor, "pace_floor_bytes_per_second", 1e6, 1e3, 1e9, 1e3,
     1e8, "writes never come to a standstill by pacing"},
    {TuneParam::kPaceSlewPerSec, "pace_slew_per_sec", 4, 1.1, 100, 1.2, 50,
     "factor per second at most: smooth even at a resolution of one second"},
    {TuneParam::kSaturatedShare, "saturated_share", 0.8, 0.3, 1, 0.5, 1,
     "of the time some job is inside a write call: the device is the limit"},
    {TuneParam::kChunkSecs, "chunk_secs", 0.006, 0.0005, 0.1, 0.001, 0.05,
     "of device time per write, so that a pause is noticed within 10 ms"},
    {TuneParam::kMostlyOn, "mostly_on_share", 0.6, 0.1, 1, 0.3, 0.9,
     "of recent time: flushes wait for the device, the device is full, writers "
     "wait. Above, it counts. Two marks, because shares move with every flush"},
    {TuneParam::kMostlyOff, "mostly_off_share", 0.2, 0, 1, 0.05, 0.8,
     "the lower mark: no hunting"},
    {TuneParam::kWorkHalfLifeSecs, "work_half_life_secs", 60, 5, 3600, 10, 600,
     "several merges into the base level; a pause of writers must not look "
     "like work. Also how long a capacity counts after the device was the "
     "limit last"},
    {TuneParam::kWorkPerByteMax, "work_per_byte_max", 10, 1, 100, 2, 50,
     "more is no leveled tree: its multiplier"},
    {TuneParam::kMergeShareMin, "merge_share_min", 0.25, 0.01, 1, 0.05, 1,
     "of capacity that L0 merges are believed to get at a crest. Chosen"},
    {TuneParam::kMergeFilesCredit, "merge_files_credit", 3, 0, 20, 0, 8,
     "files that running merges may count as gone: what a merge of four takes "
     "away"},
    {TuneParam::kSlowdownShareMax, "slowdown_share_max", 0.75, 0.1, 1, 0.2,
     0.95,
     "of the stop: there has to be a band, also for a slowdown set to the "
     "stop. Chosen"},
    {TuneParam::kFlushSpare, "flush_spare", 0.75, 0, 4, 0, 2,
     "memtables kept free when a larger flush is begun: three of six fit while "
     "writers bring 0.75 of what flushes write"},
    {TuneParam::kFlushFillSecs, "flush_fill_secs", 10, 1, 600, 2, 60,
     "who needs longer for a memtable waits for no second one: their data "
     "would be in memory for as long"},
    {TuneParam::kTierBesideShare, "tier_beside_share", 0.8, 0.1, 1, 0.2, 1,
     "of the running merge's cost per file: clearly better, or that one might "
     "as well go on. Chosen"},
    {TuneParam::kValleyShare, "valley_share", 0.1, 0, 1, 0.02, 0.5,
     "of capacity: asked for less, the tree is repaid with two threads"},
    {TuneParam::kSlicesBound, "slices_device_bound", 2, 1, 8, 1, 4,
     "one thread reads, merges and writes in turn, 35 of 45 MB/s in the "
     "simulator; two keep a device busy"},
    {TuneParam::kDebtShareMin, "debt_share_min", 0.05, 0, 1, 0.01, 0.5,
     "of what is left: deeper jobs that may run get somewhere. Chosen"},
    {TuneParam::kRunsFirstLead, "runs_first_lead", 0.05, 0, 1, 0, 0.9,
     "of a pacing band: L0 so much nearer to its limit than debt makes debt "
     "wait. Simulator, 19 MB/s for 300 s on 60 MB/s: least second 0.40 -> "
     "0.89"},
    {TuneParam::kRunsBusySecs, "runs_busy_secs", 0.9, 0.1, 30, 0.2, 5,
     "of L0 merges before deeper levels pause again: a short merge between two "
     "others changes no mind"},
    {TuneParam::kNeighbourFrom, "neighbour_from", 0.75, 0, 1, 0.2, 1,
     "a need that other databases give way to: beyond reordering, before a "
     "stop"},
    {TuneParam::kDebtNear, "debt_near_share", 0.8, 0.1, 1, 0.3, 1,
     "of the pacing band: here debt is followed at once"},
    {TuneParam::kBurstShare, "burst_share", 0.5, 0.05, 1, 0.1, 1,
     "of memory's room, each tick: four ticks take 94 % of it"},
    {TuneParam::kPaceSlewDown, "pace_slew_down_per_sec", 1.5, 1.05, 1e+06, 1.1,
     10, "for writers that wait: one smooth descent"},
    {TuneParam::kLevelWanted, "level_wanted", 0.6, 0, 1, 0.2, 0.9,
     "of the way from slowdown to stop: where writers that wait are led. "
     "Simulator, 45 MB/s: 0.8 more is accepted, L0 reaches its stop"},
    {TuneParam::kLevelGain, "level_gain", 0.1, 0, 5, 0, 0.5,
     "more while L0 is empty: seconds of 100 s differ by 1 %"},
    {TuneParam::kLevelBrake, "level_brake", 0.8, 0, 1, 0.5, 1,
     "less where L0 nearly stops writes"},
    {TuneParam::kPlanSecs, "plan_secs", 140, 5, 3600, 20, 600,
     "of writing without a rest, planned for. Simulator, 45 MB/s, 8 MiB x 6: "
     "100 s 20.6 MB/s, seconds differ by 4 %; 140 s 19.1 MB/s, by 1 %"},
    {TuneParam::kPlanTiers, "plan_tiers", 3, 0, 16, 1, 6,
     "tiers of four files that are being gathered: no room for a plan"},
    {TuneParam::kLevelShare, "level_share", 0.5, 0, 1, 0, 1,
     "of the files in level 0 that a plan merges, too, once writing has lasted "
     "for half as long again as a plan. Simulator, 45 MB/s, 8 MiB x 6, 600 s: "
     "seconds differ by 56 % without, by 39 % with"},
    {TuneParam::kUsualFromSecs, "usual_from_secs", 10, 1, 600, 2, 60,
     "without waiting: what is written is what is usual, and no burst"},
    {TuneParam::kUsualMore, "usual_more", 2, 1, 20, 1, 10,
     "times what is usually written: those who catch up. Simulator, a device "
     "that is slow for 5 s twice: accepted 91 % without, 94 % with"},
}};

// The values in force. Tests replace some.
class TuneParams {
 public:
  constexpr TuneParams() {
    for (const TuneLimit& limit : kTuneLimits) {
      values_[static_cast<size_t>(limit.param)] = limit.value;
    }
  }
  constexpr double operator[](TuneParam param) const {
    return values_[static_cast<size_t>(param)];
  }
  // Clamped to the legal range.
  void Set(TuneParam param, double value);

 private:
  std::array<double, kTuneParams> values_{};
};

// Two marks of one thing: the lower one ends what the upper one began.
inline constexpr TuneParams kTuneDefaults;
static_assert(kTuneDefaults[TuneParam::kMostlyOff] <
              kTuneDefaults[TuneParam::kMostlyOn]);
static_assert(kTuneDefaults[TuneParam::kDebtResumeAt] <
              kTuneDefaults[TuneParam::kDebtPauseAt]);
static_assert(kTuneDefaults[TuneParam::kPaceRatioLow] < 1 &&
              1 < kTuneDefaults[TuneParam::kPaceRatioHigh]);
static_assert(kTuneDefaults[TuneParam::kFlushMergeFrom] <
              kTuneDefaults[TuneParam::kFlushMergeMore]);
static_assert(kTuneDefaults[TuneParam::kMemoryPaceFrom] <
              kTuneDefaults[TuneParam::kMemoryBurstTo]);
static_assert(kTuneDefaults[TuneParam::kPaceSlewDown] <
              kTuneDefaults[TuneParam::kPaceSlewPerSec]);

}  // namespace ROCKSDB_NAMESPACE::engine
