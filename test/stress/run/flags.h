// Flags that all stress programs understand, and the totals they print.
//
// Threads. Values.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

struct Flags {
  std::string program;  // argv[0]
  uint64_t seed = 1;    // The first one.
  uint64_t seeds = 10;  // How many, one after the other ...
  double seconds = 0;   // ... or so long, if not 0.
  uint64_t operations = 2000;
  uint64_t sets = 8;    // Option sets per seed.
  int64_t set = -1;     // Only this one.
  uint64_t stall = 20;  // Seconds without progress that are a failure.
  bool reduce = true;
  bool reduce_only = false;  // The failure is known, a crash perhaps.
  bool verbose = false;
  std::string replay;  // A file with a history, instead of seeds.
  std::string folder;  // For databases on disk; "": a temporary one.
  std::vector<std::string> without;  // Options that stay at their defaults.
};

// False: the program ends with code 2; what is wrong was printed.
bool ReadFlags(int argc, char** argv, Flags* flags);

// Is another seed to be tried, `done` having been?
class Budget {
 public:
  explicit Budget(const Flags& flags);
  bool Another(uint64_t done) const;
  double Elapsed() const;

 private:
  const Flags& flags_;
  double begin_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
