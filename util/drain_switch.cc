#include "util/drain_switch.h"

#include <algorithm>
#include <limits>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

DrainDecision Decide(int64_t drained_pct, int64_t drained_high_pct) {
  if (drained_pct == 0) return DrainDecision::kHold;  // (2)
  const bool flush_waits = drained_high_pct >= kDrainLowWatermarkPct;
  if (drained_pct <= kDrainHighWatermarkPct && !flush_waits) {
    return DrainDecision::kEnable;
  }
  if (drained_pct >= kDrainHighWatermarkPct && flush_waits) {
    return DrainDecision::kDisable;
  }
  return DrainDecision::kHold;
}

}  // namespace

int64_t RefillIntervals(int64_t elapsed_us, int64_t refill_period_us) {
  if (elapsed_us <= 0 || refill_period_us <= 0) return 1;  // (1)
  return 1 + (elapsed_us - 1) / refill_period_us;
}

int64_t DrainedPct(int64_t drains, int64_t intervals) {
  const int64_t countable = std::clamp<int64_t>(drains, 0, kInt64Max / 200);
  return countable * 100 / std::max<int64_t>(intervals, 1);  // (1)
}

DrainVerdict DecideDrainSwitch(const DrainCounts& drains, int64_t elapsed_us,
                               int64_t refill_period_us) {
  DrainVerdict verdict;
  verdict.elapsed_intervals = RefillIntervals(elapsed_us, refill_period_us);
  verdict.drained_high_pct = DrainedPct(drains.high, verdict.elapsed_intervals);
  // Each share is rounded down by itself before they are added.
  verdict.drained_pct = verdict.drained_high_pct +
                        DrainedPct(drains.low, verdict.elapsed_intervals);
  verdict.decision = Decide(verdict.drained_pct, verdict.drained_high_pct);
  return verdict;
}

const char* DrainDecisionName(DrainDecision decision) {
  switch (decision) {
    case DrainDecision::kEnable:
      return "enable";
    case DrainDecision::kDisable:
      return "disable";
    case DrainDecision::kHold:
      break;
  }
  return "hold";
}

}  // namespace ROCKSDB_NAMESPACE::engine
