#include "tools/db_bench/report_agent.h"

#include <cinttypes>

#include "util/clock_wait.h"

namespace ROCKSDB_NAMESPACE::bench {

ReportAgent::ReportAgent(const std::string& path, uint64_t interval_seconds,
                         SystemClock* clock)
    : clock_(clock),
      interval_micros_(interval_seconds * 1000000),
      start_micros_(clock->NowMicros()),
      file_(std::fopen(path.c_str(), "w")) {
  if (file_ == nullptr) {
    std::perror(path.c_str());
    return;
  }
  std::fprintf(file_, "secs_elapsed,interval_qps\n");
  std::fflush(file_);
  thread_ = std::thread([this] { Loop(); });
}

ReportAgent::~ReportAgent() {
  if (file_ == nullptr) return;
  {
    engine::MutexLock lock(&mu_);
    stop_ = true;
    stop_changed_.SignalAll();
  }
  thread_.join();
  std::fclose(file_);
}

void ReportAgent::Loop() {
  uint64_t due = start_micros_ + interval_micros_;
  uint64_t reported = 0;
  engine::MutexLock lock(&mu_);
  while (!stop_) {
    if (clock_->NowMicros() < due) {
      engine::WaitOnClock(clock_, &stop_changed_, &mu_, due);
      continue;
    }
    const uint64_t done = done_.load(std::memory_order_relaxed);
    const uint64_t seconds =
        (clock_->NowMicros() - start_micros_ + 500000) / 1000000;
    std::fprintf(file_, "%" PRIu64 ",%" PRIu64 "\n", seconds, done - reported);
    std::fflush(file_);
    reported = done;
    due += interval_micros_;
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench
