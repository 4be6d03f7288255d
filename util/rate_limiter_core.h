// RateLimiterCore: who may write how many bytes, and when, in virtual time.
//
// Place. The rules of the generic rate limiter without its threads. The shell
// (util/rate_limiter) adds a mutex and sleeping; tests and the simulator run
// the same core against a clock of their own.
//
// Model. A bucket of tokens (bytes), refilled every period, and a queue per
// priority:
//
//   arrival -- tokens left? take them at once -- rest --> queue[priority]
//   refill: USER, HIGH, MID, LOW in this order (fairness lets the lower ones go
//   first once in `fairness` times); the head gets what is there, even a part.
//
// One waiter, the leader, sleeps until the next refill and does it; the others
// wait to be granted or to become leader. That a leader had to sleep is a
// drain, counted for the leader's priority: the signal that tuning listens to.
//
// Invariants:
//   (1) Tokens do not carry over: an idle period earns one period's tokens.
//   (2) At most one leader, and at most one drain per refill interval.
//   (3) A queue is FIFO; only its head can be partly granted.
//
// Threads. None: the caller serialises. Time never goes backwards.
#pragma once

#include <cstdint>
#include <list>

#include "util/drain_switch.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

class RateLimiterCore {
 public:
  // The same order as Env::IOPriority, low to high.
  enum Priority { kLow = 0, kMid = 1, kHigh = 2, kUser = 3, kPriorities = 4 };

  static constexpr int64_t kRefillsPerTune = 100;

  struct Options {
    int64_t bytes_per_second = 0;
    int64_t refill_period_us = int64_t{100} * 1000;
    int32_t fairness = 10;
    bool auto_tuned = false;
    // 0: one refill's tokens.
    int64_t single_burst_bytes = 0;
    uint64_t seed = 301;
  };

  // One request. Lives with its caller until Leave() returned.
  struct Waiter {
    int64_t bytes_left = 0;
    Priority priority = kLow;
    void* owner = nullptr;  // The shell's handle, e.g. what to signal.
  };

  struct Step {
    enum Kind {
      kGranted,         // All bytes granted: Leave().
      kSleepUntil,      // Leader: sleep until `deadline_us`, then Continue().
      kSleepTillSignal  // Sleep until signalled, then Continue().
    };
    Kind kind = kGranted;
    int64_t deadline_us = 0;
    bool drained = false;  // This step counted a drain.
  };

  RateLimiterCore(const Options& options, int64_t now_us);

  // `waiter` asks for its bytes_left. If there is no memory to queue it, this
  // throws: the waiter is in no list then, and must not Leave().
  Step Arrive(Waiter* waiter, int64_t now_us);
  // `waiter` woke up, whatever woke it. Needs no memory.
  Step Continue(Waiter* waiter, int64_t now_us);
  // `waiter` is done. Returns the waiter to wake as the next leader, or
  // nullptr.
  Waiter* Leave(Waiter* waiter);
  // Waiters that the last Arrive or Continue granted in full, without the one
  // it was called for. The caller wakes them and clears the list.
  std::list<Waiter*>& granted() { return granted_; }

  // Is a tuning period over? Always false unless auto_tuned.
  bool TuneDue(int64_t now_us) const;
  // The two ways to end a tuning period: move the rate by how often it was the
  // limit, or leave the rate and judge whether compactions should stop.
  void TuneRate(int64_t now_us);
  DrainVerdict TuneCompaction(int64_t now_us);

  // In force from the next refill on. Does not move the ceiling of tuning.
  void SetBytesPerSecond(int64_t bytes_per_second);
  // 0: one refill's tokens again.
  void SetSingleBurstBytes(int64_t bytes) { single_burst_bytes_ = bytes; }

  int64_t bytes_per_second() const { return bytes_per_second_; }
  int64_t single_burst_bytes() const {
    return single_burst_bytes_ == 0 ? refill_bytes_ : single_burst_bytes_;
  }
  int64_t bytes_through(Priority p) const { return bytes_through_[p]; }
  int64_t requests(Priority p) const { return requests_[p]; }
  int64_t pending_requests(Priority p) const {
    return static_cast<int64_t>(queues_[p].size());
  }
  // Drains since the last tuning.
  DrainCounts drains() const { return drains_; }

 private:
  static int64_t RefillBytes(int64_t bytes_per_second, int64_t period_us);

  void Refill(int64_t now_us);
  void GrantFrom(Priority priority);
  // The order in which this refill serves the queues.
  void ServingOrder(Priority order[kPriorities]);
  void CountDrain(Priority priority, Step* step);
  // Ends the period; returns its length.
  int64_t RestartPeriod(int64_t now_us);

  const int64_t refill_period_us_;
  const int32_t fairness_;
  const bool auto_tuned_;
  const int64_t max_bytes_per_second_;

  int64_t bytes_per_second_;
  int64_t refill_bytes_;
  int64_t single_burst_bytes_;
  int64_t available_bytes_ = 0;
  int64_t next_refill_us_;
  int64_t drained_refill_us_ = -1;  // The refill whose drain is counted.
  int64_t tuned_us_;
  DrainCounts drains_;
  Waiter* leader_ = nullptr;
  Random64 random_;
  // Lists, so that a waiter moves between them without memory.
  std::list<Waiter*> queues_[kPriorities];
  std::list<Waiter*> granted_;
  int64_t bytes_through_[kPriorities] = {};
  int64_t requests_[kPriorities] = {};
};

// The rate after a tuning period in which `drained_pct` percent of the refill
// intervals had a waiting request: a twentieth of the maximum if there was
// none, 5 % less below 50 %, 5 % more above 90 %. Stays in [max/20, max].
int64_t TunedBytesPerSecond(int64_t bytes_per_second, int64_t max,
                            int64_t drained_pct);

}  // namespace ROCKSDB_NAMESPACE::engine
