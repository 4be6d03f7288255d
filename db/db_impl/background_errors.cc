#include "db/db_impl/background_errors.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/events/db_events.h"
#include "rocksdb/system_clock.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// How long jobs of a kind wait after one has failed; as RocksDB's.
constexpr uint64_t kBackOffMicros = uint64_t{1000} * 1000;

}  // namespace

BackgroundErrors::Hold* BackgroundErrors::HoldOf(BackgroundErrorReason reason) {
  deps_.db->mu.AssertHeld();
  switch (reason) {
    case BackgroundErrorReason::kFlush:
    case BackgroundErrorReason::kFlushNoWAL:
      return &flushes_;
    case BackgroundErrorReason::kCompaction:
      return &compactions_;
    default:
      return nullptr;
  }
}

// REQUIRES: the mutex.
void BackgroundErrors::Begin(Hold* hold) {
  deps_.db->mu.AssertHeld();
  if (stopped_ || timer_ == nullptr) return;
  hold->on = true;
  // An earlier timer may end it sooner: no harm.
  if (hold->timer != 0) return;
  const uint64_t due = deps_.db->store.clock->NowMicros() + kBackOffMicros;
  hold->timer = timer_->Add(due, 0, [this, hold] { End(hold); });
}

void BackgroundErrors::End(Hold* hold) {
  MutexLock lock(&deps_.db->mu);
  hold->timer = 0;
  hold->on = false;
  deps_.schedule();
}

void BackgroundErrors::Set(const Status& error, BackgroundErrorReason reason) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  Hold* const hold = HoldOf(reason);
  if (hold != nullptr) {
    hold->error = error;
    // Until the listeners have answered, so that no caller is told too early.
    hold->forgiven = true;
    if (hold == &compactions_) service_failure_ = Status::OK();
    Begin(hold);
  }
  const uint64_t clear_count = db.errors.clear_count();
  Status told = db.errors.Classified(error, reason);
  {
    const MutexUnlock unlock(&db.mu);
    db.events->BackgroundError(reason, &told);
  }
  if (hold == &flushes_ && ClearedSince(clear_count, error)) return;
  if (told.ok()) {
    if (hold != nullptr) return;  // A listener took it upon itself.
    // What follows a failed record in the same log is lost at recovery.
    told = db.errors.Classified(error, reason);
  }
  if (hold != nullptr) hold->forgiven = false;
  const Status set = db.errors.Set(told, reason);
  Error(db.store.info_log, "Background error, severity %d: %s",
        static_cast<int>(set.severity()), set.ToString().c_str());
  RecordTick(db.store.statistics, ERROR_HANDLER_BG_ERROR_COUNT);
  deps_.pipeline->RequestAttention();
  db.changed.SignalAll();
  PlanRetry();
}

void BackgroundErrors::HoldCompactions(const Status& failure) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  service_failure_ = failure;
  Begin(&compactions_);
  Warn(db.store.info_log, "Compactions wait for %.1f s after a failure: %s",
       static_cast<double>(kBackOffMicros) / 1e6, failure.ToString().c_str());
  db.changed.SignalAll();
}

void BackgroundErrors::SetOfFlush(const Status& error, uint64_t clear_count) {
  deps_.db->mu.AssertHeld();
  if (ClearedSince(clear_count, error)) return;
  Set(error, BackgroundErrorReason::kFlush);
}

bool BackgroundErrors::ClearedSince(uint64_t clear_count, const Status& error) {
  deps_.db->mu.AssertHeld();
  const DbState& db = *deps_.db;
  const Status classified =
      db.errors.Classified(error, BackgroundErrorReason::kFlush);
  if (clear_count == db.errors.clear_count() ||
      classified.severity() > Status::Severity::kHardError) {
    return false;
  }
  Info(db.store.info_log, "A flush from before a resume failed: %s",
       error.ToString().c_str());
  return true;
}

// REQUIRES: the mutex.
void BackgroundErrors::PlanRetry() {
  deps_.db->mu.AssertHeld();
  // The one that is at work plans the next one when it ends.
  if (stopped_ || timer_ == nullptr || attempting_ || resuming_) return;
  if (retry_ != 0 || !deps_.db->errors.AutoResumable()) return;
  if (!counting_) {
    counting_ = true;
    retries_left_ = std::max(0, deps_.db->options->max_bgerror_resume_count);
  }
  if (retries_left_ == 0) return;
  assert(retries_left_ > 0);
  --retries_left_;
  const uint64_t due = deps_.db->store.clock->NowMicros() +
                       deps_.db->options->bgerror_resume_retry_interval;
  retry_ = timer_->Add(due, 0, [this] { Retry(); });
}

void BackgroundErrors::Retry() {
  DbState& db = *deps_.db;
  Status before;
  BackgroundErrorReason reason;
  {
    MutexLock lock(&db.mu);
    retry_ = 0;
    before = db.errors.error();
    reason = db.errors.reason();
    if (stopped_ || before.ok()) return;
    assert(!attempting_);
    attempting_ = true;
  }
  Status after = before;
  if (db.events->ErrorRecoveryBegin(reason, before)) {
    after = TryResume();
    db.events->ErrorRecoveryEnd(before, after);
  }
  MutexLock lock(&db.mu);
  attempting_ = false;
  db.changed.SignalAll();
  // Also after a success: a job may have failed since.
  PlanRetry();
}

Status BackgroundErrors::Resume() {
  {
    MutexLock lock(&deps_.db->mu);
    if (!resuming_) counting_ = false;
  }
  return TryResume();
}

