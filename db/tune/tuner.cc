#include "db/tune/tuner.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Where `x` lies between `from` (0) and `to` (1); not clamped above.
double Position(double x, double from, double to) {
  if (!(to > from)) return x > from ? 1.0 : 0.0;
  return std::max(0.0, (x - from) / (to - from));
}

double Finite(double x) { return std::isfinite(x) ? std::max(x, 0.0) : 0.0; }

// More than any device, less than overflow.
constexpr double kUnlimited = 1e15;

uint64_t Bytes(double x) {
  return static_cast<uint64_t>(std::min(Finite(x), kUnlimited));
}

}  // namespace

TuningDecision Tuner::Step(const LsmSignals& signals,
                           std::span<FamilyDecision> families) {
  (void)estimates_.Update(signals);
  view_ = TuningView{};
  view_.offered_bytes_per_second = estimates_.offered();
  view_.flush_bytes_per_second =
      estimates_.stored_per_byte() * estimates_.flush_speed();
  view_.stored_share = estimates_.stored_per_byte();
  view_.table_share = estimates_.table_per_byte();
  view_.merge_bytes_per_second = MergeSpeed();
  view_.capacity_bytes_per_second = estimates_.capacity();
  view_.use.writers_wait = estimates_.writers_wait();
  view_.use.written_bytes = signals.written_bytes();
  view_.read_weight = estimates_.read_weight();
  view_.flush_wait_share = estimates_.flush_wait_share();
  worst_ = Bands{};
  worst_.burst_bytes_per_second = kUnlimited;
  worst_.burst_bytes = kUnlimited;
  worst_.room_bytes_per_second = kUnlimited;
  worst_.debt_room_bytes = kUnlimited;
  worst_.flush_room_bytes_per_second = kUnlimited;
  file_bytes_ = 0;
  plan_parts_.clear();
  const size_t count = std::min(families.size(), signals.families.size());
  LearnShares(signals.families.first(count));
  SumMemory(signals.families.first(count));
  for (size_t i = 0; i < count; ++i) {
    const FamilySignals& family = signals.families[i];
    Known* const known = &known_[i];
    const double file_bytes = std::max(
        1.0, static_cast<double>(family.write_buffer_bytes) * known->memtables);
    const Bands bands = Measure(signals, family, *known, file_bytes);
    Note(family, bands, file_bytes);
    ResizeFlush(family, bands, known);
    families[i] = Shape(signals, family, bands, known->memtables);
  }
  TuningDecision decision;
  decision.all_slots = true;
  decision.preempt = true;
  Gate(&decision);
  Allow(signals, &decision);
  Pace(&decision);
  if (count > 0) {
    decision.burst_bytes_per_second = Bytes(worst_.burst_bytes_per_second);
    decision.burst_bytes = Bytes(worst_.burst_bytes);
  }
  decision.forgives_burst = burst_granted_ && worst_.burst_guarded;
  burst_granted_ = decision.BurstLimit() > 0;
  return decision;
}

// ------------------------------------------------------------------- families

Tuner::Known::Known(const TuneParams& params)
    : share(params[TuneParam::kPeakHalfLifeSecs]) {}

void Tuner::Recognize(size_t index, const FamilySignals& family) {
  if (known_.size() <= index) known_.resize(index + 1, Known(params_));
  Known* const known = &known_[index];
  if (known->memtables != 0 && known->family_id == family.id) return;
  *known = Known(params_);
  known->family_id = family.id;
  known->memtables = std::max(1, family.min_write_buffers_to_merge);
  known->unflushed_bytes = family.unflushed_bytes;
}

// Whose memtables grow, when they do; a flush that ends hides a tick.
void Tuner::LearnShares(std::span<const FamilySignals> families) {
  double grown = 0;
  for (size_t i = 0; i < families.size(); ++i) {
    Recognize(i, families[i]);
    Known* const known = &known_[i];
    const uint64_t now = families[i].unflushed_bytes;
    known->grown_bytes = now > known->unflushed_bytes
                             ? static_cast<double>(now - known->unflushed_bytes)
                             : 0.0;
    known->unflushed_bytes = now;
    known->grown_share = 0;
    grown += known->grown_bytes;
  }
  if (!(grown > 0)) return;
  for (size_t i = 0; i < families.size(); ++i) {
    Known* const known = &known_[i];
    known->grown_share = known->grown_bytes / grown;
    known->share.Add(known->grown_share, estimates_.tick_secs());
  }
}

void Tuner::SumMemory(std::span<const FamilySignals> families) {
  unflushed_bytes_ = 0;
  flushable_bytes_ = 0;
  for (const FamilySignals& family : families) {
    unflushed_bytes_ += static_cast<double>(family.unflushed_bytes);
    flushable_bytes_ += family.FlushableBytes();
  }
}

