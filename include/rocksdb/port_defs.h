// Definitions that Env shares with the operating-system layer.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// CPU scheduling priority of a pool's threads.
enum class CpuPriority {
  kIdle = 0,
  kLow = 1,
  kNormal = 2,
  kHigh = 3,
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
