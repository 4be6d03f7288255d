// One process of a run: opens the database, lets threads work in phases, and
// compares everything between them.

#pragma once

#include <string>

#include "test/stress/model_checker/plan.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// `dir` holds the database and the file of the expected state. Returns the
// exit code.
int RunProcess(const Flags& flags, const std::string& dir);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
