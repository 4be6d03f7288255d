// WriteAdmission: makes a write wait while the database is stalled.
//
// Place. The commit pipeline's leader calls it before it forms its group; the
// writers behind it wait in the queue, so one thread decides for all. It
// executes what db/write/write_controller publishes; the rules are there. For
// pacing and low priority each writer waits by itself, before it queues, so
// that it does not hold up other writers.
//
// Model.
//
//   free     --> nothing to do: one relaxed load
//   paced    --> every writer sleeps until db/write/write_pacer lets its bytes
//                go
//   delayed  --> the bytes of the last group are charged, and the answer slept
//                in short steps, each asking again whether it still holds
//   stopped  --> sleep in short steps until it is over
//
// no_slowdown turns any wait into Incomplete("Write stall").
//
// Threads. Wait() by the leader only; all else by any thread.

#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {
class RateLimiter;
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class WriteController;
class WritePacer;

// Called between the steps of a wait.
class AdmissionWaiter {
 public:
  virtual ~AdmissionWaiter() = default;
  // Serves those queued behind the waiting writer that need not wait with it:
  // writers that refuse to wait leave, and an ExclusiveGuard gets the pipeline.
  // Returns the bytes of the writers that stay, including the waiting one's.
  virtual uint64_t ServeQueue() = 0;
  // Not OK ends the wait with this status (shutdown, background error).
  virtual Status Interrupted() = 0;
};

class WriteAdmission {
 public:
  // A step is short enough that a lifted stall is noticed at once, and long
  // enough that a waiting leader costs nothing.
  static constexpr uint64_t kStepMicros = 1000;

  // `low_pri_limiter` feeds low_pri writes while compactions are behind.
  // `pacer` may be null: no pacing, and waiting bytes are not counted.
  WriteAdmission(WriteController* controller, SystemClock* clock,
                 RateLimiter* low_pri_limiter, WritePacer* pacer = nullptr)
      : controller_(controller),
        clock_(clock),
        low_pri_limiter_(low_pri_limiter),
        pacer_(pacer) {}

  // True when a write would have to wait now. A few relaxed loads.
  bool MustWait() const;

  // Waits until `bytes` may be written. `stalled_micros` receives the time.
  // Errors: Incomplete with no_slowdown; waiter->Interrupted().
  Status Wait(uint64_t bytes, bool no_slowdown, AdmissionWaiter* waiter,
              uint64_t* stalled_micros);

  // Is there a rate that writers have to keep? One relaxed load.
  bool MustPace() const;

  // Waits until `bytes` may be written at that rate. `paced_micros` receives
  // the time. Errors: as Wait; a refused write counts for nothing.
  Status Pace(uint64_t bytes, bool no_slowdown, AdmissionWaiter* waiter,
              uint64_t* paced_micros);

  // For low_pri writes: gives way to compactions that are behind.
  // Errors: Incomplete with no_slowdown.
  Status WaitLowPriority(uint64_t bytes, bool no_slowdown);

 private:
  WriteController* const controller_;
  SystemClock* const clock_;
  RateLimiter* const low_pri_limiter_;
  WritePacer* const pacer_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
