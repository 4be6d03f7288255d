#include "util/cache/clock_cache.h"

#include <algorithm>
#include <cassert>
#include <new>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// An entry, and what it takes of a table that is half full.
constexpr size_t kEntryBytes = sizeof(ClockEntry) + 2 * sizeof(uint64_t);

uint64_t LivesOf(Cache::Priority priority) {
  return priority == Cache::Priority::HIGH ? 2 : 0;
}

}  // namespace

ClockShard::~ClockShard() {
  for (uint32_t i = 0; i < pool_.size(); i++) {
    ClockEntry& entry = pool_.At(i);
    if ((entry.meta.load() & ClockEntry::kLive) == 0) continue;
    config_.FreeObject(entry);
    entry.FreeKey();
  }
}

void ClockShard::Init(const Config& config) {
  config_ = config;
  capacity_.store(config.capacity, std::memory_order_relaxed);
  strict_.store(config.strict_capacity_limit, std::memory_order_relaxed);
  // Without an estimate, room for blocks of 4 KiB. What is not used of the
  // table is not touched, and costs nothing.
  const size_t entries =
      config.estimated_entry_charge > 0
          ? config.capacity /
                std::max<size_t>(config.estimated_entry_charge, 64)
          : std::min<size_t>(config.capacity >> 12, 1u << 15);
  if (!table_.Init(entries) && !table_.Init(0)) throw std::bad_alloc();
}

size_t ClockShard::TotalCharge(const ClockEntry* entry) const {
  if (!config_.charge_metadata) return entry->charge;
  return entry->charge + kEntryBytes +
         (entry->key_is_outside == 0 ? 0 : LongKeyCharge(entry->key().size()));
}

ClockEntry* ClockShard::NewEntry(const Slice& key, uint64_t hash) {
  ClockEntry* const entry = pool_.Take();
  if (entry == nullptr) return nullptr;
  if (!entry->SetKey(key)) {
    pool_.Give(entry);
    return nullptr;
  }
  entry->hash = hash;
  return entry;
}

void ClockShard::TakeOut(const ClockEntry& entry) {
  assert(!entry.IsLive());  // (3): claimed, and not given back yet.
  table_.Remove(entry);
  const size_t charge = TotalCharge(&entry);
  [[maybe_unused]] const size_t before =
      usage_.fetch_sub(charge, std::memory_order_relaxed);
  assert(charge <= before);  // (1)
}

void ClockShard::Discard(ClockEntry* entry) {
  entry->FreeKey();
  pool_.Give(entry);
}

void ClockShard::Evict(ClockEntry* entry, uint64_t was) {
  TakeOut(*entry);
  const bool was_hit = (was & (ClockEntry::kWasHit | ClockEntry::kHits)) != 0;
  if (!config_.Offer(entry, was_hit)) config_.FreeObject(*entry);
  Discard(entry);
}

void ClockShard::Free(ClockEntry* entry) {
  TakeOut(*entry);
  config_.FreeObject(*entry);
  Discard(entry);
}

void ClockShard::Visit(ClockEntry* entry, Effort* effort) {
  // Bounds the time of an insertion when every entry has been hit.
  constexpr uint64_t kKeptMax = 256;
  uint64_t meta = entry->meta.load(std::memory_order_relaxed);
  // A hidden entry is its last user's to free.
  if ((meta & ClockEntry::kVisible) == 0) return;
  if (ClockEntry::InUse(meta)) {
    effort->in_use++;
    if ((meta & ClockEntry::kWatched) == 0) {
      // If it has changed meanwhile, it is watched the next time.
      if (!entry->meta.compare_exchange_strong(
              meta, meta | ClockEntry::kWatched, std::memory_order_relaxed)) {
        NoteChange();
      }
    }
    return;
  }
  if (effort->thorough) NoteChange();
  const uint64_t hits = ClockEntry::HitsIn(meta);
  const uint64_t lives =
      std::min(ClockEntry::kLivesMax,
               ((meta & ClockEntry::kLives) >> ClockEntry::kLivesShift) + hits);
  if (lives > 0 && effort->kept < kKeptMax) {
    uint64_t after = meta & ~(ClockEntry::kHits | ClockEntry::kLives);
    after |= (lives - 1) << ClockEntry::kLivesShift;
    if (hits > 0) after |= ClockEntry::kWasHit;
    // If it has just been hit, it is not for now.
    (void)entry->meta.compare_exchange_strong(meta, after,
                                              std::memory_order_relaxed);
    effort->kept++;
    return;
  }
  if (!entry->Claim(ClockEntry::kVisible, &meta)) return;
  effort->evicted++;
  effort->kept = 0;
  Evict(entry, meta);
}

