// Workloads of transactions and of batches with an index.
//
// Place. Part of the list in workloads.cc.
//
// Model. A transaction reads four random keys for update, in their order,
// writes each, and commits. With several threads two may want one key: what is
// refused is tried again, so that the content is the same in the end.
#pragma once

#include "tools/peer_bench/workloads.h"

namespace peer_bench {

std::vector<Workload> Transactions();

}  // namespace peer_bench
