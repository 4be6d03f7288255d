// BackgroundErrors: what happens after something in the background, or a
// write's log append, has failed; and how the database gets over it.
//
// Place. Told by the flusher, the compactor and the commit pipeline; sets
// ErrorState, tells listeners, and resumes.
//
// Model.  error -> ErrorState -> (retryable or out of space?) -> timer
//             ^                                                   |
//             '--- still failing, up to max_bgerror_resume_count --+
//
// Errors that come before a resume has succeeded belong to the same count,
// unless somebody calls DB::Resume() meanwhile.
//
// Whatever the error amounts to, jobs of the kind that failed are held back
// for a second: a disk that refuses everything must not keep the threads busy.
//
// Resuming ends that, clears the error, starts a new MANIFEST and a new log,
// and flushes every memtable: after that nothing in memory depends on what
// failed. Until then it does: when resuming fails, the error that stopped
// writes is back before a writer gets in, whatever kind of error came second.
//
// Threads. Set() under the DB mutex; Resume() without it.

#pragma once

#include <functional>
#include <memory>

#include "db/column_family/db_state.h"
#include "db/write/commit_pipeline.h"
#include "env/timer.h"
#include "rocksdb/listener.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class BackgroundErrors {
 public:
  struct Deps {
    DbState* db = nullptr;
    CommitPipeline* pipeline = nullptr;
    // While no thread writes: starts a new log and flushes everything.
    std::function<Status()> flush_all;
    std::function<void()> schedule;
  };

  explicit BackgroundErrors(Deps deps) : deps_(std::move(deps)) {}

  void set_timer(std::shared_ptr<Timer> timer) { timer_ = std::move(timer); }

  // REQUIRES: the mutex; released while listeners are told.
  void Set(const Status& error, BackgroundErrorReason reason)
      REQUIRES_LOCK(kStateLock);

  // DB::Resume(), and each automatic attempt. OK when there was no error.
  Status Resume();
  // No attempt runs or starts afterwards.
  void Stop();

  // Not OK while acknowledged writes may depend on a log that has failed.
  Status LogError() const REQUIRES_LOCK(kStateLock);

  // Under the mutex: a job of this kind has failed less than a second ago.
  bool flushes_held() const REQUIRES_LOCK(kStateLock) { return flushes_.on; }
  // Not OK when a flush has failed since Resume() began, and is held back: why
  // it failed. Resume() may be in the timer's thread, where the hold would end.
  Status ResumeFailure() const REQUIRES_LOCK(kStateLock);
  bool compactions_held() const REQUIRES_LOCK(kStateLock) {
    return compactions_.on;
  }

 private:
  struct Hold {
    bool on = false;
    Status error;             // Of the job that failed last.
    Timer::Handle timer = 0;  // Ends it; 0: none is set.
  };

  // While a resume flushes: no error any more, so that jobs can run. Writers
  // must not get between this and the new log, nor before EndRenewal().
  void Forget() REQUIRES_LOCK(kStateLock);
  Status Renew();
  void EndRenewal(const Status& outcome) REQUIRES_LOCK(kStateLock);
  Hold* HoldOf(BackgroundErrorReason reason) REQUIRES_LOCK(kStateLock);
  void Begin(Hold* hold) REQUIRES_LOCK(kStateLock);
  void End(Hold* hold);
  void PlanRetry() REQUIRES_LOCK(kStateLock);
  void Retry();

  const Deps deps_;
  std::shared_ptr<Timer> timer_;
  Hold flushes_;
  Hold compactions_;
  Timer::Handle retry_ = 0;
  int retries_left_ = 0;
  bool counting_ = false;  // Since the first error; until a resume succeeds.
  bool resuming_ = false;
  // What stopped writes before resuming_, until EndRenewal().
  Status resumed_from_;
  BackgroundErrorReason resumed_reason_ = BackgroundErrorReason::kFlush;
  bool attempting_ = false;  // Retry() is at work.
  bool stopped_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
