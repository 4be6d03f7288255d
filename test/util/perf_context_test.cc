#include "util/perf_context.h"

#include <gtest/gtest.h>

#include <thread>

#include "test/support/manual_clock.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class PerfContextTest : public testing::Test {
 protected:
  void SetUp() override {
    SetPerfLevel(kEnableCount);
    get_perf_context()->Reset();
    get_iostats_context()->Reset();
  }
  void TearDown() override {
    SetPerfLevel(kEnableCount);
    get_perf_context()->ClearPerLevelPerfContext();
  }
};

TEST_F(PerfContextTest, CountersCountUnlessDisabled) {
  PerfAdd<&PerfContext::block_read_count>();
  PerfAdd<&PerfContext::block_read_byte>(4096);
  SetPerfLevel(kDisable);
  PerfAdd<&PerfContext::block_read_count>();
  EXPECT_EQ(1u, get_perf_context()->block_read_count);
  EXPECT_EQ(4096u, get_perf_context()->block_read_byte);
}

TEST_F(PerfContextTest, TimersRunFromTheirLevelOn) {
  test::ManualClock clock;
  {
    PerfTimer timer(&clock, &PerfContextBase::block_read_time);
    clock.SleepForMicroseconds(3);
  }
  EXPECT_EQ(0u, get_perf_context()->block_read_time);
  SetPerfLevel(kEnableTime);
  {
    PerfTimer timer(&clock, &PerfContextBase::block_read_time);
    PerfTimer io_timer(&clock, &IOStatsContext::read_nanos);
    clock.SleepForMicroseconds(3);
    timer.Stop();
    clock.SleepForMicroseconds(1);
  }
  EXPECT_EQ(3000u, get_perf_context()->block_read_time);
  EXPECT_EQ(4000u, get_iostats_context()->read_nanos);
}

TEST_F(PerfContextTest, LevelsOutOfRangeAreIgnored) {
  SetPerfLevel(kOutOfBounds);
  EXPECT_EQ(kEnableCount, GetPerfLevel());
  SetPerfLevel(kUninitialized);
  EXPECT_EQ(kEnableCount, GetPerfLevel());
}

TEST_F(PerfContextTest, EveryThreadHasItsOwn) {
  PerfAdd<&PerfContext::get_read_bytes>(5);
  SetPerfLevel(kEnableTime);
  std::thread other([] {
    EXPECT_EQ(kEnableCount, GetPerfLevel());
    EXPECT_EQ(0u, get_perf_context()->get_read_bytes);
    PerfAdd<&PerfContext::get_read_bytes>(7);
    EXPECT_EQ(7u, get_perf_context()->get_read_bytes);
  });
  other.join();
  EXPECT_EQ(5u, get_perf_context()->get_read_bytes);
}

TEST_F(PerfContextTest, CountersPerLevelCountOnlyWhileEnabled) {
  PerfAddAtLevel<&PerfContextByLevel::bloom_filter_useful>(2);
  get_perf_context()->EnablePerLevelPerfContext();
  PerfAddAtLevel<&PerfContextByLevel::bloom_filter_useful>(2, 3);
  PerfAddAtLevel<&PerfContextByLevel::bloom_filter_useful>(0);
  const std::string text = get_perf_context()->ToString(true);
  EXPECT_EQ("bloom_filter_useful = 1@level0, 3@level2, ", text);
  get_perf_context()->DisablePerLevelPerfContext();
  PerfAddAtLevel<&PerfContextByLevel::bloom_filter_useful>(2);
  EXPECT_EQ(
      3u, (*get_perf_context()->level_to_perf_context)[2].bloom_filter_useful);
}

TEST_F(PerfContextTest, TheTextNamesEveryCounterOrTheUsedOnes) {
  PerfAdd<&PerfContext::write_wal_time>(12);
  EXPECT_EQ("write_wal_time = 12, ", get_perf_context()->ToString(true));
  const std::string all = get_perf_context()->ToString();
  EXPECT_TRUE(Slice(all).starts_with("user_key_comparison_count = 0, "));
  EXPECT_NE(std::string::npos, all.find("write_wal_time = 12, "));
}

TEST_F(PerfContextTest, CopiesAreDeep) {
  get_perf_context()->EnablePerLevelPerfContext();
  PerfAddAtLevel<&PerfContextByLevel::user_key_return_count>(1);
  PerfAdd<&PerfContext::block_read_count>(9);
  PerfContext copy = *get_perf_context();
  get_perf_context()->Reset();
  EXPECT_EQ(9u, copy.block_read_count);
  EXPECT_EQ(1u, (*copy.level_to_perf_context)[1].user_key_return_count);
  const PerfContext moved = std::move(copy);
  EXPECT_EQ(1u, (*moved.level_to_perf_context)[1].user_key_return_count);
}

TEST_F(PerfContextTest, IoCountersCanBeSwitchedOffAndKeepTheirPool) {
  get_iostats_context()->thread_pool_id = 3;
  IoStatsAdd<&IOStatsContext::bytes_written>(10);
  get_iostats_context()->disable_iostats = true;
  IoStatsAdd<&IOStatsContext::bytes_written>(10);
  get_iostats_context()->disable_iostats = false;
  EXPECT_EQ("thread_pool_id = 3, bytes_written = 10, ",
            get_iostats_context()->ToString(true));
  get_iostats_context()->Reset();
  EXPECT_EQ("thread_pool_id = 3, ", get_iostats_context()->ToString(true));
  get_iostats_context()->thread_pool_id = 0;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
