// CompactionSwitch: the place where a rate limiter tells every column family of
// an Env to stop compacting for a while.
//
// Place. Owned by the base Env, reached through Env::compaction_switch(). The
// limiter (or the application, through Env::DisableCompactions) flips it; a
// column family with auto_tuned_compaction reads it whenever its write stall
// conditions are recalculated. The law that decides is util/drain_switch.
//
// Model. Two states. While disabled, a column family that obeys the switch
// behaves as if its own options said
//
//   disable_auto_compactions = true, level0_file_num_compaction_trigger = 2^30
//
// Invariants:
//   (1) A column family's own options are never overwritten: Effective() only
//       computes what holds now, so enabling restores each family's own values
//       and no trigger is ever uninitialised.
//   (2) When the last user leaves, the switch is enabled again: a database that
//       was closed in a busy moment does not silence the next one.
//
// Threads. Thread-safe, lock-free for readers.
#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class CompactionSwitch {
 public:
  // Practically no limit; still far from the end of int.
  static constexpr int kLevel0TriggerUnlimited = 1 << 30;

  // What a column family compacts by.
  struct Limits {
    bool disable_auto_compactions = false;
    int level0_file_num_compaction_trigger = 0;
  };

  // A user is an open database with at least one column family that obeys.
  // Without users the limiters tune their rate and leave the switch alone.
  void AddUser() { users_.fetch_add(1, std::memory_order_acq_rel); }
  void RemoveUser() {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) Enable();  // (2)
  }
  bool has_users() const { return users_.load(std::memory_order_acquire) > 0; }

  // Both return whether the state changed.
  bool Disable() {
    return !disabled_.exchange(true, std::memory_order_acq_rel);
  }
  bool Enable() { return disabled_.exchange(false, std::memory_order_acq_rel); }

  bool disabled() const { return disabled_.load(std::memory_order_acquire); }

  // What holds now for a column family that obeys the switch and whose own
  // options are `own`.
  Limits Effective(const Limits& own) const {
    if (!disabled()) return own;  // (1)
    return {true, kLevel0TriggerUnlimited};
  }

 private:
  std::atomic<int> users_{0};
  std::atomic<bool> disabled_{false};
};

}  // namespace ROCKSDB_NAMESPACE::engine
