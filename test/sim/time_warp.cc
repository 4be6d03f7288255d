#include "test/sim/time_warp.h"

#include <algorithm>
#include <cmath>

#include "test/sim/event_queue.h"

namespace ROCKSDB_NAMESPACE::sim {

TimeWarp::TimeWarp(const std::vector<SpeedWindow>& windows) {
  std::vector<double> edges = {0};
  for (const SpeedWindow& w : windows) {
    edges.push_back(w.from_seconds);
    edges.push_back(w.to_seconds);
  }
  std::sort(edges.begin(), edges.end());
  uint64_t inner = 0;
  for (const double edge : edges) {
    const uint64_t outer = Nanos(edge);
    if (!pieces_.empty()) {
      const Piece& last = pieces_.back();
      if (outer == last.outer_ns) continue;
      inner = last.inner_ns +
              static_cast<uint64_t>(static_cast<double>(outer - last.outer_ns) *
                                    last.speed);
    }
    double speed = 1;
    for (const SpeedWindow& w : windows) {
      if (w.from_seconds <= edge && edge < w.to_seconds) speed *= w.factor;
    }
    pieces_.push_back({outer, inner, speed});
  }
}

uint64_t TimeWarp::ToInner(uint64_t outer_ns) const {
  size_t i = pieces_.size() - 1;
  while (i > 0 && pieces_[i].outer_ns > outer_ns) --i;
  const Piece& p = pieces_[i];
  return p.inner_ns + static_cast<uint64_t>(
                          static_cast<double>(outer_ns - p.outer_ns) * p.speed);
}

uint64_t TimeWarp::ToOuter(uint64_t inner_ns) const {
  size_t i = 0;
  while (i + 1 < pieces_.size() && pieces_[i + 1].inner_ns < inner_ns) ++i;
  const Piece& p = pieces_[i];
  // A piece that stands still only holds what was reached before it.
  if (inner_ns <= p.inner_ns || p.speed <= 0) return p.outer_ns;
  return p.outer_ns +
         static_cast<uint64_t>(
             std::ceil(static_cast<double>(inner_ns - p.inner_ns) / p.speed));
}

}  // namespace ROCKSDB_NAMESPACE::sim
