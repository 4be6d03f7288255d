#include "test/stress/model_checker/plan.h"

#include <sstream>

#include "test/support/effort.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

bool Decide(Choice choice, bool drawn) {
  return choice == Choice::kDraw ? drawn : choice == Choice::kOn;
}

// With random numbers of its own, so that a seed draws everything else the
// same with and without losses.
void DrawLosses(const Flags& flags, bool safe, Plan* plan) {
  engine::Random64 random(flags.seed + 4099);
  const bool drawn = random.OneIn(3);
  const uint64_t which = random.Uniform(3);
  if (safe || !Decide(flags.lossy, drawn)) return;
  plan->unlogged_keys = which != 0;
  plan->buffered_log = which != 1;
}

// With random numbers of its own, for the same reason.
void DrawTimestamps(const Flags& flags, Plan* plan) {
  engine::Random64 random(flags.seed + 8209);
  const bool drawn = random.OneIn(4);
  const auto slots = static_cast<uint64_t>(plan->shape.slots);
  const int slot = static_cast<int>(random.Uniform(slots));
  if (Decide(flags.timestamps, drawn)) plan->stamped = slot;
}

void DrawNeighbour(const Flags& flags, bool safe, Plan* plan) {
  engine::Random64 random(flags.seed + 16411);
  const bool drawn = random.OneIn(2);
  plan->neighbour = safe && Decide(flags.neighbour, drawn);
}

void DrawFilters(const Flags& flags, Plan* plan) {
  engine::Random64 random(flags.seed + 65537);
  const bool drawn = random.OneIn(2);
  plan->shape.filtered = Decide(flags.filters, drawn);
}

// One of four errors in half of the runs with faults: a caller that waits for a
// flush that fails for ever must hear of it before it counts as stuck.
void DrawForgiven(uint64_t seed, Plan* plan) {
  engine::Random64 random(seed + 131101);
  if (plan->faults && random.OneIn(2)) {
    plan->forgiven = random.Next() & random.Next();
  }
}

bool DrawLoneSyncs(uint64_t seed) {
  engine::Random64 random(seed + 262147);
  return random.OneIn(4);
}

bool DrawEncrypted(uint64_t seed) {
  engine::Random64 random(seed + 2097169);
  return random.OneIn(6);
}

// What an optimistic transaction notes of a key is the newest write that reads
// show, which is not so with unordered_write.
void DrawTransactions(const Flags& flags, Plan* plan) {
  engine::Random64 random(flags.seed + 1048583);
  const bool drawn = !random.OneIn(3);
  const bool locking = random.OneIn(2);
  if (!Decide(flags.transactions, drawn)) return;
  plan->transactions =
      locking ? Transactions::kLocking : Transactions::kOptimistic;
  if (!locking) plan->unordered = false;
}

// With random numbers of its own, too.
bool DrawSlowMerges(uint64_t seed) {
  engine::Random64 random(seed + 32771);
  return random.OneIn(3);
}

}  // namespace

Plan DrawPlan(const Flags& flags) {
  engine::Random64 random(flags.seed);
  Plan plan;
  plan.seed = flags.seed;
  plan.threads = flags.threads;
  plan.shape.slots = 2 + static_cast<int>(random.Uniform(3));
  plan.shape.plain = 50 + static_cast<uint32_t>(random.Skewed(11));
  plan.shape.groups = 1 + static_cast<uint32_t>(random.Uniform(20));
  const bool drawn_kills = random.OneIn(4);
  const bool drawn_faults = random.OneIn(3);
  const bool drawn_memory = random.OneIn(2);
  plan.kills = Decide(flags.kill, drawn_kills);
  plan.faults = Decide(flags.faults, drawn_faults);
  plan.in_memory = !plan.kills && Decide(flags.memory, drawn_memory);
  plan.tuner = static_cast<TunerMode>(random.Uniform(3));
  const bool safe = !plan.kills && !plan.faults;
  plan.unlogged = random.OneIn(4) && safe;
  plan.unordered = random.OneIn(10);
  DrawLosses(flags, safe, &plan);
  DrawTimestamps(flags, &plan);
  DrawNeighbour(flags, safe, &plan);
  DrawFilters(flags, &plan);
  DrawTransactions(flags, &plan);
  DrawForgiven(flags.seed, &plan);
  plan.slow_merges = DrawSlowMerges(flags.seed);
  plan.lone_syncs = DrawLoneSyncs(flags.seed);
  plan.encrypted = DrawEncrypted(flags.seed);
  const uint64_t rounds = 2 + random.Uniform(8);
  if (plan.kills) plan.rounds = rounds;
  plan.phases = 2 + random.Uniform(4);
  plan.operations = static_cast<uint64_t>(
      test::Effort(500 + static_cast<int>(random.Uniform(4000))));
  // One of four operations is missing, so that others meet in new ways.
  plan.without = random.Next() & random.Next();
  std::istringstream names(flags.without_options);
  for (std::string name; std::getline(names, name, ',');) {
    plan.without_options.push_back(name);
  }
  plan.without_names = "," + flags.without + ",";
  return plan;
}

std::string SlotName(int slot) {
  return slot == 0 ? "default" : "f" + std::to_string(slot);
}

std::string Plan::ToString() const {
  static constexpr const char* kTuner[] = {"off", "on", "toggled"};
  std::string text = "seed " + std::to_string(seed) + ": " +
                     std::to_string(threads) + " threads, " +
                     std::to_string(shape.slots) + " families, " +
                     std::to_string(shape.keys()) + " keys, ";
  text += in_memory ? "in memory" : "on disk";
  text += ", tuner " + std::string(kTuner[static_cast<size_t>(tuner)]);
  if (faults) text += ", faults";
  if (forgiven != 0) text += ", some forgiven";
  if (kills) text += ", " + std::to_string(rounds) + " kills";
  if (unlogged) text += ", some writes without log";
  if (unlogged_keys) text += ", some keys without log";
  if (buffered_log) text += ", manual_wal_flush";
  if (unordered) text += ", unordered_write";
  if (stamped >= 0) text += ", timestamps in " + SlotName(stamped);
  if (neighbour) text += ", beside a neighbour";
  if (transactions == Transactions::kLocking) text += ", transactions";
  if (transactions == Transactions::kOptimistic) {
    text += ", optimistic transactions";
  }
  if (slow_merges) text += ", slow merges";
  if (lone_syncs) text += ", files not synced beside appends";
  if (encrypted) text += ", encrypted";
  if (shape.filtered) text += ", compaction filters";
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
