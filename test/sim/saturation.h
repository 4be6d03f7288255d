// Writers that never rest: one row for each tree and device on which their
// seconds have to be even.
//
// Place. Named for the command line; what the rows must reach is in
// saturation_test.cc.
//
// Model. A row of RocksDB's defaults has memtables of 64 MiB, two of them, and
// 256 MiB in L1. Capped devices have the slices of a control group.
#pragma once

#include <vector>

#include "test/sim/scenarios.h"

namespace ROCKSDB_NAMESPACE::sim {

const std::vector<NamedScenario>& SaturationScenarios();

}  // namespace ROCKSDB_NAMESPACE::sim
