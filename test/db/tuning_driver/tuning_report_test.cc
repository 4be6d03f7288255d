// Decisions in words, as a map and as text.

#include "db/tuning_driver/tuning_report.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include "db/db_impl/tuning_text.h"
#include "db/write/write_stall.h"
#include "util/quantity_text.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TuningChange Change() {
  TuningChange change;
  change.before.all_slots = change.now.all_slots = true;
  change.before.preempt = change.now.preempt = true;
  return change;
}

TEST(TuningReport, AChangeIsNamedWithBeforeAfterAndReason) {
  TuningChange change = Change();
  change.now.flush_first = true;
  change.now.gate_reason = TuneReason::kFlushFirst;
  change.now.debt_jobs_max = 0;
  change.now.jobs_reason = TuneReason::kRunsRising;
  change.shape_before.flush_merge_memtables = 1;
  change.shape_now.flush_merge_memtables = 2;
  change.shape_now.flush_reason = TuneReason::kRunsRising;
  EXPECT_TRUE(IsNews(change));
  const TuningWords words = WordsOf(change);
  EXPECT_EQ("flush_first off, debt_jobs any, flush_merge 1", words.before);
  EXPECT_EQ("flush_first on, debt_jobs 0, flush_merge 2", words.after);
  EXPECT_EQ(
      "flush_first off -> on (flush_waits_for_device), debt_jobs any -> 0 "
      "(runs_rising), flush_merge 1 -> 2 (runs_rising)",
      words.text);
  EXPECT_EQ("flush_waits_for_device", words.reason);
}

TEST(TuningReport, WhatIsNoChangeIsNoNews) {
  TuningChange change = Change();
  EXPECT_FALSE(IsNews(change));
  EXPECT_EQ("", WordsOf(change).text);
  // An option left alone is one memtable per flush, said or unsaid.
  change.shape_now.flush_merge_memtables = 1;
  EXPECT_FALSE(IsNews(change));
}

TEST(TuningReport, APacingRateIsNewsWhenItMovesByAQuarter) {
  TuningChange change = Change();
  change.before.pacing_bytes_per_second = 10'000'000;
  change.now.pacing_bytes_per_second = 12'000'000;
  EXPECT_FALSE(IsNews(change));
  change.now.pacing_bytes_per_second = 12'600'000;
  EXPECT_TRUE(IsNews(change));
  change.now.pacing_bytes_per_second = 7'900'000;
  EXPECT_TRUE(IsNews(change));
  change.now.pacing_bytes_per_second = 0;
  EXPECT_TRUE(IsNews(change));
  EXPECT_EQ("pacing 10.0 MB/s -> none", WordsOf(change).text);
}

TuningSnapshot Paced(TuningMode mode) {
  TuningSnapshot snapshot;
  snapshot.mode = mode;
  snapshot.decision = Change().now;
  snapshot.decision.pacing_bytes_per_second = 12'000'000;
  snapshot.decision.limit = WriteLimit::kRuns;
  snapshot.decision.pacing_reason = TuneReason::kRunsHigh;
  snapshot.decision.debt_jobs_max = 0;
  snapshot.view.offered_bytes_per_second = 25e6;
  snapshot.view.level0_files = 30;
  snapshot.view.sorted_runs = 33;
  snapshot.view.predicted_runs = 33.7;
  snapshot.view.pressure = 0.456;
  snapshot.decisions = 7;
  snapshot.told_micros = 1234;
  snapshot.told.now = snapshot.decision;
  return snapshot;
}

TEST(TuningReport, TheMapHasEveryNumber) {
  TuningStateMap state;
  AddTuningState(Paced(TuningMode::kAdaptive), &state);
  EXPECT_EQ("12000000", state["pacing_bytes_per_second"]);
  EXPECT_EQ("25000000", state["offered_bytes_per_second"]);
  EXPECT_EQ("runs", state["limit"]);
  EXPECT_EQ("runs_high", state["reason"]);
  EXPECT_EQ("33", state["predicted_level0_files"]);
  EXPECT_EQ("45", state["pressure_pct"]);
  EXPECT_EQ("0", state["debt_jobs_max"]);
  EXPECT_EQ("any", state["maintenance_jobs_max"]);
  EXPECT_EQ("7", state["decisions"]);
  EXPECT_EQ("1234", state["time_micros"]);
  EXPECT_EQ(0u, state["decision"].find("pacing none -> 12.0 MB/s (runs_high)"));
  EXPECT_EQ(0u, state.count("advice"));
}

