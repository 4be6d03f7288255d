// ConcurrentTaskLimiter: limits the number of concurrent compactions.
//
// Place. ColumnFamilyOptions::compaction_thread_limiter. One limiter may be
// shared by column families of several databases.
//
// Threads. Every method may be called from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ConcurrentTaskLimiter {
 public:
  virtual ~ConcurrentTaskLimiter() = default;

  virtual const std::string& GetName() const = 0;
  // Negative: no limit. 0: no new compaction may start.
  virtual void SetMaxOutstandingTask(int32_t limit) = 0;
  // Back to no limit.
  virtual void ResetMaxOutstandingTask() = 0;
  virtual int32_t GetOutstandingTask() const = 0;
};

ConcurrentTaskLimiter* NewConcurrentTaskLimiter(const std::string& name,
                                                int32_t limit);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
