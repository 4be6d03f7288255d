#include "test/sim/device.h"

namespace ROCKSDB_NAMESPACE::sim {

uint64_t Device::AccessNanos(uint64_t now_ns) const {
  double seconds = options_.access_seconds;
  for (const LatencyWindow& w : options_.latency) {
    const double now = Seconds(now_ns);
    if (w.from_seconds <= now && now < w.to_seconds) seconds += w.seconds;
  }
  return Nanos(seconds);
}

}  // namespace ROCKSDB_NAMESPACE::sim
