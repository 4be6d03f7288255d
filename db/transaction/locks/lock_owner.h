// LockOwner: what the locks know of the transaction that asks for them.
//
// Place. Part of each transaction with locks.
//
// Threads. Changed by the transaction's thread; `waiting` is read by others.

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rocksdb/utilities/transaction.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// Which lock a transaction waits for, and who holds it.
class WaitNote {
 public:
  void Set(uint32_t family, const std::string& key,
           const std::vector<TransactionID>& holders) {
    MutexLock lock(&mu_);
    family_ = family;
    key_ = key;
    holders_ = holders;
  }
  void Clear() {
    MutexLock lock(&mu_);
    holders_.clear();
    key_.clear();
  }
  // Empty: it waits for nothing. Both pointers may be null.
  std::vector<TransactionID> Get(uint32_t* family, std::string* key) const {
    MutexLock lock(&mu_);
    if (family != nullptr) *family = family_;
    if (key != nullptr) *key = key_;
    return holders_;
  }

 private:
  mutable Mutex mu_;
  uint32_t family_ GUARDED_BY(mu_) = 0;
  std::string key_ GUARDED_BY(mu_);
  std::vector<TransactionID> holders_ GUARDED_BY(mu_);
};

// Of milliseconds; negative, also for too many: for ever.
constexpr int64_t MicrosOf(int64_t millis) {
  constexpr int64_t kMillisMax = std::numeric_limits<int64_t>::max() / 1000;
  return millis < 0 || millis > kMillisMax ? -1 : millis * 1000;
}

struct LockOwner {
  TransactionID id = 0;
  int64_t timeout_micros = 0;      // 0: does not wait; negative: for ever.
  uint64_t expires_at_micros = 0;  // Of the clock of the locks; 0: never.
  bool detects_deadlocks = false;
  uint64_t detection_depth = 0;
  WaitNote waiting;
};

}  // namespace ROCKSDB_NAMESPACE::engine
