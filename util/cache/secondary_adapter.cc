#include "util/cache/secondary_adapter.h"

#include <algorithm>
#include <cassert>

#include "rocksdb/statistics.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

void CountHit(const Cache::CacheItemHelper& helper, Statistics* stats) {
  PerfAdd<&PerfContext::secondary_cache_hit_count>();
  if (stats == nullptr) return;
  RecordTick(stats, SECONDARY_CACHE_HITS);
  switch (helper.role) {
    case CacheEntryRole::kFilterBlock:
    case CacheEntryRole::kFilterMetaBlock:
      RecordTick(stats, SECONDARY_CACHE_FILTER_HITS);
      break;
    case CacheEntryRole::kIndexBlock:
      RecordTick(stats, SECONDARY_CACHE_INDEX_HITS);
      break;
    case CacheEntryRole::kDataBlock:
      RecordTick(stats, SECONDARY_CACHE_DATA_HITS);
      break;
    default:
      break;
  }
}

}  // namespace

SecondaryAdapter::SecondaryAdapter(std::shared_ptr<Cache> first,
                                   std::shared_ptr<SecondaryCache> second,
                                   TieredAdmissionPolicy policy)
    : CacheWrapper(std::move(first)),
      second_(std::move(second)),
      policy_(policy) {
  target_->SetEvictionCallback(
      [this](const Slice& key, Handle* handle, bool was_hit) {
        return OnEvicted(key, handle, was_hit);
      });
}

std::string SecondaryAdapter::GetPrintableOptions() const {
  return target_->GetPrintableOptions() +
         "    secondary_cache : " + second_->Name() + "\n" +
         second_->GetPrintableOptions();
}

bool SecondaryAdapter::OnEvicted(const Slice& key, Handle* handle,
                                 bool was_hit) {
  const CacheItemHelper* const helper = target_->GetCacheItemHelper(handle);
  assert(helper != nullptr);
  if (!helper->IsSecondaryCacheCompatible()) return false;
  const TieredAdmissionPolicy policy = policy_.load(std::memory_order_relaxed);
  const bool force = policy == kAdmPolicyAllowAll ||
                     (policy == kAdmPolicyAllowCacheHits && was_hit);
  // It is only an offer: what is not taken is read again from its file.
  (void)second_->Insert(key, target_->Value(handle), helper, force);
  return false;
}

Cache::Handle* SecondaryAdapter::Lookup(const Slice& key,
                                        const CacheItemHelper* helper,
                                        CreateContext* create_context,
                                        Priority priority, Statistics* stats) {
  if (Handle* const hit =
          target_->Lookup(key, helper, create_context, priority, stats)) {
    return hit;
  }
  if (helper == nullptr || !helper->IsSecondaryCacheCompatible()) {
    return nullptr;
  }
  bool kept = false;
  const auto result =
      second_->Lookup(key, helper, create_context, /*wait=*/true,
                      /*advise_erase=*/true, stats, kept);
  if (result == nullptr) return nullptr;
  if (!result->IsReady()) result->Wait();
  const ObjectPtr object = result->Value();
  if (object == nullptr) return nullptr;
  CountHit(*helper, stats);
  Handle* handle = nullptr;
  const Status status =
      target_->Insert(key, object, helper, result->Size(), &handle, priority);
  if (status.ok()) return handle;
  // A full strict cache: the reader is refused as if there were one tier.
  if (helper->del_cb != nullptr) helper->del_cb(object, memory_allocator());
  return nullptr;
}

void SecondaryAdapter::Erase(const Slice& key) {
  target_->Erase(key);
  second_->Erase(key);
}

void SecondaryAdapter::Divide() {
  assert(shared_ && 0.0 <= split_.ratio && split_.ratio <= 1.0);
  const auto part =
      static_cast<size_t>(static_cast<double>(split_.capacity) * split_.ratio);
  (void)second_->SetCapacity(part);
  target_->SetCapacity(split_.capacity - part);
}

void SecondaryAdapter::Share(const Split& split) {
  MutexLock lock(&mu_);
  shared_ = true;
  split_ = split;
  Divide();
}

SecondaryAdapter::Split SecondaryAdapter::split() const {
  MutexLock lock(&mu_);
  return split_;
}

void SecondaryAdapter::SetCapacity(size_t capacity) {
  MutexLock lock(&mu_);
  if (!shared_) return target_->SetCapacity(capacity);
  split_.capacity = capacity;
  Divide();
}

size_t SecondaryAdapter::GetCapacity() const {
  MutexLock lock(&mu_);
  return shared_ ? split_.capacity : target_->GetCapacity();
}

Status SecondaryAdapter::GetSecondaryCacheCapacity(size_t& capacity) const {
  return second_->GetCapacity(capacity);
}

std::shared_ptr<Cache> WithSecondary(std::shared_ptr<Cache> first,
                                     const ShardedCacheOptions& options) {
  if (first == nullptr || options.secondary_cache == nullptr) return first;
  return std::make_shared<SecondaryAdapter>(
      std::move(first), options.secondary_cache, kAdmPolicyPlaceholder);
}

}  // namespace ROCKSDB_NAMESPACE::engine
