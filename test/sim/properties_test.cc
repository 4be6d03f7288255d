// What must hold for any load: random loads and devices, seeded.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "test/sim/runs.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::sim {
namespace {

using bench::LoadShape;
using engine::Random64;

// A load of any shape whose mean is `share` of what `cap_mbps` can flush.
Scenario RandomScenario(uint64_t seed, double share) {
  Random64 random(seed);
  ScenarioParams params;
  params.mode = Mode::kAdaptive;
  params.seed = seed;
  params.cap_mbps = 30 + random.Uniform(120);
  params.seconds = 90;
  Scenario s = CappedSine(params);
  const double mean = share * static_cast<double>(params.cap_mbps) * 1e6;
  LoadShape::Settings& shape = s.databases[0].sources[0].shape;
  constexpr LoadShape::Kind kKinds[] = {
      LoadShape::Kind::kFixed, LoadShape::Kind::kSine, LoadShape::Kind::kBurst,
      LoadShape::Kind::kSquare, LoadShape::Kind::kSteps};
  shape.kind = kKinds[random.Uniform(std::size(kKinds))];
  shape.sine = {0.6 * mean, 2 * M_PI / 45, 4.71, mean};
  shape.low = 0.4 * mean;
  shape.high = 1.6 * mean;
  shape.period_seconds = 4 + static_cast<double>(random.Uniform(40));
  shape.high_seconds = shape.period_seconds / 2;
  if (shape.kind == LoadShape::Kind::kFixed) shape.high = mean;
  return s;
}

TEST(Properties, SortedRunsStayBelowTheStop) {  // P1
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const auto world = RunScenario(RandomScenario(seed, 0.6));
    const Score got = world->ScoreOf(0);
    SCOPED_TRACE("seed " + std::to_string(seed) +
                 Figures("random", Mode::kAdaptive, got));
    EXPECT_LE(got.level0_max, 36);
    EXPECT_LE(got.unflushed_max, 1.01);
  }
}

// A byte is flushed once and merged once more within level 0; what asks for no
// more than four fifths of that for a while is not stopped.
TEST(Properties, NoStopWhereTheDeviceHasRoomForFlushesAndTiers) {  // P2
  for (uint64_t seed = 20; seed < 32; ++seed) {
    const auto world = RunScenario(RandomScenario(seed, 0.8 / 3 / 1.6));
    const Score got = world->ScoreOf(0);
    SCOPED_TRACE("seed " + std::to_string(seed) +
                 Figures("random", Mode::kAdaptive, got));
    EXPECT_EQ(0, got.stop_seconds);
    EXPECT_GE(got.accepted_share, 0.99);
    EXPECT_EQ(0, got.longest_gap);
  }
}

TEST(Properties, DebtIsRepaidInTime) {  // P3
  for (uint64_t seed = 40; seed < 46; ++seed) {
    Scenario scenario = RandomScenario(seed, 0.35);
    scenario.drain_seconds = 1000;
    const auto world = RunScenario(scenario);
    const Score got = world->ScoreOf(0);
    SCOPED_TRACE("seed " + std::to_string(seed) +
                 Figures("random", Mode::kAdaptive, got));
    EXPECT_GE(got.repaid_seconds, 0);
    EXPECT_LE(got.repaid_seconds,
              2.2 * static_cast<double>(got.debt_end) /
                      (static_cast<double>(scenario.device.write_mbps) * 1e6) +
                  10);
  }
}

TEST(Properties, DecisionsAreSettled) {  // P4
  for (uint64_t seed = 60; seed < 72; ++seed) {
    const auto world = RunScenario(RandomScenario(seed, 0.3));
    const Score got = world->ScoreOf(0);
    SCOPED_TRACE("seed " + std::to_string(seed) +
                 Figures("random", Mode::kAdaptive, got));
    EXPECT_LT(got.pauses_per_second, 1);
    EXPECT_LT(got.changes_per_second, 1);
  }
}

