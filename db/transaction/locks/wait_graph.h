// WaitGraph: which transaction waits for which others, to find deadlocks.
//
// Place. Asked by PointLocks before a transaction waits.
//
// Model. An edge goes from one that waits to each that holds the lock. A new
// waiter that can be reached from those it waits for closes a cycle: it does
// not wait, and the path is kept for GetDeadlockInfoBuffer(). Only transactions
// that look for deadlocks are in the graph, so cycles through others end by
// their timeouts.
//
// Invariant: the graph has no cycle. A holder that changes while a transaction
// sleeps changes the edges when that transaction wakes up, not before.
//
// Threads. Thread-safe.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/utilities/transaction_db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class WaitGraph {
 public:
  struct Wait {
    std::vector<TransactionID> holders;
    uint32_t family = 0;
    std::string key;
    bool exclusive = false;
  };

  explicit WaitGraph(uint32_t max_deadlocks) : max_deadlocks_(max_deadlocks) {}

  // `waiter` is about to wait. False: that would be a deadlock, or it cannot
  // be told after looking at `depth` transactions; no edge is added then.
  bool Add(TransactionID waiter, const Wait& wait, uint64_t depth,
           int64_t now_seconds);
  void Remove(TransactionID waiter);

  // Newest first.
  std::vector<DeadlockPath> Deadlocks() const;
  void SetMaxDeadlocks(uint32_t count);

 private:
  struct Step;  // One that was reached, and from where.
  void Keep(DeadlockPath path) REQUIRES_LOCK(mu_);

  mutable Mutex mu_;
  std::unordered_map<TransactionID, Wait> waits_ GUARDED_BY(mu_);
  size_t max_deadlocks_ GUARDED_BY(mu_);
  std::deque<DeadlockPath> deadlocks_ GUARDED_BY(mu_);  // Newest first.
};

}  // namespace ROCKSDB_NAMESPACE::engine
