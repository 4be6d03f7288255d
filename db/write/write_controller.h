// WriteController: the stop, delay and pressure votes of all column families,
// and how long a writer has to sleep.
//
// Place. One per database, between db/write/write_stall (which decides per
// column family) and the head of the write queue (which sleeps). Column
// families hold their vote as a token; dropping the token takes it back.
//
// Model. Any stop vote stops writers; otherwise any delay vote limits them to
// one rate, for which they collect credit:
//
//   credit grows by rate x time, at most once per millisecond
//   credit >= bytes: take it, no delay
//   else: sleep until the missing bytes are earned, but 1 ms at least
//
// Invariants:
//   (1) 0 < delayed_write_rate <= max_delayed_write_rate. Only a reader that
//       does not hold mu_ may see a new maximum with an old rate.
//   (2) The first delay vote after none starts with no credit and no history.
//
// Threads. Thread-safe. The counters and rates are read without a lock;
// GetDelay takes a short one, on the slow path only.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class WriteController {
 public:
  enum class Vote : uint8_t { kNone, kPressure, kDelay, kStop };

  // A vote that lasts as long as the token. Must not outlive the controller.
  class Token {
   public:
    Token() = default;
    Token(Token&& other) noexcept
        : controller_(std::exchange(other.controller_, nullptr)),
          vote_(std::exchange(other.vote_, Vote::kNone)) {}
    Token& operator=(Token&& other) noexcept {
      if (this != &other) {
        Reset();
        controller_ = std::exchange(other.controller_, nullptr);
        vote_ = std::exchange(other.vote_, Vote::kNone);
      }
      return *this;
    }
    ~Token() { Reset(); }

    void Reset();
    Vote vote() const { return vote_; }

   private:
    friend class WriteController;
    Token(WriteController* controller, Vote vote)
        : controller_(controller), vote_(vote) {}

    WriteController* controller_ = nullptr;
    Vote vote_ = Vote::kNone;
  };

  static constexpr uint64_t kMicrosPerRefill = 1000;

  explicit WriteController(uint64_t delayed_write_rate);
  WriteController(const WriteController&) = delete;
  WriteController& operator=(const WriteController&) = delete;

  [[nodiscard]] Token Stop();
  [[nodiscard]] Token Delay(uint64_t delayed_write_rate);
  [[nodiscard]] Token Pressure();

  bool IsStopped() const { return Count(stopped_) > 0; }
  bool NeedsDelay() const { return Count(delayed_) > 0; }
  // Does any family want more compaction threads?
  bool NeedSpeedupCompaction() const {
    return IsStopped() || NeedsDelay() || Count(pressed_) > 0;
  }

  // Microseconds that a writer of `bytes` has to sleep from `now_micros` on; 0
  // when it may write at once, also when writes are stopped (that is another
  // wait). The bytes count as written.
  uint64_t GetDelay(uint64_t now_micros, uint64_t bytes);

  uint64_t delayed_write_rate() const {
    return delayed_write_rate_.load(std::memory_order_relaxed);
  }
  uint64_t max_delayed_write_rate() const {
    return max_delayed_write_rate_.load(std::memory_order_relaxed);
  }
  // The rate now in force for "rocksdb.actual-delayed-write-rate": 0 when
  // writers are not delayed.
  uint64_t actual_delayed_write_rate() const {
    return NeedsDelay() ? delayed_write_rate() : 0;
  }
  // 0 is taken as 1, more than the maximum as the maximum.
  void set_delayed_write_rate(uint64_t rate) EXCLUDES_LOCK(mu_);
  // Also resets the current rate, because the old one says nothing about it.
  void set_max_delayed_write_rate(uint64_t rate) EXCLUDES_LOCK(mu_);

 private:
  using Counter = std::atomic<int>;
  static int Count(const Counter& counter) {
    return counter.load(std::memory_order_acquire);
  }
  Counter* CounterOf(Vote vote);

  Counter stopped_{0};
  Counter delayed_{0};
  Counter pressed_{0};
  // Changed under mu_, so that they fit together.
  std::atomic<uint64_t> delayed_write_rate_;
  std::atomic<uint64_t> max_delayed_write_rate_;

  Mutex mu_{LockRank::kWriteController};
  uint64_t credit_bytes_ GUARDED_BY(mu_) = 0;
  uint64_t next_refill_micros_ GUARDED_BY(mu_) = 0;  // 0: not started.
};

}  // namespace ROCKSDB_NAMESPACE::engine
