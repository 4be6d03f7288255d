// Tuner: from signals to a decision, once per tick. The adaptive law.
//
// Place. Owned by the tuning driver of one database, or by the simulator. It
// uses no clock, lock, thread, file or randomness, and allocates only when it
// sees more families than ever before.
//
// Model. Three things can fill up; each has a band between a mark, where work
// is reordered, and a limit, where writes stop. Writers are slowed only in the
// last part of a band.
//
//            work is reordered            writers are paced         stop
//   memory   flushes go first             last part of the limit    limit
//   runs     merges that end in time,     second half of slowdown   L0 stop
//            flushes take two or three    to stop, or who waits
//            memtables
//   debt     deeper levels again          soft + 1/4 (hard - soft)  hard
//
// RocksDB's estimate of debt jumps when an empty level gets its first file, so
// writers are also paced for the debt after the jump, in half of the band.
//
// Work is reordered by three questions, asked at every tick:
//   * Do flushes wait for the device? Then all other work waits for them.
//   * How many files will L0 have when the running merge ends, if clients
//     continue as they do? If more than the target, smaller merges come first,
//     and deeper levels are paused.
//   * Is there room left? Then deeper levels use all of it. Once debt has grown
//     they work concurrently with level 0, unless that is nearer to its limit.
//
// Each band that has reached its last part gives a rate; the lowest holds.
//   runs    a plan (db/tune/rate_plan.h), corrected slowly by the number of
//           files. Also before the band, as soon as writers wait at nearly
//           every tick: they never rest, so the rate should be even from the
//           beginning. Never more than memory can take until the running flush
//           ends, nor than L0 can take until the running merge does.
//   debt    a multiple of what compactions repay, far more where the band
//           begins, less where it ends, so that debt stops growing.
//   memory  what flushes free, less where it is nearly full.
// None depends on what was just accepted. Outside of every band a burst is
// bounded by memory's room. Where the device is or lately was the limit,
// writers that ask for more than twice what is usual leave room for what
// follows until flushes have caught up.
//
// Invariants:
//   (1) Every number of a decision is inside its range, whatever the signals
//       are (zeros, NaN, clocks that jump).
//   (2) Pacing falls monotonically with the pressure and never below its
//       floor.
//   (3) Equal signals in equal order give equal decisions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "db/tune/decision.h"
#include "db/tune/estimates.h"
#include "db/tune/limits.h"
#include "db/tune/rate_plan.h"
#include "db/tune/signals.h"

namespace ROCKSDB_NAMESPACE::engine {

class Tuner {
 public:
  Tuner() : Tuner(TuneParams()) {}
  explicit Tuner(const TuneParams& params)
      : params_(params),
        estimates_(params),
        debt_pressure_(params[TuneParam::kDebtHalfLifeSecs]) {}

  // `families` receives one decision per entry of signals.families.
  TuningDecision Step(const LsmSignals& signals,
                      std::span<FamilyDecision> families);

  // The numbers behind the last decision.
  const TuningView& view() const { return view_; }

 private:
  // Where a family stands. 0: the band's mark; 1: its limit.
  struct Bands {
    double memory = 0;
    double runs = 0;
    double debt = 0;
    double runs_target = 0;
    double predicted_runs = 0;   // L0 files when the running merge has ended.
    double level = 0;            // L0 files as if work in progress counted.
    double debt_room_bytes = 0;  // Until writers are paced by debt alone.
    double merge_cost = 0;       // Bytes left per file of the best merge.
    // Memory, runs and debt in the part where writers pay.
    double paced_memory = 0;
    double paced_runs = 0;
    double paced_debt = 0;
    bool has_debt = false;
    double burst_bytes_per_second = 0;
    double burst_bytes = 0;
    double burst_share = 1;      // The family's, of what a burst brings.
    bool burst_guarded = false;  // It leaves room for what follows.
    // For writers that wait.
    double level_wanted = 0;
    double runs_waiting = 0;  // The wanted one, as far as reads bear it.
    double fullness = 0;      // `level`, of the wanted one.
    double over = 0;          // 0: at the wanted level; 1: at the last one.
    RatePlan::Part plan;
    double flush_room_bytes_per_second = 0;  // Until the running flush ends.
    double room_bytes_per_second = 0;        // Until the running merge ends.
  };

