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
// Threads. Functions under the DB mutex, which is released while a job works.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/compaction/compaction_job.h"
#include "db/compaction/picker_leveled.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {

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

  explicit Compactor(Deps deps) : deps_(std::move(deps)) {}

  // Families whose levels ask for a compaction that could be picked.
  int waiting() const;
  // Picks and runs one automatic compaction; false: nothing could be picked.
  bool RunOne();
  int running() const { return static_cast<int>(jobs_.size()); }
  uint64_t BytesInProgress() const;

  // The levels of CompactRange for user keys [begin, end] (null: open).
  // REQUIRES: the mutex (released meanwhile); the range's memtables flushed.
  Status CompactRange(const FamilyPtr& family,
                      const CompactRangeOptions& options, const Slice* begin,
                      const Slice* end);

  void CancelAll();
  // DisableManualCompaction(): counted.
  void SetManualEnabled(bool enabled);

 private:
  struct Job;

  std::optional<CompactionPlan> Pick(const FamilyPtr& family) const;
  PickInput InputFor(const FamilyPtr& family) const;
  FamilyPtr NextFamily() const;
  Status Execute(Job* job);
  Status Move(Job* job);
  Status Merge(Job* job);
  Status Apply(Job* job, VersionEdit* edit);
  void AwaitResume(const Job& job);
  void Account(const Job& job);
  void LogOutcome(const Job& job, const Status& status) const;

  Status CompactLevel(const FamilyPtr& family,
                      const CompactRangeOptions& options, ManualRange range,
                      int* output_level);
  Status MoveToLevel(const FamilyPtr& family, int target_level,
                     const Slice* begin, const Slice* end);
  bool ManualStopped(const CompactRangeOptions& options) const;

  const Deps deps_;
  std::vector<Job*> jobs_;
  int manual_disabled_ = 0;
  bool cancelled_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
