// Targets of hostile bytes: everything that reads bytes from a disk or from a
// caller, each behind one function.
//
// Place. Under the driver (driver.h) and the test that replays the corpus.
//
// Model. A target gets bytes, gives them to one reader in every way there is,
// and returns. A crash, a hang, and a request for more memory than
// `memory_base + memory_per_byte * size` are failures, and so is what Require()
// refuses. Whether the answer is OK or an error does not matter.
//
// Checksums. `seal`, if set, makes the checksums of changed bytes right, so
// that they do not stop at the first comparison. `mutate`, if set, changes one
// field as the format knows it; other changes do not know the format.
//
// Threads. One at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::hostile {

using engine::Random64;

struct Target {
  std::string name;
  uint32_t weight = 1;  // Its share of the inputs.
  size_t memory_base = size_t{1} << 20;
  size_t memory_per_byte = 64;
  std::function<void(const std::string& input)> run;
  // Good inputs to begin with. Called once per process.
  std::function<std::vector<std::string>()> seeds;
  std::function<void(Random64*, std::string*)> mutate = {};
  std::function<void(std::string*)> seal = {};
};

// Ends the process with a message when `holds` is false: see driver.h.
void Require(bool holds, const char* what);
// What Require calls; the test of the corpus sets another one.
void SetRequireHandler(void (*handler)(const char* what));

// All of them, in a fixed order.
std::vector<Target> AllTargets();

// The parts of AllTargets().
void AddByteTargets(std::vector<Target>* targets);   // targets_bytes.cc
void AddBlockTargets(std::vector<Target>* targets);  // targets_block.cc
void AddTableTargets(std::vector<Target>* targets);  // targets_table.cc
void AddLogTargets(std::vector<Target>* targets);    // targets_log.cc
void AddTextTargets(std::vector<Target>* targets);   // targets_text.cc
void AddFileTargets(std::vector<Target>* targets);   // targets_files.cc
void AddTraceTargets(std::vector<Target>* targets);  // targets_trace.cc

// Files of the golden databases, if they are there, for which `part` is in the
// name; at most `count` of at most `bytes_max`, spread over all of them.
std::vector<std::string> GoldenSeeds(const std::string& part, size_t count,
                                     size_t bytes_max);

// A byte off the front of an input: which of several ways to take. 0 if there
// is none.
inline uint8_t TakeByte(Slice* input) {
  if (input->empty()) return 0;
  const auto byte = static_cast<uint8_t>((*input)[0]);
  input->remove_prefix(1);
  return byte;
}

}  // namespace ROCKSDB_NAMESPACE::hostile
