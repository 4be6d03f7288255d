// LockRank: the order in which one thread may take locks.
//
// Place. Mutex (mutex.h) takes its rank when it is made. docs/architecture.md
// shows the same order with reasons.
//
// Invariants. 1. A thread takes a ranked mutex only while every ranked mutex
// that it holds has a smaller rank; so no two threads can wait for each other.
// Dev and sanitizer builds check this at every Lock().

#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

enum class LockRank : uint8_t {
  kNone,  // Not checked: held for a few instructions, takes no other lock.

  // Whole calls of the interface, one at a time.
  kCatchUp,           // A secondary follows its primary.
  kTimestampHistory,  // One change of full_history_ts_low.
  kTuningLink,        // Tuning starts or ends.
  kTuningTick,        // One tick of the tuner.
  kWalSync,           // One sync of logs.
  kWriteBufferUsers,  // The databases that share a write buffer manager.

  kState,  // The DB mutex.

  // What is taken under the DB mutex.
  kTuningDomain,
  kWalSet,
  kWriteController,
  kViewPublisher,
  kTableCache,
  kObsoleteFiles,  // The last reader of a view frees its files.
  kPurgeTask,

  // The environment: takes nothing of the database.
  kThreadPool,
  kTimer,
  kIoSchedulerOpen,  // Reads or measures the profile.
  kIoGate,
  kInfoLog,
};

// The name without its k, for messages.
const char* LockRankName(LockRank rank);

}  // namespace ROCKSDB_NAMESPACE::engine
