// Compactor: picks compactions, runs them and installs the results, automatic
// and manual ones.
//
// Place. Automatic work is started by the scheduler's tasks; CompactRange
// runs in its caller's thread. Picking is db/compaction/picker_leveled, the
// work db/compaction/compaction_job.
//
// Model. pick (mutex) -> register -> job (no mutex) -> one MANIFEST edit ->
// publish -> unregister. A trivial move has no job.
//
//   running --Pause--> pausing --at its next entry--> paused
//      ^  ^---Unpause-----'                              |
//      '---------------------Resume----------------------'
//
// A paused automatic job gives up its thread and its slot. Its iterators and
// outputs stay open, and its files stay marked as being compacted. The thread
// that resumes it runs it. A paused manual job keeps its caller's thread
// asleep, for at most kManualPauseMicros longer than it has run; then it
// continues.
// A cancelled job runs once more, so that it fails, closes and deletes
// (compactor_stop.cc).
//
// With a CompactionService, a job that is no trivial move is offered to it
// first. While its thread waits for the answer the job counts as finishing: it
// has a slot and is not paused. Only copying the result passes the gate. If it
// is cancelled, its thread still waits until the service answers, which
// CancelAwaitingJobs() hastens; then the result is dropped. If the service
// declines, the job runs here, and may be paused again. If the service fails,
// so does the job, but the database has no error: automatic compactions only
// wait for a while.
//
// If some families are tuned, jobs of the others count as the most urgent
// class and pass the byte gate without waiting. So these families behave
// statically.
//
// Threads. Functions under the DB mutex, which is released while a job works.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/compaction/compaction_job.h"
#include "db/compaction/job_class.h"
#include "db/compaction/job_thread.h"
#include "db/compaction/picker_leveled.h"
#include "db/compaction/picker_manual.h"
#include "db/jobs/next_job.h"
#include "db/remote_compaction/compaction_input.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// One job as the tuner sees it.
struct JobProgressInfo {
  enum class State : uint8_t { kRunning, kPausing, kPaused, kFinishing };

  uint64_t id = 0;
  uint32_t family_id = 0;
  JobClass job_class = JobClass::kDebt;
  State state = State::kRunning;
  bool is_manual = false;
  int start_level = 0;
  int output_level = 0;
  int level0_files_gone = 0;  // When it has ended.
  bool installed = false;     // Its result is in the current version.
  uint64_t input_bytes = 0;
  uint64_t progress_bytes = 0;  // Of these, used up.
  uint64_t written_bytes = 0;
  uint64_t predicted_output_bytes = 0;
  uint64_t micros_running = 0;  // Without pauses.
  uint32_t pauses = 0;
};

class Compactor {
 public:
  struct Deps {
    DbState* db = nullptr;
    StallMonitor* stalls = nullptr;
    std::function<void(const Status&, BackgroundErrorReason)> on_error;
    // A compaction service has failed. Under the mutex.
    std::function<void(const Status&)> hold_compactions;
    // Under the mutex; release it meanwhile.
    std::function<void()> delete_obsolete;
    std::function<void()> notify_stall_listeners;
    // Under the mutex: more work may be due.
    std::function<void()> schedule;
  };

  explicit Compactor(Deps deps);
  ~Compactor();

  // Families whose levels ask for a compaction that could be picked.
  int waiting() const REQUIRES_LOCK(kStateLock);
  // What NextJob needs to know of compactions.
  void Count(JobDemand* demand) const REQUIRES_LOCK(kStateLock);

  // For the scheduler's tasks. Picks a compaction of one of the classes and
  // runs it until it ends or pauses; false: nothing could be picked.
  bool Start(JobClassSet classes) REQUIRES_LOCK(kStateLock);
  // Goes on with the paused job of this class that is nearest its end.
  bool Resume(JobClass job_class) REQUIRES_LOCK(kStateLock);
  // These keep the mutex. False: there is no such job.
  bool Pause(JobClass job_class, JobAction::Which which)
      REQUIRES_LOCK(kStateLock);
  bool Unpause(JobClass job_class, JobAction::Which which)
      REQUIRES_LOCK(kStateLock);
  bool CanStart(JobClassSet classes) REQUIRES_LOCK(kStateLock);
  // Every second: compactions that the SstFileManager has refused are tried
  // again. If writers wait for one, and for so many seconds nothing is about to
  // free space, writes fail instead of waiting.
  static constexpr int kHopelessSeconds = 3;
  void RetryShortOfSpace() REQUIRES_LOCK(kStateLock);

  int running() const REQUIRES_LOCK(kStateLock) {
    return static_cast<int>(jobs_.size());
  }
  // Of these, the ones that are not paused.
  int active_jobs() const REQUIRES_LOCK(kStateLock);
  bool has_automatic() const REQUIRES_LOCK(kStateLock);
  // A manual job is paused for at most this much longer than it has run.
  static constexpr uint64_t kManualPauseMicros = uint64_t{2} * 1000 * 1000;
  // Fills `out` up to its size; returns the number of jobs in it.
  static constexpr size_t kJobsShownMax = 16;
  size_t Jobs(std::span<JobProgressInfo> out) const REQUIRES_LOCK(kStateLock);

