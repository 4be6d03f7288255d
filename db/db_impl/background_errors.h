// BackgroundErrors: handles failures of background work and of log appends, and
// resumes the database after them.
//
// Place. The flusher, the compactor and the commit pipeline report errors to
// it. It sets ErrorState, notifies listeners, and resumes.
//
// Model.  error -> ErrorState -> (retryable or out of space?) -> timer
//             ^                                                   |
//             '--- still failing, up to max_bgerror_resume_count --+
//
// Errors before a successful resume share one count, unless DB::Resume() is
// called in between.
//
// After any error, jobs of the kind that failed wait for a second: a disk that
// fails every request must not keep the threads busy. What a compaction service
// does wrong is no error of the database: it only makes compactions wait.
//
// A resume starts a new log, ends that wait, clears the error, starts a new
// MANIFEST, and flushes every memtable. After that nothing in memory depends on
// a file that failed, except prepared transactions: if a log fails while there
// are some, the error becomes fatal instead. If the resume fails, the error
// that stopped writes is set again before any writer can continue, whatever
// kind of error came second.
//
// A flush that began before the error was cleared may still fail on one of the
// old files. That is no error, unless it is one that no resume clears: the
// resume flushes the same memtables.
//
// Threads. Set() under the DB mutex; Resume() without it.

#pragma once

#include <cstdint>
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
    // While no thread writes, and the new log is empty: flushes everything.
    std::function<Status()> flush_all;
    std::function<void()> schedule;
  };

  explicit BackgroundErrors(Deps deps) : deps_(std::move(deps)) {}

  void set_timer(std::shared_ptr<Timer> timer) { timer_ = std::move(timer); }

  // REQUIRES: the mutex; released while listeners are told.
  void Set(const Status& error, BackgroundErrorReason reason)
      REQUIRES_LOCK(kStateLock);
  // The same of a flush that began when ErrorState::clear_count() was this.
  void SetOfFlush(const Status& error, uint64_t clear_count)
      REQUIRES_LOCK(kStateLock);

  // A compaction service has failed: compactions wait as after an error, but
  // there is none.
  void HoldCompactions(const Status& failure) REQUIRES_LOCK(kStateLock);

  // DB::Resume(): attempts are counted anew. OK when there was no error, Busy
  // while another one or an attempt is at work.
  Status Resume();
  // No attempt runs or starts afterwards.
  void Stop();

  // Not OK while acknowledged writes may depend on a log that has failed.
  Status LogError() const REQUIRES_LOCK(kStateLock);

  // Under the mutex: a job of this kind has failed less than a second ago.
  bool flushes_held() const REQUIRES_LOCK(kStateLock) { return flushes_.on; }
  // What a caller that waits for a flush must be told: flushes have stopped,
  // one has failed, or one has failed since Resume() began and is held back
  // (Resume() may be in the timer's thread, where the hold would end). OK while
  // only compactions have failed: flushes go on.
  Status FlushFailure() const REQUIRES_LOCK(kStateLock);
  bool compactions_held() const REQUIRES_LOCK(kStateLock) {
    return compactions_.on;
  }
  // Not OK while compactions wait because a service has failed.
  Status ServiceFailure() const REQUIRES_LOCK(kStateLock) {
    return compactions_.on ? service_failure_ : Status::OK();
  }

 private:
  struct Hold {
    bool on = false;
    Status error;             // Of the job that failed last.
    bool forgiven = false;    // By listeners, or they are being asked.
    Timer::Handle timer = 0;  // Ends it; 0: none is set.
  };

  // Resume(), and each automatic attempt.
  Status TryResume();
  bool MustReopen() REQUIRES_LOCK(kStateLock);
  // While a resume flushes: no error any more, so that jobs can run. Writers
  // must not get between the new log and EndRenewal().
  void ClearForResume() REQUIRES_LOCK(kStateLock);
  Status Renew();
  // What failed logs hold is flushed, not written again.
  Status ReplaceLog();
  void EndRenewal(const Status& outcome) REQUIRES_LOCK(kStateLock);
  Hold* HoldOf(BackgroundErrorReason reason) REQUIRES_LOCK(kStateLock);
  Status HeldDuringResume() const REQUIRES_LOCK(kStateLock);
  void Begin(Hold* hold) REQUIRES_LOCK(kStateLock);
  void End(Hold* hold);
  // A resume has cleared the error of such a flush before it was told.
  bool ClearedSince(uint64_t clear_count, const Status& error)
      REQUIRES_LOCK(kStateLock);
  // If an error is left that time may heal, and no attempt is under way.
  void PlanRetry() REQUIRES_LOCK(kStateLock);
  void Retry();

  const Deps deps_;
  std::shared_ptr<Timer> timer_;
  Hold flushes_;
  Hold compactions_;
  Status service_failure_;  // OK: the hold came from an error.
  Timer::Handle retry_ = 0;
  int retries_left_ = 0;
  bool counting_ = false;  // Since the first error; until a resume succeeds.
  bool resuming_ = false;
  // What stopped writes before resuming_, until EndRenewal().
  Status resumed_from_;
  Status cause_;  // Of the last resume.
  BackgroundErrorReason resumed_reason_ = BackgroundErrorReason::kFlush;
  bool attempting_ = false;  // Retry() is at work.
  bool stopped_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
