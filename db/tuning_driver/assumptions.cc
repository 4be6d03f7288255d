#include "db/tuning_driver/assumptions.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// As in db/tune/estimates.h: a longer tick teaches nothing.
constexpr double kGapMaxSecs = 5;

unsigned long long Wide(uint64_t x) { return x; }

}  // namespace

bool Assumptions::Hold(Assumption what) {
  assert(what < Assumption::kCount);
  uint64_t& last = last_tick_[static_cast<size_t>(what)];
  assert(last <= tick_ && tick_ > 0);
  const bool news = last == 0 || tick_ - last > kForgetTicks;  // (1)
  last = tick_;
  return news;
}

template <typename... Args>
void Assumptions::Tell(Assumption what, const char* format, Args... args) {
  if (!Hold(what)) return;  // (2)
  if constexpr (sizeof...(args) == 0) {
    news_.emplace_back(format);
  } else {
    char text[300];
    std::snprintf(text, sizeof(text), format, args...);
    news_.emplace_back(text);
  }
}

std::vector<std::string> Assumptions::Look(const LsmSignals& signals) {
  assert(news_.empty());
  ++tick_;
  LookAtClock(signals);
  LookAtTotals(signals);
  for (const FamilySignals& family : signals.families) LookAtFamily(family);
  now_micros_ = signals.now_micros;
  accepted_bytes_ = signals.accepted_bytes;
  return std::exchange(news_, {});
}

void Assumptions::LookAtClock(const LsmSignals& signals) {
  if (now_micros_ == 0) return;
  if (signals.now_micros < now_micros_) {
    Tell(Assumption::kClockBack,
         "the clock went back by %.1f s: nothing is learnt from this tick, "
         "what was learnt before holds",
         static_cast<double>(now_micros_ - signals.now_micros) / 1e6);
    return;
  }
  const double secs =
      static_cast<double>(signals.now_micros - now_micros_) / 1e6;
  if (secs <= kGapMaxSecs) return;
  Tell(Assumption::kClockGap,
       "%.1f s passed between two ticks: taken as a jump of the clock, what "
       "was learnt before holds",
       secs);
}

void Assumptions::LookAtTotals(const LsmSignals& signals) {
  if (signals.accepted_bytes < accepted_bytes_) {  // signals.h (1)
    Tell(Assumption::kTotalsFell,
         "the bytes written fell from %llu to %llu: counted from there on, as "
         "nothing for this tick",
         Wide(accepted_bytes_), Wide(signals.accepted_bytes));
  }
  if (!std::isfinite(signals.neighbours.need)) {
    Tell(Assumption::kNotANumber,
         "the need of the other databases on the device is no number: taken "
         "as none");
  }
}

void Assumptions::LookAtFamily(const FamilySignals& f) {
  if (!f.auto_compactions) {
    Tell(Assumption::kNoCompaction,
         "column family %u has disable_auto_compactions: its sorted runs and "
         "its debt only grow, and no tuning changes that",
         f.id);
  }
  if (f.level0_slowdown < 1 || f.level0_stop < f.level0_slowdown) {
    const int stop = std::max(1, f.level0_stop);
    Tell(Assumption::kRunsLimits,
         "level0_slowdown_writes_trigger=%d and level0_stop_writes_trigger=%d "
         "of column family %u: taken as %d and %d",
         f.level0_slowdown, f.level0_stop, f.id,
         std::clamp(f.level0_slowdown, 1, stop), stop);
  } else if (f.level0_slowdown > kRunsLimitMax) {
    Tell(Assumption::kNoRunsLimit,
         "level0_slowdown_writes_trigger=%d of column family %u: taken as no "
         "limit, so sorted runs do not slow writers",
         f.level0_slowdown, f.id);
  }
  if (f.soft_debt_bytes == 0 && f.hard_debt_bytes == 0) {
    Tell(Assumption::kNoDebtLimit,
         "column family %u has no limit of pending compaction bytes: debt "
         "does not slow writers",
         f.id);
  } else if (f.hard_debt_bytes > 0 && f.soft_debt_bytes >= f.hard_debt_bytes) {
    Tell(Assumption::kDebtLimits,
         "soft_pending_compaction_bytes_limit=%llu of column family %u is not "
         "below the hard limit %llu: writes are paced only when the hard limit "
         "is reached",
         Wide(f.soft_debt_bytes), f.id, Wide(f.hard_debt_bytes));
  }
  if (f.write_buffer_bytes == 0 || f.max_write_buffers < 1) {
    Tell(Assumption::kNoMemoryLimit,
         "column family %u has no memory for memtables (%llu bytes, %d "
         "memtables): any unflushed byte counts as the limit",
         f.id, Wide(f.write_buffer_bytes), f.max_write_buffers);
  } else if (f.max_write_buffers == 1) {
    Tell(Assumption::kOneMemtable,
         "column family %u may have one memtable only: writes wait for every "
         "flush",
         f.id);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
