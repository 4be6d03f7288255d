// IoGate: every byte that background work moves goes through here, counted
// under a class; what it writes may have to wait for its turn.
//
// Place. One per open database, in its StoreContext. File writers and the
// table reading of compactions take their turn before a call to the file
// system; a RateLimiter of the user is asked before, so both bounds hold. The
// laws are in env/io_gate_core; budgets are set from outside. Logs, MANIFESTs
// and the reads of users never come here.
//
// Model.
//
//   flush_first: while a flush is inside a call, the writes of the classes
//   below it wait, but for the floor of kRuns and 250 ms at most. Between its
//   calls, when it merges and compresses, they go: so the device never idles,
//   and a flush waits for one chunk of each writing thread at most.
//
//   IoPass: what a job shows at the gate --+
//                                          v
//   Turn: [wait][-- in the call to the device --]   counted per class and kind
//              dispatched                  completed
//
// Invariants:
//   (1) With the default budget no job waits, and passing costs a few relaxed
//       loads, the clock and the counters.
//   (2) A job whose pass is in a hurry waits at most 2 ms.
//   (3) After StopWaiting() no job waits, whatever budget is set.
//   (4) Reads never wait: a read that is held back would leave the device idle
//       when its job's turn to write comes.
//
// Threads. Thread-safe. Snapshot() takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "env/io_gate_core.h"
#include "util/core_local.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class IoGate;

enum class IoKind : uint8_t { kRead, kWrite };
inline constexpr size_t kIoKinds = 2;

// Belongs to a job and outlives its readers and writers. Functions that take an
// IoPass* also take null: not gated, not counted.
struct IoPass {
  IoPass() = default;
  IoPass(IoGate* at, IoClass as) : gate(at), io_class(as) {}

  IoGate* gate = nullptr;  // May be null as well.
  // May change while the job runs.
  std::atomic<IoClass> io_class{IoClass::kDebt};
  // Raised when the job shall pause or give up, so that it reaches the place
  // where it asks.
  std::atomic<bool> hurry{false};
  // Counted, but no budget holds for it.
  std::atomic<bool> exempt{false};
};

// What the gates of one device have in common.
struct IoGateShared {
  std::atomic<int> flushes_writing{0};
};

// Of one class and kind.
struct IoLane {
  uint64_t calls = 0;             // Returned, failed ones included.
  uint64_t bytes = 0;             // Of these.
  uint64_t dispatched_bytes = 0;  // Including those of calls under way.
  uint64_t device_micros = 0;     // Inside the calls.
  uint64_t sync_micros = 0;  // Inside fsync and the like; not in the above.
  uint64_t wait_micros = 0;  // At the gate.
  uint32_t waiting = 0;      // Threads at the gate now.
  uint32_t inside = 0;       // Threads in a call now, syncs included.

  uint64_t in_flight_bytes() const {
    return dispatched_bytes > bytes ? dispatched_bytes - bytes : 0;
  }
};

struct IoCounters {
  std::array<std::array<IoLane, kIoKinds>, kIoClasses> lanes;

  const IoLane& At(IoClass io_class, IoKind kind) const {
    return lanes[static_cast<size_t>(io_class)][static_cast<size_t>(kind)];
  }
  // Of all classes.
  IoLane Total(IoKind kind) const;
};

class IoGate {
 public:
  // `clock` outlives the gate. `shared` null: alone on its device.
  explicit IoGate(SystemClock* clock,
                  std::shared_ptr<IoGateShared> shared = nullptr);
  ~IoGate();
  IoGate(const IoGate&) = delete;
  IoGate& operator=(const IoGate&) = delete;

  void SetBudget(const IoBudget& budget) EXCLUDES_LOCK(mu_);
  IoBudget budget() const EXCLUDES_LOCK(mu_);

  // For closing: from now on no job waits.
  void StopWaiting() EXCLUDES_LOCK(mu_);

  // How many of `bytes` one call may carry: all, or a chunk where the class
  // may have to wait. A multiple of `alignment`, unless it is all.
  static size_t CutToChunk(const IoPass* pass, size_t bytes, size_t alignment);

  // Waits until `bytes` may go, then counts a call to the device until it is
  // destroyed.
  class Turn {
   public:
    Turn(const IoPass* pass, IoKind kind, uint64_t bytes);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    IoGate* const gate_;
    const IoKind kind_;
    const uint64_t bytes_;
    IoClass io_class_ = IoClass::kDebt;
    uint64_t start_nanos_ = 0;
  };

  // Counts a sync of what was written; never waits.
  class SyncCall {
   public:
    explicit SyncCall(const IoPass* pass);
    ~SyncCall();
    SyncCall(const SyncCall&) = delete;
    SyncCall& operator=(const SyncCall&) = delete;

   private:
    IoGate* const gate_;
    IoClass io_class_ = IoClass::kDebt;
    uint64_t start_nanos_ = 0;
  };

  IoCounters Snapshot() const;
  // Flushes inside a write or a sync now, those of other databases included.
  int flushes_writing() const {
    return shared_->flushes_writing.load(std::memory_order_relaxed);
  }

 private:
  // One line of memory per class and kind: jobs of different classes do not
  // disturb each other.
  struct alignas(kCacheLineSize) Lane {
    std::atomic<uint64_t> calls{0};
    std::atomic<uint64_t> bytes{0};
    std::atomic<uint64_t> dispatched_bytes{0};
    std::atomic<uint64_t> device_nanos{0};
    std::atomic<uint64_t> sync_nanos{0};
    std::atomic<uint64_t> wait_micros{0};
    std::atomic<uint32_t> waiting{0};
    std::atomic<uint32_t> inside{0};
  };

  static IoGate* GateOf(const IoPass* pass) {
    return pass != nullptr ? pass->gate : nullptr;
  }
  // Two bits per class: its rate is limited; flush_first holds it back.
  static constexpr uint32_t LimitedBit(IoClass io_class) {
    return 1u << static_cast<uint32_t>(io_class);
  }
  static constexpr uint32_t HeldBit(IoClass io_class) {
    return 1u << (kIoClasses + static_cast<uint32_t>(io_class));
  }
  Lane& LaneOf(IoClass io_class, IoKind kind) {
    return lanes_[static_cast<size_t>(io_class)][static_cast<size_t>(kind)];
  }
  bool MustAsk(IoClass io_class, IoKind kind) const;
  // A flush enters or leaves the device.
  void EnterFlush();
  void LeaveFlush() EXCLUDES_LOCK(mu_);
  void Wait(const IoPass& pass, IoKind kind, uint64_t bytes) EXCLUDES_LOCK(mu_);
  void WaitLocked(const IoPass& pass, uint64_t bytes) REQUIRES_LOCK(mu_);
  void PublishGated() REQUIRES_LOCK(mu_);

  SystemClock* const clock_;
  const std::shared_ptr<IoGateShared> shared_;

  // What the budget says about the classes, as bits; 0: all pass.
  std::atomic<uint32_t> gated_{0};
  std::atomic<uint32_t> chunk_bytes_{IoBudget::kChunkBytes};

  mutable Mutex mu_{LockRank::kIoGate};
  CondVar changed_;
  IoGateCore core_ GUARDED_BY(mu_);
  bool stopped_ GUARDED_BY(mu_) = false;

  std::array<std::array<Lane, kIoKinds>, kIoClasses> lanes_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
