// CacheReservation: memory outside the cache that counts against its capacity.
//
// Place. WriteBufferManager charges memtables with it; table building may
// charge filters and dictionaries. Many small objects share one: table readers
// and file metadata. The contents of a blob cache can count against the block
// cache.
//
// Model. The amount is represented by pinned dummy entries of 256 KiB each.
// Growth is exact to one entry. Entries are released only when the need falls
// below three quarters of what is held, so that small changes of size do not
// insert and erase all the time.
//
// Threads. CacheReservation: one thread at a time; the others: any.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class CacheReservation {
 public:
  static constexpr size_t kEntrySize = size_t{256} << 10;

  CacheReservation(std::shared_ptr<Cache> cache, CacheEntryRole role);
  // Gives everything back.
  ~CacheReservation();

  CacheReservation(const CacheReservation&) = delete;
  CacheReservation& operator=(const CacheReservation&) = delete;

  // Makes the reservation fit `bytes`. Fails only with a strict cache that is
  // full; what could be reserved stays reserved.
  Status Update(size_t bytes);
  // Gives back what is above `bytes`, however little that is.
  void ShrinkTo(size_t bytes);
  // A reservation of this size would not be changed for `bytes`.
  static bool IsKept(size_t reserved_bytes, size_t bytes) {
    return bytes <= reserved_bytes && (reserved_bytes - bytes < kEntrySize ||
                                       bytes > reserved_bytes / 4 * 3);
  }

  size_t reserved_bytes() const { return handles_.size() * kEntrySize; }

 private:
  const std::shared_ptr<Cache> cache_;
  const Cache::CacheItemHelper* const helper_;
  const uint64_t id_;
  uint64_t next_entry_ = 0;
  std::vector<Cache::Handle*> handles_;
};

// One reservation for many objects that come and go.
class SharedReservation {
 public:
  SharedReservation(std::shared_ptr<Cache> cache, CacheEntryRole role)
      : reservation_(std::move(cache), role) {}

  // MemoryLimit: a strict cache has no room; nothing was taken.
  Status Take(size_t bytes) EXCLUDES_LOCK(mu_);
  // For memory that is there in any case. What a strict cache has no room for
  // is not charged until it has.
  void TakeAnyway(size_t bytes) EXCLUDES_LOCK(mu_);
  void Give(size_t bytes) EXCLUDES_LOCK(mu_);

 private:
  Mutex mu_{LockRank::kCacheCharge};
  CacheReservation reservation_ GUARDED_BY(mu_);
  size_t bytes_ GUARDED_BY(mu_) = 0;
};

// Makes what one cache holds count against the capacity of another.
class UsageCharge {
 public:
  UsageCharge(std::shared_ptr<Cache> cache, std::shared_ptr<Cache> charge_to,
              CacheEntryRole role)
      : cache_(std::move(cache)), reservation_(std::move(charge_to), role) {}

  // Returns the same object for the same caches throughout the process, as long
  // as it is in use, so that nothing is charged twice. Null if `charge_to` is
  // null or the cache itself, or if there is no cache.
  static std::shared_ptr<UsageCharge> Of(
      const std::shared_ptr<Cache>& cache,
      const std::shared_ptr<Cache>& charge_to, CacheEntryRole role);

  // Charges what the cache holds now. To be called when something has been put
  // there. What a strict cache has no room for is not charged until it has.
  void Follow() EXCLUDES_LOCK(mu_);

 private:
  const std::shared_ptr<Cache> cache_;
  std::atomic<size_t> reserved_bytes_{0};
  Mutex mu_{LockRank::kCacheCharge};
  CacheReservation reservation_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
