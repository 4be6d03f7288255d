// GetStatsHistory: what a database remembers of its statistics.

#include "rocksdb/stats_history.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/properties/stats_history.h"
#include "env/timer.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "test/support/clocked_env.h"
#include "test/support/manual_clock.h"
#include "test/support/ok.h"
#include "test/support/timer_turn.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr char kKeysWritten[] = "rocksdb.number.keys.written";

// The second of each slice, and the keys that were written in its period.
using Written = std::vector<std::pair<uint64_t, uint64_t>>;

Written WrittenIn(StatsHistoryIterator* slices) {
  Written written;
  for (; slices->Valid(); slices->Next()) {
    const std::map<std::string, uint64_t>& map = slices->GetStatsMap();
    EXPECT_EQ(TickersNameMap.size(), map.size());
    const auto found = map.find(kKeysWritten);
    EXPECT_NE(map.end(), found);
    if (found == map.end()) break;
    written.emplace_back(slices->GetStatsTime(), found->second);
  }
  test::Ok(slices->status());
  return written;
}

// The clock begins at second 1, and is moved by the test alone.
class StatsHistoryOfDb : public ::testing::Test {
 protected:
  StatsHistoryOfDb() {
    options_.env = &env_;
    options_.create_if_missing = true;
    options_.stats_dump_period_sec = 0;
    options_.stats_persist_period_sec = 5;
    options_.statistics = CreateDBStatistics();
  }
  ~StatsHistoryOfDb() override { db_.reset(); }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  void Set(const std::string& name, const std::string& value) {
    test::Ok(db_->SetDBOptions({{name, value}}));
  }
  void Put(int times) {
    for (int i = 0; i < times; ++i) {
      test::Ok(db_->Put(WriteOptions(), "key", "value"));
    }
  }
  void Pass(int seconds) {
    for (int i = 0; i < seconds; ++i) {
      test::AdvanceTimer(clock_.get(), engine::TimerOf(&env_).get(),
                         1000 * 1000);
    }
  }
  std::unique_ptr<StatsHistoryIterator> Slices(uint64_t start = 0,
                                               uint64_t end = UINT64_MAX) {
    std::unique_ptr<StatsHistoryIterator> slices;
    test::Ok(db_->GetStatsHistory(start, end, &slices));
    return slices;
  }
  Written History(uint64_t start = 0, uint64_t end = UINT64_MAX) {
    return WrittenIn(Slices(start, end).get());
  }

