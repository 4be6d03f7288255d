#include "env/io_gate.h"

#include <algorithm>
#include <utility>

#include "env/aligned_buffer.h"
#include "rocksdb/system_clock.h"
#include "util/clock_wait.h"

namespace ROCKSDB_NAMESPACE::engine {

IoLane IoCounters::Total(IoKind kind) const {
  IoLane total;
  for (const auto& of_class : lanes) {
    const IoLane& lane = of_class[static_cast<size_t>(kind)];
    total.calls += lane.calls;
    total.bytes += lane.bytes;
    total.dispatched_bytes += lane.dispatched_bytes;
    total.device_micros += lane.device_micros;
    total.sync_micros += lane.sync_micros;
    total.wait_micros += lane.wait_micros;
    total.waiting += lane.waiting;
    total.inside += lane.inside;
  }
  return total;
}

IoGate::IoGate(SystemClock* clock, std::shared_ptr<IoGateShared> shared)
    : clock_(clock),
      shared_(shared != nullptr ? std::move(shared)
                                : std::make_shared<IoGateShared>()) {}

IoGate::~IoGate() = default;

void IoGate::SetBudget(const IoBudget& budget) {
  MutexLock lock(&mu_);
  if (stopped_ || budget == core_.budget()) return;
  core_.SetBudget(budget, clock_->NowMicros());
  PublishGated();
  changed_.SignalAll();
}

IoBudget IoGate::budget() const {
  MutexLock lock(&mu_);
  return core_.budget();
}

void IoGate::StopWaiting() {
  MutexLock lock(&mu_);
  stopped_ = true;
  core_.SetBudget(IoBudget{}, clock_->NowMicros());
  PublishGated();
  changed_.SignalAll();
}

void IoGate::PublishGated() {
  const IoBudget& budget = core_.budget();
  uint32_t gated = 0;
  for (size_t i = 0; i < kIoClasses; ++i) {
    const auto io_class = static_cast<IoClass>(i);
    if (budget.of(io_class) > 0) gated |= LimitedBit(io_class);
    if (budget.flush_first && io_class != IoClass::kFlush) {
      gated |= HeldBit(io_class);
    }
  }
  chunk_bytes_.store(std::max(1u, budget.chunk_bytes),
                     std::memory_order_relaxed);
  gated_.store(gated, std::memory_order_relaxed);
}

size_t IoGate::CutToChunk(const IoPass* pass, size_t bytes, size_t alignment) {
  const IoGate* const gate = GateOf(pass);
  if (gate == nullptr) return bytes;
  const uint32_t gated = gate->gated_.load(std::memory_order_relaxed);
  if (gated == 0 || pass->exempt.load(std::memory_order_relaxed)) return bytes;
  const IoClass io_class = pass->io_class.load(std::memory_order_relaxed);
  if ((gated & (LimitedBit(io_class) | HeldBit(io_class))) == 0) return bytes;
  size_t chunk = gate->chunk_bytes_.load(std::memory_order_relaxed);
  if (alignment > 1) chunk = std::max(AlignDown(chunk, alignment), alignment);
  return std::min(bytes, chunk);
}

bool IoGate::MustAsk(IoClass io_class, IoKind kind) const {
  if (kind == IoKind::kRead) return false;
  const uint32_t gated = gated_.load(std::memory_order_relaxed);
  if (gated == 0) [[likely]]
    return false;
  if ((gated & LimitedBit(io_class)) != 0) return true;
  return (gated & HeldBit(io_class)) != 0 && flushes_writing() > 0;
}

void IoGate::Wait(const IoPass& pass, IoKind kind, uint64_t bytes) {
  Lane& lane = LaneOf(pass.io_class.load(std::memory_order_relaxed), kind);
  lane.waiting.fetch_add(1, std::memory_order_relaxed);
  const uint64_t start_micros = clock_->NowMicros();
  {
    MutexLock lock(&mu_);
    WaitLocked(pass, bytes);
  }
  const uint64_t end_micros = clock_->NowMicros();
  if (end_micros > start_micros) {
    lane.wait_micros.fetch_add(end_micros - start_micros,
                               std::memory_order_relaxed);
  }
  lane.waiting.fetch_sub(1, std::memory_order_relaxed);
}

void IoGate::WaitLocked(const IoPass& pass, uint64_t bytes) {
  IoGateCore::Waiter waiter;
  waiter.bytes = bytes;
  for (;;) {
    waiter.io_class = pass.io_class.load(std::memory_order_relaxed);
    const uint64_t now_micros = clock_->NowMicros();
    if (pass.hurry.load(std::memory_order_relaxed)) {
      core_.LetThrough(&waiter, now_micros);
      break;
    }
    const IoGateCore::Answer answer =
        core_.Ask(&waiter, flushes_writing() > 0, now_micros);
    if (answer.go) break;
    WaitOnClock(clock_, &changed_, &mu_, answer.ask_again_micros);
  }
  // Whoever is first in its queue now.
  if (core_.waiting() > 0) changed_.SignalAll();
}

IoGate::Turn::Turn(const IoPass* pass, IoKind kind, uint64_t bytes)
    : gate_(GateOf(pass)), kind_(kind), bytes_(bytes) {
  if (gate_ == nullptr) return;
  if (!pass->exempt.load(std::memory_order_relaxed) &&
      gate_->MustAsk(pass->io_class.load(std::memory_order_relaxed), kind)) {
    gate_->Wait(*pass, kind, bytes);
  }
  io_class_ = pass->io_class.load(std::memory_order_relaxed);
  Lane& lane = gate_->LaneOf(io_class_, kind_);
  lane.dispatched_bytes.fetch_add(bytes_, std::memory_order_relaxed);
  lane.inside.fetch_add(1, std::memory_order_relaxed);
  if (io_class_ == IoClass::kFlush && kind_ == IoKind::kWrite) {
    gate_->EnterFlush();
  }
  start_nanos_ = gate_->clock_->NowNanos();
}

IoGate::Turn::~Turn() {
  if (gate_ == nullptr) return;
  const uint64_t nanos = gate_->clock_->NowNanos() - start_nanos_;
  Lane& lane = gate_->LaneOf(io_class_, kind_);
  lane.device_nanos.fetch_add(nanos, std::memory_order_relaxed);
  lane.calls.fetch_add(1, std::memory_order_relaxed);
  lane.bytes.fetch_add(bytes_, std::memory_order_relaxed);
  lane.inside.fetch_sub(1, std::memory_order_relaxed);
  if (io_class_ == IoClass::kFlush && kind_ == IoKind::kWrite) {
    gate_->LeaveFlush();
  }
}

IoGate::SyncCall::SyncCall(const IoPass* pass) : gate_(GateOf(pass)) {
  if (gate_ == nullptr) return;
  io_class_ = pass->io_class.load(std::memory_order_relaxed);
  gate_->LaneOf(io_class_, IoKind::kWrite)
      .inside.fetch_add(1, std::memory_order_relaxed);
  if (io_class_ == IoClass::kFlush) gate_->EnterFlush();
  start_nanos_ = gate_->clock_->NowNanos();
}

IoGate::SyncCall::~SyncCall() {
  if (gate_ == nullptr) return;
  const uint64_t nanos = gate_->clock_->NowNanos() - start_nanos_;
  Lane& lane = gate_->LaneOf(io_class_, IoKind::kWrite);
  lane.sync_nanos.fetch_add(nanos, std::memory_order_relaxed);
  lane.inside.fetch_sub(1, std::memory_order_relaxed);
  if (io_class_ == IoClass::kFlush) gate_->LeaveFlush();
}

void IoGate::EnterFlush() {
  shared_->flushes_writing.fetch_add(1, std::memory_order_relaxed);
}

// Those who wait at the gates of other databases see it at their next step.
void IoGate::LeaveFlush() {
  shared_->flushes_writing.fetch_sub(1, std::memory_order_relaxed);
  if (gated_.load(std::memory_order_relaxed) == 0) return;
  MutexLock lock(&mu_);
  changed_.SignalAll();
}

IoCounters IoGate::Snapshot() const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  IoCounters counters;
  for (size_t c = 0; c < kIoClasses; ++c) {
    for (size_t k = 0; k < kIoKinds; ++k) {
      const Lane& from = lanes_[c][k];
      IoLane& to = counters.lanes[c][k];
      to.calls = from.calls.load(kRelaxed);
      to.bytes = from.bytes.load(kRelaxed);
      // After `bytes`: what is in flight is never negative.
      to.dispatched_bytes = from.dispatched_bytes.load(kRelaxed);
      to.device_micros = from.device_nanos.load(kRelaxed) / 1000;
      to.sync_micros = from.sync_nanos.load(kRelaxed) / 1000;
      to.wait_micros = from.wait_micros.load(kRelaxed);
      to.waiting = from.waiting.load(kRelaxed);
      to.inside = from.inside.load(kRelaxed);
    }
  }
  return counters;
}

}  // namespace ROCKSDB_NAMESPACE::engine
