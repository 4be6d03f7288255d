// NoProgress: how long writes have been stopped while no job ran that could end
// the stop. Pure.
//
// Place. Asked once a second by db/db_impl/stall_watchdog.h.
//
// Model. It measures the time since the first check that found writes stopped
// and no job running, as long as every later check finds the same and no job
// has started in between. A warning is due after kPatienceMicros, then again
// every kRepeatMicros.

#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class NoProgress {
 public:
  static constexpr uint64_t kPatienceMicros = uint64_t{10} * 1000 * 1000;
  static constexpr uint64_t kRepeatMicros = uint64_t{60} * 1000 * 1000;

  // What one look has found. `jobs_started`: since the database was opened.
  struct Look {
    uint64_t now_micros = 0;
    bool stopped = false;
    bool job_runs = false;
    uint64_t jobs_started = 0;
  };

  // True: a warning is due.
  bool Observe(const Look& look) {
    const bool stuck = look.stopped && !look.job_runs;
    if (!stuck || !stuck_ || look.jobs_started != jobs_started_) {
      stuck_ = stuck;
      jobs_started_ = look.jobs_started;
      since_micros_ = look.now_micros;
      due_micros_ = look.now_micros + kPatienceMicros;
      return false;
    }
    if (look.now_micros < due_micros_) return false;
    due_micros_ = look.now_micros + kRepeatMicros;
    return true;
  }
  void Reset() { stuck_ = false; }

  // When writes were first seen without a job. REQUIRES: Observe() has just
  // returned true.
  uint64_t since_micros() const { return since_micros_; }

 private:
  bool stuck_ = false;
  uint64_t since_micros_ = 0;
  uint64_t due_micros_ = 0;
  uint64_t jobs_started_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
