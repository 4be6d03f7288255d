// A program's own mutexes and condition variables for the locks of
// transactions, set with TransactionDBOptions::custom_mutex_factory.
//
// Model. A mutex guards a part of the lock table, for a short time. A call that
// has to wait for a key's lock waits for a condition variable of that key.

#pragma once

#include <cstdint>
#include <memory>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class TransactionDBMutex {
 public:
  virtual ~TransactionDBMutex() = default;
  // An error fails the call that needed the mutex, which is then not held.
  virtual Status Lock() = 0;
  // Waits for at most so many microseconds; negative: for ever. TimedOut:
  // the time is over. This library calls Lock() only.
  virtual Status TryLockFor(int64_t timeout_time) = 0;
  virtual void UnLock() = 0;
};

class TransactionDBCondVar {
 public:
  virtual ~TransactionDBCondVar() = default;
  // Called with the mutex held, and held again after it. OK: notified, or for
  // no reason. An error ends the wait for the key's lock.
  virtual Status Wait(std::shared_ptr<TransactionDBMutex> mutex) = 0;
  // The same, for at most so many microseconds; then TimedOut. Negative: for
  // ever.
  virtual Status WaitFor(std::shared_ptr<TransactionDBMutex> mutex,
                         int64_t timeout_time) = 0;
  // Wakes at least one of those that wait.
  virtual void Notify() = 0;
  virtual void NotifyAll() = 0;
};

class TransactionDBMutexFactory {
 public:
  virtual ~TransactionDBMutexFactory() = default;
  virtual std::shared_ptr<TransactionDBMutex> AllocateMutex() = 0;
  virtual std::shared_ptr<TransactionDBCondVar> AllocateCondVar() = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
