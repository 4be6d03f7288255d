#include "env/io_gate.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "env/aligned_buffer.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The file's data and the file system's journal. The bytes of tables are
// charged when they are written.
constexpr IoRequest kSyncRequest{IoKind::kWrite, 0, 2, true};

// The kernel collects what is appended to a log, which is never written past
// its cache.
bool Collected(IoClass io_class, const IoRequest& request) {
  return io_class == IoClass::kLog && request.kind == IoKind::kWrite &&
         request.bytes > 0 && !request.reaches_disk;
}
constexpr uint64_t kAppendedBytesMax = 64 << 10;
constexpr uint64_t kAppendedBytesMaxBeforeSync = 8 << 20;

struct IoTickers {
  Tickers bytes;
  Tickers ops;
  Tickers wait_micros;
  Tickers disk_micros;
};

constexpr IoTickers kTickers[kIoClasses] = {
    {IO_SCHEDULER_FLUSH_BYTES, IO_SCHEDULER_FLUSH_OPS,
     IO_SCHEDULER_FLUSH_WAIT_MICROS, IO_SCHEDULER_FLUSH_DISK_MICROS},
    {IO_SCHEDULER_LEVEL0_BYTES, IO_SCHEDULER_LEVEL0_OPS,
     IO_SCHEDULER_LEVEL0_WAIT_MICROS, IO_SCHEDULER_LEVEL0_DISK_MICROS},
    {IO_SCHEDULER_COMPACTION_BYTES, IO_SCHEDULER_COMPACTION_OPS,
     IO_SCHEDULER_COMPACTION_WAIT_MICROS, IO_SCHEDULER_COMPACTION_DISK_MICROS},
    {IO_SCHEDULER_MAINTENANCE_BYTES, IO_SCHEDULER_MAINTENANCE_OPS,
     IO_SCHEDULER_MAINTENANCE_WAIT_MICROS,
     IO_SCHEDULER_MAINTENANCE_DISK_MICROS},
    {IO_SCHEDULER_LOG_BYTES, IO_SCHEDULER_LOG_OPS, IO_SCHEDULER_LOG_WAIT_MICROS,
     IO_SCHEDULER_LOG_DISK_MICROS},
    {IO_SCHEDULER_USER_READ_BYTES, IO_SCHEDULER_USER_READ_OPS,
     IO_SCHEDULER_USER_READ_WAIT_MICROS, IO_SCHEDULER_USER_READ_DISK_MICROS},
    {IO_SCHEDULER_BACKUP_BYTES, IO_SCHEDULER_BACKUP_OPS,
     IO_SCHEDULER_BACKUP_WAIT_MICROS, IO_SCHEDULER_BACKUP_DISK_MICROS},
};

// Counted as waiting while it exists; a request for which there is no memory
// leaves by an exception.
class Waiting {
 public:
  explicit Waiting(IoLaneCount* lane) : lane_(lane) {
    lane_->waiting.fetch_add(1, std::memory_order_relaxed);
  }
  ~Waiting() {
    [[maybe_unused]] const uint32_t waiting =
        lane_->waiting.fetch_sub(1, std::memory_order_relaxed);
    assert(waiting > 0);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  IoLaneCount* const lane_;
};

}  // namespace

IoLane IoCounters::Total(IoKind kind) const {
  IoLane total;
  for (size_t c = 0; c < kIoClasses; ++c) {
    const auto io_class = static_cast<IoClass>(c);
    if (io_class != IoClass::kBackups) total += At(io_class, kind);
  }
  return total;
}

IoGate::IoGate(SystemClock* clock, std::shared_ptr<IoGateShared> shared,
               std::shared_ptr<IoScheduler> scheduler, Statistics* statistics)
    : clock_(clock),
      shared_(shared != nullptr ? std::move(shared)
                                : std::make_shared<IoGateShared>()),
      scheduler_(scheduler != nullptr ? std::move(scheduler)
                                      : std::make_shared<IoScheduler>(clock)),
      statistics_(statistics) {
  for (size_t i = 0; i < kIoClasses; ++i) {
    passes_[i].gate = this;
    passes_[i].io_class = static_cast<IoClass>(i);
  }
}

IoGate::~IoGate() = default;

