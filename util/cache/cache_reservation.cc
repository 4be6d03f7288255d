#include "util/cache/cache_reservation.h"

#include <array>
#include <cassert>
#include <map>
#include <utility>

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
  if (IsKept(reserved_bytes(), bytes)) return Status::OK();
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
  ShrinkTo(needed * kEntrySize);
  assert(IsKept(reserved_bytes(), bytes));
  return Status::OK();
}

void CacheReservation::ShrinkTo(size_t bytes) {
  while (reserved_bytes() > bytes) {
    cache_->Release(handles_.back(), /*erase_if_last_ref=*/true);
    handles_.pop_back();
  }
}

Status SharedReservation::Take(size_t bytes) {
  MutexLock lock(&mu_);
  const size_t before = reservation_.reserved_bytes();
  const Status status = reservation_.Update(bytes_ + bytes);
  if (status.ok()) {
    bytes_ += bytes;
  } else {
    reservation_.ShrinkTo(before);  // Update(bytes_) might keep what it got.
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
  assert(bytes <= bytes_);
  bytes_ -= bytes;
  (void)reservation_.Update(bytes_);
}

std::shared_ptr<UsageCharge> UsageCharge::Of(
    const std::shared_ptr<Cache>& cache,
    const std::shared_ptr<Cache>& charge_to, CacheEntryRole role) {
  using Pair = std::pair<const Cache*, const Cache*>;
  // Never destroyed: a database may be closed when the process ends.
  static auto* const mu = new Mutex;
  static auto* const charges = new std::map<Pair, std::weak_ptr<UsageCharge>>;
  if (cache == nullptr || charge_to == nullptr || cache == charge_to) {
    return nullptr;
  }
  MutexLock lock(mu);
  std::erase_if(*charges,
                [](const auto& known) { return known.second.expired(); });
  std::weak_ptr<UsageCharge>& known =
      (*charges)[Pair(cache.get(), charge_to.get())];
  std::shared_ptr<UsageCharge> charge = known.lock();
  if (charge == nullptr) {
    charge = std::make_shared<UsageCharge>(cache, charge_to, role);
    known = charge;
  }
  return charge;
}

void UsageCharge::Follow() {
  const size_t used = cache_->GetUsage();
  if (CacheReservation::IsKept(reserved_bytes_.load(std::memory_order_relaxed),
                               used)) {
    return;
  }
  MutexLock lock(&mu_);
  (void)reservation_.Update(used);
  reserved_bytes_.store(reservation_.reserved_bytes(),
                        std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE::engine
