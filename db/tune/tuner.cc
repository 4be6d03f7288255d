#include "db/tune/tuner.h"

#include <algorithm>
#include <cmath>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Where `x` lies between `from` (0) and `to` (1); not clamped above.
double Position(double x, double from, double to) {
  if (!(to > from)) return x > from ? 1.0 : 0.0;
  return std::max(0.0, (x - from) / (to - from));
}

double Finite(double x) { return std::isfinite(x) ? std::max(x, 0.0) : 0.0; }

uint64_t Bytes(double x) {
  constexpr double kMax = 1e15;  // More than any device, less than overflow.
  return static_cast<uint64_t>(std::min(Finite(x), kMax));
}

}  // namespace

TuningDecision Tuner::Step(const LsmSignals& signals,
                           std::span<FamilyDecision> families) {
  (void)estimates_.Update(signals);
  view_ = TuningView{};
  view_.offered_bytes_per_second = estimates_.offered();
  view_.flush_bytes_per_second = estimates_.flush_speed();
  view_.merge_bytes_per_second = estimates_.merge_speed();
  view_.capacity_bytes_per_second = estimates_.capacity();
  view_.flush_wait_share = estimates_.flush_wait_share();
  worst_ = Bands{};
  file_bytes_ = 0;
  const size_t count = std::min(families.size(), signals.families.size());
  for (size_t i = 0; i < count; ++i) {
    const FamilySignals& family = signals.families[i];
    const Bands bands = Measure(signals, family);
    Note(family, bands);
    families[i] = Shape(signals, family, bands);
  }
  TuningDecision decision;
  decision.all_slots = true;
  decision.preempt = true;
  Gate(signals, &decision);
  Allow(signals, &decision);
  Pace(&decision);
  return decision;
}

// -------------------------------------------------------------------- measure

// Seconds until the L0 merge that ends first has ended, at today's speed.
double Tuner::MergeSecsLeft(const LsmSignals& signals,
                            uint32_t family_id) const {
  double left = 0;
  bool found = false;
  for (const JobSignal& job : signals.jobs) {
    if (job.family_id != family_id || !job.from_level0) continue;
    const uint64_t todo =
        job.input_bytes - std::min(job.done_bytes, job.input_bytes);
    const double secs = static_cast<double>(todo) / estimates_.merge_speed();
    left = found ? std::min(left, secs) : secs;
    found = true;
  }
  return left;
}

Tuner::Bands Tuner::Measure(const LsmSignals& signals,
                            const FamilySignals& family) const {
  Bands bands;
  const double memory_limit = static_cast<double>(family.write_buffer_bytes) *
                              std::max(1, family.max_write_buffers);
  bands.memory =
      Position(static_cast<double>(family.unflushed_bytes), 0, memory_limit);
  bands.paced_memory = Position(bands.memory, P(TuneParam::kMemoryPaceFrom), 1);

  const double stop = std::max(1, family.level0_stop);
  const double slowdown =
      std::clamp(static_cast<double>(family.level0_slowdown), 1.0, stop);
  bands.runs_target = slowdown;
  const double file_bytes =
      std::max(1.0, static_cast<double>(family.write_buffer_bytes) *
                        FlushMerge(family, Bands{.runs_target = slowdown}));
  bands.predicted_runs =
      family.level0_files + estimates_.offered_peak() / file_bytes *
                                MergeSecsLeft(signals, family.id);
  bands.runs = Position(bands.predicted_runs, 0, slowdown);
  const double pace_from =
      slowdown + P(TuneParam::kRunsPaceFrom) * (stop - slowdown);
  bands.paced_runs = Position(bands.predicted_runs, pace_from, stop - 1);

  const double soft = static_cast<double>(family.soft_debt_bytes);
  const double hard = static_cast<double>(family.hard_debt_bytes);
  const double debt = static_cast<double>(family.debt_bytes);
  if (soft > 0) bands.debt = debt / soft;
  if (hard > 0) {
    const double from = soft > 0
                            ? soft + P(TuneParam::kDebtPaceFrom) * (hard - soft)
                            : 0.75 * hard;
    bands.paced_debt = Position(debt, from, hard);
  }
  return bands;
}

void Tuner::Note(const FamilySignals& family, const Bands& bands) {
  if (file_bytes_ == 0 || bands.paced_runs > worst_.paced_runs ||
      bands.runs > worst_.runs) {
    file_bytes_ = static_cast<double>(family.write_buffer_bytes) *
                  FlushMerge(family, bands);
  }
  worst_.memory = std::max(worst_.memory, bands.memory);
  worst_.runs = std::max(worst_.runs, bands.runs);
  worst_.debt = std::max(worst_.debt, bands.debt);
  worst_.paced_memory = std::max(worst_.paced_memory, bands.paced_memory);
  worst_.paced_runs = std::max(worst_.paced_runs, bands.paced_runs);
  worst_.paced_debt = std::max(worst_.paced_debt, bands.paced_debt);
  view_.predicted_runs = std::max(view_.predicted_runs, bands.predicted_runs);
  view_.memory_share = worst_.memory;
  if (family.hard_debt_bytes > 0) {
    view_.debt_share = std::max(
        view_.debt_share, static_cast<double>(family.debt_bytes) /
                              static_cast<double>(family.hard_debt_bytes));
  }
  view_.debt_bytes += family.debt_bytes;
  view_.sorted_runs = std::max(view_.sorted_runs, family.sorted_runs);
  view_.level0_files = std::max(view_.level0_files, family.level0_files);
}

