// WritePacer: decides when each writer may continue, so that all of them
// together write at one rate.
//
// Place. One per database, in its DbState. The commit pipeline asks it before a
// writer joins the queue; the tuning driver sets the rate. It also counts the
// bytes that wait to be written, for any reason, so that the offered rate is
// known as well as the accepted one.
//
// Model. The generic cell rate algorithm: one number says when the bytes
// granted so far are paid for.
//
//   paid_until = max(paid_until, now) + bytes / rate
//   a writer goes at once while paid_until <= now + tolerance,
//   otherwise so much later that this holds
//
// There are no periods: every byte costs every writer the same, and a writer
// waits for microseconds rather than for the next refill.
//
// paid_until and the rate that counts for it change together: the number's
// lowest bit says which of two rates is in force, so that one CAS moves both.
//
// Invariants:
//   (1) Of writers that ask between two SetRate(), at a rate that is not 0, at
//       most rate x (t + tolerance) bytes fall due in any time t, plus one
//       write and the burst that was granted. Writers that waited before fall
//       due in addition. A write costs whole nanoseconds.
//   (2) Writers that ask between two SetRate() fall due in the order in which
//       they asked. A burst or cancelled debt starts over: sleeping writers
//       finish their wait, and new ones may overtake them.
//   (3) Debt is counted in bytes: a new rate changes how long it takes to pay,
//       also for writers that wait already. The rate 0, a burst and
//       `cancels_debt` cancel it.
//   (4) No writer has more than kWaitMicrosMax left to wait. Debt beyond that
//       is forgiven, and not counted in (1).
//
// Threads. Thread-safe; no lock. At the rate 0 a writer pays one relaxed load;
// at any other, a burst's too, one CAS.
#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class WritePacer {
 public:
  // How much a writer may be ahead. It has to cover how late a sleeper wakes
  // up (the kernel's timer slack of 50 us, and some scheduling), because what
  // is slept beyond it is lost: half a millisecond is that, and still below
  // what a client would call a burst (32 KB at 64 MB/s).
  static constexpr uint64_t kToleranceMicros = 500;
  // Those who wait look again after this time: a changed rate, shutdown and
  // errors are noticed as fast as the end of a stall is.
  static constexpr uint64_t kStepMicros = 1000;
  // An hour: only rates of a few bytes per second get there.
  static constexpr uint64_t kWaitMicrosMax = 3600ull * 1000 * 1000;
  // A clock that goes back by more than this has been set; less is only two
  // threads that asked for the time before they came here.
  static constexpr uint64_t kClockJumpMicros = uint64_t{100} * 1000;

  // 0: no pacing. Existing debt is paid at the new rate. One thread at a time;
  // `now_micros` of the clock that Reserve is asked with.
  // `burst_bytes`: from now on this much may be written in addition to the
  // rate, and existing debt is cancelled; 0: kToleranceMicros of the rate.
  // `cancels_debt`: also without a burst.
  void SetRate(uint64_t bytes_per_second, uint64_t now_micros,
               uint64_t burst_bytes = 0, bool cancels_debt = false);
  uint64_t rate() const { return rate_.load(std::memory_order_relaxed); }

  enum class Reservation : uint8_t { kAlways, kOnlyWithoutWaiting };

  // Microseconds after which `bytes` may be written; 0 at once. They count as
  // written, except with kOnlyWithoutWaiting when the answer is not 0.
  // `at_rate` (may be null) receives the rate this was reckoned at.
  uint64_t Reserve(uint64_t bytes, uint64_t now_micros,
                   Reservation how = Reservation::kAlways,
                   uint64_t* at_rate = nullptr);

  // What a wait reckoned at one rate comes to at another.
  static uint64_t Rescale(uint64_t wait_micros, uint64_t from_bytes_per_second,
                          uint64_t to_bytes_per_second);

  // Bytes of writers that wait now: paced ones, and those behind a delayed or
  // stopped leader.
  uint64_t waiting_bytes() const {
    return paced_bytes_.load(std::memory_order_relaxed) +
           stalled_bytes_.load(std::memory_order_relaxed);
  }
  // While a paced writer waits.
  void AddPaced(uint64_t bytes) {
    paced_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void RemovePaced(uint64_t bytes) {
    paced_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  // By the leader that waits: its own bytes and those queued behind it; 0 when
  // it goes on.
  void SetStalled(uint64_t bytes) {
    stalled_bytes_.store(bytes, std::memory_order_relaxed);
  }

 private:
  static uint64_t CostNanos(uint64_t bytes, uint64_t bytes_per_second);
  void NoteTime(uint64_t now_micros);

  // What every write asks: the rate in force, told once more.
  std::atomic<uint64_t> rate_{0};
  // paid_until in nanoseconds, doubled, plus the index into rates_.
  std::atomic<uint64_t> ledger_{0};
  std::atomic<uint64_t> rates_[2] = {0, 0};
  std::atomic<uint64_t> tolerance_nanos_{kToleranceMicros * 1000};
  std::atomic<uint64_t> asked_micros_{0};  // The time of the last request.
  std::atomic<uint64_t> paced_bytes_{0};
  std::atomic<uint64_t> stalled_bytes_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
