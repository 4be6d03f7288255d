#include <cstdio>

#include "db/tune/tuner.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

double Mega(double bytes) { return bytes / 1e6; }

}  // namespace

void Why(const TuningDecision& decision, const TuningView& view, char* out,
         size_t size) {
  const double asked = Mega(view.offered_bytes_per_second);
  const double paced =
      Mega(static_cast<double>(decision.pacing_bytes_per_second));
  // The device is named when it is what the work waits for.
  char device[80] = "";
  if (decision.limit == WriteLimit::kMemtables) {
    if (view.flush_wait_share >= 0.5) {
      std::snprintf(device, sizeof(device),
                    " and wait for the device %.0f %% of their time",
                    100 * view.flush_wait_share);
    }
  } else if (view.capacity_bytes_per_second > 0) {
    std::snprintf(device, sizeof(device), "; the device is full at %.1f MB/s",
                  Mega(view.capacity_bytes_per_second));
  }
  switch (decision.limit) {
    case WriteLimit::kMemtables:
      std::snprintf(out, size,
                    "Writes are paced at %.1f MB/s by memory: %.0f %% of the "
                    "memtable limit is unflushed, flushes write %.1f MB/s%s.",
                    paced, 100 * view.memory_share,
                    Mega(view.flush_bytes_per_second), device);
      return;
    case WriteLimit::kRuns:
      std::snprintf(out, size,
                    "Writes are paced at %.1f MB/s by sorted runs: %d files in "
                    "L0, %.0f when the running merge ends; merges make room "
                    "for %.1f MB/s%s.",
                    paced, view.level0_files, view.predicted_runs,
                    Mega(view.sustainable_bytes_per_second), device);
      return;
    case WriteLimit::kDebt: {
      char foreseen[64] = "";
      if (view.foreseen_debt_bytes > view.debt_bytes) {
        std::snprintf(foreseen, sizeof(foreseen), ", %.0f MB foreseen",
                      Mega(static_cast<double>(view.foreseen_debt_bytes)));
      }
      std::snprintf(out, size,
                    "Writes are paced at %.1f MB/s by debt: %.0f MB to be "
                    "compacted, %.0f %% of the hard limit%s%s.",
                    paced, Mega(static_cast<double>(view.debt_bytes)),
                    100 * view.debt_share, foreseen, device);
      return;
    }
    case WriteLimit::kNothing:
      break;
  }
  const char* doing = decision.debt_jobs_max == 0 ? "deeper levels wait for L0"
                      : decision.flush_first ? "flushes go first on the device"
                                             : "compaction runs freely";
  // Memory bounds bursts only; it is worth a word when one is near.
  char burst[64] = "Writes are not limited";
  const double bound =
      Mega(static_cast<double>(decision.burst_bytes_per_second));
  if (bound > 0 && bound < 1.25 * asked) {
    std::snprintf(burst, sizeof(burst),
                  "Only bursts over %.1f MB/s are limited, by memory", bound);
  }
  std::snprintf(out, size,
                "%s (%.1f MB/s asked): %d sorted runs, "
                "%.0f MB of debt; %s%s.",
                burst, asked, view.sorted_runs,
                Mega(static_cast<double>(view.debt_bytes)), doing, device);
}

}  // namespace ROCKSDB_NAMESPACE::engine