void IoGate::SetBudget(const IoBudget& budget) {
  if (stopped_.load(std::memory_order_relaxed) || budget == this->budget()) {
    return;
  }
  scheduler_->SetBudget(&client_, budget);
  PublishGated(budget);
}

IoBudget IoGate::budget() const { return scheduler_->BudgetOf(client_); }

void IoGate::StopWaiting() {
  stopped_.store(true, std::memory_order_relaxed);
  scheduler_->Stop(&client_);
  PublishGated(IoBudget{});
}

void IoGate::PublishGated(const IoBudget& budget) {
  static_assert(2 * kIoClasses <= 32);  // Two bits per class.
  uint32_t gated = 0;
  for (size_t i = 0; i < kIoClasses; ++i) {
    const auto io_class = static_cast<IoClass>(i);
    if (budget.of(io_class) > 0) gated |= LimitedBit(io_class);
    if (budget.flush_first && YieldsToFlushes(io_class)) {
      gated |= HeldBit(io_class);
    }
  }
  chunk_bytes_.store(std::max(1u, budget.chunk_bytes),
                     std::memory_order_relaxed);
  gated_.store(gated, std::memory_order_relaxed);
}

size_t IoGate::CutToChunk(const IoPass* pass, IoKind kind, size_t bytes,
                          size_t alignment) {
  const IoGate* const gate = GateOf(pass);
  if (gate == nullptr) return bytes;
  const bool budgeted =
      kind == IoKind::kWrite && !pass->exempt.load(std::memory_order_relaxed);
  const uint32_t gated =
      budgeted ? gate->gated_.load(std::memory_order_relaxed) : 0;
  const bool divides = gate->scheduler_->divides();
  if (gated == 0 && !divides) return bytes;
  const IoClass io_class = pass->io_class.load(std::memory_order_relaxed);
  uint64_t chunk = bytes;
  if ((gated & (LimitedBit(io_class) | HeldBit(io_class))) != 0) {
    chunk = gate->chunk_bytes_.load(std::memory_order_relaxed);
  }
  // Clients wait for logs and reads; these are not split.
  if (divides && io_class != IoClass::kLog && io_class != IoClass::kUserReads) {
    chunk = std::min(chunk, gate->scheduler_->split_bytes(kind));
  }
  if (chunk >= bytes) return bytes;
  if (alignment > 1) {
    chunk = std::max<uint64_t>(AlignDown(chunk, alignment), alignment);
    assert(chunk % alignment == 0);
  }
  assert(chunk > 0);
  return std::min<size_t>(bytes, chunk);
}

IoGate::BatchLimit IoGate::LimitOfBatch(const IoPass* pass) {
  const IoGate* const gate = GateOf(pass);
  if (gate == nullptr || !gate->scheduler_->divides()) return {};
  return {gate->scheduler_->split_reads(),
          gate->scheduler_->split_bytes(IoKind::kRead)};
}

bool IoGate::MustAskBudget(IoClass io_class, IoKind kind) const {
  if (kind == IoKind::kRead) return false;  // (4)
  const uint32_t gated = gated_.load(std::memory_order_relaxed);
  if (gated == 0) [[likely]]
    return false;
  if ((gated & LimitedBit(io_class)) != 0) return true;
  return (gated & HeldBit(io_class)) != 0 && flushes_writing() > 0;
}

IoClass IoGate::Admit(const IoPass& pass, const IoRequest& request, Call call) {
  assert(pass.gate == this);
  const bool transfers = call == Call::kTransfer;
  const bool exempt = pass.exempt.load(std::memory_order_relaxed);
  const IoClass before = pass.io_class.load(std::memory_order_relaxed);
  const bool budgeted =
      transfers && !exempt && MustAskBudget(before, request.kind);
  if (!budgeted && !scheduler_->divides()) return before;  // (1)
  if (transfers && Collected(before, request)) {
    Append(request.bytes);
    return before;
  }
  assert(!transfers || before != IoClass::kLog);   // (5)
  if (stopped_.load(std::memory_order_relaxed)) {  // (3)
    IoScheduler::Ask ask;
    ask.io_class = before;
    ask.request = request;
    scheduler_->LetThrough(&client_, ask);
    return before;
  }
  Wait(pass, request, budgeted);
  return pass.io_class.load(std::memory_order_relaxed);
}

