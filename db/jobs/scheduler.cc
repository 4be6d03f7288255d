#include "db/jobs/scheduler.h"

#include <cassert>
#include <memory>

#include "util/mutex_unlock.h"

namespace ROCKSDB_NAMESPACE::engine {

// The argument of a pool's task; freed by the code that takes the task off the
// queue.
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

JobDemand JobScheduler::Demand(bool has_slot) const {
  deps_.mu->AssertHeld();
  JobDemand demand = deps_.demand();
  assert(compactions_ >= (has_slot ? 1 : 0));
  if (compactions_paused_ > 0) {
    demand.drain = true;
    demand.compactions_allowed = false;
  }
  demand.flushes_running = flushes_;
  demand.compactions_running = compactions_ - (has_slot ? 1 : 0);
  // What is in a queue and not begun will take one waiting item each.
  demand.flushes_waiting -= handed_[static_cast<int>(JobKind::kFlush)];
  demand.compactions_handed = handed_[static_cast<int>(JobKind::kCompaction)];
  return demand;
}

JobLimits JobScheduler::Limits() const {
  deps_.mu->AssertHeld();
  JobLimits limits = deps_.limits();
  if (compaction_slots_ > 0) limits.compactions = compaction_slots_;
  limits.allowance = allowance_;
  limits.preempt = preempt_;
  return limits;
}

// Does what needs no slot; returns what the caller should do with the one it
// has. Without one, hands out slots until nothing more is due.
std::optional<JobAction> JobScheduler::Decide(bool has_slot) {
  deps_.mu->AssertHeld();
  using Kind = JobAction::Kind;
  while (!stopped_ && paused_ == 0) {
    const JobAction action = NextJob(Demand(has_slot), Limits());
    switch (action.kind) {
      case Kind::kStartFlush:
        Hand(JobKind::kFlush);
        break;
      case Kind::kPause:
        if (!action.for_start.empty() && !deps_.can_start(action.for_start)) {
          break;
        }
        if (!deps_.pause_compaction(action)) return std::nullopt;
        break;
      case Kind::kUnpause:
        if (!deps_.unpause_compaction(action)) return std::nullopt;
        break;
      case Kind::kStart:
      case Kind::kResume:
        if (has_slot) return action;
        Hand(JobKind::kCompaction);
        break;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

void JobScheduler::ScheduleIfDue() { (void)Decide(/*has_slot=*/false); }

void JobScheduler::SetCompactionSlots(int slots, int helpers) {
  deps_.mu->AssertHeld();
  assert(slots >= 0 && helpers >= 0);
  compaction_slots_ = slots;
  if (slots > 0) {
    deps_.env->IncBackgroundThreadsIfNeeded(slots + helpers, Env::LOW);
  }
}

void JobScheduler::Hand(JobKind kind) {
  deps_.mu->AssertHeld();
  assert(!stopped_);  // (2)
  ++CountOf(kind);
  ++handed_[static_cast<int>(kind)];
  assert(handed_[static_cast<int>(kind)] <= CountOf(kind));
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
  assert(handed_[static_cast<int>(kind)] <= CountOf(kind));
  assert(handed_[static_cast<int>(kind)] > 0);
  --handed_[static_cast<int>(kind)];
  if (!stopped_) {
    if (kind == JobKind::kFlush) {
      deps_.run_flush();
    } else {
      RunCompaction();
    }
  }
  assert(CountOf(kind) > 0);
  --CountOf(kind);
  ScheduleIfDue();
  deps_.changed->SignalAll();
}

// Runs one job until it ends or pauses. A job that could not be picked, or that
// another task has resumed, is no longer due; then the next one is tried.
void JobScheduler::RunCompaction() {
  deps_.mu->AssertHeld();
  assert(compactions_ > 0);  // The slot that this runs in.
  for (;;) {
    const std::optional<JobAction> action = Decide(/*has_slot=*/true);
    if (!action) return;
    const bool ran = action->kind == JobAction::Kind::kResume
                         ? deps_.resume_compaction(action->job_class)
                         : deps_.start_compaction(action->classes);
    if (ran) return;
  }
}

void JobScheduler::Continue() {
  deps_.mu->AssertHeld();
  if (paused_ > 0) --paused_;
  ScheduleIfDue();
}

void JobScheduler::EndPauses() {
  deps_.mu->AssertHeld();
  paused_ = 0;
  ScheduleIfDue();
}

void JobScheduler::ContinueCompactions() {
  deps_.mu->AssertHeld();
  if (compactions_paused_ > 0) --compactions_paused_;
  ScheduleIfDue();
}

void JobScheduler::Stop() {
  deps_.mu->AssertHeld();
  stopped_ = true;
  // Tasks taken off a queue will not run; which kind they were no longer
  // matters, only that the sum reaches zero.
  int unscheduled = 0;
  {
    const MutexUnlock unlock(deps_.mu);
    unscheduled += deps_.env->UnSchedule(this, Env::HIGH);
    unscheduled += deps_.env->UnSchedule(this, Env::LOW);
  }
  while (flushes_ + compactions_ > unscheduled) deps_.changed->Wait(deps_.mu);
  assert(flushes_ + compactions_ == unscheduled);  // (2)
  flushes_ = 0;
  compactions_ = 0;
}

}  // namespace ROCKSDB_NAMESPACE::engine
