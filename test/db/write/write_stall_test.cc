// The stall conditions as text, and the controller's arithmetic.

#include "db/write/write_stall.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/write/write_controller.h"
#include "test/support/datadriven.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::StallLevels;
using engine::StallLimits;
using engine::StallVerdict;
using engine::WriteController;

constexpr uint64_t kGiB = 1ull << 30;

StallLimits LimitsOf(const Case& c) {
  StallLimits limits;
  auto number = [&](const char* name, int value) {
    return static_cast<int>(c.Uint(name, static_cast<uint64_t>(value)));
  };
  limits.max_write_buffer_number = number("max_memtables", 2);
  limits.min_write_buffer_number_to_merge = number("merge", 1);
  limits.disable_auto_compactions = number("compaction_off", 0) != 0;
  limits.level0_compaction_trigger = number("trigger", 4);
  limits.level0_slowdown_trigger = number("slowdown", 20);
  limits.level0_stop_trigger = number("stop", 36);
  limits.soft_pending_bytes = c.Uint("soft_gib", 64) * kGiB;
  limits.hard_pending_bytes = c.Uint("hard_gib", 256) * kGiB;
  return limits;
}

StallLevels LevelsOf(const std::string& line) {
  std::map<std::string, std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    const size_t eq = word.find('=');
    words[word.substr(0, eq)] = word.substr(eq + 1);
  }
  auto number = [&](const char* name) {
    return words.count(name) == 0 ? 0 : std::stoi(words[name]);
  };
  StallLevels levels;
  levels.unflushed_memtables = number("mem");
  levels.level0_files = number("l0");
  levels.files_marked_for_compaction = number("marked");
  levels.pending_compaction_bytes = static_cast<uint64_t>(number("gib")) * kGiB;
  levels.bottommost_bytes = static_cast<uint64_t>(number("bottom_gib")) * kGiB;
  return levels;
}

std::string Pressure(const StallLevels& levels, const StallLimits& limits) {
  switch (JudgePressure(levels, limits)) {
    case engine::CompactionPressure::kLevel0Files:
      return " pressure=l0";
    case engine::CompactionPressure::kPendingBytes:
      return " pressure=pending";
    case engine::CompactionPressure::kMarked:
      return " pressure=marked";
    case engine::CompactionPressure::kNone:
      break;
  }
  return "";
}

// judge: one look at the levels per line.
std::string Judge(const Case& c) {
  const StallLimits limits = LimitsOf(c);
  std::ostringstream out;
  for (const std::string& line : c.input) {
    const StallLevels levels = LevelsOf(line);
    const StallVerdict v = JudgeWriteStall(levels, limits);
    out << engine::StallConditionName(v.condition);
    if (v != StallVerdict{}) out << " " << engine::StallCauseName(v.cause);
    if (NearStop(v.cause, levels, limits)) out << " near-stop";
    out << Pressure(levels, limits) << "\n";
  }
  return out.str();
}

// history rate=N max=N: what a column family goes through, one recalculation
// per line; prints the sentence for LOG or the rate left behind.
std::string History(const Case& c) {
  const StallLimits limits = LimitsOf(c);
  WriteController controller(c.Uint("max", 16 << 20));
  controller.set_delayed_write_rate(c.Uint("rate", 16 << 20));
  WriteController::Token token;
  uint64_t pending_before = 0;
  std::ostringstream out;
  for (const std::string& line : c.input) {
    const StallLevels levels = LevelsOf(line);
    const StallVerdict v = JudgeWriteStall(levels, limits);
    engine::DelayHistory history;
    history.was_delayed = controller.NeedsDelay();
    history.was_stopped = controller.IsStopped();
    history.pending_bytes_before = pending_before;
    history.rate_before = controller.delayed_write_rate();
    history.rate_max = controller.max_delayed_write_rate();
    if (v.condition == WriteStallCondition::kStopped) {
      token = controller.Stop();
    } else if (v.condition == WriteStallCondition::kDelayed) {
      token = controller.Delay(DelayedWriteRate(
          history, NearStop(v.cause, levels, limits), levels, limits));
    } else {
      token.Reset();
      if (history.was_delayed) {
        controller.set_delayed_write_rate(
            engine::RateAfterDelay(history.rate_before, history.rate_max));
      }
    }
    pending_before = levels.pending_compaction_bytes;
    const std::string sentence = StallSentence("default", v, levels, limits,
                                               controller.delayed_write_rate());
    out << (sentence.empty()
                ? "normal, rate left at " +
                      std::to_string(controller.delayed_write_rate())
                : sentence)
        << "\n";
  }
  return out.str();
}

// sleep rate=N: "at_us=.. bytes=.." per line, times absolute.
std::string Sleep(const Case& c) {
  WriteController controller(c.Uint("rate", 1000000));
  const WriteController::Token token = controller.Delay(c.Uint("rate", 1));
  std::ostringstream out;
  for (const std::string& line : c.input) {
    unsigned long at_us = 0, bytes = 0;
    if (std::sscanf(line.c_str(), "at_us=%lu bytes=%lu", &at_us, &bytes) != 2) {
      return "bad line: " + line;
    }
    out << controller.GetDelay(at_us, bytes) << "\n";
  }
  return out.str();
}

