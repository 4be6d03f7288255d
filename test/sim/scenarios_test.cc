// The scenarios under the adaptive law, each held to what can be had: the same
// run with compaction off is the floor, RocksDB's static behaviour the rival.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "test/sim/runs.h"

namespace ROCKSDB_NAMESPACE::sim {
namespace {

constexpr int kLevel0Stop = 36;

const Score& CachedScore(const std::string& name, Mode mode, size_t database) {
  static std::map<std::pair<std::string, Mode>, std::vector<Score>> cache;
  std::vector<Score>& scores = cache[{name, mode}];
  if (scores.empty()) {
    const auto world = RunScenario(name, mode);
    for (size_t i = 0; i < world->databases(); ++i) {
      scores.push_back(world->ScoreOf(i));
    }
  }
  return scores[database];
}

// ------------------------------------------------------------------- targets

struct Target {
  const char* scenario;
  double burst_seconds;  // What an idle device makes up for.
  double error_above_floor;
  int runs_median;
};

class SineTargets : public testing::TestWithParam<Target> {};

TEST_P(SineTargets, AreMetUnderACap) {
  const Target& target = GetParam();
  ScenarioParams params = ParamsFor(Mode::kOff);
  params.burst_seconds = target.burst_seconds;
  const Score floor =
      RunScenario(*MakeScenario(target.scenario, params))->ScoreOf(0);
  params.mode = Mode::kAdaptive;
  const Score got =
      RunScenario(*MakeScenario(target.scenario, params))->ScoreOf(0);
  SCOPED_TRACE(Figures(target.scenario, Mode::kAdaptive, got));
  EXPECT_LE(got.tracking_error,
            floor.tracking_error + target.error_above_floor);
  EXPECT_GE(got.accepted_share, floor.accepted_share - 0.003);
  EXPECT_GE(got.worst_second, 0.85);
  EXPECT_LE(got.seconds_below, 2);
  EXPECT_LE(got.level0_max, kLevel0Stop);
  EXPECT_LE(got.runs_median, target.runs_median);
  EXPECT_LE(got.unflushed_max, 1.01);
  EXPECT_EQ(0, got.stop_seconds);
  EXPECT_LE(got.put_p999_micros, std::max(1000.0, 3 * floor.put_p999_micros));
}

INSTANTIATE_TEST_SUITE_P(Caps, SineTargets,
                         testing::Values(Target{"sine45", 0.1, 0.03, 26},
                                         Target{"sine60", 0.1, 0.01, 18},
                                         Target{"sine90", 0.1, 0.01, 14},
                                         Target{"sine60", 0, 0.01, 18},
                                         Target{"sine90", 0, 0.01, 14}),
                         [](const auto& tested) {
                           return std::string(tested.param.scenario) +
                                  (tested.param.burst_seconds > 0 ? ""
                                                                  : "_disk");
                         });

// ----------------------------------------------------------------- scenarios

class EveryScenario : public testing::TestWithParam<std::string> {
 protected:
  size_t databases() const {
    return MakeScenario(GetParam(), {})->databases.size();
  }
};

TEST_P(EveryScenario, StaysInsideTheHardLimits) {
  for (size_t i = 0; i < databases(); ++i) {
    const Score& got = CachedScore(GetParam(), Mode::kAdaptive, i);
    SCOPED_TRACE(Figures(GetParam(), Mode::kAdaptive, got));
    EXPECT_LE(got.level0_max, kLevel0Stop);
    EXPECT_LE(got.unflushed_max, 1.01);
  }
}

TEST_P(EveryScenario, DoesNotHunt) {
  for (size_t i = 0; i < databases(); ++i) {
    const Score& got = CachedScore(GetParam(), Mode::kAdaptive, i);
    SCOPED_TRACE(Figures(GetParam(), Mode::kAdaptive, got));
    EXPECT_LT(got.pauses_per_second, 1);
    // A source without a rate of its own is paced all the time, and each end of
    // a merge moves the rate.
    const bool saturates = got.accepted_share == 0;
    EXPECT_LT(got.changes_per_second, saturates ? 2 : 1);
  }
}

TEST_P(EveryScenario, IsNotWorseThanTheStaticBehaviour) {
  // A database that asks for all there is takes nothing from the others.
  for (size_t i = 0; i < databases(); ++i) {
    const Score& got = CachedScore(GetParam(), Mode::kAdaptive, i);
    const Score& rival = CachedScore(GetParam(), Mode::kStatic, i);
    SCOPED_TRACE(Figures(GetParam(), Mode::kAdaptive, got) +
                 Figures(GetParam(), Mode::kStatic, rival));
    EXPECT_LE(got.tracking_error, rival.tracking_error + 0.03);
    EXPECT_GE(got.accepted_share, rival.accepted_share - 0.01);
    // A device that stands still leaves a gap, sooner or later.
    const int gap = GetParam() == "halt" ? 4 : 1;
    EXPECT_LE(got.longest_gap, std::max(rival.longest_gap, gap));
  }
}

TEST_P(EveryScenario, RepaysItsDebtWhenTheLoadHasEnded) {
  Scenario scenario = *MakeScenario(GetParam(), ParamsFor(Mode::kAdaptive));
  // Of the device, or of the threads that merge.
  const DatabaseOptions& db = scenario.databases[0].database;
  const double capacity =
      1e6 *
      std::min(static_cast<double>(scenario.device.write_mbps),
               db.compact_mbps * std::max(1, db.db.max_background_compactions));
  scenario.drain_seconds = 4000;
  const auto world = RunScenario(scenario);
  double debt = 0;
  for (size_t i = 0; i < world->databases(); ++i) {
    debt += static_cast<double>(world->ScoreOf(i).debt_end);
  }
  for (size_t i = 0; i < world->databases(); ++i) {
    const Score got = world->ScoreOf(i);
    SCOPED_TRACE(Figures(GetParam(), Mode::kAdaptive, got));
    EXPECT_GE(got.repaid_seconds, 0);
    // A job that ends right behind may add a little.
    EXPECT_LE(got.repaid_seconds, 2 * debt / capacity + 5);
  }
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const NamedScenario& s : AllScenarios()) names.push_back(s.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryScenario, testing::ValuesIn(Names()),
                         [](const auto& tested) { return tested.param; });

// Where the device could do what is asked: nothing is missed.
class WithinCapacity : public testing::TestWithParam<const char*> {};

TEST_P(WithinCapacity, NoSecondIsMissed) {
  const Score& floor = CachedScore(GetParam(), Mode::kOff, 0);
  const Score& got = CachedScore(GetParam(), Mode::kAdaptive, 0);
  SCOPED_TRACE(Figures(GetParam(), Mode::kAdaptive, got));
  EXPECT_LE(got.seconds_below, floor.seconds_below);
  EXPECT_LE(got.tracking_error, floor.tracking_error + 0.01);
  EXPECT_EQ(0, got.stop_seconds);
}

INSTANTIATE_TEST_SUITE_P(
    Rest, WithinCapacity,
    testing::Values("sine60", "sine90", "sine_100", "sine_512", "sine_4k",
                    "sine_256k", "sine_1m", "steady95", "burst", "square",
                    "idle", "capacity", "steal", "churn", "two_dbs", "four_dbs",
                    "families"),
    [](const auto& tested) { return std::string(tested.param); });

// A device that fails for a while takes its toll; no more than that is paid.
class Disturbed : public testing::TestWithParam<const char*> {};

TEST_P(Disturbed, CostsLittleMoreThanWithoutCompaction) {
  const Score& floor = CachedScore(GetParam(), Mode::kOff, 0);
  const Score& got = CachedScore(GetParam(), Mode::kAdaptive, 0);
  SCOPED_TRACE(Figures(GetParam(), Mode::kAdaptive, got));
  EXPECT_LE(got.seconds_below, floor.seconds_below + 4);
}

INSTANTIATE_TEST_SUITE_P(Rest, Disturbed,
                         testing::Values("slow", "halt", "spikes"),
                         [](const auto& tested) {
                           return std::string(tested.param);
                         });

// The standard deviation of one-second rates over their mean.
double Deviation(const std::vector<Second>& seconds, size_t from, size_t to) {
  const auto count = static_cast<double>(to - from);
  double mean = 0;
  for (size_t i = from; i < to; ++i) mean += seconds[i].accepted / count;
  double squares = 0;
  for (size_t i = from; i < to; ++i) {
    const double off = seconds[i].accepted - mean;
    squares += off * off / count;
  }
  return std::sqrt(squares) / mean;
}

// Beyond what can be held for ever: five minutes evenly, then less, without a
// stop.
TEST(Overload, IsSpreadEvenly) {
  const auto world = RunScenario("steady110", Mode::kAdaptive);
  SCOPED_TRACE(Figures("steady110", Mode::kAdaptive, world->ScoreOf(0)));
  EXPECT_EQ(0, world->ScoreOf(0).longest_gap);
  const std::vector<Second>& seconds = world->seconds(0);
  EXPECT_LE(Deviation(seconds, 40, 340), 0.05);  // After the ramp.
  // What the tree owes by then moves by whole merges, and the rate with it:
  // 5 % would be even there, too.
  EXPECT_LE(Deviation(seconds, 700, 900), 0.35);
}

// However much is asked for: RocksDB's estimate of debt jumps, and writers
// must have been paced before it does.
TEST(Overload, NeverReachesTheHardLimitOfDebt) {
  for (const double factor : {1.0, 1.3, 1.6, 2.2, 6.0}) {
    ScenarioParams params = ParamsFor(Mode::kAdaptive);
    params.load_factor = factor;
    const Scenario scenario = *MakeScenario("steady110", params);
    const auto world = RunScenario(scenario);
    const Score score = world->ScoreOf(0);
    SCOPED_TRACE(Figures("steady110", Mode::kAdaptive, score));
    // At six times the rate memory fills before the first tick has learnt it.
    EXPECT_LE(score.stop_seconds, factor < 6 ? 0 : 0.1) << factor;
    EXPECT_LT(score.debt_max, scenario.databases[0]
                                  .database.families[0]
                                  .family.hard_pending_compaction_bytes_limit)
        << factor;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::sim
