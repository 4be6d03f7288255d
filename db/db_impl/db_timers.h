// DbTimers: what an open database does again and again.
//
// Place. Owned by the façade, which says what there is to do.
//
// Model. Each task is an entry of the Env's timer. A change of the options that
// gives a task another period replaces its entry.
//
// Invariant: the entry that may run is known here until it was cancelled, so
// that End() finds it.
//
// Threads. Any, without the DB mutex.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "db/column_family/db_state.h"
#include "env/timer.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class DbTimers {
 public:
  struct Task {
    uint64_t (*period_micros)(const DBOptions& options);  // 0: never.
    std::function<void()> run;
  };

  explicit DbTimers(DbState* db) : db_(db) {}

  // Once. REQUIRES: no other thread knows the database yet.
  void Start(std::shared_ptr<Timer> timer, std::vector<Task> tasks);
  // The periods are those of the options now. Nothing after End().
  void Update();
  // Waits for a task that runs; none runs later. By any number of threads.
  void End();

 private:
  struct Entry {
    Task task;
    uint64_t period_micros = 0;
    Timer::Handle handle = 0;  // 0: never due.
  };
  Timer::Handle Add(const Entry& entry) const;
  void Cancel(Timer::Handle handle) const;

  DbState* const db_;
  std::shared_ptr<Timer> timer_;
  std::vector<Entry> entries_ GUARDED_BY(kStateLock);
  bool ended_ GUARDED_BY(kStateLock) = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
