// Device: the storage that all simulated databases share.
//
// Place. Jobs ask when their chunk is written or read. The arithmetic is
// env/device_model's; here are only the disturbances around it.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "env/device_model.h"
#include "test/sim/event_queue.h"
#include "test/sim/time_warp.h"

namespace ROCKSDB_NAMESPACE::sim {

// Every access takes so much longer.
struct LatencyWindow {
  double from_seconds = 0;
  double to_seconds = 0;
  double seconds = 0;
};

struct DeviceOptions {
  uint64_t write_mbps = 45;
  uint64_t read_mbps = 400;
  double access_seconds = 0.0001;
  // What an idle device may make up for. A disk earns nothing while it idles;
  // a limit of a control group does, for one slice of its time.
  double burst_seconds = 0;
  std::vector<SpeedWindow> speed;
  std::vector<LatencyWindow> latency;
};

class Device {
 public:
  explicit Device(const DeviceOptions& options)
      : options_(options),
        model_({options.write_mbps, options.read_mbps, 0, 0, true}),
        warp_(options.speed),
        file_(model_.AddFile({/*is_wal=*/false, /*direct=*/true})) {}

  // When the bytes are there; all writes stand in one queue, all reads in
  // another.
  uint64_t Write(uint64_t bytes, uint64_t now_ns) {
    const uint64_t inner = warp_.ToInner(now_ns);
    const uint64_t earned = std::min(inner, Nanos(options_.burst_seconds));
    const uint64_t done = model_.Append(file_, bytes, inner - earned);
    return warp_.ToOuter(std::max(done, inner)) + AccessNanos(now_ns);
  }
  uint64_t Read(uint64_t bytes, uint64_t now_ns) {
    const uint64_t done = model_.ReadCold(bytes, warp_.ToInner(now_ns));
    return warp_.ToOuter(done) + AccessNanos(now_ns);
  }
  uint64_t written_bytes() const { return model_.written_bytes(); }

 private:
  uint64_t AccessNanos(uint64_t now_ns) const;

  const DeviceOptions options_;
  engine::DeviceModel model_;
  const TimeWarp warp_;
  const engine::DeviceModel::FileId file_;
};

}  // namespace ROCKSDB_NAMESPACE::sim
