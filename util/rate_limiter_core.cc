#include "util/rate_limiter_core.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr int64_t kBytesMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMicrosPerSecond = int64_t{1000} * 1000;
constexpr int64_t kAdjustPct = 5;
constexpr int64_t kAllowedRangeFactor = 20;

}  // namespace

int64_t TunedBytesPerSecond(int64_t bytes_per_second, int64_t max,
                            int64_t drained_pct) {
  const int64_t floor = max / kAllowedRangeFactor;
  if (drained_pct == 0) return floor;
  if (drained_pct < kDrainLowWatermarkPct) {
    const int64_t base = std::min(bytes_per_second, kBytesMax / 100);
    return std::max(floor, base * 100 / (100 + kAdjustPct));
  }
  if (drained_pct > kDrainHighWatermarkPct) {
    const int64_t base =
        std::min(bytes_per_second, kBytesMax / (100 + kAdjustPct));
    return std::min(max, base * (100 + kAdjustPct) / 100);
  }
  return bytes_per_second;
}

RateLimiterCore::RateLimiterCore(const Options& options, int64_t now_us)
    : refill_period_us_(std::max<int64_t>(options.refill_period_us, 1)),
      fairness_(std::clamp(options.fairness, 1, 100)),
      auto_tuned_(options.auto_tuned),
      max_bytes_per_second_(options.bytes_per_second),
      bytes_per_second_(options.auto_tuned ? options.bytes_per_second / 2
                                           : options.bytes_per_second),
      refill_bytes_(RefillBytes(bytes_per_second_, refill_period_us_)),
      single_burst_bytes_(options.single_burst_bytes),
      next_refill_us_(now_us),
      tuned_us_(now_us),
      random_(options.seed) {}

int64_t RateLimiterCore::RefillBytes(int64_t bytes_per_second,
                                     int64_t period_us) {
  // A rate near the end of int64 means "no limit": keep it one.
  const int64_t bytes = bytes_per_second > kBytesMax / period_us
                            ? kBytesMax / kMicrosPerSecond
                            : bytes_per_second * period_us / kMicrosPerSecond;
  // With less than one byte per refill no request would ever be granted.
  return std::max<int64_t>(bytes, 1);
}

RateLimiterCore::Step RateLimiterCore::Arrive(Waiter* waiter, int64_t now_us) {
  ++requests_[waiter->priority];
  const int64_t taken = std::min(available_bytes_, waiter->bytes_left);
  available_bytes_ -= taken;
  bytes_through_[waiter->priority] += taken;
  waiter->bytes_left -= taken;
  if (waiter->bytes_left == 0) return {};
  assert(taken == 0 || queues_[waiter->priority].empty());  // (3)
  queues_[waiter->priority].push_back(waiter);
  return Continue(waiter, now_us);
}

RateLimiterCore::Step RateLimiterCore::Continue(Waiter* waiter,
                                                int64_t now_us) {
  if (leader_ == waiter) leader_ = nullptr;
  while (waiter->bytes_left > 0) {
    if (now_us >= next_refill_us_) {
      Refill(now_us);
      std::erase(granted_, waiter);
      continue;
    }
    if (leader_ != nullptr) return {Step::kSleepTillSignal, 0, false};  // (2)
    leader_ = waiter;
    Step step{Step::kSleepUntil, next_refill_us_, false};
    CountDrain(waiter->priority, &step);
    return step;
  }
  return {};
}

RateLimiterCore::Waiter* RateLimiterCore::Leave(Waiter* waiter) {
  if (leader_ == waiter) leader_ = nullptr;
  // Only a request that gives up (shutdown) is still queued.
  if (waiter->bytes_left > 0) std::erase(queues_[waiter->priority], waiter);
  if (leader_ != nullptr) return nullptr;
  for (int p = kPriorities - 1; p >= 0; --p) {
    if (!queues_[p].empty()) return queues_[p].front();
  }
  return nullptr;
}

void RateLimiterCore::CountDrain(Priority priority, Step* step) {
  if (drained_refill_us_ == next_refill_us_) return;  // (2)
  drained_refill_us_ = next_refill_us_;
  step->drained = true;
  if (priority == kHigh || priority == kUser) {
    ++drains_.high;
  } else {
    ++drains_.low;
  }
}

void RateLimiterCore::Refill(int64_t now_us) {
  next_refill_us_ = now_us + refill_period_us_;
  available_bytes_ = refill_bytes_;
  Priority order[kPriorities];
  ServingOrder(order);
  for (const Priority priority : order) GrantFrom(priority);
  assert(available_bytes_ >= 0 && available_bytes_ <= refill_bytes_);  // (1)
}

void RateLimiterCore::ServingOrder(Priority order[kPriorities]) {
  // Both dice are thrown at every refill, so one never shifts the other.
  const auto odds = static_cast<uint64_t>(fairness_);
  const bool high_last = random_.OneIn(odds);
  const bool mid_last = random_.OneIn(odds);
  int n = 0;
  order[n++] = kUser;
  if (!high_last) order[n++] = kHigh;
  order[n++] = mid_last ? kLow : kMid;
  order[n++] = mid_last ? kMid : kLow;
  if (high_last) order[n++] = kHigh;
  assert(n == kPriorities);
}

void RateLimiterCore::GrantFrom(Priority priority) {
  std::list<Waiter*>& queue = queues_[priority];
  while (!queue.empty() && available_bytes_ > 0) {
    Waiter* const head = queue.front();
    const int64_t taken = std::min(available_bytes_, head->bytes_left);
    available_bytes_ -= taken;
    bytes_through_[priority] += taken;
    head->bytes_left -= taken;
    if (head->bytes_left > 0) return;  // (3)
    granted_.splice(granted_.end(), queue, queue.begin());
  }
}

bool RateLimiterCore::TuneDue(int64_t now_us) const {
  return auto_tuned_ &&
         now_us - tuned_us_ >= kRefillsPerTune * refill_period_us_;
}

int64_t RateLimiterCore::RestartPeriod(int64_t now_us) {
  const int64_t elapsed_us = now_us - tuned_us_;
  tuned_us_ = now_us;
  drains_ = {};
  return elapsed_us;
}

void RateLimiterCore::TuneRate(int64_t now_us) {
  const int64_t drains = drains_.high + drains_.low;
  const int64_t elapsed_us = RestartPeriod(now_us);
  const int64_t pct =
      DrainedPct(drains, RefillIntervals(elapsed_us, refill_period_us_));
  SetBytesPerSecond(
      TunedBytesPerSecond(bytes_per_second_, max_bytes_per_second_, pct));
}

DrainVerdict RateLimiterCore::TuneCompaction(int64_t now_us) {
  const DrainCounts drains = drains_;
  return DecideDrainSwitch(drains, RestartPeriod(now_us), refill_period_us_);
}

void RateLimiterCore::SetBytesPerSecond(int64_t bytes_per_second) {
  bytes_per_second_ = std::max<int64_t>(bytes_per_second, 1);
  refill_bytes_ = RefillBytes(bytes_per_second_, refill_period_us_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
