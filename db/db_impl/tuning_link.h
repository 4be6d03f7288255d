// TuningLink: connects an open database to the law that tunes it.
//
// Place. Owned by the façade, which calls Update() whenever options or families
// change. The options of the auto-tuned families decide which laws run:
//
//   kDrainSwitch          limiter --(drain decisions)--> the Env's switch
//   kAdaptive, kAdvise    timer --> TuningDriver
//
// Threads. Update() and End() without the DB mutex; the rest from any thread.

#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/db_impl/compactor.h"
#include "db/jobs/scheduler.h"
#include "db/tuning_driver/tuning_driver.h"
#include "env/timer.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class TuningLink {
 public:
  struct Deps {
    DbState* db = nullptr;
    StallMonitor* stalls = nullptr;
    Compactor* compactor = nullptr;
    JobScheduler* scheduler = nullptr;
    // Under the mutex: work may have become due.
    std::function<void()> schedule;
    // Under the mutex, which it releases meanwhile.
    std::function<void()> notify_stall_listeners;
    std::function<uint64_t()> accepted_bytes;
  };

  explicit TuningLink(Deps deps) : deps_(std::move(deps)) {}
  ~TuningLink() { End(); }

  // Starts and ends what the families' options ask for. Nothing after End().
  void Update(const std::shared_ptr<Timer>& timer) EXCLUDES_LOCK(mu_);
  void End() EXCLUDES_LOCK(mu_);

  // For tests: a decision now.
  void Tick() EXCLUDES_LOCK(mu_);
  // What the driver decided last; kOff when none runs.
  TuningSnapshot Snapshot() const EXCLUDES_LOCK(mu_);

 private:
  struct Wanted {
    bool drain_switch = false;
    bool driver = false;
    bool operator==(const Wanted&) const = default;
  };
  struct Running {
    std::shared_ptr<TuningDriver> driver;  // Null: none.
    std::shared_ptr<Timer> timer;
    Timer::Handle tick = 0;
  };
  Wanted WantedNow();
  bool AttachDrainSwitch() REQUIRES_LOCK(mu_);
  void DetachDrainSwitch() REQUIRES_LOCK(mu_);
  void StartDriver(const std::shared_ptr<Timer>& timer) REQUIRES_LOCK(mu_);
  // A tick may be telling listeners, who may want mu_.
  static void Stop(const Running& running) EXCLUDES_LOCK(mu_);
  bool Allow(const TuningDecision& decision) REQUIRES_LOCK(kStateLock);
  size_t Jobs(std::span<JobSignal> out) const REQUIRES_LOCK(kStateLock);

  const Deps deps_;
  mutable Mutex mu_{LockRank::kTuningLink};
  bool ended_ GUARDED_BY(mu_) = false;
  bool attached_ GUARDED_BY(mu_) = false;
  Running running_ GUARDED_BY(mu_);
  // Slots and helpers that the tuner asked for. Guarded by the DB mutex.
  std::pair<int, int> slots_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
