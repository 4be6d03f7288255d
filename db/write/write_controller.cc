#include "db/write/write_controller.h"

#include <algorithm>
#include <cassert>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr double kMicrosPerSecond = 1e6;

uint64_t BytesIn(uint64_t micros, uint64_t rate) {
  const double bytes = static_cast<double>(micros) / kMicrosPerSecond *
                       static_cast<double>(rate);
  return static_cast<uint64_t>(bytes + 0.999999);  // A started byte is earned.
}

uint64_t MicrosFor(uint64_t bytes, uint64_t rate) {
  assert(rate > 0);  // (1)
  return static_cast<uint64_t>(static_cast<double>(bytes) /
                               static_cast<double>(rate) * kMicrosPerSecond);
}

}  // namespace

void WriteController::Token::Reset() {
  if (controller_ == nullptr) return;
  [[maybe_unused]] const auto votes =
      controller_->CounterOf(vote_)->fetch_sub(1, std::memory_order_acq_rel);
  assert(votes > 0);
  controller_ = nullptr;
  vote_ = Vote::kNone;
}

WriteController::WriteController(uint64_t delayed_write_rate)
    : delayed_write_rate_(std::max<uint64_t>(delayed_write_rate, 1)),
      max_delayed_write_rate_(std::max<uint64_t>(delayed_write_rate, 1)) {}

WriteController::Counter* WriteController::CounterOf(Vote vote) {
  assert(vote != Vote::kNone);
  if (vote == Vote::kStop) return &stopped_;
  return vote == Vote::kDelay ? &delayed_ : &pressed_;
}

WriteController::Token WriteController::Stop() {
  stopped_.fetch_add(1, std::memory_order_acq_rel);
  return {this, Vote::kStop};
}

WriteController::Token WriteController::Delay(uint64_t delayed_write_rate) {
  set_delayed_write_rate(delayed_write_rate);
  MutexLock lock(&mu_);
  if (delayed_.fetch_add(1, std::memory_order_acq_rel) == 0) {  // (2)
    credit_bytes_ = 0;
    next_refill_micros_ = 0;
  }
  return {this, Vote::kDelay};
}

WriteController::Token WriteController::Pressure() {
  pressed_.fetch_add(1, std::memory_order_acq_rel);
  return {this, Vote::kPressure};
}

uint64_t WriteController::GetDelay(uint64_t now_micros, uint64_t bytes) {
  if (IsStopped() || !NeedsDelay()) return 0;

  const uint64_t rate = delayed_write_rate();
  MutexLock lock(&mu_);
  if (credit_bytes_ >= bytes) {
    credit_bytes_ -= bytes;
    return 0;
  }
  if (next_refill_micros_ == 0) next_refill_micros_ = now_micros;
  if (next_refill_micros_ <= now_micros) {
    // The refill that is due counts as a whole one, hence the extra period.
    const uint64_t elapsed =
        now_micros - next_refill_micros_ + kMicrosPerRefill;
    credit_bytes_ += BytesIn(elapsed, rate);
    next_refill_micros_ = now_micros + kMicrosPerRefill;
    if (credit_bytes_ >= bytes) {
      credit_bytes_ -= bytes;
      return 0;
    }
  }
  // The bytes that are missing are paid for by moving the next refill away.
  next_refill_micros_ += MicrosFor(bytes - credit_bytes_, rate);
  credit_bytes_ = 0;
  return std::max(next_refill_micros_ - now_micros, kMicrosPerRefill);
}

void WriteController::set_delayed_write_rate(uint64_t rate) {
  MutexLock lock(&mu_);  // (1)
  delayed_write_rate_.store(
      std::clamp<uint64_t>(rate, 1, max_delayed_write_rate()),
      std::memory_order_relaxed);
}

void WriteController::set_max_delayed_write_rate(uint64_t rate) {
  const uint64_t max = std::max<uint64_t>(rate, 1);
  MutexLock lock(&mu_);  // (1)
  max_delayed_write_rate_.store(max, std::memory_order_relaxed);
  delayed_write_rate_.store(max, std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE::engine
