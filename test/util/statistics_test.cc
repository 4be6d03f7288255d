#include "util/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "test/support/manual_clock.h"
#include "util/ewma.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(Histogram, LimitsGrowByHalfWithTwoDigits) {
  const std::vector<uint64_t> first = {1,  2,  3,  4,   6,   10,  15,  22,
                                       34, 51, 76, 110, 170, 250, 380, 580};
  for (size_t i = 0; i < first.size(); i++) {
    EXPECT_EQ(first[i], HistogramLimit(i));
  }
  EXPECT_EQ(6600u, HistogramLimit(HistogramBucket(6000)));
  EXPECT_EQ(9900u, HistogramLimit(HistogramBucket(6601)));
}

TEST(Histogram, EveryValueFallsIntoTheBucketThatEndsAtOrAboveIt) {
  Random64 random(3);
  std::vector<uint64_t> values = {0, 1, 2, 3, ~uint64_t{0}};
  for (size_t i = 0; i < kHistogramBuckets; i++) {
    values.push_back(HistogramLimit(i));
    values.push_back(HistogramLimit(i) + 1);
  }
  for (int i = 0; i < 10000; i++) {
    values.push_back(random.Next() >> random.Uniform(64));
  }
  for (const uint64_t value : values) {
    const size_t bucket = HistogramBucket(value);
    ASSERT_LT(bucket, kHistogramBuckets);
    if (bucket > 0) {
      ASSERT_GT(value, HistogramLimit(bucket - 1));
    }
    if (bucket + 1 < kHistogramBuckets) {
      ASSERT_LE(value, HistogramLimit(bucket));
    }
  }
}

// The table that RocksDB's db_bench printed for these values.
TEST(Histogram, TheTableHasTheKnownLayout) {
  Histogram histogram;
  const auto add = [&](uint64_t value, int times) {
    for (int i = 0; i < times; i++) histogram.Add(value);
  };
  add(2, 229);
  add(3, 682);
  add(4, 19);
  add(5, 58);
  add(8, 6);
  add(12, 3);
  add(20, 1);
  add(5000, 1);
  add(8941, 1);
  const std::string text = histogram.ToString();
  EXPECT_NE(std::string::npos, text.find("Count: 1000 Average: "));
  EXPECT_NE(std::string::npos,
            text.find("Min: 2  Median: 2.3974  Max: 8941\n"
                      "Percentiles: P50: 2.40 P75: 2.76 P99: 7.33 "
                      "P99.9: 6600.00 P99.99: 8941.00\n"
                      "------------------------------------------------------\n"
                      "(       1,       2 ]      229  22.900%  22.900% #####\n"
                      "(       2,       3 ]      682  68.200%  91.100% "
                      "##############\n"
                      "(       3,       4 ]       19   1.900%  93.000% \n"
                      "(       4,       6 ]       58   5.800%  98.800% #\n"))
      << text;
}

TEST(Histogram, NothingRecordedGivesZeroes) {
  const Histogram histogram;
  EXPECT_EQ(0.0, histogram.Percentile(99));
  EXPECT_EQ(0.0, histogram.Average());
  EXPECT_EQ(0.0, histogram.StandardDeviation());
  EXPECT_EQ(0u, histogram.min());
}

TEST(Histogram, PercentilesAreWithinAThirdOfTheTruth) {
  Random64 random(5);
  std::vector<uint64_t> values;
  Histogram histogram;
  for (int i = 0; i < 20000; i++) {
    values.push_back(10 + random.Skewed(20));
    histogram.Add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double p : {10.0, 50.0, 75.0, 99.0, 99.9}) {
    const double truth =
        static_cast<double>(values[static_cast<size_t>(p / 100 * 20000) - 1]);
    EXPECT_NEAR(truth, histogram.Percentile(p), truth * 0.35) << p;
  }
  EXPECT_EQ(values.front(), histogram.min());
  EXPECT_EQ(values.back(), histogram.max());
}

TEST(Histogram, MergingEqualsAddingTogether) {
  Random64 random(8);
  Histogram a;
  Histogram b;
  Histogram both;
  AtomicHistogram atomic;
  for (int i = 0; i < 5000; i++) {
    const uint64_t value = random.Skewed(18);
    (random.OneIn(3) ? a : b).Add(value);
    both.Add(value);
    atomic.Add(value);
  }
  a.Merge(b);
  EXPECT_EQ(both.ToString(), a.ToString());
  Histogram read;
  atomic.AddTo(&read);
  EXPECT_EQ(both.ToString(), read.ToString());
  a.Clear();
  EXPECT_TRUE(a.empty());
}

TEST(Statistics, NamesFollowTheEnums) {
  ASSERT_EQ(static_cast<size_t>(TICKER_ENUM_MAX), TickersNameMap.size());
  ASSERT_EQ(static_cast<size_t>(HISTOGRAM_ENUM_MAX), HistogramsNameMap.size());
  for (size_t i = 0; i < TickersNameMap.size(); i++) {
    EXPECT_EQ(i, TickersNameMap[i].first);
    EXPECT_TRUE(Slice(TickersNameMap[i].second).starts_with("rocksdb."));
  }
  for (size_t i = 0; i < HistogramsNameMap.size(); i++) {
    EXPECT_EQ(i, HistogramsNameMap[i].first);
  }
  EXPECT_EQ("rocksdb.l2andup.hit", TickersNameMap[GET_HIT_L2_AND_UP].second);
  EXPECT_EQ("rocksdb.db.flush.micros", HistogramsNameMap[FLUSH_TIME].second);
}

