#include "db/tuning_driver/tuning_driver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "db/tuning_driver/signals_of.h"
#include "db/tuning_driver/tuning_report.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Smaller changes of the pacing rate are no new decision.
constexpr double kPacingStep = 1.25;

}  // namespace

TuningDriver::TuningDriver(Deps deps, std::shared_ptr<TuningDomain> domain)
    : deps_(std::move(deps)),
      domain_(std::move(domain)),
      member_(domain_->Join()) {}

TuningDriver::~TuningDriver() {
  Stop();
  domain_->Leave(member_);
}

TuningMode TuningDriver::ModeOf(const ColumnFamily& family) {
  const ColumnFamilyOptions& options = *family.options();
  if (!options.auto_tuned_compaction || family.dropped()) {
    return TuningMode::kOff;
  }
  switch (options.compaction_tuning) {
    case CompactionTuning::kAdaptive:
      return TuningMode::kAdaptive;
    case CompactionTuning::kAdvise:
      return TuningMode::kAdvise;
    default:
      return TuningMode::kOff;
  }
}

void TuningDriver::Tick() {
  MutexLock tick(&tick_mu_);
  if (stopped_) return;
  DbState& db = *deps_.db;
  const TuningDecision before = last_;
  {
    MutexLock lock(&db.mu);
    LsmSignals signals;
    Sample(&signals);
    if (mode_ == TuningMode::kOff) {
      Release();
    } else {
      last_ = tuner_.Step(signals, shapes_);
      Apply(last_);
    }
    deps_.tell_stalls();
  }
  Report(before, last_);
}

// -------------------------------------------------------------------- signals

// REQUIRES: the DB mutex.
void TuningDriver::Sample(LsmSignals* signals) {
  DbState& db = *deps_.db;
  tuned_.clear();
  families_.clear();
  mode_ = TuningMode::kOff;
  for (const FamilyPtr& family : db.families->all()) {
    const TuningMode mode = ModeOf(*family);
    if (mode == TuningMode::kOff) {
      family->ApplyShape(FamilyDecision{});
      continue;
    }
    mode_ = std::max(mode_, mode);
    tuned_.push_back(family);
    families_.push_back(SignalsOf(*family));
  }
  shapes_.resize(families_.size());
  signals->now_micros = db.store.clock->NowMicros();
  signals->accepted_bytes = deps_.accepted_bytes();
  signals->waiting_bytes = db.pacer.waiting_bytes();
  ReadGate(*db.store.io_gate, &signals->work);
  for (size_t i = 0; i < kWorkClasses; ++i) {
    signals->work[i].busy_micros = db.busy[i].TotalMicros(signals->now_micros);
  }
  const size_t jobs = std::min(deps_.jobs(jobs_), jobs_.size());
  signals->jobs = {jobs_.data(), jobs};
  for (FamilySignals& family : families_) {
    for (const JobSignal& job : signals->jobs) {
      if (job.family_id != family.id || job.input_bytes == 0) continue;
      const double done =
          std::min(1.0, static_cast<double>(job.done_bytes) /
                            static_cast<double>(job.input_bytes));
      family.level0_files_retired +=
          done * (job.level0_files - (job.into_level0 ? 1 : 0));
    }
  }
  signals->families = families_;
  const auto& limiter = db.store.options.rate_limiter;
  if (limiter != nullptr) {
    signals->user_limit_bytes_per_second = static_cast<uint64_t>(
        std::max<int64_t>(0, limiter->GetBytesPerSecond()));
  }
  signals->neighbour_need = domain_->Exchange(member_, tuner_.view().need);
}

// ------------------------------------------------------------------ actuators

