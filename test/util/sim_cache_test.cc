#include "rocksdb/utilities/sim_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/env.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "test/support/temp_dir.h"
#include "test/util/cache_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// A cache with room for ten entries, which is asked as if it had room for
// thirty. All calls of the fixture go to the simulating one.
class SimCacheTest : public CacheFixture {
 protected:
  SimCacheTest() : CacheFixture(Kind::kLru) {}

  void SetUp() override {
    CacheFixture::SetUp();
    real_ = cache_;
    sim_ = NewSimCache(real_, 3000, 0);
    ASSERT_NE(nullptr, sim_);
    cache_ = sim_;
  }
  void TearDown() override {
    sim_.reset();
    real_.reset();
    CacheFixture::TearDown();
  }

  void InsertAll(uint64_t first, uint64_t last) {
    for (uint64_t n = first; n <= last; n++) {
      const Status status = Insert(n);
      EXPECT_TRUE(status.ok()) << status.ToString();
    }
  }
  static std::string HexKey(uint64_t number) {
    return Slice(Key(number)).ToString(/*hex=*/true);
  }

  std::shared_ptr<Cache> real_;
  std::shared_ptr<SimCache> sim_;
};

TEST_F(SimCacheTest, CountsTheHitsOfTheSimulatedCapacity) {
  InsertAll(1, 20);
  EXPECT_EQ(0u, sim_->get_hit_counter());
  EXPECT_FALSE(Touch(1)) << "the real cache has ten";
  EXPECT_EQ(1u, sim_->get_hit_counter());
  EXPECT_EQ(0u, sim_->get_miss_counter());
  EXPECT_TRUE(Touch(20));
  EXPECT_FALSE(Touch(99));
  EXPECT_EQ(2u, sim_->get_hit_counter());
  EXPECT_EQ(1u, sim_->get_miss_counter());
  const std::string text = sim_->ToString();
  EXPECT_NE(std::string::npos, text.find("MISSes:  1\n")) << text;
  EXPECT_NE(std::string::npos, text.find("HITs:    2\n")) << text;
  EXPECT_NE(std::string::npos, text.find("HITRATE: 66.67\n")) << text;
  sim_->reset_counter();
  EXPECT_EQ(0u, sim_->get_hit_counter());
  EXPECT_EQ(0u, sim_->get_miss_counter());
}

TEST_F(SimCacheTest, HasACapacityAndAUsageOfItsOwn) {
  InsertAll(1, 40);
  EXPECT_EQ("SimCache", std::string(cache_->Name()));
  EXPECT_EQ(3000u, sim_->GetSimCapacity());
  EXPECT_EQ(3000u, sim_->GetSimUsage());
  EXPECT_EQ(1000u, cache_->GetCapacity());
  EXPECT_EQ(1000u, cache_->GetUsage());
  EXPECT_EQ(10, objects_alive.load()) << "it holds no objects";
  sim_->SetSimCapacity(500);
  EXPECT_EQ(500u, sim_->GetSimCapacity());
  EXPECT_EQ(500u, sim_->GetSimUsage());
  EXPECT_EQ(1000u, cache_->GetUsage());
  cache_->SetCapacity(700);
  EXPECT_EQ(700u, real_->GetUsage());
  EXPECT_EQ(500u, sim_->GetSimCapacity());
}

// What the real cache still has, a smaller one would have to be given again.
TEST_F(SimCacheTest, ASmallerCacheTakesWhatTheRealOneFinds) {
  sim_->SetSimCapacity(300);
  InsertAll(1, 10);
  EXPECT_TRUE(Touch(1));
  EXPECT_EQ(1u, sim_->get_miss_counter());
  EXPECT_TRUE(Touch(1));
  EXPECT_EQ(1u, sim_->get_hit_counter());
  EXPECT_EQ(1u, sim_->get_miss_counter());
  EXPECT_EQ(300u, sim_->GetSimUsage());
}

TEST_F(SimCacheTest, WhatIsErasedIsNotSimulated) {
  InsertAll(1, 3);
  cache_->Erase(Key(2));
  EXPECT_FALSE(Touch(2));
  EXPECT_EQ(1u, sim_->get_miss_counter());
  EXPECT_EQ(200u, sim_->GetSimUsage());
  cache_->EraseUnRefEntries();
  EXPECT_EQ(0u, sim_->GetSimUsage());
  EXPECT_EQ(0u, cache_->GetUsage());
}

TEST_F(SimCacheTest, AnEntryInsertedTwiceIsCountedOnce) {
  InsertAll(1, 1);
  InsertAll(1, 1);
  EXPECT_EQ(100u, sim_->GetSimUsage());
  Cache::Handle* const handle = InsertPinned(2);
  ASSERT_NE(nullptr, handle);
  EXPECT_EQ(200u, sim_->GetSimUsage());
  EXPECT_EQ(100u, cache_->GetPinnedUsage());
  cache_->Release(handle);
}

TEST_F(SimCacheTest, StatisticsCountItsHitsAndMisses) {
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  InsertAll(1, 20);
  for (const uint64_t n : {1u, 20u, 30u}) {
    Cache::Handle* const handle = cache_->Lookup(
        Key(n), nullptr, nullptr, Cache::Priority::LOW, statistics.get());
    EXPECT_EQ(n == 20, handle != nullptr);
    if (handle != nullptr) cache_->Release(handle);
  }
  EXPECT_EQ(2u, statistics->getTickerCount(SIM_BLOCK_CACHE_HIT));
  EXPECT_EQ(1u, statistics->getTickerCount(SIM_BLOCK_CACHE_MISS));
}

