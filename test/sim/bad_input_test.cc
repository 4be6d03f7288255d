// Absurd limits, clocks that jump, devices that stand still, modes that are
// switched and databases that close at the wrong moment: bounded decisions, no
// hang, no lost write.

#include <gtest/gtest.h>

#include <limits>

#include "test/sim/runs.h"

namespace ROCKSDB_NAMESPACE::sim {
namespace {

Scenario Short(Mode mode = Mode::kAdaptive) {
  ScenarioParams params;
  params.mode = mode;
  params.seconds = 60;
  params.cap_mbps = 45;
  return CappedSine(params);
}

ColumnFamilyOptions& FamilyOf(Scenario* s) {
  return s->databases[0].database.families[0].family;
}

// Every write is in a memtable or a file.
void ExpectNothingLost(World* world) {
  const Database& db = *world->database(0);
  EXPECT_EQ(0u, db.LostWrites());
}

struct AbsurdLimits {
  const char* name;
  std::function<void(ColumnFamilyOptions*)> set;
};

class Absurd : public testing::TestWithParam<AbsurdLimits> {};

TEST_P(Absurd, LimitsLeaveWritesGoing) {
  Scenario s = Short();
  GetParam().set(&FamilyOf(&s));
  const auto world = RunScenario(s);
  const Score got = world->ScoreOf(0);
  SCOPED_TRACE(Figures(GetParam().name, Mode::kAdaptive, got));
  EXPECT_GE(got.accepted_share, 0.1);
  EXPECT_GE(got.repaid_seconds, -1);
  ExpectNothingLost(world.get());
}

INSTANTIATE_TEST_SUITE_P(
    Limits, Absurd,
    testing::Values(
        AbsurdLimits{"no_debt_limits",
                     [](ColumnFamilyOptions* o) {
                       o->soft_pending_compaction_bytes_limit = 0;
                       o->hard_pending_compaction_bytes_limit = 0;
                     }},
        AbsurdLimits{"tiny_debt_limits",
                     [](ColumnFamilyOptions* o) {
                       o->soft_pending_compaction_bytes_limit = 1 << 26;
                       o->hard_pending_compaction_bytes_limit = 1 << 27;
                     }},
        AbsurdLimits{"debt_limits_the_wrong_way_round",
                     [](ColumnFamilyOptions* o) {
                       o->soft_pending_compaction_bytes_limit = 16ull << 30;
                       o->hard_pending_compaction_bytes_limit = 8ull << 30;
                     }},
        AbsurdLimits{"runs_out_of_reach",
                     [](ColumnFamilyOptions* o) {
                       o->level0_slowdown_writes_trigger = 1 << 30;
                       o->level0_stop_writes_trigger = 1 << 30;
                     }},
        AbsurdLimits{"runs_out_of_reach_and_tiny_debt_limits",
                     [](ColumnFamilyOptions* o) {
                       o->level0_slowdown_writes_trigger = 1 << 30;
                       o->level0_stop_writes_trigger = 1 << 30;
                       o->soft_pending_compaction_bytes_limit = 1 << 26;
                       o->hard_pending_compaction_bytes_limit = 1 << 27;
                     }},
        AbsurdLimits{"stop_out_of_reach_and_tiny_debt_limits",
                     [](ColumnFamilyOptions* o) {
                       o->level0_stop_writes_trigger = 1 << 30;
                       o->soft_pending_compaction_bytes_limit = 1 << 26;
                       o->hard_pending_compaction_bytes_limit = 1 << 27;
                     }},
        AbsurdLimits{"runs_close_together",
                     [](ColumnFamilyOptions* o) {
                       o->level0_file_num_compaction_trigger = 4;
                       o->level0_slowdown_writes_trigger = 5;
                       o->level0_stop_writes_trigger = 6;
                     }},
        AbsurdLimits{
            "two_memtables",
            [](ColumnFamilyOptions* o) { o->max_write_buffer_number = 2; }},
        AbsurdLimits{
            "small_memtables",
            [](ColumnFamilyOptions* o) { o->write_buffer_size = 256 << 10; }}),
    [](const auto& tested) { return std::string(tested.param.name); });

// The signals lie for some seconds in the middle.
Score WithSignals(const std::function<void(engine::LsmSignals*)>& lie) {
  const Scenario s = Short();
  World world(s);
  world.database(0)->disturb_signals = [&](engine::LsmSignals* signals) {
    const double now = world.now_seconds();
    if (now >= 20 && now < 25) lie(signals);
  };
  world.Run();
  ExpectNothingLost(&world);
  return world.ScoreOf(0);
}

engine::FamilySignals* First(engine::LsmSignals* signals) {
  return const_cast<engine::FamilySignals*>(signals->families.data());
}

TEST(Lies, ClocksThatJumpAreSurvived) {
  for (const int64_t jump_secs :
       {-1'000'000'000ll, -1ll, 3600ll, 1'000'000'000ll}) {
    const Score got = WithSignals([&](engine::LsmSignals* s) {
      s->now_micros += static_cast<uint64_t>(jump_secs * 1'000'000);
    });
    SCOPED_TRACE(Figures("clock", Mode::kAdaptive, got));
    EXPECT_GE(got.accepted_share, 0.9) << jump_secs;
    EXPECT_LE(got.level0_max, 36) << jump_secs;
  }
}

TEST(Lies, NumbersThatAreNoneAreSurvived) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Score got = WithSignals([&](engine::LsmSignals* s) {
    s->neighbours.need = nan;
    s->neighbours.waiting = -1;
    s->accepted_bytes = 0;
    s->work = {};
  });
  SCOPED_TRACE(Figures("nan", Mode::kAdaptive, got));
  EXPECT_GE(got.accepted_share, 0.9);
  EXPECT_LE(got.level0_max, 36);
}

TEST(Lies, TotalsThatFallAreSurvived) {
  const Score got = WithSignals([](engine::LsmSignals* s) {
    s->accepted_bytes /= 2;
    for (engine::WorkTotals& t : s->work) t.bytes_written /= 3;
  });
  SCOPED_TRACE(Figures("totals", Mode::kAdaptive, got));
  EXPECT_GE(got.accepted_share, 0.9);
}

TEST(Lies, AllLimitsZeroIsSurvived) {
  const Score got = WithSignals([](engine::LsmSignals* s) {
    engine::FamilySignals* f = First(s);
    f->write_buffer_bytes = 0;
    f->max_write_buffers = 0;
    f->level0_trigger = f->level0_slowdown = f->level0_stop = 0;
    f->soft_debt_bytes = f->hard_debt_bytes = 0;
    f->base_target_bytes = 0;
  });
  SCOPED_TRACE(Figures("zeros", Mode::kAdaptive, got));
  EXPECT_GE(got.accepted_share, 0.7);
}

// ------------------------------------------------------------------ switching

// Runs until a job is paused; the next one that is. Null: none was.
std::unique_ptr<World> WithAPausedJob() {
  for (const char* name : {"burst", "churn", "sine45"}) {
    const Scenario s = *MakeScenario(name, ParamsFor(Mode::kAdaptive));
    auto world = std::make_unique<World>(s);
    for (double t = 5; t < s.load_seconds; t += 0.05) {
      world->RunUntil(t);
      if (world->database(0)->paused() > 0) return world;
    }
  }
  return nullptr;
}

TEST(Switching, AModeChangedWhileJobsArePausedLeavesNoneBehind) {
  for (const Mode to :
       {Mode::kStatic, Mode::kAdvise, Mode::kOff, Mode::kDrainSwitch}) {
    const std::unique_ptr<World> world = WithAPausedJob();
    ASSERT_NE(nullptr, world) << "no job was ever paused";
    Database* const db = world->database(0);
    const double at = world->now_seconds();
    db->SetMode(to);
    EXPECT_EQ(0u, db->decision().RateLimit());
    // It goes on as soon as a slot is free.
    for (double t = at; t < at + 60 && db->paused() > 0; t += 1) {
      world->RunUntil(t);
    }
    EXPECT_EQ(0, db->paused()) << ModeName(to);
    world->Run();
    EXPECT_GE(world->ScoreOf(0).accepted_share, 0.2) << ModeName(to);
    ExpectNothingLost(world.get());
  }
}

TEST(Switching, ThereAndBackAgain) {
  Scenario s = Short();
  for (double t = 1; t < 59; t += 0.7) {
    const bool adaptive = static_cast<int>(t / 0.7) % 2 == 0;
    s.happenings.push_back({t, [adaptive](World* w) {
                              w->database(0)->SetMode(adaptive ? Mode::kAdaptive
                                                               : Mode::kStatic);
                            }});
  }
  const auto world = RunScenario(s);
  const Score got = world->ScoreOf(0);
  SCOPED_TRACE(Figures("switching", Mode::kAdaptive, got));
  EXPECT_GE(got.accepted_share, 0.5);
  ExpectNothingLost(world.get());
}

void CloseNow(World* world) {
  Database* const db = world->database(0);
  db->Close();
  EXPECT_EQ(0, db->paused());
  for (const auto work :
       {engine::WorkClass::kFlush, engine::WorkClass::kRuns,
        engine::WorkClass::kDebt, engine::WorkClass::kMaintenance}) {
    EXPECT_EQ(0, db->running(work));
  }
  ExpectNothingLost(world);
  // What was under way has no effect any more.
  const uint64_t version = db->tree(0).version()->id();
  world->RunUntil(world->now_seconds() + 5);
  EXPECT_EQ(version, db->tree(0).version()->id());
}

TEST(Closing, WithPausedJobsEndsAtOnce) {
  const std::unique_ptr<World> world = WithAPausedJob();
  ASSERT_NE(nullptr, world) << "no job was ever paused";
  CloseNow(world.get());
}

TEST(Closing, WithRunningJobsEndsAtOnce) {
  for (const double at : {0.5, 17.3, 43.0, 61.7, 80.2, 119.0}) {
    World world(*MakeScenario("sine45", ParamsFor(Mode::kAdaptive)));
    world.RunUntil(at);
    CloseNow(&world);
  }
}

TEST(Closing, InTheMiddleOfAStandstillOfTheDevice) {
  Scenario s = Short();
  s.device.speed = {{20, 30, 0}};
  World world(s);
  world.RunUntil(25);
  EXPECT_LE(world.database(0)->unflushed_bytes(),
            world.database(0)->unflushed_limit() + (1 << 20));
  world.database(0)->Close();
  world.RunUntil(60);
  ExpectNothingLost(&world);
}

TEST(Standstill, TenSecondsAreRecoveredFrom) {
  Scenario s = Short();
  s.load_seconds = 120;
  s.databases[0].sources = {SineSource(120, {})};
  s.device.speed = {{40, 50, 0}};
  const auto world = RunScenario(s);
  const std::vector<Second>& seconds = world->seconds(0);
  SCOPED_TRACE(Figures("standstill", Mode::kAdaptive, world->ScoreOf(0)));
  // Ten seconds later writes go at the rate that is asked for.
  for (size_t i = 60; i < 65; ++i) {
    EXPECT_GE(seconds[i].accepted, 0.5 * seconds[i].asked) << "second " << i;
  }
  EXPECT_LE(world->ScoreOf(0).level0_max, 36);
  ExpectNothingLost(world.get());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::sim
