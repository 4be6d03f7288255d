// Edges: which basic blocks an input ran.
//
// Model. Built with -fsanitize-coverage=trace-pc (preset `guided`) every basic
// block calls a hook, which counts it in a map of 64 Ki counters by where it
// is and where it came from. In other builds the map stays empty.
//
// Threads. Counts of several threads run into each other, harmlessly.

#pragma once

#include <cstddef>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::hostile {

// True when this build counts.
bool CountsEdges();
// What runs from here on counts for the next input.
void BeginEdges();
// Of the input since BeginEdges(): how many edges, or how often they ran by
// powers of two, no input of this `group` (at most kEdgeGroups) ran before.
inline constexpr size_t kEdgeGroups = 64;
size_t TakeNewEdges(size_t group);

}  // namespace ROCKSDB_NAMESPACE::hostile
