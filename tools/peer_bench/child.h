// The side of peer_bench that loads a library and works.
//
// Place. main() runs it in a process of its own; the parent talks to it in
// lines (process.h):
//
//   fill NAME SEED   a fresh database is filled       -> figures
//   load             a fresh database with all keys   -> hash of everything
//   open             that database, cached            -> hash of everything
//   run NAME SEED    on the open database             -> figures
//   property NAME    of the open database             -> text, one line
//   quit
//
// Figures: seconds, operations, hash, CPU seconds, peak of resident KiB, bytes
// written. Seconds are those of the operations; CPU, memory and bytes include
// what they left to flush and compact.
#pragma once

#include "tools/peer_bench/config.h"

namespace peer_bench {

int RunChild(const Config& config);

}  // namespace peer_bench
