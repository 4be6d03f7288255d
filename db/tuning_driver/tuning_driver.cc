#include "db/tuning_driver/tuning_driver.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <thread>
#include <utility>

#include "db/options/tuning_mode.h"
#include "db/tuning_driver/signals_of.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

TuningDriver::TuningDriver(Deps deps, std::shared_ptr<TuningDomain> domain)
    : deps_(std::move(deps)),
      domain_(std::move(domain)),
      member_(domain_->Join()),
      cpus_(static_cast<int>(std::thread::hardware_concurrency())) {}

TuningDriver::~TuningDriver() {
  Stop();
  domain_->Leave(member_);
}

void TuningDriver::Tick() {
  DbState& db = *deps_.db;
  News news;
  {
    MutexLock tick(&tick_mu_);
    if (stopped_) return;
    {
      MutexLock lock(&db.mu);
      const StopWatch watch(db.store.clock, db.store.statistics,
                            AUTOTUNE_TICK_MICROS);
      LsmSignals signals;
      Sample(&signals);
      if (mode_ == TuningMode::kOff) {
        Release();
        last_ = {};
      } else {
        news.assumptions = assumptions_.Look(signals);
        last_ = tuner_.Step(signals, shapes_);
        Apply(last_);
      }
      news.stalls = deps_.stalls->has_changes();
    }
    Publish(&news);
  }
  if (news.stalls) NotifyStallListeners();
  Tell(news);
}

void TuningDriver::NotifyStallListeners() {
  MutexLock lock(&deps_.db->mu);
  deps_.notify_stall_listeners();
}

// -------------------------------------------------------------------- signals

// REQUIRES: the DB mutex.
void TuningDriver::Sample(LsmSignals* signals) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  tuned_.clear();
  families_.clear();
  other_shape_ = false;
  mode_ = TuningMode::kOff;
  for (const FamilyPtr& family : db.families->all()) {
    const TuningMode mode = TuningModeOf(*family->options());
    if (!IsWatched(mode) || family->dropped()) {  // (3)
      other_shape_ |= family->ApplyShape(FamilyDecision{});
      continue;
    }
    mode_ = std::max(mode_, mode);
    tuned_.push_back(family.get());
    families_.push_back(SignalsOf(*family));
  }
  shapes_.resize(families_.size());
  assert(tuned_.size() == families_.size());
  signals->now_micros = db.store.clock->NowMicros();
  signals->accepted_bytes = deps_.accepted_bytes();
  signals->waiting_bytes = db.pacer.waiting_bytes();
  ReadGate(*db.store.io_gate, &signals->work);
  for (size_t i = 0; i < kWorkClasses; ++i) {
    signals->work[i].busy_micros = db.busy[i].TotalMicros(signals->now_micros);
  }
  if (db.wals != nullptr) {
    signals->log_synced_bytes = db.wals->synced_bytes();
    signals->flush_log_synced_bytes = db.wals->closed_synced_bytes();
  }
  signals->flushed = db.flushed;
  signals->flush_progress_bytes =
      FlushProgress(signals->work[Index(WorkClass::kFlush)].bytes_written);
  signals->user_read_bytes = db.store.user_read_bytes->Total();
  signals->cpus = cpus_;
  const WriteBufferManager* manager =
      db.store.options.write_buffer_manager.get();
  const bool stalls =
      manager != nullptr && manager->enabled() && manager->allow_stall();
  signals->shared_memory_bytes = stalls ? manager->memory_usage() : 0;
  signals->shared_memory_limit = stalls ? manager->buffer_size() : 0;
  const size_t jobs = std::min(deps_.jobs(jobs_), jobs_.size());
  signals->jobs = {jobs_.data(), jobs};
  for (FamilySignals& family : families_) {
    for (const JobSignal& job : signals->jobs) {
      if (job.family_id == family.id) Credit(job, &family);
    }
  }
  signals->families = families_;
  // Advice asks nothing of the neighbours.
  const DeviceUse use =
      mode_ == TuningMode::kAdaptive ? tuner_.view().use : DeviceUse{};
  signals->neighbours = domain_->Exchange(member_, use);
}

// What running flushes have written of tables that are not installed yet: all
// that flushes wrote, less all that was installed.
uint64_t TuningDriver::FlushProgress(uint64_t written_bytes) {
  deps_.db->mu.AssertHeld();
  int running = 0;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    assert(family->running_flushes >= 0);
    running += family->running_flushes;
  }
  const auto ahead =
      static_cast<int64_t>(written_bytes - deps_.db->flushed.stored_bytes());
  // What failed flushes wrote never gets installed.
  if (running == 0) flush_ahead_bytes_ = ahead;
  return static_cast<uint64_t>(
      std::max<int64_t>(0, ahead - flush_ahead_bytes_));
}

// ------------------------------------------------------------------ actuators