// ---------------------------------------------------- the tuner by itself

// A family in whose L0 files come and go: what the tuner has measured.
class Loaded {
 public:
  Loaded() {
    family_.write_buffer_bytes = 8 << 20;
    family_.max_write_buffers = 6;
    family_.base_target_bytes = 32 << 20;
    family_.soft_debt_bytes = 8ull << 30;
    family_.hard_debt_bytes = 16ull << 30;
    for (int i = 0; i < 300; ++i) (void)Step();
  }

  engine::TuningDecision Step() {
    signals_.now_micros += 100'000;
    signals_.accepted_bytes += 1'500'000;
    engine::WorkTotals& flush = signals_.work[Index(engine::WorkClass::kFlush)];
    flush.bytes_written += 1'500'000;
    flush.device_micros += 30'000;
    flush.busy_micros += 40'000;
    engine::WorkTotals& runs = signals_.work[Index(engine::WorkClass::kRuns)];
    runs.bytes_written += 3'000'000;
    runs.device_micros += 60'000;
    runs.busy_micros += 90'000;
    signals_.families = {&family_, 1};
    return tuner_.Step(signals_, {&shape_, 1});
  }
  // Until the rate of change has no part in it.
  engine::TuningDecision Settle() {
    engine::TuningDecision decision;
    for (int i = 0; i < 100; ++i) decision = Step();
    return decision;
  }

  engine::FamilySignals* family() { return &family_; }
  engine::LsmSignals* signals() { return &signals_; }
  engine::Tuner* tuner() { return &tuner_; }

 private:
  engine::Tuner tuner_;
  engine::LsmSignals signals_;
  engine::FamilySignals family_;
  engine::FamilyDecision shape_;
};

double Rate(const engine::TuningDecision& decision) {
  return decision.pacing_bytes_per_second == 0
             ? std::numeric_limits<double>::infinity()
             : static_cast<double>(decision.pacing_bytes_per_second);
}

TEST(Pacing, FallsWithThePressureAndKeepsItsFloor) {  // P5
  const double floor = engine::TuneParams()[engine::TuneParam::kPaceFloor];
  struct Band {
    const char* name;
    std::function<void(engine::FamilySignals*, double)> set;
  };
  const Band bands[] = {
      {"memory",
       [](engine::FamilySignals* f, double share) {
         f->unflushed_bytes = static_cast<uint64_t>(
             share * static_cast<double>(f->write_buffer_bytes) * 6);
       }},
      {"runs",
       [](engine::FamilySignals* f, double share) {
         f->level0_files = static_cast<int>(share * 36);
         f->sorted_runs = f->level0_files + 3;
       }},
      {"debt",
       [](engine::FamilySignals* f, double share) {
         f->debt_bytes = static_cast<uint64_t>(
             share * static_cast<double>(f->hard_debt_bytes));
       }},
  };
  for (const Band& band : bands) {
    double last = std::numeric_limits<double>::infinity();
    for (double share = 0; share <= 1.2; share += 0.05) {
      Loaded loaded;
      band.set(loaded.family(), share);
      const double rate = Rate(loaded.Settle());
      EXPECT_LE(rate, last * 1.0001) << band.name << " at " << share;
      EXPECT_GE(rate, floor) << band.name << " at " << share;
      last = rate;
    }
    EXPECT_LT(last, 1e9) << band.name << ": not paced at its limit";
  }
}

TEST(Neighbours, TheHealthyOneIsNotSlowed) {  // P6
  // Alone, and beside a database that writes all it can.
  Scenario alone = *MakeScenario("two_dbs", ParamsFor(Mode::kAdaptive));
  Scenario both = alone;
  alone.databases.resize(1);
  const Score quiet = RunScenario(alone)->ScoreOf(0);
  const Score beside = RunScenario(both)->ScoreOf(0);
  SCOPED_TRACE(Figures("alone", Mode::kAdaptive, quiet) +
               Figures("beside", Mode::kAdaptive, beside));
  EXPECT_LE(beside.tracking_error, quiet.tracking_error + 0.01);
  EXPECT_LE(beside.seconds_below, quiet.seconds_below);
  EXPECT_EQ(0, beside.stop_seconds);
  EXPECT_LE(beside.pace_seconds, quiet.pace_seconds + 1);
}

