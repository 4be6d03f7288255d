// Driver: starts workers, starts them again when an input killed one, writes
// that input down, makes it smaller, and says how to repeat it.
//
// Place. Under main.cc.
//
// Threads. None; processes.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test/stress/hostile/target.h"

namespace ROCKSDB_NAMESPACE::hostile {

struct DriverOptions {
  uint64_t seed = 1;
  uint64_t inputs = 1000000;
  double seconds = 0;  // If not 0: so long instead.
  uint32_t jobs = 2;
  std::string preset;                    // For the command that repeats.
  std::string folder = "build/hostile";  // Where failing inputs are written.
};

struct Totals {
  uint64_t inputs = 0;
  uint64_t failures = 0;
};

Totals Drive(const std::vector<Target>& targets, const DriverOptions& options);

}  // namespace ROCKSDB_NAMESPACE::hostile
