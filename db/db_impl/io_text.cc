#include "db/db_impl/io_text.h"

#include <cassert>
#include <cinttypes>
#include <cstdio>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

IoLane BothKinds(const IoCounters& counters, IoClass io_class) {
  IoLane sum = counters.At(io_class, IoKind::kRead);
  assert(static_cast<size_t>(io_class) < kIoClasses);
  sum += counters.At(io_class, IoKind::kWrite);
  return sum;
}

}  // namespace

std::map<std::string, std::string> IoSchedulerMap(const IoGate& gate) {
  std::map<std::string, std::string> map;
  const IoCounters counters = gate.Snapshot();
  for (size_t i = 0; i < kIoClasses; ++i) {
    const auto io_class = static_cast<IoClass>(i);
    const IoLane lane = BothKinds(counters, io_class);
    assert(lane.dispatched_bytes >= lane.bytes);
    const std::string name = IoClassName(io_class);
    map[name + ".bytes"] = std::to_string(lane.bytes);
    map[name + ".ops"] = std::to_string(lane.calls + lane.syncs);
    map[name + ".wait_micros"] = std::to_string(lane.wait_micros);
    map[name + ".disk_micros"] =
        std::to_string(lane.device_micros + lane.sync_micros);
  }
  map["divides"] = gate.scheduler().divides() ? "1" : "0";
  if (!gate.scheduler().divides()) return map;
  const IoScheduler::View view = gate.scheduler().view();
  map["disk.read_bytes_per_second"] =
      std::to_string(view.disk.read_bytes_per_second);
  map["disk.write_bytes_per_second"] =
      std::to_string(view.disk.write_bytes_per_second);
  map["disk.read_ops_per_second"] =
      std::to_string(view.disk.read_ops_per_second);
  map["disk.write_ops_per_second"] =
      std::to_string(view.disk.write_ops_per_second);
  map["disk.k"] = std::to_string(view.disk.k);
  map["flow_ratio"] = std::to_string(view.flow);
  map["trust"] = std::to_string(view.trust);
  map["waiting"] = std::to_string(view.waiting);
  return map;
}

std::string IoSchedulerText(const IoGate& gate) {
  std::string text = gate.scheduler().divides()
                         ? "Disk: " + gate.scheduler().ToString() + "\n"
                         : "The disk is not divided: no io_scheduler is set.\n";
  const IoCounters counters = gate.Snapshot();
  for (size_t i = 0; i < kIoClasses; ++i) {
    const auto io_class = static_cast<IoClass>(i);
    const IoLane lane = BothKinds(counters, io_class);
    if (lane.calls + lane.syncs == 0) continue;
    char line[200];
    std::snprintf(
        line, sizeof(line),
        "%-11s %12.1f MB, %" PRIu64
        " operations, waited %.3f s, in the disk %.3f s\n",
        IoClassName(io_class), static_cast<double>(lane.bytes) / 1e6,
        lane.calls + lane.syncs, static_cast<double>(lane.wait_micros) / 1e6,
        static_cast<double>(lane.device_micros + lane.sync_micros) / 1e6);
    text += line;
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::engine