TEST(StepResponse, SettlesWithoutOvershoot) {  // P7
  // To more than can be held: the rate goes to its new place within three
  // horizons of 30 s and does not swing around it.
  const auto world = RunScenario("step", Mode::kAdaptive);
  const std::vector<Second>& seconds = world->seconds(0);
  SCOPED_TRACE(Figures("step", Mode::kAdaptive, world->ScoreOf(0)));
  // Ten-second means: a merge's end shows in single seconds.
  std::vector<double> means;
  for (size_t i = 120; i + 10 <= 240; i += 10) {
    double sum = 0;
    for (size_t j = i; j < i + 10; ++j) sum += seconds[j].accepted;
    means.push_back(sum / 10);
  }
  double mean = 0;
  for (const double m : means) mean += m / static_cast<double>(means.size());
  for (const double m : means) {
    EXPECT_NEAR(m / mean, 1, 0.35) << "of a mean of " << mean;
  }
  EXPECT_EQ(0, world->ScoreOf(0).stop_seconds);
  EXPECT_EQ(0, world->ScoreOf(0).longest_gap);
}

// --------------------------------------------------------------- P8: fuzzing

double Garbage(Random64* random) {
  switch (random->Uniform(8)) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return std::numeric_limits<double>::infinity();
    case 2:
      return -1e18;
    case 3:
      return 0;
    default:
      return random->NextDouble() * 1e12;
  }
}

uint64_t GarbageNumber(Random64* random) {
  constexpr uint64_t kValues[] = {0,          1,          UINT64_MAX,
                                  1ull << 63, 1ull << 32, 12345};
  return kValues[random->Uniform(std::size(kValues))];
}

int GarbageInt(Random64* random) {
  constexpr int kValues[] = {0, 1, -1, INT_MAX, INT_MIN, 36, 1 << 30};
  return kValues[random->Uniform(std::size(kValues))];
}

void Spoil(Random64* random, engine::LsmSignals* s,
           engine::FamilySignals* family, engine::JobSignal* job) {
  switch (random->Uniform(15)) {
    case 0:
      s->now_micros = GarbageNumber(random);
      break;
    case 1:
      s->accepted_bytes = GarbageNumber(random);
      s->log_synced_bytes = GarbageNumber(random);
      s->flush_log_synced_bytes = GarbageNumber(random);
      s->flushed.data_bytes = GarbageNumber(random);
      s->flushed.blob_bytes = GarbageNumber(random);
      s->flushed.table_bytes = GarbageNumber(random);
      break;
    case 2:
      s->waiting_bytes = GarbageNumber(random);
      break;
    case 3:
      s->work[random->Uniform(4)].bytes_written = GarbageNumber(random);
      break;
    case 4:
      s->work[random->Uniform(4)].busy_micros = GarbageNumber(random);
      break;
    case 5:
      s->work[random->Uniform(4)].device_micros = GarbageNumber(random);
      break;
    case 6:
      family->unflushed_bytes = GarbageNumber(random);
      break;
    case 7:
      family->level0_files = GarbageInt(random);
      break;
    case 8:
      family->level0_slowdown = GarbageInt(random);
      family->level0_trigger = GarbageInt(random);
      break;
    case 9:
      family->level0_stop = GarbageInt(random);
      break;
    case 10:
      family->debt_bytes = GarbageNumber(random);
      family->foreseen_debt_bytes = GarbageNumber(random);
      break;
    case 11:
      family->soft_debt_bytes = GarbageNumber(random);
      break;
    case 12:
      family->max_write_buffers = GarbageInt(random);
      break;
    case 13:
      s->neighbours.need = Garbage(random);
      s->neighbours.waiting = static_cast<int>(random->Uniform(3)) - 1;
      s->neighbours.waiting_written_bytes = GarbageNumber(random);
      s->user_read_bytes = GarbageNumber(random);
      break;
    default:
      job->done_bytes = GarbageNumber(random);
      break;
  }
}

