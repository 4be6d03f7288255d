// The part of Compactor that makes jobs give up: when the database closes, for
// a dropped family, and for AbortAllCompactions.

#include <algorithm>
#include <cassert>

#include "db/compaction/job_thread.h"
#include "db/db_impl/compactor.h"
#include "db/db_impl/compactor_job.h"

namespace ROCKSDB_NAMESPACE::engine {

void Compactor::Cancel(Job* job) {
  deps_.db->mu.AssertHeld();
  job->token.Cancel();
  job->pass.hurry.store(true, std::memory_order_relaxed);
}

void Compactor::CancelAll() {
  deps_.db->mu.AssertHeld();
  cancelled_ = true;
  for (const auto& job : jobs_) Cancel(job.get());
}

void Compactor::CancelFamily(const ColumnFamily& family) {
  deps_.db->mu.AssertHeld();
  for (const auto& job : jobs_) {
    if (job->family.get() == &family) Cancel(job.get());
  }
  EndCancelled();
}

void Compactor::EndCancelled() {
  deps_.db->mu.AssertHeld();
  const JobThread mark(this);
  for (;;) {
    const auto it =
        std::find_if(jobs_.begin(), jobs_.end(), [](const auto& job) {
          return job->state == Job::State::kPaused && !job->plan.is_manual &&
                 job->token.wish() == PauseToken::Wish::kCancel;
        });
    if (it == jobs_.end()) return;
    (*it)->state = Job::State::kRunning;
    Drive(it->get());
  }
}

// Waits only for jobs that had begun: ResumeAll() by another thread may let new
// ones begin meanwhile.
void Compactor::AbortAll() {
  DbState& db = *deps_.db;
  db.mu.AssertHeld();
  ++db.compaction_aborts;
  const uint64_t number = ++aborts_;
  for (const auto& job : jobs_) Cancel(job.get());
  // For callers that wait for a job, for its files or for room.
  db.changed.SignalAll();
  const bool in_a_job = JobThread::WorksFor(this);
  EndCancelled();
  if (in_a_job) return;
  while (std::any_of(jobs_.begin(), jobs_.end(), [number](const auto& job) {
    return job->aborts < number;
  })) {
    db.changed.Wait(&db.mu);
  }
}

void Compactor::ResumeAll() {
  DbState& db = *deps_.db;
  db.mu.AssertHeld();
  if (db.compaction_aborts == 0) return;
  if (--db.compaction_aborts == 0) deps_.schedule();
}

// REQUIRES: the mutex, and a job that failed because it was cancelled.
Status Compactor::WhyCancelled(const Job& job) const {
  deps_.db->mu.AssertHeld();
  const DbState& db = *deps_.db;
  if (job.family->dropped()) {
    return Status::ColumnFamilyDropped("Compaction of ", job.family->name());
  }
  if (job.call != nullptr) RETURN_IF_ERROR(WhyStopped(*job.call));
  assert(job.aborts <= aborts_);
  if (job.aborts != aborts_) {
    return Status::Incomplete(Status::SubCode::kCompactionAborted);
  }
  if (!db.closing && !db.errors.CompactionsAllowed()) return db.errors.error();
  return Status::ShutdownInProgress("The compaction was cancelled");
}

}  // namespace ROCKSDB_NAMESPACE::engine
