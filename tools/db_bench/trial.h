// Trials of a write rate: is it sustained, and which rate comes next?
//
// Place. maxsustained samples a trial and asks here; no clock, no database.
//
// Model. A rate is sustained when a window of samples shows that writes were
// taken as asked, no write waited, memtables were free, and neither sorted runs
// nor the debt of compaction grow. Growth is the slope of the line fitted
// through the samples; it counts when it is both larger than the limit and
// larger than twice its own standard error, because runs and debt saw up and
// down as compactions end.
//
//   initial --> x factor while sustained --> bisect until within `precision`
//
// The search is after Pebble's write benchmark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

struct TrialSample {
  double seconds = 0;           // Since the window began.
  uint64_t accepted_bytes = 0;  // Since the window began.
  uint64_t stall_micros = 0;    // Since the window began.
  std::optional<uint64_t> sorted_runs;
  std::optional<uint64_t> pending_bytes;
  std::optional<uint64_t> unflushed_memtables;
  bool stalled = false;  // Writes are stopped or delayed now.
  std::string stall_cause = "none";
};

struct TrialLimits {
  double accepted_share = 0.99;
  // A memtable that is sealed lets a writer wait for microseconds.
  double stall_share = 0.001;
  double runs_growth = 4;     // In a window.
  double debt_growth = 0.25;  // Bytes of debt per byte accepted.
  // Below it debt is what a tree that keeps up owes at any moment.
  uint64_t debt_floor_bytes = 0;
  uint64_t memtables_max = 2;  // Sealed and active.
};

struct Slope {
  double per_second = 0;
  double standard_error = 0;
};

// The line through (x, y); no slope through fewer than three points.
Slope FitLine(const std::vector<double>& x, const std::vector<double>& y);

struct TrialVerdict {
  bool sustained = false;
  // "memtables", "runs", "debt" or "device"; empty when sustained.
  std::string bound;
  std::string why;  // The bound in words, with its figures.
  double accepted_share = 0;
  double stall_share = 0;
  double runs_mean = 0;
  double runs_growth = 0;  // In the window, along the fitted line.
  double debt_mean = 0;
  double debt_growth = 0;     // Bytes per byte accepted.
  double memtables_mean = 0;  // Sealed and active.
};

TrialVerdict JudgeTrial(uint64_t asked_bytes_per_second,
                        const std::vector<TrialSample>& samples,
                        const TrialLimits& limits);

class RateSearch {
 public:
  struct Settings {
    double initial = 8e6;
    double factor = 1.5;
    double precision = 1.05;
    double least = 1e5;  // Below, nothing is sustained.
    double most = 1e10;
  };

  explicit RateSearch(const Settings& settings)
      : settings_(settings), next_(settings.initial) {}

  bool done() const { return done_; }
  // The rate to try.
  double next() const { return next_; }
  void Report(bool sustained);

  // The highest rate that was sustained, 0 if none was.
  double best() const { return best_; }
  // The lowest that was not, 0 if all were.
  double failed() const { return failed_; }

 private:
  const Settings settings_;
  double next_;
  double best_ = 0;
  double failed_ = 0;
  bool done_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::bench
