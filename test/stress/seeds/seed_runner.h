// SeedRunner: runs one function for many seeds, in several processes.
//
// Place. The main() of test programs whose unit of work is a seed.
//
// Model. Each job is a forked process that takes the next seed until there
// are none left or the time is over. A job that dies or makes no progress
// fails its seed, and another one takes its place. Counts are added up, the
// failures of each seed are printed with the command that repeats it, and the
// last line has the totals.
//
// Flags. --seed=N (first; default 1), --seeds=N, --seconds=N (no new seed
// after that), --jobs=N (default: one per processor), --verbose. Others are
// given to the program.
//
// Threads. RunSeeds forks: call it before any thread is started.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

struct SeedFlags {
  uint64_t seed = 1;
  uint64_t seeds = 0;  // 0: until --seconds, or one.
  uint64_t seconds = 0;
  uint64_t jobs = 0;
  uint64_t stuck_seconds = 60;  // A seed may be silent so long.
  bool verbose = false;
  std::map<std::string, std::string> others;

  uint64_t Number(const std::string& name, uint64_t fallback) const;
  std::string Text(const std::string& name) const;
};

// Prints `usage` and exits if a flag is not one of ours or of `known`.
SeedFlags ParseSeedFlags(int argc, char** argv,
                         const std::vector<std::string>& known,
                         const std::string& usage);

struct SeedResult {
  std::map<std::string, uint64_t> counts;
  std::vector<std::string> failures;
};

// Called by what RunSeeds runs, now and then: this seed is not stuck. What it
// does next is printed if that does not end, and added to the command.
void ReportProgress(const std::string& next = "");

// This seed has failed; it goes on. The command that repeats it includes what
// ReportProgress() was told last.
void ReportFailure(const std::string& what);

// `name`: of the program, in "tools/dev NAME --seed=...". `order`: the counts
// of the last line, in this order. Returns main()'s result.
int RunSeeds(const SeedFlags& flags, const std::string& name,
             const std::vector<std::string>& order,
             const std::function<SeedResult(uint64_t seed)>& run);

}  // namespace ROCKSDB_NAMESPACE::stress