// -------------------------------------------------------------------- measure

// What L0 merges will get: what they got, unless the device is the limit and
// flushes are about to need more of it.
double Tuner::MergeSpeed() const {
  const double speed = estimates_.merge_speed();
  const double capacity = estimates_.capacity();
  if (capacity <= 0) return speed;
  const double front = estimates_.front_per_byte() * estimates_.offered_peak();
  return std::min(speed, std::max(capacity - front,
                                  P(TuneParam::kMergeShareMin) * capacity));
}

// The running merges of level 0: what they will leave, and when.
void Tuner::MeasureMerges(const LsmSignals& signals,
                          const FamilySignals& family, double file_bytes,
                          Bands* bands) const {
  assert(file_bytes >= 1);
  double secs_left = 0;
  double background_secs_left = 0;
  bool running = false;
  bands->level = family.level0_files +
                 static_cast<double>(family.unflushed_bytes) / file_bytes;
  for (const JobSignal& job : signals.jobs) {
    if (job.family_id != family.id || !job.from_level0) continue;
    const double input = static_cast<double>(job.input_bytes);
    const double left =
        std::max(0.0, input - static_cast<double>(job.done_bytes));
    const double gone = std::max(1, job.level0_files_gone);
    bands->level -= job.RetiredSoFar();
    if (job.paused) continue;  // Its end is unknown.
    const double secs = left / MergeSpeed();
    if (job.work != WorkClass::kRuns) {
      background_secs_left = std::max(background_secs_left, secs);
      continue;
    }
    bands->merge_cost =
        running ? std::min(bands->merge_cost, left / gone) : left / gone;
    secs_left = running ? std::min(secs_left, secs) : secs;
    running = true;
  }
  bands->predicted_runs =
      family.level0_files + estimates_.offered_peak() / file_bytes * secs_left;
  // Until the running merge ends no more may come than there is room for.
  const double room = family.level0_stop - 1.0 - family.level0_files -
                      static_cast<double>(family.unflushed_bytes) / file_bytes;
  bands->room_bytes_per_second = kUnlimited;
  if (family.level0_files > family.level0_slowdown &&
      secs_left > estimates_.tick_secs()) {
    bands->room_bytes_per_second = std::max(0.0, room) * file_bytes / secs_left;
  }
  // Of what comes while larger files are merged, tier merges leave a part.
  if (family.level0_files > family.level0_slowdown &&
      background_secs_left > estimates_.tick_secs()) {
    bands->room_bytes_per_second =
        std::min(bands->room_bytes_per_second,
                 P(TuneParam::kTierFilesMin) * std::max(0.0, room) *
                     file_bytes / background_secs_left);
  }
}

// What memory can take in: as much as flushes free, less when little is left.
// Flushes free whole memtables at a time, so what they have written counts as
// free.
double Tuner::BurstRate(double limit, double waiting_bytes) const {
  const double room = (P(TuneParam::kMemoryPaceFrom) * limit - waiting_bytes) /
                      P(TuneParam::kBurstSecs);
  return std::max(estimates_.flush_speed() + std::min(room, 0.0),
                  P(TuneParam::kPaceFloor));
}

// What running flushes have written, as clients brought it.
double Tuner::WrittenBytes(const LsmSignals& signals) const {
  return static_cast<double>(signals.flush_progress_bytes) /
         estimates_.stored_per_byte();
}

// Of `written_bytes`, the family's. They are known of all families together:
// each has its part of what flushes take.
double Tuner::OwnPart(double written_bytes, const FamilySignals& family) const {
  const double unflushed = static_cast<double>(family.unflushed_bytes);
  double part = 1;
  if (flushable_bytes_ > 0) {
    part = family.FlushableBytes() / flushable_bytes_;
  } else if (unflushed_bytes_ > 0) {
    part = unflushed / unflushed_bytes_;
  }
  return std::min(written_bytes * part, unflushed);
}

// How far the family's memtables may grow: by its own options, and by what is
// left of a limit that it shares.
double Tuner::MemoryLimit(const LsmSignals& signals,
                          const FamilySignals& family) {
  const double own = static_cast<double>(family.write_buffer_bytes) *
                     std::max(1, family.max_write_buffers);
  if (signals.shared_memory_limit == 0) return own;
  const double left = static_cast<double>(signals.shared_memory_limit) -
                      static_cast<double>(signals.shared_memory_bytes);
  const double unflushed = static_cast<double>(family.unflushed_bytes);
  return std::clamp(unflushed + left, 1.0, std::max(own, 1.0));
}

