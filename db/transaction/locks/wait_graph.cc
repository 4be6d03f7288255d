#include "db/transaction/locks/wait_graph.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

struct WaitGraph::Step {
  TransactionID id = 0;
  size_t from = 0;  // In the list of steps; of the first ones: themselves.
};

bool WaitGraph::Add(TransactionID waiter, const Wait& wait, uint64_t depth,
                    int64_t now_seconds) {
  MutexLock lock(&mu_);
  assert(!waits_.contains(waiter) && !wait.holders.empty());
  assert(std::find(wait.holders.begin(), wait.holders.end(), waiter) ==
         wait.holders.end());
  std::vector<Step> steps;  // Breadth first.
  std::unordered_set<TransactionID> seen;
  const auto reach = [&](const std::vector<TransactionID>& holders,
                         size_t from) {
    for (const TransactionID id : holders) {
      if (seen.insert(id).second) {
        steps.push_back({id, from == SIZE_MAX ? steps.size() : from});
      }
    }
  };
  const auto info = [](TransactionID id, const Wait& of) {
    DeadlockInfo result;
    result.m_txn_id = id;
    result.m_cf_id = of.family;
    result.m_exclusive = of.exclusive;
    result.m_waiting_key = of.key;
    return result;
  };
  reach(wait.holders, SIZE_MAX);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].id == waiter) {
      // From the one that waits for `waiter` back to it.
      std::vector<DeadlockInfo> path;
      for (size_t at = steps[i].from;; at = steps[at].from) {
        path.push_back(info(steps[at].id, waits_.at(steps[at].id)));
        if (steps[at].from == at) break;
      }
      std::reverse(path.begin(), path.end());
      path.push_back(info(waiter, wait));
      Keep(DeadlockPath(std::move(path), now_seconds));
      return false;
    }
    if (i >= depth) {
      Keep(DeadlockPath(now_seconds, /*limit=*/true));
      return false;
    }
    const auto next = waits_.find(steps[i].id);
    if (next != waits_.end()) reach(next->second.holders, i);
  }
  waits_.emplace(waiter, wait);
  return true;
}

void WaitGraph::Remove(TransactionID waiter) {
  MutexLock lock(&mu_);
  waits_.erase(waiter);
}

void WaitGraph::Keep(DeadlockPath path) {
  mu_.AssertHeld();
  if (max_deadlocks_ == 0) return;
  if (deadlocks_.size() >= max_deadlocks_) deadlocks_.pop_back();
  deadlocks_.push_front(std::move(path));
  assert(deadlocks_.size() <= max_deadlocks_);
}

std::vector<DeadlockPath> WaitGraph::Deadlocks() const {
  MutexLock lock(&mu_);
  return {deadlocks_.begin(), deadlocks_.end()};
}

void WaitGraph::SetMaxDeadlocks(uint32_t count) {
  MutexLock lock(&mu_);
  max_deadlocks_ = count;
  while (deadlocks_.size() > max_deadlocks_) deadlocks_.pop_back();
}

}  // namespace ROCKSDB_NAMESPACE::engine
