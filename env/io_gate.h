// IoGate: where a database's requests wait for their turn at the disk, and are
// counted by class.
//
// Place. One per open database, in its StoreContext. File writers and readers
// take their turn before a call to the file system; a RateLimiter of the user
// is asked before, so both bounds hold. Requests wait in the IoScheduler behind
// the gate: for the budget of this database's jobs, which the tuner sets, and
// for the disk's shares if DBOptions::io_scheduler is set. MANIFESTs and other
// small files never pass the gate; logs and user reads do only with an
// io_scheduler.
//
// Model.
//
//   flush_first: while a flush is inside a call, the writes of the jobs below
//   it wait, but for the floor of kRuns and 250 ms at most. Between its calls,
//   when it merges and compresses, they go, so the device never idles, and a
//   flush waits for at most one chunk of each writing thread.
//
//   IoPass: what a job shows at the gate --+
//                                          v
//   Turn: [wait][-- in the call to the device --]   counted per class and kind
//              dispatched                  completed
//
// Invariants:
//   (1) With the default budget and without a profile no request waits, and
//       passing costs a few relaxed loads, the clock and the counters.
//   (2) A job whose pass is in a hurry waits at most 2 ms.
//   (3) After StopWaiting() no request waits, whatever budget is set.
//   (4) Reads never wait for a budget: a read that is held back would leave the
//       device idle when its job's turn to write comes.
//   (5) Appending to a log never waits. With a profile, its syncs do. A sync
//       pays for what the kernel has collected since the last one. Where none
//       comes, the disk is charged 64 KiB at a time.
//
// Threads. Thread-safe. Snapshot() takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "env/io_lane.h"
#include "env/io_scheduler.h"

namespace ROCKSDB_NAMESPACE {
class Statistics;
struct DBOptions;
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class IoGate;

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
  // No budget holds for it; the disk's shares do.
  std::atomic<bool> exempt{false};
};

// What the gates of one device have in common.
struct IoGateShared {
  std::atomic<int> flushes_writing{0};
};

struct IoCounters {
  std::array<std::array<IoLane, kIoKinds>, kIoClasses> lanes;

  const IoLane& At(IoClass io_class, IoKind kind) const {
    return lanes[static_cast<size_t>(io_class)][static_cast<size_t>(kind)];
  }
  // Of all classes but kBackups, whose lanes count for all databases of a
  // scheduler.
  IoLane Total(IoKind kind) const;
};

class IoGate {
 public:
  // `clock` outlives the gate. `shared` null: alone on its device. `scheduler`
  // null: one of its own, which knows no disk.
  explicit IoGate(SystemClock* clock,
                  std::shared_ptr<IoGateShared> shared = nullptr,
                  std::shared_ptr<IoScheduler> scheduler = nullptr,
                  Statistics* statistics = nullptr);
  ~IoGate();
  IoGate(const IoGate&) = delete;
  IoGate& operator=(const IoGate&) = delete;

  void SetBudget(const IoBudget& budget);
  IoBudget budget() const;

  // For closing: from now on no request waits.
  void StopWaiting();

  // How many of `bytes` one call may carry: all, or a chunk where the class
  // may have to wait. A multiple of `alignment`, unless it is all.
  static size_t CutToChunk(const IoPass* pass, IoKind kind, size_t bytes,
                           size_t alignment);

  // How much of several reads one turn may start: all, or what the disk does in
  // a few milliseconds. The first read goes in any case.
  struct BatchLimit {
    uint32_t reads = UINT32_MAX;
    uint64_t bytes = UINT64_MAX;
  };
  static BatchLimit LimitOfBatch(const IoPass* pass);

  // Waits until `bytes` may go, then counts a call to the device until it is
  // destroyed.
  class Turn {
   public:
    // `direct`: the file is not read or written through a cache. `reads`: how
    // many operations, where several are started at once.
    Turn(const IoPass* pass, IoKind kind, uint64_t bytes, bool direct,
         uint32_t reads = 1);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    IoGate* const gate_;
    const IoRequest request_;
    IoClass io_class_ = IoClass::kDebt;
    uint64_t start_nanos_ = 0;
  };

  // Counts a sync; waits for the disk's shares only.
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

  // For requests that belong to no job. Null without a profile, when they need
  // not ask.
  const IoPass* PassOf(IoClass io_class) const {
    if (!scheduler_->divides()) return nullptr;
    return &passes_[static_cast<size_t>(io_class)];
  }

  IoCounters Snapshot() const;
  const IoScheduler& scheduler() const { return *scheduler_; }
  // Flushes inside a write or a sync now, those of other databases included.
  int flushes_writing() const {
    return shared_->flushes_writing.load(std::memory_order_relaxed);
  }

 private:
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
  // Copies use gates that do not last, so the scheduler keeps their counters.
  IoLaneCount& LaneOf(IoClass io_class, IoKind kind) {
    if (io_class == IoClass::kBackups) return scheduler_->backup_lane(kind);
    return lanes_[static_cast<size_t>(io_class)][static_cast<size_t>(kind)];
  }
  // Must a write of the class ask for its budget?
  bool MustAskBudget(IoClass io_class, IoKind kind) const;
  enum class Call : uint8_t { kTransfer, kSync };
  // Waits if it has to; its class, once it may go.
  IoClass Admit(const IoPass& pass, const IoRequest& request, Call call);
  // Notes what was appended to a log, and charges the disk for it if no sync is
  // to be expected.
  void Append(uint64_t bytes);
  IoClass AdmitSync(const IoPass& pass);
  void Complete(IoClass io_class, const IoRequest& request, uint64_t nanos);
  // A flush enters or leaves the device.
  void EnterFlush();
  void LeaveFlush();
  void Wait(const IoPass& pass, const IoRequest& request, bool budgeted);
  void PublishGated(const IoBudget& budget);

  SystemClock* const clock_;
  const std::shared_ptr<IoGateShared> shared_;
  const std::shared_ptr<IoScheduler> scheduler_;
  Statistics* const statistics_;  // Or null; outlives the gate.

  // What the budget says about the classes, as bits; 0: all pass.
  std::atomic<uint32_t> gated_{0};
  std::atomic<uint32_t> chunk_bytes_{IoBudget::kChunkBytes};
  std::atomic<bool> stopped_{false};

  std::atomic<uint64_t> appended_bytes_{0};  // To logs, not yet charged.
  std::atomic<bool> log_is_synced_{false};   // Lately.
  std::array<IoPass, kIoClasses> passes_;

  // Of the scheduler's, and under its lock.
  IoScheduler::Client client_;

  // Without kBackups, the last class.
  std::array<std::array<IoLaneCount, kIoKinds>, kIoClasses - 1> lanes_;
};

// For copies of a database's files that are not its own work. Null when the
// options have no io_scheduler.
std::unique_ptr<IoGate> NewCopyGate(const DBOptions& of);
// Of such a gate, which may be null.
inline const IoPass* BackupPass(const IoGate* gate) {
  return gate == nullptr ? nullptr : gate->PassOf(IoClass::kBackups);
}

}  // namespace ROCKSDB_NAMESPACE::engine