// Where memory is: for writers that wait what it can take in until the running
// flush has ended, for all others how much they may bring at once.
void Tuner::MeasureMemory(const LsmSignals& signals,
                          const FamilySignals& family, double file_bytes,
                          Bands* bands) const {
  const double limit = MemoryLimit(signals, family);
  const double unflushed = static_cast<double>(family.unflushed_bytes);
  const double written = WrittenBytes(signals);
  const double own_written = OwnPart(written, family);
  assert(limit >= 0 && own_written >= 0);
  bands->memory = Position(unflushed, 0, limit);
  bands->paced_memory = Position(Position(unflushed - own_written, 0, limit),
                                 P(TuneParam::kMemoryPaceFrom), 1);
  const double left =
      std::max(1.0, std::min(family.SealedBytes(), file_bytes) - own_written);
  const double free =
      family.MemtableBytes() * std::max(1, family.max_write_buffers) -
      unflushed;
  bands->flush_room_bytes_per_second =
      estimates_.flush_speed() * std::max(0.0, free) / left;
  // Flushes of all families share the device.
  const double backlog =
      std::max(flushable_bytes_, std::min(file_bytes, unflushed)) - written;
  MeasureBurst(limit, unflushed, own_written, backlog, bands);
}

// Writers that bring far more than is usual would fill memory at once and then
// stand until a flush ends. So a burst leaves room for what the plan lets
// writers bring until `backlog_bytes` are flushed, and from there gets what is
// left over that time; flushes that share a device end late. Of both a family
// takes its share: the usual one, or that of now if it is more. On a device
// that was not the limit lately flushes end within a few ticks, and nothing is
// gained.
void Tuner::MeasureBurst(double limit, double unflushed_bytes,
                         double written_bytes, double backlog_bytes,
                         Bands* bands) const {
  double rate = BurstRate(limit, unflushed_bytes - written_bytes);
  double fill_to = P(TuneParam::kMemoryBurstTo) * limit;
  const double usual = estimates_.usual();  // 0: not known.
  if (estimates_.lasting_capacity() > 0 && usual > 0 &&
      estimates_.offered() > P(TuneParam::kUsualMore) * usual) {
    const double flush_speed = std::max(1.0, estimates_.flush_speed());
    const double secs = std::max(1.0, backlog_bytes) / flush_speed;
    const double share = std::max(bands->burst_share, 1e-6);
    rate =
        std::min(rate, std::max(0.0, limit - unflushed_bytes) / secs / share);
    fill_to = std::min(
        fill_to, limit - share * std::min(lasting_rate_, flush_speed) * secs);
    bands->burst_guarded = true;
  }
  bands->burst_bytes_per_second = std::max(rate, P(TuneParam::kPaceFloor));
  // Grant part of the room per tick: enough that writers at the flush rate
  // never wait, the rest in reserve. One family may get all of it.
  bands->burst_bytes =
      std::max(0.0, P(TuneParam::kBurstShare) * (fill_to - unflushed_bytes));
}

Tuner::Bands Tuner::Measure(const LsmSignals& signals,
                            const FamilySignals& family, const Known& known,
                            double file_bytes) const {
  assert(file_bytes >= 1);
  Bands bands;
  bands.plan.share = known.Share();
  bands.burst_share = std::max(known.Share(), known.grown_share);
  MeasureMemory(signals, family, file_bytes, &bands);
  MeasureMerges(signals, family, file_bytes, &bands);
  MeasureLevel(family, &bands);
  MeasureDebt(family, &bands);
  bands.runs_target = RunsTarget(family, bands);
  bands.runs = Position(bands.predicted_runs, 0, bands.runs_target);
  return bands;
}

// What level 0 has when its merges begin, and a few more.
double Tuner::LeastTarget(const FamilySignals& family) const {
  return std::max(1, family.level0_trigger) + P(TuneParam::kReadRunsOver);
}

// The user's slowdown, as far as reads bear it; the more is read from files,
// the less. The nearer debt comes to its soft limit, the more level 0 may fill
// as for writers that wait: merges are larger then, and cost less.
double Tuner::RunsTarget(const FamilySignals& family,
                         const Bands& bands) const {
  const double stop = std::max(1, family.level0_stop);
  const double slowdown =
      std::clamp(static_cast<double>(family.level0_slowdown), 1.0, stop);
  double most = std::min(slowdown, P(TuneParam::kRunsTargetMax));
  const double rise =
      std::min(1.0, Position(bands.debt, P(TuneParam::kRunsRiseFrom), 1));
  most += rise * std::max(0.0, bands.runs_waiting - most);
  const double least = LeastTarget(family);
  return most - estimates_.read_weight() * std::max(0.0, most - least);
}