// ---------------------------------------------------------------------- shape

// Memtables per flush. More of them mean fewer files in L0 for the same bytes
// written, and more memory: those that are flushed and those that fill
// meanwhile have to fit, with one to spare.
int Tuner::FlushMerge(const FamilySignals& family, const Bands& bands) const {
  const double files = family.level0_files;
  const double target = std::max(1.0, bands.runs_target);
  int wanted = std::max(1, family.min_write_buffers_to_merge);
  const double memtable = static_cast<double>(family.write_buffer_bytes);
  // Who writes less than a memtable in ten seconds waits for no second one.
  if (estimates_.offered_peak() * 10 < memtable) return wanted;
  // A larger flush is given up well below the mark where it began.
  const auto mark = [&](TuneParam param, int merge) {
    const bool merging = family.flush_merge_memtables >= merge;
    return P(param) * target * (merging ? P(TuneParam::kFlushMergeKeep) : 1.0);
  };
  const int most = static_cast<int>(P(TuneParam::kFlushMergeMax));
  if (files >= mark(TuneParam::kFlushMergeFrom, 2)) {
    wanted = std::max(wanted, std::min(2, most));
  }
  if (files >= mark(TuneParam::kFlushMergeMore, 3)) {
    wanted = std::max(wanted, most);
  }
  const double growth =
      estimates_.offered_peak() / std::max(1.0, estimates_.flush_speed());
  const double fit = (family.max_write_buffers - 1) / (1 + Finite(growth));
  return std::max({1, family.min_write_buffers_to_merge,
                   std::min(wanted, static_cast<int>(fit))});
}

FamilyDecision Tuner::Shape(const LsmSignals& signals,
                            const FamilySignals& family,
                            const Bands& bands) const {
  FamilyDecision shape;
  shape.flush_merge_memtables = FlushMerge(family, bands);
  if (shape.flush_merge_memtables > family.min_write_buffers_to_merge) {
    shape.flush_reason = TuneReason::kRunsRising;
  }
  shape.tier_files_min = static_cast<int>(P(TuneParam::kTierFilesMin));
  shape.runs_target = static_cast<int>(bands.runs_target);
  const double file_bytes =
      std::max(1.0, static_cast<double>(family.write_buffer_bytes) *
                        shape.flush_merge_memtables);
  shape.level0_files_per_second =
      Finite(estimates_.offered_peak() / file_bytes);
  shape.merge_bytes_per_second = estimates_.merge_speed();
  if (bands.predicted_runs > bands.runs_target) {
    // Half of what is left, or the running merge might as well go on.
    shape.tier_beside_bytes = Bytes(0.5 * MergeSecsLeft(signals, family.id) *
                                    estimates_.merge_speed());
  }
  if (bands.runs > P(TuneParam::kDebtResumeAt)) {
    // A batch as large as the base level halves what each byte costs there.
    shape.base_target_bytes =
        std::max(family.base_target_bytes, family.level0_bytes);
  }
  if (bands.debt >= 1) shape.base_target_bytes = 0;
  if (bands.runs > 1) {
    shape.runs_reason = TuneReason::kRunsHigh;
  } else if (bands.runs > P(TuneParam::kFlushMergeFrom)) {
    shape.runs_reason = TuneReason::kRunsRising;
  }
  return shape;
}

// ----------------------------------------------------------------------- work

void Tuner::Gate(const LsmSignals& signals, TuningDecision* decision) {
  flush_first_secs_ += estimates_.tick_secs();
  const double share = estimates_.flush_wait_share();
  const bool pressed = worst_.memory > P(TuneParam::kMemoryPaceFrom);
  bool wanted = flush_first_;
  if (share >= P(TuneParam::kFlushFirstOn) || pressed) wanted = true;
  if (share < P(TuneParam::kFlushFirstOff) && !pressed &&
      flush_first_secs_ >= P(TuneParam::kFlushFirstHoldSecs)) {
    wanted = false;
  }
  if (wanted != flush_first_) flush_first_secs_ = 0;
  flush_first_ = wanted;
  if (flush_first_) {
    decision->flush_first = true;
    decision->gate_reason =
        pressed ? TuneReason::kMemoryHigh : TuneReason::kFlushFirst;
    const double known = estimates_.capacity() > 0 ? estimates_.capacity()
                                                   : estimates_.merge_speed();
    decision->runs_floor_bytes_per_second =
        Bytes(P(TuneParam::kRunsFloorShare) * known);
  }
  if (estimates_.saturated() && estimates_.capacity() > 0) {
    // Small enough that a waiting flush or a pause is not kept up by it.
    const double chunk = estimates_.capacity() * P(TuneParam::kChunkSecs);
    decision->chunk_bytes = static_cast<uint32_t>(
        std::clamp(std::exp2(std::floor(std::log2(std::max(chunk, 1.0)))),
                   65536.0, 1048576.0));
    // Deeper levels get what L0 can do without: all of it while few runs are
    // ahead, nothing when they reach the mark at which the jobs are paused.
    const double room =
        1 - Position(worst_.runs, 0, P(TuneParam::kDebtPauseAt));
    if (room < 1 && worst_.debt < 1) {
      const double left =
          std::max(0.0, estimates_.capacity() - estimates_.offered());
      decision->budget_bytes_per_second[Index(WorkClass::kDebt)] =
          std::max<uint64_t>(Bytes(std::max(room, 0.05) * left), 1 << 20);
      decision->gate_reason = TuneReason::kRunsRising;
    }
  }
  if (signals.user_limit_bytes_per_second > 0) {
    for (uint64_t& budget : decision->budget_bytes_per_second) {
      if (budget > 0) {
        budget = std::min(budget, signals.user_limit_bytes_per_second);
      }
    }
  }
}

