#include "env/io_lane.h"

namespace ROCKSDB_NAMESPACE::engine {

IoLane& IoLane::operator+=(const IoLane& other) {
  calls += other.calls;
  bytes += other.bytes;
  dispatched_bytes += other.dispatched_bytes;
  device_micros += other.device_micros;
  sync_micros += other.sync_micros;
  syncs += other.syncs;
  wait_micros += other.wait_micros;
  waiting += other.waiting;
  inside += other.inside;
  return *this;
}

IoLane IoLaneCount::Read() const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  IoLane lane;
  lane.calls = calls.load(kRelaxed);
  // In this order: what has returned was dispatched before.
  lane.bytes = bytes.load(std::memory_order_acquire);
  lane.dispatched_bytes = dispatched_bytes.load(kRelaxed);
  lane.device_micros = device_nanos.load(kRelaxed) / 1000;
  lane.sync_micros = sync_nanos.load(kRelaxed) / 1000;
  lane.syncs = syncs.load(kRelaxed);
  lane.wait_micros = wait_micros.load(kRelaxed);
  lane.waiting = waiting.load(kRelaxed);
  lane.inside = inside.load(kRelaxed);
  return lane;
}

}  // namespace ROCKSDB_NAMESPACE::engine
