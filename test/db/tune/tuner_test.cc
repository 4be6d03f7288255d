// The adaptive law as text: signals per tick in, decisions and sentences out.
//
// A case is one tuner. Each line goes on where the one before ended; what it
// does not name stays as it was. Rates are MB/s, sizes MB, shares per cent.

#include "db/tune/tuner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/tuning_driver/tuning_report.h"
#include "test/support/datadriven.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::FamilyDecision;
using engine::FamilySignals;
using engine::Index;
using engine::JobSignal;
using engine::LsmSignals;
using engine::Tuner;
using engine::TuningDecision;
using engine::WorkClass;

constexpr double kMB = 1e6;

using Words = std::map<std::string, double>;

void ReadWords(const std::string& line, Words* words) {
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    const size_t eq = word.find('=');
    ASSERT_NE(std::string::npos, eq) << word;
    (*words)[word.substr(0, eq)] = std::stod(word.substr(eq + 1));
  }
}

// One database with one family and at most one merge.
class Bench {
 public:
  Bench() {
    family_.write_buffer_bytes = 8'000'000;
    family_.max_write_buffers = 6;
    family_.soft_debt_bytes = 8'000'000'000;
    family_.hard_debt_bytes = 32'000'000'000;
    signals_.now_micros = 1'000'000;
  }

  const TuningDecision& Run(const std::string& line) {
    ReadWords(line, &words_);
    const int ticks = words_.count("ticks") > 0 ? Int("ticks") : 10;
    words_.erase("ticks");
    for (int i = 0; i < ticks; ++i) Tick();
    return decision_;
  }
  const FamilyDecision& shape() const { return shape_; }
  const Tuner& tuner() const { return tuner_; }
  int changes() const { return changes_; }

 private:
  double Of(const char* name, double fallback = 0) const {
    const auto it = words_.find(name);
    return it != words_.end() ? it->second : fallback;
  }
  int Int(const char* name, int fallback = 0) const {
    return static_cast<int>(Of(name, fallback));
  }
  uint64_t Bytes(const char* name) const {
    return static_cast<uint64_t>(Of(name) * kMB);
  }
  void Work(WorkClass work, const std::string& name) {
    engine::WorkTotals& totals = signals_.work[Index(work)];
    const double busy = Of((name + "_busy").c_str(), 100) / 100;
    const double device = Of((name + "_device").c_str()) / 100;
    if (Of(name.c_str()) <= 0) return;
    const double secs = 0.1 * busy;
    totals.bytes_written +=
        static_cast<uint64_t>(Of(name.c_str()) * kMB * secs);
    totals.busy_micros += static_cast<uint64_t>(secs * 1e6);
    totals.device_micros += static_cast<uint64_t>(0.1e6 * device);
  }
  void Tick() {
    signals_.now_micros += 100'000;
    signals_.accepted_bytes += static_cast<uint64_t>(Of("accept") * kMB * 0.1);
    signals_.waiting_bytes = Bytes("waiting");
    signals_.cpus = Int("cpus", 1);
    signals_.user_read_bytes += static_cast<uint64_t>(Of("reads") * kMB * 0.1);
    signals_.neighbours.need = Of("neighbour") / 100;
    signals_.neighbours.waiting = Int("waiting_neighbours");
    const uint64_t flush_logs =
        static_cast<uint64_t>(Of("flush_logs") * kMB * 0.1);
    signals_.log_synced_bytes +=
        flush_logs + static_cast<uint64_t>(Of("logs") * kMB * 0.1);
    signals_.flush_log_synced_bytes += flush_logs;
    Work(WorkClass::kFlush, "flush");
    Work(WorkClass::kRuns, "merge");
    Work(WorkClass::kDebt, "deeper");
    family_.level0_trigger = Int("trigger", 4);
    family_.level0_slowdown = Int("slowdown", 20);
    family_.level0_stop = Int("stop", 36);
    family_.level0_files = Int("l0");
    family_.level0_bytes =
        family_.write_buffer_bytes * static_cast<uint64_t>(Int("l0"));
    family_.sorted_runs = Int("l0") + Int("levels", 1);
    family_.unflushed_bytes = Bytes("unflushed");
    signals_.shared_memory_bytes = Bytes("shared");
    signals_.shared_memory_limit = Bytes("shared_limit");
    family_.debt_bytes = Bytes("debt");
    family_.foreseen_debt_bytes =
        std::max(family_.debt_bytes, Bytes("foreseen"));
    family_.base_target_bytes = 64'000'000;
    JobSignal job;
    job.work = WorkClass::kRuns;
    job.from_level0 = true;
    job.level0_files_gone = 1;
    job.input_bytes = Bytes("merge_left");
    signals_.families = {&family_, 1};
    signals_.jobs = {&job, job.input_bytes > 0 ? 1u : 0u};
    const engine::TuningChange change{
        decision_, tuner_.Step(signals_, {&shape_, 1}), last_shape_, shape_};
    if (engine::IsNews(change)) ++changes_;
    decision_ = change.now;
    last_shape_ = shape_;
  }