TEST(Statistics, CountsOfManyThreadsAreExact) {
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (uint64_t i = 0; i < 20000; i++) {
        RecordTick(statistics.get(), BYTES_WRITTEN, 3);
        RecordInHistogram(statistics.get(), BYTES_PER_WRITE, i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(240000u, statistics->getTickerCount(BYTES_WRITTEN));
  HistogramData data;
  statistics->histogramData(BYTES_PER_WRITE, &data);
  EXPECT_EQ(80000u, data.count);
  EXPECT_EQ(uint64_t{4} * 19999 * 20000 / 2, data.sum);
  EXPECT_EQ(19999.0, data.max);
  EXPECT_EQ(0.0, data.min);
}

TEST(Statistics, TickersCanBeSetTakenAndReset) {
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  statistics->recordTick(MEMTABLE_HIT);
  statistics->setTickerCount(MEMTABLE_HIT, 41);
  statistics->recordTick(MEMTABLE_HIT);
  EXPECT_EQ(42u, statistics->getAndResetTickerCount(MEMTABLE_HIT));
  EXPECT_EQ(0u, statistics->getTickerCount(MEMTABLE_HIT));
  statistics->recordTick(MEMTABLE_MISS, 5);
  RecordInHistogram(statistics.get(), DB_GET, 5);
  ASSERT_TRUE(statistics->Reset().ok());
  EXPECT_EQ(0u, statistics->getTickerCount(MEMTABLE_MISS));
  HistogramData data;
  statistics->histogramData(DB_GET, &data);
  EXPECT_EQ(0u, data.count);
}

TEST(Statistics, LevelsSwitchOffWhatTheySay) {
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  const auto record_all = [&] {
    EXPECT_TRUE(statistics->Reset().ok());
    RecordTick(statistics.get(), MEMTABLE_HIT);
    RecordInHistogram(statistics.get(), BYTES_PER_READ, 7);
    RecordTimeToHistogram(statistics.get(), DB_GET, 7);
    HistogramData sizes;
    HistogramData times;
    statistics->histogramData(BYTES_PER_READ, &sizes);
    statistics->histogramData(DB_GET, &times);
    return std::to_string(statistics->getTickerCount(MEMTABLE_HIT)) +
           std::to_string(sizes.count) + std::to_string(times.count);
  };
  EXPECT_EQ("111", record_all());
  statistics->set_stats_level(kExceptTimers);
  EXPECT_EQ("110", record_all());
  EXPECT_FALSE(TimersEnabled(statistics.get()));
  statistics->set_stats_level(kExceptHistogramOrTimers);
  EXPECT_EQ("100", record_all());
  statistics->set_stats_level(kDisableAll);
  EXPECT_EQ("000", record_all());
}

TEST(Statistics, NoObjectAndUnknownNumbersAreHarmless) {
  RecordTick(nullptr, MEMTABLE_HIT);
  RecordInHistogram(nullptr, DB_GET, 1);
  RecordTimeToHistogram(nullptr, DB_GET, 1);
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  statistics->recordTick(100000);
  EXPECT_EQ(0u, statistics->getTickerCount(100000));
  HistogramData data;
  statistics->histogramData(100000, &data);
  EXPECT_EQ(0u, data.count);
}

TEST(Statistics, TheTextHasOneLineEach) {
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  RecordTick(statistics.get(), BLOCK_CACHE_HIT, 12);
  for (int i = 0; i < 100; i++) RecordInHistogram(statistics.get(), DB_GET, 4);
  const std::string text = statistics->ToString();
  EXPECT_TRUE(
      Slice(text).starts_with("rocksdb.block.cache.miss COUNT : 0\n"
                              "rocksdb.block.cache.hit COUNT : 12\n"));
  EXPECT_NE(std::string::npos,
            text.find("rocksdb.db.get.micros P50 : 4.000000 P95 : 4.000000 "
                      "P99 : 4.000000 P100 : 4.000000 COUNT : 100 SUM : "
                      "400\n"))
      << text;
  EXPECT_EQ(TickersNameMap.size() + HistogramsNameMap.size(),
            static_cast<size_t>(std::count(text.begin(), text.end(), '\n')));
  std::map<std::string, uint64_t> map;
  ASSERT_TRUE(statistics->getTickerMap(&map));
  EXPECT_EQ(12u, map["rocksdb.block.cache.hit"]);
}

TEST(StopWatch, RecordsWhatItsClockSays) {
  test::ManualClock clock;
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  {
    StopWatch watch(&clock, statistics.get(), FLUSH_TIME);
    clock.SleepForMicroseconds(250);
  }
  HistogramData data;
  statistics->histogramData(FLUSH_TIME, &data);
  EXPECT_EQ(250u, data.sum);
}

TEST(Ewma, CoversHalfOfAStepInOneHalfLife) {
  Ewma average(4.0);
  EXPECT_FALSE(average.has_value());
  average.Add(10.0);
  EXPECT_EQ(10.0, average.value());
  for (int i = 0; i < 4; i++) average.Add(20.0);
  EXPECT_NEAR(15.0, average.value(), 1e-9);
  Ewma coarse(4.0);
  coarse.Add(10.0);
  coarse.Add(20.0, 4.0);
  EXPECT_NEAR(15.0, coarse.value(), 1e-9);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
