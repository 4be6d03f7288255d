// The driver: a process per run, kills, totals, and the command that repeats
// a failure.

#pragma once

#include "test/stress/model_checker/plan.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// Runs all seeds. Returns the exit code.
int Drive(const Flags& flags);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
