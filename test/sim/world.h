// World: databases, clients and a device, run in virtual time and measured.
//
// Place. What scenarios describe (scenarios.h), tests judge and `sim` prints.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "test/sim/database.h"
#include "test/sim/device.h"
#include "test/sim/source.h"

namespace ROCKSDB_NAMESPACE::sim {

class World;

struct DatabaseSetup {
  DatabaseOptions database;
  // Of family i % families.
  std::vector<SourceOptions> sources;
  // Data that is there at the start: bytes at the last level, per family.
  uint64_t prefill_bytes = 0;
};

struct Happening {
  double seconds = 0;
  std::function<void(World*)> what;
};

struct Scenario {
  std::string name;
  DeviceOptions device;
  // What the I/O scheduler believes of the device, times the truth; 0: it knows
  // nothing.
  double profile = 0;
  std::vector<SpeedWindow> cpu;
  int cpus = 2;  // As where the engine itself is measured.
  std::vector<DatabaseSetup> databases;
  double load_seconds = 120;
  // Without load, until debt is repaid, at most.
  double drain_seconds = 180;
  std::vector<Happening> happenings;
};

// One second of one database.
struct Second {
  double asked = 0;  // Bytes.
  double accepted = 0;
  double flushed = 0;
  double compacted = 0;  // Written; flushed as well.
  int level0_files = 0;  // The most in this second.
  int sorted_runs = 0;
  uint64_t unflushed_bytes = 0;
  uint64_t debt_bytes = 0;
  double stalled_seconds = 0;
  double paced_seconds = 0;
  uint64_t pacing_bytes_per_second = 0;
  std::string line;  // For people; only when asked for.
};

// Of one database over the seconds with load, unless it says otherwise.
struct Score {
  double tracking_error = 0;  // nRMSE of accepted against asked.
  double accepted_share = 0;
  double worst_second = 0;  // Of what was asked in it.
  int seconds_below = 0;    // 0.9 of what was asked.
  double stop_seconds = 0;
  double delay_seconds = 0;
  double pace_seconds = 0;
  int level0_max = 0;
  int runs_median = 0;
  int runs_max = 0;
  double unflushed_max = 0;  // Of the limit.
  uint64_t debt_max = 0;
  uint64_t debt_end = 0;
  double repaid_seconds = 0;  // After the load; -1: never.
  double write_amp = 0;
  double pauses_per_second = 0;
  double changes_per_second = 0;
  double put_p999_micros = 0;
  double put_max_micros = 0;
  int longest_gap = 0;        // Seconds in a row below 0.1.
  double rate_deviation = 0;  // Standard deviation of accepted, of its mean.
  // How even the seconds are after Counts::kSettleSeconds.
  double even_mean = 0;       // Accepted bytes per second.
  double even_deviation = 0;  // Of the mean.
  double even_worst = 0;      // The least second, of the mean.
  int even_below_half = 0;    // Seconds.
  double even_put_p999_micros = 0;
  double even_put_max_micros = 0;
};

class World : public Actor {
 public:
  World(const Scenario& scenario, bool verbose = false);
  ~World() override;

  void Run();
  // For tests that stop in between; Run() runs load and drain.
  void RunUntil(double seconds);

  Database* database(size_t i) { return databases_[i].get(); }
  size_t databases() const { return databases_.size(); }
  const std::vector<Second>& seconds(size_t i) const { return history_[i]; }
  Score ScoreOf(size_t i) const;
  double now_seconds() const { return Seconds(events_.now_ns()); }

  void Wake(uint64_t what) override;

 private:
  void Look();
  void CloseSecond();
  double Asked(size_t database) const;
  bool Repaid() const;
  std::string Line(size_t database) const;

  const Scenario scenario_;
  const bool verbose_;
  EventQueue events_;
  Device device_;
  engine::IoSchedulerCore scheduler_;
  const TimeWarp cpu_;
  int flushes_writing_ = 0;
  std::vector<std::unique_ptr<Database>> databases_;
  std::vector<std::vector<std::unique_ptr<Source>>> sources_;
  std::vector<std::vector<Second>> history_;
  std::vector<Second> open_;
  std::vector<Counts> last_;
  std::vector<Counts> at_load_end_;
  std::vector<uint64_t> flush_written_;
  std::vector<uint64_t> all_written_;
  std::vector<double> repaid_at_;
  uint64_t looks_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::sim
