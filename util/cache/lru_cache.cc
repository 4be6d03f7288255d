#include "util/cache/lru_cache.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint32_t kInTable = LruEntry::kInTable;
constexpr uint32_t kOffQueue = LruEntry::kOffQueue;
constexpr uint32_t kHit = LruEntry::kHit;
constexpr uint32_t kReference = LruEntry::kReference;

}  // namespace

bool LruEntry::SetKey(const Slice& key) {
  assert(key.size() <= kCacheKeySizeMax);
  key_size = static_cast<uint16_t>(key.size());
  if (!KeyIsInside()) {
    outside = static_cast<char*>(std::malloc(key.size()));
    if (outside == nullptr) return false;
  }
  std::memcpy(KeyIsInside() ? inside : outside, key.data(), key.size());
  return true;
}

void LruEntry::FreeKey() {
  if (!KeyIsInside()) std::free(outside);
}

bool LruEntry::TryRef() {
  uint32_t before = state.load(std::memory_order_relaxed);
  while ((before & kInTable) != 0) {
    if (state.compare_exchange_weak(before, (before + kReference) | kHit,
                                    std::memory_order_acquire,
                                    std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

LruShard::~LruShard() {
  for (size_t i = 0; !tables_.empty() && i < BucketCount(); i++) {
    for (LruEntry* entry = table().buckets[i]; entry != nullptr;
         entry = entry->next_in_bucket) {
      config_.FreeObject(*entry);
      entry->FreeKey();
    }
  }
  for (const auto& table : tables_) {
    std::free(reinterpret_cast<void*>(table->buckets));
  }
}

void LruShard::Init(const Config& config) {
  SpinLock lock(&mu_);
  assert(tables_.empty());
  config_ = config;
  capacity_ = config.capacity;
  SetPoolCapacities();
  for (LruLinks& queue : queues_) queue.next = queue.prev = &queue;
  // Room for the capacity in blocks of 4 KiB. The pages of the table stay
  // untouched, and so cost nothing, until entries come.
  const size_t buckets =
      std::bit_ceil(std::clamp<size_t>(config.capacity >> 12, 64, 1u << 16));
  if (!SetTable(buckets)) throw std::bad_alloc();
}

// Empty, and of zeros that the system gives when they are first touched.
bool LruShard::SetTable(size_t buckets) {
  static_assert(std::atomic<LruEntry*>::is_always_lock_free &&
                sizeof(std::atomic<LruEntry*>) == sizeof(LruEntry*));
  assert(std::has_single_bit(buckets));  // A mask selects one.
  assert(tables_.empty() || buckets == 2 * BucketCount());
  auto table = std::make_unique<Table>();
  table->mask = buckets - 1;
  table->buckets =
      static_cast<Link*>(std::calloc(buckets, sizeof(std::atomic<LruEntry*>)));
  if (table->buckets == nullptr) return false;
  tables_.push_back(std::move(table));
  table_.store(tables_.back().get(), std::memory_order_release);
  return true;
}

LruEntry* LruShard::NewEntry(const Slice& key, uint64_t hash) {
  LruEntry* const entry = TakeEntry();
  if (entry == nullptr) return nullptr;
  if (!entry->SetKey(key)) {
    Discard(entry);
    return nullptr;
  }
  entry->hash.store(hash, std::memory_order_relaxed);
  return entry;
}

LruEntry* LruShard::TakeEntry() {
  SpinLock lock(&free_mu_);
  if (free_ == nullptr) {
    std::unique_ptr<LruEntry[]> slab(new (std::nothrow) LruEntry[kSlabEntries]);
    if (slab == nullptr) return nullptr;
    for (size_t i = 0; i < kSlabEntries; i++) {
      slab[i].next = free_;
      free_ = &slab[i];
    }
    slabs_.push_back(std::move(slab));
  }
  auto* const entry = static_cast<LruEntry*>(free_);
  free_ = entry->next;
  assert(entry->IsFree());  // (1)
  return entry;
}

void LruShard::Discard(LruEntry* entry) {
  assert(entry->IsFree());  // (1)
  SpinLock lock(&free_mu_);
  entry->next = free_;
  free_ = entry;
}

void LruShard::SetPoolCapacities() {
  const double capacity = static_cast<double>(capacity_);
  pool_capacity_[kHigh] =
      static_cast<size_t>(capacity * config_.high_pool_ratio);
  pool_capacity_[kLow] = static_cast<size_t>(capacity * config_.low_pool_ratio);
}

size_t LruShard::TotalCharge(const LruEntry* entry) const {
  if (!config_.charge_metadata) return entry->charge;
  return entry->charge + sizeof(LruEntry) +
         (entry->KeyIsInside() ? 0 : LongKeyCharge(entry->key_size));
}

void LruShard::FreeAll(Dead dead) {
  for (LruEntry* entry = dead.evicted; entry != nullptr;) {
    auto* const next = static_cast<LruEntry*>(entry->next);
    const uint32_t state = entry->state.load(std::memory_order_relaxed);
    if (config_.Offer(entry, (state & kHit) != 0)) {
      entry->FreeKey();
      Discard(entry);
    } else {
      dead.Add(entry, Why::kErased);
    }
    entry = next;
  }
  for (LruEntry* entry = dead.erased; entry != nullptr;) {
    auto* const next = static_cast<LruEntry*>(entry->next);
    config_.FreeObject(*entry);
    entry->FreeKey();
    Discard(entry);
    entry = next;
  }
}

LruShard::Link* LruShard::FindSlot(const Slice& key, uint64_t hash) {
  Link* slot = &table().At(hash);
  for (;;) {
    const LruEntry* const entry = slot->load(std::memory_order_relaxed);
    if (entry == nullptr || (entry->hash == hash && entry->key() == key)) {
      return slot;
    }
    slot = const_cast<Link*>(&entry->next_in_bucket);
  }
}

void LruShard::RemoveFromTable(LruEntry* entry) {
  Link* slot = &table().At(entry->hash);
  while (*slot != entry) {
    assert(*slot != nullptr);
    slot = &slot->load()->next_in_bucket;
  }
  // `entry` keeps its link: a reader without the lock can still follow it.
  slot->store(entry->next_in_bucket, std::memory_order_release);
  assert(entry_count_ > 0);
  entry_count_--;
}

void LruShard::GrowTable() {
  const Table& old = table();
  if (BucketCount() >= (size_t{1} << 31)) return;
  // Longer chains are better than failing.
  if (!SetTable(2 * BucketCount())) return;
  for (size_t i = 0; i <= old.mask; i++) {
    for (LruEntry* entry = old.buckets[i]; entry != nullptr;) {
      LruEntry* const next = entry->next_in_bucket;
      Link& slot = table().At(entry->hash);
      entry->next_in_bucket.store(slot, std::memory_order_relaxed);
      slot.store(entry, std::memory_order_release);
      entry = next;
    }
  }
}

// The highest pool that exists and that the entry deserves.
uint32_t LruShard::PoolFor(uint32_t priority, bool hit) const {
  const auto wanted = static_cast<Cache::Priority>(priority);
  if (config_.high_pool_ratio > 0 && (hit || wanted == Cache::Priority::HIGH)) {
    return kHigh;
  }
  if (config_.low_pool_ratio > 0 &&
      (hit || wanted != Cache::Priority::BOTTOM)) {
    return kLow;
  }
  return kBottom;
}

void LruShard::Enqueue(LruEntry* entry, uint32_t pool) {
  assert(pool < kPools);
  LruLinks* const queue = &queues_[pool];
  entry->next = queue->next;
  entry->prev = queue;
  entry->next->prev = entry;
  queue->next = entry;
  entry->pool = static_cast<uint8_t>(pool);
  pool_usage_[pool] += TotalCharge(entry);
  if (pool != kBottom) SpillFrom(pool);
}

void LruShard::Dequeue(LruEntry* entry) {
  assert(entry->next->prev == entry && entry->prev->next == entry);
  assert(pool_usage_[entry->pool] >= TotalCharge(entry));
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  pool_usage_[entry->pool] -= TotalCharge(entry);
}

void LruShard::SpillFrom(uint32_t pool) {
  const uint32_t lower =
      pool == kHigh && config_.low_pool_ratio > 0 ? kLow : kBottom;
  while (pool_usage_[pool] > pool_capacity_[pool]) {
    assert(queues_[pool].prev != &queues_[pool]);
    auto* const oldest = static_cast<LruEntry*>(queues_[pool].prev);
    Dequeue(oldest);
    Enqueue(oldest, lower);
  }
}

void LruShard::Detach(LruEntry* entry, Why why, Dead* dead) {
  RemoveFromTable(entry);
  uint32_t state = entry->state.load(std::memory_order_acquire);
  assert((state & kInTable) != 0);
  if ((state & kOffQueue) == 0) Dequeue(entry);
  // Users may come and go without the lock; none comes from now on.
  while (!entry->state.compare_exchange_weak(
      state, (state & ~kInTable) | kOffQueue, std::memory_order_acq_rel)) {
  }
  if (LruEntry::InUse(state)) {
    detached_usage_ += TotalCharge(entry);
    assert(detached_usage_ <= usage());  // (4)
    return;
  }
  SubUsage(TotalCharge(entry));
  dead->Add(entry, why);
}

void LruShard::EvictFor(size_t charge, Dead* dead) {
  // Bounds the time under the lock when every entry has been hit.
  constexpr int kSecondLivesMax = 32;
  int second_lives = 0;
  uint32_t pool = kBottom;
  while (usage() + charge > capacity_) {
    while (pool < kPools && queues_[pool].prev == &queues_[pool]) pool++;
    if (pool == kPools) return;
    auto* const entry = static_cast<LruEntry*>(queues_[pool].prev);
    uint32_t state = entry->state.load(std::memory_order_acquire);
    assert((state & (kInTable | kOffQueue)) == kInTable);  // (3)
    if (LruEntry::InUse(state)) {
      if (entry->state.compare_exchange_strong(state, state | kOffQueue,
                                               std::memory_order_acq_rel)) {
        Dequeue(entry);
      }
      continue;
    }
    if ((state & kHit) != 0 && second_lives < kSecondLivesMax) {
      second_lives++;
      entry->state.fetch_and(~kHit, std::memory_order_relaxed);
      Dequeue(entry);
      Enqueue(entry, PoolFor(entry->priority, /*hit=*/true));
      pool = kBottom;  // Linking may have spilled.
      continue;
    }
    Detach(entry, Why::kEvicted, dead);
  }
}

// Into table and queue. Was there another one of its key?
bool LruShard::Add(LruEntry* entry, bool full, bool held, Dead* dead) {
  LruEntry* const old = *FindSlot(entry->key(), entry->hash);
  if (old != nullptr) Detach(old, Why::kErased, dead);
  uint32_t state = kInTable;
  if (held) state |= kReference;
  if (full) {
    state |= kOffQueue;  // So that its release sees the shard again.
  } else {
    Enqueue(entry, PoolFor(entry->priority, /*hit=*/false));
  }
  entry->state.store(state, std::memory_order_release);
  Link& slot = table().At(entry->hash);
  entry->next_in_bucket.store(slot, std::memory_order_relaxed);
  slot.store(entry, std::memory_order_release);
  AddUsage(TotalCharge(entry));
  if (++entry_count_ >= BucketCount()) GrowTable();
  return old != nullptr;
}

Status LruShard::Insert(LruEntry* entry, Cache::Priority priority,
                        LruEntry** handle) {
  assert(entry->IsFree());  // (1): no other thread can refer to it.
  entry->priority = static_cast<uint8_t>(priority);
  const size_t charge = TotalCharge(entry);
  bool overwritten = false;
  bool refused = false;
  Dead dead;
  {
    SpinLock lock(&mu_);
    EvictFor(charge, &dead);
    const bool full = usage() + charge > capacity_;
    if (full && handle == nullptr) {
      // As if it had been inserted and evicted at once.
      LruEntry* const old = *FindSlot(entry->key(), entry->hash);
      if (old != nullptr) Detach(old, Why::kErased, &dead);
      entry->state.store(0, std::memory_order_relaxed);
      dead.Add(entry, Why::kEvicted);
    } else if (full && config_.strict_capacity_limit) {
      refused = true;
    } else {
      overwritten = Add(entry, full, handle != nullptr, &dead);
    }
  }
  FreeAll(dead);
  if (refused) {
    entry->FreeKey();
    Discard(entry);
    return Status::MemoryLimit("Insert failed due to LRU cache being full.");
  }
  if (handle != nullptr) *handle = entry;
  return overwritten ? Status::OkOverwritten() : Status::OK();
}

// Null: not found, or led astray.
LruEntry* LruShard::LookupUnlocked(const Slice& key, uint64_t hash) {
  // A chain this long is not one chain.
  constexpr int kStepsMax = 16;
  LruEntry* entry = table().At(hash).load(std::memory_order_acquire);
  for (int i = 0; entry != nullptr && i < kStepsMax; i++) {
    if (entry->hash.load(std::memory_order_relaxed) == hash) {
      if (!entry->TryRef()) return nullptr;
      if (entry->hash == hash && SameCacheKey(entry->key(), key)) return entry;
      Release(entry, /*erase_if_last_ref=*/false);
      return nullptr;
    }
    entry = entry->next_in_bucket.load(std::memory_order_acquire);
  }
  return nullptr;
}

LruEntry* LruShard::Lookup(const Slice& key, uint64_t hash) {
  if (LruEntry* const entry = LookupUnlocked(key, hash)) return entry;
  SpinLock lock(&mu_);
  LruEntry* const entry = *FindSlot(key, hash);
  if (entry != nullptr) {
    [[maybe_unused]] const bool referred = entry->TryRef();
    assert(referred);  // It cannot leave the table under the lock.
  }
  return entry;
}

bool LruShard::Release(LruEntry* entry, bool erase_if_last_ref) {
  uint32_t state = entry->state.load(std::memory_order_relaxed);
  for (;;) {
    assert(LruEntry::InUse(state));
    const bool last = state < 2 * kReference;
    if (last && (erase_if_last_ref || (state & kOffQueue) != 0)) {
      return ReleaseSlow(entry, erase_if_last_ref);
    }
    if (entry->state.compare_exchange_weak(state, state - kReference,
                                           std::memory_order_release,
                                           std::memory_order_relaxed)) {
      return false;
    }
  }
}

bool LruShard::ReleaseSlow(LruEntry* entry, bool erase) {
  Dead dead;
  {
    SpinLock lock(&mu_);
    const uint32_t state =
        entry->state.fetch_sub(kReference, std::memory_order_acq_rel) -
        kReference;
    if (LruEntry::InUse(state)) return false;
    if ((state & kInTable) == 0) {
      assert((state & kOffQueue) != 0);  // (3)
      const size_t charge = TotalCharge(entry);
      assert(charge <= detached_usage_);  // (4)
      detached_usage_ -= charge;
      SubUsage(charge);
      dead.Add(entry, Why::kErased);
    } else if (erase || usage() > capacity_) {
      Detach(entry, erase ? Why::kErased : Why::kEvicted, &dead);
    } else if ((state & kOffQueue) != 0) {
      entry->state.fetch_and(~kOffQueue, std::memory_order_relaxed);
      Enqueue(entry, PoolFor(entry->priority, (state & kHit) != 0));
    }
  }
  const bool deleted = !dead.empty();
  FreeAll(dead);
  return deleted;
}

void LruShard::Erase(const Slice& key, uint64_t hash) {
  Dead dead;
  {
    SpinLock lock(&mu_);
    LruEntry* const entry = *FindSlot(key, hash);
    if (entry != nullptr) Detach(entry, Why::kErased, &dead);
  }
  FreeAll(dead);
}

void LruShard::EraseUnused() {
  Dead dead;
  {
    SpinLock lock(&mu_);
    for (LruLinks& queue : queues_) {
      for (LruLinks* link = queue.prev; link != &queue;) {
        auto* const entry = static_cast<LruEntry*>(link);
        link = link->prev;
        const uint32_t state = entry->state.load(std::memory_order_acquire);
        if (!LruEntry::InUse(state)) Detach(entry, Why::kErased, &dead);
      }
    }
  }
  FreeAll(dead);
}

// In steps, so that readers that miss do not wait for all of it.
void LruShard::SetCapacity(size_t capacity) {
  constexpr size_t kStepBytes = size_t{4} << 20;
  for (bool more = true; more;) {
    Dead dead;
    {
      SpinLock lock(&mu_);
      const size_t used = usage();
      more = used > kStepBytes && used - kStepBytes > capacity;
      capacity_ = more ? used - kStepBytes : capacity;
      SetPoolCapacities();
      SpillFrom(kHigh);
      SpillFrom(kLow);
      EvictFor(0, &dead);
      if (dead.empty()) {
        capacity_ = capacity;
        SetPoolCapacities();
        SpillFrom(kHigh);
        SpillFrom(kLow);
        more = false;
      }
    }
    FreeAll(dead);
  }
}

void LruShard::SetStrictCapacityLimit(bool strict) {
  SpinLock lock(&mu_);
  config_.strict_capacity_limit = strict;
}

size_t LruShard::PinnedUsage() {
  SpinLock lock(&mu_);
  size_t pinned = detached_usage_;
  for (size_t i = 0; i < BucketCount(); i++) {
    for (const LruEntry* entry = table().buckets[i]; entry != nullptr;
         entry = entry->next_in_bucket) {
      if (LruEntry::InUse(entry->state.load(std::memory_order_relaxed))) {
        pinned += TotalCharge(entry);
      }
    }
  }
  assert(pinned <= usage());  // (4)
  return pinned;
}

size_t LruShard::EntryCount() {
  SpinLock lock(&mu_);
  return entry_count_;
}

bool LruShard::RefSome(size_t count, size_t* bucket,
                       std::vector<LruEntry*>* entries) {
  SpinLock lock(&mu_);
  while (*bucket < BucketCount() && entries->size() < count) {
    for (LruEntry* entry = table().buckets[*bucket]; entry != nullptr;
         entry = entry->next_in_bucket) {
      entry->state.fetch_add(kReference, std::memory_order_relaxed);
      entries->push_back(entry);
    }
    (*bucket)++;
  }
  return *bucket < BucketCount();
}

namespace {

LruShard::Config ConfigOf(const LRUCacheOptions& options) {
  LruShard::Config config;
  config.high_pool_ratio = options.high_pri_pool_ratio;
  config.low_pool_ratio = options.low_pri_pool_ratio;
  return config;
}

}  // namespace

LruCache::LruCache(const LRUCacheOptions& options, int shard_bits)
    : ShardedCache(options, shard_bits, "LRUCache", ConfigOf(options)),
      high_pri_pool_ratio_(options.high_pri_pool_ratio),
      low_pri_pool_ratio_(options.low_pri_pool_ratio) {}

std::string LruCache::GetPrintableOptions() const {
  return ShardedCache::GetPrintableOptions() +
         "    high_pri_pool_ratio: " + std::to_string(high_pri_pool_ratio_) +
         "\n    low_pri_pool_ratio: " + std::to_string(low_pri_pool_ratio_) +
         "\n";
}

}  // namespace ROCKSDB_NAMESPACE::engine