  // One call of CompactRange, CompactFiles or PromoteL0.
  // DisableManualCompaction() and AbortAllCompactions() stop it for good:
  // enabling or resuming does not let it continue. Under the mutex.
  struct ManualCall {
    const CompactRangeOptions* options = nullptr;
    uint64_t disables = 0;                 // That came before it.
    uint64_t aborts = 0;                   // Likewise.
    CompactionJobInfo* outcome = nullptr;  // Of its last job; may be null.
    // All of the range is rewritten without what has a later timestamp; empty:
    // see CompactRangeOptions.
    std::string trim_after = {};
  };
  ManualCall NewManualCall(const CompactRangeOptions& options) const
      REQUIRES_LOCK(kStateLock) {
    return {&options, manual_disables_, aborts_};
  }
  // DisableManual() waits for every call that has begun and not ended. The
  // mutex is held where a scope begins and where it ends.
  class ManualScope {
   public:
    explicit ManualScope(Compactor* compactor)
        : compactor_(compactor), mark_(compactor) {
      kStateLock.AssertHeld();
      ++compactor_->manual_calls_;
    }
    ~ManualScope() {
      kStateLock.AssertHeld();
      compactor_->EndManual();
    }
    ManualScope(const ManualScope&) = delete;
    ManualScope& operator=(const ManualScope&) = delete;

   private:
    Compactor* const compactor_;
    const JobThread mark_;
  };
  // Incomplete if the call must not go on: disabled, canceled or aborted.
  Status WhyStopped(const ManualCall& call) const REQUIRES_LOCK(kStateLock);
  bool ManualStopped(const ManualCall& call) const REQUIRES_LOCK(kStateLock) {
    return !WhyStopped(call).ok();
  }
  // Waits until DbState::changed is signalled. If the call has a `canceled`
  // flag, waits at most 20 ms, because setting the flag signals nothing.
  void AwaitChange(const ManualCall& call) REQUIRES_LOCK(kStateLock);

  // The levels of CompactRange for user keys [begin, end] (null: open).
  // REQUIRES: the mutex (released meanwhile); the range's memtables flushed.
  Status CompactRange(const FamilyPtr& family, const ManualCall& call,
                      const Slice* begin, const Slice* end)
      REQUIRES_LOCK(kStateLock);

  // One job over files that the program has chosen; Aborted: a running job
  // needs them. REQUIRES: the mutex (released meanwhile).
  Status CompactFiles(const FamilyPtr& family, const ManualCall& call,
                      const ChosenFiles& chosen) REQUIRES_LOCK(kStateLock);
  // All files of level 0 change their level in the MANIFEST. InvalidArgument:
  // they cannot, or a running job uses them or levels in between.
  Status PromoteLevel0(const FamilyPtr& family, const ManualCall& call,
                       int level) REQUIRES_LOCK(kStateLock);

  // Tells all jobs to give up; paused ones of the scheduler still have to be
  // ended.
  void CancelAll() REQUIRES_LOCK(kStateLock);
  // The family was dropped: its jobs give up, paused ones end here.
  void CancelFamily(const ColumnFamily& family) REQUIRES_LOCK(kStateLock);
  // Ends cancelled jobs that are paused.
  void EndCancelled() REQUIRES_LOCK(kStateLock);
  // Calls nest. All jobs give up, and until ResumeAll() none begins. Waits
  // until those that had begun have ended; in the thread of a job, also of one
  // of its callbacks, it does not wait.
  void AbortAll() REQUIRES_LOCK(kStateLock);
  void ResumeAll() REQUIRES_LOCK(kStateLock);

  // From BeginWait() to EndWait() the caller waits for jobs to end. Meanwhile
  // no job is paused or kept from starting by the tuner's allowance. Calls
  // nest.
  void BeginWait() REQUIRES_LOCK(kStateLock);
  void EndWait() REQUIRES_LOCK(kStateLock);
  // Call after the set of tuned families may have changed. Updates which
  // running jobs pass the byte gate without waiting.
  void ApplyTuning() REQUIRES_LOCK(kStateLock);
  // Calls nest. Disabling stops all manual compactions and waits until they
  // have ended.
  void DisableManual() REQUIRES_LOCK(kStateLock);
  void EnableManual() REQUIRES_LOCK(kStateLock);

 private:
  struct Job;

