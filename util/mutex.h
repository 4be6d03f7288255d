// Mutex, MutexLock, CondVar: the std types, visible to clang's thread-safety
// analysis (clang-tidy reports an unguarded access as an error).

#pragma once

#include <condition_variable>
#include <mutex>

#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE::engine {

class CAPABILITY("mutex") Mutex {
 public:
  void Lock() ACQUIRES() { mu_.lock(); }
  void Unlock() RELEASES() { mu_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mu_;
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex* mu) ACQUIRES(mu) : mu_(mu) { mu_->Lock(); }
  ~MutexLock() RELEASES() { mu_->Unlock(); }

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mu_;
};

class CondVar {
 public:
  // Releases `mu` while asleep and holds it again on return. May wake early:
  // always call it in a loop that tests the condition.
  void Wait(Mutex* mu) REQUIRES_LOCK(mu) {
    std::unique_lock<std::mutex> lock(mu->mu_, std::adopt_lock);
    cv_.wait(lock);
    lock.release();
  }
  void Signal() { cv_.notify_one(); }

 private:
  std::condition_variable cv_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
