#include "rocksdb/write_buffer_manager.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "util/cache/cache_reservation.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// The memory as dummy entries of a cache. A write buffer manager is touched
// once per arena block, so a lock is cheap enough.
struct WriteBufferManager::CacheCharge {
  explicit CacheCharge(std::shared_ptr<Cache> cache)
      : reservation(std::move(cache), CacheEntryRole::kWriteBuffer) {}

  engine::Mutex mu{engine::LockRank::kCacheCharge};
  engine::CacheReservation reservation GUARDED_BY(mu);
};

struct WriteBufferManager::Stalled {
  engine::Mutex mu{engine::LockRank::kWriteBufferStalled};
  std::vector<StallInterface*> queue GUARDED_BY(mu);
};

namespace {

// Active memtables may hold 7/8 of the limit before one must be flushed.
size_t MutableLimit(size_t limit) { return limit / 8 * 7; }

}  // namespace

WriteBufferManager::WriteBufferManager(size_t limit,
                                       std::shared_ptr<Cache> cache,
                                       bool allow_stall)
    : buffer_size_(limit),
      mutable_limit_(MutableLimit(limit)),
      allow_stall_(allow_stall),
      stalled_(std::make_unique<Stalled>()) {
  if (cache != nullptr) {
    charge_ = std::make_unique<CacheCharge>(std::move(cache));
  }
}

WriteBufferManager::~WriteBufferManager() {
  engine::MutexLock lock(&stalled_->mu);
  assert(stalled_->queue.empty());
}

size_t WriteBufferManager::dummy_entries_in_cache_usage() const {
  if (charge_ == nullptr) return 0;
  engine::MutexLock lock(&charge_->mu);
  return charge_->reservation.reserved_bytes();
}

void WriteBufferManager::SetBufferSize(size_t new_size) {
  assert(new_size > 0);
  buffer_size_.store(new_size, std::memory_order_relaxed);
  mutable_limit_.store(MutableLimit(new_size), std::memory_order_relaxed);
  MaybeEndWriteStall();
}

void WriteBufferManager::SetAllowStall(bool new_allow_stall) {
  allow_stall_.store(new_allow_stall, std::memory_order_relaxed);
  MaybeEndWriteStall();
}

void WriteBufferManager::ReserveMem(size_t mem) {
  memory_active_.fetch_add(mem, std::memory_order_relaxed);
  if (charge_ == nullptr) {
    memory_used_.fetch_add(mem, std::memory_order_relaxed);
    return;
  }
  // Under the lock, so that the charge never lags behind a later change. A full
  // strict cache cannot refuse memory that memtables already took: the next
  // change tries again.
  engine::MutexLock lock(&charge_->mu);
  const size_t used =
      memory_used_.fetch_add(mem, std::memory_order_relaxed) + mem;
  (void)charge_->reservation.Update(used);
}

void WriteBufferManager::ScheduleFreeMem(size_t mem) {
  memory_active_.fetch_sub(mem, std::memory_order_relaxed);
}

void WriteBufferManager::FreeMem(size_t mem) {
  if (charge_ == nullptr) {
    memory_used_.fetch_sub(mem, std::memory_order_relaxed);
  } else {
    engine::MutexLock lock(&charge_->mu);
    const size_t used =
        memory_used_.fetch_sub(mem, std::memory_order_relaxed) - mem;
    (void)charge_->reservation.Update(used);
  }
  MaybeEndWriteStall();
}

void WriteBufferManager::BeginWriteStall(StallInterface* wbm_stall) {
  assert(wbm_stall != nullptr);
  {
    engine::MutexLock lock(&stalled_->mu);
    // Checked again under the lock: memory freed since the caller looked would
    // otherwise leave it waiting for a signal that has passed.
    if (ShouldStall()) {
      stall_active_.store(true, std::memory_order_relaxed);
      stalled_->queue.push_back(wbm_stall);
      return;
    }
  }
  wbm_stall->Signal();
}

void WriteBufferManager::MaybeEndWriteStall() {
  const auto exceeded = [this] {
    return allow_stall_.load(std::memory_order_relaxed) && enabled() &&
           IsStallThresholdExceeded();
  };
  if (exceeded()) return;
  engine::MutexLock lock(&stalled_->mu);
  if (!IsStallActive() || exceeded()) return;
  stall_active_.store(false, std::memory_order_relaxed);
  // Signalled under the lock: RemoveDBFromQueue must not return, and the
  // database die, while its Signal is still to come.
  for (StallInterface* stalled : stalled_->queue) stalled->Signal();
  stalled_->queue.clear();
}

void WriteBufferManager::RemoveDBFromQueue(StallInterface* wbm_stall) {
  assert(wbm_stall != nullptr);
  {
    engine::MutexLock lock(&stalled_->mu);
    std::erase(stalled_->queue, wbm_stall);
  }
  wbm_stall->Signal();
}

}  // namespace ROCKSDB_NAMESPACE
