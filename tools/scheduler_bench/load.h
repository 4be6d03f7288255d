// The load of scheduler_bench: synced writes and point reads at fixed rates,
// while compactions take what they get of the disk.
//
// Model. An open loop: each request is due at a time, whether or not the one
// before it is done, and its latency counts from there, or from when its thread
// woke. So an engine that falls behind cannot hide it.
#pragma once

#include <cstdint>
#include <cstdio>

#include "tools/scheduler_bench/engine.h"

namespace scheduler_bench {

struct LoadOptions {
  double seconds = 30;
  // Not counted: queues of compactions fill first.
  double warm_up_seconds = 3;
  double writes_per_second = 100;
  double queries_per_second = 500;
  uint32_t query_threads = 16;
  uint64_t query_keys = 0;
  // Of "bulk", how much is written before compactions start.
  uint64_t bulk_bytes = 0;
  bool compactions = true;
};

// Writes what Run() needs; settled, but for "bulk".
void Prepare(Engine* engine, const LoadOptions& options);

// Prints one JSON object per second, and one with the sums.
void RunLoad(Engine* engine, const LoadOptions& options, FILE* out);

}  // namespace scheduler_bench
