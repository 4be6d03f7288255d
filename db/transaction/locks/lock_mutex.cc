#include "db/transaction/locks/lock_mutex.h"

#include <chrono>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

class LockMutex final : public TransactionDBMutex {
 public:
  Status Lock() NO_LOCK_ANALYSIS override {
    mu.Lock();
    return Status::OK();
  }
  // It is held for moments only.
  Status TryLockFor(int64_t /*timeout_time*/) override { return Lock(); }
  void UnLock() NO_LOCK_ANALYSIS override { mu.Unlock(); }

  Mutex mu{LockRank::kTransactionLocks};
};

class LockCondVar final : public TransactionDBCondVar {
 public:
  Status Wait(std::shared_ptr<TransactionDBMutex> mutex)
      NO_LOCK_ANALYSIS override {
    changed_.Wait(&static_cast<LockMutex*>(mutex.get())->mu);
    return Status::OK();
  }
  Status WaitFor(std::shared_ptr<TransactionDBMutex> mutex,
                 int64_t timeout_time) NO_LOCK_ANALYSIS override {
    if (timeout_time < 0) return Wait(std::move(mutex));
    const bool over =
        changed_.WaitFor(&static_cast<LockMutex*>(mutex.get())->mu,
                         std::chrono::microseconds(timeout_time));
    return over ? Status::TimedOut(Status::SubCode::kMutexTimeout)
                : Status::OK();
  }
  void Notify() override { changed_.Signal(); }
  void NotifyAll() override { changed_.SignalAll(); }

 private:
  CondVar changed_;
};

class Factory final : public TransactionDBMutexFactory {
 public:
  std::shared_ptr<TransactionDBMutex> AllocateMutex() override {
    return std::make_shared<LockMutex>();
  }
  std::shared_ptr<TransactionDBCondVar> AllocateCondVar() override {
    return std::make_shared<LockCondVar>();
  }
};

}  // namespace

std::shared_ptr<TransactionDBMutexFactory> DefaultLockMutexFactory() {
  return std::make_shared<Factory>();
}

}  // namespace ROCKSDB_NAMESPACE::engine