// REQUIRES: the DB mutex.
void TuningDriver::Apply(const TuningDecision& decision) {
  if (mode_ != TuningMode::kAdaptive) {
    Release();
    return;
  }
  DbState& db = *deps_.db;
  ApplyShapes();
  IoBudget budget;
  for (size_t i = 0; i < kWorkClasses; ++i) {
    budget.bytes_per_second[static_cast<size_t>(IoClassOf(
        static_cast<WorkClass>(i)))] = decision.budget_bytes_per_second[i];
  }
  budget.flush_first = decision.flush_first;
  budget.runs_floor_bytes_per_second = decision.runs_floor_bytes_per_second;
  budget.chunk_bytes = decision.chunk_bytes;
  if (!(budget == db.store.io_gate->budget())) {
    db.store.io_gate->SetBudget(budget);
  }
  const bool was_paced = db.tuning.pacing_bytes_per_second > 0;
  const bool is_paced = decision.pacing_bytes_per_second > 0;
  db.tuning = {true, decision.pacing_bytes_per_second, decision.limit};
  db.pacer.SetRate(decision.pacing_bytes_per_second,
                   db.store.clock->NowMicros());
  deps_.allow(decision);
  if (was_paced != is_paced) deps_.stalls->RecalculateAll();
  deps_.schedule();
}

void TuningDriver::ApplyShapes() {
  for (size_t i = 0; i < tuned_.size(); ++i) {
    ColumnFamily& family = *tuned_[i];
    if (ModeOf(family) != TuningMode::kAdaptive) {
      family.ApplyShape(FamilyDecision{});
      continue;
    }
    FamilyDecision shape = shapes_[i];
    KeepPinned(family.pinned, &shape);
    // What could not be picked by the old shape may be by the new one.
    family.ApplyShape(shape);
  }
}

// Everything as if there were no tuner. REQUIRES: the DB mutex.
void TuningDriver::Release() {
  DbState& db = *deps_.db;
  for (const FamilyPtr& family : db.families->all()) {
    family->ApplyShape(FamilyDecision{});
  }
  if (!db.tuning.adaptive) return;
  db.tuning = {};
  db.store.io_gate->SetBudget(IoBudget{});
  db.pacer.SetRate(0, db.store.clock->NowMicros());
  deps_.allow(TuningDecision{});
  deps_.stalls->RecalculateAll();
  deps_.schedule();
}

void TuningDriver::Stop() {
  MutexLock tick(&tick_mu_);
  if (stopped_) return;
  stopped_ = true;
  {
    MutexLock lock(&deps_.db->mu);
    Release();
  }
  mode_ = TuningMode::kOff;
  published_.Store(TuningSnapshot{});
}

// --------------------------------------------------------------------- report

void TuningDriver::Report(const TuningDecision& before,
                          const TuningDecision& now) {
  TuningSnapshot snapshot;
  snapshot.mode = mode_;
  snapshot.decision = now;
  snapshot.view = tuner_.view();
  size_t widest = 0;
  for (size_t i = 1; i < families_.size(); ++i) {
    if (families_[i].level0_files > families_[widest].level0_files) widest = i;
  }
  if (!shapes_.empty()) snapshot.shape = shapes_[widest];
  const double paced = static_cast<double>(now.pacing_bytes_per_second);
  const bool paced_otherwise =
      (paced > 0) != (last_logged_pacing_ > 0) ||
      (paced > 0 && (paced > last_logged_pacing_ * kPacingStep ||
                     paced * kPacingStep < last_logged_pacing_));
  const bool changed = mode_ != TuningMode::kOff &&
                       (paced_otherwise || SameWork(before, now) == false ||
                        snapshot.shape.flush_merge_memtables !=
                            last_shape_.flush_merge_memtables);
  if (changed) {
    ++decisions_;
    ReportTuning(deps_.db, {mode_ == TuningMode::kAdvise, before, now,
                            last_shape_, snapshot.shape, snapshot.view});
    last_logged_pacing_ = paced;
    last_shape_ = snapshot.shape;
  }
  snapshot.decisions = decisions_;
  published_.Store(snapshot);
}

}  // namespace ROCKSDB_NAMESPACE::engine
