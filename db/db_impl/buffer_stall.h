// BufferStall: one database as a user of its write buffer manager: when its
// writers wait for memory, and how it frees memory for others.
//
// Place. Owned by DBImpl. The leader of the writers asks NeedsRoom() before
// each group and MustHold() when room is needed. It waits as for any other stop
// (db/write/write_admission); the default family's verdict
// (db/column_family/stall_monitor) gives the cause.
//
// Model.
//
//   memory near the limit    --> the database with most memory seals a memtable
//   limit reached, allow_stall:
//     a flush of any database runs or is due --> writers wait
//     nothing that is worth a flush is left  --> writers go on, over the limit
//   memory below the limit, or another limit --> Signal(): the wait is over
//
// An idle database has no writers to seal its memtable, so if no writer leads,
// its flush job does it. No thread waits for another database here.
//
// Invariants:
//   (1) Writers wait only while a flush of some database runs or is due. A
//       database in error, paused or closing does not count.
//   (2) Two DB mutexes are never held at once.
//
// Threads. Each function says.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/write_buffer_users.h"

namespace ROCKSDB_NAMESPACE::engine {

class BufferStall final : public StallInterface, public WriteBufferUser {
 public:
  // How often a waiting leader looks at the other databases.
  static constexpr uint64_t kLookMicros = 5000;

  struct Deps {
    DbState* db = nullptr;
    StallMonitor* stalls = nullptr;
    // Any thread: the next leader makes room.
    std::function<void()> request_attention;
    // Under the mutex: a flush may be due.
    std::function<void()> schedule;
    // Under the mutex; releases it: tells listeners of stall changes.
    std::function<void()> notify_stall_listeners;
    // Under the mutex: no job starts.
    std::function<bool()> paused;
  };

  explicit BufferStall(Deps deps) : deps_(std::move(deps)) {}
  ~BufferStall() override { Stop(); }
  BufferStall(const BufferStall&) = delete;
  BufferStall& operator=(const BufferStall&) = delete;

  // Before the first write, and when closing begins.
  void Start();
  void Stop() EXCLUDES_LOCK(kStateLock);

  // Any thread: is the manager's memory used up, or is a wait for it over? A
  // few relaxed loads.
  bool NeedsRoom() const {
    return manager_ != nullptr &&
           (stalled_.load(std::memory_order_relaxed) ||
            manager_->ShouldFlush() || manager_->ShouldStall());
  }
  // By the leader, without the mutex: may writers wait now? Asks for a flush
  // where that helps most.
  bool MustHold() EXCLUDES_LOCK(kStateLock);
  void Set(bool hold) REQUIRES_LOCK(kStateLock);
  // For a wait that was over when no writer waited any more.
  void EndIfOver() EXCLUDES_LOCK(kStateLock);

  // True once for each request to seal a memtable.
  bool TakeSealRequest() REQUIRES_LOCK(kStateLock);
  // A flush job should seal: no leader is known to.
  bool wants_job() const REQUIRES_LOCK(kStateLock) { return wants_job_; }
  void LeaveToLeader() REQUIRES_LOCK(kStateLock) { wants_job_ = false; }

  // WriteBufferUser: by leaders of any database.
  Relief GetRelief() override EXCLUDES_LOCK(kStateLock);
  void RequestRelief() override EXCLUDES_LOCK(kStateLock);

  // StallInterface: by the manager, under locks of others.
  void Block() override { signalled_.store(false, std::memory_order_release); }
  void Signal() override { signalled_.store(true, std::memory_order_release); }

 private:
  const Deps deps_;
  // Null: this database does not write.
  std::shared_ptr<WriteBufferManager> manager_;
  std::shared_ptr<WriteBufferUsers> users_;
  std::atomic<bool> stalled_{false};
  std::atomic<bool> signalled_{false};
  // Of the leader.
  uint64_t next_look_micros_ = 0;
  bool last_look_ = false;
  // Under the mutex.
  bool seal_ = false;
  bool wants_job_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
