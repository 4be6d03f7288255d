// What tests of caches share: objects that count themselves, and a fixture for
// a cache of either kind.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

// Objects count how many of them are alive.
inline std::atomic<int> objects_alive{0};

struct Object {
  explicit Object(uint64_t n) : number(n) { objects_alive++; }
  ~Object() { objects_alive--; }
  const uint64_t number;
};

inline const Cache::CacheItemHelper kHelper(
    CacheEntryRole::kDataBlock, [](Cache::ObjectPtr object, MemoryAllocator*) {
      delete static_cast<Object*>(object);
    });

enum class Kind { kLru, kClock };

// A cache of one shard unless told otherwise, charging only what it is told.
class CacheFixture : public testing::Test {
 protected:
  explicit CacheFixture(Kind kind) : kind_(kind) {}

  void SetUp() override {
    objects_alive = 0;
    options_.capacity = 1000;
    options_.num_shard_bits = 0;
    options_.metadata_charge_policy = kDontChargeCacheMetadata;
    options_.high_pri_pool_ratio = 0.0;
    Remake();
  }
  void TearDown() override {
    cache_.reset();
    EXPECT_EQ(0, objects_alive.load());
  }

  void Remake() {
    if (kind_ == Kind::kLru) {
      cache_ = options_.MakeSharedCache();
    } else {
      HyperClockCacheOptions clock(0, 0);
      static_cast<ShardedCacheOptions&>(clock) = options_;
      clock.eviction_effort_cap = effort_cap_;
      clock.estimated_entry_charge = estimate_;
      cache_ = clock.MakeSharedCache();
    }
  }

  static std::string Key(uint64_t number) {
    std::string key;
    PutFixed64(&key, number);
    PutFixed64(&key, ~number);
    return key;
  }

  Status Insert(uint64_t number, size_t charge = 100,
                Cache::Priority priority = Cache::Priority::LOW) {
    return cache_->Insert(Key(number), new Object(number), &kHelper, charge,
                          nullptr, priority);
  }
  Cache::Handle* InsertPinned(uint64_t number, size_t charge = 100) {
    Cache::Handle* handle = nullptr;
    auto* const object = new Object(number);
    const Status status =
        cache_->Insert(Key(number), object, &kHelper, charge, &handle);
    if (!status.ok()) {
      EXPECT_TRUE(status.IsMemoryLimit()) << status.ToString();
      EXPECT_EQ(nullptr, handle);
      delete object;
    }
    return handle;
  }
  Cache::Handle* Lookup(uint64_t number) {
    Cache::Handle* const handle = cache_->Lookup(Key(number));
    if (handle != nullptr) {
      EXPECT_EQ(number, static_cast<Object*>(cache_->Value(handle))->number);
    }
    return handle;
  }
  bool Touch(uint64_t number) {
    Cache::Handle* const handle = Lookup(number);
    if (handle != nullptr) cache_->Release(handle);
    return handle != nullptr;
  }
  std::string Present(uint64_t first, uint64_t last) {
    std::map<uint64_t, bool> present;
    cache_->ApplyToAllEntries(
        [&](const Slice&, Cache::ObjectPtr object, size_t,
            const Cache::CacheItemHelper*) {
          present[static_cast<Object*>(object)->number] = true;
        },
        {});
    std::string text;
    for (uint64_t n = first; n <= last; n++) {
      if (present.count(n) > 0) text += std::to_string(n) + " ";
    }
    return text;
  }

  const Kind kind_;
  LRUCacheOptions options_;
  int effort_cap_ = 30;
  size_t estimate_ = 0;
  std::shared_ptr<Cache> cache_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
