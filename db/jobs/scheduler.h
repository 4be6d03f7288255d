// JobScheduler: turns demand into running jobs on the Env's pools, and pauses
// and resumes compactions.
//
// Place. Owned by the open database; knows queues only as numbers (JobDemand)
// and work only as callbacks. What to do next is db/jobs/next_job.
//
// Model. A slot is a task in a pool. Compactions: the task is handed to the
// pool, asks what to do once it has its thread, does one thing (starts a job
// or goes on with a paused one) until that ends or pauses, and gives the slot
// back.
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
    // For a task that had nothing to do: what was left to it because a task
    // was there. May release the mutex.
    std::function<void()> after_nothing;
    // These only tell a job, and keep the mutex.
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
  // No automatic work starts until Continue(). Counted. Paused jobs stay so.
  void Pause() REQUIRES_LOCK(kStateLock) { ++paused_; }
  void Continue() REQUIRES_LOCK(kStateLock);
  // The database closes, so nobody will call Continue() any more.
  void EndPauses();
  bool paused() const REQUIRES_LOCK(kStateLock) { return paused_ > 0; }
  // No compaction starts; those under way go on to their end, paused ones
  // too, whatever is allowed. Flushes go on.
  void PauseCompactions() REQUIRES_LOCK(kStateLock) { ++compactions_paused_; }
  void ContinueCompactions() REQUIRES_LOCK(kStateLock);
  bool compactions_paused() const { return compactions_paused_ > 0; }
  // Removes what waits in the pools and waits for what runs. For good.
  void Stop() REQUIRES_LOCK(kStateLock);

  // What the tuner decides. ScheduleIfDue() puts it into effect.
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
  // Instead of the slots by options; 0: these again. `helpers`: threads for
  // subcompactions beside them.
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
  bool RunCompaction() REQUIRES_LOCK(kStateLock);
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