// A flush cannot replace what is prepared in a log that has failed, nor tell
// whether a decision got into it. A recovery can.
bool BackgroundErrors::MustReopen() {
  DbState& db = *deps_.db;
  db.mu.AssertHeld();
  if (!db.versions->log_holds()->any_undecided() || !db.wals->has_failed()) {
    return false;
  }
  Warn(db.store.info_log,
       "A log has failed while transactions are prepared: the database has to "
       "be opened again");
  db.errors.Restore(Status(cause_, Status::Severity::kFatalError),
                    BackgroundErrorReason::kFlush);
  return true;
}

Status BackgroundErrors::TryResume() {
  DbState& db = *deps_.db;
  {
    MutexLock lock(&db.mu);
    if (resuming_) return Status::Busy("Recovery is already in progress");
    if (db.errors.error().ok()) return Status::OK();
    if (db.errors.error().severity() > Status::Severity::kHardError) {
      return db.errors.error();
    }
    resuming_ = true;
    cause_ = db.errors.error();
    if (db.errors.stopped()) {
      resumed_from_ = db.errors.error();
      resumed_reason_ = db.errors.reason();
    } else {
      // A writer may wait for a job that the error holds back.
      ClearForResume();
    }
  }
  const Status status = Renew();
  MutexLock lock(&db.mu);
  assert(resuming_ && resumed_from_.ok());
  resuming_ = false;
  if (status.ok()) {
    counting_ = false;
    Info(db.store.info_log, "Successfully resumed DB");
  } else if (db.errors.error().ok() && !status.IsShutdownInProgress()) {
    (void)db.errors.Set(status, BackgroundErrorReason::kFlush);
  }
  PlanRetry();
  deps_.schedule();
  db.changed.SignalAll();
  return status;
}

void BackgroundErrors::ClearForResume() {
  deps_.db->mu.AssertHeld();
  assert(resuming_);
  flushes_.on = false;
  compactions_.on = false;
  deps_.db->errors.Clear();
  deps_.db->versions->ForceNewManifest();
  deps_.schedule();
}

Status BackgroundErrors::ReplaceLog() {
  DbState& db = *deps_.db;
  RETURN_IF_ERROR(db.wals->Start(db.versions->NewFileNumber()));
  db.wals->GiveUpFailed();
  return Status::OK();
}

Status BackgroundErrors::Renew() {
  const CommitPipeline::ExclusiveGuard guard(deps_.pipeline);
  {
    // No thread prepares any more.
    MutexLock lock(&deps_.db->mu);
    if (MustReopen()) {
      const Status fatal = deps_.db->errors.error();
      EndRenewal(fatal);
      return fatal;
    }
  }
  // First: a flush that syncs the old logs would fail on them again.
  Status status = OrNoMemory([this] { return ReplaceLog(); });
  if (status.ok()) {
    {
      MutexLock lock(&deps_.db->mu);
      ClearForResume();
    }
    status = deps_.flush_all();
  }
  MutexLock lock(&deps_.db->mu);
  EndRenewal(status);
  return status;
}

void BackgroundErrors::EndRenewal(const Status& outcome) {
  deps_.db->mu.AssertHeld();
  assert(resuming_);
  DbState& db = *deps_.db;
  Status before = std::exchange(resumed_from_, Status::OK());
  if (outcome.ok()) return;
  // What a log held is only installed as a whole: it must not grow meanwhile.
  if (before.ok() && db.wals->needs_failed()) {
    before = Status(outcome, Status::Severity::kHardError);
    resumed_reason_ = BackgroundErrorReason::kFlush;
  }
  if (before.ok()) return;
  db.errors.Restore(before, resumed_reason_);
  deps_.pipeline->RequestAttention();
}

Status BackgroundErrors::LogError() const {
  const DbState& db = *deps_.db;
  if (db.errors.stopped()) return db.errors.error();
  if (!resumed_from_.ok() || !db.wals->needs_failed()) return resumed_from_;
  return Status::IOError("What a failed log held is not flushed yet",
                         cause_.ToString());
}

Status BackgroundErrors::FlushFailure() const {
  const ErrorState& errors = deps_.db->errors;
  if (!errors.FlushesAllowed()) return errors.error();
  const bool of_a_flush = errors.reason() == BackgroundErrorReason::kFlush ||
                          errors.reason() == BackgroundErrorReason::kFlushNoWAL;
  if (of_a_flush) RETURN_IF_ERROR(errors.error());
  if (!flushes_.on) return Status::OK();
  // An error of a compaction hides one of a flush that is no severer.
  if (!errors.error().ok() && !flushes_.forgiven) return flushes_.error;
  if (resuming_) return HeldDuringResume();
  return Status::OK();  // A listener forgave it: it is tried again.
}

Status BackgroundErrors::HeldDuringResume() const {
  deps_.db->mu.AssertHeld();
  const Status& error = flushes_.error;
  // An error of another kind was forgiven: it does not end the database here.
  const auto subcode = IsOutOfSpace(error) ? error.subcode() : Status::kNone;
  IOStatus failure = status_to_io_status(
      Status(Status::kIOError, subcode, Status::kNoError,
             "A flush failed during Resume(): " + error.ToString()));
  failure.SetRetryable(true);  // The next attempt may succeed.
  return failure;
}

void BackgroundErrors::Stop() {
  DbState& db = *deps_.db;
  Timer::Handle timers[3] = {};
  {
    MutexLock lock(&db.mu);
    stopped_ = true;
    timers[0] = std::exchange(retry_, 0);
    timers[1] = std::exchange(flushes_.timer, 0);
    timers[2] = std::exchange(compactions_.timer, 0);
  }
  for (const Timer::Handle timer : timers) {
    if (timer != 0) timer_->Cancel(timer);
  }
  MutexLock lock(&db.mu);
  while (attempting_) db.changed.Wait(&db.mu);
}

}  // namespace ROCKSDB_NAMESPACE::engine
