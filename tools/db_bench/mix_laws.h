// The laws by which mixgraph draws keys, value sizes and scan lengths.
//
// Model. Cao, Dong, Vemuri and Du, "Characterizing, Modeling, and Benchmarking
// RocksDB Key-Value Workloads at Facebook" (FAST 2020): the keys are divided
// into ranges of equal size. How often a range is used follows a two-term
// exponential, how often a key of it a power law; sizes and lengths follow a
// generalised Pareto distribution.
//
//   range x = 1, 2, ...      a exp(bx) + c exp(dx), in proportion
//   the x most used keys     have a share a x^b of the operations on the range
//   size or length           density (1 + k (x - theta) / sigma)^-(1/k + 1)
//                            / sigma
//
// The ranges lie in the key space in a random order that is always the same,
// and so do the keys of a range.
//
// Threads. Const after construction.
#pragma once

#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

struct ParetoLaw {
  double theta = 0;
  double sigma = 1;
  double k = 0;

  // What a share `u` of all draws is below; u in [0, 1).
  double At(double u) const;
};

class HotKeys {
 public:
  struct Settings {
    uint64_t num = 1;
    uint64_t ranges = 1;  // At most `num`.
    // All 0: each range is used alike.
    double range_a = 0;
    double range_b = 0;
    double range_c = 0;
    double range_d = 0;
    // 0: each key of a range is used alike.
    double key_a = 0;
    double key_b = 0;
  };

  // False: a share is negative or not finite, or all are 0.
  static bool CanDraw(const Settings& settings);

  // Requires: CanDraw(settings).
  explicit HotKeys(const Settings& settings);

  // A number below `num`. Both arguments are uniform in [0, 1).
  uint64_t Number(double range_draw, double key_draw) const;

 private:
  uint64_t OffsetIn(uint64_t range, double draw) const;

  const Settings settings_;
  const uint64_t range_size_;
  std::vector<double> sums_;         // Of the shares up to each range.
  std::vector<uint64_t> positions_;  // Of each range in the key space.
};

// Those of the flags.
HotKeys::Settings HotKeysFromFlags();

}  // namespace ROCKSDB_NAMESPACE::bench