TEST(TuningReport, AdviceIsNotTakenForPacing) {
  TuningStateMap state;
  AddTuningState(Paced(TuningMode::kAdvise), &state);
  EXPECT_EQ("0", state["pacing_bytes_per_second"]);
  EXPECT_EQ("12000000", state["advised_pacing_bytes_per_second"]);
  EXPECT_EQ(0u, state["advice"].find("Writes are paced at 12.0 MB/s by sorted "
                                     "runs: 30 files in L0"));
}

TEST(TuningReport, TheTextBeginsWithTheSentenceAndLeavesOutWhatIsUnknown) {
  TuningStateMap state = {{"why", "Writes are not limited."},
                          {"mode", "static"},
                          {"compaction", "on"}};
  EXPECT_EQ(
      "Writes are not limited.\n"
      "mode          static (compaction on)\n",
      TuningStateText(state));
  AddTuningState(Paced(TuningMode::kAdaptive), &state);
  const std::string text = TuningStateText(state);
  EXPECT_NE(std::string::npos,
            text.find("\nlimit         runs, pressure 45 %\n"))
      << text;
  EXPECT_NE(std::string::npos, text.find("\njobs          debt 0, ")) << text;
  EXPECT_EQ(std::string::npos, text.find("pinned")) << text;
  EXPECT_EQ(std::string::npos, text.find('{')) << text;
}

// ------------------------------------------------- any state, and its words

template <typename T, size_t n>
T OneOf(Random64* random, const T (&values)[n]) {
  return values[random->Uniform(n)];
}

double AnyNumber(Random64* random) {
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return OneOf(random,
               {0.0,     1e-300, 0.004,  0.4,      0.6,      1.0,      1.4,
                42.0,    999.7,  1000.0, 49'999.0, 50'000.0, 99'999.0, 1e6,
                12.34e6, 1e18,   1.9e19, kMax,     kInf,     kNaN,     -1.0});
}