// REQUIRES: the DB mutex.
void TuningDriver::Apply(const TuningDecision& decision) {
  deps_.db->mu.AssertHeld();
  if (mode_ != TuningMode::kAdaptive) {
    Release();
    return;
  }
  assert(!stopped_);
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
  db.store.io_gate->SetBudget(budget);
  const bool is_paced = decision.pacing_bytes_per_second > 0;
  // A delay begins or ends, or has another cause.
  const bool other_stall =
      is_paced != (db.tuning.pacing_bytes_per_second > 0) ||
      (is_paced && decision.limit != db.tuning.limit);
  // The level-0 limit changed, so wake the writers that wait on it.
  if (!db.tuning.adaptive) db.changed.SignalAll();
  db.tuning = {true, decision.pacing_bytes_per_second, decision.limit};
  db.pacer.SetRate(decision.RateLimit(), db.store.clock->NowMicros(),
                   decision.BurstLimit(), decision.forgives_burst);
  const bool other_jobs = deps_.allow(decision);
  if (other_stall) deps_.stalls->RecalculateAll();
  if (other_shape_ || other_jobs) deps_.schedule();
}

void TuningDriver::ApplyShapes() {
  deps_.db->mu.AssertHeld();
  assert(shapes_.size() == tuned_.size());
  for (size_t i = 0; i < tuned_.size(); ++i) {
    ColumnFamily& family = *tuned_[i];
    // (3)
    if (TuningModeOf(*family.options()) != TuningMode::kAdaptive) {
      other_shape_ |= family.ApplyShape(FamilyDecision{});
      continue;
    }
    FamilyDecision shape = shapes_[i];
    KeepPinned(family.pinned, &shape);
    other_shape_ |= family.ApplyShape(shape);
  }
}

// Everything as if there were no tuner. REQUIRES: the DB mutex.
void TuningDriver::Release() {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  for (const FamilyPtr& family : db.families->all()) {
    family->ApplyShape(FamilyDecision{});
  }
  if (!db.tuning.adaptive) return;
  db.tuning = {};
  db.changed.SignalAll();
  db.store.io_gate->SetBudget(IoBudget{});
  db.pacer.SetRate(0, db.store.clock->NowMicros());
  (void)deps_.allow(TuningDecision{});
  deps_.stalls->RecalculateAll();
  deps_.schedule();
}

void TuningDriver::Stop() {
  {
    MutexLock tick(&tick_mu_);
    if (stopped_) return;
    stopped_ = true;
    mode_ = TuningMode::kOff;
    snapshot_ = {};
    published_.Store(snapshot_);
    MutexLock lock(&deps_.db->mu);
    Release();
    assert(!deps_.db->tuning.adaptive);  // (1)
  }
  NotifyStallListeners();
}

// --------------------------------------------------------------------- report

void TuningDriver::Publish(News* news) {
  DbState& db = *deps_.db;
  TuningSnapshot& snapshot = snapshot_;
  snapshot.mode = mode_;
  snapshot.decision = last_;
  snapshot.view = tuner_.view();
  size_t widest = 0;
  for (size_t i = 1; i < families_.size(); ++i) {
    if (families_[i].level0_files > families_[widest].level0_files) widest = i;
  }
  assert(shapes_.size() == families_.size());
  snapshot.shape = shapes_.empty() ? FamilyDecision{} : shapes_[widest];
  // What was told last, not what held at the last tick: steps too small to be
  // told add up.
  const TuningChange change{snapshot.told.now, snapshot.decision,
                            snapshot.told.shape_now, snapshot.shape};
  if (IsNews(change)) {
    ++snapshot.decisions;
    snapshot.told = change;
    snapshot.told_micros = db.store.clock->NowMicros();
    news->changed = true;
  }
  published_.Store(snapshot);
  if (news->changed) news->snapshot = snapshot;
  Count(snapshot.decision);
}

void TuningDriver::Count(const TuningDecision& decision) {
  DbState& db = *deps_.db;
  Statistics* const statistics = db.store.statistics;
  if (statistics == nullptr) return;
  if (mode_ == TuningMode::kAdaptive && decision.pacing_bytes_per_second > 0) {
    RecordInHistogram(statistics, AUTOTUNE_PACING_BYTES_PER_SECOND,
                      decision.pacing_bytes_per_second);
  }
  const IoCounters gate = db.store.io_gate->Snapshot();
  const uint64_t waited = gate.Total(IoKind::kRead).wait_micros +
                          gate.Total(IoKind::kWrite).wait_micros;
  RecordTick(statistics, AUTOTUNE_GATE_WAIT_MICROS, waited - gate_wait_micros_);
  gate_wait_micros_ = waited;
}

void TuningDriver::Tell(const News& news) {
  DbState& db = *deps_.db;
  Statistics* const statistics = db.store.statistics;
  for (const std::string& assumption : news.assumptions) {
    Warn(db.store.info_log, "[tuning] assumption: %s", assumption.c_str());
    RecordTick(statistics, AUTOTUNE_ASSUMPTIONS);
  }
  if (!news.changed) return;
  RecordTick(statistics, AUTOTUNE_DECISIONS);
  ReportTuning(&db, news.snapshot);
}

}  // namespace ROCKSDB_NAMESPACE::engine