TEST_F(SimCacheTest, SimulatesAnyCacheThatItIsGiven) {
  HyperClockCacheOptions clock(3000, 100, 0);
  clock.metadata_charge_policy = kDontChargeCacheMetadata;
  const std::shared_ptr<Cache> keys = clock.MakeSharedCache();
  sim_ = NewSimCache(keys, real_, 0);
  ASSERT_NE(nullptr, sim_);
  cache_ = sim_;
  InsertAll(1, 20);
  EXPECT_FALSE(Touch(1));
  EXPECT_EQ(1u, sim_->get_hit_counter());
  EXPECT_EQ(2000u, keys->GetUsage());
  const std::string text = sim_->GetPrintableOptions();
  EXPECT_NE(std::string::npos, text.find("capacity : 1000\n")) << text;
  EXPECT_NE(std::string::npos, text.find("capacity : 3000\n")) << text;
}

TEST_F(SimCacheTest, IsNotMadeWithoutACacheOrOfTooManyShards) {
  EXPECT_EQ(nullptr, NewSimCache(nullptr, size_t{1000}, 0));
  EXPECT_EQ(nullptr, NewSimCache(real_, size_t{1000}, 20));
  EXPECT_EQ(nullptr, NewSimCache(std::shared_ptr<Cache>(), real_, 0));
}

TEST_F(SimCacheTest, ThreadsLoseNoCount) {
  const test::TempDir dir;
  constexpr int kThreads = 4;
  constexpr uint64_t kLookups = 2000;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([this, t] {
      for (uint64_t i = 0; i < kLookups; i++) {
        const uint64_t n = (i * 7 + static_cast<uint64_t>(t)) % 50;
        if (!Touch(n)) Insert(n).PermitUncheckedError();
      }
    });
  }
  for (int i = 0; i < 20; i++) {
    const Status status =
        sim_->StartActivityLogging(dir.File("activity"), Env::Default());
    EXPECT_TRUE(status.ok()) << status.ToString();
    std::this_thread::yield();
    sim_->StopActivityLogging();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kThreads * kLookups,
            sim_->get_hit_counter() + sim_->get_miss_counter());
  EXPECT_GE(3000u, sim_->GetSimUsage());
  const Status status = sim_->GetActivityLoggingStatus();
  EXPECT_TRUE(status.ok()) << status.ToString();
}

// ---- The log of what it does.

class SimCacheLogTest : public SimCacheTest {
 protected:
  Status Start(uint64_t bytes_max = 0) {
    return sim_->StartActivityLogging(path_, Env::Default(), bytes_max);
  }
  std::string Logged() const {
    std::string text;
    const Status status = ReadFileToString(Env::Default(), path_, &text);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return text;
  }

  const test::TempDir dir_;
  std::string path_ = dir_.File("activity");
};

TEST_F(SimCacheLogTest, HasALineForEachLookupAndInsertion) {
  InsertAll(1, 1);
  ASSERT_TRUE(Start().ok());
  InsertAll(2, 2);
  EXPECT_TRUE(Touch(1));
  EXPECT_FALSE(Touch(3));
  sim_->StopActivityLogging();
  EXPECT_TRUE(Touch(2));
  EXPECT_EQ("ADD - " + HexKey(2) + " - 100\nLOOKUP - " + HexKey(1) +
                "\nLOOKUP - " + HexKey(3) + "\n",
            Logged());
  EXPECT_TRUE(sim_->GetActivityLoggingStatus().ok());
  sim_->StopActivityLogging();
}

TEST_F(SimCacheLogTest, EndsAtTheSizeThatItMayHave) {
  const std::string line = "LOOKUP - " + HexKey(1) + "\n";
  ASSERT_TRUE(Start(2 * line.size() + 1).ok());
  for (int i = 0; i < 10; i++) EXPECT_FALSE(Touch(1));
  EXPECT_EQ(line + line + line, Logged());
  EXPECT_TRUE(sim_->GetActivityLoggingStatus().ok());
}

TEST_F(SimCacheLogTest, LosesNothingOfALongLog) {
  ASSERT_TRUE(Start().ok());
  constexpr size_t kTouches = 5000;
  for (size_t i = 0; i < kTouches; i++) EXPECT_FALSE(Touch(1));
  cache_.reset();
  sim_.reset();  // Ends the log, too.
  const std::string line = "LOOKUP - " + HexKey(1) + "\n";
  EXPECT_EQ(kTouches * line.size(), Logged().size());
}

TEST_F(SimCacheLogTest, ANewLogEndsTheOneBefore) {
  ASSERT_TRUE(Start().ok());
  EXPECT_FALSE(Touch(1));
  const std::string first = path_;
  path_ = dir_.File("second");
  ASSERT_TRUE(Start().ok());
  EXPECT_FALSE(Touch(2));
  sim_->StopActivityLogging();
  EXPECT_EQ("LOOKUP - " + HexKey(2) + "\n", Logged());
  path_ = first;
  EXPECT_EQ("LOOKUP - " + HexKey(1) + "\n", Logged());
}

TEST_F(SimCacheLogTest, ReportsAFileThatCannotBeMade) {
  path_ = dir_.File("missing/activity");
  const Status status = Start();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string::npos, status.ToString().find(path_))
      << status.ToString();
  EXPECT_EQ(status.ToString(), sim_->GetActivityLoggingStatus().ToString());
  EXPECT_FALSE(Touch(1)) << "the cache goes on";
  EXPECT_TRUE(sim_->StartActivityLogging(path_, nullptr).IsInvalidArgument());
  path_ = dir_.File("activity");
  EXPECT_TRUE(Start().ok());
  EXPECT_TRUE(sim_->GetActivityLoggingStatus().ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
