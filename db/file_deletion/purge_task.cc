#include "db/file_deletion/purge_task.h"

#include <cassert>

#include "util/mutex_unlock.h"

namespace ROCKSDB_NAMESPACE::engine {

void PurgeTask::Request() {
  MutexLock lock(&own_mu_);
  requested_ = true;
  HandOver();
}

// Puts a task into the pool if a pass is due and no task is there.
void PurgeTask::HandOver() {
  own_mu_.AssertHeld();
  if (!requested_ || handed_ || running_ || stopped_) return;
  handed_ = true;
  // As flushes: without threads in the high pool the low one serves.
  const bool high = deps_.env->GetBackgroundThreads(Env::HIGH) > 0;
  deps_.env->Schedule(&PurgeTask::RunInPool, this, high ? Env::HIGH : Env::LOW,
                      this);
}

bool PurgeTask::running() const {
  MutexLock lock(&own_mu_);
  return running_;
}

bool PurgeTask::busy() const {
  MutexLock lock(&own_mu_);
  return handed_ || running_;
}

void PurgeTask::RunInPool(void* task) { static_cast<PurgeTask*>(task)->Run(); }

void PurgeTask::Run() {
  MutexLock lock(deps_.mu);
  {
    MutexLock own(&own_mu_);
    assert(handed_ && !running_);
    handed_ = false;
    requested_ = false;  // What comes from now on needs another pass.
    running_ = true;
  }
  deps_.purge();
  {
    MutexLock own(&own_mu_);
    running_ = false;
    HandOver();
  }
  deps_.changed->SignalAll();
}

void PurgeTask::Stop() {
  deps_.mu->AssertHeld();
  {
    MutexLock own(&own_mu_);
    stopped_ = true;
  }
  int unscheduled = 0;
  {
    const MutexUnlock unlock(deps_.mu);
    unscheduled += deps_.env->UnSchedule(this, Env::HIGH);
    unscheduled += deps_.env->UnSchedule(this, Env::LOW);
  }
  if (unscheduled > 0) {
    MutexLock own(&own_mu_);
    handed_ = false;
  }
  while (busy()) deps_.changed->Wait(deps_.mu);
}

}  // namespace ROCKSDB_NAMESPACE::engine