void Tuner::Allow(const LsmSignals& signals, TuningDecision* decision) {
  const double need =
      std::max({worst_.paced_memory, worst_.paced_runs, worst_.paced_debt,
                std::min(worst_.runs, 1.0) * 0.5});
  view_.need = std::clamp(need, 0.0, 1.0);
  if (worst_.runs >= P(TuneParam::kDebtPauseAt)) debt_paused_ = true;
  if (worst_.runs < P(TuneParam::kDebtResumeAt)) debt_paused_ = false;
  // Near its own limit the debt may not wait, unless writes would stop first.
  const bool debt_bound = worst_.debt >= 1 && worst_.paced_runs < 1;
  if (debt_paused_ && !debt_bound) {
    decision->debt_jobs_max = 0;
    decision->maintenance_jobs_max = 0;
    decision->jobs_reason =
        worst_.runs > 1 ? TuneReason::kRunsHigh : TuneReason::kRunsRising;
  } else if (debt_bound) {
    decision->maintenance_jobs_max = 0;
    decision->jobs_reason = TuneReason::kDebtBound;
  } else if (signals.neighbour_need > 0.75 &&
             signals.neighbour_need > view_.need + 0.25) {
    decision->debt_jobs_max = 1;
    decision->maintenance_jobs_max = 0;
    decision->jobs_reason = TuneReason::kNeighbourNeed;
  } else if (view_.debt_bytes > 0) {
    decision->jobs_reason = TuneReason::kValley;
  }
}

// --------------------------------------------------------------------- pacing

// What could be accepted for ever, as far as `limit` goes.
double Tuner::Sustainable(WriteLimit limit) const {
  const double capacity = estimates_.capacity() > 0
                              ? estimates_.capacity()
                              : estimates_.written_per_second();
  switch (limit) {
    case WriteLimit::kMemtables:
      return 0.9 * estimates_.flush_speed();
    case WriteLimit::kRuns:
      // As many files may come as merges take away.
      return estimates_.files_retired_per_second() * file_bytes_;
    case WriteLimit::kDebt:
      // Every byte is written once by its flush and about three times below.
      return 0.25 * capacity;
    case WriteLimit::kNothing:
      break;
  }
  return 0;
}

void Tuner::Pace(TuningDecision* decision) {
  double pressure = worst_.paced_runs;
  WriteLimit limit = WriteLimit::kRuns;
  if (worst_.paced_memory > pressure) {
    pressure = worst_.paced_memory;
    limit = WriteLimit::kMemtables;
  }
  if (worst_.paced_debt > pressure) {
    pressure = worst_.paced_debt;
    limit = WriteLimit::kDebt;
  }
  pressure = std::clamp(Finite(pressure), 0.0, 1.0);
  view_.pressure = pressure;
  if (pressure <= 0) {
    paced_ = 0;
    return;
  }
  const double floor = P(TuneParam::kPaceFloor);
  const double sustainable = std::max(Sustainable(limit), floor);
  view_.sustainable_bytes_per_second = sustainable;
  // Geometric from the high to the low ratio: 1 lies inside.
  const double ratio =
      P(TuneParam::kPaceRatioHigh) *
      std::pow(P(TuneParam::kPaceRatioLow) / P(TuneParam::kPaceRatioHigh),
               pressure);
  const double wanted = std::max(sustainable * ratio, floor);
  if (paced_ > 0) {
    const double step =
        std::pow(P(TuneParam::kPaceSlewPerSec), estimates_.tick_secs());
    paced_ = std::clamp(wanted, paced_ / step, paced_ * step);
  } else {
    paced_ = wanted;
  }
  paced_ = std::max(Finite(paced_), floor);
  decision->pacing_bytes_per_second = std::max<uint64_t>(Bytes(paced_), 1);
  decision->limit = limit;
  decision->pacing_reason =
      limit == WriteLimit::kMemtables ? TuneReason::kMemoryHigh
      : limit == WriteLimit::kDebt    ? TuneReason::kDebtBound
                                      : TuneReason::kRunsHigh;
}

}  // namespace ROCKSDB_NAMESPACE::engine
