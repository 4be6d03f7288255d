// What the threads of a run share, and what each has of its own.

#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "test/stress/model_checker/activity.h"
#include "test/stress/model_checker/database.h"
#include "test/stress/model_checker/key_locks.h"
#include "test/stress/model_checker/plan.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// The first failure ends the run.
class Failures {
 public:
  void Add(const std::string& text);
  bool any() const { return any_; }

 private:
  std::mutex mu_;
  std::atomic<bool> any_{false};
};

// Did a fault that the run made cause this error (FaultThread)?
bool IsInjected(const Status& status);

struct Shared {
  const Plan& plan;
  ExpectedState& expected;
  KeyLocks& locks;
  Database& database;
  Failures& failures;
  std::mutex backup_mu;  // One backup at a time.
  // How often each slot was dropped.
  std::atomic<uint64_t> incarnation[kSlotsMax] = {};
  // Snapshots are not stable, and reads not of one moment.
  bool unordered = false;
};

class ThreadContext {
 public:
  ThreadContext(Shared* given, std::string name, uint64_t seed)
      : shared(*given), name_(std::move(name)), random(seed) {}

  DB* db() const { return shared.database.db(); }
  ExpectedState& expected() const { return shared.expected; }
  const Shape& shape() const { return shared.expected.shape(); }
  ColumnFamilyHandle* handle(int slot) const {
    return shared.database.handle(slot);
  }
  const std::string& name() const { return name_; }

  bool IsStamped(int slot) const { return slot == shared.plan.stamped; }
  // The options, to read the newest state of this slot.
  ReadOptions ReadsOf(int slot, ReadOptions options = ReadOptions()) const;

  bool Chance(uint64_t of_thousand) {
    return random.Uniform(1000) < of_thousand;
  }
  // A plain key; a few of them often.
  uint32_t AnyPlain();
  uint32_t AnyKey();

  void Fail(const std::string& text);
  // True: OK. An error is a failure unless it was injected.
  bool Ok(const Status& status, const std::string& what);
  // True: OK. Also not a failure: one of the given codes.
  bool OkOr(const Status& status, const std::string& what,
            std::initializer_list<Status::Code> allowed);
  // So many locks as TransactionDBOptions::max_num_locks are held.
  bool IsLockLimit(const Status& status) const;
  // Judges what a read of one key found.
  void CheckRead(int slot, uint32_t key, uint64_t low, uint64_t high,
                 const std::optional<std::string>& found, const char* how);

  Shared& shared;

 private:
  std::string ReadAgain(int slot, uint32_t key);

  const std::string name_;

 public:
  engine::Random64 random;
  Activity activity;
};

// A slot that is there, and stays until the end of the scope.
class SlotUse {
 public:
  explicit SlotUse(ThreadContext* context);
  // This one; check ok().
  SlotUse(ThreadContext* context, int slot);

  bool ok() const { return ok_; }
  int slot() const { return slot_; }
  ColumnFamilyHandle* handle() const { return handle_; }

 private:
  int slot_;
  bool ok_ = true;
  std::shared_lock<std::shared_mutex> lock_;
  ColumnFamilyHandle* handle_ = nullptr;
};

// All slots, as they are; none is created or dropped until the end.
class AllSlotsUse {
 public:
  explicit AllSlotsUse(ThreadContext* context);
  const std::vector<int>& slots() const { return slots_; }

 private:
  std::vector<std::shared_lock<std::shared_mutex>> locks_;
  std::vector<int> slots_;  // Those that are there.
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