  Tuner tuner_;
  Words words_;
  LsmSignals signals_;
  FamilySignals family_;
  FamilyDecision shape_;
  FamilyDecision last_shape_;
  TuningDecision decision_;
  int changes_ = 0;
};

std::string Rounded(double bytes_per_second) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2g", bytes_per_second / kMB);
  return text;
}

// Only what is not static.
std::string Describe(const TuningDecision& d, const FamilyDecision& shape) {
  std::string out;
  const auto add = [&](const std::string& word) { out += " " + word; };
  if (d.limit != engine::WriteLimit::kNothing) {
    add(std::string("limit=") + WriteLimitName(d.limit));
  }
  if (d.pacing_bytes_per_second > 0) {
    add("pace=" + Rounded(static_cast<double>(d.pacing_bytes_per_second)));
  }
  if (d.flush_first) {
    add(std::string("flush_first(") + TuneReasonName(d.gate_reason) + ")");
  }
  if (d.budget_bytes_per_second[Index(WorkClass::kDebt)] > 0) {
    add("debt_rate");
  }
  if (d.debt_jobs_max != INT_MAX) {
    add("debt_jobs=" + std::to_string(d.debt_jobs_max) + "(" +
        TuneReasonName(d.jobs_reason) + ")");
  }
  if (shape.flush_merge_memtables > 1) {
    add("flush_merge=" + std::to_string(shape.flush_merge_memtables));
  }
  return out.empty() ? "static" : out.substr(1);
}

std::string Steps(const Case& c) {
  Bench bench;
  std::string out;
  for (const std::string& line : c.input) {
    const TuningDecision& decision = bench.Run(line);
    out += Describe(decision, bench.shape()) + "\n";
  }
  return out;
}

// The sentence at the end of each line.
std::string Sentences(const Case& c) {
  Bench bench;
  std::string out;
  for (const std::string& line : c.input) {
    const TuningDecision decision = bench.Run(line);
    char why[512];
    Why(decision, bench.tuner().view(), why, sizeof(why));
    out += std::string(why) + "\n";
  }
  return out;
}

TEST(TunerText, EveryCaseDecidesAsWritten) {
  const auto interpret = [](const Case& c) -> std::string {
    if (c.command == "steps") return Steps(c);
    if (c.command == "why") return Sentences(c);
    return "unknown command\n";
  };
  for (const std::string& diff :
       RunDataDriven("test/db/tune/testdata/tuner", interpret)) {
    ADD_FAILURE() << diff;
  }
}

TEST(Tuner, SteadyLoadAndSteadyStateSettleOnOneDecision) {
  Bench bench;
  (void)bench.Run(
      "ticks=300 accept=20 flush=200 flush_busy=10 flush_device=5 "
      "l0=3 debt=100");
  const int settled = bench.changes();
  (void)bench.Run("ticks=600");
  EXPECT_EQ(settled, bench.changes());
}