TEST(WriteStall, DataDriven) {
  const auto interpret = [](const Case& c) {
    if (c.command == "judge") return Judge(c);
    return c.command == "history" ? History(c) : Sleep(c);
  };
  for (const std::string& failure :
       RunDataDriven("test/db/testdata/write_stall", interpret)) {
    ADD_FAILURE() << failure;
  }
}

TEST(WriteStall, ARaisedTriggerDoesNotOverflowThePressureLaw) {
  StallLimits limits;
  limits.level0_compaction_trigger = 1 << 30;
  StallLevels levels;
  levels.level0_files = 1000;
  EXPECT_EQ(JudgePressure(levels, limits), engine::CompactionPressure::kNone);
  limits.level0_compaction_trigger = -1;
  EXPECT_EQ(JudgePressure(levels, limits), engine::CompactionPressure::kNone);
}

TEST(WriteStall, AHugeBaseLevelDoesNotOverflowThePressureLaw) {
  StallLimits limits;
  limits.soft_pending_bytes = 64 * kGiB;
  limits.max_bytes_for_level_base = uint64_t{1} << 63;
  StallLevels levels;
  levels.bottommost_bytes = 8 * kGiB;
  levels.pending_compaction_bytes = 2 * kGiB;
  EXPECT_EQ(JudgePressure(levels, limits), engine::CompactionPressure::kNone);
}

TEST(WriteStall, AUsersRateBelowTheFloorIsKept) {
  engine::DelayHistory history;
  history.was_delayed = true;
  history.pending_bytes_before = 1;
  history.rate_before = history.rate_max = 100;
  StallLevels levels;
  levels.pending_compaction_bytes = 2;
  EXPECT_EQ(DelayedWriteRate(history, true, levels, {}), 100u);
}

TEST(StallCounters, CountEachVerdictUnderItsCause) {
  engine::StallCounters counters;
  const StallVerdict l0_delay{WriteStallCondition::kDelayed,
                              WriteStallCause::kL0FileCountLimit};
  const StallVerdict mem_stop{WriteStallCondition::kStopped,
                              WriteStallCause::kMemtableLimit};
  counters.Count(l0_delay, true);
  counters.Count(l0_delay, false);
  counters.Count(mem_stop, true);
  counters.Count({}, true);
  const auto entries = counters.ToMap();
  EXPECT_EQ(entries.at("l0-file-count-limit-delays"), "2");
  EXPECT_EQ(entries.at("cf-l0-file-count-limit-delays-with-ongoing-compaction"),
            "1");
  EXPECT_EQ(entries.at("memtable-limit-stops"), "1");
  EXPECT_EQ(entries.at("total-delays"), "2");
  EXPECT_EQ(entries.at("total-stops"), "1");
  EXPECT_EQ(counters.ToLine().rfind("Write Stall (count): cf-l0-file", 0), 0u);
}

TEST(WriteController, VotesLastAsLongAsTheirTokens) {
  WriteController controller(1000);
  EXPECT_FALSE(controller.NeedSpeedupCompaction());
  {
    const auto pressure = controller.Pressure();
    EXPECT_TRUE(controller.NeedSpeedupCompaction());
    EXPECT_FALSE(controller.NeedsDelay());
    auto delay = controller.Delay(500);
    EXPECT_TRUE(controller.NeedsDelay());
    EXPECT_EQ(controller.actual_delayed_write_rate(), 500u);
    auto stop = controller.Stop();
    EXPECT_TRUE(controller.IsStopped());
    EXPECT_EQ(controller.GetDelay(0, 1000000), 0u) << "a stop is not a delay";
    delay = std::move(stop);
    EXPECT_FALSE(controller.NeedsDelay());
    EXPECT_TRUE(controller.IsStopped());
  }
  EXPECT_FALSE(controller.IsStopped());
  EXPECT_FALSE(controller.NeedSpeedupCompaction());
  EXPECT_EQ(controller.actual_delayed_write_rate(), 0u);
  EXPECT_EQ(controller.delayed_write_rate(), 500u) << "the rate is sticky";
}

// write_controller.h (1).
TEST(WriteController, RatesStayBetweenOneAndTheMaximum) {
  WriteController controller(1000);
  controller.set_delayed_write_rate(0);
  EXPECT_EQ(controller.delayed_write_rate(), 1u);
  controller.set_delayed_write_rate(5000);
  EXPECT_EQ(controller.delayed_write_rate(), 1000u);
  controller.set_max_delayed_write_rate(0);
  EXPECT_EQ(controller.delayed_write_rate(), 1u);
}

TEST(WriteController, ManyThreadsVoteAndAsk) {
  WriteController controller(1000000);
  std::atomic<uint64_t> now{1000};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 2000; ++n) {
        const auto delay = controller.Delay(500000);
        (void)controller.GetDelay(now.fetch_add(1), 100);
        const auto stop = controller.Stop();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(controller.NeedSpeedupCompaction());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
