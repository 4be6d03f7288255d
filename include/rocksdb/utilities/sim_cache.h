// SimCache: a cache that also says how often a cache of another capacity would
// have been hit.
//
// Place. Wrap the block cache in one and use it instead:
// BlockBasedTableOptions::block_cache = NewSimCache(cache, capacity, bits).
// DB statistics then count SIM_BLOCK_CACHE_HIT and SIM_BLOCK_CACHE_MISS.
//
// Model. All calls go to the wrapped cache. Next to it, a second one has keys
// and charges but no objects; it has the simulated capacity and evicts as it
// would with objects. So it takes some hundred bytes per entry instead of a
// block. Every Lookup() is answered by the wrapped cache and counted by the
// second one, which may be larger or smaller. Entries in use count as evictable
// there, because it has no handles.
//
// Threads. Every method may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/env.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class SimCache;

// Simulates an LRU cache of `sim_capacity` bytes. `num_shard_bits`: as for
// NewLRUCache(). Null if `cache` is null, or for too many shards.
std::shared_ptr<SimCache> NewSimCache(std::shared_ptr<Cache> cache,
                                      size_t sim_capacity, int num_shard_bits);

// Simulates `sim_cache`, which is empty and not used elsewhere. Null if one of
// them is null. `num_shard_bits` has no effect: `sim_cache` has its shards.
std::shared_ptr<SimCache> NewSimCache(std::shared_ptr<Cache> sim_cache,
                                      std::shared_ptr<Cache> cache,
                                      int num_shard_bits);

class SimCache : public CacheWrapper {
 public:
  using CacheWrapper::CacheWrapper;
  ~SimCache() override = default;

  const char* Name() const override { return "SimCache"; }

  // Bytes. A smaller capacity evicts at once.
  virtual size_t GetSimCapacity() const = 0;
  virtual void SetSimCapacity(size_t capacity) = 0;
  // Sum of the charges of all simulated entries.
  virtual size_t GetSimUsage() const = 0;

  // Lookups since the beginning or the last reset_counter().
  virtual uint64_t get_miss_counter() const = 0;
  virtual uint64_t get_hit_counter() const = 0;
  virtual void reset_counter() = 0;
  // The counters and the share of hits, a line each.
  virtual std::string ToString() const = 0;

  // Writes every lookup and insertion to a new file, a line each:
  //
  //   LOOKUP - <key in hex>
  //   ADD - <key in hex> - <charge in bytes>
  //
  // With `max_logging_size`, the first line that reaches so many bytes is the
  // last one. A log in progress is stopped first. `env` must outlive the log.
  // Errors: InvalidArgument if `env` is null; those of creating the file.
  virtual Status StartActivityLogging(const std::string& activity_log_file,
                                      Env* env,
                                      uint64_t max_logging_size = 0) = 0;
  // Closes the file; without a log it does nothing.
  virtual void StopActivityLogging() = 0;
  // The error that ended the last log, or kept it from beginning; else OK.
  virtual Status GetActivityLoggingStatus() = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
