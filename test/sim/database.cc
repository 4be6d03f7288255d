#include "test/sim/database.h"

#include <algorithm>
#include <utility>

#include "db/tuning_driver/tuning_report.h"

namespace ROCKSDB_NAMESPACE::sim {

using engine::FamilyDecision;
using engine::JobClass;
using engine::WorkClass;
using engine::WriteController;

namespace {

constexpr uint64_t kDefaultDelayedRate = 16 << 20;

}  // namespace

const char* ModeName(Mode mode) {
  switch (mode) {
    case Mode::kStatic:
      return "static";
    case Mode::kOff:
      return "off";
    case Mode::kDrainSwitch:
      return "drain_switch";
    case Mode::kLimiter:
      return "limiter";
    case Mode::kAdaptive:
      return "adaptive";
    default:
      return "advise";
  }
}

std::optional<Mode> ModeOf(const std::string& name) {
  for (const Mode mode : kModes) {
    if (name == ModeName(mode)) return mode;
  }
  return std::nullopt;
}

Database::Database(const DatabaseOptions& options, const Surroundings& around)
    : options_(options),
      around_(around),
      controller_(options.db.delayed_write_rate > 0
                      ? options.db.delayed_write_rate
                      : kDefaultDelayedRate),
      tuner_(options.tune) {
  gate_.flushes_writing = around.flushes_writing;
  gate_.scheduler = around.scheduler;
  place_.events = around.events;
  place_.device = around.device;
  place_.cpu = around.cpu;
  place_.gate = &gate_;
  place_.meter = &meter_;
  place_.flush_mbps = options.flush_mbps;
  place_.compact_mbps = options.compact_mbps;
  place_.before_limiter = [this] { BeforeLimiter(); };
  place_.priority = [this](const Job& job) {
    if (controller_.IsStopped() || controller_.NeedsDelay()) {
      return engine::RateLimiterCore::kUser;
    }
    return job.is_flush() ? engine::RateLimiterCore::kHigh
                          : engine::RateLimiterCore::kLow;
  };
  place_.job_paused = [this](Job* job) { Paused(job); };
  place_.job_worked = [this](Job* job) { Worked(job); };
  for (const TreeOptions& family : options.families) {
    Family f;
    f.tree = std::make_unique<Tree>(family);
    f.level0_trigger = family.family.level0_file_num_compaction_trigger;
    f.active.id = next_id_++;
    families_.push_back(std::move(f));
  }
  shapes_.resize(families_.size());
  advised_shapes_.resize(families_.size());
  family_signals_.resize(families_.size());
  SetMode(options.mode);
  around_.events->After(Nanos(options_.tick_seconds), this, kTick);
}

Database::~Database() = default;

void Database::SetMode(Mode mode) {
  options_.mode = mode;
  const bool limited = mode == Mode::kLimiter || mode == Mode::kDrainSwitch;
  if (limited && limiter_ == nullptr) {
    Limiter::Core::Options core;
    core.bytes_per_second =
        static_cast<int64_t>(options_.limiter_bytes_per_second);
    core.auto_tuned = true;
    core.seed = options_.seed;
    limiter_ = std::make_unique<Limiter>(core, around_.events);
  }
  place_.limiter = limited ? limiter_.get() : nullptr;
  if (mode != Mode::kDrainSwitch) switch_.Enable();
  for (Family& family : families_) {
    family.auto_compactions = mode != Mode::kOff;
    Recalculate(&family);
  }
  if (mode != Mode::kAdaptive) {
    shapes_.assign(families_.size(), FamilyDecision{});
    ApplyDecision(engine::TuningDecision{});
  }
  Schedule();
}

// -------------------------------------------------------------------- memory

void Database::Write(size_t family_index, uint64_t bytes, uint64_t puts,
                     uint64_t deletions) {
  Family& family = families_[family_index];
  const uint64_t buffer_bytes = family.tree->options().family.write_buffer_size;
  if (family.active.bytes >= buffer_bytes) Seal(&family);
  MemTable& active = family.active;
  if (active.writes.count() == 0) active.writes.smallest_sequence = sequence_;
  active.writes.puts += puts;
  active.writes.deletions += deletions;
  sequence_ += puts + deletions;
  active.writes.largest_sequence = sequence_ - 1;
  active.bytes += static_cast<uint64_t>(static_cast<double>(bytes) *
                                        options_.memtable_overhead);
  active.data_bytes += bytes;
  counts_.accepted_bytes += bytes;
}

void Database::Seal(Family* family) {
  if (family->active.writes.count() == 0) return;
  log_closed_bytes_ = counts_.accepted_bytes;
  family->sealed.push_back(family->active);
  family->active = {};
  family->active.id = next_id_++;
  Recalculate(family);
  Schedule();
}

void Database::FlushAll() {
  for (Family& family : families_) {
    Seal(&family);
    family.flush_requested = true;
  }
  Schedule();
}

void Database::Prefill(uint64_t bytes) {
  for (Family& family : families_) {
    const ColumnFamilyOptions& options = family.tree->options().family;
    int level = options.num_levels - 1;
    if (!options.level_compaction_dynamic_level_bytes) {
      level = 1;
      while (level + 1 < options.num_levels &&
             family.tree->state().TargetBytes(level) < bytes) {
        ++level;
      }
    }
    family.tree->Prefill(level, bytes);
    Recalculate(&family);
  }
}

void Database::AddStalled(int64_t bytes) {
  stalled_bytes_ += bytes;
  pacer_.SetStalled(
      static_cast<uint64_t>(std::max<int64_t>(stalled_bytes_, 0)));
}

uint64_t Database::unflushed_bytes() const {
  uint64_t bytes = 0;
  for (const Family& family : families_) {
    bytes += family.active.bytes;
    for (const MemTable& m : family.sealed) bytes += m.bytes;
  }
  return bytes;
}

uint64_t Database::unflushed_limit() const {
  uint64_t bytes = 0;
  for (const Family& family : families_) {
    const ColumnFamilyOptions& options = family.tree->options().family;
    bytes += options.write_buffer_size *
             static_cast<uint64_t>(options.max_write_buffer_number);
  }
  return bytes;
}

int Database::MinToMerge(size_t family) const {
  const int decided = shapes_[family].flush_merge_memtables;
  if (decided > 0) return decided;
  return families_[family]
      .tree->options()
      .family.min_write_buffer_number_to_merge;
}

bool Database::FlushPending(size_t family) const {
  const Family& f = families_[family];
  int waiting = 0;
  for (const MemTable& m : f.sealed) waiting += m.picked ? 0 : 1;
  return waiting > 0 && (f.flush_requested || waiting >= MinToMerge(family));
}

// -------------------------------------------------------------------- stalls

engine::StallLevels Database::LevelsOf(const Family& family) const {
  const engine::LevelState& state = family.tree->state();
  engine::StallLevels levels;
  levels.unflushed_memtables = static_cast<int>(family.sealed.size());
  levels.level0_files = state.l0_stall_count;
  levels.pending_compaction_bytes = state.pending_compaction_bytes;
  levels.bottommost_bytes = state.level_bytes.back();
  return levels;
}

engine::StallLimits Database::LimitsOf(const Family& family) const {
  const ColumnFamilyOptions& options = family.tree->options().family;
  engine::StallLimits limits;
  limits.max_write_buffer_number = options.max_write_buffer_number;
  limits.min_write_buffer_number_to_merge =
      options.min_write_buffer_number_to_merge;
  limits.disable_auto_compactions = !family.auto_compactions;
  limits.level0_compaction_trigger = family.level0_trigger;
  limits.level0_slowdown_trigger = options.level0_slowdown_writes_trigger;
  limits.level0_stop_trigger = options.level0_stop_writes_trigger;
  limits.soft_pending_bytes = options.soft_pending_compaction_bytes_limit;
  limits.hard_pending_bytes = options.hard_pending_compaction_bytes_limit;
  limits.max_bytes_for_level_base = options.max_bytes_for_level_base;
  return limits;
}

// The switch takes effect here and nowhere else, as it does for real.
void Database::Recalculate(Family* family) {
  if (options_.mode == Mode::kDrainSwitch) {
    const engine::CompactionSwitch::Limits now = switch_.Effective(
        {false,
         family->tree->options().family.level0_file_num_compaction_trigger});
    family->auto_compactions = !now.disable_auto_compactions;
    family->level0_trigger = now.level0_file_num_compaction_trigger;
    family->tree->SetLevel0Trigger(family->level0_trigger);
  }
  const engine::StallLevels levels = LevelsOf(*family);
  const engine::StallLimits limits = LimitsOf(*family);
  Vote(family, Judge(*family, levels, limits), levels, limits);
  family->pending_before = levels.pending_compaction_bytes;
}

// With the adaptive tuner only a limit stops writers; what is sealed counts as
// the files it will become.
engine::StallVerdict Database::Judge(const Family& family,
                                     const engine::StallLevels& levels,
                                     const engine::StallLimits& limits) const {
  if (options_.mode != Mode::kAdaptive) {
    return engine::JudgeWriteStall(levels, limits);
  }
  engine::StallLevels coming = levels;
  uint64_t last = UINT64_MAX;
  for (const MemTable& m : family.sealed) {
    coming.level0_files += m.pick != last ? 1 : 0;
    last = m.pick;
  }
  const engine::StallVerdict verdict = engine::JudgeWriteStall(coming, limits);
  if (verdict.condition == WriteStallCondition::kStopped) return verdict;
  return {};
}

void Database::Vote(Family* family, const engine::StallVerdict& verdict,
                    const engine::StallLevels& levels,
                    const engine::StallLimits& limits) {
  const engine::DelayHistory history{
      controller_.NeedsDelay(), controller_.IsStopped(), family->pending_before,
      controller_.delayed_write_rate(), controller_.max_delayed_write_rate()};
  switch (verdict.condition) {
    case WriteStallCondition::kStopped:
      family->token = controller_.Stop();
      // No further memtable will come to be flushed with.
      family->flush_requested = true;
      return;
    case WriteStallCondition::kDelayed:
      family->token = controller_.Delay(engine::DelayedWriteRate(
          history, engine::NearStop(verdict.cause, levels, limits), levels,
          limits));
      return;
    default:
      break;
  }
  const bool paced = decision_.pacing_bytes_per_second > 0;
  if (!paced && engine::JudgePressure(levels, limits) ==
                    engine::CompactionPressure::kNone) {
    family->token = {};
  } else {
    family->token = controller_.Pressure();
  }
  if (history.was_delayed && !controller_.NeedsDelay() &&
      !controller_.IsStopped()) {
    controller_.set_delayed_write_rate(
        engine::RateAfterDelay(history.rate_before, history.rate_max));
  }
}

// -------------------------------------------------------------------- tuning

void Database::BeforeLimiter() {
  Limiter::Core& core = limiter_->core();
  if (!core.TuneDue(limiter_->now_us())) return;
  if (options_.mode != Mode::kDrainSwitch) {
    core.TuneRate(limiter_->now_us());
    return;
  }
  bool changed = false;
  switch (core.TuneCompaction(limiter_->now_us()).decision) {
    case engine::DrainDecision::kEnable:
      changed = switch_.Enable();
      break;
    case engine::DrainDecision::kDisable:
      changed = switch_.Disable();
      break;
    default:
      break;
  }
  counts_.decision_changes += changed ? 1 : 0;
}

void Database::MeterRunning() {
  const uint64_t now = around_.events->now_ns();
  for (size_t i = 0; i < engine::kWorkClasses; ++i) {
    if (running_[i] == 0) continue;
    meter_.totals[i].busy_micros +=
        now / kNanosPerMicro - metered_ns_ / kNanosPerMicro;
  }
  metered_ns_ = now;
}

void Database::SetRunning(WorkClass work, int by) {
  MeterRunning();
  running_[Index(work)] += by;
}

void Database::FillSignals() {
  MeterRunning();
  for (size_t i = 0; i < families_.size(); ++i) {
    const Family& f = families_[i];
    const ColumnFamilyOptions& options = f.tree->options().family;
    const engine::LevelState& state = f.tree->state();
    engine::FamilySignals& s = family_signals_[i];
    s = {};
    s.id = static_cast<uint32_t>(i);
    s.auto_compactions = f.auto_compactions;
    s.write_buffer_bytes = options.write_buffer_size;
    s.max_write_buffers = options.max_write_buffer_number;
    s.min_write_buffers_to_merge = options.min_write_buffer_number_to_merge;
    s.unflushed_bytes = f.active.bytes;
    for (const MemTable& m : f.sealed) s.unflushed_bytes += m.bytes;
    s.level0_files = state.num_files[0];
    s.level0_bytes = state.level_bytes[0];
    s.sorted_runs = state.sorted_runs;
    const auto base = static_cast<size_t>(state.base_level);
    s.base_bytes = state.level_bytes[base];
    s.base_target_bytes = state.target_bytes[base];
    s.level0_trigger = options.level0_file_num_compaction_trigger;
    s.level0_slowdown = options.level0_slowdown_writes_trigger;
    s.level0_stop = options.level0_stop_writes_trigger;
    s.debt_bytes = state.pending_compaction_bytes;
    s.foreseen_debt_bytes = state.foreseen_compaction_bytes;
    s.soft_debt_bytes = options.soft_pending_compaction_bytes_limit;
    s.hard_debt_bytes = options.hard_pending_compaction_bytes_limit;
  }
  job_signals_.clear();
  uint64_t flush_progress_bytes = 0;
  for (const auto& job : jobs_) {
    if (job->is_flush()) {
      flush_progress_bytes += job->flushed->size - job->own_left;
      continue;
    }
    engine::JobSignal s;
    s.family_id = static_cast<uint32_t>(job->family);
    s.work = job->work;
    s.paused = job->state == Job::State::kPaused;
    s.from_level0 = job->plan->start_level() == 0;
    s.into_level0 = job->plan->output_level == 0;
    s.level0_files_gone = job->plan->Level0FilesGone();
    s.input_bytes = job->plan->InputBytes();
    s.done_bytes = job->read_done();
    job_signals_.push_back(s);
    engine::Credit(s, &family_signals_[job->family]);
  }
  signals_ = {};
  signals_.now_micros = around_.events->now_micros();
  signals_.accepted_bytes = counts_.accepted_bytes;
  signals_.waiting_bytes = pacer_.waiting_bytes();
  signals_.work = meter_.totals;
  signals_.log_synced_bytes = meter_.log_synced_bytes;
  signals_.flush_log_synced_bytes = meter_.log_synced_bytes;
  signals_.flushed = flushed_;
  signals_.flush_progress_bytes = flush_progress_bytes;
  signals_.cpus = around_.cpus;
  signals_.user_read_bytes = static_cast<uint64_t>(
      options_.user_read_mbps * static_cast<double>(signals_.now_micros));
  if (neighbours) signals_.neighbours = neighbours();
  signals_.families = family_signals_;
  signals_.jobs = job_signals_;
  if (disturb_signals) disturb_signals(&signals_);
}

void Database::Tick() {
  const bool steps =
      options_.mode == Mode::kAdaptive || options_.mode == Mode::kAdvise;
  if (!steps || closed_) return;
  FillSignals();
  const engine::TuningDecision decision =
      tuner_.Step(signals_, advised_shapes_);
  // What the driver would tell of, against what it told last.
  const engine::TuningChange change{told_, decision, told_shape_,
                                    advised_shapes_[0]};
  if (engine::IsNews(change)) {
    ++counts_.decision_changes;
    told_ = decision;
    told_shape_ = advised_shapes_[0];
  }
  advised_ = decision;
  if (options_.mode != Mode::kAdaptive) return;
  const bool was_paced = decision_.pacing_bytes_per_second > 0;
  shapes_ = advised_shapes_;
  ApplyDecision(decision);
  for (Family& family : families_) family.blocked = {};
  if ((decision.pacing_bytes_per_second > 0) != was_paced) {
    for (Family& family : families_) Recalculate(&family);
  }
  Schedule();
}

void Database::ApplyDecision(const engine::TuningDecision& decision) {
  decision_ = decision;
  engine::IoBudget budget;
  for (size_t i = 0; i < engine::kWorkClasses; ++i) {
    budget.bytes_per_second[i] = decision.budget_bytes_per_second[i];
  }
  budget.flush_first = decision.flush_first;
  budget.runs_floor_bytes_per_second = decision.runs_floor_bytes_per_second;
  budget.chunk_bytes = std::max(1u, decision.chunk_bytes);
  const uint64_t now = around_.events->now_micros();
  if (!(budget == gate_.client.budget())) {
    gate_.scheduler->SetBudget(&gate_.client, budget, now);
  }
  pacer_.SetRate(decision.RateLimit(), now, decision.BurstLimit(),
                 decision.forgives_burst);
}

std::string Database::Why() const {
  char text[400];
  engine::Why(advised_, tuner_.view(), text, sizeof(text));
  return text;
}

// ---------------------------------------------------------------------- view

int Database::level0_files() const {
  int files = 0;
  for (const Family& f : families_) {
    files = std::max(files, f.tree->state().num_files[0]);
  }
  return files;
}

int Database::sorted_runs() const {
  int runs = 0;
  for (const Family& f : families_) {
    runs = std::max(runs, f.tree->state().sorted_runs);
  }
  return runs;
}

uint64_t Database::debt_bytes() const {
  uint64_t bytes = 0;
  for (const Family& f : families_) {
    bytes += f.tree->state().pending_compaction_bytes;
  }
  return bytes;
}

int Database::running(WorkClass work) const { return running_[Index(work)]; }

int Database::paused() const {
  return static_cast<int>(std::count_if(
      jobs_.begin(), jobs_.end(),
      [](const auto& job) { return job->state == Job::State::kPaused; }));
}

uint64_t Database::LostWrites() const {
  uint64_t kept = flushed_writes_;
  for (const Family& family : families_) {
    kept += family.active.writes.count();
    for (const MemTable& m : family.sealed) kept += m.writes.count();
  }
  return sequence_ - 1 - kept;
}

bool Database::idle() const {
  if (!jobs_.empty()) return false;
  for (const Family& family : families_) {
    if (!family.sealed.empty()) return false;
    for (const JobClass c : engine::kJobClasses) {
      if (Due(family, c)) return false;
    }
  }
  return true;
}

void Database::Wake(uint64_t what) {
  if (what != kTick) return Install(what - kInstall);
  Tick();
  if (!closed_) {
    around_.events->After(Nanos(options_.tick_seconds), this, kTick);
  }
}

}  // namespace ROCKSDB_NAMESPACE::sim
