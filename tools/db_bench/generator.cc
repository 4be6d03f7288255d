#include "tools/db_bench/generator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ROCKSDB_NAMESPACE::bench {

uint64_t SineLaw::At(double seconds) const {
  const double rate = a * std::sin(b * seconds + c) + d;
  return rate > 1 ? static_cast<uint64_t>(rate) : 1;
}

WriteGenerator::WriteGenerator(uint64_t bytes_per_second, SystemClock* clock,
                               std::unique_ptr<RateLimiter> limiter)
    : WriteGenerator(SineLaw{0, 1, 0, static_cast<double>(bytes_per_second)}, 0,
                     clock, std::move(limiter)) {}

WriteGenerator::WriteGenerator(const SineLaw& law, uint64_t step_micros,
                               SystemClock* clock,
                               std::unique_ptr<RateLimiter> limiter)
    : law_(law),
      step_micros_(step_micros),
      clock_(clock),
      start_micros_(clock->NowMicros()),
      limiter_(std::move(limiter)) {
  limiter_->SetBytesPerSecond(static_cast<int64_t>(RateOf(0)));
}

uint64_t WriteGenerator::Step() const {
  if (step_micros_ == 0) return 0;
  return (clock_->NowMicros() - start_micros_) / step_micros_;
}

uint64_t WriteGenerator::RateOf(uint64_t step) const {
  return law_.At(static_cast<double>(step * step_micros_) / 1e6);
}

uint64_t WriteGenerator::BytesPerSecond() const { return RateOf(Step()); }

void WriteGenerator::Request(int64_t bytes) {
  const uint64_t step = Step();
  uint64_t applied = applied_step_.load(std::memory_order_relaxed);
  // Whoever first comes in a new step tells the limiter.
  if (step > applied && applied_step_.compare_exchange_strong(applied, step)) {
    limiter_->SetBytesPerSecond(static_cast<int64_t>(RateOf(step)));
  }
  // More than a refill is asked for in parts, or the rest of a large write
  // would be granted at the rate of an old step.
  while (bytes > 0) {
    const int64_t part = std::min(bytes, limiter_->GetSingleBurstBytes());
    limiter_->Request(part, Env::IO_HIGH, nullptr, RateLimiter::OpType::kWrite);
    bytes -= part;
  }
}

std::unique_ptr<RateLimiter> NewGeneratorLimiter(uint64_t bytes_per_second) {
  return std::unique_ptr<RateLimiter>(
      NewGenericRateLimiter(static_cast<int64_t>(bytes_per_second)));
}

}  // namespace ROCKSDB_NAMESPACE::bench
