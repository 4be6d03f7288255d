// Timeline: load and engine, one JSON object per line and second.
//
// Place. --timeline_file; read by the sine page. A wall-clock thread asks the
// database for properties and tickers, so it sees stalls while they last.
//
// Bytes. Keys of a line; rates in bytes per second, times in microseconds,
// *_bytes counts of this second, null where unknown:
//
//   t                        seconds since the workload began
//   requested_bps            the rate the generator holds
//   accepted_bytes, ops      writes that were acknowledged, key and value
//   flush_write_bytes, compaction_write_bytes, compaction_read_bytes
//   l0_files, sorted_runs, pending_bytes
//   immutable_memtables, unflushed_bytes  the latter with the active memtable
//   stall                    "normal", "delayed" or "stopped"
//   stall_cause, stall_us    why, and how long writers waited this second
//   pacing_bps               what writers are held to, null when to nothing
//   limiter_bps              the engine's rate limiter
//   tuner                    null or {mode, decision, reason, limit, why,
//                            compaction, at_us, new, capacity_bps,
//                            debt_bytes}: "new" if decided since the last
//                            line; what limits writes as a word and in words
//   io                       null without an io_scheduler, else {class: {bytes,
//                            ops, wait_us, disk_us}} of this second
//   put_us, put_intended_us  {p50, p99, p999, max}: from the start of the call
//                            and from the moment it was meant to start
//
// Model. While a call is late, the writes the generator would have started
// cannot start. The intended latencies count them: a call of length L at one
// write per i stands for writes that waited L, L-i, L-2i, ... each.
//
// Threads. Each writer has a Recorder; the timeline's thread collects them.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "tools/db_bench/engine_state.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::bench {

// Latencies within 6 % of their value, cheap to clear once a second.
class LatencyCounts {
 public:
  void Add(uint64_t micros, uint64_t times = 1) {
    counts_[Slot(micros)] += times;
    total_ += times;
    if (micros > max_) max_ = micros;
  }
  void Merge(const LatencyCounts& other);
  void Clear() { *this = LatencyCounts(); }

  // The smallest value that `percent` of all do not exceed; 0 when empty.
  uint64_t Percentile(double percent) const;
  uint64_t max() const { return max_; }
  uint64_t total() const { return total_; }

 private:
  // Each power of two is cut into 16.
  static constexpr size_t kSlots = size_t{61} * 16;
  static size_t Slot(uint64_t micros);
  static uint64_t UpperEnd(size_t slot);

  std::array<uint64_t, kSlots> counts_{};
  uint64_t total_ = 0;
  uint64_t max_ = 0;
};

class Timeline {
 public:
  struct Sources {
    DB* db = nullptr;
    Statistics* statistics = nullptr;
    RateLimiter* limiter = nullptr;  // May be null.
    // The rate the generator holds; 0: none.
    std::function<uint64_t()> requested_bps;
    SystemClock* clock = nullptr;
  };

  // One writer's part. Ends before the timeline.
  class Recorder {
   public:
    explicit Recorder(Timeline* timeline) : timeline_(timeline) {}
    ~Recorder();
    void Record(uint64_t micros, uint64_t ops, uint64_t bytes);

   private:
    friend class Timeline;
    // What was recorded since the last line.
    struct Second {
      LatencyCounts stock;
      LatencyCounts intended;
      uint64_t ops = 0;
      uint64_t bytes = 0;
    };

    Timeline* const timeline_;
    engine::SpinMutex mu_;
    Second second_ GUARDED_BY(mu_);
  };

  Timeline(std::FILE* file, Sources sources);
  // A second that is not over is not written. `file` stays open.
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  std::unique_ptr<Recorder> NewRecorder();

 private:
  struct Tickers {
    uint64_t flush_write = 0;
    uint64_t compaction_write = 0;
    uint64_t compaction_read = 0;
    uint64_t stall_micros = 0;
  };

  void Loop();
  void WriteLine(uint64_t now);
  Recorder::Second Collect();
  Tickers ReadTickers() const;
  std::string TunerField(const EngineState& state);
  std::string IoField(const EngineState& state);

  std::FILE* const file_;
  const Sources sources_;
  const uint64_t start_micros_;
  Tickers last_;
  std::string last_decision_;
  std::map<std::string, uint64_t> last_io_;

  engine::Mutex mu_;
  engine::CondVar stop_changed_;
  bool stop_ GUARDED_BY(mu_) = false;
  std::vector<Recorder*> recorders_ GUARDED_BY(mu_);
  // Of recorders that ended since the last line.
  Recorder::Second ended_ GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
