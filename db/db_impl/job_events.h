// Job events: from a flush or compaction to what listeners and EVENT_LOG are
// told about it.
//
// Place. Called by the flusher and the compactor around their jobs; knows how
// to describe a job, db/events knows whom to tell.
//
// Threads. Functions that say (mutex) are called under the DB mutex and
// release it while listeners run; TableCreated is called without it, from any
// thread.

#pragma once

#include <cstdint>
#include <functional>

#include "db/column_family/db_state.h"
#include "db/compaction/compaction_job.h"
#include "db/flush/flush_job.h"
#include "rocksdb/listener.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

class JobEvents {
 public:
  explicit JobEvents(DbState* db) : db_(db) {}

  // (mutex) Around a flush, after Pick and after its installation. A failed
  // one has no end: OnBackgroundError tells of it.
  void FlushBegin(const ColumnFamily& family, const FlushJob& job, int job_id,
                  FlushReason reason);
  void FlushCompleted(const ColumnFamily& family, const FlushJob& job,
                      int job_id, FlushReason reason);

  // One compaction, from pick to outcome.
  struct Compaction {
    const ColumnFamily* family = nullptr;
    const CompactionPlan* plan = nullptr;
    const CompactionJob* job = nullptr;  // Null for a trivial move.
    int job_id = 0;
    uint64_t micros = 0;  // At the end.
  };
  // (mutex)
  void CompactionBegin(const Compaction& compaction);
  void CompactionCompleted(const Compaction& compaction, const Status& status);

  // A finished table of a flush, compaction or recovery.
  void TableCreated(const ColumnFamily& family, const FinishedTable& table,
                    int job_id, TableFileCreationReason reason,
                    const Status& status);

 private:
  template <typename Tell>
  void Unlocked(Tell&& tell);
  FlushJobInfo Describe(const ColumnFamily& family, const FlushJob& job,
                        int job_id, FlushReason reason) const;
  CompactionJobInfo Describe(const Compaction& compaction) const;

  DbState* const db_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
