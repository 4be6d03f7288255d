// Timer: calls functions at given times; one thread for a whole Env.
//
// Place. It runs tuner ticks, statistics dumps and LOG checks. Callbacks must
// be short: they share one thread. Long work is scheduled on a pool.
// Model. Entries ordered by due time, and a thread that sleeps until the first
// one is due. Time comes from the SystemClock; a clock moved by hand wakes the
// thread if it is a WaitableClock, or the test calls RunDue().
// Invariants:
//   (1) A callback never runs twice at the same time.
//   (2) When Cancel returns the callback is not running and never runs again
//       (called from the callback itself it only ends the repetition).
//   (3) A late timer skips the periods it missed: it never fires in bursts.
// Threads. Every function may be called from any thread.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "rocksdb/status.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
class Env;
}

namespace ROCKSDB_NAMESPACE::engine {

class Timer {
 public:
  using Handle = uint64_t;  // 0 is never handed out.

  // The thread starts with Start() or the first Add(). `clock` must outlive the
  // timer.
  explicit Timer(SystemClock* clock) : clock_(clock) {}
  // Waits for a running callback; the others never run.
  ~Timer();

  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Errors: the system has no more threads. After an OK what is added runs.
  Status Start();

  // Calls `fn` at `first_micros` (a time of the clock) and then every
  // `period_micros`; 0 means once. Without Start(), and if the system has no
  // thread for it, nothing runs until a later Add() or Start() gets one.
  Handle Add(uint64_t first_micros, uint64_t period_micros,
             std::function<void()> fn);

  // False when there is no such timer (any more), or it has been cancelled.
  bool Cancel(Handle handle);

  // Runs, in this thread, everything that is due at the clock's present time.
  void RunDue();

  size_t size() const;

 private:
  struct Entry {
    uint64_t due_micros = 0;
    uint64_t period_micros = 0;
    std::shared_ptr<std::function<void()>> fn;
    std::thread::id runs_in;  // Default: not running.
    bool cancelled = false;
  };

  Status StartThreadOnce() REQUIRES_LOCK(mu_);
  void ThreadMain() EXCLUDES_LOCK(mu_);
  // Runs the first entry if it is due; the lock is off during the callback.
  bool RunFirst(uint64_t now_micros) REQUIRES_LOCK(mu_);

  SystemClock* const clock_;
  mutable Mutex mu_{LockRank::kTimer};
  CondVar changed_;
  std::map<Handle, Entry> entries_ GUARDED_BY(mu_);
  // The entries that wait, in the order in which they are due.
  std::map<std::pair<uint64_t, Handle>, Handle> by_due_ GUARDED_BY(mu_);
  Handle last_handle_ GUARDED_BY(mu_) = 0;
  bool stop_ GUARDED_BY(mu_) = false;
  std::thread thread_;  // Started under mu_, joined by the destructor.
};

// The timer of the Env's clock: all databases with that clock share it, and
// it lives as long as one of them holds it.
std::shared_ptr<Timer> TimerOf(Env* env);

}  // namespace ROCKSDB_NAMESPACE::engine
