// LruCache: the block cache, a sharded approximation of least-recently-used
// whose hits take no lock.
//
// Place. Made by NewLRUCache and its relatives (cache_factory.cc); reached only
// through the public Cache interface. Lookup and Release are on the path of
// every read. This is the shard; sharded_cache.h makes a cache of many shards.
//
// Model. A shard is a hash table of entries and up to three queues of those
// that may be evicted: high, low and bottom priority. A hit does not move its
// entry; it takes a reference and sets a bit. Eviction walks a queue from its
// old end and moves entries with the bit to the young end, so a queue orders
// entries by last use, with some delay. A pool that outgrows its share spills
// its oldest entries into the next lower one.
//
//   insert LOW --> | bottom ........ | --> evicted
//   insert HIGH -> | high ... | --spill--^        hit: --> high
//
// An entry's state is one atomic word: references, in-table, off-queue, hit.
// Releasing is one compare-and-swap on it; only the last reference of an entry
// that is off the queues takes the lock. Eviction takes an entry off the queues
// if it is in use, so pinned entries are skipped only once.
//
// A hit is one compare-and-swap, too. The reader walks the chain without the
// lock and looks only at hashes. If one matches it takes a reference, which
// succeeds only for an entry in the table, and then compares the key. The
// entries on the chain may be leaving the table or may already be reused. The
// memory of entries and bucket arrays is kept until the shard is destroyed, so
// at worst the reader follows a wrong chain. A reader that finds nothing
// searches again under the lock; that is a miss, and a miss reads from a file.
//
// Invariants:
//   (1) References rise only while the entry is in the table. Once it is out of
//       the table and has no reference, which one step decides, it may be
//       reused.
//   (2) Without the lock and without a reference, threads read only `state`,
//       `hash` and `next_in_bucket` of an entry.
//   (3) Not in the table implies off the queues.
//   (4) usage = charges of entries in the table + of detached ones still in
//       use.
//   (5) The memory of entries and bucket arrays is freed with the shard. Until
//       then it is as large as the largest number of entries so far needed.
//
// Evicted entries are passed to the eviction callback, if there is one; a
// second tier (secondary_adapter.h) is built on it.
//
// Threads. Thread-safe. Deleters and callbacks run without any lock.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "util/cache/sharded_cache.h"
#include "util/core_local.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

struct LruLinks {
  LruLinks* next;
  LruLinks* prev;
};

// Block keys have 16 bytes and are kept in the entry, longer ones outside.
struct LruEntry : public Cache::Handle, public LruLinks {
  // Bits of `state`.
  static constexpr uint32_t kInTable = 1;
  static constexpr uint32_t kOffQueue = 2;
  static constexpr uint32_t kHit = 4;
  static constexpr uint32_t kReference = 8;

  static constexpr size_t kKeyInside = 16;

  std::atomic<LruEntry*> next_in_bucket{nullptr};
  std::atomic<uint64_t> hash{0};
  std::atomic<uint32_t> state{0};
  uint16_t key_size = 0;
  uint8_t priority = 0;
  uint8_t pool = 0;  // The queue it is on.
  void* value = nullptr;
  const Cache::CacheItemHelper* helper = nullptr;
  size_t charge = 0;
  union {
    char inside[kKeyInside];
    char* outside;
  };

  static bool InUse(uint32_t state) { return state >= kReference; }
  bool IsFree() const {
    const uint32_t now = state.load(std::memory_order_relaxed);
    return (now & kInTable) == 0 && !InUse(now);
  }
  bool KeyIsInside() const { return key_size <= kKeyInside; }
  Slice key() const { return {KeyIsInside() ? inside : outside, key_size}; }
  // False without memory.
  bool SetKey(const Slice& key);
  void FreeKey();
  // Adds a reference. Requires: the caller has one.
  void Ref() {
    [[maybe_unused]] const uint32_t before =
        state.fetch_add(kReference, std::memory_order_relaxed);
    assert(InUse(before));
  }
  // A reference, if it is in the table. Counts as a hit.
  bool TryRef();
  // Brings in what a lookup and its caller look at.
  void Prefetch() const {
    __builtin_prefetch(this);
    __builtin_prefetch(reinterpret_cast<const char*>(this + 1) - 1);
  }
};

class alignas(kCacheLineSize) LruShard {
 public:
  using Entry = LruEntry;
  struct Config : ShardConfig {
    double high_pool_ratio = 0.0;
    double low_pool_ratio = 0.0;
  };

  LruShard() = default;
  ~LruShard();
  LruShard(const LruShard&) = delete;
  LruShard& operator=(const LruShard&) = delete;

  void Init(const Config& config);

  // An entry of this key, to be filled and inserted. Null without memory.
  LruEntry* NewEntry(const Slice& key, uint64_t hash) EXCLUDES_LOCK(free_mu_);
  // Takes ownership of `entry`, whose object, helper and charge are set. On
  // failure the entry (not its object) has been freed.
  Status Insert(LruEntry* entry, Cache::Priority priority, LruEntry** handle)
      EXCLUDES_LOCK(mu_);
  LruEntry* Lookup(const Slice& key, uint64_t hash) EXCLUDES_LOCK(mu_);
  // Two steps towards a Lookup() soon to come; each needs memory that the one
  // before has asked for.
  void PrefetchBucket(uint64_t hash) const {
    __builtin_prefetch(&table().At(hash));
  }
  void PrefetchEntry(uint64_t hash) const {
    // An entry's memory stays, whatever becomes of the entry.
    const LruEntry* entry = table().At(hash).load(std::memory_order_acquire);
    if (entry != nullptr) entry->Prefetch();
  }
  bool Release(LruEntry* entry, bool erase_if_last_ref) EXCLUDES_LOCK(mu_);
  void Erase(const Slice& key, uint64_t hash) EXCLUDES_LOCK(mu_);
  void EraseUnused() EXCLUDES_LOCK(mu_);

