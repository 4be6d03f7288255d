// MutexUnlock: lets go of a held mutex for a scope.
//
// Place. Functions that are called under the DB mutex and release it while
// they work or tell listeners ("REQUIRES: the mutex; released meanwhile").
//
// Threads. The caller holds the mutex at both ends. Clang's analysis cannot
// follow that through a reference to the database, so it is kept out here and
// dev builds check the owner instead.

#pragma once

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class MutexUnlock {
 public:
  explicit MutexUnlock(Mutex* mu) NO_LOCK_ANALYSIS : mu_(mu) {
    mu_->AssertHeld();
    mu_->Unlock();
  }
  ~MutexUnlock() NO_LOCK_ANALYSIS { mu_->Lock(); }

  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex* const mu_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
