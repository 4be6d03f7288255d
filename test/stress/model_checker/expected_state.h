// ExpectedState: what the database should hold, outside of the database.
//
// Place. Shared by all threads of a run; in a file that is mapped, if the
// process is going to be killed.
//
// Model. A cell per key of every family slot: the committed state, and the
// pending one, which differs while a write is under way. A reader copies the
// committed word before it reads and the pending word afterwards: it must find
// a state between the two (content.h). After a write whose outcome is unknown
// (an injected error, a kill) the two stay different: the key is in doubt, and
// no thread writes it until a barrier has read what it is.
//
// A third word is the last state that a kill cannot take back. It is behind
// the committed one if writes have no log, or if the log stays in the memory
// of the process (Plan::unlogged_keys, Plan::buffered_log). After a kill the
// key may hold any state from that one to the pending one.
//
// The keys of a family, in the order of their bytes: `plain` keys, then
// kCopies copies of each of `groups` mirrored keys. Mirrored keys live in
// slots 0 and 1, which are never dropped; all copies of both are written by
// one batch, and are always equal.
//
// Writes of a family with user timestamps take their times from one counter,
// which is part of this state: it also ascends over openings and kills. A
// writer takes a time while it holds the locks of its keys, so the newest time
// of a key is that of its last write.
//
// Keys of prepared transactions are in doubt, too, until a call or the next
// opening decides all of them at once (prepared_table.h).
//
// Threads. Words are atomic. A writer holds the lock of every key it changes
// (key_locks.h).

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "test/stress/model_checker/content.h"
#include "test/stress/model_checker/prepared_table.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

inline constexpr int kSlotsMax = 8;
inline constexpr int kMirrorSlots = 2;
inline constexpr uint32_t kCopies = 5;  // Per slot: ten in all.
// Every so many plain keys one is deleted by SingleDelete only.
inline constexpr uint32_t kSingleEvery = 8;
// In a filtered run so many plain keys share each pattern of filtered ones.
inline constexpr uint32_t kFilteredEvery = 8;
inline constexpr uint32_t kSkippedEvery = 32;

struct Shape {
  int slots = 3;
  uint32_t plain = 500;
  uint32_t groups = 20;
  bool filtered = false;  // Compaction filters change some keys.

  uint32_t keys() const { return plain + kCopies * groups; }
};

struct Cell {
  std::atomic<uint64_t> committed;
  std::atomic<uint64_t> pending;
  std::atomic<uint64_t> durable;  // Only grows.
  std::atomic<uint32_t> last_generation;
};

enum class SlotState : uint32_t { kAbsent, kCreating, kPresent, kDropping };

struct Totals {
  std::atomic<uint64_t> operations;
  std::atomic<uint64_t> reopenings;
  std::atomic<uint64_t> faults;
  std::atomic<uint64_t> transactions;
  std::atomic<uint64_t> found_prepared;
  std::atomic<uint64_t> phases;  // Finished ones; a killed run goes on behind.
};

class ExpectedState {
 public:
  // Maps `path`, making it if missing; memory of this process if empty.
  static Status Open(const std::string& path, const Shape& shape,
                     std::unique_ptr<ExpectedState>* result);
  ~ExpectedState();
  ExpectedState(const ExpectedState&) = delete;
  ExpectedState& operator=(const ExpectedState&) = delete;

  const Shape& shape() const { return shape_; }
  Totals& totals();
  // The time of the last write with a timestamp.
  std::atomic<uint64_t>& time();
  PreparedTable& prepared();
  // Have all accounts been written (accounts.h)?
  std::atomic<bool>& has_accounts();
  std::atomic<SlotState>& slot_state(int slot);
  Cell& cell(int slot, uint32_t key) {
    return cells_[static_cast<size_t>(slot) * shape_.keys() + key];
  }

  // The mirrored key's index, in either slot.
  uint32_t MirrorKey(uint32_t group, uint32_t copy) const {
    return shape_.plain + copy * shape_.groups + group;
  }
  // If Plan::unlogged_keys: the key's puts, merges and deletions have no log.
  // Writes with and without a log must not depend on each other, because a
  // kill takes back only some of them. Never a key of IsSingle().
  bool IsUnlogged(uint32_t key) const {
    return !IsMirror(key) && key % kSingleEvery == 1;
  }
  bool IsMirror(uint32_t key) const { return key >= shape_.plain; }
  static bool IsSingle(uint32_t key) {
    return key % kSingleEvery == kSingleEvery - 1;
  }
  // The group, for all copies of a mirrored key. In a filtered run it says what
  // a filter may do to the key (content.h); never to a key of IsSingle() or
  // IsUnlogged().
  uint64_t IdOf(int slot, uint32_t key) const;
  std::string KeyOf(uint32_t key) const;
  // nullopt: no key of this family.
  std::optional<uint32_t> IndexOf(const Slice& name) const;

  // The words of keys [begin, end) of a slot.
  std::vector<uint64_t> Committed(int slot, uint32_t begin, uint32_t end);
  std::vector<uint64_t> Pending(int slot, uint32_t begin, uint32_t end);

  // The state `word` of a key survives a kill from now on.
  static void RaiseDurable(Cell* cell, uint64_t word);
  // So do the committed states of all keys. REQUIRES: no writer.
  void RaiseAll();
  // A kill, or a close that failed: only durable states are certain.
  // REQUIRES: no writer.
  void ForgetVolatile();

  // Every key of the slot is absent from now on. REQUIRES: no writer.
  void ClearSlot(int slot);

 private:
  ExpectedState(const Shape& shape, void* memory, size_t size);

  const Shape shape_;
  void* const memory_;
  const size_t size_;
  Cell* const cells_;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
