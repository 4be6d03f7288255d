// ClockCache: a cache without locks. Hits, misses, insertions and evictions of
// any number of threads run concurrently.
//
// Place. Made for HyperClockCacheOptions (cache_factory.cc); reached only
// through the public Cache interface. This is the shard: clock_pool.h has its
// entries, clock_table.h finds them, sharded_cache.h makes a cache of many.
//
// Model. A hand goes round over the entries of the pool, a few at a time, while
// room is needed. What has been hit since it came by the last time gets lives,
// up to three; what has lives loses one; what has none and is not in use is
// evicted. High priority is two lives to begin with. Any other entry has none:
// it takes the place of one that was evicted a moment ago, behind the hand, so
// that it has about a turn to be hit; a life more would cost hits, because
// most entries are never used again.
//
//        hand -->
//   | a | b | c | d | e |      b: 1 hit -> kept    c: 0 lives -> evicted
//
// Room is reserved before an entry comes, by one compare-and-swap on the usage;
// a thread that finds too little turns the hand. If nothing can be evicted, or
// too much of what the hand meets is in use (eviction_effort_cap), an insertion
// without a handle is dropped, one with a handle goes over the capacity or,
// under a strict limit, is refused. What is in use when the hand comes by, or
// came over the capacity, is watched: its last release evicts it if the cache
// is too full then.
//
// Two threads that insert one key at once may both have it in the table; a
// lookup finds one of them, Erase() takes both out.
//
// Invariants:
//   (1) usage = charges of all live entries, and of those about to come.
//   (2) An entry in use is never freed: claiming needs a word without
//       references. It is hidden and freed by its last user.
//   (3) A claimed entry's word goes before the entry is given back.
//
// Threads. Thread-safe. Nothing waits: a thread that stops anywhere keeps from
// others the entry it works on and, amidst a move of the table, its next
// growth: what then finds the table full goes with its last handle.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "util/cache/clock_pool.h"
#include "util/cache/clock_table.h"
#include "util/cache/sharded_cache.h"
#include "util/core_local.h"

namespace ROCKSDB_NAMESPACE::engine {

class alignas(kCacheLineSize) ClockShard {
 public:
  using Entry = ClockEntry;
  struct Config : ShardConfig {
    size_t estimated_entry_charge = 0;
    uint64_t effort_cap = 1;
  };

  ClockShard() = default;
  ~ClockShard();
  ClockShard(const ClockShard&) = delete;
  ClockShard& operator=(const ClockShard&) = delete;

  void Init(const Config& config);

  // An entry of this key, to be filled and inserted. Null without memory.
  ClockEntry* NewEntry(const Slice& key, uint64_t hash);
  // Takes ownership of `entry`, whose object, helper and charge are set. On
  // failure the entry (not its object) has been freed.
  Status Insert(ClockEntry* entry, Cache::Priority priority,
                ClockEntry** handle);
  ClockEntry* Lookup(const Slice& key, uint64_t hash);
  // Two steps towards a Lookup() soon to come; each needs memory that the one
  // before has asked for.
  void PrefetchBucket(uint64_t hash) const { table_.PrefetchWord(hash); }
  void PrefetchEntry(uint64_t hash) const { table_.PrefetchEntry(hash); }
  bool Release(ClockEntry* entry, bool erase_if_last_ref) {
    if (erase_if_last_ref) return ReleaseErasing(entry);
    const uint64_t before = entry->meta.fetch_sub(ClockEntry::kReference,
                                                  std::memory_order_release);
    constexpr uint64_t kOrdinary = ClockEntry::kLive | ClockEntry::kVisible;
    if ((before & ClockEntry::kReferences) > ClockEntry::kReference ||
        (before & (kOrdinary | ClockEntry::kWatched)) == kOrdinary) [[likely]] {
      return false;
    }
    return ReleaseSlow(entry);
  }
  void Erase(const Slice& key, uint64_t hash) { (void)HideAll(key, hash); }
  void EraseUnused();

  void SetCapacity(size_t capacity);
  void SetStrictCapacityLimit(bool strict) {
    strict_.store(strict, std::memory_order_relaxed);
    NoteChange();
  }
  size_t usage() const { return usage_.load(std::memory_order_relaxed); }
  size_t PinnedUsage();
  size_t EntryCount() const { return table_.entries(); }
  size_t BucketCount() const { return table_.words(); }
  size_t TotalCharge(const ClockEntry* entry) const;

  // References entries from *position on, at least `count` of them if there
  // are so many, and moves *position behind them. False at the end.
  bool RefSome(size_t count, size_t* position,
               std::vector<ClockEntry*>* entries);

 private:
  // What one call may still do to get room.
  struct Effort {
    bool thorough = false;  // Whatever is in use.
    uint64_t steps = 0;
    uint64_t in_use = 0;
    uint64_t evicted = 0;
    uint64_t kept = 0;  // Since the last one that was evicted.
  };
  // Takes `charge` of the capacity, evicting for it. False: there is no room.
  bool Reserve(size_t charge);
  // Turns the hand a little. False when it is of no use to go on.
  bool Turn(Effort* effort);
  void Visit(ClockEntry* entry, Effort* effort);

  // An entry may be evictable that was not.
  void NoteChange() { changes_.fetch_add(1, std::memory_order_release); }
  // The hand went round since `from`, and all it met was in use, and nothing
  // changed since `changes`: so it will be until something does.
  bool IsHopeless(uint64_t from, uint64_t changes);

  bool IsTooFull() const {
    return usage() > capacity_.load(std::memory_order_relaxed);
  }
  bool HideAll(const Slice& key, uint64_t hash);
  bool ReleaseSlow(ClockEntry* entry);
  bool ReleaseErasing(ClockEntry* entry);

  // Of a claimed entry. `was`: its word before.
  void Evict(ClockEntry* entry, uint64_t was);
  void Free(ClockEntry* entry);
  // Out of the table and of the usage.
  void TakeOut(const ClockEntry& entry);
  // Gives an entry that is in no table back. Its object is gone.
  void Discard(ClockEntry* entry);

  ClockPool pool_;
  ClockTable table_;
  Config config_;
  std::atomic<size_t> capacity_{0};
  std::atomic<bool> strict_{false};
  alignas(kCacheLineSize) std::atomic<size_t> usage_{0};
  std::atomic<uint64_t> hand_{0};
  // Under a strict limit, which is to be refused for want of room only, but
  // not to be searched in vain for each refusal.
  std::atomic<uint64_t> changes_{0};
  std::atomic<uint64_t> hopeless_at_{UINT64_MAX};  // changes_ then.
};

class ClockCache final : public ShardedCache<ClockShard> {
 public:
  ClockCache(const HyperClockCacheOptions& options, int shard_bits);

  std::string GetPrintableOptions() const override;

 private:
  const size_t estimated_entry_charge_;
  const int eviction_effort_cap_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
