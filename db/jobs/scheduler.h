// JobScheduler: turns demand into running jobs on the Env's pools.
//
// Place. Owned by the open database; knows queues only as numbers (JobDemand)
// and work only as two callbacks.
//
// Invariants:
//   (1) Never more jobs in the pools than the limits of the moment they were
//       scheduled.
//   (2) After Stop() no callback starts; Stop() returns when none runs.
//
// Threads. Functions under the DB mutex; callbacks are called with it held
// and release it while they work.

#pragma once

#include <functional>

#include "db/jobs/next_job.h"
#include "rocksdb/env.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class JobScheduler {
 public:
  struct Deps {
    Env* env = nullptr;
    Mutex* mu = nullptr;
    CondVar* changed = nullptr;         // Signalled whenever a job ends.
    std::function<JobDemand()> demand;  // Running counts are filled in here.
    std::function<JobLimits()> limits;
    // One job each; false: there was nothing to do after all.
    std::function<bool()> run_flush;
    std::function<bool()> run_compaction;
  };

  explicit JobScheduler(Deps deps) : deps_(std::move(deps)) {}
  JobScheduler(const JobScheduler&) = delete;
  JobScheduler& operator=(const JobScheduler&) = delete;

  // REQUIRES: the DB mutex.
  void ScheduleIfDue();
  // No automatic work starts until Continue(). Counted.
  void Pause() { ++paused_; }
  void Continue();
  // The same for compactions alone: flushes go on.
  void PauseCompactions() { ++compactions_paused_; }
  void ContinueCompactions();
  // Removes what waits in the pools and waits for what runs. For good.
  void Stop();

  int flushes_running() const { return flushes_; }
  int compactions_running() const { return compactions_; }
  bool idle() const { return flushes_ == 0 && compactions_ == 0; }

 private:
  struct Ticket;

  void Hand(JobKind kind);
  static void RunInPool(void* ticket);
  static void Unscheduled(void* ticket);
  void Run(JobKind kind);
  int& CountOf(JobKind kind) {
    return kind == JobKind::kFlush ? flushes_ : compactions_;
  }
  Env::Priority PoolOf(JobKind kind) const;

  const Deps deps_;
  int flushes_ = 0;  // In a pool's queue or running.
  int compactions_ = 0;
  int handed_[2] = {0, 0};  // By JobKind: in a queue, not begun.
  int paused_ = 0;
  int compactions_paused_ = 0;
  bool stopped_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
