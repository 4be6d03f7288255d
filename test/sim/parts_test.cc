// The simulator's own parts: a simulation that is wrong proves nothing.

#include <gtest/gtest.h>

#include "test/sim/runs.h"
#include "test/sim/time_warp.h"

namespace ROCKSDB_NAMESPACE::sim {
namespace {

TEST(TimeWarp, ASlowWindowStretchesTime) {
  const TimeWarp warp({{10, 20, 0.5}});
  EXPECT_EQ(Nanos(5), warp.ToInner(Nanos(5)));
  EXPECT_EQ(Nanos(12.5), warp.ToInner(Nanos(15)));
  EXPECT_EQ(Nanos(25), warp.ToInner(Nanos(30)));
  for (const double s : {0.5, 10.0, 13.0, 19.5, 20.0, 40.0}) {
    EXPECT_NEAR(s, Seconds(warp.ToOuter(warp.ToInner(Nanos(s)))), 1e-8) << s;
  }
}

TEST(TimeWarp, WhatFallsIntoAStandstillIsDoneBehindIt) {
  const TimeWarp warp({{10, 20, 0}});
  EXPECT_EQ(Nanos(10), warp.ToInner(Nanos(15)));
  // Half a second of work begun at 9.8: 0.2 before the standstill.
  const uint64_t done = warp.ToInner(Nanos(9.8)) + Nanos(0.5);
  EXPECT_NEAR(20.3, Seconds(warp.ToOuter(done)), 1e-6);
  // Work that ends with the standstill's beginning does not wait for its end.
  EXPECT_NEAR(10, Seconds(warp.ToOuter(Nanos(10))), 1e-6);
}

TreeOptions OneLevelTree() {
  TreeOptions options;
  options.keys = 1000;
  options.put_bytes = 100;
  options.family.num_levels = 3;
  options.family.target_file_size_base = 10000;
  return options;
}

Writes Puts(uint64_t count, uint64_t sequence) {
  return {count, 0, sequence, sequence + count - 1};
}

TEST(Tree, AFlushKeepsOneEntryPerKey) {
  Tree tree(OneLevelTree());
  // 1000 keys, 1000 writes: a key is missed with a chance of 1/e.
  const engine::FilePtr file = tree.FlushedFile(Puts(1000, 1));
  EXPECT_NEAR(632, static_cast<double>(file->num_entries), 2);
  EXPECT_EQ(file->num_entries * 100, (file->size + 50) / 100 * 100);
}

TEST(Tree, AMergeDropsWhatNewerInputsOverwrite) {
  Tree tree(OneLevelTree());
  for (uint64_t i = 0; i < 4; ++i) {
    tree.InstallFlush(tree.FlushedFile(Puts(500, 1 + 500 * i)));
  }
  const std::optional<engine::CompactionPlan> plan =
      engine::PickLeveled(tree.InputFor());
  ASSERT_TRUE(plan);
  ASSERT_EQ(4u, plan->InputFileCount());
  uint64_t entries = 0;
  const std::vector<engine::FilePtr> outputs = tree.MergedFiles(*plan);
  for (const engine::FilePtr& file : outputs) {
    entries += file->num_entries;
    EXPECT_LE(file->size, 11000u);
  }
  // 2000 writes in all: 1000 (1 - e^-2).
  EXPECT_NEAR(865, static_cast<double>(entries), 10);
  tree.InstallMerge(*plan, outputs);
  EXPECT_EQ(0, tree.version()->NumFiles(0));
  EXPECT_EQ(static_cast<int>(outputs.size()),
            tree.version()->NumFiles(plan->output_level));
}

TEST(Tree, DeletionsTakeOlderPutsAlongAndVanishAtTheBottom) {
  Tree tree(OneLevelTree());
  for (uint64_t i = 0; i < 3; ++i) {
    tree.InstallFlush(tree.FlushedFile(Puts(1000, 1 + 1000 * i)));
  }
  // Deletes of 5000 keys at random hit 99.3 % of all.
  tree.InstallFlush(tree.FlushedFile({0, 5000, 3001, 8000}));
  const std::optional<engine::CompactionPlan> plan =
      engine::PickLeveled(tree.InputFor());
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->bottommost);
  uint64_t entries = 0;
  for (const engine::FilePtr& file : tree.MergedFiles(*plan)) {
    EXPECT_EQ(0u, file->num_deletions);
    entries += file->num_entries;
  }
  EXPECT_NEAR(1000 * 0.0067 * 0.95, static_cast<double>(entries), 5);
}

TEST(World, OneSeedGivesOneRun) {
  const auto a = RunScenario("families", Mode::kAdaptive, 7);
  const auto b = RunScenario("families", Mode::kAdaptive, 7);
  const auto c = RunScenario("families", Mode::kAdaptive, 8);
  EXPECT_EQ(CsvLines(a->seconds(0)), CsvLines(b->seconds(0)));
  EXPECT_NE(CsvLines(a->seconds(0)), CsvLines(c->seconds(0)));
}

TEST(World, WithoutCompactionWhatIsAskedIsAccepted) {
  for (const char* name : {"sine45", "sine60", "sine90", "sine_full"}) {
    const auto world = RunScenario(name, Mode::kOff);
    const Score score = world->ScoreOf(0);
    EXPECT_LT(score.tracking_error, 0.01) << name;
    EXPECT_GT(score.accepted_share, 0.998) << name;
    // Flushes only, and next to nothing of what was written is overwritten
    // within one memtable.
    EXPECT_NEAR(1, score.write_amp, 0.03) << name;
  }
}

TEST(World, TheDeviceWritesNoMoreThanItCan) {
  ScenarioParams params;
  params.mode = Mode::kStatic;
  params.cap_mbps = 45;
  const auto world = RunScenario(CappedSine(params));
  for (const Second& s : world->seconds(0)) {
    // A chunk may be charged to one second and counted in the next.
    EXPECT_LE(s.flushed + s.compacted, 45e6 + 6 * (1 << 20));
  }
}

TEST(World, AdviceChangesNothing) {
  const auto plain = RunScenario("sine60", Mode::kStatic);
  const auto advised = RunScenario("sine60", Mode::kAdvise);
  EXPECT_EQ(CsvLines(plain->seconds(0)), CsvLines(advised->seconds(0)));
  EXPECT_GT(advised->ScoreOf(0).changes_per_second, 0);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::sim
