// Database: one simulated database with its column families.
//
// Place. Real: the tuner, next_job, the picker, stall laws, write controller,
// write pacer, gate core. Here is only what joins them, as DBImpl, the
// scheduler and the tuning driver do for a real one.
//
// Model.
//
//   writers -> Admit -> memtable -> sealed -> flush job -> Tree (level 0)
//                ^                               |            |
//     pacer, controller <-- verdicts <-----------+-- compaction jobs
//                ^                                            |
//                +---- Tuner::Step every 100 ms <-- signals --+

#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/compaction/job_class.h"
#include "db/jobs/next_job.h"
#include "db/tune/tuner.h"
#include "db/write/write_controller.h"
#include "db/write/write_pacer.h"
#include "db/write/write_stall.h"
#include "rocksdb/options.h"
#include "test/sim/job.h"
#include "test/sim/tree.h"
#include "util/compaction_switch.h"
#include "util/histogram.h"

namespace ROCKSDB_NAMESPACE::sim {

enum class Mode : uint8_t {
  kStatic,       // RocksDB's behaviour.
  kOff,          // No automatic compaction.
  kDrainSwitch,  // Source 000, with the native limiter.
  kLimiter,      // The native auto-tuned limiter.
  kAdaptive,
  kAdvise,  // Decides, and changes nothing.
};
inline constexpr Mode kModes[] = {Mode::kStatic,      Mode::kOff,
                                  Mode::kDrainSwitch, Mode::kLimiter,
                                  Mode::kAdaptive,    Mode::kAdvise};
const char* ModeName(Mode mode);
std::optional<Mode> ModeOf(const std::string& name);

struct DatabaseOptions {
  DBOptions db;
  std::vector<TreeOptions> families;
  Mode mode = Mode::kStatic;
  // kDrainSwitch and kLimiter.
  uint64_t limiter_bytes_per_second = 47'500'000;
  double flush_mbps = 500;
  double compact_mbps = 250;
  // What users read from files, as the tuner is told; it costs no device time.
  double user_read_mbps = 0;
  // A memtable holds more than what was written into it.
  double memtable_overhead = 1.09;
  // To make a job known to the MANIFEST.
  double install_seconds = 0.004;
  double tick_seconds = 0.1;
  engine::TuneParams tune;
  uint64_t seed = 301;
};

// What all databases share.
struct Surroundings {
  EventQueue* events = nullptr;
  Device* device = nullptr;
  const TimeWarp* cpu = nullptr;
  int* flushes_writing = nullptr;
  engine::IoSchedulerCore* scheduler = nullptr;  // Of the device.
  int cpus = 2;  // What the tuner is told; jobs never wait for one.
};

// Of the whole run so far.
struct Counts {
  static constexpr uint64_t kSettleSeconds = 10;
  uint64_t accepted_bytes = 0;
  uint64_t flushed_bytes = 0;
  uint64_t compacted_bytes = 0;
  uint64_t pauses = 0;
  uint64_t decision_changes = 0;
  uint64_t stop_micros = 0;              // Writers waited because of a stop,
  uint64_t delay_micros = 0;             // a delay,
  uint64_t pace_micros = 0;              // pacing.
  engine::Histogram put_micros;          // From the start of the call.
  engine::Histogram settled_put_micros;  // Begun after kSettleSeconds.
  uint64_t longest_pause_micros = 0;     // From the wish to the rest.
};

class Database : public Actor {
 public:
  Database(const DatabaseOptions& options, const Surroundings& around);
  ~Database() override;

  // What the neighbours tell; empty without any.
  std::function<engine::Neighbours()> neighbours;

  // ---- Writers ----
  engine::WritePacer* pacer() { return &pacer_; }
  engine::WriteController* controller() { return &controller_; }
  Counts* counts() { return &counts_; }
  // Writes into a family's memtable, sealing it first when it is full.
  void Write(size_t family, uint64_t bytes, uint64_t puts, uint64_t deletions);
  void AddStalled(int64_t bytes);

  // ---- From outside ----
  void SetMode(Mode mode);
  Mode mode() const { return options_.mode; }
  // Data that is there before anything runs: `bytes` per family, evenly over
  // all keys, at the last level (dynamic targets), or as deep as it takes.
  void Prefill(uint64_t bytes);
  // CompactRange over everything, level by level.
  void CompactAll(size_t family);
  // Called for every compaction that begins, pauses, resumes or ends.
  std::function<void(const std::string&)> trace;
  // The signals pass here before the tuner sees them.
  std::function<void(engine::LsmSignals*)> disturb_signals;
  // Seals what is there and flushes it.
  void FlushAll();
  // Cancels all jobs. No job runs when it returns, paused ones included.
  void Close();

