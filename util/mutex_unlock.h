// MutexUnlock: releases a held mutex for a scope.
//
// Place. Functions that are called under the DB mutex and release it while
// they work or tell listeners ("REQUIRES: the mutex; released meanwhile").
//
// Threads. The caller holds the mutex at both ends. Of a StateMutex the
// analysis follows the role; of others dev builds check the owner.

#pragma once

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class SCOPED_CAPABILITY MutexUnlock {
 public:
  explicit MutexUnlock(Mutex* mu) NO_LOCK_ANALYSIS : mu_(mu) {
    mu_->AssertHeld();
    mu_->Unlock();
  }
  explicit MutexUnlock(StateMutex* mu) RELEASES(kStateLock) : mu_(mu) {
    mu_->AssertHeld();
    mu_->Unlock();
  }
  ~MutexUnlock() RELEASES() { mu_->Lock(); }

  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex* const mu_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