// tuner.h (2).
TEST(Tuner, PacingFallsAsPressureRisesAndKeepsItsFloor) {
  const engine::TuneParams params;
  uint64_t last = UINT64_MAX;
  for (int files = 20; files <= 60; ++files) {
    Bench bench;
    const TuningDecision decision =
        bench.Run("ticks=50 accept=40 flush=100 flush_busy=40 merge=50 l0=" +
                  std::to_string(files));
    const uint64_t pacing = decision.pacing_bytes_per_second;
    const uint64_t rate = pacing > 0 ? pacing : UINT64_MAX;
    EXPECT_LE(rate, last) << files;
    EXPECT_GE(static_cast<double>(rate), params[engine::TuneParam::kPaceFloor]);
    last = rate;
  }
  EXPECT_LT(last, 40'000'000u);
}

// Level 0 is nearly full: flushes take as many memtables as they may.
constexpr char kFewFlushes[] =
    "ticks=300 accept=14 flush=20 flush_device=60 merge=25 merge_device=60 "
    "l0=24 cpus=4 ";

TEST(Tuner, FlushesThatSyncLogsTakeTwoMemtablesAtMost) {
  Bench bench;
  (void)bench.Run(kFewFlushes);
  EXPECT_EQ(3, bench.shape().flush_merge_memtables);
  (void)bench.Run("flush_logs=10 ticks=300");
  EXPECT_EQ(2, bench.shape().flush_merge_memtables);
}

// Writers that sync their own logs leave nothing for flushes to sync.
TEST(Tuner, FlushesBesideWritersThatSyncTakeThree) {
  Bench bench;
  (void)bench.Run(std::string(kFewFlushes) + "logs=20");
  EXPECT_EQ(3, bench.shape().flush_merge_memtables);
}

TEST(Tuner, BesideNeighboursThatWaitMergesHaveOneThread) {
  Bench bench;
  (void)bench.Run(kFewFlushes);
  EXPECT_EQ(2, bench.shape().subcompactions);
  (void)bench.Run("waiting_neighbours=1");
  EXPECT_EQ(1, bench.shape().subcompactions);
  (void)bench.Run("waiting_neighbours=0");
  EXPECT_EQ(2, bench.shape().subcompactions);
}

// The same device, writers and level 0; more and more of the room that debt has
// is gone.
TEST(Tuner, WritersThatWaitAreBoundByTheRoomThatDebtHas) {
  double last = 1e15;
  for (const char* debt : {"debt=1000", "debt=20000", "debt=22900"}) {
    Bench bench;
    const double paced = static_cast<double>(
        bench
            .Run("ticks=1200 accept=10 waiting=1 flush=20 flush_busy=50 "
                 "flush_device=50 merge=35 merge_device=60 l0=12 " +
                 std::string(debt))
            .pacing_bytes_per_second);
    EXPECT_GT(paced, 1e6) << debt;
    EXPECT_LT(paced, last) << debt;
    last = paced;
  }
}

// What level 0 may have beside a load that lasts.
int TargetOf(Bench* bench, const std::string& more) {
  (void)bench->Run(
      "accept=10 flush=20 flush_busy=50 flush_device=50 merge=35 "
      "merge_device=60 l0=12 " +
      more);
  return bench->shape().runs_target;
}

// As for writers that wait: more files, and so larger merges.
TEST(Tuner, AsDebtComesToItsSoftLimitLevel0MayFill) {
  Bench bench;
  EXPECT_EQ(20, TargetOf(&bench, "debt=7200"));
  EXPECT_EQ(24, TargetOf(&bench, "debt=7650"));
  EXPECT_EQ(28, TargetOf(&bench, "debt=8000"));
  EXPECT_EQ(28, TargetOf(&bench, "debt=20000"));
  EXPECT_EQ(20, TargetOf(&bench, "debt=7200"));
}

