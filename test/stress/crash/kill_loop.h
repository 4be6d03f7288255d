// Kill loop: a process that writes to a real disk is killed, again and again.
//
// Place. `tools/dev crash --kills=N`; one seed is one database and ten kills.
//
// Model. A child runs a life (life.h) and tells its parent, through a pipe,
// each change of the lineage before it makes it and each promise once it
// holds. The parent kills it with SIGKILL at a random moment, often during
// recovery, and starts the next child, which checks what it finds against
// everything the parent has heard. The last child closes the database.
//
// Threads. One.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

struct KillTotals {
  uint64_t kills = 0;
  uint64_t in_recovery = 0;  // Of these, before the database was open.
  std::vector<std::string> failures;
};

KillTotals RunKills(uint64_t seed, uint64_t kills, const std::string& folder);

// main() of a child; its arguments are RunKills' business.
int KillChildMain(int argc, char** argv);

inline constexpr const char* kKillChild = "--kill-child";

}  // namespace ROCKSDB_NAMESPACE::stress
