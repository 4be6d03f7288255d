#include "db/compaction/slice_runner.h"

#include <cassert>
#include <memory>
#include <vector>

#include "db/compaction/job_thread.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Shared by the job's thread and its helpers; the last of them frees it.
class Round {
 public:
  Round(CompactionJob* job, const PauseToken& token)
      : job_(job),
        token_(token),
        count_(job->slices()),
        owner_(JobThread::CurrentOwner()) {}

  // Of the job's thread: a helper works for the same database.
  const void* owner() const { return owner_; }

  // Takes slices until none is left.
  void Work() {
    for (;;) {
      size_t index = 0;
      {
        MutexLock lock(&mu_);
        assert(next_ <= count_);
        if (next_ == count_) return;
        index = next_++;
        ++running_;
      }
      const JobProgress progress = job_->RunSlice(index, token_);
      MutexLock lock(&mu_);
      assert(running_ > 0);
      --running_;
      if (progress == JobProgress::kPaused) paused_ = true;
      if (progress == JobProgress::kFailed) failed_ = true;
      done_.SignalAll();
    }
  }

  JobProgress Await() {
    MutexLock lock(&mu_);
    while (running_ > 0) done_.Wait(&mu_);
    assert(next_ == count_);  // The caller has taken what was left.
    if (failed_) return JobProgress::kFailed;
    return paused_ ? JobProgress::kPaused : JobProgress::kDone;
  }

 private:
  CompactionJob* const job_;
  const PauseToken& token_;
  const size_t count_;
  const void* const owner_;
  Mutex mu_;
  CondVar done_;
  size_t next_ GUARDED_BY(mu_) = 0;
  size_t running_ GUARDED_BY(mu_) = 0;
  bool paused_ GUARDED_BY(mu_) = false;
  bool failed_ GUARDED_BY(mu_) = false;
};

using RoundPtr = std::shared_ptr<Round>;

void Help(void* arg) {
  const std::unique_ptr<RoundPtr> round(static_cast<RoundPtr*>(arg));
  const JobThread mark((*round)->owner());
  (*round)->Work();
}

void DeleteRound(void* arg) { delete static_cast<RoundPtr*>(arg); }

}  // namespace

JobProgress RunSlices(Env* env, CompactionJob* job, const PauseToken& token) {
  auto round = std::make_shared<Round>(job, token);
  for (size_t i = 1; i < job->slices(); ++i) {
    env->Schedule(&Help, new RoundPtr(round), Env::LOW, round.get(),
                  &DeleteRound);
  }
  round->Work();
  const JobProgress progress = round->Await();
  if (job->slices() > 1) env->UnSchedule(round.get(), Env::LOW);
  return progress;
}

}  // namespace ROCKSDB_NAMESPACE::engine
