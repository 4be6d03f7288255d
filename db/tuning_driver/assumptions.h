// Assumptions: what the tuner cannot take as it is given, and what it assumes
// instead, for LOG.
//
// Place. The driver shows it the signals of every tick, before the tuner sees
// them. The tuner bounds every number by itself; this only tells of it.
//
// Invariants:
//   (1) A cause is told once while it lasts, and again only after a minute
//       without it.
//   (2) Look() allocates nothing when there is nothing new to tell.
//
// Threads. One at a time.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "db/tune/signals.h"

namespace ROCKSDB_NAMESPACE::engine {

enum class Assumption : uint8_t {
  kClockBack,      // The time fell.
  kClockGap,       // Much time passed at once.
  kNotANumber,     // A signal is not finite.
  kTotalsFell,     // A total is less than it was.
  kNoRunsLimit,    // L0's limits are out of reach.
  kRunsLimits,     // They are zero, negative, or the wrong way round.
  kNoDebtLimit,    // Neither a soft nor a hard one.
  kDebtLimits,     // The soft one is not below the hard one.
  kNoMemoryLimit,  // A memtable of no size, or none at all.
  kOneMemtable,    // No room for a second one while the first is flushed.
  kNoCompaction,   // disable_auto_compactions.
  kCount,
};
inline constexpr size_t kAssumptions = static_cast<size_t>(Assumption::kCount);

class Assumptions {
 public:
  // Sentences that are new. The family is the first one they hold for.
  std::vector<std::string> Look(const LsmSignals& signals);

 private:
  // Not seen for so long: news again.
  static constexpr uint64_t kForgetTicks = 600;
  // More files than this in L0 are no limit.
  static constexpr int kRunsLimitMax = 10'000;

  void LookAtClock(const LsmSignals& signals);
  void LookAtTotals(const LsmSignals& signals);
  void LookAtFamily(const FamilySignals& family);
  // True if it is news.
  bool Hold(Assumption what);
  template <typename... Args>
  void Tell(Assumption what, const char* format, Args... args);

  std::array<uint64_t, kAssumptions> last_tick_{};  // 0: never.
  uint64_t tick_ = 0;
  uint64_t now_micros_ = 0;
  uint64_t accepted_bytes_ = 0;
  std::vector<std::string> news_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
