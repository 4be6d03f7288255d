// StallWatchdog: notices that writes are stopped while no job runs that could
// end the stop.
//
// Place. Owned by DBImpl; called once a second by the Env's timer, in every
// mode of tuning.
//
// Model. A family that has reached a stop limit waits for a flush or a
// compaction. If none runs for NoProgress::kPatienceMicros, that is a bug, or
// the program has paused background work and forgotten it. The watchdog then
// writes the state of everything that decides whether a job starts to LOG and
// to the EVENT_LOG, and counts (`rocksdb.write-stops-without-job`). It
// changes nothing. LockWAL() alone is no such stop: the program asked for it.
//
// Threads. Check() in the timer's thread, without the DB mutex. While writes
// are not stopped it costs one atomic load.

#pragma once

#include <string>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/db_impl/background_errors.h"
#include "db/db_impl/buffer_stall.h"
#include "db/db_impl/compactor.h"
#include "db/jobs/scheduler.h"
#include "db/write/no_progress.h"

namespace ROCKSDB_NAMESPACE::engine {

class StallWatchdog {
 public:
  static constexpr uint64_t kPeriodMicros = uint64_t{1000} * 1000;

  struct Deps {
    DbState* db = nullptr;
    const JobScheduler* scheduler = nullptr;
    const Compactor* compactor = nullptr;
    const BackgroundErrors* errors = nullptr;
    BufferStall* buffer = nullptr;
  };

  explicit StallWatchdog(const Deps& deps) : deps_(deps) {}

  void Check();

 private:
  NoProgress::Look Look() const REQUIRES_LOCK(kStateLock);
  std::vector<std::string> State() const REQUIRES_LOCK(kStateLock);
  std::string JobState() const REQUIRES_LOCK(kStateLock);
  static std::string FamilyState(const ColumnFamily& family)
      REQUIRES_LOCK(kStateLock);

  const Deps deps_;
  NoProgress progress_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
