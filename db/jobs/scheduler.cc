#include "db/jobs/scheduler.h"

#include <memory>

namespace ROCKSDB_NAMESPACE::engine {

// What a pool's task carries; freed by whoever takes it off the queue.
struct JobScheduler::Ticket {
  JobScheduler* scheduler;
  JobKind kind;
};

Env::Priority JobScheduler::PoolOf(JobKind kind) const {
  // Without threads in the high pool flushes share the low one.
  const bool high =
      kind == JobKind::kFlush && deps_.env->GetBackgroundThreads(Env::HIGH) > 0;
  return high ? Env::HIGH : Env::LOW;
}

void JobScheduler::ScheduleIfDue() {
  if (stopped_ || paused_ > 0) return;
  const JobLimits limits = deps_.limits();
  for (;;) {
    JobDemand demand = deps_.demand();
    demand.compactions_allowed &= compactions_paused_ == 0;
    demand.flushes_running = flushes_;
    demand.compactions_running = compactions_;
    // What is in a queue and not begun will take one waiting item each.
    demand.flushes_waiting -= handed_[static_cast<int>(JobKind::kFlush)];
    demand.compactions_waiting -=
        handed_[static_cast<int>(JobKind::kCompaction)];
    const std::optional<JobKind> kind = NextJob(demand, limits);
    if (!kind) return;
    Hand(*kind);
  }
}

void JobScheduler::Hand(JobKind kind) {
  ++CountOf(kind);
  ++handed_[static_cast<int>(kind)];
  deps_.env->Schedule(&JobScheduler::RunInPool, new Ticket{this, kind},
                      PoolOf(kind), this, &JobScheduler::Unscheduled);
}

void JobScheduler::RunInPool(void* arg) {
  const std::unique_ptr<Ticket> ticket(static_cast<Ticket*>(arg));
  ticket->scheduler->Run(ticket->kind);
}

void JobScheduler::Unscheduled(void* arg) {
  // Only Stop() unschedules, with the mutex off and counting itself.
  delete static_cast<Ticket*>(arg);
}

void JobScheduler::Run(JobKind kind) {
  MutexLock lock(deps_.mu);
  --handed_[static_cast<int>(kind)];
  if (!stopped_) {
    if (kind == JobKind::kFlush) {
      deps_.run_flush();
    } else {
      deps_.run_compaction();
    }
  }
  --CountOf(kind);
  ScheduleIfDue();
  deps_.changed->SignalAll();
}

void JobScheduler::Continue() {
  if (paused_ > 0) --paused_;
  ScheduleIfDue();
}

void JobScheduler::ContinueCompactions() {
  if (compactions_paused_ > 0) --compactions_paused_;
  ScheduleIfDue();
}

void JobScheduler::Stop() {
  stopped_ = true;
  deps_.mu->Unlock();
  const int high = deps_.env->UnSchedule(this, Env::HIGH);
  const int low = deps_.env->UnSchedule(this, Env::LOW);
  deps_.mu->Lock();
  // Tasks taken off a queue will not run; which kind they were no longer
  // matters, only that the sum reaches zero.
  int unscheduled = high + low;
  while (flushes_ + compactions_ > unscheduled) deps_.changed->Wait(deps_.mu);
  flushes_ = 0;
  compactions_ = 0;
}

}  // namespace ROCKSDB_NAMESPACE::engine
