// Bench: opens the database, runs the workloads named on the command line and
// prints what scripts for RocksDB's db_bench expect.
//
// Place. main() makes one; workloads get it with their ThreadState.
//
// Model. A workload is a function that every thread runs once:
//
//   name[Xn] --> fresh database? --> n times { threads run fn } --> one line
//
// Threads. One main thread; workload threads touch only their ThreadState and
// the const part of Bench.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "env/timer.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "tools/db_bench/data.h"
#include "tools/db_bench/generator.h"
#include "tools/db_bench/options_from_flags.h"
#include "tools/db_bench/stats.h"
#include "tools/db_bench/target.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::bench {

class Bench;

// What a workload may ask for besides its threads.
struct WorkloadSettings {
  uint64_t num = 0;
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t deletes = 0;
  size_t value_size = 0;
  // Whatever --value_size_distribution_type says.
  bool fixed_value_size = false;
  size_t key_size = 0;
  uint64_t entries_per_batch = 1;
  bool sync = false;
  int threads = 1;
  // The workload sets the rate of the writes itself.
  bool searches_rate = false;
};

// How a writer and concurrent readers tell each other to stop.
struct Rendezvous {
  std::atomic<int> readers_left{0};
  std::atomic<bool> writer_done{false};
  std::atomic<uint64_t> written_bytes{0};

  bool ReadersRun() const {
    return readers_left.load(std::memory_order_relaxed) > 0;
  }
};

// One thread of a workload.
struct ThreadState {
  ThreadState(int id, uint64_t seed) : tid(id), random(seed) {}

  const int tid;
  engine::Random64 random;
  Stats stats;
};

struct Workload {
  const char* name;
  void (*run)(const Bench& bench, ThreadState* thread);
  // Needs an empty database.
  bool fresh_db = false;
  // Changes the defaults, may be null.
  void (*adjust)(WorkloadSettings* settings) = nullptr;
  // Runs in the main thread without threads or a result line.
  void (*command)(const Bench& bench) = nullptr;
  // With `fresh_db`: its column families, the default one first. May be null.
  std::vector<std::string> (*families)() = nullptr;
  // Runs in the main thread after the threads, and ends the process if what
  // they wrote is wrong. May be null.
  void (*verify)(const Bench& bench) = nullptr;
};

// All workloads, in workloads.cc.
const std::vector<Workload>& AllWorkloads();

class Bench {
 public:
  Bench() = default;
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // Returns the exit code.
  int Run();

  // ---- For workloads.

  // The only database, or the first one.
  DB* db() const { return targets_.empty() ? nullptr : targets_[0].db.get(); }
  const std::vector<Target>& targets() const { return targets_; }
  const Target& PickTarget(engine::Random64* random) const {
    return targets_.size() == 1 ? targets_[0]
                                : targets_[random->Uniform(targets_.size())];
  }
  SystemClock* clock() const { return clock_; }
  const WorkloadSettings& settings() const { return settings_; }
  KeyShape key_shape() const;
  // Values whose text differs between threads.
  ValueMaker NewValueMaker(const ThreadState& thread) const;
  ReadOptions read_options() const;
  WriteOptions write_options() const;
  // Null when nothing paces the writes, or the reads.
  WriteGenerator* write_generator() const { return write_generator_.get(); }
  RateLimiter* read_limiter() const { return read_limiter_.get(); }
  Rendezvous& rendezvous() const { return rendezvous_; }
  FamilyChoice& family_choice() const { return family_choice_; }
  const Options& options() const { return bench_options_.options; }

 private:
  struct Request {  // "name[X3-W1]", taken apart.
    const Workload* workload = nullptr;
    int repeats = 1;
    int warmups = 0;
  };

  // Errors: InvalidArgument for a name that no workload has.
  static engine::Result<Request> ParseRequest(const std::string& text);

  // All that can be wrong with the flags, before a database is touched.
  Status CheckFlags();
  Status Prepare();
  // Finds what Open, a write or a read would refuse, also before that.
  Status RehearseRequests();
  void PrintHeader() const;
  void PrintEnvironment() const;
  WorkloadSettings DefaultSettings() const;
  Status OpenDb();
  Status OpenTarget(const std::string& path, const Options& own,
                    Target* target) const;
  Options OptionsOf(int number) const;
  // Of each database; the default family first.
  std::vector<std::string> FamilyNames() const;
  void StartCatchUps();
  void CloseDb();
  // --use_existing_keys
  Status LoadKeys();
  Status FreshDb();
  void RunOne(const Request& request);
  void RunRepeats(const Request& request);
  Stats RunThreads(const Workload& workload);
  Status MakePacing();
  std::unique_ptr<Timeline> NewTimeline();

  SystemClock* clock_ = SystemClock::Default().get();
  uint64_t seed_ = 0;
  uint64_t threads_made_ = 0;
  BenchOptions bench_options_;
  std::vector<Request> requests_;
  std::string db_path_;
  mutable FamilyChoice family_choice_;
  std::vector<Target> targets_;
  // Whose families the databases have; null: those of the flags.
  const Workload* families_of_ = nullptr;
  std::unique_ptr<engine::Timer> catch_ups_;  // Of a secondary.
  WorkloadSettings settings_;
  std::vector<std::string> existing_keys_;  // In order.
  std::unique_ptr<WriteGenerator> write_generator_;
  std::unique_ptr<RateLimiter> read_limiter_;
  mutable Rendezvous rendezvous_;
  std::FILE* timeline_file_ = nullptr;
};

// Prints the status and ends the process: a benchmark that fails has no result.
[[noreturn]] void Die(const std::string& what, const Status& status);

// When a thread is done: after so many operations, or after --duration if that
// is given. Looks at the clock every --ops_between_duration_checks operations.
class Duration {
 public:
  Duration(uint64_t seconds, uint64_t max_ops, SystemClock* clock);
  bool Done(uint64_t increment);

 private:
  const uint64_t seconds_;
  const uint64_t max_ops_;
  const uint64_t check_every_;
  SystemClock* const clock_;
  const uint64_t start_micros_;
  uint64_t ops_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::bench