bool ClockShard::Turn(Effort* effort) {
  const uint64_t size = pool_.size();
  if (size == 0) return false;
  // More than one at a time where that is a small part of all: fewer threads
  // write the hand, and evict a little more than they need.
  const uint64_t step = std::clamp<uint64_t>(size / 256, 1, 4);
  const uint64_t from = hand_.fetch_add(step, std::memory_order_relaxed);
  for (uint64_t i = 0; i < step; i++) {
    Visit(&pool_.At(static_cast<uint32_t>((from + i) % size)), effort);
  }
  effort->steps += step;
  // After so many turns even what came with all lives has none.
  if (effort->steps > size * (ClockEntry::kLivesMax + 2)) return false;
  return effort->thorough ||
         effort->in_use <= config_.effort_cap * (effort->evicted + 1);
}

bool ClockShard::IsHopeless(uint64_t from, uint64_t changes) {
  if (changes_.load(std::memory_order_acquire) != changes) return false;
  if (hopeless_at_.load(std::memory_order_relaxed) == changes) return true;
  if (hand_.load(std::memory_order_relaxed) - from < pool_.size()) return false;
  hopeless_at_.store(changes, std::memory_order_relaxed);
  return true;
}

bool ClockShard::Reserve(size_t charge) {
  Effort effort;
  effort.thorough = strict_.load(std::memory_order_relaxed);
  const uint64_t changes = changes_.load(std::memory_order_acquire);
  const uint64_t from = hand_.load(std::memory_order_relaxed);
  size_t used = usage();
  for (;;) {
    const size_t capacity = capacity_.load(std::memory_order_relaxed);
    if (charge > capacity) return false;
    if (used <= capacity - charge) {
      if (usage_.compare_exchange_weak(used, used + charge,
                                       std::memory_order_relaxed)) {
        return true;
      }
      continue;
    }
    const bool more =
        !(effort.thorough && IsHopeless(from, changes)) && Turn(&effort);
    used = usage();
    if (!more && used > capacity - charge) return false;
  }
}

bool ClockShard::HideAll(const Slice& key, uint64_t hash) {
  bool found = false;
  table_.Search(hash, [&](ClockEntry* entry) {
    if (entry->RefAsHit() && SameCacheKey(entry->key(), key)) {
      entry->Hide();
      found = true;
    }
    Release(entry, /*erase_if_last_ref=*/false);
    return false;
  });
  return found;
}

Status ClockShard::Insert(ClockEntry* entry, Cache::Priority priority,
                          ClockEntry** handle) {
  const size_t charge = TotalCharge(entry);
  const bool fits = Reserve(charge);
  if (!fits && handle != nullptr && strict_.load(std::memory_order_relaxed)) {
    Discard(entry);
    return Status::MemoryLimit("Insert failed due to clock cache being full.");
  }
  const bool overwritten = HideAll(entry->key(), entry->hash);
  if (!fits && handle == nullptr) {
    // As if it had been inserted and evicted at once.
    if (!config_.Offer(entry, /*was_hit=*/false)) config_.FreeObject(*entry);
    Discard(entry);
    return Status::OK();
  }
  if (!fits) usage_.fetch_add(charge, std::memory_order_relaxed);
  entry->Publish(LivesOf(priority));
  if (strict_.load(std::memory_order_relaxed)) NoteChange();
  if (!fits) {
    entry->meta.fetch_or(ClockEntry::kWatched, std::memory_order_relaxed);
  }
  // Without a word it lives as long as its handle.
  if (!table_.Put(*entry)) entry->Hide();
  table_.MoveSome([this](ClockEntry* moved) {
    Release(moved, /*erase_if_last_ref=*/false);
  });
  if (handle != nullptr) {
    *handle = entry;
  } else {
    Release(entry, /*erase_if_last_ref=*/false);
  }
  return overwritten ? Status::OkOverwritten() : Status::OK();
}

