// ThreadPool: background threads that share a queue.
//
// Place. Env::Default() has one per Env::Priority, and every pool of
// NewThreadPool() one of its own.
// Model. A queue of tasks and as many threads as SetThreads says. Growing
// starts threads when there is work; shrinking lets the surplus threads end,
// detached, after the task they run. If the system refuses a thread, the
// existing ones do the work, and the next task tries to start it again.
// Reserved threads stay asleep even if there is work: a job has claimed them
// for its subtasks.
// Threads. Every function may be called from any thread; a task may schedule.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class ThreadPool {
 public:
  struct Task {
    void (*run)(void* arg) = nullptr;
    void* arg = nullptr;
    void* tag = nullptr;
    void (*unscheduled)(void* arg) = nullptr;  // Instead of `run`.
    Env::Priority priority = Env::LOW;  // Asked for; another pool may run it.
  };

  explicit ThreadPool(Env::Priority priority) : priority_(priority) {}
  ~ThreadPool() { JoinAll(); }

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Schedule(const Task& task);
  // Starts the first thread if there is none. OK: a thread runs tasks.
  Status StartFirst();

  // Takes the waiting tasks with this tag and priority out of the queue, calls
  // their `unscheduled` and returns how many they were.
  int Unschedule(void* tag, Env::Priority priority);

  // Sets the number of threads, or only raises it.
  void SetThreads(int count) { Resize(count, /*may_shrink=*/true); }
  void RaiseThreads(int count) { Resize(count, /*may_shrink=*/false); }
  int threads() const;

  // Claims up to `count` sleeping threads; returns how many it got.
  int Reserve(int count);
  int Release(int count);

  unsigned int queue_length() const;

  // Takes effect in every thread before its next task. Lowering only: an
  // unprivileged process cannot raise it again.
  void LowerIoPriority();
  void LowerCpuPriority(CpuPriority priority);

  // Stops: tasks not yet started are dropped, running ones are waited for.
  void JoinAll();

 private:
  void Resize(int count, bool may_shrink);
  // Errors: the system has fewer threads.
  Status StartUpTo(size_t count) REQUIRES_LOCK(mu_);
  void ThreadMain(size_t index);
  // Waits for work; false when thread `index` is to end.
  bool Next(size_t index, Task* task) REQUIRES_LOCK(mu_);

  const Env::Priority priority_;
  mutable Mutex mu_{LockRank::kThreadPool};
  CondVar work_;
  std::deque<Task> queue_ GUARDED_BY(mu_);
  // Index n works while n < limit_.
  std::vector<std::thread> threads_ GUARDED_BY(mu_);
  size_t limit_ GUARDED_BY(mu_) = 1;
  size_t waiting_ GUARDED_BY(mu_) = 0;
  size_t reserved_ GUARDED_BY(mu_) = 0;
  bool stop_ GUARDED_BY(mu_) = false;
  bool low_io_ GUARDED_BY(mu_) = false;
  CpuPriority cpu_ GUARDED_BY(mu_) = CpuPriority::kNormal;
};

// Of Env::Default(): starts the first threads of the pools that databases use.
// From then on their work is done, whatever the system refuses later.
// Errors: the system gives none of them a thread.
Status StartBackgroundThreads();

}  // namespace ROCKSDB_NAMESPACE::engine
