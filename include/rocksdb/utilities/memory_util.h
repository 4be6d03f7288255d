// MemoryUtil: how much memory databases and caches use.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class MemoryUtil {
 public:
  enum UsageType : int {
    // Memtables, those included that are flushed and still being read.
    kMemTableTotal = 0,
    // Of these, what is not flushed.
    kMemTableUnFlushed = 1,
    // Table readers: indexes, filters and the like outside the cache.
    kTableReadersTotal = 2,
    // Of the caches.
    kCacheTotal = 3,
    kNumUsageTypes = 4
  };

  // Fills *usage_by_type with the bytes of all databases and caches together.
  // The map has an entry for each type. Null pointers are skipped. The property
  // "rocksdb.memory-by-role" says more of one database.
  static Status GetApproximateMemoryUsageByType(
      const std::vector<DB*>& dbs,
      const std::unordered_set<const Cache*>& cache_set,
      std::map<MemoryUtil::UsageType, uint64_t>* usage_by_type);
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
