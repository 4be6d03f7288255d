// What is measured, one function each.
//
// Place. Called in a child process with an open database. Names and meaning are
// those of db_bench; docs/benchmarks.md has the figures.
//
// Model. A run does `ops` operations with numbers from a seed and returns a sum
// over what it read, which must be the same for both libraries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/peer_bench/database.h"

namespace peer_bench {

struct RunResult {
  uint64_t ops = 0;
  uint64_t hash = 0;
};

enum class Start : uint8_t {
  // A process and a database of its own per run:
  kEmpty,
  kLoaded,  // With all keys.
  kRuns,    // And with an eighth of them twice more, each time in one more run.
  // The database that reads share, with all keys, cached:
  kShared,
  kReopened,  // Opened anew for each run, so nothing is cached.
};

struct Workload {
  const char* name;
  Start start;
  RunResult (*run)(Database& database, uint64_t seed);
  Setup setup{};
  bool when_named = false;  // Not among "all".

  bool own_process() const { return start <= Start::kRuns; }
  bool reads() const { return start >= Start::kRuns; }
};

const std::vector<Workload>& AllWorkloads();

// nullptr if there is none of that name.
const Workload* FindWorkload(const std::string& name);

// All keys, in an order that is neither theirs nor random twice.
void LoadAll(Database& database);

// What kRuns has, and LoadAll() not yet.
void AddRuns(Database& database);

// Every key once, so that all that fits is cached.
void WarmUp(Database& database);

}  // namespace peer_bench
