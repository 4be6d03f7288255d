// Stats: what one thread of a workload did, merged and printed at its end.
//
// Place. Each thread counts its operations here; the main thread merges.
//
// Model. Without --histogram an operation costs two additions and a
// comparison; the clock is asked only when a progress report may be due.
// The printed lines are those that scripts for RocksDB's db_bench parse.
//
// Threads. One thread each, until merged.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/system_clock.h"
#include "tools/db_bench/report_agent.h"
#include "tools/db_bench/timeline.h"
#include "util/histogram.h"

namespace ROCKSDB_NAMESPACE::bench {

enum class OpType { kRead, kWrite, kDelete, kSeek, kMerge, kUpdate, kOther };
inline constexpr size_t kOpTypes = 7;

// Where the operations of all threads are counted while they run; both may be
// null.
struct LiveReports {
  ReportAgent* report = nullptr;
  Timeline* timeline = nullptr;
};

class Stats {
 public:
  void Start(int thread_id, SystemClock* clock, const LiveReports& live);
  void Stop();
  void Merge(const Stats& other);

  // The next operation starts now: what was waited before is not its time.
  void StartOp() {
    if (timed_) op_start_micros_ = clock_->NowMicros();
  }

  // `bytes` were read or written, keys and values.
  void AddBytes(uint64_t bytes) { bytes_ += bytes; }

  // `count` operations of `type` are done; `accepted_bytes` for the timeline.
  void FinishedOps(DB* db, uint64_t count, OpType type,
                   uint64_t accepted_bytes = 0);

  void AddMessage(const std::string& message);

  // "fillrandom   :  3.431 micros/op ..." and the histograms.
  void Report(const std::string& name) const;

  // Does not count in the merged result (the writer next to the readers).
  void ExcludeFromMerge() { excluded_ = true; }

  double OpsPerSecond() const;
  double MegabytesPerSecond() const;
  bool has_bytes() const { return bytes_ > 0; }

 private:
  void RecordLatency(OpType type, uint64_t count, uint64_t bytes);
  void Progress(DB* db);
  void IntervalReport(DB* db, uint64_t now);
  double ElapsedSeconds() const;

  int thread_id_ = 0;
  SystemClock* clock_ = nullptr;
  LiveReports live_;
  std::unique_ptr<Timeline::Recorder> recorder_;
  bool timed_ = false;
  bool excluded_ = false;

  uint64_t start_micros_ = 0;
  uint64_t finish_micros_ = 0;
  double seconds_ = 0;  // Of all merged threads together.
  uint64_t done_ = 0;
  uint64_t bytes_ = 0;
  uint64_t next_progress_ = 100;
  uint64_t op_start_micros_ = 0;
  uint64_t reported_micros_ = 0;
  uint64_t reported_done_ = 0;
  std::string message_;
  // Made with the first latency.
  std::array<std::shared_ptr<engine::Histogram>, kOpTypes> histograms_;
};

// The line after repeated runs: average, deviation and median.
class RepeatedStats {
 public:
  void Add(const Stats& stats);
  void Report(const std::string& name) const;
  // The average so far, printed after each run.
  void ReportSoFar(const std::string& name) const;

 private:
  // --confidence_interval_only
  void ReportInterval(const std::string& name) const;

  std::vector<double> ops_;
  std::vector<double> megabytes_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
