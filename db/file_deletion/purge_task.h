// PurgeTask: has files deleted soon after their last reader releases them.
//
// Place. Between ObsoleteFiles, which reports the first file that waits, and
// the database's pass over FileDeletion. Jobs delete the files they replace
// themselves; this task is for files that an iterator, a snapshot of the
// options or a slow reader held longer than that.
//
// Model. One task at most waits or runs in the Env's high pool, so that no
// thread of the user waits for a disk, and flushes keep all threads but one. A
// request during a pass is served by another task, behind the flushes that
// wait. A pass begins with the DB mutex: a job that holds it has mostly deleted
// the files by then, and nothing is left to do.
//
// Invariants:
//   (1) After Stop() no pass starts, and none runs.
//   (2) A pass begins after every Request() that came before Stop().
//
// Threads. Request() from any thread, with or without the DB mutex; the others
// under it.

#pragma once

#include <functional>

#include "rocksdb/env.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class PurgeTask {
 public:
  struct Deps {
    Env* env = nullptr;
    StateMutex* mu = nullptr;     // The DB mutex.
    CondVar* changed = nullptr;   // Signalled when a pass has ended.
    std::function<void()> purge;  // One pass; may release the mutex meanwhile.
  };

  explicit PurgeTask(Deps deps) : deps_(std::move(deps)) {}
  PurgeTask(const PurgeTask&) = delete;
  PurgeTask& operator=(const PurgeTask&) = delete;

  void Request() EXCLUDES_LOCK(own_mu_);
  bool running() const EXCLUDES_LOCK(own_mu_);
  // A pass is waiting or running.
  bool busy() const EXCLUDES_LOCK(own_mu_);
  // REQUIRES: the DB mutex; released meanwhile.
  void Stop() REQUIRES_LOCK(kStateLock) EXCLUDES_LOCK(own_mu_);

 private:
  static void RunInPool(void* task);
  void Run() EXCLUDES_LOCK(own_mu_);
  void HandOver() REQUIRES_LOCK(own_mu_);

  const Deps deps_;
  mutable Mutex own_mu_{LockRank::kPurgeTask};
  bool requested_ GUARDED_BY(own_mu_) = false;  // No pass has begun since.
  bool handed_ GUARDED_BY(own_mu_) = false;     // In the pool's queue.
  bool running_ GUARDED_BY(own_mu_) = false;
  bool stopped_ GUARDED_BY(own_mu_) = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
