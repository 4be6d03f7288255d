#include "env/io_budget_policy.h"

#include <algorithm>
#include <cassert>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Tokens per byte.
constexpr int64_t kMicro = int64_t{1000} * 1000;

// A terabyte per second: more than any device.
constexpr uint64_t kRateMax = uint64_t{1} << 40;

// Larger chunks and older debts than this do not exist.
constexpr uint64_t kBytesMax = uint64_t{1} << 32;

uint64_t StepFrom(uint64_t now_micros) {
  return now_micros + IoBudgetPolicy::kStepMicros;
}

}  // namespace

void IoBudgetPolicy::Bucket::SetRate(uint64_t bytes_per_second,
                                     uint64_t chunk_bytes,
                                     uint64_t now_micros) {
  Refill(now_micros);
  const bool was_limited = limited();
  rate_ = std::min(bytes_per_second, kRateMax);
  const uint64_t burst_bytes =
      std::clamp<uint64_t>(rate_ / (kMicro / kBurstMicros),
                           std::max<uint64_t>(1, chunk_bytes), kBytesMax);
  capacity_ = static_cast<int64_t>(burst_bytes) * kMicro;
  tokens_ = was_limited ? std::min(tokens_, capacity_) : capacity_;
  assert(tokens_ <= capacity_);  // (1)
  refilled_micros_ = now_micros;
}

void IoBudgetPolicy::Bucket::Refill(uint64_t now_micros) {
  // (3)
  if (limited() && now_micros > refilled_micros_ && tokens_ < capacity_) {
    const uint64_t elapsed = now_micros - refilled_micros_;
    const auto missing = static_cast<uint64_t>(capacity_ - tokens_);
    tokens_ = elapsed > missing / rate_
                  ? capacity_
                  : tokens_ + static_cast<int64_t>(rate_ * elapsed);
    assert(tokens_ <= capacity_);  // (1)
  }
  refilled_micros_ = now_micros;
}

uint64_t IoBudgetPolicy::Bucket::ReadyAt(uint64_t bytes,
                                         uint64_t now_micros) const {
  if (!limited()) return now_micros;
  const int64_t needed = std::min(
      capacity_, static_cast<int64_t>(std::min(bytes, kBytesMax)) * kMicro);
  if (tokens_ >= needed) return now_micros;
  const auto missing = static_cast<uint64_t>(needed - tokens_);
  return now_micros + (missing + rate_ - 1) / rate_;
}

void IoBudgetPolicy::Bucket::Take(uint64_t bytes) {
  if (!limited()) return;
  constexpr int64_t kDebtMax = static_cast<int64_t>(kBytesMax) * kMicro;
  tokens_ -= static_cast<int64_t>(std::min(bytes, kBytesMax)) * kMicro;
  tokens_ = std::max(tokens_, -kDebtMax);
}

void IoBudgetPolicy::SetBudget(const IoBudget& budget, uint64_t now_micros) {
  budget_ = budget;
  for (size_t i = 0; i < kIoClasses; ++i) {
    buckets_[i].SetRate(budget.bytes_per_second[i], budget.chunk_bytes,
                        now_micros);
  }
  runs_floor_.SetRate(budget.runs_floor_bytes_per_second, budget.chunk_bytes,
                      now_micros);
}

IoAnswer IoBudgetPolicy::Ask(Waiter* waiter, bool flush_writes,
                             uint64_t now_micros) {
  const IoClass io_class = waiter->io_class;
  Bucket& bucket = BucketOf(io_class);
  const bool held = Held(waiter, flush_writes, now_micros);
  if (!held && !bucket.limited()) {
    Forget(waiter);
    return {true, now_micros};
  }
  Join(waiter);
  if (QueueOf(io_class).front() != waiter) return {false, StepFrom(now_micros)};

  assert(waiter->queued_ && waiter->queued_as_ == io_class);
  bucket.Refill(now_micros);
  uint64_t ready = bucket.ReadyAt(waiter->bytes, now_micros);
  if (held) ready = std::max(ready, HeldUntil(*waiter, now_micros));
  if (ready > now_micros) {
    return {false, std::min(ready, StepFrom(now_micros))};
  }
  Take(*waiter);
  Forget(waiter);
  return {true, now_micros};
}

void IoBudgetPolicy::LetThrough(Waiter* waiter, uint64_t now_micros) {
  BucketOf(waiter->io_class).Refill(now_micros);
  Take(*waiter);
  Forget(waiter);
}

// What kRuns does while a flush writes comes out of its floor as well.
void IoBudgetPolicy::Take(const Waiter& waiter) {
  BucketOf(waiter.io_class).Take(waiter.bytes);
  if (waiter.held_ && waiter.io_class == IoClass::kRuns) {
    runs_floor_.Take(waiter.bytes);
  }
}

bool IoBudgetPolicy::Held(Waiter* waiter, bool flush_writes,
                          uint64_t now_micros) const {
  const bool held =
      budget_.flush_first && flush_writes && YieldsToFlushes(waiter->io_class);
  if (held && (!waiter->held_ || waiter->held_since_micros_ > now_micros)) {
    waiter->held_since_micros_ = now_micros;
  }
  waiter->held_ = held;
  return held;
}

uint64_t IoBudgetPolicy::HeldUntil(const Waiter& waiter, uint64_t now_micros) {
  assert(waiter.held_ && waiter.held_since_micros_ <= now_micros);
  uint64_t until = waiter.held_since_micros_ + kHoldMicrosMax;
  if (waiter.io_class == IoClass::kRuns && runs_floor_.limited()) {
    runs_floor_.Refill(now_micros);
    until = std::min(until, runs_floor_.ReadyAt(waiter.bytes, now_micros));
  }
  assert(until <= now_micros + kHoldMicrosMax);  // (2)
  return until;
}

// To the end of its class's queue, unless it stands there already.
void IoBudgetPolicy::Join(Waiter* waiter) {
  if (waiter->queued_ && waiter->queued_as_ == waiter->io_class) return;
  const bool held = waiter->held_;
  const uint64_t held_since_micros = waiter->held_since_micros_;
  Forget(waiter);
  waiter->held_ = held;
  waiter->held_since_micros_ = held_since_micros;
  QueueOf(waiter->io_class).push_back(waiter);  // May throw.
  waiter->queued_ = true;
  waiter->queued_as_ = waiter->io_class;
}

void IoBudgetPolicy::Forget(Waiter* waiter) {
  if (waiter->queued_) std::erase(QueueOf(waiter->queued_as_), waiter);
  waiter->queued_ = false;
  waiter->held_ = false;
}

size_t IoBudgetPolicy::waiting() const {
  size_t count = 0;
  for (const auto& queue : queues_) count += queue.size();
  return count;
}

}  // namespace ROCKSDB_NAMESPACE::engine
