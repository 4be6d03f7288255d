// WriteBufferUsers: the databases that share one write buffer manager, and
// which of them should flush when the manager's memory is used up.
//
// Place. One per WriteBufferManager, found by its address. Each open database
// is a user; the leader of its writers asks Relieve().
//
// Model. Only a flush gives memory back. If none is running or due in any
// database, the user with the most memory that a flush would free is asked for
// one, even if it is an idle database. If too little could be freed (readers
// pin it, or flushes fail), no user is asked.
//
// Threads. Thread-safe. A user is called with the lock of the list held and may
// take its DB mutex: do not call with a DB mutex held.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
class WriteBufferManager;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class WriteBufferUser {
 public:
  struct Relief {
    bool flush_due = false;        // A flush runs or will run.
    uint64_t flushable_bytes = 0;  // What one more flush would free.
  };

  virtual ~WriteBufferUser() = default;
  virtual Relief GetRelief() = 0;
  // Flush what frees most. Does not wait.
  virtual void RequestRelief() = 0;
};

class WriteBufferUsers {
 public:
  // A flush for less than this part of the limit would make small tables and
  // free next to nothing.
  static constexpr uint64_t kWorthFlushingShare = 8;

  static std::shared_ptr<WriteBufferUsers> Of(
      const WriteBufferManager* manager);

  explicit WriteBufferUsers(const WriteBufferManager* manager)
      : manager_(manager) {}
  ~WriteBufferUsers();
  WriteBufferUsers(const WriteBufferUsers&) = delete;
  WriteBufferUsers& operator=(const WriteBufferUsers&) = delete;

  void Add(WriteBufferUser* user);
  // `user` is not called any more on return.
  void Remove(WriteBufferUser* user);

  // Asks for a flush if the manager wants one, or if its limit stops writers
  // and none is due. True if a flush of some database runs or is due now.
  bool Relieve();

 private:
  const WriteBufferManager* const manager_;
  Mutex mu_{LockRank::kWriteBufferUsers};
  std::vector<WriteBufferUser*> users_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