TEST(Tuner, DebtRaisesNoTargetBeyondWhatReadsBear) {
  Bench bench;
  EXPECT_EQ(28, TargetOf(&bench, "debt=9000 slowdown=20 stop=36"));
  EXPECT_EQ(28, TargetOf(&bench, "slowdown=20 stop=1000000000"));
  EXPECT_EQ(28, TargetOf(&bench, "slowdown=200 stop=400"));
  EXPECT_EQ(28, TargetOf(&bench, "slowdown=1000000000 stop=1000000000"));
  EXPECT_LE(TargetOf(&bench, "slowdown=20 stop=36 reads=1000 ticks=1000"), 9);
}

TEST(Tuner, WritersThatWaitRaiseNoTargetBeyondWhatReadsBear) {
  Bench bench;
  for (const char* triggers :
       {"slowdown=20 stop=36", "slowdown=20 stop=1000000000",
        "slowdown=200 stop=400", "slowdown=1000000000 stop=1000000000"}) {
    EXPECT_EQ(
        28, TargetOf(&bench,
                     std::string("ticks=300 waiting=1 debt=1000 ") + triggers))
        << triggers;
  }
  EXPECT_EQ(11, TargetOf(&bench, "slowdown=8 stop=16"));
  EXPECT_EQ(44, TargetOf(&bench, "trigger=40 slowdown=64 stop=128"));
}

// Two families with six memtables of 8 MB each, on a device that is the limit.
// The first is written to, 10 MB/s as usual; the second rests.
class TwoFamilies {
 public:
  TwoFamilies(int resting_memtables, int least_to_flush) {
    for (uint32_t id = 0; id < 2; ++id) {
      families_[id].id = id;
      families_[id].write_buffer_bytes = 8'000'000;
      families_[id].max_write_buffers = 6;
    }
    families_[1].min_write_buffers_to_merge = least_to_flush;
    families_[1].unflushed_bytes = resting_memtables * 8'000'000;
    signals_.now_micros = 1'000'000;
    signals_.flush_progress_bytes = 2'000'000;
    for (int tick = 0; tick < 600; ++tick) (void)Tick(10e6);
    families_[0].unflushed_bytes = 0;
  }

  TuningDecision Tick(double bytes_per_second, int into = 0) {
    const auto bytes = static_cast<uint64_t>(0.1 * bytes_per_second);
    signals_.now_micros += 100'000;
    signals_.accepted_bytes += bytes;
    uint64_t& unflushed = families_[into].unflushed_bytes;
    unflushed += bytes;
    if (unflushed > 48'000'000) unflushed = 16'000'000;
    for (const WorkClass work : {WorkClass::kFlush, WorkClass::kRuns}) {
      engine::WorkTotals& totals = signals_.work[Index(work)];
      totals.bytes_written += 2'000'000;
      totals.busy_micros += 100'000;
      totals.device_micros += 60'000;
    }
    signals_.families = families_;
    return tuner_.Step(signals_, shapes_);
  }

  // What a burst of 60 MB/s into that family may bring, per second, as soon as
  // it is guarded.
  uint64_t BurstInto(int family) {
    for (int tick = 0; tick < 20; ++tick) {
      const TuningDecision decision = Tick(60e6, family);
      if (decision.forgives_burst) return decision.burst_bytes_per_second;
    }
    ADD_FAILURE() << "no burst that is guarded";
    return 0;
  }

 private:
  Tuner tuner_;
  LsmSignals signals_;
  FamilySignals families_[2];
  FamilyDecision shapes_[2];
};

