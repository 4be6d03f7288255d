// What is measured, one function each.
//
// Place. Called in a child process with an open database. Names and meaning are
// those of db_bench; docs/benchmarks.md has the figures.
//
// Model. A run does `ops` operations with numbers from a seed and returns a sum
// over what it read, which must be the same for both libraries. fill... starts
// with an empty database, the others with all keys.
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

struct Workload {
  const char* name;
  bool fills;  // A process and an empty database of its own per run.
  RunResult (*run)(Database& database, uint64_t seed);
};

const std::vector<Workload>& AllWorkloads();

// nullptr if there is none of that name.
const Workload* FindWorkload(const std::string& name);

// All keys, in an order that is neither theirs nor random twice.
void LoadAll(Database& database);

// Every key once, so that all that fits is cached.
void WarmUp(Database& database);

}  // namespace peer_bench
