#include "db/write/write_pacer.h"

#include <algorithm>
#include <cassert>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint64_t kNanosPerMicro = 1000;
constexpr uint64_t kNanosPerSecond = uint64_t{1000} * 1000 * 1000;
constexpr uint64_t kWaitNanosMax = WritePacer::kWaitMicrosMax * kNanosPerMicro;

uint64_t Ledger(uint64_t nanos, uint64_t slot) {
  assert(slot <= 1 && nanos <= UINT64_MAX / 2);
  return 2 * nanos + slot;
}
uint64_t NanosOf(uint64_t ledger) { return ledger / 2; }
uint64_t SlotOf(uint64_t ledger) { return ledger % 2; }

// In the unit of `wait` and `wait_max`.
uint64_t RescaleUpTo(uint64_t wait_max, uint64_t wait,
                     uint64_t from_bytes_per_second,
                     uint64_t to_bytes_per_second) {
  if (to_bytes_per_second == 0) return 0;  // (3)
  const double scaled = static_cast<double>(wait) *
                        static_cast<double>(from_bytes_per_second) /
                        static_cast<double>(to_bytes_per_second);
  return scaled < static_cast<double>(wait_max) ? static_cast<uint64_t>(scaled)
                                                : wait_max;  // (4)
}

}  // namespace

uint64_t WritePacer::CostNanos(uint64_t bytes, uint64_t bytes_per_second) {
  assert(bytes_per_second > 0);
  // 17 GB pass at once in one batch nowhere; this keeps the product in range.
  constexpr uint64_t kBytesMax = UINT64_MAX / kNanosPerSecond - 1;
  const uint64_t nanos = std::min(bytes, kBytesMax) * kNanosPerSecond;
  // Rounded to the nearest, so that small writes at high rates do not drift.
  const uint64_t half = std::min(bytes_per_second / 2, kNanosPerSecond);
  return std::min((nanos + half) / bytes_per_second, kWaitNanosMax);
}

uint64_t WritePacer::Rescale(uint64_t wait_micros,
                             uint64_t from_bytes_per_second,
                             uint64_t to_bytes_per_second) {
  return RescaleUpTo(kWaitMicrosMax, wait_micros, from_bytes_per_second,
                     to_bytes_per_second);
}

void WritePacer::SetRate(uint64_t bytes_per_second, uint64_t now_micros,
                         uint64_t burst_bytes, bool cancels_debt) {
  NoteTime(now_micros);
  const uint64_t old_rate = rate();
  const bool bursts = burst_bytes > 0 && bytes_per_second > 0;
  uint64_t tolerance = kToleranceMicros * kNanosPerMicro;
  if (bursts) tolerance += CostNanos(burst_bytes, bytes_per_second);
  tolerance_nanos_.store(tolerance, std::memory_order_relaxed);
  cancels_debt |= bursts;
  if (old_rate == bytes_per_second && !cancels_debt) return;
  uint64_t ledger = ledger_.load(std::memory_order_acquire);
  const uint64_t slot = 1 - SlotOf(ledger);
  rates_[slot].store(bytes_per_second, std::memory_order_relaxed);
  const uint64_t now_nanos = now_micros * kNanosPerMicro;
  uint64_t moved = 0;
  do {
    const uint64_t paid = NanosOf(ledger);
    const uint64_t owed =
        paid > now_nanos && !cancels_debt ? paid - now_nanos : 0;  // (3)
    moved = now_nanos +
            RescaleUpTo(kWaitNanosMax, owed, old_rate, bytes_per_second);
  } while (!ledger_.compare_exchange_weak(ledger, Ledger(moved, slot),
                                          std::memory_order_release,
                                          std::memory_order_relaxed));
  rate_.store(bytes_per_second, std::memory_order_relaxed);
}

// If the clock is set back, the debt moves with it; otherwise all writers would
// wait until it is as late again as it was.
void WritePacer::NoteTime(uint64_t now_micros) {
  uint64_t last = asked_micros_.load(std::memory_order_relaxed);
  if (now_micros + kClockJumpMicros >= last) {
    // Now and then is enough to notice a clock that was set back, and does not
    // touch the line with every write.
    if (now_micros > last + kClockJumpMicros / 2) {
      asked_micros_.store(now_micros, std::memory_order_relaxed);
    }
    return;
  }
  // Of those who notice, one corrects.
  if (!asked_micros_.compare_exchange_strong(last, now_micros,
                                             std::memory_order_relaxed))
    return;
  const uint64_t back_nanos = (last - now_micros) * kNanosPerMicro;
  uint64_t ledger = ledger_.load(std::memory_order_relaxed);
  uint64_t paid = 0;
  do {
    paid = NanosOf(ledger);
    paid = paid > back_nanos ? paid - back_nanos : 0;
  } while (!ledger_.compare_exchange_weak(ledger, Ledger(paid, SlotOf(ledger)),
                                          std::memory_order_relaxed));
}

uint64_t WritePacer::Reserve(uint64_t bytes, uint64_t now_micros,
                             Reservation how, uint64_t* at_rate) {
  if (rate() == 0) return 0;
  NoteTime(now_micros);
  const uint64_t now_nanos = now_micros * kNanosPerMicro;
  const uint64_t free_nanos =
      now_nanos + tolerance_nanos_.load(std::memory_order_relaxed);
  uint64_t ledger = ledger_.load(std::memory_order_acquire);
  uint64_t wait_nanos = 0;
  uint64_t next = 0;
  uint64_t rate = 0;
  do {
    rate = rates_[SlotOf(ledger)].load(std::memory_order_relaxed);
    if (rate == 0) return 0;
    // (4), also where another thread's clock is a little ahead.
    const uint64_t paid = std::min(NanosOf(ledger), now_nanos + kWaitNanosMax);
    wait_nanos = paid > free_nanos ? paid - free_nanos : 0;
    assert(wait_nanos <= kWaitNanosMax);  // (4)
    if (wait_nanos > 0 && how == Reservation::kOnlyWithoutWaiting) break;
    next = std::max(paid, now_nanos) + CostNanos(bytes, rate);
    next = std::min(next, now_nanos + kWaitNanosMax);  // (4)
  } while (!ledger_.compare_exchange_weak(ledger, Ledger(next, SlotOf(ledger)),
                                          std::memory_order_acquire));
  if (at_rate != nullptr) *at_rate = rate;
  return (wait_nanos + kNanosPerMicro - 1) / kNanosPerMicro;
}

}  // namespace ROCKSDB_NAMESPACE::engine
