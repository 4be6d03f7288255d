// Job: a flush or a compaction that takes virtual time.
//
// Place. Started by Database, which knows what it is for. A job is one or
// several workers (slices); each does, chunk by chunk, what a thread does:
//
//   read (device) -> merge (CPU) -> gate -> rate limiter -> write (device)
//
// A worker pauses between chunks, as a real one does between entries; inside
// the gate it is let through first.

#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "db/compaction/plan.h"
#include "db/tune/signals.h"
#include "env/io_scheduler_core.h"
#include "test/sim/device.h"
#include "test/sim/event_queue.h"
#include "test/sim/limiter.h"
#include "test/sim/tree.h"

namespace ROCKSDB_NAMESPACE::sim {

class Job;

// The gate of one database, and how many flushes write on its device.
struct Gate {
  engine::IoSchedulerCore* scheduler = nullptr;  // Of the device.
  engine::IoSchedulerCore::Client client;
  int* flushes_writing = nullptr;
};

// Counted like the tuning driver counts.
struct WorkMeter {
  std::array<engine::WorkTotals, engine::kWorkClasses> totals;
  uint64_t read_bytes = 0;
  uint64_t log_synced_bytes = 0;
};

// What workers need of their surroundings.
struct Workplace {
  EventQueue* events = nullptr;
  Device* device = nullptr;
  const TimeWarp* cpu = nullptr;
  Gate* gate = nullptr;
  Limiter* limiter = nullptr;  // Or null.
  WorkMeter* meter = nullptr;
  double flush_mbps = 500;    // Of one thread, bytes written.
  double compact_mbps = 250;  // Of one thread, bytes read.
  // Called before each request to the limiter; the priority of a file that
  // is begun now.
  std::function<void()> before_limiter;
  std::function<engine::RateLimiterCore::Priority(const Job&)> priority;
  std::function<void(Job*)> job_paused;
  std::function<void(Job*)> job_worked;  // All bytes are written.
};

class Worker : public Actor {
 public:
  Worker(Workplace* place, Job* job, uint64_t read_bytes, uint64_t write_bytes);

  void Go();
  // The gate lets it through, so that it gets to where it pauses.
  void Hurry();
  void Stop();
  void Wake(uint64_t what) override;

  bool paused() const { return paused_; }
  bool done() const { return done_; }
  uint64_t read_done() const { return read_total_ - read_left_; }
  uint64_t write_done() const { return write_total_ - write_left_; }

 private:
  enum class Step : uint8_t {
    kReadGate,
    kRead,
    kMerge,
    kWriteGate,
    kLimit,
    kWrite
  };
  static constexpr uint64_t kChunkBytes = 1 << 20;

  uint64_t ChunkBytes() const;
  void NextChunk();
  void Enter(Step step);
  void Then(Step step, uint64_t at_ns);
  // True: the bytes may go now.
  bool PassGate(engine::IoKind kind, uint64_t bytes);
  // The device is done with it.
  void Complete(engine::IoKind kind, uint64_t bytes);
  void Merge();
  void Limit();
  void Write();
  void Written();
  engine::WorkTotals& Totals();

  Workplace* const place_;
  Job* const job_;
  const uint64_t read_total_;
  uint64_t read_left_;
  const uint64_t write_total_;
  uint64_t write_left_;
  uint64_t read_chunk_ = 0;
  uint64_t write_chunk_ = 0;
  uint64_t call_start_ns_ = 0;
  uint64_t file_left_ = 0;  // Of the output that is open.
  engine::RateLimiterCore::Priority priority_ = engine::RateLimiterCore::kLow;
  Step step_ = Step::kReadGate;
  uint64_t round_ = 0;  // Older wake-ups are void.
  bool paused_ = false;
  bool done_ = false;
  bool in_gate_ = false;
  bool hurry_ = false;
  engine::IoSchedulerCore::Waiter waiter_;
  Limiter::Client limited_;
};

class Job {
 public:
  uint64_t id = 0;
  size_t family = 0;  // Index.
  engine::WorkClass work = engine::WorkClass::kFlush;
  // At the gate: of several merges out of level 0 only the nearest to its end
  // is urgent.
  engine::IoClass io_class = engine::IoClass::kFlush;

  // A flush.
  Writes writes;
  std::vector<uint64_t> memtables;  // Ids.
  engine::FilePtr flushed;
  uint64_t own_left = 0;  // Of its table; what comes then is of the logs.
  // A compaction.
  std::unique_ptr<engine::CompactionPlan> plan;
  std::vector<engine::FilePtr> outputs;

  enum class State : uint8_t { kRunning, kPausing, kPaused, kFinishing };
  State state = State::kRunning;
  uint64_t started_ns = 0;

  bool is_flush() const { return work == engine::WorkClass::kFlush; }
  bool wants_pause() const { return state == State::kPausing; }

  void Start(Workplace* place, int slices, uint64_t read_bytes,
             uint64_t write_bytes);
  void Pause();
  void Resume();
  // Nothing of it happens any more; what it held is let go.
  void End();
  // Worker to job.
  void Reached(Workplace* place);
  uint64_t read_done() const;
  uint64_t write_done() const;

 private:
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace ROCKSDB_NAMESPACE::sim
