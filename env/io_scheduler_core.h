// IoSchedulerCore: decides which request may go to the disk now. Pure
// arithmetic; the caller passes the time.
//
// Place. Inside env/io_scheduler, which adds threads, and inside the simulator,
// which adds events.
//
// Model. A request passes two policies, one after the other:
//
//   a database's request --> its own budget  --> the disk's shares --> go
//                            (IoBudgetPolicy,    (IoDiskPolicy, of all
//                            set by its tuner)   databases of the scheduler)
//
// A policy that is not set lets every request pass.
//
// Threads. The owner locks.
#pragma once

#include <cstdint>

#include "env/io_budget_policy.h"
#include "env/io_disk_policy.h"
#include "env/io_request.h"

namespace ROCKSDB_NAMESPACE::engine {

class IoSchedulerCore {
 public:
  // A database.
  class Client {
   public:
    const IoBudget& budget() const { return budget_.budget(); }
    size_t waiting() const { return budget_.waiting(); }

   private:
    friend class IoSchedulerCore;
    IoBudgetPolicy budget_;
    bool stopped_ = false;
  };

  // A request that waits. Owned by the caller; known here while it waits.
  struct Waiter {
    IoClass io_class = IoClass::kDebt;
    IoRequest request;
    bool budgeted = true;  // Else only the disk's shares count.

   private:
    friend class IoSchedulerCore;
    IoBudgetPolicy::Waiter budget_;
    IoDiskPolicy::Waiter disk_;
    bool past_budget_ = false;
  };

  void SetDisk(const IoDisk& disk, const IoShares& shares,
               uint64_t now_micros) {
    disk_.SetDisk(disk, shares, now_micros);
  }
  void SetBudget(Client* client, const IoBudget& budget, uint64_t now_micros);
  // From now on none of its requests waits.
  void Stop(Client* client, uint64_t now_micros);

  IoAnswer Ask(Client* client, Waiter* waiter, bool flush_writes,
               uint64_t now_micros);
  // The request goes at once; its cost delays the others.
  void LetThrough(Client* client, Waiter* waiter, uint64_t now_micros);
  static bool WaitsForDisk(const Waiter& waiter) {
    return !waiter.budgeted || waiter.past_budget_;
  }
  // Whether it is the next before the disk.
  bool IsNext(const Waiter& waiter) const {
    return disk_.Next() == &waiter.disk_;
  }

  IoDiskPolicy& disk() { return disk_; }
  const IoDiskPolicy& disk() const { return disk_; }

 private:
  static void Describe(Waiter* waiter);

  IoDiskPolicy disk_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
