// Source: clients that write to one family at a rate that changes.
//
// Place. Between a load shape (tools/db_bench/load_shape, the very one of
// db_bench) and Database. Waits as a writer of the commit pipeline does: first
// for the pacer, then while writes are delayed or stopped.
//
// Model. As db_bench's generator: a rate limiter refilled every 100 ms whose
// rate is the shape's at the beginning of the step; unused tokens are lost,
// demand is not made up. `closed_loop`: no limiter, the next write starts when
// the last one is done. After a pause what was missed is written in the same
// way (tools/db_bench/catch_up.h).

#pragma once

#include <memory>
#include <vector>

#include "test/sim/database.h"
#include "test/sim/event_queue.h"
#include "test/sim/limiter.h"
#include "tools/db_bench/catch_up.h"
#include "tools/db_bench/load_shape.h"

namespace ROCKSDB_NAMESPACE::sim {

struct SourceOptions {
  bench::LoadShape::Settings shape;
  double phase_seconds = 0;  // The shape begins so much later in itself.
  double step_seconds = 1;
  bench::WritePause pause;  // Only without a phase; counted from the start.
  uint64_t write_bytes = 8192 + 16;  // Of a batch.
  // Small writes go in batches, which changes nothing but the time a
  // simulation takes.
  uint64_t puts_per_write = 1;
  int writers = 1;
  bool closed_loop = false;
  // Of all writes; they are small.
  double deletion_share = 0;
  double start_seconds = 0;
  double stop_seconds = 1e9;
  // CPU time of a write: a part per call and a part per byte.
  double call_seconds = 8e-6;
  double write_mbps = 700;
  uint64_t seed = 301;
};

class Source : public Actor {
 public:
  Source(const SourceOptions& options, EventQueue* events, Database* database,
         size_t family);

  // What clients ask for in the step that holds `seconds`; 0 when closed_loop.
  double Asked(double seconds) const;
  const SourceOptions& options() const { return options_; }

  void Wake(uint64_t what) override;

 private:
  // One client thread.
  class Writer : public Actor {
   public:
    Writer(Source* source, uint64_t seed) : source_(source), random_(seed) {}
    void Next();
    void Wake(uint64_t what) override;

   private:
    enum : uint64_t { kTokens, kPaced, kStall, kDone };
    void Choose();
    void Ask();
    void Pace();
    void PacedFor();
    void Admit();
    void AwaitEnd();
    void Write();

    Source* const source_;
    engine::Random64 random_;
    Limiter::Client client_;
    bool deletes_ = false;
    uint64_t bytes_ = 0;
    uint64_t bytes_left_ = 0;
    uint64_t begun_ns_ = 0;
    uint64_t since_micros_ = 0;
    uint64_t looked_micros_ = 0;
    uint64_t wait_micros_ = 0;
    uint64_t rate_ = 0;
    bool waits_ = false;
  };

  bool Running() const;
  void FollowShape();
  double SinceStart() const;

  const SourceOptions options_;
  EventQueue* const events_;
  Database* const database_;
  const size_t family_;
  const bench::LoadShape shape_;
  bench::CatchUp catch_up_;
  Limiter limiter_;
  uint64_t applied_step_ = UINT64_MAX;
  std::vector<std::unique_ptr<Writer>> writers_;
};

}  // namespace ROCKSDB_NAMESPACE::sim
