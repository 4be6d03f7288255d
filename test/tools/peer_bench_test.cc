// The parts of peer_bench that decide what a figure means: data, medians,
// ratios, agreement.

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "tools/peer_bench/data.h"
#include "tools/peer_bench/report.h"

namespace peer_bench {
namespace {

Run Took(double seconds, uint64_t hash = 1, uint64_t peak_kib = 1024) {
  return Run{seconds, 1000, hash, 0.5, peak_kib};
}

TEST(PeerBench, APermutationHitsEveryNumberOnce) {
  for (const uint64_t count : {1u, 2u, 3u, 5u, 100u, 4096u, 10007u}) {
    const Permutation order(count);
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < count; ++i) seen.insert(order(i));
    EXPECT_EQ(seen.size(), count);
    EXPECT_EQ(*seen.rbegin(), count - 1);
  }
}

TEST(PeerBench, KeysSortLikeTheirNumbers) {
  for (const uint64_t n : {0u, 1u, 255u, 256u, 65535u, 16777216u}) {
    const Key low(n), high(n + 1);
    EXPECT_LT(std::memcmp(low.data(), high.data(), Key::kSize), 0) << n;
  }
}

TEST(PeerBench, AValueIsAFunctionOfItsNumber) {
  const Values one(100), other(100);
  for (uint64_t n = 0; n < 100; ++n) {
    EXPECT_EQ(HashAll(one.Of(n), 100), HashAll(other.Of(n), 100));
    EXPECT_NE(Glance(one.Of(n), 100), Glance(one.Of(n + 1), 100));
  }
}

TEST(PeerBench, RatiosAreOfMediansAndOfTheHighestPeaks) {
  const Comparison c{"readrandom",
                     true,
                     {Took(1, 1, 100), Took(9, 2, 300), Took(2, 3, 200)},
                     {Took(4, 1, 600), Took(4, 2, 100), Took(1, 3, 100)}};
  EXPECT_TRUE(c.Agrees());
  EXPECT_DOUBLE_EQ(c.SpeedRatio(), 2.0);
  EXPECT_DOUBLE_EQ(c.MemoryRatio(), 0.5);
  EXPECT_EQ(Line(c).find("DIFFERENT"), std::string::npos);
}

TEST(PeerBench, WhatWasWrittenIsComparedByMedians) {
  peer_bench::Run little = Took(1), much = Took(1);
  little.written_bytes = 100;
  much.written_bytes = 400;
  const Comparison c{"fillseq", false, {little, little}, {much, much}};
  EXPECT_DOUBLE_EQ(c.WrittenRatio(), 0.25);
  const Comparison none{"readseq", true, {little}, {Took(1)}};
  EXPECT_DOUBLE_EQ(none.WrittenRatio(), 0);
}

TEST(PeerBench, DifferentDataAreNamed) {
  const Comparison c{"readseq", true, {Took(1, 1)}, {Took(1, 2)}};
  EXPECT_FALSE(c.Agrees());
  EXPECT_NE(Line(c).find("DIFFERENT DATA"), std::string::npos);
}

TEST(PeerBench, TheSummaryHasTheGeometricMeansOfWritesAndReads) {
  const Comparison fill{"fillseq", false, {Took(1)}, {Took(100)}};
  const Comparison fast{"readseq", true, {Took(1)}, {Took(8)}};
  const Comparison slow{"readrandom", true, {Took(2)}, {Took(1)}};
  EXPECT_EQ(Summary({fill, fast, slow}),
            "writes: geometric mean 100.00, lowest 100.00\n"
            "reads: geometric mean 2.00, lowest 0.50\n"
            "largest memory ratio 1.00\n");
}

TEST(PeerBench, AnAnswerOfAChildIsRead) {
  const peer_bench::Run run = ParseRun("2.500000 1000 77 1.250 2048 4096");
  EXPECT_DOUBLE_EQ(run.ops_per_second(), 400);
  EXPECT_EQ(run.hash, 77u);
  EXPECT_DOUBLE_EQ(run.cpu_seconds, 1.25);
  EXPECT_EQ(run.peak_kib, 2048u);
  EXPECT_EQ(run.written_bytes, 4096u);
}

}  // namespace
}  // namespace peer_bench
