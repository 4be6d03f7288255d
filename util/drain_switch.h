// The drain switch: should compactions stop, to leave the disk to flushes?
//
// Place. Pure arithmetic for util/rate_limiter, which counts the drains.
// Called once per tuning period instead of the limiter's own rate tuning.
//
// Model. A drain is a refill interval in which a request had to wait because
// the tokens were gone. It is counted once, for the priority of the request
// that found the bucket empty first: high (flush, user) or low (everything
// else).
//
//   H = high drains * 100 / intervals      D = H + low drains * 100 / intervals
//
//            D = 0       0 < D < 90       D = 90       D > 90
//   H < 50   hold        enable           enable       hold
//   H >= 50  (no case)   hold             disable      disable
//
// What the law does not see, on purpose (it is reproduced, not improved):
//   - D = 0 holds: with compaction off and flushes below the limit, or with no
//     writes at all, compaction stays off.
//   - It knows no file count, no pending bytes and no time limit.
//
// Invariants:
//   (1) Any input gives an answer: no division by zero, no overflow.
//   (2) A drain count of 0 never changes the state.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// Drains since the last decision.
struct DrainCounts {
  int64_t high = 0;
  int64_t low = 0;
};

enum class DrainDecision : uint8_t { kHold, kEnable, kDisable };

struct DrainVerdict {
  int64_t elapsed_intervals = 0;
  int64_t drained_pct = 0;       // D
  int64_t drained_high_pct = 0;  // H
  DrainDecision decision = DrainDecision::kHold;
};

inline constexpr int64_t kDrainLowWatermarkPct = 50;
inline constexpr int64_t kDrainHighWatermarkPct = 90;

// Started intervals in `elapsed_us`; at least 1.
int64_t RefillIntervals(int64_t elapsed_us, int64_t refill_period_us);

// `drains` of `intervals` in whole percent, rounded down.
int64_t DrainedPct(int64_t drains, int64_t intervals);

DrainVerdict DecideDrainSwitch(const DrainCounts& drains, int64_t elapsed_us,
                               int64_t refill_period_us);

// "hold", "enable" or "disable".
const char* DrainDecisionName(DrainDecision decision);

}  // namespace ROCKSDB_NAMESPACE::engine
