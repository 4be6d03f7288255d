#include <algorithm>
#include <cmath>
#include <cstdio>

#include "db/tune/tuner.h"
#include "util/quantity_text.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

double Pct(double share) {
  return std::min(std::max(0.0, 100 * share), 9999.0);  // Always a number.
}

uint64_t Count(double count) {
  return count >= 1 ? static_cast<uint64_t>(std::min(count, 1e9)) : 0;
}

std::string Runs(int runs) {
  return CountText(static_cast<uint64_t>(std::max(runs, 0)), "sorted run");
}

std::string Level0(int files) {
  return CountText(static_cast<uint64_t>(std::max(files, 0)), "file") +
         " in L0";
}

std::string Debt(uint64_t bytes) {
  return bytes == 0 ? "no debt"
                    : BytesText(static_cast<double>(bytes)) + " of debt";
}

// The device is named when it is what the work waits for.
std::string Device(const TuningDecision& decision, const TuningView& view) {
  char text[80] = "";
  if (decision.limit == WriteLimit::kMemtables) {
    if (view.flush_wait_share >= 0.5) {
      std::snprintf(text, sizeof(text),
                    " and wait for the device %.0f %% of their time",
                    Pct(view.flush_wait_share));
    }
  } else if (view.capacity_bytes_per_second >= 1) {
    return "; the device is full at " +
           RateText(view.capacity_bytes_per_second);
  }
  return text;
}

// How the rate of writers that are paced by runs came about, and what would
// raise it.
std::string Because(const TuningView& view) {
  char text[300] = "";
  switch (view.rate_bound) {
    case RateBound::kUsual:
      return "they catch up, at more than what they usually write";
    case RateBound::kRunningFlush:
      return "memory is full until the running flush has ended; more or larger "
             "memtables would help";
    case RateBound::kRunningMerge:
      std::snprintf(text, sizeof(text),
                    "%llu when the running merge ends; a higher "
                    "level0_stop_writes_trigger would help",
                    static_cast<unsigned long long>(
                        Count(std::round(view.predicted_runs))));
      return text;
    case RateBound::kDebt:
      return "what is compacted, and " + Debt(view.debt_bytes) +
             " that may still grow for minutes; higher limits of pending "
             "compaction bytes would help";
    case RateBound::kPlan:
      break;
  }
  const std::string does =
      view.capacity_bytes_per_second >= 1
          ? "the device writes " + RateText(view.capacity_bytes_per_second)
          : "merges write " + RateText(view.merge_bytes_per_second);
  const uint64_t wanted =
      std::max<uint64_t>(1, Count(std::round(view.level_wanted)));
  char logs[48] = "";
  if (view.logged_per_byte >= 0.1) {
    std::snprintf(logs, sizeof(logs), "%.1f bytes of logs are synced and ",
                  std::min(view.logged_per_byte, 99.9));
  }
  std::snprintf(text, sizeof(text),
                "%s, and %s%.1f bytes are merged for each byte written to stay "
                "near %s; larger memtables or a higher "
                "level0_stop_writes_trigger would lower that",
                does.c_str(), logs,
                std::max(0.1, std::min(view.merged_per_byte, 99.9)),
                CountText(wanted, "file").c_str());
  return text;
}

void WhyNotLimited(const TuningDecision& decision, const TuningView& view,
                   char* out, size_t size) {
  const char* doing = decision.debt_jobs_max == 0 ? "deeper levels wait for L0"
                      : decision.flush_first ? "flushes go first on the device"
                                             : "compaction runs freely";
  // Memory bounds bursts only; it is worth a word when one is near.
  const double asked = view.offered_bytes_per_second;
  const double bound = static_cast<double>(decision.burst_bytes_per_second);
  std::string what = "Writes are not limited";
  if (bound > 0 && bound < 1.25 * asked) {
    what = "Only bursts over " + RateText(bound) + " are limited, by memory";
  }
  std::snprintf(out, size, "%s (%s asked): %s, %s; %s%s.", what.c_str(),
                RateText(asked).c_str(), Runs(view.sorted_runs).c_str(),
                Debt(view.debt_bytes).c_str(), doing,
                Device(decision, view).c_str());
}

}  // namespace

void Why(const TuningDecision& decision, const TuningView& view, char* out,
         size_t size) {
  if (decision.limit == WriteLimit::kNothing ||
      decision.pacing_bytes_per_second == 0) {
    return WhyNotLimited(decision, view, out, size);
  }
  const std::string paced =
      "Writes are paced at " +
      RateText(static_cast<double>(decision.pacing_bytes_per_second)) + " by ";
  const std::string device = Device(decision, view);
  switch (decision.limit) {
    case WriteLimit::kMemtables:
      std::snprintf(out, size,
                    "%smemory: %.0f %% of the memtable limit is unflushed, "
                    "flushes write %s%s.",
                    paced.c_str(), Pct(view.memory_share),
                    RateText(view.flush_bytes_per_second).c_str(),
                    device.c_str());
      return;
    case WriteLimit::kRuns:
      std::snprintf(out, size, "%ssorted runs: %s; %s.", paced.c_str(),
                    Level0(view.level0_files).c_str(), Because(view).c_str());
      return;
    default:
      break;
  }
  std::string foreseen;
  if (view.foreseen_debt_bytes > view.debt_bytes) {
    foreseen = ", " + BytesText(static_cast<double>(view.foreseen_debt_bytes)) +
               " foreseen";
  }
  std::snprintf(
      out, size, "%sdebt: %s to be compacted, %.0f %% of the hard limit%s%s.",
      paced.c_str(), BytesText(static_cast<double>(view.debt_bytes)).c_str(),
      Pct(view.debt_share), foreseen.c_str(), device.c_str());
}

}  // namespace ROCKSDB_NAMESPACE::engine