Tuner::LevelBand Tuner::BandOf(double slowdown, double stop) const {
  LevelBand band;
  const double from = std::min(std::clamp(slowdown, 1.0, stop),
                               P(TuneParam::kSlowdownShareMax) * stop);
  band.pace_from = from + P(TuneParam::kRunsPaceFrom) * (stop - from);
  // A merge counts while it runs, so the files themselves may be a few more.
  band.last =
      std::max(band.pace_from + 1, stop - P(TuneParam::kMergeFilesCredit));
  band.wanted = from + P(TuneParam::kLevelWanted) * (band.last - from);
  return band;
}

// Where level 0 is, in its band and for writers that wait.
void Tuner::MeasureLevel(const FamilySignals& family, Bands* bands) const {
  const LevelBand band =
      BandOf(family.level0_slowdown, std::max(1, family.level0_stop));
  bands->level = std::max(
      bands->level, family.level0_files - P(TuneParam::kMergeFilesCredit));
  bands->paced_runs = Position(bands->level, band.pace_from, band.last);
  bands->level_wanted = band.wanted;
  bands->fullness = bands->level / band.wanted;
  bands->over = Position(bands->level, band.wanted, band.last);
  // Triggers beyond what reads bear leave writers more room, but no merge waits
  // for more files than with RocksDB's default of 36 for a slowdown of 20, or
  // than those with which it begins.
  const double borne = P(TuneParam::kRunsTargetMax);
  const double most =
      std::max(BandOf(borne, 1.8 * borne).wanted, LeastTarget(family));
  bands->runs_waiting = std::ceil(std::min(band.wanted, most));
  bands->plan.level_files = std::max(0.0, bands->level);
  bands->plan.room_files =
      std::max(1.0, bands->level_wanted -
                        P(TuneParam::kPlanTiers) * P(TuneParam::kTierFilesMin));
  // As many memtables per flush as leave as many to be filled.
  bands->plan.file_bytes =
      std::max(1.0, static_cast<double>(family.write_buffer_bytes)) *
      std::max(std::max(1, family.min_write_buffers_to_merge),
               std::min(FlushMemtablesMax(), family.max_write_buffers / 2));
}

void Tuner::MeasureDebt(const FamilySignals& family, Bands* bands) const {
  const double soft = static_cast<double>(family.soft_debt_bytes);
  const double debt = static_cast<double>(family.debt_bytes);
  // Without a hard limit the soft one still has to bound something.
  const double hard = family.hard_debt_bytes > 0
                          ? static_cast<double>(family.hard_debt_bytes)
                          : 2 * soft;
  if (soft > 0) bands->debt = debt / soft;
  bands->debt_room_bytes = kUnlimited;
  if (hard <= 0) return;
  const double pace_from =
      soft > 0 ? soft + P(TuneParam::kDebtPaceFrom) * (hard - soft)
               : 0.75 * hard;
  const double foreseen_from =
      pace_from + P(TuneParam::kForeseenPaceFrom) * (hard - pace_from);
  bands->debt_room_bytes = std::max(0.0, foreseen_from - debt);
  bands->paced_debt =
      std::max(Position(debt, pace_from, hard),
               Position(static_cast<double>(family.foreseen_debt_bytes),
                        foreseen_from, hard));
}

void Tuner::Note(const FamilySignals& family, const Bands& bands,
                 double file_bytes) {
  if (file_bytes_ == 0 || bands.paced_runs > worst_.paced_runs ||
      bands.runs > worst_.runs) {
    file_bytes_ = file_bytes;
  }
  worst_.memory = std::max(worst_.memory, bands.memory);
  worst_.runs = std::max(worst_.runs, bands.runs);
  worst_.debt = std::max(worst_.debt, bands.debt);
  worst_.debt_room_bytes =
      std::min(worst_.debt_room_bytes, bands.debt_room_bytes);
  worst_.paced_memory = std::max(worst_.paced_memory, bands.paced_memory);
  worst_.burst_bytes_per_second =
      std::min(worst_.burst_bytes_per_second, bands.burst_bytes_per_second);
  worst_.burst_bytes = std::min(worst_.burst_bytes, bands.burst_bytes);
  worst_.burst_guarded |= bands.burst_guarded;
  worst_.room_bytes_per_second =
      std::min(worst_.room_bytes_per_second, bands.room_bytes_per_second);
  if (bands.fullness >= worst_.fullness) {
    worst_.fullness = bands.fullness;
    worst_.level_wanted = bands.level_wanted;
  }
  worst_.over = std::max(worst_.over, bands.over);
  plan_parts_.push_back(bands.plan);
  worst_.flush_room_bytes_per_second = std::min(
      worst_.flush_room_bytes_per_second, bands.flush_room_bytes_per_second);
  worst_.paced_runs = std::max(worst_.paced_runs, bands.paced_runs);
  worst_.paced_debt = std::max(worst_.paced_debt, bands.paced_debt);
  worst_.has_debt |= family.debt_bytes > 0;
  view_.predicted_runs = std::max(view_.predicted_runs, bands.predicted_runs);
  view_.memory_share = worst_.memory;
  if (family.hard_debt_bytes > 0) {
    view_.debt_share = std::max(
        view_.debt_share, static_cast<double>(family.debt_bytes) /
                              static_cast<double>(family.hard_debt_bytes));
  }
  view_.debt_bytes += family.debt_bytes;
  view_.foreseen_debt_bytes += family.foreseen_debt_bytes;
  view_.sorted_runs = std::max(view_.sorted_runs, family.sorted_runs);
  view_.level0_files = std::max(view_.level0_files, family.level0_files);
}

