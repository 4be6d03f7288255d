// Plan: what one seed decides about a run.
//
// Place. Drawn from the seed by the driver and, again, by the process that
// runs it; so a seed and the flags repeat all choices. What threads do at the
// same time is up to the machine.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test/stress/model_checker/expected_state.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// A mode that a flag forces, or the seed draws.
enum class Choice { kDraw, kOff, kOn };
enum class TunerMode { kOff, kOn, kToggled };
// Which kind of database takes transactions.
enum class Transactions { kNone, kLocking, kOptimistic };

struct Flags {
  uint64_t seed = 1;
  uint64_t seeds = 1;
  double seconds = 0;  // Start no further run after these; 0: no limit.
  int threads = 4;
  Choice kill = Choice::kDraw;
  Choice faults = Choice::kDraw;
  Choice memory = Choice::kDraw;  // Files in memory; never with kills.
  // Plan::unlogged_keys or buffered_log; only with kills or faults.
  Choice lossy = Choice::kDraw;
  Choice timestamps = Choice::kDraw;    // Plan::stamped.
  Choice neighbour = Choice::kDraw;     // Not with kills or faults.
  Choice filters = Choice::kDraw;       // Shape::filtered.
  Choice transactions = Choice::kDraw;  // Plan::transactions.
  std::string dir;                      // Empty: a temporary one.
  uint64_t repeat = 1;                  // Runs of each seed.
  int stall_seconds = 10;
  std::string without;          // Operations left out, by name.
  std::string without_options;  // Left at their defaults, by name.
  std::string preset = "dev";   // For the command that repeats a failure.
  // What the driver tells the process that it starts.
  bool child = false;
  uint64_t round = 0;    // Kills of this run so far.
  bool endless = false;  // It will be killed.
};

struct Plan {
  uint64_t seed = 1;
  int threads = 4;
  Shape shape;
  bool in_memory = false;
  bool faults = false;
  bool kills = false;
  TunerMode tuner = TunerMode::kOff;
  bool unlogged = false;  // Some writes have disableWAL.
  // With kills or faults, all writes of some keys (ExpectedState::IsUnlogged).
  bool unlogged_keys = false;
  bool buffered_log = false;  // manual_wal_flush with kills or faults.
  bool unordered = false;     // unordered_write: snapshots are not stable.
  int stamped = -1;  // The slot whose family has user timestamps; -1: none.
  bool neighbour = false;  // Another tuned database is written meanwhile.
  // Of all openings with kLocking, so that what is prepared is always found;
  // of most with kOptimistic.
  Transactions transactions = Transactions::kNone;
  bool slow_merges = false;  // Of the families' operators: SlowMerges.
  // With faults: which errors of jobs a listener forgives (Forgiver).
  uint64_t forgiven = 0;
  bool lone_syncs = false;  // No file can be synced beside appends.
  bool encrypted = false;   // All files of the database are.
  uint64_t rounds = 0;      // How often it is killed.
  uint64_t phases = 4;  // Between them all threads stop, and all is compared.
  uint64_t operations = 0;  // Per thread and phase.
  // Bits of operations that this run leaves out, by their place in the table.
  uint64_t without = 0;
  std::string without_names;                 // Flags::without.
  std::vector<std::string> without_options;  // Flags::without_options.

  std::string ToString() const;
};

Plan DrawPlan(const Flags& flags);

// The name of the family in a slot.
std::string SlotName(int slot);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
