// What the tuner cannot take as given is told in words, once per cause.

#include "db/tuning_driver/assumptions.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class AssumptionsTest : public ::testing::Test {
 protected:
  AssumptionsTest() {
    family_.soft_debt_bytes = 100;
    family_.hard_debt_bytes = 200;
  }
  std::vector<std::string> Tick(int64_t micros = 100'000) {
    signals_.now_micros += static_cast<uint64_t>(micros);
    signals_.families = {&family_, 1};
    return assumptions_.Look(signals_);
  }
  // The only news of a tick.
  std::string News(int64_t micros = 100'000) {
    const std::vector<std::string> news = Tick(micros);
    EXPECT_EQ(1u, news.size());
    return news.empty() ? "" : news[0];
  }

  Assumptions assumptions_;
  FamilySignals family_;
  LsmSignals signals_;
};

TEST_F(AssumptionsTest, SaneSignalsAreTakenAsTheyAre) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(Tick().empty());
}

// assumptions.h (1).
TEST_F(AssumptionsTest, EachCauseIsToldOnceWhileItLasts) {
  EXPECT_TRUE(Tick().empty());
  family_.level0_slowdown = 0;
  family_.level0_stop = 0;
  EXPECT_EQ(
      "level0_slowdown_writes_trigger=0 and level0_stop_writes_trigger=0 of "
      "column family 0: taken as 1 and 1",
      News());
  for (int i = 0; i < 2000; ++i) EXPECT_TRUE(Tick().empty());
  // Gone for less than a minute: no news; for more: news.
  family_.level0_slowdown = 20;
  family_.level0_stop = 36;
  for (int i = 0; i < 500; ++i) EXPECT_TRUE(Tick().empty());
  family_.level0_stop = 10;
  EXPECT_TRUE(Tick().empty());
  family_.level0_stop = 36;
  for (int i = 0; i < 601; ++i) EXPECT_TRUE(Tick().empty());
  family_.level0_stop = 10;
  EXPECT_EQ(
      "level0_slowdown_writes_trigger=20 and level0_stop_writes_trigger=10 of "
      "column family 0: taken as 10 and 10",
      News());
}

TEST_F(AssumptionsTest, TheClockMayJump) {
  EXPECT_TRUE(Tick().empty());
  EXPECT_TRUE(Tick(4'900'000).empty());
  EXPECT_EQ(
      "60.0 s passed between two ticks: taken as a jump of the clock, what was "
      "learnt before holds",
      News(60'000'000));
  EXPECT_EQ(
      "the clock went back by 2.5 s: nothing is learnt from this tick, what "
      "was learnt before holds",
      News(-2'500'000));
  EXPECT_TRUE(Tick(0).empty());
}

TEST_F(AssumptionsTest, LimitsThatBoundNothingAreNamed) {
  family_.level0_slowdown = family_.level0_stop = 1 << 30;
  EXPECT_EQ(
      "level0_slowdown_writes_trigger=1073741824 of column family 0: taken as "
      "no limit, so sorted runs do not slow writers",
      News());
  family_.soft_debt_bytes = family_.hard_debt_bytes = 0;
  EXPECT_EQ(
      "column family 0 has no limit of pending compaction bytes: debt "
      "does not slow writers",
      News());
  family_.auto_compactions = false;
  EXPECT_EQ(
      "column family 0 has disable_auto_compactions: its sorted runs and its "
      "debt only grow, and no tuning changes that",
      News());
}

TEST_F(AssumptionsTest, LimitsTheWrongWayRoundAreNamed) {
  family_.soft_debt_bytes = 300;
  EXPECT_EQ(
      "soft_pending_compaction_bytes_limit=300 of column family 0 is not below "
      "the hard limit 200: writes are paced only when the hard limit is "
      "reached",
      News());
  family_.max_write_buffers = 1;
  EXPECT_EQ(
      "column family 0 may have one memtable only: writes wait for every flush",
      News());
  family_.write_buffer_bytes = 0;
  EXPECT_EQ(
      "column family 0 has no memory for memtables (0 bytes, 1 memtables): any "
      "unflushed byte counts as the limit",
      News());
}

TEST_F(AssumptionsTest, WhatIsNoNumberIsNamed) {
  signals_.neighbours.need = kNan;
  EXPECT_EQ(
      "the need of the other databases on the device is no number: taken as "
      "none",
      News());
  signals_.neighbours.need = 0;
  signals_.accepted_bytes = 1000;
  EXPECT_TRUE(Tick().empty());
  signals_.accepted_bytes = 10;
  EXPECT_EQ(
      "the bytes written fell from 1000 to 10: counted from there on, as "
      "nothing for this tick",
      News());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