// ---------------------------------------------------------------------- shape

// Where flushes have to sync logs that other families need, they last longer:
// of three memtables so long that the others fill up.
int Tuner::FlushMemtablesMax() const {
  constexpr double kFewLogs = 0.1;
  const int most = static_cast<int>(P(TuneParam::kFlushMergeMax));
  return estimates_.flush_logs_per_flushed() > kFewLogs ? std::min(2, most)
                                                        : most;
}

// Memtables per flush. More of them mean fewer files in L0 for the same bytes
// written, and more memory: those that are flushed and those that fill
// meanwhile have to fit.
void Tuner::ResizeFlush(const FamilySignals& family, const Bands& bands,
                        Known* known) {
  known->secs += estimates_.tick_secs();
  const int least = std::max(1, family.min_write_buffers_to_merge);
  const int most = FlushMemtablesMax();
  const auto mark = [&](TuneParam param, int memtables) {
    const bool merging = known->memtables >= memtables;
    return P(param) * bands.runs_target *
           (merging ? P(TuneParam::kFlushMergeKeep) : 1.0);
  };
  int wanted = least;
  if (bands.level >= mark(TuneParam::kFlushMergeFrom, 2))
    wanted = std::min(2, most);
  if (bands.level >= mark(TuneParam::kFlushMergeMore, 3)) wanted = most;
  const double growth =
      estimates_.offered_peak() / std::max(1.0, estimates_.flush_speed());
  // A family that already flushes that many needs less room than one that is
  // about to begin.
  const double spare =
      known->memtables >= wanted ? 0 : P(TuneParam::kFlushSpare);
  const double fit = (family.max_write_buffers - spare) / (1 + Finite(growth));
  wanted = std::max(least, std::min(wanted, static_cast<int>(fit)));
  const double memtable = static_cast<double>(family.write_buffer_bytes);
  if (known->Share() * estimates_.offered_peak() *
          P(TuneParam::kFlushFillSecs) <
      memtable) {
    wanted = least;
  }
  const bool may = wanted > known->memtables ||
                   known->secs >= P(TuneParam::kFlushMergeHoldSecs);
  if (wanted == known->memtables || !may) return;
  known->memtables = wanted;
  known->secs = 0;
}

// Level 0 has room for tiers of several sizes.
bool Tuner::HasTiers(const Bands& bands) const {
  return bands.level_wanted >=
         (P(TuneParam::kPlanTiers) + 1) * P(TuneParam::kTierFilesMin);
}

