#include "db/write/write_pacer.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint64_t kNanosPerMicro = 1000;
constexpr uint64_t kNanosPerSecond = 1000 * 1000 * 1000;
constexpr uint64_t kWaitNanosMax = WritePacer::kWaitMicrosMax * kNanosPerMicro;

}  // namespace

uint64_t WritePacer::CostNanos(uint64_t bytes, uint64_t bytes_per_second) {
  // 17 GB pass at once in one batch nowhere; this keeps the product in range.
  constexpr uint64_t kBytesMax = UINT64_MAX / kNanosPerSecond - 1;
  const uint64_t nanos = std::min(bytes, kBytesMax) * kNanosPerSecond;
  // Rounded to the nearest, so that small writes at high rates do not drift.
  const uint64_t half = std::min(bytes_per_second / 2, kNanosPerSecond);
  return std::min((nanos + half) / bytes_per_second, kWaitNanosMax);
}

uint64_t WritePacer::Rescale(uint64_t micros, uint64_t from_bytes_per_second,
                             uint64_t to_bytes_per_second) {
  if (to_bytes_per_second == 0) return 0;
  const double scaled = static_cast<double>(micros) *
                        static_cast<double>(from_bytes_per_second) /
                        static_cast<double>(to_bytes_per_second);
  return scaled >= static_cast<double>(kWaitMicrosMax)
             ? kWaitMicrosMax
             : static_cast<uint64_t>(scaled);
}

void WritePacer::SetRate(uint64_t bytes_per_second, uint64_t now_micros) {
  NoteTime(now_micros);
  const uint64_t old_rate =
      rate_.exchange(bytes_per_second, std::memory_order_relaxed);
  if (old_rate == bytes_per_second) return;
  const uint64_t now_nanos = now_micros * kNanosPerMicro;
  uint64_t paid = paid_until_nanos_.load(std::memory_order_relaxed);
  uint64_t moved = 0;
  do {
    const uint64_t owed = paid > now_nanos ? paid - now_nanos : 0;
    moved = old_rate == 0
                ? 0
                : now_nanos + Rescale(owed, old_rate, bytes_per_second);
  } while (!paid_until_nanos_.compare_exchange_weak(paid, moved,
                                                    std::memory_order_relaxed));
}

// A clock that was set back takes what is owed along; otherwise everybody would
// wait until it is as late again as it was.
void WritePacer::NoteTime(uint64_t now_micros) {
  uint64_t last = asked_micros_.load(std::memory_order_relaxed);
  if (now_micros + kClockJumpMicros >= last) {
    if (now_micros > last)
      asked_micros_.store(now_micros, std::memory_order_relaxed);
    return;
  }
  // Of those who notice, one corrects.
  if (!asked_micros_.compare_exchange_strong(last, now_micros,
                                             std::memory_order_relaxed))
    return;
  const uint64_t back_nanos = (last - now_micros) * kNanosPerMicro;
  uint64_t paid = paid_until_nanos_.load(std::memory_order_relaxed);
  while (!paid_until_nanos_.compare_exchange_weak(
      paid, paid > back_nanos ? paid - back_nanos : 0,
      std::memory_order_relaxed)) {
  }
}

uint64_t WritePacer::Reserve(uint64_t bytes, uint64_t now_micros,
                             Reservation how) {
  const uint64_t rate = rate_.load(std::memory_order_relaxed);
  if (rate == 0) return 0;
  NoteTime(now_micros);
  const uint64_t cost_nanos = CostNanos(bytes, rate);
  const uint64_t now_nanos = now_micros * kNanosPerMicro;
  const uint64_t free_nanos = now_nanos + kToleranceMicros * kNanosPerMicro;
  uint64_t paid = paid_until_nanos_.load(std::memory_order_relaxed);
  uint64_t wait_nanos = 0;
  uint64_t next = 0;
  do {
    wait_nanos = paid > free_nanos ? paid - free_nanos : 0;
    if (wait_nanos > 0 && how == Reservation::kOnlyWithoutWaiting) break;
    next = std::max(paid, now_nanos) + cost_nanos;
    next = std::min(next, now_nanos + kWaitNanosMax);
  } while (!paid_until_nanos_.compare_exchange_weak(paid, next,
                                                    std::memory_order_relaxed));
  return (wait_nanos + kNanosPerMicro - 1) / kNanosPerMicro;
}

}  // namespace ROCKSDB_NAMESPACE::engine
