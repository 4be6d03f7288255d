// JobScheduler: turns demand into running jobs on the Env's pools, and pauses
// and resumes compactions.
//
// Place. Owned by the open database; knows queues only as numbers (JobDemand)
// and work only as callbacks. What to do next is db/jobs/next_job.
//
// Model. A slot is a task in a pool. A compaction task decides what to do when
// it gets a thread: it starts a job or resumes a paused one, runs it until it
// ends or pauses, and gives the slot back.
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
#include <optional>

#include "db/jobs/next_job.h"
#include "rocksdb/env.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class JobScheduler {
 public:
  struct Deps {
    Env* env = nullptr;
    StateMutex* mu = nullptr;
    CondVar* changed = nullptr;  // Signalled whenever a job ends.
    // Slots taken are filled in here.
    std::function<JobDemand()> demand;
    std::function<JobLimits()> limits;  // The allowance is filled in here.
    // One job each; false: there was nothing to do after all.
    std::function<bool()> run_flush;
    std::function<bool(JobClassSet)> start_compaction;
    std::function<bool(JobClass)> resume_compaction;
    // These set a flag of the job and keep the mutex.
    std::function<bool(const JobAction&)> pause_compaction;
    std::function<bool(const JobAction&)> unpause_compaction;
    // Could a job of these classes be picked now? If not, they no longer
    // count as waiting.
    std::function<bool(JobClassSet)> can_start;
  };

  explicit JobScheduler(Deps deps) : deps_(std::move(deps)) {}
  JobScheduler(const JobScheduler&) = delete;
  JobScheduler& operator=(const JobScheduler&) = delete;

  // REQUIRES: the DB mutex.
  void ScheduleIfDue() REQUIRES_LOCK(kStateLock);
  // No automatic work starts until Continue(). Calls nest. Paused jobs stay
  // paused.
  void Pause() REQUIRES_LOCK(kStateLock) { ++paused_; }
  void Continue() REQUIRES_LOCK(kStateLock);
  // Undoes every Pause(). For closing: Continue() cannot be called afterwards.
  void EndPauses() REQUIRES_LOCK(kStateLock);
  bool paused() const REQUIRES_LOCK(kStateLock) { return paused_ > 0; }
  // No compaction starts until ContinueCompactions(). Running and paused
  // compactions continue to their end, whatever the allowance. Flushes are not
  // affected.
  void PauseCompactions() REQUIRES_LOCK(kStateLock) { ++compactions_paused_; }
  void ContinueCompactions() REQUIRES_LOCK(kStateLock);
  bool compactions_paused() const REQUIRES_LOCK(kStateLock) {
    return compactions_paused_ > 0;
  }
  // Removes queued tasks from the pools and waits for running ones. Final.
  void Stop() REQUIRES_LOCK(kStateLock);

  // The tuner's decision. ScheduleIfDue() applies it.
  void SetAllowance(const JobAllowance& allowance) REQUIRES_LOCK(kStateLock) {
    allowance_ = allowance;
  }
  const JobAllowance& allowance() const REQUIRES_LOCK(kStateLock) {
    return allowance_;
  }
  void SetPreempt(bool preempt) REQUIRES_LOCK(kStateLock) {
    preempt_ = preempt;
  }
  bool preempt() const REQUIRES_LOCK(kStateLock) { return preempt_; }
  // Replaces the number of slots that the options give; 0 restores it.
  // `helpers`: additional threads for subcompactions.
  void SetCompactionSlots(int slots, int helpers) REQUIRES_LOCK(kStateLock);

  int flushes_running() const REQUIRES_LOCK(kStateLock) { return flushes_; }
  int compactions_running() const REQUIRES_LOCK(kStateLock) {
    return compactions_;
  }
  bool idle() const REQUIRES_LOCK(kStateLock) {
    return flushes_ == 0 && compactions_ == 0;
  }

 private:
  struct Ticket;

  std::optional<JobAction> Decide(bool has_slot) REQUIRES_LOCK(kStateLock);
  JobDemand Demand(bool has_slot) const REQUIRES_LOCK(kStateLock);
  JobLimits Limits() const REQUIRES_LOCK(kStateLock);
  void Hand(JobKind kind) REQUIRES_LOCK(kStateLock);
  static void RunInPool(void* ticket);
  static void Unscheduled(void* ticket);
  void Run(JobKind kind);
  void RunCompaction() REQUIRES_LOCK(kStateLock);
  int& CountOf(JobKind kind) REQUIRES_LOCK(kStateLock) {
    return kind == JobKind::kFlush ? flushes_ : compactions_;
  }
  Env::Priority PoolOf(JobKind kind) const;

  const Deps deps_;
  int flushes_ = 0;  // In a pool's queue or running.
  int compactions_ = 0;
  int handed_[2] = {0, 0};  // By JobKind: in a queue, not begun.
  int paused_ = 0;
  int compactions_paused_ = 0;
  JobAllowance allowance_;
  bool preempt_ = false;
  int compaction_slots_ = 0;
  bool stopped_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
