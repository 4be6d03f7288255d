// Decisions in words, as a map and as text.

#include "db/tuning_driver/tuning_report.h"

#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
