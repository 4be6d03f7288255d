// What the clock cache has of its own: the order in which entries leave, and
// that nothing is lost while it grows and evicts under many threads.

#include "util/cache/clock_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "test/util/cache_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class ClockCacheTest : public CacheFixture {
 protected:
  ClockCacheTest() : CacheFixture(Kind::kClock) {}

  // Runs `body(thread, random)` in some threads at once.
  template <typename Body>
  static void InThreads(uint64_t count, Body body) {
    std::vector<std::thread> threads;
    std::atomic<uint64_t> ready{0};
    for (uint64_t t = 0; t < count; t++) {
      threads.emplace_back([&, t] {
        Random64 random(t + 1);
        ready++;
        while (ready.load() < count) std::this_thread::yield();
        body(t, random);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  // What must hold when no thread uses it.
  void ExpectConsistent(size_t charge_each) {
    EXPECT_EQ(0u, cache_->GetPinnedUsage());
    EXPECT_EQ(cache_->GetOccupancyCount(),
              static_cast<size_t>(objects_alive.load()));
    size_t charges = 0;
    cache_->ApplyToAllEntries(
        [&](const Slice&, Cache::ObjectPtr, size_t charge,
            const Cache::CacheItemHelper*) {
          if (charge_each > 0) {
            EXPECT_EQ(charge_each, charge);
          }
          charges += charge;
        },
        {});
    EXPECT_EQ(charges, cache_->GetUsage());
    EXPECT_LE(charges, cache_->GetCapacity());
    cache_->EraseUnRefEntries();
    EXPECT_EQ(0u, cache_->GetUsage());
    EXPECT_EQ(0u, cache_->GetOccupancyCount());
    EXPECT_EQ(0, objects_alive.load());
  }
};

TEST_F(ClockCacheTest, WhatWasNotHitGoesFirst) {
  for (uint64_t n = 0; n < 10; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_TRUE(Touch(0));
  EXPECT_TRUE(Touch(2));
  for (uint64_t n = 10; n < 15; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_EQ("0 2 7 8 9 10 11 12 13 14 ", Present(0, 14));
}

TEST_F(ClockCacheTest, HitsCountForThreeTurnsAtMost) {
  for (uint64_t n = 0; n < 10; n++) ASSERT_TRUE(Insert(n).ok());
  for (int i = 0; i < 1000; i++) EXPECT_TRUE(Touch(0));
  uint64_t next = 10;
  while (Present(0, 0) == "0 ") {
    ASSERT_TRUE(Insert(next++).ok());
    ASSERT_LT(next, 100u);
  }
  // The others, nine or ten, leave in each turn; then it is its own.
  EXPECT_GE(next, 10u + 3 * 9 + 1);
  EXPECT_LE(next, 10u + 3 * 10 + 1);
}

TEST_F(ClockCacheTest, HighPriorityIsTwoTurnsMore) {
  for (uint64_t n = 0; n < 9; n++) {
    const auto priority = n % 3 == 0   ? Cache::Priority::HIGH
                          : n % 3 == 1 ? Cache::Priority::LOW
                                       : Cache::Priority::BOTTOM;
    ASSERT_TRUE(Insert(n, 100, priority).ok());
  }
  for (uint64_t n = 20; n < 27; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_EQ("0 3 6 ", Present(0, 8));
  for (uint64_t n = 27; n < 34; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_EQ("0 3 6 ", Present(0, 8));
  for (uint64_t n = 34; n < 44; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_EQ("", Present(0, 8));
}

TEST_F(ClockCacheTest, AnInsertionGivesUpWhereNearlyAllIsInUse) {
  effort_cap_ = 2;
  Remake();
  std::vector<Cache::Handle*> handles;
  for (uint64_t n = 0; n < 9; n++) handles.push_back(InsertPinned(n));
  ASSERT_TRUE(Insert(9).ok());
  ASSERT_TRUE(Insert(10).ok());  // It met three and looked no further.
  EXPECT_FALSE(Touch(10));
  EXPECT_TRUE(Touch(9));
  handles.push_back(InsertPinned(11));  // Comes nevertheless.
  EXPECT_EQ(1100u, cache_->GetUsage());
  cache_->SetStrictCapacityLimit(true);
  // Now it looks at all of them: for what is too much, and for the new one.
  cache_->Release(handles.back());
  handles.back() = InsertPinned(12);
  ASSERT_NE(nullptr, handles.back());
  EXPECT_EQ(1000u, cache_->GetUsage());
  for (Cache::Handle* handle : handles) cache_->Release(handle);
}

// What was found hopeless once is looked at again after every change.
TEST_F(ClockCacheTest, AStrictLimitRefusesOnlyWhileAllIsInUse) {
  options_.strict_capacity_limit = true;
  Remake();
  std::vector<Cache::Handle*> handles;
  for (uint64_t n = 0; n < 10; n++) handles.push_back(InsertPinned(n));
  for (uint64_t n = 10; n < 40; n++) {
    EXPECT_EQ(nullptr, InsertPinned(n));
    EXPECT_EQ(nullptr, InsertPinned(n));
    Cache::Handle*& one = handles[n % 10];
    cache_->Release(one);
    one = InsertPinned(n);
    ASSERT_NE(nullptr, one) << n;
  }
  // One that is in use twice is no room until both are given back.
  Cache::Handle* const again = Lookup(39);
  cache_->Release(handles[9]);
  EXPECT_EQ(nullptr, InsertPinned(40));
  cache_->Release(again);
  handles[9] = InsertPinned(40);
  EXPECT_NE(nullptr, handles[9]);
  EXPECT_EQ(nullptr, InsertPinned(41));
  cache_->Erase(Key(40));
  cache_->Release(handles[9]);
  handles[9] = InsertPinned(41);
  EXPECT_NE(nullptr, handles[9]);
  EXPECT_EQ(1000u, cache_->GetUsage());
  for (Cache::Handle* handle : handles) cache_->Release(handle);
}

TEST_F(ClockCacheTest, AStrictLimitRefusesNoInsertionForEver) {
  options_.strict_capacity_limit = true;
  Remake();
  std::atomic<uint64_t> taken{0};
  InThreads(4, [&](uint64_t thread, Random64& random) {
    for (uint64_t i = 0; i < 20'000; i++) {
      const uint64_t n = thread << 32 | i;
      Cache::Handle* const first = InsertPinned(n);
      Cache::Handle* const second = InsertPinned(n + (uint64_t{1} << 40));
      for (Cache::Handle* handle : {first, second}) {
        if (handle == nullptr) continue;
        taken++;
        cache_->Release(handle, random.OneIn(4));
      }
    }
  });
  EXPECT_GT(taken.load(), 0u);
  // Everything is given back: there is room for as much as ever.
  std::vector<Cache::Handle*> handles;
  for (uint64_t n = 0; n < 10; n++) handles.push_back(InsertPinned(n));
  for (Cache::Handle* handle : handles) {
    ASSERT_NE(nullptr, handle);
    cache_->Release(handle);
  }
  ExpectConsistent(100);
}

TEST_F(ClockCacheTest, AnEstimateSizesTheTableAtOnce) {
  options_.capacity = 1 << 20;
  estimate_ = 1024;
  Remake();
  const size_t words = cache_->GetTableAddressCount();
  EXPECT_GE(words, 1024u);
  for (uint64_t n = 0; n < 1024; n++) ASSERT_TRUE(Insert(n, 1024).ok());
  EXPECT_EQ(1024u, cache_->GetOccupancyCount());
  EXPECT_EQ(words, cache_->GetTableAddressCount());
  // A wrong one is not the end.
  for (uint64_t n = 0; n < 8192; n++) ASSERT_TRUE(Insert(n, 128).ok());
  EXPECT_EQ(8192u, cache_->GetOccupancyCount());
  EXPECT_GT(cache_->GetTableAddressCount(), words);
}

TEST_F(ClockCacheTest, TheCallbackHearsWhetherItWasHitAndMayTakeIt) {
  std::map<std::string, bool> evicted;
  cache_->SetEvictionCallback(
      [&](const Slice& key, Cache::Handle* handle, bool was_hit) {
        evicted[key.ToString()] = was_hit;
        auto* const object = static_cast<Object*>(cache_->Value(handle));
        EXPECT_EQ(100u, cache_->GetCharge(handle));
        if (object->number != 1) return false;
        delete object;
        return true;
      });
  for (uint64_t n = 0; n < 10; n++) ASSERT_TRUE(Insert(n).ok());
  EXPECT_TRUE(Touch(0));
  cache_->Erase(Key(9));  // Not for want of room.
  for (uint64_t n = 10; n < 31; n++) ASSERT_TRUE(Insert(n).ok());
  ASSERT_EQ(1u, evicted.count(Key(0)));
  ASSERT_EQ(1u, evicted.count(Key(1)));
  EXPECT_TRUE(evicted[Key(0)]);
  EXPECT_FALSE(evicted[Key(1)]);
  EXPECT_EQ(0u, evicted.count(Key(9)));
  EXPECT_EQ(10, objects_alive.load());
}

TEST_F(ClockCacheTest, EverySeedFindsItsKeys) {
  for (const int32_t seed :
       {ShardedCacheOptions::kHostHashSeed,
        ShardedCacheOptions::kQuasiRandomHashSeed, 0, 1, INT32_MAX}) {
    options_.hash_seed = seed;
    options_.num_shard_bits = 3;
    options_.capacity = 1 << 20;
    Remake();
    for (uint64_t n = 0; n < 1000; n++) ASSERT_TRUE(Insert(n).ok());
    for (uint64_t n = 0; n < 1000; n++) ASSERT_TRUE(Touch(n));
  }
}

// Nothing is evicted: what a thread has put is found from then on, also while
// it is moved. clock_table.h (1).
TEST_F(ClockCacheTest, NothingIsLostWhileTheTableGrows) {
  options_.capacity = size_t{1} << 30;
  Remake();
  constexpr uint64_t kCount = 100'000;
  Random64 random(1);
  for (uint64_t n = 0; n < kCount; n++) {
    ASSERT_TRUE(Insert(n).ok());
    for (int k = 0; k < 3; k++) ASSERT_TRUE(Touch(random.Uniform(n + 1)));
  }
  EXPECT_EQ(kCount, cache_->GetOccupancyCount());
  ExpectConsistent(100);
}

// By many threads: one that sleeps amidst a move keeps the table from growing,
// and what comes then may be dropped. What was found once stays.
TEST_F(ClockCacheTest, WhatWasFoundStaysWhileTheTableGrows) {
  options_.capacity = size_t{1} << 30;
  Remake();
  constexpr uint64_t kEach = 40000;
  std::atomic<uint64_t> lost{0};
  std::atomic<uint64_t> kept{0};
  InThreads(4, [&](uint64_t t, Random64& random) {
    std::vector<uint64_t> mine;
    for (uint64_t i = 0; i < kEach; i++) {
      const uint64_t n = t * kEach + i;
      EXPECT_TRUE(Insert(n).ok());
      if (Touch(n)) mine.push_back(n);
      for (int k = 0; k < 3 && !mine.empty(); k++) {
        if (!Touch(mine[random.Uniform(mine.size())])) lost++;
      }
    }
    kept += mine.size();
  });
  EXPECT_EQ(0u, lost.load());
  EXPECT_EQ(kept.load(), cache_->GetOccupancyCount());
  uint64_t found = 0;
  for (uint64_t n = 0; n < 4 * kEach; n++) found += Touch(n) ? 1 : 0;
  EXPECT_EQ(kept.load(), found);
  ExpectConsistent(100);
}

// The same, with entries that die while they are moved.
TEST_F(ClockCacheTest, WhatIsErasedWhileTheTableGrowsStaysAway) {
  options_.capacity = size_t{1} << 30;
  Remake();
  constexpr uint64_t kEach = 40000;
  std::atomic<uint64_t> wrong{0};
  InThreads(4, [&](uint64_t t, Random64& random) {
    std::vector<bool> there(kEach);
    for (uint64_t i = 0; i < kEach; i++) {
      EXPECT_TRUE(Insert(t * kEach + i).ok());
      there[i] = true;
      const uint64_t n = random.Uniform(i + 1);
      Cache::Handle* const held = Lookup(t * kEach + n);
      if (held != nullptr && !there[n]) wrong++;
      if (random.OneIn(2)) {
        cache_->Erase(Key(t * kEach + n));
        there[n] = false;
        if (Touch(t * kEach + n)) wrong++;
      }
      if (held != nullptr) cache_->Release(held);
    }
  });
  EXPECT_EQ(0u, wrong.load());
  ExpectConsistent(100);
}

TEST_F(ClockCacheTest, AKeyThatManyInsertAtOnceIsErasedAtOnce) {
  options_.capacity = 100 * 50;
  Remake();
  InThreads(4, [&](uint64_t, Random64& random) {
    for (int i = 0; i < 20000; i++) {
      const uint64_t n = random.Uniform(4);
      Cache::Handle* handle = Lookup(n);
      if (handle == nullptr) handle = InsertPinned(n);
      if (random.OneIn(3)) cache_->Erase(Key(n));
      cache_->Release(handle, random.OneIn(4));
    }
  });
  for (uint64_t n = 0; n < 4; n++) {
    cache_->Erase(Key(n));
    EXPECT_FALSE(Touch(n));
  }
  EXPECT_EQ(0, objects_alive.load());
  ExpectConsistent(100);
}

// All at once, over a cache that is too small.
TEST_F(ClockCacheTest, EveryHandleIsOfItsKeyUnderAllThatCanHappen) {
  options_.num_shard_bits = 1;
  options_.capacity = 60000;
  Remake();
  InThreads(4, [&](uint64_t t, Random64& random) {
    std::vector<Cache::Handle*> held;
    for (int step = 0; step < 30000; step++) {
      const uint64_t n = random.Skewed(12);
      const auto priority = static_cast<Cache::Priority>(random.Uniform(3));
      Cache::Handle* handle = Lookup(n);
      if (handle != nullptr) {
        held.push_back(handle);
      } else if (random.OneIn(2)) {
        EXPECT_TRUE(Insert(n, 1 + random.Uniform(300), priority).ok());
      } else if ((handle = InsertPinned(n, 1 + random.Uniform(300)))) {
        held.push_back(handle);
      }
      if (random.OneIn(20)) cache_->Erase(Key(n));
      if (random.OneIn(2000)) cache_->EraseUnRefEntries();
      if (random.OneIn(1000)) {
        EXPECT_LE(cache_->GetPinnedUsage(), size_t{1} << 20);
      }
      if (random.OneIn(1000)) (void)Present(0, 1);
      if (t == 0 && random.OneIn(300)) {
        cache_->SetCapacity(20000 + random.Uniform(40000));
        cache_->SetStrictCapacityLimit(random.OneIn(2));
      }
      while (held.size() > random.Uniform(8)) {
        if (random.OneIn(4)) {
          EXPECT_TRUE(cache_->Ref(held.back()));
          cache_->Release(held.back());
        }
        cache_->Release(held.back(), random.OneIn(20));
        held.pop_back();
      }
    }
    for (Cache::Handle* handle : held) cache_->Release(handle);
  });
  cache_->SetCapacity(60000);
  ExpectConsistent(0);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
