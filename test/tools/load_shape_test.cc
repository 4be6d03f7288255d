// The shapes of the load: pure functions of the time.

#include "tools/db_bench/load_shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>

#include "test/support/datadriven.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using bench::LoadShape;
using bench::RatePoint;
using bench::ReadRecorded;

// <shape> low=.. high=.. ...: the rates at the seconds 0 to `until`; input
// lines are those of a recorded shape.
std::string Rates(const Case& c) {
  LoadShape::Settings s;
  auto kind = LoadShape::KindOf(c.command);
  if (!kind.ok()) return kind.status().ToString() + "\n";
  s.kind = *kind;
  s.low = static_cast<double>(c.Uint("low", 10));
  s.high = static_cast<double>(c.Uint("high", 100));
  s.period_seconds = static_cast<double>(c.Uint("period", 6));
  s.high_seconds = static_cast<double>(c.Uint("high_s", 2));
  s.steps = c.Uint("steps", 4);
  s.batch_bytes = static_cast<double>(c.Uint("batch", 10));
  s.seed = c.Uint("seed", 1);
  s.sine = {static_cast<double>(c.Uint("a", 0)), 1.0, 4.71,
            static_cast<double>(c.Uint("d", 0))};
  std::stringstream lines;
  for (const std::string& line : c.input) lines << line << "\n";
  auto recorded = ReadRecorded(&lines);
  if (!recorded.ok()) return recorded.status().ToString() + "\n";
  s.recorded = *recorded;
  auto shape = LoadShape::Make(s);
  if (!shape.ok()) return shape.status().ToString() + "\n";
  std::string out;
  for (uint64_t t = 0; t <= c.Uint("until", 12); ++t) {
    out += std::to_string(shape->At(static_cast<double>(t))) + " ";
  }
  out.pop_back();
  return out + "\n";
}

TEST(LoadShape, RatesOverTime) {
  for (const std::string& failure :
       RunDataDriven("test/tools/testdata/load_shape", Rates)) {
    ADD_FAILURE() << failure;
  }
}

TEST(LoadShape, PoissonKeepsItsMeanAndDependsOnTheSeedOnly) {
  LoadShape::Settings s;
  s.kind = LoadShape::Kind::kPoisson;
  s.high = 15e6;
  s.batch_bytes = 1e6;
  s.seed = 7;
  const LoadShape shape = *LoadShape::Make(s);
  const LoadShape again = *LoadShape::Make(s);
  double sum = 0, squares = 0;
  constexpr int kSeconds = 4000;
  for (int t = 0; t < kSeconds; ++t) {
    const auto batches = static_cast<double>(shape.At(t)) / s.batch_bytes;
    EXPECT_EQ(shape.At(t), again.At(t));
    sum += batches;
    squares += batches * batches;
  }
  const double mean = sum / kSeconds;
  EXPECT_NEAR(mean, 15, 0.3);
  EXPECT_NEAR(squares / kSeconds - mean * mean, 15, 1.5) << "as the mean";
}

TEST(LoadShape, WhatCannotBeDrawnIsRefused) {
  LoadShape::Settings s;
  s.period_seconds = 0;
  EXPECT_TRUE(LoadShape::Make(s).status().IsInvalidArgument());
  s = {};
  s.high = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(LoadShape::Make(s).status().IsInvalidArgument());
  s = {};
  s.low = -1;
  EXPECT_TRUE(LoadShape::Make(s).status().IsInvalidArgument());
  s = {};
  s.kind = LoadShape::Kind::kPoisson;
  s.high = 1e12;
  EXPECT_TRUE(LoadShape::Make(s).status().IsInvalidArgument());
  s = {};
  s.kind = LoadShape::Kind::kRecorded;
  EXPECT_TRUE(LoadShape::Make(s).status().IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