FamilyDecision Tuner::Shape(const LsmSignals& signals,
                            const FamilySignals& family, const Bands& bands,
                            int flush_memtables) const {
  assert(flush_memtables > 0);
  FamilyDecision shape;
  shape.flush_merge_memtables = flush_memtables;
  if (flush_memtables > family.min_write_buffers_to_merge) {
    shape.flush_reason = TuneReason::kRunsRising;
  }
  shape.tier_files_min = static_cast<int>(P(TuneParam::kTierFilesMin));
  // A band with no room for tiers has only one.
  const bool tiers = estimates_.lasting_capacity() > 0 && HasTiers(bands);
  const double table = estimates_.table_per_byte();
  shape.tier_room_share =
      tiers ? MergeSpeed() / (MergeSpeed() + table * estimates_.offered_peak())
            : 0;
  shape.flushed_file_bytes = tiers ? table * bands.plan.file_bytes : kUnlimited;
  shape.runs_target = static_cast<int>(
      estimates_.writers_wait() ? bands.runs_waiting : bands.runs_target);
  const double file_bytes = std::max(
      1.0, static_cast<double>(family.write_buffer_bytes) * flush_memtables);
  shape.level0_files_per_second =
      Finite(estimates_.offered_peak() / file_bytes);
  shape.merge_bytes_per_second = MergeSpeed();
  if (bands.predicted_runs > bands.runs_target) {
    shape.tier_beside_bytes_per_file =
        P(TuneParam::kTierBesideShare) * bands.merge_cost;
  }
  if (bands.runs > P(TuneParam::kDebtResumeAt)) {
    // A batch as large as the base level halves what each byte costs there.
    shape.base_target_bytes =
        std::max(family.base_target_bytes, family.level0_bytes);
  }
  if (bands.debt >= P(TuneParam::kDebtWorkFrom)) {
    // A load that lasts: level 0 has to go down although there is never time
    // for it, a part at a time, unless the base level has to go down first.
    shape.base_target_bytes = 0;
    if ((bands.level <= bands.runs_target) &&
        family.base_bytes <= family.level0_bytes) {
      shape.base_merge_bytes =
          Bytes(P(TuneParam::kBaseMergeSecs) * MergeSpeed());
    }
  }
  const double from = P(TuneParam::kSubcompactionsFrom);
  const bool valley =
      family.debt_bytes > 0 &&
      estimates_.stored_per_byte() * estimates_.offered() <
          std::max(P(TuneParam::kValleyShare) * estimates_.capacity(),
                   P(TuneParam::kPaceFloor));
  if (bands.runs >= from || bands.debt >= from || valley) {
    int most = kSlicesMax;
    if (estimates_.capacity() > 0) {
      // The neighbours keep the device busy, too, and have as much right to it.
      most = signals.neighbours.waiting > 0
                 ? 1
                 : static_cast<int>(P(TuneParam::kSlicesBound));
    }
    shape.subcompactions = std::clamp(signals.cpus / 2 + 1, 1, most);
  }
  if (bands.runs > 1) {
    shape.runs_reason = TuneReason::kRunsHigh;
  } else if (bands.runs > P(TuneParam::kFlushMergeFrom)) {
    shape.runs_reason = TuneReason::kRunsRising;
  }
  return shape;
}

// ----------------------------------------------------------------------- work