  // Files of level 0 between slowdown and stop: from where writers are paced,
  // where those that wait are led, and the last before they are stopped.
  struct LevelBand {
    double pace_from = 0;
    double wanted = 0;
    double last = 0;
  };

  // What is remembered of a family.
  struct Known {
    explicit Known(const TuneParams& params);

    uint32_t family_id = 0;
    int memtables = 0;  // Of a flush,
    double secs = 0;    // for so long.
    uint64_t unflushed_bytes = 0;
    double grown_bytes = 0;  // In this tick,
    double grown_share = 0;  // and of what all have grown by.
    Ewma share;              // See Share().

    // Of what is written; all of it, before that is known.
    double Share() const { return share.has_value() ? share.value() : 1; }
  };

  double P(TuneParam param) const { return params_[param]; }
  void Recognize(size_t index, const FamilySignals& family);
  void LearnShares(std::span<const FamilySignals> families);
  void ResizeFlush(const FamilySignals& family, const Bands& bands,
                   Known* known);
  void SumMemory(std::span<const FamilySignals> families);
  double WrittenBytes(const LsmSignals& signals) const;
  double OwnPart(double written_bytes, const FamilySignals& family) const;
  static double MemoryLimit(const LsmSignals& signals,
                            const FamilySignals& family);
  Bands Measure(const LsmSignals& signals, const FamilySignals& family,
                const Known& known, double file_bytes) const;
  void MeasureMerges(const LsmSignals& signals, const FamilySignals& family,
                     double file_bytes, Bands* bands) const;
  void MeasureMemory(const LsmSignals& signals, const FamilySignals& family,
                     double file_bytes, Bands* bands) const;
  void MeasureBurst(double limit, double unflushed_bytes, double written_bytes,
                    double backlog_bytes, Bands* bands) const;
  void MeasureLevel(const FamilySignals& family, Bands* bands) const;
  void MeasureDebt(const FamilySignals& family, Bands* bands) const;
  LevelBand BandOf(double slowdown, double stop) const;
  double LeastTarget(const FamilySignals& family) const;
  double RunsTarget(const FamilySignals& family, const Bands& bands) const;
  double MergeSpeed() const;
  double BurstRate(double limit, double waiting_bytes) const;
  FamilyDecision Shape(const LsmSignals& signals, const FamilySignals& family,
                       const Bands& bands, int flush_memtables) const;
  void Note(const FamilySignals& family, const Bands& bands, double file_bytes);
  void Gate(TuningDecision* decision);
  void ChunkAndShare(TuningDecision* decision) const;
  void WatchRunsWork(const LsmSignals& signals);
  void Allow(const LsmSignals& signals, TuningDecision* decision);
  void Pace(TuningDecision* decision);
  double Sustainable() const;
  double PacedRate(double pressure, double sustainable) const;
  double DebtPressure();
  int FlushMemtablesMax() const;
  bool HasTiers(const Bands& bands) const;
  double LevelShare() const;
  double PlannedRate();
  double RateOfDebt(const RatePlan& plan) const;
  double Slewed(double wanted, bool follow) const;

  const TuneParams params_;
  Estimates estimates_;
  Ewma debt_pressure_;
  TuningView view_;
  std::vector<Known> known_;  // As the signals' families.
  std::vector<RatePlan::Part> plan_parts_;
  Bands worst_;                 // Of each band the worst family's.
  bool burst_granted_ = false;  // By the last decision.
  double unflushed_bytes_ = 0;  // Of all families, in memtables,
  double flushable_bytes_ = 0;  // and of these, what flushes now take.
  double file_bytes_ = 0;       // Of a flush of the family with the worst runs.
  bool flush_first_ = false;
  double flush_first_secs_ = 0;  // Since it last changed.
  bool debt_paused_ = false;
  bool runs_first_ = false;
  bool runs_work_ = false;     // A merge of level 0 is running,
  double runs_work_secs_ = 0;  // or none is, for so long.
  bool runs_idle_ = true;      // None has been for a while.
  double paced_ = 0;           // The rate in force, bytes per second; 0: none.
  double lasting_rate_ = 0;    // Planned, whatever flushes and merges now run.
};

// One sentence: what limits writes now and what is done about it. At most
// `size` bytes with the terminating zero.
void Why(const TuningDecision& decision, const TuningView& view, char* out,
         size_t size);

}  // namespace ROCKSDB_NAMESPACE::engine
