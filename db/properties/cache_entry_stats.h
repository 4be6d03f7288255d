// CacheEntryStats: what a cache holds, by role.
//
// Place. The properties "rocksdb.block-cache-entry-stats" and its fast kin, and
// the block cache's part of "rocksdb.memory-by-role".
//
// Model. Counting walks over all entries, which takes a while where there are
// millions. The keeper remembers the last count of each cache and counts again
// only when it is old compared with the time that took.
//
// Threads. The keeper: any; callers hold no lock of the database.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

struct CacheEntryStats {
  std::string id;  // "LRUCache@address#process".
  size_t capacity = 0;
  size_t usage = 0;
  size_t table_size = 0;
  size_t occupancy = 0;
  std::array<uint64_t, kNumCacheEntryRoles> counts{};
  std::array<uint64_t, kNumCacheEntryRoles> bytes{};
  uint64_t collections = 0;  // Of this cache so far.
  uint64_t copies = 0;       // How often the last one was shown.
  uint64_t begin_micros = 0;
  uint64_t end_micros = 0;

  uint64_t BytesOf(CacheEntryRole role) const {
    return bytes[static_cast<size_t>(role)];
  }
  // As RocksDB's: two lines, and a map with the keys of
  // BlockCacheEntryStatsMapKeys.
  std::string ToText(uint64_t now_micros) const;
  std::map<std::string, std::string> ToMap(uint64_t now_micros) const;
};

class CacheEntryStatsKeeper {
 public:
  enum class Age : uint8_t {
    kRecent,  // At most a hundred times as old as counting takes.
    kAny      // Up to three minutes.
  };
  CacheEntryStats Get(Cache* cache, Age age, SystemClock* clock)
      EXCLUDES_LOCK(mu_);

 private:
  Mutex mu_{LockRank::kCacheEntryStats};
  std::map<Cache*, CacheEntryStats> last_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