  void SetCapacity(size_t capacity) EXCLUDES_LOCK(mu_);
  void SetStrictCapacityLimit(bool strict) EXCLUDES_LOCK(mu_);
  size_t usage() const { return usage_.load(std::memory_order_relaxed); }
  size_t PinnedUsage() EXCLUDES_LOCK(mu_);
  size_t EntryCount() EXCLUDES_LOCK(mu_);
  size_t BucketCount() const { return table().mask + 1; }
  size_t TotalCharge(const LruEntry* entry) const;

  // References every entry of the buckets from *bucket on, at least `count` of
  // them if there are so many, and moves *bucket behind them. False at the end.
  // Entries may be met twice when the table grows between two calls.
  bool RefSome(size_t count, size_t* bucket, std::vector<LruEntry*>* entries)
      EXCLUDES_LOCK(mu_);

 private:
  enum Pool : uint32_t { kBottom = 0, kLow = 1, kHigh = 2, kPools = 3 };

  using Link = std::atomic<LruEntry*>;
  // A bucket array and its size. Replaced as a whole, so that who walks without
  // the lock has both of one age.
  struct Table {
    size_t mask = 0;
    Link* buckets = nullptr;

    Link& At(uint64_t hash) const { return buckets[hash & mask]; }
  };
  static constexpr size_t kSlabEntries = 64;

  LruEntry* TakeEntry() EXCLUDES_LOCK(free_mu_);
  // Gives one back.
  void Discard(LruEntry* entry) EXCLUDES_LOCK(free_mu_);

  enum class Why : uint8_t { kErased, kEvicted };
  // Entries taken out under the lock, to be freed after it. They are chained by
  // the queue links, which are not used otherwise any more.
  struct Dead {
    LruEntry* erased = nullptr;
    LruEntry* evicted = nullptr;
    void Add(LruEntry* entry, Why why) {
      LruEntry*& first = why == Why::kEvicted ? evicted : erased;
      entry->next = first;
      first = entry;
    }
    bool empty() const { return erased == nullptr && evicted == nullptr; }
  };
  void FreeAll(Dead dead);

  LruEntry* LookupUnlocked(const Slice& key, uint64_t hash);
  bool SetTable(size_t buckets) REQUIRES_LOCK(mu_);
  const Table& table() const { return *table_.load(std::memory_order_acquire); }
  Link* FindSlot(const Slice& key, uint64_t hash) REQUIRES_LOCK(mu_);
  void RemoveFromTable(LruEntry* entry) REQUIRES_LOCK(mu_);
  void GrowTable() REQUIRES_LOCK(mu_);

  uint32_t PoolFor(uint32_t priority, bool hit) const REQUIRES_LOCK(mu_);
  void Enqueue(LruEntry* entry, uint32_t pool) REQUIRES_LOCK(mu_);
  void Dequeue(LruEntry* entry) REQUIRES_LOCK(mu_);
  void SpillFrom(uint32_t pool) REQUIRES_LOCK(mu_);

  // Evicts until `charge` more bytes fit, or nothing can be evicted.
  void EvictFor(size_t charge, Dead* dead) REQUIRES_LOCK(mu_);
  // Takes an entry out of table and queue; it dies here or with its last user.
  void Detach(LruEntry* entry, Why why, Dead* dead) REQUIRES_LOCK(mu_);
  bool Add(LruEntry* entry, bool full, bool held, Dead* dead)
      REQUIRES_LOCK(mu_);
  bool ReleaseSlow(LruEntry* entry, bool erase) EXCLUDES_LOCK(mu_);

  void SetPoolCapacities() REQUIRES_LOCK(mu_);
  void AddUsage(size_t charge) REQUIRES_LOCK(mu_) {
    usage_.store(usage() + charge, std::memory_order_relaxed);
  }
  void SubUsage(size_t charge) REQUIRES_LOCK(mu_) {
    assert(charge <= usage());  // (4)
    usage_.store(usage() - charge, std::memory_order_relaxed);
  }

  SpinMutex mu_;
  std::atomic<const Table*> table_{nullptr};  // Written under mu_.
  // Every table there was; each is half the next.
  std::vector<std::unique_ptr<Table>> tables_ GUARDED_BY(mu_);
  size_t entry_count_ GUARDED_BY(mu_) = 0;
  size_t capacity_ GUARDED_BY(mu_) = 0;
  std::atomic<size_t> usage_{0};  // Written under mu_.
  size_t detached_usage_ GUARDED_BY(mu_) = 0;
  LruLinks queues_[kPools] GUARDED_BY(mu_);  // next: youngest; prev: oldest.
  size_t pool_usage_[kPools] GUARDED_BY(mu_) = {};
  size_t pool_capacity_[kPools] GUARDED_BY(mu_) = {};
  Config config_;  // strict_capacity_limit changes under mu_.

  SpinMutex free_mu_;
  LruLinks* free_ GUARDED_BY(free_mu_) = nullptr;  // Chained by `next`.
  std::vector<std::unique_ptr<LruEntry[]>> slabs_ GUARDED_BY(free_mu_);
};

static_assert(sizeof(LruShard) == 256, "a hit finds its shard with a shift");

class LruCache final : public ShardedCache<LruShard> {
 public:
  LruCache(const LRUCacheOptions& options, int shard_bits);

  std::string GetPrintableOptions() const override;

 private:
  const double high_pri_pool_ratio_;
  const double low_pri_pool_ratio_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
