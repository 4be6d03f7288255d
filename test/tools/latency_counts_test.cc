// The latencies of the timeline.

#include <gtest/gtest.h>

#include "tools/db_bench/timeline.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using bench::LatencyCounts;

TEST(LatencyCounts, PercentilesAreWithinASixteenthOfTheValue) {
  LatencyCounts counts;
  EXPECT_EQ(counts.Percentile(99), 0u);
  for (uint64_t v = 1; v <= 100000; ++v) counts.Add(v);
  for (const double p : {1.0, 50.0, 99.0, 99.9}) {
    const double exact = p * 1000;
    const auto got = static_cast<double>(counts.Percentile(p));
    EXPECT_GE(got, exact) << p;
    EXPECT_LE(got, exact * 17 / 16 + 1) << p;
  }
  EXPECT_EQ(counts.Percentile(100), 100000u);
  EXPECT_EQ(counts.max(), 100000u);
}

TEST(LatencyCounts, ExtremeValuesFit) {
  LatencyCounts counts;
  counts.Add(0);
  counts.Add(~uint64_t{0});
  EXPECT_EQ(counts.Percentile(50), 0u);
  EXPECT_EQ(counts.Percentile(100), ~uint64_t{0});
}

TEST(LatencyCounts, MergingAddsUp) {
  LatencyCounts a, b;
  a.Add(10, 3);
  b.Add(1000);
  a.Merge(b);
  EXPECT_EQ(a.total(), 4u);
  EXPECT_EQ(a.Percentile(75), 10u);
  EXPECT_EQ(a.max(), 1000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