void ExpectBounded(const engine::TuningDecision& d,
                   const engine::FamilyDecision& f) {
  const engine::TuneParams params;
  if (d.pacing_bytes_per_second > 0) {
    EXPECT_GE(static_cast<double>(d.pacing_bytes_per_second),
              params[engine::TuneParam::kPaceFloor] - 1);
  }
  EXPECT_GE(d.chunk_bytes, 4096u);
  EXPECT_LE(d.chunk_bytes, 1u << 20);
  EXPECT_GE(d.debt_jobs_max, 0);
  EXPECT_GE(d.maintenance_jobs_max, 0);
  EXPECT_GE(f.flush_merge_memtables, 0);
  EXPECT_LE(f.flush_merge_memtables, INT_MAX / 2);
  EXPECT_GE(f.runs_target, 0);
  EXPECT_TRUE(std::isfinite(f.level0_files_per_second));
  EXPECT_TRUE(std::isfinite(f.merge_bytes_per_second));
  EXPECT_GE(f.merge_bytes_per_second, 0);
}

TEST(Fuzz, AnySignalsGiveBoundedDecisions) {  // P8
  Random64 random(2024);
  for (int round = 0; round < 40; ++round) {
    engine::Tuner tuner;
    engine::LsmSignals signals;
    engine::FamilyDecision shape;
    engine::FamilySignals family;
    for (int tick = 0; tick < 500; ++tick) {
      family = {};
      signals.now_micros += 100'000;
      signals.accepted_bytes += random.Uniform(5'000'000);
      family.level0_files = static_cast<int>(random.Uniform(40));
      engine::JobSignal job;
      job.from_level0 = true;
      job.input_bytes = random.Uniform(1ull << 32);
      const engine::LsmSignals good = signals;
      if (random.OneIn(3)) Spoil(&random, &signals, &family, &job);
      signals.families = {&family, 1};
      signals.jobs = {&job, 1};
      const engine::TuningDecision d = tuner.Step(signals, {&shape, 1});
      ExpectBounded(d, shape);
      const engine::TuningView& v = tuner.view();
      for (const double x :
           {v.offered_bytes_per_second, v.flush_bytes_per_second,
            v.capacity_bytes_per_second, v.pressure, v.use.need}) {
        ASSERT_TRUE(std::isfinite(x)) << "round " << round << " tick " << tick;
      }
      ASSERT_GE(v.use.need, 0);
      ASSERT_LE(v.use.need, 1);
      char text[200];
      engine::Why(d, v, text, sizeof(text));
      // What was spoiled was only seen so.
      signals = good;
    }
  }
}

TEST(Fuzz, ASimulationSurvivesWrongSignals) {  // P8
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    ScenarioParams params;
    params.mode = Mode::kAdaptive;
    params.seconds = 60;
    Scenario s = CappedSine(params);
    World world(s);
    auto random = std::make_shared<Random64>(seed);
    world.database(0)->disturb_signals = [random](engine::LsmSignals* signals) {
      if (!random->OneIn(10)) return;
      auto* family =
          const_cast<engine::FamilySignals*>(signals->families.data());
      engine::JobSignal job;
      Spoil(random.get(), signals, family, &job);
    };
    world.Run();
    const Score got = world.ScoreOf(0);
    SCOPED_TRACE("seed " + std::to_string(seed) +
                 Figures("fuzz", Mode::kAdaptive, got));
    // Writes go on, and nothing outgrows its limit.
    EXPECT_LE(got.level0_max, 36);
    EXPECT_GE(got.accepted_share, 0.2);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::sim
