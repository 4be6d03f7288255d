#include "tools/db_bench/generator.h"

#include <algorithm>
#include <utility>

namespace ROCKSDB_NAMESPACE::bench {

WriteGenerator::WriteGenerator(uint64_t bytes_per_second, SystemClock* clock,
                               std::unique_ptr<RateLimiter> limiter)
    : WriteGenerator(LoadShape::Fixed(bytes_per_second), 0, clock,
                     std::move(limiter)) {}

WriteGenerator::WriteGenerator(LoadShape shape, uint64_t step_micros,
                               SystemClock* clock,
                               std::unique_ptr<RateLimiter> limiter)
    : shape_(std::move(shape)),
      step_micros_(step_micros),
      clock_(clock),
      start_micros_(clock->NowMicros()),
      limiter_(std::move(limiter)) {
  SetLimiter(RateOf(0));
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
  return held == kNotHeld ? RateOf(Step()) : held;
}

void WriteGenerator::Hold(uint64_t bytes_per_second) {
  held_.store(bytes_per_second, std::memory_order_relaxed);
  SetLimiter(bytes_per_second);
}

void WriteGenerator::FollowTheShape() {
  if (held_.load(std::memory_order_relaxed) != kNotHeld) return;
  const uint64_t step = Step();
  uint64_t applied = applied_step_.load(std::memory_order_relaxed);
  // Whoever first comes in a new step tells the limiter.
  if (step > applied && applied_step_.compare_exchange_strong(applied, step)) {
    SetLimiter(RateOf(step));
  }
}

void WriteGenerator::Request(int64_t bytes) {
  // More than a refill is asked for in parts, or the rest of a large write
  // would be granted at the rate of an old step.
  while (bytes > 0) {
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
