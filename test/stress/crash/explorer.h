// Explorer: one history, its crashes, their crashes.
//
// Place. `tools/dev crash`; one call per seed.
//
// Model. A life runs on a simulated disk while images of crashes are taken.
// When it is over, each image is a disk on which another life begins, with a
// copy of the lineage: it recovers, checks, writes, flushes, closes and opens
// again. Of some of these lives images are taken, too, recovery included, and
// so on, three crashes deep.
//
// Threads. One; the databases have theirs.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

struct CrashLimits {
  uint64_t steps = 60;    // Of the first life.
  uint64_t states = 600;  // Of the whole history.
  int depth = 3;
};

struct CrashTotals {
  uint64_t states = 0;   // Different disks that were opened and checked.
  uint64_t images = 0;   // Disks taken, equal ones counted each time.
  uint64_t refused = 0;  // States that a strict recovery mode refused.
  std::vector<std::string> failures;
};

// Every failure says what was done and where the crash was. The first disk
// that failed is copied to `keep_path`, if that is not empty.
CrashTotals ExploreCrashes(uint64_t seed, const CrashLimits& limits,
                           const std::string& keep_path);

}  // namespace ROCKSDB_NAMESPACE::stress