void Tuner::Gate(TuningDecision* decision) {
  flush_first_secs_ += estimates_.tick_secs();
  const double share = estimates_.flush_wait_share();
  const bool pressed = worst_.memory > P(TuneParam::kMemoryPaceFrom);
  bool wanted = flush_first_;
  if (share >= P(TuneParam::kMostlyOn) || pressed) wanted = true;
  if (share < P(TuneParam::kMostlyOff) && !pressed &&
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
  ChunkAndShare(decision);
}

// If the device is the limit: sets the chunk size, small enough that no request
// waits long, and the share of deeper levels.
void Tuner::ChunkAndShare(TuningDecision* decision) const {
  const double capacity = estimates_.capacity();
  if (capacity <= 0) return;
  // Small enough that a waiting flush or a pause is not kept up by it.
  const double chunk = capacity * P(TuneParam::kChunkSecs);
  decision->chunk_bytes = static_cast<uint32_t>(
      std::clamp(std::exp2(std::floor(std::log2(std::max(chunk, 1.0)))),
                 65536.0, 1048576.0));
  // Deeper levels get what L0 can do without: all of it while few runs are
  // ahead, nothing when they reach the mark at which the jobs are paused.
  const double room = std::max(
      {P(TuneParam::kDebtShareMin),
       1 - Position(worst_.runs, 0, P(TuneParam::kDebtPauseAt)),
       std::min(1.0, Position(worst_.debt, P(TuneParam::kDebtWorkFrom), 1))});
  const double left = std::max(
      0.0, capacity - estimates_.front_per_byte() * estimates_.offered());
  const bool free = worst_.debt >= 1 || runs_idle_;
  // Free means more than there is; 0 would let everything through unchunked.
  decision->budget_bytes_per_second[Index(WorkClass::kDebt)] = Bytes(
      free ? 2 * capacity : std::max(room * left, P(TuneParam::kPaceFloor)));
  if (decision->gate_reason == TuneReason::kStatic) {  // decision.h (3)
    decision->gate_reason = TuneReason::kRunsRising;
  }
}

// Whether level 0 is being merged, but for short gaps and short merges.
void Tuner::WatchRunsWork(const LsmSignals& signals) {
  bool runs_work = false;
  for (const JobSignal& job : signals.jobs) {
    runs_work |= job.work == WorkClass::kRuns && !job.paused;
  }
  // Since L0 merges began or stopped to run.
  if (runs_work != runs_work_) runs_work_secs_ = 0;
  runs_work_ = runs_work;
  runs_work_secs_ += estimates_.tick_secs();
  if (!runs_work && runs_work_secs_ >= P(TuneParam::kDebtIdleSecs)) {
    runs_idle_ = true;
  }
  if (runs_work && runs_work_secs_ >= P(TuneParam::kRunsBusySecs)) {
    runs_idle_ = false;
  }
}

void Tuner::Allow(const LsmSignals& signals, TuningDecision* decision) {
  WatchRunsWork(signals);
  const double need =
      std::max({worst_.paced_memory, worst_.paced_runs, worst_.paced_debt,
                std::min(worst_.runs, 1.0) * 0.5});
  view_.use.need = std::clamp(need, 0.0, 1.0);
  assert(std::isfinite(view_.use.need));  // (1)
  if (worst_.runs >= P(TuneParam::kDebtPauseAt)) debt_paused_ = true;
  if (worst_.runs < P(TuneParam::kDebtResumeAt)) debt_paused_ = false;
  // Debt that has grown may not wait, unless runs are nearer to their limit.
  const double lead =
      std::min(worst_.paced_runs, 1.0) - std::min(worst_.paced_debt, 1.0);
  if (lead > P(TuneParam::kRunsFirstLead)) runs_first_ = true;
  if (lead <= 0) runs_first_ = false;
  const bool debt_bound =
      worst_.debt >= P(TuneParam::kDebtWorkFrom) && !runs_first_;
  // A merge that cannot start must not leave the device idle: what it waits
  // for may be what is paused.
  if (debt_paused_ && !debt_bound && !runs_idle_) {
    decision->debt_jobs_max = 0;
    decision->maintenance_jobs_max = 0;
    decision->jobs_reason =
        worst_.runs > 1 ? TuneReason::kRunsHigh : TuneReason::kRunsRising;
  } else if (debt_bound) {
    decision->jobs_reason = TuneReason::kDebtBound;
  } else if (signals.neighbours.need > P(TuneParam::kNeighbourFrom) &&
             signals.neighbours.need > view_.use.need) {
    decision->debt_jobs_max = 1;
    decision->maintenance_jobs_max = 1;
    decision->jobs_reason = TuneReason::kNeighbourNeed;
  } else if (view_.debt_bytes > 0) {
    decision->jobs_reason = TuneReason::kValley;
  }
}

// --------------------------------------------------------------------- pacing

// Room is there once: the longer writers have waited, the more of what fills
// level 0 has to be merged, too. A band without tiers has that little room that
// it begins at once.
double Tuner::LevelShare() const {
  const double plan_secs = P(TuneParam::kPlanSecs);
  const double from = HasTiers(worst_) ? plan_secs / 2 : 0;
  return P(TuneParam::kLevelShare) *
         std::clamp((estimates_.waited_secs() - from) / plan_secs, 0.0, 1.0);
}

// What writers that never rest may bring: a plan, and what level 0 says of it.
double Tuner::PlannedRate() {
  RatePlan plan;
  plan.capacity_bytes_per_second = estimates_.lasting_capacity();
  plan.flush_bytes_per_second = estimates_.flush_speed();
  plan.merge_bytes_per_second = MergeSpeed();
  plan.front_per_byte = estimates_.front_per_byte();
  plan.table_per_byte = estimates_.table_per_byte();
  plan.parts = plan_parts_;
  // What they have brought so far has to be merged as well.
  plan.horizon_secs =
      std::max(P(TuneParam::kPlanSecs), estimates_.waited_secs());
  plan.level_share = LevelShare();
  const double planned = plan.Rate();
  const double empty = 1 - worst_.fullness;
  // Without tiers level 0 has no room to lend: it is needed when the base level
  // is large.
  const double gain = HasTiers(worst_) ? P(TuneParam::kLevelGain) : 0;
  double rate = planned * (1 + gain * empty) *
                (1 - P(TuneParam::kLevelBrake) * std::min(1.0, worst_.over));
  view_.merged_per_byte = plan.MergedPerByte(planned);
  view_.logged_per_byte = plan.front_per_byte - estimates_.stored_per_byte();
  view_.level_wanted = worst_.level_wanted;
  const auto bound = [&](double most, RateBound reason) {
    if (most < rate) view_.rate_bound = reason;
    rate = std::min(rate, most);
  };
  // Writers that wait because, say, the device stood still do so only once:
  // that comes from room that the plan leaves.
  const double usual = P(TuneParam::kUsualMore) * estimates_.usual() *
                       std::clamp(5 * empty, 0.0, 1.0);
  if (usual > rate) view_.rate_bound = RateBound::kUsual;
  rate = std::max(rate, usual);
  lasting_rate_ = rate;
  bound(RateOfDebt(plan), RateBound::kDebt);
  bound(worst_.flush_room_bytes_per_second, RateBound::kRunningFlush);
  bound(worst_.room_bytes_per_second, RateBound::kRunningMerge);
  return rate;
}

// At which debt nears its band of pacing only by and by: what is compacted as
// fast as it is brought, and the room that debt has. That is for twice the time
// that writers have waited: who has begun just now may soon have done.
double Tuner::RateOfDebt(const RatePlan& plan) const {
  if (plan.capacity_bytes_per_second <= 0) return kUnlimited;
  const double secs =
      2 * std::clamp(estimates_.waited_secs(), 1.0, P(TuneParam::kPlanSecs));
  return (plan.capacity_bytes_per_second + worst_.debt_room_bytes / secs) /
         (plan.front_per_byte + estimates_.work_per_byte());
}

// So many bytes are compacted, and each byte flushed brings that many.
double Tuner::Sustainable() const {
  return estimates_.compacted_per_second() / estimates_.work_per_byte();
}

// Geometric from the high to the low ratio; 1 lies inside.
double Tuner::PacedRate(double pressure, double sustainable) const {
  assert(pressure > 0);
  const double high = P(TuneParam::kPaceRatioHigh);
  const double low = P(TuneParam::kPaceRatioLow);
  const double ratio = high * std::pow(low / high, std::min(pressure, 1.0));
  const double floor = P(TuneParam::kPaceFloor);
  return std::max(std::max(Finite(sustainable), floor) * ratio, floor);
}

// Debt moves by whole merges, and its band is wide: only a limit that is near
// is followed at once.
double Tuner::DebtPressure() {
  const double now = std::min(worst_.paced_debt, 1.0);
  // Once all is repaid, no writer is paced for what there was before.
  if (!worst_.has_debt) debt_pressure_.Reset();
  debt_pressure_.Add(now, estimates_.tick_secs());
  return now > P(TuneParam::kDebtNear) ? std::max(now, debt_pressure_.value())
                                       : debt_pressure_.value();
}

// Rises by a factor per second at most, and for writers that wait it falls by
// a smaller one, unless it has to `follow` at once.
double Tuner::Slewed(double wanted, bool follow) const {
  // Full memory stops writers until a flush ends. Pacing that began so low
  // would hold them back for seconds after that.
  if (!(paced_ > 0)) return follow ? wanted : std::max(wanted, lasting_rate_);
  const double secs = estimates_.tick_secs();
  const double most = paced_ * std::pow(P(TuneParam::kPaceSlewPerSec), secs);
  const double least = paced_ / std::pow(P(TuneParam::kPaceSlewDown), secs);
  return std::min(most, follow ? wanted : std::max(wanted, least));
}

void Tuner::Pace(TuningDecision* decision) {
  struct Band {
    WriteLimit limit;
    TuneReason reason;
    double pressure;
    double rate;
  };
  const bool waits = estimates_.writers_wait();
  const double debt = DebtPressure();
  const Band bands[] = {
      {WriteLimit::kMemtables, TuneReason::kMemoryHigh, worst_.paced_memory,
       worst_.burst_bytes_per_second},
      {WriteLimit::kRuns, TuneReason::kRunsHigh,
       waits ? std::max(worst_.fullness, 1e-3) : worst_.paced_runs,
       PlannedRate()},
      {WriteLimit::kDebt, TuneReason::kDebtBound, debt,
       debt > 0 ? PacedRate(debt, Sustainable()) : 0}};
  const Band* slowest = nullptr;
  for (const Band& band : bands) {
    if (!(band.pressure > 0)) continue;
    if (slowest == nullptr || band.rate < slowest->rate) slowest = &band;
  }
  if (slowest == nullptr) {
    paced_ = 0;
    return;
  }
  view_.pressure = std::min(slowest->pressure, 1.0);
  view_.sustainable_bytes_per_second = slowest->rate;
  paced_ =
      std::max(Finite(Slewed(slowest->rate,
                             !waits || slowest->limit != WriteLimit::kRuns)),
               P(TuneParam::kPaceFloor));
  assert(std::isfinite(paced_));                   // (1)
  assert(paced_ >= P(TuneParam::kPaceFloor));      // (2)
  assert(slowest->reason != TuneReason::kStatic);  // decision.h (3)
  decision->pacing_bytes_per_second = std::max<uint64_t>(Bytes(paced_), 1);
  decision->limit = slowest->limit;
  decision->pacing_reason = slowest->reason;
}

}  // namespace ROCKSDB_NAMESPACE::engine
