// IoBudgetPolicy: decides which chunk of one database's jobs may be written
// now. Pure arithmetic; the caller passes the time.
//
// Place. One of the two policies of env/io_scheduler_core; the other divides
// the disk. The budgets are set by its owner.
//
// Model. Every class has a token bucket and a queue of those that wait for it,
// first come, first served:
//
//   bytes_per_second 0  --> the class is not limited
//   otherwise           --> the head goes once the bucket holds its bytes (or
//                           is full, for a chunk larger than the bucket)
//   flush_first         --> while a flush writes, the classes below it are
//                           held back; kRuns may go on at a floor rate
//
// Tokens accrue every microsecond; a bucket holds 5 ms of its rate, or one
// chunk if that is more.
//
// Invariants:
//   (1) Over any time t a limited class is granted at most rate x t plus one
//       full bucket, plus the chunks of jobs in a hurry.
//   (2) No job is held by flush_first for longer than kHoldMicrosMax in a row.
//   (3) A time that goes backwards neither removes nor adds tokens.
//
// Threads. The owner locks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/io_request.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

struct IoBudget {
  static constexpr uint32_t kChunkBytes = 1 << 20;

  std::array<uint64_t, kIoClasses> bytes_per_second{};  // 0: unlimited.
  // While a flush writes, the other jobs wait.
  bool flush_first = false;
  // What kRuns may do meanwhile. 0: it waits as well.
  uint64_t runs_floor_bytes_per_second = 0;
  // Writes that may have to wait are cut into pieces of this size.
  uint32_t chunk_bytes = kChunkBytes;

  uint64_t of(IoClass io_class) const {
    return bytes_per_second[static_cast<size_t>(io_class)];
  }
  bool operator==(const IoBudget&) const = default;
};

class IoBudgetPolicy {
 public:
  // The longest time that flush_first may hold a chunk back.
  static constexpr uint64_t kHoldMicrosMax = uint64_t{250} * 1000;
  // A waiter asks again after this time at the latest, because its class, the
  // budgets or the flushes may have changed.
  static constexpr uint64_t kStepMicros = 2000;
  // A bucket's depth in time. A waiter that wakes up late finds what was
  // earned meanwhile; deeper buckets would only make bursts.
  static constexpr uint64_t kBurstMicros = 5000;

  // A chunk that waits to be written; owned by the waiting thread, registered
  // here while it waits.
  struct Waiter {
    IoClass io_class = IoClass::kDebt;
    uint64_t bytes = 0;

   private:
    friend class IoBudgetPolicy;
    bool queued_ = false;
    bool held_ = false;
    IoClass queued_as_ = IoClass::kDebt;
    uint64_t held_since_micros_ = 0;
  };

  void SetBudget(const IoBudget& budget, uint64_t now_micros);
  const IoBudget& budget() const { return budget_; }

  // May this chunk go? Joins the queue of `waiter->io_class` when not. When it
  // may, its bytes are taken and it is forgotten.
  IoAnswer Ask(Waiter* waiter, bool flush_writes, uint64_t now_micros);

  // The waiter goes without being allowed to: its bytes are taken, and what
  // that leaves to be earned delays those behind it.
  void LetThrough(Waiter* waiter, uint64_t now_micros);

  size_t waiting() const;

 private:
  // Tokens are counted in millionths of a byte: what one microsecond earns at
  // one byte per second.
  class Bucket {
   public:
    void SetRate(uint64_t bytes_per_second, uint64_t chunk_bytes,
                 uint64_t now_micros);
    bool limited() const { return rate_ != 0; }
    void Refill(uint64_t now_micros);
    // From `now_micros` on; equal to it when the bytes may be taken.
    uint64_t ReadyAt(uint64_t bytes, uint64_t now_micros) const;
    void Take(uint64_t bytes);

   private:
    uint64_t rate_ = 0;
    int64_t capacity_ = 0;
    int64_t tokens_ = 0;
    uint64_t refilled_micros_ = 0;
  };

  Bucket& BucketOf(IoClass io_class) {
    return buckets_[static_cast<size_t>(io_class)];
  }
  std::vector<Waiter*>& QueueOf(IoClass io_class) {
    return queues_[static_cast<size_t>(io_class)];
  }
  void Join(Waiter* waiter);
  void Forget(Waiter* waiter);
  bool Held(Waiter* waiter, bool flush_writes, uint64_t now_micros) const;
  uint64_t HeldUntil(const Waiter& waiter, uint64_t now_micros);
  void Take(const Waiter& waiter);

  IoBudget budget_;
  std::array<Bucket, kIoClasses> buckets_;
  Bucket runs_floor_;
  std::array<std::vector<Waiter*>, kIoClasses> queues_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
