#include "tools/db_bench/catch_up.h"

namespace ROCKSDB_NAMESPACE::bench {

CatchUp::CatchUp(const WritePause& pause, const LoadShape& shape,
                 double step_seconds)
    : pause_(pause),
      shape_(shape),
      step_seconds_(step_seconds),
      done_(pause.seconds <= 0) {}

bool CatchUp::Takes(double seconds, uint64_t bytes) {
  if (!pending() || seconds < end_seconds()) return false;
  const auto written = static_cast<double>(written_.fetch_add(bytes) + bytes);
  if (written <= asked_.load(std::memory_order_relaxed)) return true;
  // What is asked for only grows, so it is summed up only when it is reached.
  const double asked =
      shape_.Total(pause_.from_seconds, seconds, step_seconds_);
  asked_.store(asked, std::memory_order_relaxed);
  if (written <= asked) return true;
  done_.store(true, std::memory_order_relaxed);
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::bench
