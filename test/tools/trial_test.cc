// Trials of maxsustained: what is judged sustained, and which rate is next.

#include "tools/db_bench/trial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace ROCKSDB_NAMESPACE::test {
namespace {

using bench::FitLine;
using bench::JudgeTrial;
using bench::RateSearch;
using bench::Slope;
using bench::TrialLimits;
using bench::TrialSample;
using bench::TrialVerdict;

constexpr uint64_t kRate = 10 * 1000 * 1000;

// Twenty seconds that take all; runs and debt saw up and down.
std::vector<TrialSample> Steady() {
  std::vector<TrialSample> samples;
  for (int i = 1; i <= 80; ++i) {
    TrialSample s;
    s.seconds = i * 0.25;
    s.accepted_bytes = static_cast<uint64_t>(s.seconds * kRate);
    s.sorted_runs = static_cast<uint64_t>(6 + i % 9);
    s.pending_bytes = static_cast<uint64_t>(1 + i % 13) * 20 * 1000 * 1000;
    s.unflushed_memtables = static_cast<uint64_t>(1 + i % 2);
    samples.push_back(s);
  }
  return samples;
}

TrialVerdict Judge(const std::function<void(TrialSample*)>& change) {
  std::vector<TrialSample> samples = Steady();
  for (TrialSample& s : samples) change(&s);
  TrialLimits limits;
  limits.memtables_max = 6;
  return JudgeTrial(kRate, samples, limits);
}

TEST(Trial, ASteadySawtoothIsSustained) {
  const TrialVerdict v = Judge([](TrialSample*) {});
  EXPECT_TRUE(v.sustained) << v.why;
  EXPECT_EQ(v.bound, "");
  EXPECT_NEAR(v.accepted_share, 1, 1e-9);
  EXPECT_NEAR(v.runs_mean, 10, 0.3);
}

TEST(Trial, TooLittleAcceptedIsTheDevice) {
  const auto keep = [](double share) {
    return Judge([share](TrialSample* s) {
      s->accepted_bytes =
          static_cast<uint64_t>(share * static_cast<double>(s->accepted_bytes));
    });
  };
  EXPECT_TRUE(keep(0.992).sustained);
  const TrialVerdict v = keep(0.98);
  EXPECT_FALSE(v.sustained);
  EXPECT_EQ(v.bound, "device");
  EXPECT_EQ(v.why, "only 98.0 % of what was asked was accepted");
}

TEST(Trial, RunsThatGrowBoundItWhateverTheSawtooth) {
  const auto grow = [](double runs) {
    return Judge([runs](TrialSample* s) {
      *s->sorted_runs += static_cast<uint64_t>(runs * s->seconds / 20);
    });
  };
  EXPECT_TRUE(grow(2).sustained);
  const TrialVerdict v = grow(12);
  EXPECT_FALSE(v.sustained);
  EXPECT_EQ(v.bound, "runs");
  EXPECT_NEAR(v.runs_growth, 12, 2.5);
}

TEST(Trial, DebtThatGrowsWithTheWritesBoundsIt) {
  const auto grow = [](double bytes_per_byte) {
    return Judge([bytes_per_byte](TrialSample* s) {
      *s->pending_bytes += static_cast<uint64_t>(
          bytes_per_byte * static_cast<double>(s->accepted_bytes));
    });
  };
  EXPECT_TRUE(grow(0.1).sustained);
  const TrialVerdict v = grow(1);
  EXPECT_FALSE(v.sustained);
  EXPECT_EQ(v.bound, "debt");
  EXPECT_NEAR(v.debt_growth, 1, 0.2);
}

TEST(Trial, FullMemtablesBoundItAndComeFirst) {
  const TrialVerdict v = Judge([](TrialSample* s) {
    s->unflushed_memtables = 6;
    s->accepted_bytes /= 2;
  });
  EXPECT_FALSE(v.sustained);
  EXPECT_EQ(v.bound, "memtables");
}

TEST(Trial, AStallIsNamedByItsCause) {
  const auto stall = [](const char* cause) {
    return Judge([cause](TrialSample* s) {
      s->stall_micros = static_cast<uint64_t>(s->seconds * 50000);
      s->stall_cause = cause;
    });
  };
  EXPECT_EQ(stall("l0-file-count-limit").bound, "runs");
  EXPECT_EQ(stall("pending-compaction-bytes").bound, "debt");
  EXPECT_EQ(stall("memtable-limit").bound, "memtables");
  EXPECT_EQ(stall("none").bound, "device");
  EXPECT_TRUE(Judge([](TrialSample* s) { s->stall_micros = 100; }).sustained);
  EXPECT_FALSE(Judge([](TrialSample* s) { s->stalled = true; }).sustained);
}

TEST(Trial, WhatAnEngineDoesNotTellIsNotHeldAgainstIt) {
  const TrialVerdict v = Judge([](TrialSample* s) {
    s->sorted_runs.reset();
    s->pending_bytes.reset();
    s->unflushed_memtables.reset();
  });
  EXPECT_TRUE(v.sustained) << v.why;
}

TEST(Trial, NoSamplesAreNoProof) {
  EXPECT_FALSE(JudgeTrial(kRate, {}, {}).sustained);
  EXPECT_FALSE(JudgeTrial(kRate, {TrialSample()}, {}).sustained);
  EXPECT_FALSE(JudgeTrial(0, Steady(), {}).sustained);
}

TEST(Trial, TheLineIsTheLeastSquaresOne) {
  const Slope exact = FitLine({0, 1, 2, 3}, {5, 7, 9, 11});
  EXPECT_NEAR(exact.per_second, 2, 1e-12);
  EXPECT_NEAR(exact.standard_error, 0, 1e-9);
  const Slope noisy = FitLine({0, 1, 2}, {0, 3, 0});
  EXPECT_NEAR(noisy.per_second, 0, 1e-12);
  EXPECT_NEAR(noisy.standard_error, std::sqrt(3), 1e-9);
  EXPECT_EQ(FitLine({1, 1, 1}, {1, 2, 3}).per_second, 0);
  EXPECT_EQ(FitLine({1, 2}, {1, 2}).per_second, 0);
}

double Find(double truth, double initial, int* trials) {
  RateSearch::Settings settings;
  settings.initial = initial;
  RateSearch search(settings);
  for (*trials = 0; !search.done(); ++*trials) {
    search.Report(search.next() <= truth);
  }
  return search.best();
}

TEST(RateSearch, FindsTheRateFromBelowAndFromAbove) {
  int trials = 0;
  for (const double initial : {1e6, 42e6, 500e6}) {
    const double found = Find(42e6, initial, &trials);
    EXPECT_LE(found, 42e6);
    EXPECT_GE(found, 42e6 / 1.05);
    EXPECT_LE(trials, 16);
  }
}

TEST(RateSearch, EndsWhereNothingOrEverythingIsSustained) {
  int trials = 0;
  EXPECT_EQ(Find(0, 8e6, &trials), 0);
  EXPECT_LE(trials, 10);
  EXPECT_EQ(Find(1e12, 8e6, &trials), 1e10);
  EXPECT_LE(trials, 20);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
