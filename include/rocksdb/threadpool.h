// ThreadPool: threads that run the jobs of a program.
//
// Place. For the program's own work; the threads of a database are those of its
// Env.
//
// Model. Jobs wait in one queue and start in the order in which they were
// submitted, as many at a time as there are threads.
//
// Threads. Every function may be called from any thread. A job may submit
// others, and must neither throw nor join the pool that runs it.
#pragma once

#include <functional>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ThreadPool {
 public:
  // That of NewThreadPool() does what JoinAllThreads() does.
  virtual ~ThreadPool() = default;

  // Waits for the jobs that run, drops those that wait and ends the threads.
  // The pool then has none until SetBackgroundThreads().
  virtual void JoinAllThreads() = 0;

  // How many jobs may run at the same time. Surplus threads end after the job
  // that they run. With 0, or less, jobs wait.
  virtual void SetBackgroundThreads(int num) = 0;
  virtual int GetBackgroundThreads() = 0;

  // The number of jobs that wait.
  virtual unsigned int GetQueueLen() const = 0;

  // Waits until all jobs have run, also those that jobs submit meanwhile, and
  // ends the threads as JoinAllThreads(). What no thread can run, because there
  // is none, runs in the calling thread.
  virtual void WaitForJobsAndJoinAllThreads() = 0;

  // An empty function is ignored.
  virtual void SubmitJob(const std::function<void()>& job) = 0;
  virtual void SubmitJob(std::function<void()>&& job) = 0;

  // Keeps up to so many sleeping threads from running jobs; returns how many.
  virtual int ReserveThreads(int /*threads_to_be_reserved*/) { return 0; }
  // Gives reserved threads back; returns how many.
  virtual int ReleaseThreads(int /*threads_to_be_released*/) { return 0; }
};

// The caller deletes it.
ThreadPool* NewThreadPool(int num_threads);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