void IoGate::Append(uint64_t bytes) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  const uint64_t now = appended_bytes_.fetch_add(bytes, kRelaxed) + bytes;
  const uint64_t most = log_is_synced_.load(kRelaxed)
                            ? kAppendedBytesMaxBeforeSync
                            : kAppendedBytesMax;
  if (now < most) return;
  log_is_synced_.store(false, kRelaxed);
  IoScheduler::Ask ask;
  ask.io_class = IoClass::kLog;
  ask.request = {IoKind::kWrite, appended_bytes_.exchange(0, kRelaxed), 0,
                 false};
  if (ask.request.bytes == 0) return;  // Another thread has charged it.
  scheduler_->LetThrough(&client_, ask);
  scheduler_->Complete(ask.io_class, ask.request, /*from_cache=*/false);
}

void IoGate::Wait(const IoPass& pass, const IoRequest& request, bool budgeted) {
  IoLaneCount& lane =
      LaneOf(pass.io_class.load(std::memory_order_relaxed), request.kind);
  // First: who sees a request wait may move the clock.
  const uint64_t start_micros = clock_->NowMicros();
  const Waiting counted(&lane);
  IoScheduler::Ask ask;
  ask.io_class = pass.io_class.load(std::memory_order_relaxed);
  ask.request = request;
  ask.budgeted = budgeted;
  assert(!budgeted || request.kind == IoKind::kWrite);  // (4)
  if (ask.io_class != IoClass::kLog && ask.io_class != IoClass::kUserReads) {
    ask.class_now = &pass.io_class;
    ask.hurry = &pass.hurry;
    ask.flushes_writing = &shared_->flushes_writing;
  }
  scheduler_->Wait(&client_, ask);
  const uint64_t end_micros = clock_->NowMicros();
  if (end_micros > start_micros) {
    const uint64_t waited = end_micros - start_micros;
    lane.wait_micros.fetch_add(waited, std::memory_order_relaxed);
    if (statistics_ != nullptr && scheduler_->divides()) {
      statistics_->recordTick(
          kTickers[static_cast<size_t>(ask.io_class)].wait_micros, waited);
    }
  }
}

// A buffered write is no operation of the disk: the kernel collects them.
IoGate::Turn::Turn(const IoPass* pass, IoKind kind, uint64_t bytes, bool direct,
                   uint32_t reads)
    : gate_(GateOf(pass)),
      request_{kind, bytes,
               kind == IoKind::kRead ? reads : static_cast<uint32_t>(direct),
               direct} {
  if (gate_ == nullptr) return;
  io_class_ = gate_->Admit(*pass, request_, Call::kTransfer);
  IoLaneCount& lane = gate_->LaneOf(io_class_, kind);
  lane.dispatched_bytes.fetch_add(bytes, std::memory_order_relaxed);
  lane.inside.fetch_add(1, std::memory_order_relaxed);
  if (io_class_ == IoClass::kFlush && kind == IoKind::kWrite) {
    gate_->EnterFlush();
  }
  start_nanos_ = gate_->clock_->NowNanos();
}

IoGate::Turn::~Turn() {
  if (gate_ == nullptr) return;
  const uint64_t nanos = gate_->clock_->NowNanos() - start_nanos_;
  IoLaneCount& lane = gate_->LaneOf(io_class_, request_.kind);
  lane.device_nanos.fetch_add(nanos, std::memory_order_relaxed);
  lane.calls.fetch_add(1, std::memory_order_relaxed);
  lane.bytes.fetch_add(request_.bytes, std::memory_order_release);
  [[maybe_unused]] const uint32_t inside =
      lane.inside.fetch_sub(1, std::memory_order_relaxed);
  assert(inside > 0);
  if (io_class_ == IoClass::kFlush && request_.kind == IoKind::kWrite) {
    gate_->LeaveFlush();
  }
  gate_->Complete(io_class_, request_, nanos);
}