ClockEntry* ClockShard::Lookup(const Slice& key, uint64_t hash) {
  ClockEntry* found = nullptr;
  table_.Search(hash, [&](ClockEntry* entry) {
    if (entry->RefAsHit() && SameCacheKey(entry->key(), key)) [[likely]] {
      found = entry;
      return true;
    }
    Release(entry, /*erase_if_last_ref=*/false);
    return false;
  });
  return found;
}

// The last reference of a hidden or watched entry has been given back, or one
// that a reader took before it saw that the entry is not visible.
bool ClockShard::ReleaseSlow(ClockEntry* entry) {
  uint64_t was = entry->meta.load(std::memory_order_relaxed);
  if ((was & ClockEntry::kLive) == 0) return false;
  if ((was & ClockEntry::kVisible) == 0) {
    if (!entry->Claim(0, &was)) return false;
    Free(entry);
    return true;
  }
  if (!IsTooFull()) {
    entry->meta.fetch_and(~ClockEntry::kWatched, std::memory_order_relaxed);
    NoteChange();
    return false;
  }
  if (!entry->Claim(ClockEntry::kVisible, &was)) return false;
  Evict(entry, was);
  return true;
}

bool ClockShard::ReleaseErasing(ClockEntry* entry) {
  uint64_t before = entry->meta.load(std::memory_order_relaxed);
  for (;;) {
    // (2): the caller's reference keeps it from being claimed.
    assert(ClockEntry::InUse(before) && (before & ClockEntry::kLive) != 0);
    const bool last =
        (before & ClockEntry::kReferences) == ClockEntry::kReference;
    const uint64_t after = last ? 0 : before - ClockEntry::kReference;
    if (!entry->meta.compare_exchange_weak(before, after,
                                           std::memory_order_acq_rel,
                                           std::memory_order_relaxed)) {
      continue;
    }
    if (last) Free(entry);
    return last;
  }
}

void ClockShard::EraseUnused() {
  for (uint32_t i = 0; i < pool_.size(); i++) {
    uint64_t was = 0;
    if (pool_.At(i).Claim(ClockEntry::kVisible, &was)) Free(&pool_.At(i));
  }
}

void ClockShard::SetCapacity(size_t capacity) {
  capacity_.store(capacity, std::memory_order_relaxed);
  Effort effort;
  effort.thorough = true;
  while (IsTooFull() && Turn(&effort)) {
  }
}

size_t ClockShard::PinnedUsage() {
  size_t pinned = 0;
  for (uint32_t i = 0; i < pool_.size(); i++) {
    ClockEntry& entry = pool_.At(i);
    if (!ClockEntry::InUse(entry.meta.load(std::memory_order_relaxed)) ||
        !entry.RefIfLive()) {
      continue;
    }
    pinned += TotalCharge(&entry);
    Release(&entry, /*erase_if_last_ref=*/false);
  }
  return pinned;
}

bool ClockShard::RefSome(size_t count, size_t* position,
                         std::vector<ClockEntry*>* entries) {
  const size_t size = pool_.size();
  for (; *position < size && entries->size() < count; (*position)++) {
    ClockEntry& entry = pool_.At(static_cast<uint32_t>(*position));
    const uint64_t meta = entry.meta.load(std::memory_order_relaxed);
    if ((meta & ClockEntry::kVisible) == 0 || !entry.RefIfLive()) continue;
    entries->push_back(&entry);
  }
  return *position < size;
}

namespace {

ClockShard::Config ConfigOf(const HyperClockCacheOptions& options) {
  ClockShard::Config config;
  config.estimated_entry_charge = options.estimated_entry_charge;
  config.effort_cap =
      static_cast<uint64_t>(std::max(1, options.eviction_effort_cap));
  return config;
}

}  // namespace

ClockCache::ClockCache(const HyperClockCacheOptions& options, int shard_bits)
    : ShardedCache(options, shard_bits, "HyperClockCache", ConfigOf(options)),
      estimated_entry_charge_(options.estimated_entry_charge),
      eviction_effort_cap_(options.eviction_effort_cap) {}

std::string ClockCache::GetPrintableOptions() const {
  return ShardedCache::GetPrintableOptions() + "    estimated_entry_charge : " +
         std::to_string(estimated_entry_charge_) +
         "\n    eviction_effort_cap : " + std::to_string(eviction_effort_cap_) +
         "\n";
}

}  // namespace ROCKSDB_NAMESPACE::engine