  std::optional<CompactionPlan> Pick(const FamilyPtr& family,
                                     JobClassSet classes)
      REQUIRES_LOCK(kStateLock);
  // Bytes to reserve with the database's SstFileManager; 0 without one.
  uint64_t SpaceNeeded(const CompactionPlan& plan) const;
  bool HasSpace(uint64_t bytes) const;
  bool MayTakeSpace(ColumnFamily* family, const CompactionPlan& plan)
      REQUIRES_LOCK(kStateLock);
  bool NothingFreesSpace() const REQUIRES_LOCK(kStateLock);
  PickInput InputFor(const FamilyPtr& family) const REQUIRES_LOCK(kStateLock);
  bool IsTuned(const ColumnFamily& family) const REQUIRES_LOCK(kStateLock);
  JobClass ClassFor(const ColumnFamily& family, JobClass own) const
      REQUIRES_LOCK(kStateLock);
  JobClassSet OwnClasses(const ColumnFamily& family, JobClassSet classes) const
      REQUIRES_LOCK(kStateLock);
  bool Matches(const Job& job, JobClass job_class, JobAction::Which which) const
      REQUIRES_LOCK(kStateLock);
  FamilyPtr NextFamily(JobClassSet classes) const REQUIRES_LOCK(kStateLock);
  Job* Begin(const FamilyPtr& family, CompactionPlan plan)
      REQUIRES_LOCK(kStateLock);
  void MakeCompaction(Job* job) REQUIRES_LOCK(kStateLock);
  // Releases the mutex while the service works. Nothing: the job is to run
  // here. OK: its outputs are there.
  std::optional<Status> RunRemotely(Job* job) REQUIRES_LOCK(kStateLock);
  RemoteInput InputOf(const Job& job) REQUIRES_LOCK(kStateLock);
  std::optional<Status> AskService(const CompactionServiceJobInfo& info,
                                   const RemoteInput& input, Job* job) const
      EXCLUDES_LOCK(kStateLock);
  // Schedule() and, if that answers kSuccess, Wait(). `*bytes` is the input,
  // and then the result. Errors: what they throw.
  Result<CompactionServiceJobStatus> CallService(
      const CompactionServiceJobInfo& info, std::string* bytes, Job* job) const
      EXCLUDES_LOCK(kStateLock);
  Status TakeResult(const RemoteInput& input, const std::string& bytes,
                    Job* job) const EXCLUDES_LOCK(kStateLock);
  // What the job fails with; notes that it is no error of the database.
  Status ServiceFailed(Job* job, const std::string& why) const;
  // The job has ended.
  void NotifyService(const Job& job, bool installed) const
      EXCLUDES_LOCK(kStateLock);
  void Drive(Job* job) REQUIRES_LOCK(kStateLock);
  std::optional<Status> Work(Job* job) REQUIRES_LOCK(kStateLock);
  Status End(Job* job, const Status& outcome) REQUIRES_LOCK(kStateLock);
  Status Move(Job* job) REQUIRES_LOCK(kStateLock);
  Status Install(Job* job) REQUIRES_LOCK(kStateLock);
  Status FinishAndApply(Job* job) REQUIRES_LOCK(kStateLock);
  Status Apply(Job* job, VersionEdit* edit) REQUIRES_LOCK(kStateLock);
  void Park(Job* job) REQUIRES_LOCK(kStateLock);
  void RankMerges(const ColumnFamily& family) REQUIRES_LOCK(kStateLock);
  void Account(const Job& job) REQUIRES_LOCK(kStateLock);
  void LogOutcome(const Job& job, const Status& status) const
      REQUIRES_LOCK(kStateLock);
  void Cancel(Job* job) REQUIRES_LOCK(kStateLock);

  void EndManual() REQUIRES_LOCK(kStateLock);
  Status WhyCancelled(const Job& job) const REQUIRES_LOCK(kStateLock);
  Status RunManual(Job* job, const ManualCall& call) REQUIRES_LOCK(kStateLock);
  Status CheckSpace(const CompactionPlan& plan) const REQUIRES_LOCK(kStateLock);
  Status MayRunManual(const ColumnFamily& family, const ManualCall& call) const
      REQUIRES_LOCK(kStateLock);
  Status AwaitNoJobs(const ColumnFamily& family, const ManualCall& call)
      REQUIRES_LOCK(kStateLock);
  // One job of CompactRange; false: nothing was to be done.
  Result<bool> CompactLevel(const FamilyPtr& family, const ManualCall& call,
                            ManualRange range) REQUIRES_LOCK(kStateLock);
  Status RewriteBottom(const FamilyPtr& family, const ManualCall& call,
                       const Slice* begin, const Slice* end, uint64_t fence)
      REQUIRES_LOCK(kStateLock);
  Status MoveToLevel(const FamilyPtr& family, const ManualCall& call,
                     const Slice* begin, const Slice* end)
      REQUIRES_LOCK(kStateLock);
  Status MoveLevel(const FamilyPtr& family, const ManualCall& call, int from,
                   int to) REQUIRES_LOCK(kStateLock);

  const Deps deps_;
  std::vector<std::unique_ptr<Job>> jobs_;
  int manual_calls_ = 0;
  int manual_disabled_ = 0;       // Manual calls stop if it is positive.
  uint64_t manual_disables_ = 0;  // Ever.
  uint64_t aborts_ = 0;           // Ever; DbState has those in force.
  int waits_ = 0;
  bool space_warning_given_ = false;
  int hopeless_seconds_ = 0;  // See RetryShortOfSpace().
  bool cancelled_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