uint64_t AnyBytes(Random64* random) {
  return OneOf(random, {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{999},
                        uint64_t{1000}, uint64_t{99'999}, uint64_t{12'345'678},
                        uint64_t{1} << 62, uint64_t{1} << 63, UINT64_MAX});
}

int AnyCount(Random64* random) {
  return OneOf(random, {0, 1, 2, 3, 21, 100'000, INT_MAX});
}

TuningSnapshot AnySnapshot(Random64* random) {
  TuningSnapshot s;
  s.mode = random->OneIn(2) ? TuningMode::kAdaptive : TuningMode::kAdvise;
  for (double* number :
       {&s.view.offered_bytes_per_second, &s.view.flush_bytes_per_second,
        &s.view.merge_bytes_per_second, &s.view.capacity_bytes_per_second,
        &s.view.sustainable_bytes_per_second, &s.view.flush_wait_share,
        &s.view.read_weight, &s.view.predicted_runs, &s.view.memory_share,
        &s.view.debt_share, &s.view.pressure, &s.view.use.need}) {
    *number = AnyNumber(random);
  }
  TuningDecision& d = s.decision;
  for (uint64_t* bytes :
       {&s.view.debt_bytes, &s.view.foreseen_debt_bytes,
        &d.pacing_bytes_per_second, &d.burst_bytes_per_second, &d.burst_bytes,
        &d.runs_floor_bytes_per_second, &s.shape.base_target_bytes,
        &d.budget_bytes_per_second[Index(WorkClass::kDebt)]}) {
    *bytes = AnyBytes(random);
  }
  for (int* count :
       {&s.view.sorted_runs, &s.view.level0_files, &d.debt_jobs_max,
        &d.maintenance_jobs_max, &s.shape.flush_merge_memtables,
        &s.shape.tier_files_min, &s.shape.runs_target}) {
    *count = AnyCount(random);
  }
  d.limit = static_cast<WriteLimit>(random->Uniform(kWriteLimits));
  d.flush_first = random->OneIn(2);
  s.told.now = d;
  s.decisions = random->Uniform(3);
  return s;
}

// What no text for people may say.
void ExpectPlain(const std::string& text) {
  static const std::regex forbidden(
      "(^|[^0-9.])0(\\.0+)? ?[kMG]?B/s|18446744073709551615|"
      "(^|[^0-9.])1 (sorted runs|files|memtables)|"
      "(^|[^0-9.])0 (sorted run|file|memtable)|"
      "\\bnan\\b|\\binf\\b|(^|[ (])-[0-9]");
  std::smatch found;
  ASSERT_FALSE(std::regex_search(text, found, forbidden))
      << "'" << found.str() << "' in:\n"
      << text;
}

TEST(TuningWords, NoStateIsToldInNumbersThatMeanNothing) {
  Random64 random(301);
  for (int i = 0; i < 4'000; ++i) {
    const TuningSnapshot snapshot = AnySnapshot(&random);
    TuningStateMap state = {
        {"why", WhyText(snapshot)}, {"mode", "adaptive"}, {"compaction", "on"}};
    AddTuningState(snapshot, &state);
    ASSERT_NO_FATAL_FAILURE(ExpectPlain(TuningStateText(state)));
    for (const auto& [name, value] : state) {
      ASSERT_EQ(value.find("18446744073709551615"), std::string::npos) << name;
    }
  }
}

TEST(TuningWords, NoStallIsToldInNumbersThatMeanNothing) {
  Random64 random(302);
  for (int i = 0; i < 4'000; ++i) {
    StallLevels levels;
    levels.unflushed_memtables = AnyCount(&random);
    levels.level0_files = AnyCount(&random);
    levels.pending_compaction_bytes = AnyBytes(&random);
    StallLimits limits;
    limits.hard_pending_bytes = AnyBytes(&random);
    limits.soft_pending_bytes = AnyBytes(&random);
    const StallVerdict verdict = JudgeWriteStall(levels, limits);
    const std::string text = WriteLimitSentence("default", verdict, levels,
                                                limits, AnyBytes(&random));
    ASSERT_EQ(text.empty(), verdict.condition == WriteStallCondition::kNormal);
    ASSERT_NO_FATAL_FAILURE(ExpectPlain(text));
  }
}

TEST(TuningWords, WritersThatAreStoppedAreNeverSaidToBeUnlimited) {
  Random64 random(303);
  for (int i = 0; i < 4'000; ++i) {
    TuningStateMap state = {{"why", "Writes are stopped by ..."}};
    AddTuningState(AnySnapshot(&random), &state);
    StallVerdict verdict;
    verdict.condition = random.OneIn(2) ? WriteStallCondition::kStopped
                                        : WriteStallCondition::kDelayed;
    verdict.cause = OneOf(&random, {WriteStallCause::kMemtableLimit,
                                    WriteStallCause::kL0FileCountLimit,
                                    WriteStallCause::kPendingCompactionBytes});
    ShowStall(verdict, &state);
    const std::string text = TuningStateText(state);
    ASSERT_EQ(text.find("limit         nothing"), std::string::npos) << text;
    ASSERT_EQ(text.find("pressure 0 %"), std::string::npos) << text;
    if (verdict.condition == WriteStallCondition::kStopped) {
      ASSERT_GE(state["pressure_pct"].size(), 3u) << text;
    }
  }
}

TEST(QuantityText, SaysNoneOneAndUnlimitedInWords) {
  EXPECT_EQ(RateText(0), "nothing");
  EXPECT_EQ(RateText(0.6), "1 B/s");
  EXPECT_EQ(RateText(3400), "3.4 kB/s");
  EXPECT_EQ(RateText(12e6), "12.0 MB/s");
  EXPECT_EQ(RateText(static_cast<double>(UINT64_MAX)), "unlimited");
  EXPECT_EQ(BytesText(99), "99 B");
  EXPECT_EQ(CountText(0, "file"), "no files");
  EXPECT_EQ(CountText(1, "file"), "1 file");
  EXPECT_EQ(CountText(2, "file"), "2 files");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