  // ---- What it looks like ----
  size_t families() const { return families_.size(); }
  const Tree& tree(size_t family) const { return *families_[family].tree; }
  int level0_files() const;
  int sorted_runs() const;
  uint64_t debt_bytes() const;
  uint64_t unflushed_bytes() const;
  uint64_t unflushed_limit() const;
  int running(engine::WorkClass work) const;
  int paused() const;
  const engine::TuningDecision& decision() const { return decision_; }
  const engine::FamilyDecision& shape(size_t family) const {
    return shapes_[family];
  }
  const engine::TuningView& view() const { return tuner_.view(); }
  std::string Why() const;
  const WorkMeter& meter() const { return meter_; }
  bool idle() const;
  // Entries that are neither in a memtable nor were in a table.
  uint64_t LostWrites() const;

  void Wake(uint64_t what) override;

 private:
  struct MemTable {
    uint64_t id = 0;
    uint64_t bytes = 0;
    uint64_t data_bytes = 0;  // As clients wrote them.
    Writes writes;
    bool picked = false;
    bool built = false;
    uint64_t pick = 0;  // Of its flush.
    // What the flush of several came to stands in the oldest.
    engine::FilePtr table;
  };
  struct Family {
    std::unique_ptr<Tree> tree;
    MemTable active;
    std::vector<MemTable> sealed;  // Oldest first.
    bool flush_requested = false;
    std::array<bool, engine::kJobClassCount> blocked{};
    bool auto_compactions = true;
    int level0_trigger = 4;
    engine::WriteController::Token token;
    uint64_t pending_before = 0;
    int manual_level = -1;  // The next one CompactAll will take.
  };
  enum : uint64_t { kTick = 1, kInstall = 1000 };

  // Memory and stalls.
  void Seal(Family* family);
  void Recalculate(Family* family);
  engine::StallVerdict Judge(const Family& family,
                             const engine::StallLevels& levels,
                             const engine::StallLimits& limits) const;
  void Vote(Family* family, const engine::StallVerdict& verdict,
            const engine::StallLevels& levels,
            const engine::StallLimits& limits);
  int MinToMerge(size_t family) const;
  bool FlushPending(size_t family) const;
  engine::StallLevels LevelsOf(const Family& family) const;
  engine::StallLimits LimitsOf(const Family& family) const;

  // Jobs.
  void Schedule();
  engine::JobDemand Demand() const;
  engine::JobLimits Limits() const;
  bool Due(const Family& family, engine::JobClass job_class) const;
  void StartFlush();
  bool StartCompaction(engine::JobClassSet classes);
  bool CanStart(engine::JobClassSet classes);
  std::optional<engine::CompactionPlan> Pick(size_t family,
                                             engine::JobClassSet classes);
  void RunPlan(size_t family, engine::CompactionPlan plan);
  Job* FindJob(engine::JobClass job_class, Job::State state);
  bool PauseJob(engine::JobClass job_class);
  bool UnpauseJob(engine::JobClass job_class);
  bool ResumeJob(engine::JobClass job_class);
  void Worked(Job* job);
  void Paused(Job* job);
  void Install(uint64_t job_id);
  void InstallFlushes(Family* family);
  void EndJob(Job* job);
  void Trace(const char* what, const Job& job) const;
  void RankMerges(size_t family);
  void NextManual(size_t family);
  bool ManualUnderWay(size_t family) const;
  void MeterRunning();
  void SetRunning(engine::WorkClass work, int by);

  // Tuning.
  void Tick();
  void FillSignals();
  void ApplyDecision(const engine::TuningDecision& decision);
  void BeforeLimiter();

  DatabaseOptions options_;
  const Surroundings around_;
  Gate gate_;
  WorkMeter meter_;
  Workplace place_;
  std::unique_ptr<Limiter> limiter_;
  engine::CompactionSwitch switch_;
  engine::WriteController controller_;
  engine::WritePacer pacer_;
  std::vector<Family> families_;
  std::vector<std::unique_ptr<Job>> jobs_;
  // Events may still name them.
  std::vector<std::unique_ptr<Job>> ended_;
  uint64_t next_id_ = 1;
  uint64_t sequence_ = 1;
  uint64_t flushed_writes_ = 0;
  uint64_t log_closed_bytes_ = 0;  // Of logs that get nothing more,
  engine::FlushTotals flushed_;
  uint64_t log_synced_bytes_ = 0;  // and of these.
  int64_t stalled_bytes_ = 0;
  int flushes_ = 0;
  int slots_taken_ = 0;
  bool scheduling_ = false;
  bool closed_ = false;
  std::array<int, engine::kWorkClasses> running_{};
  uint64_t metered_ns_ = 0;
  Counts counts_;

  engine::Tuner tuner_;
  engine::TuningDecision decision_;  // In force.
  engine::TuningDecision advised_;
  engine::TuningDecision told_;
  engine::FamilyDecision told_shape_;
  std::vector<engine::FamilyDecision> shapes_;  // In force.
  std::vector<engine::FamilyDecision> advised_shapes_;
  engine::LsmSignals signals_;
  std::vector<engine::FamilySignals> family_signals_;
  std::vector<engine::JobSignal> job_signals_;
};

}  // namespace ROCKSDB_NAMESPACE::sim
