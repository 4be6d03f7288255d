// Worker: the process that gives inputs to targets, which may die of them.
//
// Model. The driver forks workers; each shares a WorkerState with it, in which
// the input is that it is about to run. A worker ends with code 0 when it has
// run its share; anything else is a failure of that input. An input that takes
// kCpuSecondsMax of processor time is one, too, and so is one that takes more
// memory than its target may.
//
// Input i of a target follows from the seed and i alone, unless the build
// counts edges: then inputs that ran something new are changed further.
//
// Threads. One per process; those that a database starts are its own.

#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "test/stress/hostile/mutator.h"
#include "test/stress/hostile/target.h"

namespace ROCKSDB_NAMESPACE::hostile {

inline constexpr size_t kTargetsMax = 64;
inline constexpr int kCpuSecondsMax = 10;

struct WorkerState {
  std::atomic<uint64_t> inputs{0};
  std::atomic<uint32_t> target{0};
  std::atomic<uint64_t> size{0};
  std::atomic<uint64_t> next[kTargetsMax];   // Input to go on with.
  std::atomic<uint64_t> done[kTargetsMax];   // Inputs run.
  std::atomic<uint64_t> edges[kTargetsMax];  // Of builds that count them.
  std::atomic<bool> off[kTargetsMax];        // Has failed.
  char what[256];
  char input[2 * kInputBytesMax];
};

struct WorkerPlan {
  uint64_t seed = 1;
  uint32_t job = 0;  // Runs the inputs i with i % jobs == job ...
  uint32_t jobs = 1;
  std::vector<uint64_t> inputs;  // ... of the first so many of each target,
  double seconds = 0;            // or, if not 0, as many as it can until then.
};

// Runs one input and checks memory. Notes in `state`, if not null, what fails.
void RunInput(const Target& target, const std::string& input);

// Runs the share; returns when done. Dies of what fails.
void RunWorker(const std::vector<Target>& targets, const WorkerPlan& plan,
               WorkerState* state);

// In a process that is going to run inputs: what a failed requirement or a
// hang says goes to `what` (256 bytes) before the process ends.
void CatchFailures(char* what, const std::atomic<uint64_t>* progress);

}  // namespace ROCKSDB_NAMESPACE::hostile
