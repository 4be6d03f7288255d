// ReportAgent: operations per interval as CSV, by the wall clock.
//
// Model. One thread writes "secs_elapsed,interval_qps" rows every interval; a
// stalled writer shows as zeros, because no operation has to end for a row.
//
// Threads. FinishedOps from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>

#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::bench {

class ReportAgent {
 public:
  // Starts the thread. `ok()` tells whether the file could be made.
  ReportAgent(const std::string& path, uint64_t interval_seconds,
              SystemClock* clock);
  ~ReportAgent();
  ReportAgent(const ReportAgent&) = delete;
  ReportAgent& operator=(const ReportAgent&) = delete;

  bool ok() const { return file_ != nullptr; }
  void FinishedOps(uint64_t count) {
    done_.fetch_add(count, std::memory_order_relaxed);
  }

 private:
  void Loop();

  SystemClock* const clock_;
  const uint64_t interval_micros_;
  const uint64_t start_micros_;
  std::FILE* file_;
  std::atomic<uint64_t> done_{0};
  engine::Mutex mu_;
  engine::CondVar stop_changed_;
  bool stop_ GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
