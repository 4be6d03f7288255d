// TuningDriver: the only bridge between the tuner and the database.
//
// Place. One per open database, made when the first column family wants to be
// tuned adaptively. A timer calls Tick(); nothing else of the engine knows the
// tuner.
//
// Model.
//
//   counters, levels, jobs --> LsmSignals --> Tuner::Step --> TuningDecision
//                                                                  |
//     scheduler (allowance), families (shape), byte gate (budget), |
//     write pacer (rate), stall monitor (kDelayed)  <--------------+
//
// kAdvise goes the same way, but only LOG learns of the decision.
//
// Invariants:
//   (1) After Stop() every actuator is where static behaviour has it.
//   (2) A tick allocates nothing once every family was seen.
//   (3) A family that is not tuned keeps its static behaviour.
//   (4) Listeners are told without any lock: they may change options.
//
// Threads. Tick by the timer, Stop by a thread that holds no lock of the
// database; Snapshot by any thread.

#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/tune/tuner.h"
#include "db/tuning_driver/assumptions.h"
#include "db/tuning_driver/tuning_domain.h"
#include "db/tuning_driver/tuning_report.h"
#include "db/tuning_driver/tuning_snapshot.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class TuningDriver {
 public:
  static constexpr uint64_t kTickMicros = uint64_t{100} * 1000;
  static constexpr size_t kJobsMax = 16;

  struct Deps {
    DbState* db = nullptr;
    StallMonitor* stalls = nullptr;
    // Under the mutex: running and paused compactions; how many there are.
    std::function<size_t(std::span<JobSignal>)> jobs;
    // Under the mutex: what the scheduler may do. Static for TuningDecision{}.
    // False: it was that already.
    std::function<bool(const TuningDecision&)> allow;
    // Under the mutex: work may have become due.
    std::function<void()> schedule;
    // Under the mutex; releases it: tells listeners of stall changes.
    std::function<void()> notify_stall_listeners;
    // What clients have written so far.
    std::function<uint64_t()> accepted_bytes;
  };

  TuningDriver(Deps deps, std::shared_ptr<TuningDomain> domain);
  ~TuningDriver();
  TuningDriver(const TuningDriver&) = delete;
  TuningDriver& operator=(const TuningDriver&) = delete;

  void Tick() EXCLUDES_LOCK(tick_mu_);
  // Ends tuning; Tick() does nothing from now on.
  void Stop() EXCLUDES_LOCK(tick_mu_);

  TuningSnapshot Snapshot() const { return published_.Load(); }

 private:
  // What a tick leaves to be told without any lock.
  struct News {
    bool stalls = false;  // A delay or stop began or ended.
    bool changed = false;
    TuningSnapshot snapshot;
    std::vector<std::string> assumptions;
  };

  void Sample(LsmSignals* signals) REQUIRES_LOCK(kStateLock);
  uint64_t FlushProgress(uint64_t written_bytes) REQUIRES_LOCK(kStateLock);
  void Apply(const TuningDecision& decision)
      REQUIRES_LOCK(kStateLock, tick_mu_);
  void ApplyShapes() REQUIRES_LOCK(kStateLock);
  void Release() REQUIRES_LOCK(kStateLock);
  void NotifyStallListeners();
  void Publish(News* news);
  void Count(const TuningDecision& decision);
  void Tell(const News& news);

  const Deps deps_;
  const std::shared_ptr<TuningDomain> domain_;
  const TuningDomain::Member member_;
  Mutex tick_mu_{LockRank::kTuningTick};
  bool stopped_ GUARDED_BY(tick_mu_) = false;

  const int cpus_;
  int64_t flush_ahead_bytes_ = 0;
  Tuner tuner_;
  TuningMode mode_ = TuningMode::kOff;
  bool other_shape_ = false;  // Of some family, by this tick.
  TuningDecision last_;
  Assumptions assumptions_;
  TuningSnapshot snapshot_;
  uint64_t gate_wait_micros_ = 0;
  std::vector<ColumnFamily*> tuned_;  // Under the DB mutex of one tick only.
  std::vector<FamilySignals> families_;
  std::vector<FamilyDecision> shapes_;
  std::array<JobSignal, kJobsMax> jobs_;
  PublishedTuning published_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
