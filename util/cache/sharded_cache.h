// ShardedCache: the common part of this library's caches, which differ in their
// shards.
//
// Place. LruCache and ClockCache instantiate it with their shards.
//
// Model. A key's hash says which shard has it: a cache of its own with a part
// of the capacity. A shard is a class with
//
//   Entry      a Cache::Handle with `hash`, `value`, `helper`, `charge`, key()
//   Config     derived from ShardConfig
//   Init, NewEntry, Insert, Lookup, Release, Erase, ...   see LruShard
//
// Calls to it are bound at compile time, so a hit is one virtual call.
//
// Threads. Thread-safe. Deleters and callbacks run without any lock.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "util/coding.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

// Longer keys are never cached.
inline constexpr size_t kCacheKeySizeMax = UINT16_MAX;

// Block keys are 16 bytes of two well-mixed words; one multiplication joins
// them. All other keys take the general hash.
inline uint64_t HashCacheKey(const Slice& key, uint64_t seed) {
  if (key.size() == 16) {
    const auto product =
        static_cast<unsigned __int128>(DecodeFixed64(key.data()) ^
                                       (0x9E3779B185EBCA87ull + seed)) *
        (DecodeFixed64(key.data() + 8) ^ 0xC2B2AE3D27D4EB4Full);
    return static_cast<uint64_t>(product) ^
           static_cast<uint64_t>(product >> 64);
  }
  return Hash64(key.data(), key.size(), seed);
}

inline bool SameCacheKey(const Slice& a, const Slice& b) {
  if (a.size() != 16 || b.size() != 16) return a == b;
  return DecodeFixed64(a.data()) == DecodeFixed64(b.data()) &&
         DecodeFixed64(a.data() + 8) == DecodeFixed64(b.data() + 8);
}

// What an allocator takes for a long key: 8 bytes of its own, rounded up to 16.
inline size_t LongKeyCharge(size_t bytes) {
  return (bytes + 8 + 15) & ~size_t{15};
}

// What every kind of shard is told.
struct ShardConfig {
  size_t capacity = 0;
  bool strict_capacity_limit = false;
  bool charge_metadata = true;
  MemoryAllocator* allocator = nullptr;
  // The cache's, which may be empty.
  const Cache::EvictionCallback* eviction_callback = nullptr;

  // Passes an evicted entry to the callback. True: the callback took ownership
  // of the object.
  template <typename Entry>
  bool Offer(Entry* entry, bool was_hit) const {
    return *eviction_callback &&
           (*eviction_callback)(entry->key(), entry, was_hit);
  }
  template <typename Entry>
  void FreeObject(const Entry& entry) const {
    if (entry.helper->del_cb != nullptr) {
      entry.helper->del_cb(entry.value, allocator);
    }
  }
};

// A cache that is asked for many keys at once.
class BatchedCache : public Cache {
 public:
  using Cache::Cache;
  // What Lookup() says of each key, null where there is nothing. The waits for
  // memory are side by side instead of one after the other.
  virtual void LookupMany(const Slice* keys, size_t count,
                          Handle** handles) = 0;
};

template <typename Shard>
class ShardedCache : public BatchedCache {
 public:
  using Entry = typename Shard::Entry;

  // `shard_bits` in [0, 20). `name` must outlive the cache. What is the same
  // for all kinds of shards is set in `config` here.
  ShardedCache(const ShardedCacheOptions& options, int shard_bits,
               const char* name, typename Shard::Config config)
      : BatchedCache(options.memory_allocator),
        name_(name),
        seed_(SeedOf(options.hash_seed)),
        shard_mask_((uint64_t{1} << shard_bits) - 1),
        shards_(new Shard[size_t{1} << shard_bits]),
        capacity_(options.capacity),
        strict_capacity_limit_(options.strict_capacity_limit) {
    assert(0 <= shard_bits && shard_bits < 20);
    config.capacity = ShardCapacity(options.capacity);
    config.strict_capacity_limit = options.strict_capacity_limit;
    config.charge_metadata =
        options.metadata_charge_policy == kFullChargeCacheMetadata;
    config.allocator = memory_allocator();
    config.eviction_callback = &eviction_callback_;
    for (size_t i = 0; i < shard_count(); i++) shards_[i].Init(config);
  }
  ~ShardedCache() override {
    // NOLINTNEXTLINE(bugprone-unused-return-value): leaking was asked for.
    if (disowned_.load(std::memory_order_relaxed)) (void)shards_.release();
  }

