#include "rocksdb/cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/convenience.h"
#include "test/util/cache_fixture.h"
#include "util/cache/cache_reservation.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Whatever kind it is.
class CacheTest : public CacheFixture,
                  public testing::WithParamInterface<Kind> {
 protected:
  CacheTest() : CacheFixture(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Kinds, CacheTest,
                         testing::Values(Kind::kLru, Kind::kClock),
                         [](const auto& kind) {
                           return kind.param == Kind::kLru ? "Lru" : "Clock";
                         });

// What only the order of an LRU cache says.
class LruCacheTest : public CacheFixture {
 protected:
  LruCacheTest() : CacheFixture(Kind::kLru) {}
};

TEST_P(CacheTest, WhatIsInsertedIsFoundUntilErased) {
  EXPECT_FALSE(Touch(1));
  ASSERT_TRUE(Insert(1).ok());
  EXPECT_TRUE(Touch(1));
  EXPECT_EQ(100u, cache_->GetUsage());
  EXPECT_EQ(1u, cache_->GetOccupancyCount());
  cache_->Erase(Key(1));
  EXPECT_FALSE(Touch(1));
  EXPECT_EQ(0u, cache_->GetUsage());
  EXPECT_EQ(0, objects_alive.load());
}

TEST_P(CacheTest, InsertingAgainReplacesAndSaysSo) {
  ASSERT_TRUE(Insert(1).ok());
  Cache::Handle* const old = Lookup(1);
  const Status status = Insert(1);
  EXPECT_TRUE(status.ok());
  EXPECT_TRUE(status.IsOkOverwritten());
  EXPECT_EQ(2, objects_alive.load());
  EXPECT_EQ(200u, cache_->GetUsage());
  EXPECT_EQ(100u, cache_->GetPinnedUsage());
  EXPECT_TRUE(cache_->Release(old));
  EXPECT_EQ(1, objects_alive.load());
  EXPECT_TRUE(Touch(1));
}

TEST_P(CacheTest, AnErasedEntryLivesUntilItsLastRelease) {
  Cache::Handle* const handle = InsertPinned(7);
  ASSERT_TRUE(cache_->Ref(handle));
  cache_->Erase(Key(7));
  EXPECT_EQ(nullptr, Lookup(7));
  EXPECT_EQ(100u, cache_->GetUsage());
  EXPECT_FALSE(cache_->Release(handle));
  EXPECT_EQ(1, objects_alive.load());
  EXPECT_TRUE(cache_->Release(handle));
  EXPECT_EQ(0, objects_alive.load());
  EXPECT_EQ(0u, cache_->GetUsage());
}

TEST_F(LruCacheTest, TheOldestUnusedEntryGoesFirst) {
  for (uint64_t n = 0; n < 10; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_TRUE(Touch(0));
  EXPECT_TRUE(Touch(2));
  for (uint64_t n = 10; n < 15; n++) ASSERT_TRUE(Insert(n).ok());
  // 1 3 4 5 6 went; the touched ones survived although they were older.
  EXPECT_EQ("0 2 7 8 9 10 11 12 13 14 ", Present(0, 14));
}

TEST_P(CacheTest, PinnedEntriesAreNeverEvicted) {
  std::vector<Cache::Handle*> handles;
  for (uint64_t n = 0; n < 10; n++) handles.push_back(InsertPinned(n));
  EXPECT_EQ(1000u, cache_->GetPinnedUsage());
  // No room: as if inserted and evicted at once.
  ASSERT_TRUE(Insert(10).ok());
  EXPECT_FALSE(Touch(10));
  // With a handle the capacity is exceeded instead.
  handles.push_back(InsertPinned(11));
  EXPECT_EQ(1100u, cache_->GetUsage());
  EXPECT_EQ("0 1 2 3 4 5 6 7 8 9 11 ", Present(0, 11));
  for (Cache::Handle* handle : handles) cache_->Release(handle);
  EXPECT_EQ(0u, cache_->GetPinnedUsage());
  EXPECT_LE(cache_->GetUsage(), 1000u);
  // They are ordinary entries again, and can be evicted.
  for (uint64_t n = 20; n < 40; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_EQ(1000u, cache_->GetUsage());
  EXPECT_EQ("", Present(0, 19));
}

TEST_P(CacheTest, AStrictLimitRefusesAndLeavesTheObjectToTheCaller) {
  cache_->SetStrictCapacityLimit(true);
  EXPECT_TRUE(cache_->HasStrictCapacityLimit());
  std::vector<Cache::Handle*> handles;
  for (uint64_t n = 0; n < 10; n++) handles.push_back(InsertPinned(n));
  EXPECT_EQ(nullptr, InsertPinned(10));
  EXPECT_EQ(10, objects_alive.load());
  cache_->Release(handles.back());
  handles.pop_back();
  Cache::Handle* const handle = InsertPinned(11);
  ASSERT_NE(nullptr, handle);
  handles.push_back(handle);
  for (Cache::Handle* h : handles) cache_->Release(h);
}

TEST_P(CacheTest, AnEntryLargerThanTheCacheIsNotKept) {
  ASSERT_TRUE(Insert(1, 5000).ok());
  EXPECT_FALSE(Touch(1));
  Cache::Handle* const handle = InsertPinned(2, 5000);
  EXPECT_EQ(5000u, cache_->GetUsage());
  EXPECT_EQ(5000u, cache_->GetCharge(handle));
  EXPECT_TRUE(cache_->Release(handle));
  EXPECT_EQ(0u, cache_->GetUsage());
}

TEST_P(CacheTest, ReleasingWithEraseRemovesTheEntry) {
  Cache::Handle* const a = InsertPinned(1);
  Cache::Handle* const b = Lookup(1);
  EXPECT_FALSE(cache_->Release(a, /*erase_if_last_ref=*/true));
  EXPECT_TRUE(cache_->Release(b, /*erase_if_last_ref=*/true));
  EXPECT_FALSE(Touch(1));
}

TEST_P(CacheTest, ASmallerCapacityEvictsAtOnce) {
  for (uint64_t n = 0; n < 10; n++) ASSERT_TRUE(Insert(n).ok());
  Cache::Handle* const handle = Lookup(0);
  cache_->SetCapacity(300);
  EXPECT_EQ(300u, cache_->GetCapacity());
  EXPECT_EQ("0 8 9 ", Present(0, 9));
  cache_->SetCapacity(0);
  EXPECT_EQ("0 ", Present(0, 9));
  EXPECT_TRUE(cache_->Release(handle));  // Over capacity: goes at once.
  EXPECT_EQ(0u, cache_->GetUsage());
}

TEST_P(CacheTest, AMuchSmallerCapacityEvictsInSteps) {
  options_.capacity = 64 << 20;
  Remake();
  for (uint64_t n = 0; n < 64; n++) ASSERT_TRUE(Insert(n, 1 << 20).ok());
  Cache::Handle* const handle = Lookup(40);
  cache_->SetCapacity(3 << 20);
  EXPECT_EQ(size_t{3} << 20, cache_->GetUsage());
  EXPECT_TRUE(Touch(40));
  cache_->SetCapacity(0);
  EXPECT_EQ(size_t{1} << 20, cache_->GetUsage());
  cache_->Release(handle);
  EXPECT_EQ(0u, cache_->GetUsage());
}

const Cache::CacheItemHelper kGrowsAgain(
    CacheEntryRole::kMisc, [](Cache::ObjectPtr cache, MemoryAllocator*) {
      static_cast<Cache*>(cache)->SetCapacity(8000);
    });

// The deleter stands for another thread: it is called between two shards.
TEST_P(CacheTest, OfTwoCapacitiesAtOnceOneHoldsForAllShards) {
  options_.num_shard_bits = 3;
  options_.capacity = 8000;
  for (uint64_t n = 0; n < 8; n++) {
    Remake();
    ASSERT_TRUE(
        cache_->Insert(Key(n), cache_.get(), &kGrowsAgain, 500, nullptr).ok());
    cache_->SetCapacity(800);
    ASSERT_EQ(8000u, cache_->GetCapacity());
    for (uint64_t i = 0; i < 400; i++) ASSERT_TRUE(Insert(100 + i).ok());
    EXPECT_GE(cache_->GetUsage(), 7500u) << n;
  }
}

TEST_P(CacheTest, OfTwoLimitsAtOnceOneHoldsForAllShards) {
  options_.num_shard_bits = 3;
  options_.capacity = 800;
  Remake();
  for (int round = 0; round < 100; round++) {
    std::thread other([&] { cache_->SetStrictCapacityLimit(true); });
    cache_->SetStrictCapacityLimit(false);
    other.join();
    // Each shard has room for one entry, or takes any number.
    std::vector<Cache::Handle*> handles;
    int refused = 0;
    for (uint64_t n = 0; n < 100; n++) {
      Cache::Handle* const handle = InsertPinned(n);
      if (handle == nullptr) ++refused;
      if (handle != nullptr) handles.push_back(handle);
    }
    EXPECT_EQ(cache_->HasStrictCapacityLimit() ? 92 : 0, refused);
    for (Cache::Handle* handle : handles) {
      cache_->Release(handle, /*erase_if_last_ref=*/true);
    }
  }
}

TEST_P(CacheTest, WhatAFullCacheDropsReplacesNothingOld) {
  ASSERT_TRUE(Insert(1, 1000).ok());
  Cache::Handle* const handle = Lookup(1);
  ASSERT_TRUE(Insert(1, 1000).ok());  // Dropped, and so is the old one.
  EXPECT_FALSE(Touch(1));
  cache_->Release(handle);
}

TEST_P(CacheTest, AnEntryCanBeShown) {
  Cache::Handle* const handle = InsertPinned(7, 123);
  cache_->ApplyToHandle(
      cache_.get(), handle,
      [](const Slice& key, Cache::ObjectPtr object, size_t charge,
         const Cache::CacheItemHelper* helper) {
        EXPECT_EQ(Key(7), key.ToString());
        EXPECT_EQ(7u, static_cast<Object*>(object)->number);
        EXPECT_EQ(123u, charge);
        EXPECT_EQ(&kHelper, helper);
      });
  EXPECT_FALSE(cache_->Release(handle, /*useful=*/true,
                               /*erase_if_last_ref=*/false));
}

TEST_P(CacheTest, UnusedEntriesCanBeErasedTogether) {
  for (uint64_t n = 0; n < 10; n++) ASSERT_TRUE(Insert(n).ok());
  Cache::Handle* const handle = Lookup(4);
  cache_->EraseUnRefEntries();
  EXPECT_EQ("4 ", Present(0, 9));
  cache_->Release(handle);
  EXPECT_TRUE(Touch(4));
}

TEST_F(LruCacheTest, HighPriorityEntriesOutliveAScan) {
  options_.high_pri_pool_ratio = 0.5;
  Remake();
  for (uint64_t n = 0; n < 5; n++) {
    ASSERT_TRUE(Insert(n, 100, Cache::Priority::HIGH).ok());
  }
  for (uint64_t n = 10; n < 100; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_EQ("0 1 2 3 4 ", Present(0, 9));
  // More high ones push the older high ones into the ordinary pool.
  for (uint64_t n = 5; n < 8; n++) {
    ASSERT_TRUE(Insert(n, 100, Cache::Priority::HIGH).ok());
  }
  for (uint64_t n = 100; n < 110; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_EQ("3 4 5 6 7 ", Present(0, 9));
}

TEST_F(LruCacheTest, EntriesWithHitsMoveToTheHighPool) {
  options_.high_pri_pool_ratio = 0.5;
  Remake();
  for (uint64_t n = 0; n < 10; n++) ASSERT_TRUE(Insert(n).ok());
  for (uint64_t n = 0; n < 3; n++) EXPECT_TRUE(Touch(n));
  for (uint64_t n = 10; n < 200; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_EQ("0 1 2 ", Present(0, 9));
}

TEST_F(LruCacheTest, BottomPriorityGoesBeforeLow) {
  options_.low_pri_pool_ratio = 0.4;
  Remake();
  for (uint64_t n = 0; n < 4; n++) ASSERT_TRUE(Insert(n).ok());
  for (uint64_t n = 10; n < 50; n++) {
    ASSERT_TRUE(Insert(n, 100, Cache::Priority::BOTTOM).ok());
  }
  EXPECT_EQ("0 1 2 3 ", Present(0, 9));
}

TEST_P(CacheTest, MetadataIsChargedUnlessSwitchedOff) {
  options_.metadata_charge_policy = kFullChargeCacheMetadata;
  Remake();
  Cache::Handle* const handle = InsertPinned(1);
  EXPECT_EQ(100u, cache_->GetCharge(handle));
  EXPECT_GE(cache_->GetUsage(handle), 180u);
  EXPECT_EQ(cache_->GetUsage(handle), cache_->GetUsage());
  cache_->Release(handle);
}

TEST_P(CacheTest, KeysOfAnyLengthAndContentAreDistinct) {
  options_.capacity = 1 << 20;
  Remake();
  std::vector<std::string> keys;
  for (size_t size = 0; size < 40; size++) {
    keys.push_back(std::string(size, '\0'));
    keys.push_back(std::string(size, 'k') + "x");
  }
  for (size_t i = 0; i < keys.size(); i++) {
    ASSERT_TRUE(cache_->Insert(keys[i], new Object(i), &kHelper, 1).ok());
  }
  for (size_t i = 0; i < keys.size(); i++) {
    Cache::Handle* const handle = cache_->Lookup(keys[i]);
    ASSERT_NE(nullptr, handle);
    EXPECT_EQ(i, static_cast<Object*>(cache_->Value(handle))->number);
    EXPECT_EQ(&kHelper, cache_->GetCacheItemHelper(handle));
    cache_->Release(handle);
  }
}

TEST_P(CacheTest, TheTableGrowsWithItsEntries) {
  options_.capacity = 1 << 20;
  Remake();
  const size_t before = cache_->GetTableAddressCount();
  for (uint64_t n = 0; n < 50000; n++) ASSERT_TRUE(Insert(n, 1).ok());
  EXPECT_EQ(50000u, cache_->GetOccupancyCount());
  EXPECT_GE(cache_->GetTableAddressCount(), 50000u);
  EXPECT_LT(before, 50000u);
  for (uint64_t n = 0; n < 50000; n++) ASSERT_TRUE(Touch(n));
}

// Against a plain map: what the cache returns is what was last inserted under
// the key, it never exceeds its capacity by more than what is pinned, and it
// accounts for every byte.
TEST_P(CacheTest, RandomUseAgreesWithAModel) {
  for (const double high_ratio : {0.0, 0.5}) {
    options_.high_pri_pool_ratio = high_ratio;
    options_.num_shard_bits = 2;
    options_.capacity = 8000;
    Remake();
    Random64 random(11);
    std::vector<Cache::Handle*> pinned;
    for (int step = 0; step < 50000; step++) {
      const uint64_t n = random.Uniform(200);
      switch (random.Uniform(8)) {
        case 0:
        case 1:
          ASSERT_TRUE(Insert(n, 1 + random.Uniform(200),
                             static_cast<Cache::Priority>(random.Uniform(3)))
                          .ok());
          break;
        case 2:
          pinned.push_back(InsertPinned(n, 50));
          break;
        case 3:
          cache_->Erase(Key(n));
          EXPECT_FALSE(Touch(n));
          break;
        case 4:
          if (Cache::Handle* handle = Lookup(n)) pinned.push_back(handle);
          break;
        default:
          Touch(n);
      }
      while (pinned.size() > random.Uniform(40)) {
        const size_t i = random.Uniform(pinned.size());
        cache_->Release(pinned[i], random.OneIn(10));
        pinned.erase(pinned.begin() + static_cast<std::ptrdiff_t>(i));
      }
      // Each shard may hold what is pinned in it beyond its share.
      ASSERT_LE(cache_->GetUsage(), 8000 + cache_->GetPinnedUsage());
    }
    for (Cache::Handle* handle : pinned) cache_->Release(handle);
    EXPECT_EQ(0u, cache_->GetPinnedUsage());
    cache_->EraseUnRefEntries();
    EXPECT_EQ(0u, cache_->GetUsage());
    EXPECT_EQ(0u, cache_->GetOccupancyCount());
    EXPECT_EQ(0, objects_alive.load());
  }
}

TEST_P(CacheTest, ManyThreadsShareIt) {
  options_.num_shard_bits = 1;
  options_.capacity = 5000;
  options_.high_pri_pool_ratio = 0.5;
  Remake();
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; t++) {
    threads.emplace_back([this, t] {
      Random64 random(t + 1);
      std::vector<Cache::Handle*> held;
      for (int step = 0; step < 20000; step++) {
        const uint64_t n = random.Skewed(7);
        Cache::Handle* handle = Lookup(n);
        if (handle == nullptr) handle = InsertPinned(n);
        held.push_back(handle);
        if (random.OneIn(50)) cache_->Erase(Key(n));
        if (random.OneIn(500)) cache_->EraseUnRefEntries();
        if (random.OneIn(500)) cache_->GetPinnedUsage();
        if (random.OneIn(500)) Present(0, 1);
        if (held.size() > 4) {
          cache_->Release(held.front(), random.OneIn(20));
          held.erase(held.begin());
        }
      }
      for (Cache::Handle* handle : held) cache_->Release(handle);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0u, cache_->GetPinnedUsage());
  EXPECT_EQ(cache_->GetOccupancyCount(),
            static_cast<size_t>(objects_alive.load()));
  EXPECT_EQ(cache_->GetUsage(), 100 * cache_->GetOccupancyCount());
}

// Entries are reused and the table grows while others walk over them.
// lru_cache.h (2), clock_table.h (3).
TEST_P(CacheTest, AHitIsTheKeysOwnObjectWhileOthersChangeTheTable) {
  options_.num_shard_bits = 0;
  options_.capacity = 100 * 3000;
  Remake();
  const auto key = [](uint64_t n) {
    // Some longer than what an entry holds itself.
    return n % 5 == 0 ? Key(n) + std::string(n % 40, 'k') : Key(n);
  };
  std::atomic<uint64_t> hits{0};
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      Random64 random(t + 1);
      for (int step = 0; step < 30000; step++) {
        const uint64_t n = random.Uniform(uint64_t{4000});
        Cache::Handle* const handle = cache_->Lookup(key(n));
        if (handle == nullptr) {
          EXPECT_TRUE(
              cache_->Insert(key(n), new Object(n), &kHelper, 100).ok());
          continue;
        }
        hits++;
        if (static_cast<Object*>(cache_->Value(handle))->number != n) wrong++;
        cache_->Release(handle, random.OneIn(10));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(hits.load(), 1000u);
  EXPECT_EQ(0u, wrong.load());
  EXPECT_EQ(0u, cache_->GetPinnedUsage());
  EXPECT_EQ(cache_->GetOccupancyCount(),
            static_cast<size_t>(objects_alive.load()));
}

TEST(CacheOptions, ShardsHaveAtLeastHalfAMebibyteAndAreAtMost64) {
  const auto shard_bits = [](size_t capacity) {
    const std::string text = NewLRUCache(capacity)->GetPrintableOptions();
    const size_t at = text.find("num_shard_bits : ");
    return std::stoi(text.substr(at + 17));
  };
  EXPECT_EQ(0, shard_bits(0));
  EXPECT_EQ(0, shard_bits(1000 << 10));
  EXPECT_EQ(1, shard_bits(1 << 20));
  EXPECT_EQ(4, shard_bits(8 << 20));
  EXPECT_EQ(6, shard_bits(32 << 20));
  EXPECT_EQ(6, shard_bits(size_t{8} << 30));
}

TEST(CacheOptions, ContradictionsGiveNoCache) {
  EXPECT_EQ(nullptr, NewLRUCache(1 << 20, 20));
  EXPECT_EQ(nullptr, NewLRUCache(1 << 20, 2, false, 1.5));
  EXPECT_EQ(nullptr, NewLRUCache(1 << 20, 2, false, -0.1));
  EXPECT_EQ(nullptr, NewLRUCache(1 << 20, 2, false, 0.6, nullptr, false,
                                 kDefaultCacheMetadataChargePolicy, 0.6));
  EXPECT_STREQ("LRUCache", NewClockCache(1 << 20)->Name());
  const auto clock = HyperClockCacheOptions(1 << 20, 4096).MakeSharedCache();
  ASSERT_NE(nullptr, clock);
  EXPECT_STREQ("HyperClockCache", clock->Name());
  HyperClockCacheOptions bad(1 << 20, 4096, 20);
  EXPECT_EQ(nullptr, bad.MakeSharedCache());
  bad.num_shard_bits = 2;
  bad.hash_seed = -3;
  EXPECT_EQ(nullptr, bad.MakeSharedCache());
}

const Cache::CacheItemHelper kHelperOfNothing(CacheEntryRole::kMisc);

TEST(CacheOptions, TextsMakeCaches) {
  const ConfigOptions config;
  std::shared_ptr<Cache> cache;
  ASSERT_TRUE(Cache::CreateFromString(config, "8MB", &cache).ok());
  EXPECT_EQ(size_t{8} << 20, cache->GetCapacity());
  ASSERT_TRUE(Cache::CreateFromString(
                  config,
                  "capacity=1G;num_shard_bits=4;strict_capacity_limit=true",
                  &cache)
                  .ok());
  EXPECT_EQ(size_t{1} << 30, cache->GetCapacity());
  EXPECT_TRUE(cache->HasStrictCapacityLimit());
  EXPECT_STREQ("LRUCache", cache->Name());
  ASSERT_TRUE(Cache::CreateFromString(config,
                                      "capacity=1M;use_adaptive_mutex=true;"
                                      "hash_seed=7;metadata_charge_policy="
                                      "kDontChargeCacheMetadata",
                                      &cache)
                  .ok());
  ASSERT_TRUE(cache->Insert("key", nullptr, &kHelperOfNothing, 100).ok());
  EXPECT_EQ(100u, cache->GetUsage());
  for (const char* id :
       {"HyperClockCache", "AutoHyperClockCache", "FixedHyperClockCache"}) {
    const std::string text = std::string("{id=") + id +
                             ";capacity=64M;num_shard_bits=1;"
                             "estimated_entry_charge=4K;"
                             "min_avg_entry_charge=100;eviction_effort_cap=3}";
    ASSERT_TRUE(Cache::CreateFromString(config, text, &cache).ok()) << text;
    EXPECT_STREQ("HyperClockCache", cache->Name());
    EXPECT_EQ(size_t{64} << 20, cache->GetCapacity());
    const std::string printed = cache->GetPrintableOptions();
    EXPECT_NE(std::string::npos, printed.find("estimated_entry_charge : 4096"));
    EXPECT_NE(std::string::npos, printed.find("eviction_effort_cap : 3"));
  }
  // Each kind knows its own fields.
  EXPECT_TRUE(Cache::CreateFromString(
                  config, "id=HyperClockCache;high_pri_pool_ratio=0.5", &cache)
                  .IsInvalidArgument());
  EXPECT_TRUE(
      Cache::CreateFromString(config, "estimated_entry_charge=1", &cache)
          .IsInvalidArgument());
  EXPECT_TRUE(Cache::CreateFromString(config, "hash_seed=-3", &cache)
                  .IsInvalidArgument());
  EXPECT_TRUE(
      Cache::CreateFromString(config, "metadata_charge_policy=x", &cache)
          .IsInvalidArgument());
  EXPECT_TRUE(Cache::CreateFromString(config, "id=Mine;capacity=1", &cache)
                  .IsInvalidArgument());
  EXPECT_TRUE(Cache::CreateFromString(config, "capacity=x", &cache)
                  .IsInvalidArgument());
  EXPECT_TRUE(
      Cache::CreateFromString(config, "8XB", &cache).IsInvalidArgument());
  EXPECT_TRUE(
      Cache::CreateFromString(config, "no_such=1", &cache).IsInvalidArgument());
  ASSERT_TRUE(Cache::CreateFromString(config, "nullptr", &cache).ok());
  EXPECT_EQ(nullptr, cache);
}

TEST(CacheReservation, GrowsExactlyAndShrinksWithDelay) {
  constexpr size_t kEntry = CacheReservation::kEntrySize;
  for (const std::shared_ptr<Cache>& cache :
       {NewLRUCache(100 * kEntry, 0),
        HyperClockCacheOptions(100 * kEntry, 0, 0).MakeSharedCache()}) {
    CacheReservation reservation(cache, CacheEntryRole::kWriteBuffer);
    ASSERT_TRUE(reservation.Update(1).ok());
    EXPECT_EQ(kEntry, reservation.reserved_bytes());
    ASSERT_TRUE(reservation.Update(8 * kEntry).ok());
    EXPECT_EQ(8 * kEntry, reservation.reserved_bytes());
    ASSERT_TRUE(reservation.Update(7 * kEntry).ok());
    EXPECT_EQ(8 * kEntry, reservation.reserved_bytes());
    ASSERT_TRUE(reservation.Update(6 * kEntry).ok());
    EXPECT_EQ(6 * kEntry, reservation.reserved_bytes());
    EXPECT_GE(cache->GetPinnedUsage(), 6 * kEntry);
    ASSERT_TRUE(reservation.Update(0).ok());
    EXPECT_EQ(0u, cache->GetUsage());
    ASSERT_TRUE(reservation.Update(3 * kEntry).ok());
  }
}

TEST(CacheReservation, WhatIsReservedIsGivenBackInTheEnd) {
  for (const std::shared_ptr<Cache>& cache :
       {NewLRUCache(1 << 20, 0),
        HyperClockCacheOptions(1 << 20, 0, 0).MakeSharedCache()}) {
    {
      EXPECT_TRUE(
          CacheReservation(cache, CacheEntryRole::kMisc).Update(8 << 20).ok());
    }
    EXPECT_EQ(0u, cache->GetUsage());
  }
}

TEST(CacheReservation, SharersTakeAndGiveBack) {
  constexpr size_t kEntry = CacheReservation::kEntrySize;
  for (const std::shared_ptr<Cache>& cache :
       {NewLRUCache(4 * kEntry + 4096, 0, true),
        HyperClockCacheOptions(4 * kEntry + 4096, 0, 0, true)
            .MakeSharedCache()}) {
    SharedReservation shared(cache, CacheEntryRole::kBlockBasedTableReader);
    ASSERT_TRUE(shared.Take(kEntry).ok());
    ASSERT_TRUE(shared.Take(2 * kEntry).ok());
    EXPECT_GE(cache->GetPinnedUsage(), 3 * kEntry);
    EXPECT_TRUE(shared.Take(8 * kEntry).IsMemoryLimit());
    ASSERT_TRUE(shared.Take(kEntry).ok());
    shared.TakeAnyway(8 * kEntry);
    shared.Give(8 * kEntry);
    shared.Give(4 * kEntry);
    EXPECT_EQ(0u, cache->GetPinnedUsage());
  }
}

// 13 of 16 entries are few enough less for a shrinking reservation to keep all.
TEST(CacheReservation, ARefusedSharerKeepsNothing) {
  constexpr size_t kEntry = CacheReservation::kEntrySize;
  for (const std::shared_ptr<Cache>& cache :
       {NewLRUCache(16 * kEntry + 16384, 0, true),
        HyperClockCacheOptions(16 * kEntry + 16384, 0, 0, true)
            .MakeSharedCache()}) {
    SharedReservation shared(cache, CacheEntryRole::kBlockBasedTableReader);
    ASSERT_TRUE(shared.Take(13 * kEntry).ok());
    const size_t usage = cache->GetPinnedUsage();
    EXPECT_TRUE(shared.Take(8 * kEntry).IsMemoryLimit());
    EXPECT_EQ(usage, cache->GetPinnedUsage());
    ASSERT_TRUE(shared.Take(3 * kEntry).ok());
  }
}

TEST(CacheReservation, OneCachesUsageIsChargedToAnotherOnce) {
  constexpr size_t kEntry = CacheReservation::kEntrySize;
  constexpr auto kRole = CacheEntryRole::kBlobCache;
  const std::shared_ptr<Cache> held = NewLRUCache(100 * kEntry, 0);
  const std::shared_ptr<Cache> block = NewLRUCache(100 * kEntry, 0);
  EXPECT_EQ(nullptr, UsageCharge::Of(held, nullptr, kRole));
  EXPECT_EQ(nullptr, UsageCharge::Of(nullptr, block, kRole));
  EXPECT_EQ(nullptr, UsageCharge::Of(block, block, kRole));
  auto charge = UsageCharge::Of(held, block, kRole);
  ASSERT_NE(nullptr, charge);
  EXPECT_EQ(charge, UsageCharge::Of(held, block, kRole));
  ASSERT_TRUE(held->Insert("a", nullptr, &kHelperOfNothing, 5 * kEntry).ok());
  charge->Follow();
  EXPECT_GE(block->GetPinnedUsage(), held->GetUsage());
  EXPECT_LE(block->GetPinnedUsage(), 7 * kEntry);
  held->Erase("a");
  charge->Follow();
  EXPECT_EQ(0u, block->GetPinnedUsage());
  ASSERT_TRUE(held->Insert("b", nullptr, &kHelperOfNothing, kEntry).ok());
  charge->Follow();
  charge.reset();
  EXPECT_EQ(0u, block->GetUsage());
  EXPECT_NE(nullptr, UsageCharge::Of(held, block, kRole));
}

TEST(CacheReservation, AFullStrictCacheRefuses) {
  for (const std::shared_ptr<Cache>& cache :
       {NewLRUCache(1 << 20, 0, true),
        HyperClockCacheOptions(1 << 20, 0, 0, true).MakeSharedCache()}) {
    CacheReservation reservation(cache, CacheEntryRole::kMisc);
    EXPECT_TRUE(reservation.Update(10 << 20).IsMemoryLimit());
    EXPECT_LE(reservation.reserved_bytes(), size_t{1} << 20);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