TEST(Tuner, AFamilyThatRestsDoesNotBoundTheBurstOfAnother) {
  const uint64_t expected = TwoFamilies(0, 1).BurstInto(0);
  // No flush takes what is too little for one.
  const uint64_t beside = TwoFamilies(4, 5).BurstInto(0);
  EXPECT_NEAR(static_cast<double>(expected), static_cast<double>(beside), 1e5);
  // What flushes take makes all of them end later.
  const uint64_t behind = TwoFamilies(4, 1).BurstInto(0);
  EXPECT_LT(behind, expected * 3 / 4);
}

TEST(Tuner, ABurstIntoAFamilyThatRestedIsBoundedByItsRoom) {
  const uint64_t other = TwoFamilies(2, 1).BurstInto(0);
  EXPECT_LT(TwoFamilies(2, 1).BurstInto(1), other * 3 / 4);
}

TEST(Tuner, OnlyWhatAGuardedBurstLetThroughIsForgiven) {
  TwoFamilies families(0, 1);
  EXPECT_FALSE(families.Tick(10e6).forgives_burst) << "as usual";
  bool guarded = false;
  for (int tick = 0; tick < 20; ++tick) {
    guarded |= families.Tick(60e6).forgives_burst;
  }
  EXPECT_TRUE(guarded);
  for (int tick = 0; tick < 100; ++tick) (void)families.Tick(10e6);
  EXPECT_FALSE(families.Tick(10e6).forgives_burst) << "as usual again";
}

// tuner.h (1).
TEST(Tuner, AnySignalsGiveBoundedDecisions) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const double wild[] = {nan, inf, -inf, -1e18, 1e18, 0};
  const uint64_t totals[] = {0, 1, UINT64_MAX, UINT64_MAX / 2, 12345};
  Tuner tuner;
  FamilyDecision shape;
  size_t i = 0;
  for (int tick = 0; tick < 2000; ++tick) {
    const auto total = [&] { return totals[i++ % std::size(totals)]; };
    const auto number = [&] {
      return static_cast<int>(totals[i++ % std::size(totals)]);
    };
    FamilySignals family;
    family.write_buffer_bytes = total();
    family.max_write_buffers = number();
    family.min_write_buffers_to_merge = number();
    family.unflushed_bytes = total();
    family.level0_files = number();
    family.level0_slowdown = number();
    family.level0_stop = number();
    family.debt_bytes = total();
    family.soft_debt_bytes = total();
    family.hard_debt_bytes = total();
    family.foreseen_debt_bytes = total();
    family.level0_trigger = number();
    JobSignal job;
    job.from_level0 = tick % 2 == 0;
    job.level0_files_gone = number();
    job.paused = tick % 3 == 0;
    job.input_bytes = total();
    job.done_bytes = total();
    LsmSignals signals;
    signals.now_micros = tick % 7 == 0 ? total() : 100'000u * tick;
    signals.accepted_bytes = total();
    signals.waiting_bytes = total();
    signals.user_read_bytes = total();
    signals.neighbours.need = wild[i++ % std::size(wild)];
    signals.neighbours.waiting = number();
    signals.neighbours.waiting_written_bytes = total();
    signals.log_synced_bytes = total();
    signals.flush_log_synced_bytes = total();
    signals.flushed = {total(), total(), total()};
    for (engine::WorkTotals& work : signals.work) {
      work = {total(), total(), total()};
    }
    signals.families = {&family, 1};
    signals.jobs = {&job, 1};
    const TuningDecision decision = tuner.Step(signals, {&shape, 1});
    const engine::TuningView& view = tuner.view();
    EXPECT_LE(decision.pacing_bytes_per_second, 1'000'000'000'000'000u);
    EXPECT_GE(decision.debt_jobs_max, 0);
    EXPECT_GE(decision.chunk_bytes, 65536u);
    EXPECT_LE(decision.chunk_bytes, 1u << 20);
    EXPECT_GE(shape.flush_merge_memtables, 1);
    const std::pair<const char*, double> numbers[] = {
        {"offered", view.offered_bytes_per_second},
        {"flush", view.flush_bytes_per_second},
        {"merge", view.merge_bytes_per_second},
        {"capacity", view.capacity_bytes_per_second},
        {"sustainable", view.sustainable_bytes_per_second},
        {"flush wait", view.flush_wait_share},
        {"read weight", view.read_weight},
        {"predicted runs", view.predicted_runs},
        {"memory", view.memory_share},
        {"debt", view.debt_share},
        {"pressure", view.pressure},
        {"need", view.use.need},
        {"files per second", shape.level0_files_per_second},
        {"shape merge", shape.merge_bytes_per_second}};
    for (const auto& [name, x] : numbers) {
      ASSERT_TRUE(std::isfinite(x)) << name << " at tick " << tick;
      ASSERT_GE(x, 0) << name << " at tick " << tick;
    }
    char why[64];
    Why(decision, view, why, sizeof(why));  // Cut, never overrun.
    ASSERT_LT(std::string(why).size(), sizeof(why));
  }
}