  const std::unique_ptr<Env> mem_{NewMemEnv(Env::Default())};
  const std::shared_ptr<test::ManualClock> clock_ =
      std::make_shared<test::ManualClock>(1000 * 1000,
                                          test::ManualClock::Sleep::kBlock);
  test::ClockedEnv env_{mem_.get(), mem_->GetFileSystem(), clock_};
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(StatsHistoryOfDb, ASliceHasWhatWasCountedSinceTheOneBefore) {
  Open();
  Put(3);
  Pass(5);
  EXPECT_EQ(Written(), History()) << "there is nothing to compare with yet";
  Put(2);
  Pass(5);
  EXPECT_EQ((Written{{11, 2}}), History());
  Pass(5);
  Put(4);
  Pass(5);
  EXPECT_EQ((Written{{11, 2}, {16, 0}, {21, 4}}), History());
}

TEST_F(StatsHistoryOfDb, ShowsTheSlicesFromTheStartUntilBeforeTheEnd) {
  Open();
  Pass(20);
  EXPECT_EQ((Written{{11, 0}, {16, 0}, {21, 0}}), History());
  EXPECT_EQ((Written{{16, 0}}), History(12, 21));
  EXPECT_EQ((Written{{16, 0}, {21, 0}}), History(16, 22));
  EXPECT_EQ(Written(), History(17, 21));
  EXPECT_EQ(Written(), History(21, 16));
}

TEST_F(StatsHistoryOfDb, ThePeriodHoldsFromItsChangeOn) {
  options_.stats_persist_period_sec = 0;
  Open();
  Pass(20);
  EXPECT_EQ(Written(), History());
  Set("stats_persist_period_sec", "2");  // At second 21.
  Pass(2);
  Put(1);
  Pass(4);
  EXPECT_EQ((Written{{25, 1}, {27, 0}}), History());
  Set("stats_persist_period_sec", "0");
  Pass(20);
  EXPECT_EQ((Written{{25, 1}, {27, 0}}), History());
}

TEST_F(StatsHistoryOfDb, TheOldestSlicesGoWhenTheBufferIsFull) {
  options_.stats_persist_period_sec = 1;
  Open();
  Pass(20);
  EXPECT_EQ(19u, History().size());
  Set("stats_history_buffer_size", "150000");
  Pass(1);
  const Written few = History();
  ASSERT_FALSE(few.empty());
  EXPECT_GT(19u, few.size());
  EXPECT_EQ(22u, few.back().first);
  EXPECT_EQ(22u + 1 - few.size(), few.front().first);
  Set("stats_history_buffer_size", "0");
  Pass(1);
  EXPECT_EQ(Written(), History());
  Set("stats_history_buffer_size", "1000000");
  Put(7);
  Pass(1);
  EXPECT_EQ((Written{{24, 7}}), History());
}

TEST_F(StatsHistoryOfDb, ATickerThatIsSetBackCountsFromZero) {
  Open();
  Put(9);
  Pass(5);
  test::Ok(options_.statistics->Reset());
  Put(2);
  Pass(5);
  EXPECT_EQ((Written{{11, 2}}), History());
}

TEST_F(StatsHistoryOfDb, AnIteratorKeepsWhatItShowsBehindTheDatabase) {
  Open();
  Pass(5);
  Put(1);
  Pass(5);
  const std::unique_ptr<StatsHistoryIterator> slices = Slices();
  Set("stats_history_buffer_size", "0");
  Pass(5);
  EXPECT_EQ(Written(), History());
  db_.reset();
  EXPECT_EQ((Written{{11, 1}}), WrittenIn(slices.get()));
}

TEST_F(StatsHistoryOfDb, IsInMemoryAlsoWhereADiskIsAskedFor) {
  options_.persist_stats_to_disk = true;
  Open();
  Pass(10);
  EXPECT_EQ((Written{{11, 0}}), History());
  db_.reset();
  Open();
  EXPECT_EQ(Written(), History());
  std::vector<std::string> families;
  test::Ok(DB::ListColumnFamilies(options_, "/db", &families));
  EXPECT_EQ(std::vector<std::string>{kDefaultColumnFamilyName}, families);
}

TEST_F(StatsHistoryOfDb, IsEmptyWithoutStatisticsAndInReadOnlyInstances) {
  options_.statistics = nullptr;
  Open();
  Pass(20);
  EXPECT_EQ(Written(), History());
  const Status status = db_->GetStatsHistory(0, 100, nullptr);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  db_.reset();
  options_.statistics = CreateDBStatistics();
  test::Ok(DB::OpenForReadOnly(options_, "/db", &db_));
  Pass(20);
  EXPECT_EQ(Written(), History());
}

// Late timers may run twice in one second.
TEST(StatsHistory, WhatIsRecordedTwiceInASecondIsAddedUp) {
  engine::StatsHistory history;
  constexpr size_t kPlenty = 100000;
  history.Record({{"a", 1}}, 7, kPlenty);
  history.Record({{"a", 3}, {"b", 1}}, 8, kPlenty);
  history.Record({{"a", 8}, {"b", 1}}, 8, kPlenty);
  history.Record({{"a", 9}, {"b", 2}}, 9, kPlenty);
  const std::unique_ptr<StatsHistoryIterator> slices =
      history.NewIterator(0, 100);
  using Map = std::map<std::string, uint64_t>;
  ASSERT_TRUE(slices->Valid());
  EXPECT_EQ(8u, slices->GetStatsTime());
  EXPECT_EQ((Map{{"a", 7}, {"b", 1}}), slices->GetStatsMap());
  slices->Next();
  ASSERT_TRUE(slices->Valid());
  EXPECT_EQ((Map{{"a", 1}, {"b", 1}}), slices->GetStatsMap());
  slices->Next();
  EXPECT_FALSE(slices->Valid());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
