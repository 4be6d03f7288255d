#include "db/file_deletion/purge_task.h"

#include <cassert>

#include "util/mutex_unlock.h"

namespace ROCKSDB_NAMESPACE::engine {

void PurgeTask::Request() {
  MutexLock lock(&own_mu_);
  if (handed_ || stopped_) return;
  handed_ = true;
  // As flushes: without threads in the high pool the low one serves.
  const bool high = deps_.env->GetBackgroundThreads(Env::HIGH) > 0;
  deps_.env->Schedule(&PurgeTask::RunInPool, this, high ? Env::HIGH : Env::LOW,
                      this);
}

bool PurgeTask::running() const {
  MutexLock lock(&own_mu_);
  return running_ > 0;
}

bool PurgeTask::busy() const {
  MutexLock lock(&own_mu_);
  return handed_ || running_ > 0;
}

void PurgeTask::RunInPool(void* task) { static_cast<PurgeTask*>(task)->Run(); }

void PurgeTask::Run() {
  MutexLock lock(deps_.mu);
  {
    MutexLock own(&own_mu_);
    handed_ = false;  // What comes from now on needs another pass.
    ++running_;
  }
  deps_.purge();
  {
    MutexLock own(&own_mu_);
    assert(running_ > 0);
    --running_;
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
