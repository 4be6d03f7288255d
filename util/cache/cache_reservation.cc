#include "util/cache/cache_reservation.h"

#include <array>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Entries without an object; one static helper per role, as the cache asks.
const Cache::CacheItemHelper* HelperFor(CacheEntryRole role) {
  static constexpr auto kHelpers =
      []<size_t... kRole>(std::index_sequence<kRole...>) {
        return std::array{
            Cache::CacheItemHelper(static_cast<CacheEntryRole>(kRole))...};
      }(std::make_index_sequence<kNumCacheEntryRoles>());
  return &kHelpers[static_cast<size_t>(role)];
}

}  // namespace

CacheReservation::CacheReservation(std::shared_ptr<Cache> cache,
                                   CacheEntryRole role)
    : cache_(std::move(cache)),
      helper_(HelperFor(role)),
      id_(cache_->NewId()) {}

CacheReservation::~CacheReservation() {
  for (Cache::Handle* handle : handles_) {
    cache_->Release(handle, /*erase_if_last_ref=*/true);
  }
}

Status CacheReservation::Update(size_t bytes) {
  const size_t needed = (bytes + kEntrySize - 1) / kEntrySize;
  while (handles_.size() < needed) {
    char key[16];
    EncodeFixed64(key, id_);
    EncodeFixed64(key + 8, next_entry_++);
    Cache::Handle* handle = nullptr;
    const Status status = cache_->Insert(Slice(key, sizeof(key)), nullptr,
                                         helper_, kEntrySize, &handle);
    if (!status.ok()) return status;
    handles_.push_back(handle);
  }
  if (bytes > reserved_bytes() / 4 * 3) return Status::OK();
  while (handles_.size() > needed) {
    cache_->Release(handles_.back(), /*erase_if_last_ref=*/true);
    handles_.pop_back();
  }
  return Status::OK();
}

Status SharedReservation::Take(size_t bytes) {
  MutexLock lock(&mu_);
  const Status status = reservation_.Update(bytes_ + bytes);
  if (status.ok()) {
    bytes_ += bytes;
  } else {
    (void)reservation_.Update(bytes_);  // Gives back what it got.
  }
  return status;
}

void SharedReservation::TakeAnyway(size_t bytes) {
  MutexLock lock(&mu_);
  bytes_ += bytes;
  (void)reservation_.Update(bytes_);
}

void SharedReservation::Give(size_t bytes) {
  MutexLock lock(&mu_);
  bytes_ -= bytes;
  (void)reservation_.Update(bytes_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