// ------------------------------------------------------------------- the page

constexpr char kPage[] = "docs/tuning.md";
constexpr char kBegin[] =
    "<!-- constants: written by the test TuningPage; do not edit -->\n";
constexpr char kEnd[] = "<!-- end of constants -->\n";

std::string ConstantsTable() {
  std::ostringstream out;
  out.precision(12);
  out << "| constant | value | legal | tested at | reason |\n"
      << "|---|---|---|---|---|\n";
  for (const engine::TuneLimit& limit : engine::kTuneLimits) {
    out << "| `" << limit.name << "` | " << limit.value << " | " << limit.min
        << " to " << limit.max << " | " << limit.test_low << ", "
        << limit.test_high << " | " << limit.reason << " |\n";
  }
  return out.str();
}

TEST(TuningPage, HasTheConstantsOfTheLaw) {
  std::ifstream file(kPage);
  ASSERT_TRUE(file) << kPage;
  std::stringstream page;
  page << file.rdbuf();
  std::string text = page.str();
  const size_t begin = text.find(kBegin);
  const size_t end = text.find(kEnd);
  ASSERT_NE(std::string::npos, begin);
  ASSERT_NE(std::string::npos, end);
  const size_t from = begin + sizeof(kBegin) - 1;
  const std::string wanted = ConstantsTable();
  if (std::getenv("REWRITE") != nullptr) {
    std::ofstream(kPage) << text.replace(from, end - from, wanted);
    return;
  }
  EXPECT_EQ(wanted, text.substr(from, end - from))
      << kPage << " is out of date: run the db tests with REWRITE=1";
}

TEST(TuneLimits, AreInOrderOfTheEnumAndSane) {
  for (size_t i = 0; i < engine::kTuneParams; ++i) {
    const engine::TuneLimit& limit = engine::kTuneLimits[i];
    EXPECT_EQ(i, static_cast<size_t>(limit.param)) << limit.name;
    EXPECT_LE(limit.min, limit.test_low) << limit.name;
    EXPECT_LE(limit.test_low, limit.value) << limit.name;
    EXPECT_LE(limit.value, limit.test_high) << limit.name;
    EXPECT_LE(limit.test_high, limit.max) << limit.name;
    EXPECT_FALSE(std::string(limit.reason).empty()) << limit.name;
  }
}

TEST(Tuner, WhatTheUserPinnedIsTakenBack) {
  FamilyDecision shape;
  shape.base_target_bytes = 1 << 30;
  shape.subcompactions = 3;
  FamilyDecision kept = shape;
  KeepPinned(0, &kept);
  EXPECT_EQ(shape, kept);
  for (const char* name : {"max_bytes_for_level_base", "max_subcompactions"}) {
    KeepPinned(engine::PinnedBy(name), &kept);
  }
  EXPECT_EQ(FamilyDecision{}, kept);
  EXPECT_EQ(0u, engine::PinnedBy("write_buffer_size"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
