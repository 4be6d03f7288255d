// PerfLevel: how much the thread's PerfContext measures.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Each level includes the ones above it.
enum PerfLevel : unsigned char {
  kUninitialized = 0,
  kDisable = 1,
  kEnableCount = 2,  // counters only; the level of a new thread
  kEnableWait = 3,   // and time spent waiting for locks and stalls
  kEnableTimeExceptForMutex = 4,
  kEnableTimeAndCPUTimeExceptForMutex = 5,
  kEnableTime = 6,
  kOutOfBounds = 7
};

// Of the calling thread.
void SetPerfLevel(PerfLevel level);
PerfLevel GetPerfLevel();

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
