// The cache behind NewSimCache(): see rocksdb/utilities/sim_cache.h.
//
// Model. `target_` has the objects, `keys_` the keys and charges of the
// simulated capacity.
//
//              target_                keys_
//   Lookup     answers                counts; an entry that it does not have,
//                                     and that target_ has, is put there
//   Insert     takes the object       takes the key, if it is not there
//   Erase      removes                removes
//
// Threads. Thread-safe: both caches are. Two threads that insert one key at the
// same time may both put it into `keys_`; the second one replaces the first.

#include "rocksdb/utilities/sim_cache.h"

#include <atomic>
#include <cstdio>
#include <utility>

#include "rocksdb/cache.h"
#include "util/cache/activity_log.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {

namespace {

// Of entries without an object.
constexpr Cache::CacheItemHelper kSimulatedEntry(CacheEntryRole::kMisc);

class SimulatingCache final : public SimCache {
 public:
  SimulatingCache(std::shared_ptr<Cache> target, std::shared_ptr<Cache> keys)
      : SimCache(std::move(target)), keys_(std::move(keys)) {}

  std::string GetPrintableOptions() const override {
    return "    cache_options:\n" + target_->GetPrintableOptions() +
           "    sim_cache_options:\n" + keys_->GetPrintableOptions();
  }

  // NOLINTNEXTLINE(readability-function-size): the signature is public.
  Status Insert(const Slice& key, ObjectPtr object,
                const CacheItemHelper* helper, size_t charge, Handle** handle,
                Priority priority) override {
    if (!IsSimulated(key)) Simulate(key, charge, priority);
    log_.NoteInsertion(key, charge);
    return target_->Insert(key, object, helper, charge, handle, priority);
  }

  Handle* Lookup(const Slice& key, const CacheItemHelper* helper,
                 CreateContext* create_context, Priority priority,
                 Statistics* stats) override {
    const bool simulated = IsSimulated(key);
    (simulated ? hits_ : misses_).fetch_add(1, std::memory_order_relaxed);
    RecordTick(stats, simulated ? SIM_BLOCK_CACHE_HIT : SIM_BLOCK_CACHE_MISS);
    log_.NoteLookup(key);
    Handle* const handle =
        target_->Lookup(key, helper, create_context, priority, stats);
    // A cache of the simulated capacity would be given the object now.
    if (!simulated && handle != nullptr) {
      Simulate(key, target_->GetCharge(handle), priority);
    }
    return handle;
  }

  void Erase(const Slice& key) override {
    target_->Erase(key);
    keys_->Erase(key);
  }
  void EraseUnRefEntries() override {
    target_->EraseUnRefEntries();
    keys_->EraseUnRefEntries();
  }
  void DisownData() override {
    target_->DisownData();
    keys_->DisownData();
  }

  size_t GetSimCapacity() const override { return keys_->GetCapacity(); }
  void SetSimCapacity(size_t capacity) override {
    keys_->SetCapacity(capacity);
  }
  size_t GetSimUsage() const override { return keys_->GetUsage(); }

  uint64_t get_miss_counter() const override {
    return misses_.load(std::memory_order_relaxed);
  }
  uint64_t get_hit_counter() const override {
    return hits_.load(std::memory_order_relaxed);
  }
  void reset_counter() override {
    misses_.store(0, std::memory_order_relaxed);
    hits_.store(0, std::memory_order_relaxed);
  }
  std::string ToString() const override {
    const uint64_t misses = get_miss_counter();
    const uint64_t hits = get_hit_counter();
    const uint64_t lookups = misses + hits;
    char rate[64];
    std::snprintf(rate, sizeof(rate), "SimCache HITRATE: %.2f\n",
                  lookups == 0 ? 0.0
                               : 100.0 * static_cast<double>(hits) /
                                     static_cast<double>(lookups));
    return "SimCache MISSes:  " + std::to_string(misses) +
           "\nSimCache HITs:    " + std::to_string(hits) + "\n" + rate;
  }

  Status StartActivityLogging(const std::string& activity_log_file, Env* env,
                              uint64_t max_logging_size) override {
    return log_.Start(env, activity_log_file, max_logging_size);
  }
  void StopActivityLogging() override { log_.Stop(); }
  Status GetActivityLoggingStatus() override { return log_.status(); }

 private:
  // Counts as a use, which defers its eviction.
  bool IsSimulated(const Slice& key) {
    Handle* const handle = keys_->Lookup(key);
    if (handle == nullptr) return false;
    keys_->Release(handle);
    return true;
  }
  // If it has no room there, that is what a cache would have done.
  void Simulate(const Slice& key, size_t charge, Priority priority) {
    (void)keys_->Insert(key, nullptr, &kSimulatedEntry, charge, nullptr,
                        priority);
  }

  const std::shared_ptr<Cache> keys_;
  std::atomic<uint64_t> misses_{0};
  std::atomic<uint64_t> hits_{0};
  CacheActivityLog log_;
};

}  // namespace

}  // namespace engine

std::shared_ptr<SimCache> NewSimCache(std::shared_ptr<Cache> cache,
                                      size_t sim_capacity, int num_shard_bits) {
  LRUCacheOptions simulated;
  simulated.capacity = sim_capacity;
  simulated.num_shard_bits = num_shard_bits;
  // With the metadata of its keys it would hold less than a real cache.
  simulated.metadata_charge_policy = kDontChargeCacheMetadata;
  return NewSimCache(simulated.MakeSharedCache(), std::move(cache),
                     num_shard_bits);
}

std::shared_ptr<SimCache> NewSimCache(std::shared_ptr<Cache> sim_cache,
                                      std::shared_ptr<Cache> cache,
                                      int /*num_shard_bits*/) {
  if (sim_cache == nullptr || cache == nullptr) return nullptr;
  return std::make_shared<engine::SimulatingCache>(std::move(cache),
                                                   std::move(sim_cache));
}

}  // namespace ROCKSDB_NAMESPACE