void IoGate::Complete(IoClass io_class, const IoRequest& request,
                      uint64_t nanos) {
  if (!scheduler_->divides()) return;
  if (statistics_ != nullptr) {
    const IoTickers& tickers = kTickers[static_cast<size_t>(io_class)];
    statistics_->recordTick(tickers.bytes, request.bytes);
    statistics_->recordTick(tickers.ops);
    statistics_->recordTick(tickers.disk_micros, nanos / 1000);
  }
  // Appended bytes are completed when they are charged.
  if (Collected(io_class, request)) return;
  // No disk answers faster.
  constexpr double kCachedNanos = 10000;
  const bool from_cache =
      request.kind == IoKind::kRead && !request.reaches_disk &&
      static_cast<double>(nanos) <
          kCachedNanos + static_cast<double>(request.bytes) *
                             scheduler_->cached_nanos_per_byte();
  IoRequest done = request;
  done.reaches_disk |= request.kind == IoKind::kRead;
  scheduler_->Complete(io_class, done, from_cache);
}

IoClass IoGate::AdmitSync(const IoPass& pass) {
  IoRequest request = kSyncRequest;
  if (scheduler_->divides() &&
      pass.io_class.load(std::memory_order_relaxed) == IoClass::kLog) {
    request.bytes = appended_bytes_.exchange(0, std::memory_order_relaxed);
    log_is_synced_.store(true, std::memory_order_relaxed);
  }
  IoClass admitted;
  try {
    admitted = Admit(pass, request, Call::kSync);
  } catch (...) {  // No memory: the next sync pays for it.
    appended_bytes_.fetch_add(request.bytes, std::memory_order_relaxed);
    throw;
  }
  if (request.bytes > 0) {
    // Paid. A sync that hangs must not look like a disk full of requests.
    scheduler_->Complete(admitted, {IoKind::kWrite, request.bytes, 0, false},
                         /*from_cache=*/false);
  }
  return admitted;
}

IoGate::SyncCall::SyncCall(const IoPass* pass) : gate_(GateOf(pass)) {
  if (gate_ == nullptr) return;
  io_class_ = gate_->AdmitSync(*pass);
  gate_->LaneOf(io_class_, IoKind::kWrite)
      .inside.fetch_add(1, std::memory_order_relaxed);
  if (io_class_ == IoClass::kFlush) gate_->EnterFlush();
  start_nanos_ = gate_->clock_->NowNanos();
}

IoGate::SyncCall::~SyncCall() {
  if (gate_ == nullptr) return;
  const uint64_t nanos = gate_->clock_->NowNanos() - start_nanos_;
  IoLaneCount& lane = gate_->LaneOf(io_class_, IoKind::kWrite);
  lane.sync_nanos.fetch_add(nanos, std::memory_order_relaxed);
  lane.syncs.fetch_add(1, std::memory_order_relaxed);
  [[maybe_unused]] const uint32_t inside =
      lane.inside.fetch_sub(1, std::memory_order_relaxed);
  assert(inside > 0);
  if (io_class_ == IoClass::kFlush) gate_->LeaveFlush();
  gate_->Complete(io_class_, kSyncRequest, nanos);
}

void IoGate::EnterFlush() {
  shared_->flushes_writing.fetch_add(1, std::memory_order_relaxed);
}

// Those who wait at the gates of other databases see it at their next step.
void IoGate::LeaveFlush() {
  [[maybe_unused]] const int writing =
      shared_->flushes_writing.fetch_sub(1, std::memory_order_relaxed);
  assert(writing > 0);
  if (gated_.load(std::memory_order_relaxed) != 0) scheduler_->WakeAll();
}

std::unique_ptr<IoGate> NewCopyGate(const DBOptions& of) {
  auto scheduler = std::dynamic_pointer_cast<IoScheduler>(of.io_scheduler);
  if (scheduler == nullptr) return nullptr;
  return std::make_unique<IoGate>(SystemClock::Default().get(), nullptr,
                                  std::move(scheduler), of.statistics.get());
}

IoCounters IoGate::Snapshot() const {
  static_assert(static_cast<size_t>(IoClass::kBackups) == kIoClasses - 1);
  IoCounters counters;
  for (size_t k = 0; k < kIoKinds; ++k) {
    for (size_t c = 0; c < lanes_.size(); ++c) {
      counters.lanes[c][k] = lanes_[c][k].Read();
    }
    counters.lanes.back()[k] =
        scheduler_->backup_lane(static_cast<IoKind>(k)).Read();
  }
  return counters;
}

}  // namespace ROCKSDB_NAMESPACE::engine
