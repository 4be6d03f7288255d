// The plan for writers that never rest.

#include "db/tune/rate_plan.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(RatePlan, FilesThatHaveRoomCostNothing) {
  EXPECT_EQ(0, TierWork(0, 10));
  EXPECT_EQ(0, TierWork(10, 10));
}

// Three of four files that were flushed go for four thirds of their bytes each.
TEST(RatePlan, TheFirstTierCostsAByteForEachByteFlushed) {
  EXPECT_DOUBLE_EQ(100, TierWork(100, 25));
  EXPECT_DOUBLE_EQ(50, TierWork(100, 62.5));
}

TEST(RatePlan, EachTierCostsTheSameAgain) {
  EXPECT_DOUBLE_EQ(2 * 256, TierWork(256, 16));
  EXPECT_DOUBLE_EQ(3 * 256, TierWork(256, 4));
}

constexpr RatePlan::Part kFamily = {1, 24e6, 0, 16};

RatePlan Plan(std::span<const RatePlan::Part> parts = {&kFamily, 1}) {
  RatePlan plan;
  plan.parts = parts;
  plan.capacity_bytes_per_second = 45e6;
  plan.flush_bytes_per_second = 43e6;
  plan.merge_bytes_per_second = 100e6;
  plan.horizon_secs = 140;
  return plan;
}

TEST(RatePlan, FlushesAndMergesFillTheDevice) {
  const RatePlan plan = Plan();
  const double rate = plan.Rate();
  EXPECT_NEAR(45e6, rate * (1 + plan.MergedPerByte(rate)), 1000);
}

TEST(RatePlan, WithoutADeviceMergesAreTheLimit) {
  RatePlan plan = Plan();
  plan.capacity_bytes_per_second = 0;
  plan.flush_bytes_per_second = 500e6;
  const double rate = plan.Rate();
  EXPECT_NEAR(100e6, rate * plan.MergedPerByte(rate), 1000);
}

TEST(RatePlan, IsNeverMoreThanFlushesWrite) {
  const RatePlan::Part family = {1, 1e12, 0, 16};
  EXPECT_NEAR(43e6, Plan({&family, 1}).Rate(), 100);
}

TEST(RatePlan, RisesWithRoomAndMemtables) {
  const RatePlan::Part more_room = {1, 24e6, 0, 32};
  EXPECT_GT(Plan({&more_room, 1}).Rate(), Plan().Rate());
  const RatePlan::Part larger_files = {1, 48e6, 0, 16};
  EXPECT_GT(Plan({&larger_files, 1}).Rate(), Plan().Rate());
}

TEST(RatePlan, FamiliesThatShareTheWritesHaveTheRoomOfAll) {
  const RatePlan::Part halves[] = {{0.5, 24e6, 0, 16}, {0.5, 24e6, 0, 16}};
  const RatePlan::Part twice_the_room = {1, 24e6, 0, 32};
  EXPECT_NEAR(Plan({&twice_the_room, 1}).Rate(), Plan(halves).Rate(), 1000);
  const RatePlan::Part one_idle[] = {{1, 24e6, 0, 16}, {0, 24e6, 0, 16}};
  EXPECT_NEAR(Plan().Rate(), Plan(one_idle).Rate(), 100);
}

// As if half of the files in level 0 were still to come.
TEST(RatePlan, WhatFillsLevel0IsMergedToo) {
  const RatePlan::Part full = {1, 24e6, 28, 16};
  RatePlan plan = Plan({&full, 1});
  EXPECT_NEAR(Plan().Rate(), plan.Rate(), 100);
  plan.level_share = 0.5;
  const double rate = plan.Rate();
  EXPECT_LT(rate, 0.95 * Plan().Rate());
  EXPECT_NEAR(45e6, rate + TierWork(14 + rate * 140 / 24e6, 16) * 24e6 / 140,
              1000);
}

TEST(RatePlan, LogsThatAreSyncedNeedTheDeviceToo) {
  RatePlan plan = Plan();
  plan.front_per_byte = 2;
  const double rate = plan.Rate();
  EXPECT_NEAR(45e6, rate * (2 + plan.MergedPerByte(rate)), 1000);
}

TEST(RatePlan, NothingIsPlannedWithNothing) {
  RatePlan plan;
  EXPECT_EQ(0, plan.Rate());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
