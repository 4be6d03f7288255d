#include "tools/db_bench/generator.h"

#include <algorithm>
#include <utility>

#include "tools/db_bench/units.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr uint64_t kBurstMicros = uint64_t{20} * 1000;  // Of a held rate.
constexpr uint64_t kCatchUpMicros = kMicrosPerSecond;

}  // namespace

WriteGenerator::WriteGenerator(uint64_t bytes_per_second, SystemClock* clock,
                               std::unique_ptr<RateLimiter> limiter)
    : WriteGenerator(LoadShape::Fixed(bytes_per_second), 0, clock,
                     std::move(limiter)) {}

WriteGenerator::WriteGenerator(LoadShape shape, uint64_t step_micros,
                               SystemClock* clock,
                               std::unique_ptr<RateLimiter> limiter,
                               const WritePause& pause)
    : shape_(std::move(shape)),
      step_micros_(step_micros),
      clock_(clock),
      start_micros_(clock->NowMicros()),
      limiter_(std::move(limiter)),
      catch_up_(pause, shape_, static_cast<double>(step_micros) / 1e6) {
  SetLimiter(RateOf(0));
}

double WriteGenerator::ElapsedSeconds() const {
  return static_cast<double>(clock_->NowMicros() - start_micros_) / 1e6;
}

uint64_t WriteGenerator::Step() const {
  if (step_micros_ == 0) return 0;
  return (clock_->NowMicros() - start_micros_) / step_micros_;
}

uint64_t WriteGenerator::RateOf(uint64_t step) const {
  return shape_.At(static_cast<double>(step * step_micros_) / 1e6);
}

void WriteGenerator::SetLimiter(uint64_t bytes_per_second) {
  limiter_->SetBytesPerSecond(
      static_cast<int64_t>(std::max<uint64_t>(bytes_per_second, 1)));
}

uint64_t WriteGenerator::BytesPerSecond() const {
  const uint64_t held = held_.load(std::memory_order_relaxed);
  if (held != kNotHeld) return held;
  return catch_up_.Pauses(ElapsedSeconds()) ? 0 : RateOf(Step());
}

void WriteGenerator::Hold(uint64_t bytes_per_second) {
  next_date_.store(clock_->NowMicros(), std::memory_order_relaxed);
  held_.store(bytes_per_second, std::memory_order_relaxed);
}

bool WriteGenerator::WaitForDate(int64_t bytes, uint64_t rate) {
  const uint64_t now = clock_->NowMicros();
  if (rate > 0) {
    const uint64_t cost =
        static_cast<uint64_t>(bytes) * kMicrosPerSecond / rate;
    const uint64_t latest = now - std::min(now, kCatchUpMicros);
    uint64_t date = next_date_.load(std::memory_order_relaxed);
    while (!next_date_.compare_exchange_weak(date,
                                             std::max(date, latest) + cost)) {
    }
    date = std::max(date, latest);
    const uint64_t due =
        (date + kBurstMicros - 1) / kBurstMicros * kBurstMicros;
    for (uint64_t t = now; t < due; t = clock_->NowMicros()) {
      if (held_.load(std::memory_order_relaxed) != rate) return false;
      clock_->SleepForMicroseconds(
          static_cast<int>(std::min(due - t, kBurstMicros)));
    }
    return true;
  }
  clock_->SleepForMicroseconds(static_cast<int>(kBurstMicros));
  return false;
}

void WriteGenerator::FollowTheShape() {
  const uint64_t step = Step();
  uint64_t applied = applied_step_.load(std::memory_order_relaxed);
  // The first writer in a new step sets the limiter's rate.
  if (step > applied && applied_step_.compare_exchange_strong(applied, step)) {
    SetLimiter(RateOf(step));
  }
}

bool WriteGenerator::MakesUp(int64_t bytes) {
  while (catch_up_.Pauses(ElapsedSeconds())) {
    clock_->SleepForMicroseconds(static_cast<int>(kBurstMicros));
  }
  return catch_up_.Takes(ElapsedSeconds(), static_cast<uint64_t>(bytes));
}

void WriteGenerator::Request(int64_t bytes) {
  if (catch_up_.pending() && MakesUp(bytes)) return;
  // More than a refill is asked for in parts, or the rest of a large write
  // would be granted at the rate of an old step, or before a rate was held.
  while (bytes > 0) {
    const uint64_t rate = held_.load(std::memory_order_relaxed);
    if (rate != kNotHeld) {
      if (WaitForDate(bytes, rate)) return;
      continue;
    }
    FollowTheShape();
    const int64_t part = std::min(bytes, limiter_->GetSingleBurstBytes());
    limiter_->Request(part, Env::IO_HIGH, nullptr, RateLimiter::OpType::kWrite);
    bytes -= part;
  }
}

std::unique_ptr<RateLimiter> NewGeneratorLimiter(uint64_t bytes_per_second) {
  return std::unique_ptr<RateLimiter>(NewGenericRateLimiter(
      static_cast<int64_t>(std::max<uint64_t>(bytes_per_second, 1))));
}

}  // namespace ROCKSDB_NAMESPACE::bench