  const char* Name() const override { return name_; }
  std::string GetPrintableOptions() const override {
    return "    capacity : " + std::to_string(GetCapacity()) +
           "\n    num_shard_bits : " +
           std::to_string(std::countr_zero(shard_count())) +
           "\n    strict_capacity_limit : " +
           (HasStrictCapacityLimit() ? "1\n" : "0\n");
  }

  // NOLINTNEXTLINE(readability-function-size): the signature is public.
  Status Insert(const Slice& key, ObjectPtr object,
                const CacheItemHelper* helper, size_t charge, Handle** handle,
                Priority priority) override {
    assert(helper != nullptr);
    const uint64_t hash = HashCacheKey(key, seed_);
    Shard& shard = ShardFor(hash);
    Entry* const entry =
        key.size() <= kCacheKeySizeMax ? shard.NewEntry(key, hash) : nullptr;
    if (entry == nullptr) {
      if (handle != nullptr) {
        *handle = nullptr;
        return Status::MemoryLimit("cache entry");
      }
      // As if it had been inserted and evicted at once.
      if (helper->del_cb != nullptr) helper->del_cb(object, memory_allocator());
      return Status::OK();
    }
    entry->value = object;
    entry->helper = helper;
    entry->charge = charge;
    Entry* inserted = nullptr;
    const Status status =
        shard.Insert(entry, priority, handle == nullptr ? nullptr : &inserted);
    if (handle != nullptr) *handle = inserted;
    return status;
  }

  Handle* Lookup(const Slice& key, const CacheItemHelper* /*helper*/,
                 CreateContext* /*create_context*/, Priority /*priority*/,
                 Statistics* /*stats*/) override {
    const uint64_t hash = HashCacheKey(key, seed_);
    return ShardFor(hash).Lookup(key, hash);
  }
  void LookupMany(const Slice* keys, size_t count, Handle** handles) override {
    // As many as fit the misses a core keeps track of, and some.
    constexpr size_t kAtOnce = 32;
    uint64_t hashes[kAtOnce];
    for (size_t begin = 0; begin < count; begin += kAtOnce) {
      const size_t n = std::min(kAtOnce, count - begin);
      for (size_t i = 0; i < n; i++) {
        hashes[i] = HashCacheKey(keys[begin + i], seed_);
        ShardFor(hashes[i]).PrefetchBucket(hashes[i]);
      }
      for (size_t i = 0; i < n; i++) {
        ShardFor(hashes[i]).PrefetchEntry(hashes[i]);
      }
      for (size_t i = 0; i < n; i++) {
        handles[begin + i] =
            ShardFor(hashes[i]).Lookup(keys[begin + i], hashes[i]);
      }
    }
  }
  bool Ref(Handle* handle) override {
    ToEntry(handle)->Ref();
    return true;
  }
  using Cache::Release;
  bool Release(Handle* handle, bool erase_if_last_ref) override {
    if (handle == nullptr) return false;
    Entry* const entry = ToEntry(handle);
    return ShardFor(entry->hash).Release(entry, erase_if_last_ref);
  }
  ObjectPtr Value(Handle* handle) override { return ToEntry(handle)->value; }
  void Erase(const Slice& key) override {
    const uint64_t hash = HashCacheKey(key, seed_);
    ShardFor(hash).Erase(key, hash);
  }
  uint64_t NewId() override {
    return next_id_.fetch_add(1, std::memory_order_relaxed);
  }
  const CacheItemHelper* GetCacheItemHelper(Handle* handle) const override {
    return ToEntry(handle)->helper;
  }

