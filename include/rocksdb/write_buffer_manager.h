// WriteBufferManager: one memory limit over the memtables of many column
// families and databases.
//
// Place. DBOptions::write_buffer_manager. Memtable arenas report the memory
// they use; writers ask ShouldFlush() and ShouldStall().
//
// Model. Three numbers: memory in memtables, the part still being written
// to ("active"; the rest waits for its flush), and the limit. With a cache,
// the memory is also charged to it as dummy entries of 256 KiB.
//
// Threads. Every method may be called from any thread; ShouldFlush() and
// ShouldStall() cost two relaxed loads.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Lets the manager hold a database's writers.
class StallInterface {
 public:
  virtual ~StallInterface() = default;
  virtual void Block() = 0;
  virtual void Signal() = 0;
};

class WriteBufferManager final {
 public:
  // _buffer_size: bytes; 0: no limit, memory is only counted.
  // cache: charge the memory to it as well.
  // allow_stall: hold writers while the limit is exceeded.
  explicit WriteBufferManager(size_t _buffer_size,
                              std::shared_ptr<Cache> cache = {},
                              bool allow_stall = false);
  WriteBufferManager(const WriteBufferManager&) = delete;
  WriteBufferManager& operator=(const WriteBufferManager&) = delete;
  ~WriteBufferManager();

  bool enabled() const { return buffer_size() > 0; }
  bool cost_to_cache() const { return charge_ != nullptr; }

  size_t memory_usage() const {
    return memory_used_.load(std::memory_order_relaxed);
  }
  size_t mutable_memtable_memory_usage() const {
    return memory_active_.load(std::memory_order_relaxed);
  }
  size_t dummy_entries_in_cache_usage() const;
  size_t buffer_size() const {
    return buffer_size_.load(std::memory_order_relaxed);
  }

  // REQUIRES: new_size > 0.
  void SetBufferSize(size_t new_size);
  void SetAllowStall(bool new_allow_stall);
  bool allow_stall() const {
    return allow_stall_.load(std::memory_order_relaxed);
  }

  // True when active memtables hold more than 7/8 of the limit, or the limit
  // is reached and at least half of it is not being flushed yet.
  bool ShouldFlush() const {
    if (!enabled()) return false;
    const size_t active = mutable_memtable_memory_usage();
    if (active > mutable_limit_.load(std::memory_order_relaxed)) return true;
    const size_t limit = buffer_size();
    return memory_usage() >= limit && active >= limit / 2;
  }

  bool ShouldStall() const {
    if (!allow_stall_.load(std::memory_order_relaxed) || !enabled()) {
      return false;
    }
    return IsStallActive() || IsStallThresholdExceeded();
  }
  bool IsStallActive() const {
    return stall_active_.load(std::memory_order_relaxed);
  }
  bool IsStallThresholdExceeded() const {
    return memory_usage() >= buffer_size();
  }

  // -- Reported by memtables: allocated, about to be flushed, freed.
  void ReserveMem(size_t mem);
  void ScheduleFreeMem(size_t mem);
  void FreeMem(size_t mem);

  // -- Called by databases whose writers wait.
  void BeginWriteStall(StallInterface* wbm_stall);
  // Wakes the waiting databases once memory is below the limit.
  void MaybeEndWriteStall();
  void RemoveDBFromQueue(StallInterface* wbm_stall);

 private:
  struct CacheCharge;
  struct Stalled;  // The databases whose writers wait.

  std::atomic<size_t> buffer_size_;
  std::atomic<size_t> mutable_limit_;
  std::atomic<size_t> memory_used_{0};
  std::atomic<size_t> memory_active_{0};
  std::atomic<bool> allow_stall_;
  std::atomic<bool> stall_active_{false};
  std::unique_ptr<CacheCharge> charge_;
  const std::unique_ptr<Stalled> stalled_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
