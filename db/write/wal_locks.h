// WalLocks: the threads that have stopped writes with LockWAL().
//
// Place. In DbState. DBImpl adds a lock while it has exclusive use of the
// commit pipeline, so no write is half done. Ingestions wait until there is no
// lock.
//
// Model. Each lock is a stop vote of the write controller and belongs to the
// thread that took it. Locks of one thread nest.
//
// Threads. Guarded by the DB mutex.

#pragma once

#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "db/write/write_controller.h"

namespace ROCKSDB_NAMESPACE::engine {

class WalLocks {
 public:
  void Add(WriteController::Token stop) {
    held_[std::this_thread::get_id()].push_back(std::move(stop));
  }
  // Ends the last lock of the calling thread. False: it has none.
  bool Remove() {
    const auto it = held_.find(std::this_thread::get_id());
    if (it == held_.end()) return false;
    it->second.pop_back();
    if (it->second.empty()) held_.erase(it);
    return true;
  }

  bool empty() const { return held_.empty(); }
  bool HeldByThisThread() const {
    return held_.contains(std::this_thread::get_id());
  }

 private:
  std::map<std::thread::id, std::vector<WriteController::Token>> held_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
