// The figures of all runs, and how they are shown: medians and ratios.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace peer_bench {

struct Run {
  double seconds = 0;
  uint64_t ops = 0;
  uint64_t hash = 0;
  double cpu_seconds = 0;
  uint64_t peak_kib = 0;
  uint64_t written_bytes = 0;

  double ops_per_second() const { return static_cast<double>(ops) / seconds; }
};

// What a child printed; throws nothing, a bad line gives zeros.
Run ParseRun(const std::string& line);

struct Comparison {
  std::string workload;
  bool reads = false;
  std::vector<Run> ours;
  std::vector<Run> peer;

  // The same data in every pair of runs.
  bool Agrees() const;
  // Of medians; above 1 means that ours is better.
  double SpeedRatio() const;
  // Of the highest peaks; below 1 means that ours is better.
  double MemoryRatio() const;
  // Of medians; 0 where the peer wrote nothing.
  double WrittenRatio() const;
};

// One line, and the heading above the first.
std::string Heading();
std::string Line(const Comparison& comparison);

// The geometric means of writes and reads, and the largest memory ratio.
std::string Summary(const std::vector<Comparison>& comparisons);

std::string Json(const std::vector<Comparison>& comparisons);

}  // namespace peer_bench
