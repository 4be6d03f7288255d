// PointLocks: shared and exclusive locks of single keys.
//
// Place. One per TransactionDB. Transactions take and release locks here; what
// a lock protects is their business.
//
// Model. Each column family has a table of stripes; the stripe of a key comes
// from its hash. A stripe has a mutex, a map of the locked keys, and for each
// key that is waited for a condition variable:
//
//   Lock:  free, or shared by all, or expired --> taken
//          held                               --> wait, look again
//   Unlock: the last holder goes --> wake all that wait for this key
//
// One holder of a shared lock may make it exclusive while it is alone.
//
// Expired holders (TransactionOptions::expiration) are asked for their locks;
// each gives all of its own up, unless it is prepared, or commits just now.
//
// Invariants:
//   (1) A key is in a map exactly while it is held or waited for.
//   (2) An exclusive lock has one holder.
//   (3) Nothing waits while it holds the mutex of a stripe.
//
// Threads. Thread-safe. Waits for locks of a family end when it is removed.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/transaction/locks/lock_owner.h"
#include "db/transaction/locks/wait_graph.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/utilities/transaction_db_mutex.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class PointLocks {
 public:
  struct Deps {
    SystemClock* clock = nullptr;
    // Asks an expired transaction for its locks. True: it has given them up,
    // or is gone.
    std::function<bool(TransactionID)> take_from_expired;
  };

  PointLocks(const TransactionDBOptions& options, Deps deps);
  ~PointLocks();
  PointLocks(const PointLocks&) = delete;
  PointLocks& operator=(const PointLocks&) = delete;

  void AddFamily(uint32_t family);
  void RemoveFamily(uint32_t family);

  // Once for each key and owner; again with `exclusive` to make a shared lock
  // exclusive.
  // Errors: TimedOut (kLockTimeout); Busy (kDeadlock); Busy (kLockLimit);
  // InvalidArgument: there is no such family; or what a program's own mutex
  // said.
  Status Lock(LockOwner* owner, uint32_t family, const std::string& key,
              bool exclusive);
  // Does nothing if the lock was taken away meanwhile.
  void Unlock(TransactionID id, uint32_t family, const std::string& key);

  std::unordered_multimap<uint32_t, KeyLockInfo> All() const;
  std::vector<DeadlockPath> Deadlocks() const { return waits_.Deadlocks(); }
  void SetMaxDeadlocks(uint32_t count) { waits_.SetMaxDeadlocks(count); }

 private:
  struct Key;
  struct Stripe;
  struct Table;
  class Attempt;

  std::shared_ptr<Table> Find(uint32_t family) const;
  static void Uncount(Table* table);

  const int64_t max_num_locks_;
  const size_t num_stripes_;
  const Deps deps_;
  const std::shared_ptr<TransactionDBMutexFactory> mutexes_;
  WaitGraph waits_;
  mutable SharedMutex families_mu_;
  std::unordered_map<uint32_t, std::shared_ptr<Table>> families_
      GUARDED_BY(families_mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
