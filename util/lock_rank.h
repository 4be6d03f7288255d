// LockRank: the order in which one thread may take locks.
//
// Place. Mutex (mutex.h) takes its rank when it is made. docs/architecture.md
// shows the same order with reasons.
//
// Invariants:
//   (1) A thread waits for a mutex only while every mutex that it holds has a
//       smaller rank; so threads cannot wait for each other's mutexes.
//   (2) A mutex that was given no rank has the last one: while it is held, no
//       thread waits for another.
//
// Neither counts mutexes of kNone and spin mutexes. TryLock() does not wait, so
// it may take any. Dev and sanitizer builds check both at every Lock(), and
// when a thread that slept on a condition takes its mutex again.

#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

enum class LockRank : uint8_t {
  // Not checked: for locks under which a program's own code runs, and for
  // tests that hold a lock while the library runs.
  kNone,

  // Whole calls of the interface, one at a time.
  kBackup,            // One change of a backup directory; calls a database.
  kFileCopy,          // Tells the progress of a copy.
  kCatchUp,           // A secondary follows its primary.
  kTimestampHistory,  // One change of full_history_ts_low.
  kTuningLink,        // Tuning starts or ends.
  kTuningTick,        // One tick of the tuner.
  kWalSync,           // One sync of logs.
  kTransactionLocks,  // A part of the lock table.
  kTransactionNames,  // Which transactions there are.
  kWriteBufferUsers,  // The databases that share a write buffer manager.
  kCacheEntryStats,   // Counts the entries of a cache.

  kState,  // The DB mutex.

  // What is taken under the DB mutex.
  kTuningDomain,
  kWalSet,
  kWriteController,
  kViewPublisher,
  kTableCache,
  kObsoleteFiles,  // The last reader of a view frees its files.
  kPurgeTask,

  // Memtables, and the memory that counts against a cache.
  kMemTable,            // Entries are inserted or sorted, one thread at a time.
  kWriteBufferStalled,  // The databases whose writers wait for memory.
  kCacheCharge,         // Memory elsewhere that counts against a cache.
  kCacheTiers,          // One capacity for two tiers.

  // The environment: takes nothing of the database.
  kThreadPool,
  kTimer,
  kIoSchedulerOpen,  // Reads or measures the profile.
  kIoGate,
  kLimiterDecision,  // A rate limiter moves a switch, and LOG is told.
  kRateLimiter,
  kSstFileManager,  // Which files there are.
  kTrash,           // Which files wait for their deletion.
  kInfoLog,

  kLeaf,  // Takes no other lock; what a Mutex has by default.
};

// The name without its k, for messages.
const char* LockRankName(LockRank rank);

}  // namespace ROCKSDB_NAMESPACE::engine