  void SetCapacity(size_t capacity) override {
    TellShards(&capacity_, capacity, [this](Shard* shard, size_t now) {
      shard->SetCapacity(ShardCapacity(now));
    });
  }
  void SetStrictCapacityLimit(bool strict_capacity_limit) override {
    TellShards(
        &strict_capacity_limit_, strict_capacity_limit,
        [](Shard* shard, bool now) { shard->SetStrictCapacityLimit(now); });
  }
  bool HasStrictCapacityLimit() const override {
    return strict_capacity_limit_.load(std::memory_order_relaxed);
  }
  size_t GetCapacity() const override {
    return capacity_.load(std::memory_order_relaxed);
  }
  size_t GetUsage() const override {
    return Sum([](Shard& shard) { return shard.usage(); });
  }
  size_t GetUsage(Handle* handle) const override {
    const Entry* const entry = ToEntry(handle);
    return ShardFor(entry->hash).TotalCharge(entry);
  }
  size_t GetPinnedUsage() const override {
    return Sum([](Shard& shard) { return shard.PinnedUsage(); });
  }
  size_t GetCharge(Handle* handle) const override {
    return ToEntry(handle)->charge;
  }
  size_t GetOccupancyCount() const override {
    return Sum([](Shard& shard) { return shard.EntryCount(); });
  }
  size_t GetTableAddressCount() const override {
    return Sum([](Shard& shard) { return shard.BucketCount(); });
  }

  void EraseUnRefEntries() override {
    for (size_t i = 0; i < shard_count(); i++) shards_[i].EraseUnused();
  }
  void DisownData() override {
#ifndef __SANITIZE_ADDRESS__  // A leak checker would rightly complain.
    disowned_.store(true, std::memory_order_relaxed);
#endif
  }
  void SetEvictionCallback(EvictionCallback&& callback) override {
    eviction_callback_ = std::move(callback);
  }
  void ApplyToAllEntries(const EntryCallback& callback,
                         const ApplyToAllEntriesOptions& options) override {
    const size_t count = std::max<size_t>(1, options.average_entries_per_lock);
    std::vector<Entry*> entries;
    for (size_t i = 0; i < shard_count(); i++) {
      size_t position = 0;
      for (bool more = true; more;) {
        entries.clear();
        more = shards_[i].RefSome(count, &position, &entries);
        for (Entry* entry : entries) {
          callback(entry->key(), entry->value, entry->charge, entry->helper);
          shards_[i].Release(entry, /*erase_if_last_ref=*/false);
        }
      }
    }
  }
  void ApplyToHandle(
      Cache* /*cache*/, Handle* handle,
      const std::function<void(const Slice&, ObjectPtr, size_t,
                               const CacheItemHelper*)>& callback) override {
    const Entry* const entry = ToEntry(handle);
    callback(entry->key(), entry->value, entry->charge, entry->helper);
  }

 private:
  static Entry* ToEntry(Handle* handle) { return static_cast<Entry*>(handle); }

  // Each cache its own, if that is asked for.
  static uint64_t SeedOf(int32_t seed) {
    static std::atomic<uint32_t> caches{0};
    if (seed == ShardedCacheOptions::kHostHashSeed) return 0;
    return seed == ShardedCacheOptions::kQuasiRandomHashSeed
               ? (1 + caches.fetch_add(1)) * 0x9FB21C651E98DF25ull
               : static_cast<uint64_t>(seed);
  }

  Shard& ShardFor(uint64_t hash) const {
    // The tables use the low bits.
    return shards_[(hash >> 40) & shard_mask_];
  }
  size_t ShardCapacity(size_t capacity) const {
    return (capacity + shard_mask_) / (shard_mask_ + 1);
  }
  size_t shard_count() const { return shard_mask_ + 1; }

  // Sets what all shards are to know. Of two calls at the same time, one inside
  // a deleter included, the last to set it decides: the other finds that out
  // behind the last shard, and tells them all again. Each change of `setting`
  // also reads it, so that what the other call has told shards comes first.
  template <typename T, typename Tell>
  void TellShards(std::atomic<T>* setting, T value, Tell tell) {
    (void)setting->exchange(value);
    do {
      for (size_t i = 0; i < shard_count(); i++) tell(&shards_[i], value);
    } while (!setting->compare_exchange_strong(value, value));
  }

  template <typename Part>
  size_t Sum(Part part) const {
    size_t sum = 0;
    for (size_t i = 0; i < shard_count(); i++) sum += part(shards_[i]);
    return sum;
  }

  const char* const name_;
  const uint64_t seed_;
  const uint64_t shard_mask_;
  std::unique_ptr<Shard[]> shards_;
  std::atomic<uint64_t> next_id_{1};
  std::atomic<size_t> capacity_;
  std::atomic<bool> strict_capacity_limit_;
  std::atomic<bool> disowned_{false};
  EvictionCallback eviction_callback_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
