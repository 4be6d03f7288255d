// ClockCache: a cache without locks. Hits, misses, insertions and evictions by
// any number of threads run concurrently.
//
// Place. Made for HyperClockCacheOptions (cache_factory.cc); reached only
// through the public Cache interface. This is the shard: clock_pool.h stores
// its entries, clock_table.h finds them, and sharded_cache.h makes a cache of
// many shards.
//
// Model. While room is needed, a hand moves over the entries of the pool, a few
// at a time, round and round. An entry that has been hit since the hand last
// passed gets lives, up to three. An entry with lives loses one. An entry
// without lives that is not in use is evicted. Entries of high priority begin
// with two lives, all others with none: a new entry takes the place of one that
// was just evicted, behind the hand, so it has about one round to be hit. One
// more life would cost hits, because most entries are never used again.
//
//        hand -->
//   | a | b | c | d | e |      b: 1 hit -> kept    c: 0 lives -> evicted
//
// Room is reserved before an entry is inserted, by one compare-and-swap on the
// usage; a thread that finds too little room moves the hand. If nothing can be
// evicted, or if too many of the entries that the hand passes are in use
// (eviction_effort_cap), an insertion without a handle is dropped; one with a
// handle exceeds the capacity or, under a strict limit, is refused. An entry
// that was in use when the hand passed, or that exceeded the capacity, is
// watched: its last release evicts it if the cache is too full then.
//
// If two threads insert one key at the same time, the table may contain both
// entries; a lookup finds one of them, and Erase() removes both.
//
// Invariants:
//   (1) usage = charges of all live entries, and of those about to be inserted.
//   (2) An entry in use is never freed: claiming needs a word without
//       references. Its last user hides and frees it.
//   (3) A claimed entry's word in the table is removed before the entry is
//       freed.
//
// Threads. Thread-safe. No thread waits for another. A thread that is
// descheduled anywhere blocks only the use of the entry that it works on and,
// in the middle of a move of the table, the table's next growth: entries that
// find the table full then are not kept beyond their last handle.
#pragma once

#include <atomic>
#include <cassert>
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
    assert(ClockEntry::InUse(before));
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
