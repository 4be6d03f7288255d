// FaultRun: a history during which the file system fails.
//
// Place. `tools/dev faults`.
//
// Model. A stubborn program: after an error it goes on with the next step. A
// write that failed may be there later or not, but whole. Every batch puts a
// key of its own into each family that it touches, so that what is found says
// which writes it holds; replaying exactly these must give the same rows.
//
// In one of four histories no file can be synced while it is appended to.
// In one of four runs with a fault a listener forgives some errors of flushes
// and compactions: the promises are the same.
//
//   while faults come   each call returns an error or is right
//   healed              everything acknowledged is there; Resume() makes the
//                       database usable, or says why not
//   closed, opened      the same, and it can be written again
//   power cut instead   every write that was synced is there
//
// Threads. One.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test/stress/faults/fault_fs.h"

namespace ROCKSDB_NAMESPACE::stress {

struct FaultResult {
  uint64_t calls = 0;     // That could have failed.
  uint64_t injected = 0;  // That did.
  std::string failure;    // "" if all went well.
};

// `plan` null: nothing fails. `trace`: tells each step on standard error.
FaultResult RunWithFault(uint64_t seed, const FaultPlan* plan, bool trace);

// The plan of the n-th run of this seed, which makes about `calls` calls.
FaultPlan DrawPlan(uint64_t seed, uint64_t n, uint64_t calls);

}  // namespace ROCKSDB_NAMESPACE::stress
