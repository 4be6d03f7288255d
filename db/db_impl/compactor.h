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
// An automatic job that pauses leaves its thread and its slot; what it has
// read and written stays open, its files stay busy. Whoever resumes it gives
// it a thread again. A manual one keeps its caller's thread asleep, but not
// for ever: once it was paused for longer than it ran, it goes on.
// A cancelled job runs once more, so that it fails, closes and deletes.
//
// Beside families that are tuned, the jobs of one that is not count as the
// most urgent class, whatever they do, and pass the byte gate without waiting:
// static behaviour.
//
// Threads. Functions under the DB mutex, which is released while a job works.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/compaction/compaction_job.h"
#include "db/compaction/job_class.h"
#include "db/compaction/picker_leveled.h"
#include "db/jobs/next_job.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

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
    // Under the mutex; release it meanwhile.
    std::function<void()> delete_obsolete;
    std::function<void()> tell_stalls;
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

  int running() const REQUIRES_LOCK(kStateLock) {
    return static_cast<int>(jobs_.size());
  }
  // Of these, paused ones left out.
  int at_work() const REQUIRES_LOCK(kStateLock);
  bool has_automatic() const REQUIRES_LOCK(kStateLock);
  // That a manual job may be paused for beyond the time it ran.
  static constexpr uint64_t kManualPauseMicros = uint64_t{2} * 1000 * 1000;
  // Fills `out` as far as it reaches; returns how many it filled.
  static constexpr size_t kJobsShownMax = 16;
  size_t Jobs(std::span<JobProgressInfo> out) const REQUIRES_LOCK(kStateLock);

  // One call of CompactRange. DisableManualCompaction() stops it for good:
  // enabling again does not let it continue. Under the mutex.
  struct ManualCall {
    const CompactRangeOptions* options = nullptr;
    uint64_t disables = 0;  // That came before it.
  };
  ManualCall NewManualCall(const CompactRangeOptions& options) const
      REQUIRES_LOCK(kStateLock) {
    return {&options, manual_disables_};
  }
  // Between these disabling waits for the call.
  void BeginManual() REQUIRES_LOCK(kStateLock) { ++manual_calls_; }
  void EndManual() REQUIRES_LOCK(kStateLock);
  bool ManualStopped(const ManualCall& call) const REQUIRES_LOCK(kStateLock);
  // Waits until something changes, and not longer than a while if the caller
  // gave a flag, which nobody signals.
  void AwaitChange(const ManualCall& call) REQUIRES_LOCK(kStateLock);

  // The levels of CompactRange for user keys [begin, end] (null: open).
  // REQUIRES: the mutex (released meanwhile); the range's memtables flushed.
  Status CompactRange(const FamilyPtr& family, const ManualCall& call,
                      const Slice* begin, const Slice* end)
      REQUIRES_LOCK(kStateLock);

  // Tells all jobs to give up; paused ones of the scheduler still have to be
  // ended.
  void CancelAll() REQUIRES_LOCK(kStateLock);
  // The family was dropped: its jobs give up, paused ones end here.
  void CancelFamily(const ColumnFamily& family) REQUIRES_LOCK(kStateLock);
  // Ends cancelled jobs that nobody runs.
  void EndCancelled() REQUIRES_LOCK(kStateLock);

  // Somebody waits for jobs to end, until EndWait(): meanwhile no allowance
  // holds them up. Counted.
  void BeginWait() REQUIRES_LOCK(kStateLock);
  void EndWait() REQUIRES_LOCK(kStateLock);
  // Who is tuned may have changed: passes of the byte gate follow.
  void ApplyTuning() REQUIRES_LOCK(kStateLock);
  // Counted. Disabling stops all manual compactions and waits until they end.
  void DisableManual() REQUIRES_LOCK(kStateLock);
  void EnableManual() REQUIRES_LOCK(kStateLock);

 private:
  struct Job;

  std::optional<CompactionPlan> Pick(const FamilyPtr& family,
                                     JobClassSet classes) const
      REQUIRES_LOCK(kStateLock);
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
  void Drive(Job* job) REQUIRES_LOCK(kStateLock);
  std::optional<Status> Work(Job* job) REQUIRES_LOCK(kStateLock);
  Status End(Job* job, const Status& outcome) REQUIRES_LOCK(kStateLock);
  Status Move(Job* job) REQUIRES_LOCK(kStateLock);
  Status Install(Job* job) REQUIRES_LOCK(kStateLock);
  Status Apply(Job* job, VersionEdit* edit) REQUIRES_LOCK(kStateLock);
  void Park(Job* job) REQUIRES_LOCK(kStateLock);
  void RankMerges(const ColumnFamily& family) REQUIRES_LOCK(kStateLock);
  void Account(const Job& job) REQUIRES_LOCK(kStateLock);
  void LogOutcome(const Job& job, const Status& status) const
      REQUIRES_LOCK(kStateLock);
  void Cancel(Job* job) REQUIRES_LOCK(kStateLock);

  Status WhyCancelled(const Job& job) const REQUIRES_LOCK(kStateLock);
  Status RunManual(Job* job, const ManualCall& call) REQUIRES_LOCK(kStateLock);
  Status CompactLevel(const FamilyPtr& family, const ManualCall& call,
                      ManualRange range, int* output_level)
      REQUIRES_LOCK(kStateLock);
  Status MoveToLevel(const FamilyPtr& family, const ManualCall& call,
                     const Slice* begin, const Slice* end)
      REQUIRES_LOCK(kStateLock);

  const Deps deps_;
  std::vector<std::unique_ptr<Job>> jobs_;
  int manual_calls_ = 0;
  int manual_disabled_ = 0;
  uint64_t manual_disables_ = 0;  // Ever.
  int waits_ = 0;
  bool cancelled_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
