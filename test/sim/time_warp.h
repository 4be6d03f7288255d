// TimeWarp: something that runs slower for a while, seen from its own clock.
//
// Place. In front of the device model (a device at 20 %, one that stands
// still) and of job speeds (stolen CPU). The model behind it keeps its one
// speed and never learns of it.
//
// Model. Inner time is the integral of the speed over outer time:
//
//   speed    1 ----+      +---------     inner     /
//                  |      |                    ___/   (stands still)
//           0      +------+                   /
//
// Invariants:
//   (1) Both directions are non-decreasing; before the first window they are
//       the identity.

#pragma once

#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::sim {

// From one second to another everything goes at `factor` of the speed.
struct SpeedWindow {
  double from_seconds = 0;
  double to_seconds = 0;
  double factor = 1;
};

class TimeWarp {
 public:
  // Overlapping windows multiply.
  explicit TimeWarp(const std::vector<SpeedWindow>& windows);

  uint64_t ToInner(uint64_t outer_ns) const;
  // The first moment at which the inner clock shows `inner_ns`.
  uint64_t ToOuter(uint64_t inner_ns) const;

 private:
  struct Piece {
    uint64_t outer_ns;
    uint64_t inner_ns;
    double speed;
  };
  std::vector<Piece> pieces_;
};

}  // namespace ROCKSDB_NAMESPACE::sim
