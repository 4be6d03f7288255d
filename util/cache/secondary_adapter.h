// SecondaryAdapter: a cache with a second tier behind it.
//
// Place. The public functions that make a cache wrap it in this if they are
// given a SecondaryCache (cache_factory.cc).
//
// Model. Hits are served by the first tier. On a miss the second tier is
// searched, and what it has is put into the first; entries that the first
// evicts are offered to the second. With a ratio both share one capacity:
//
//   capacity --> first tier: capacity - part, second tier: part
//
// Threads. Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class SecondaryAdapter final : public CacheWrapper {
 public:
  // What share of a common capacity the second tier has.
  struct Split {
    size_t capacity = 0;
    double ratio = 0.0;
  };

  // Requires: `first` is not used elsewhere and was not used before.
  SecondaryAdapter(std::shared_ptr<Cache> first,
                   std::shared_ptr<SecondaryCache> second,
                   TieredAdmissionPolicy policy);

  // To programs it is the cache it wraps.
  const char* Name() const override { return target_->Name(); }
  std::string GetPrintableOptions() const override;

  Handle* Lookup(const Slice& key, const CacheItemHelper* helper,
                 CreateContext* create_context, Priority priority,
                 Statistics* stats) override;
  void Erase(const Slice& key) override;

  // Both tiers share `capacity` from now on.
  void Share(const Split& split) EXCLUDES_LOCK(mu_);
  Split split() const EXCLUDES_LOCK(mu_);
  void SetPolicy(TieredAdmissionPolicy policy) {
    policy_.store(policy, std::memory_order_relaxed);
  }

  void SetCapacity(size_t capacity) override EXCLUDES_LOCK(mu_);
  size_t GetCapacity() const override EXCLUDES_LOCK(mu_);
  Status GetSecondaryCacheCapacity(size_t& capacity) const override;

 private:
  bool OnEvicted(const Slice& key, Handle* handle, bool was_hit);
  void Divide() REQUIRES_LOCK(mu_);

  const std::shared_ptr<SecondaryCache> second_;
  std::atomic<TieredAdmissionPolicy> policy_;
  mutable Mutex mu_{LockRank::kCacheTiers};
  bool shared_ GUARDED_BY(mu_) = false;
  Split split_ GUARDED_BY(mu_);
};

// A first tier of `options` with their secondary cache, if they have one.
std::shared_ptr<Cache> WithSecondary(std::shared_ptr<Cache> first,
                                     const ShardedCacheOptions& options);

}  // namespace ROCKSDB_NAMESPACE::engine
