#include "util/mutex.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "util/held_locks.h"

namespace ROCKSDB_NAMESPACE::engine {

const char* LockRankName(LockRank rank) {
  static constexpr const char* kNames[] = {
      // clang-format off
      "None", "Backup", "FileCopy", "CatchUp",
      "TimestampHistory", "TuningLink", "TuningTick", "WalSync", "TransactionLocks", "TransactionNames",
      "WriteBufferUsers", "CacheEntryStats", "State", "TuningDomain",
      "WalSet", "WriteController", "ViewPublisher", "TableCache",
      "ObsoleteFiles", "PurgeTask", "MemTable", "WriteBufferStalled",
      "CacheCharge", "CacheTiers", "ThreadPool", "Timer",
      "IoSchedulerOpen", "IoGate", "LimiterDecision", "RateLimiter",
      "SstFileManager", "Trash", "InfoLog", "Leaf",
      // clang-format on
  };
  static_assert(std::size(kNames) == static_cast<size_t>(LockRank::kLeaf) + 1);
  return kNames[static_cast<size_t>(rank)];
}

#ifndef NDEBUG
namespace {

constexpr size_t kHeldMax = 16;

struct HeldLocks {
  std::array<LockRank, kHeldMax> ranks{};
  size_t count = 0;
};

thread_local HeldLocks held_locks;

[[noreturn]] void Fail(const char* what, LockRank wanted, LockRank held) {
  std::fprintf(stderr, "lock order: %s %s while this thread holds %s\n", what,
               LockRankName(wanted), LockRankName(held));
  std::abort();
}

}  // namespace

void CheckLockOrder(LockRank rank) {
  for (size_t i = 0; i < held_locks.count; ++i) {
    if (held_locks.ranks[i] >= rank) {  // lock_rank.h (1), (2)
      Fail("takes", rank, held_locks.ranks[i]);
    }
  }
}

void NoteLocked(LockRank rank) {
  if (held_locks.count == kHeldMax) Fail("too many locks with", rank, rank);
  held_locks.ranks[held_locks.count++] = rank;
}

bool HoldsLock(LockRank rank) {
  const LockRank* const first = held_locks.ranks.data();
  const LockRank* const end = first + held_locks.count;
  return std::find(first, end, rank) != end;
}

void NoteUnlocked(LockRank rank) {
  // Locks need not be released in the opposite order.
  for (size_t i = held_locks.count; i-- > 0;) {
    if (held_locks.ranks[i] != rank) continue;
    held_locks.ranks[i] = held_locks.ranks[--held_locks.count];
    return;
  }
  Fail("releases", rank, LockRank::kNone);
}
#endif

}  // namespace ROCKSDB_NAMESPACE::engine
