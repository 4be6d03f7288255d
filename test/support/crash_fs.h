// Crash exploration: what would be on disk if the power failed here?
//
// Place. Crash tests of write, flush, compaction, open.
// Model. A script runs once on an in-memory file system. Before each of its
// calls that change the disk, and after the last one, the file system a
// machine would find after a crash at that moment is cloned, once per kind of
// damage. When the script has ended every clone is checked:
//
//   ForEachCrashPoint(
//       [](Env* env, CrashScript* script) {
//         ... Put, sync ...
//         script->Reached(1);  // From here on key 1 must survive.
//       },
//       [](const CrashPoint& point, Env* env) {
//         ... open the database in env, check what point.reached promises ...
//       });
//
// Equal clones with equal promises are checked once. LOG files are no crash
// points, and what is in them does not make clones different.
// Threads. The script may use background threads. Checks run one by one.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::test {

// What the script has been promised so far.
class CrashScript {
 public:
  // From now on `milestone` counts as reached; never goes back.
  void Reached(uint64_t milestone) { reached_.store(milestone); }
  uint64_t reached() const { return reached_.load(); }

 private:
  std::atomic<uint64_t> reached_{0};
};

struct CrashPoint {
  uint64_t call = 0;     // Disk-changing calls done before the crash.
  uint64_t reached = 0;  // Milestone at that moment.
  std::string next_op;   // The call that did not happen.
  std::string damage;    // Name of the CrashOptions.

  std::string ToString() const;
};

struct CrashPlan {
  struct Damage {
    std::string name;
    engine::CrashOptions options;
  };
  // The default: killed process; synced only; synced data with all names;
  // synced names with all data; torn last write; random prefix; random blocks
  // and garbage with random names.
  std::vector<Damage> damages = DefaultDamages();
  uint64_t seed = 1;
  // Every n-th call is a crash point.
  uint64_t every = 1;

  static std::vector<Damage> DefaultDamages();
};

// Returns the number of different states checked.
uint64_t ForEachCrashPoint(
    const std::function<void(Env*, CrashScript*)>& script,
    const std::function<void(const CrashPoint&, Env*)>& check,
    const CrashPlan& plan = CrashPlan());

}  // namespace ROCKSDB_NAMESPACE::test
