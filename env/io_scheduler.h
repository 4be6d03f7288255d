// IoScheduler: schedules the requests of one or several databases to one disk.
//
// Place. Behind the gates (env/io_gate) of the databases that share it.
// NewIOScheduler() makes one. A database without DBOptions::io_scheduler has a
// private one without a disk profile, which enforces only the tuner's budget.
// The laws are in env/io_scheduler_core.
//
// Model. Each waiting thread sleeps on its own condition variable. A thread
// whose request is dispatched wakes the next one.
//
// Threads. Thread-safe. Without a profile or a budget no call takes a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "env/io_lane.h"
#include "env/io_profile.h"
#include "env/io_scheduler_core.h"
#include "rocksdb/io_scheduler.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
class FileSystem;
class Logger;
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class IoScheduler final : public IOScheduler {
 public:
  using Client = IoSchedulerCore::Client;

  // Without a profile.
  explicit IoScheduler(SystemClock* clock);  // Which outlives it.
  explicit IoScheduler(const IOSchedulerOptions& options);
  IoScheduler(const IOSchedulerOptions& options,
              std::shared_ptr<SystemClock> clock);
  ~IoScheduler() override;

  const IOSchedulerOptions& options() const override { return options_; }
  std::string ToString() const override EXCLUDES_LOCK(mu_);

  // Each database that opens calls it. The first call that succeeds reads the
  // profile, or measures the disk of `directory`, for all.
  // Errors: InvalidArgument for contradictory options, a profile that cannot
  // be, or a directory on another disk of the profile than the first one's;
  // what the file system says.
  Status Open(FileSystem* fs, const std::string& directory, Logger* info_log)
      EXCLUDES_LOCK(mu_, open_mu_);

  struct Ask {
    IoClass io_class = IoClass::kDebt;
    IoRequest request;
    bool budgeted = false;
    // Of a job, which may be told to hurry or get another class; else null.
    const std::atomic<IoClass>* class_now = nullptr;
    const std::atomic<bool>* hurry = nullptr;
    const std::atomic<int>* flushes_writing = nullptr;
  };
  // Returns when the request may go.
  void Wait(Client* client, const Ask& ask) EXCLUDES_LOCK(mu_);
  // The request goes at once; its cost delays the others.
  void LetThrough(Client* client, const Ask& ask) EXCLUDES_LOCK(mu_);
  void Complete(IoClass io_class, const IoRequest& request, bool from_cache)
      EXCLUDES_LOCK(mu_);

  void SetBudget(Client* client, const IoBudget& budget) EXCLUDES_LOCK(mu_);
  IoBudget BudgetOf(const Client& client) const EXCLUDES_LOCK(mu_);
  void Stop(Client* client) EXCLUDES_LOCK(mu_);
  // A flush has begun or ended to write: all waiters ask again.
  void WakeAll() EXCLUDES_LOCK(mu_);

  // What all gates have counted for copies.
  IoLaneCount& backup_lane(IoKind kind) {
    return backup_lanes_[static_cast<size_t>(kind)];
  }

  // There is a profile, so every request has to ask.
  bool divides() const { return divides_.load(std::memory_order_relaxed); }
  // The largest request to make.
  uint64_t split_bytes(IoKind kind) const {
    return split_bytes_[static_cast<size_t>(kind)].load(
        std::memory_order_relaxed);
  }
  // The most reads to start at once.
  uint32_t split_reads() const {
    return split_reads_.load(std::memory_order_relaxed);
  }
  // A read that took less time per byte, beyond what any call takes, was served
  // by the kernel's cache.
  double cached_nanos_per_byte() const {
    return cached_nanos_per_byte_.load(std::memory_order_relaxed);
  }
  struct View {
    IoDisk disk;
    double flow = 1;
    double trust = 1;
    size_t waiting = 0;
  };
  View view() const EXCLUDES_LOCK(mu_);

 private:
  struct Sleeper;

  Status CheckOptions() const;
  // The text of the profile, and where it is from.
  struct Source {
    std::string text;
    std::string name;
  };
  Result<Source> FindProfile(FileSystem* fs, const std::string& directory,
                             Logger* info_log) const;
  Status Load(FileSystem* fs, const std::string& directory, Logger* info_log)
      REQUIRES_LOCK(open_mu_);
  Status CheckSameDisk(const std::string& directory) const
      REQUIRES_LOCK(open_mu_);
  IoAnswer AskCore(Client* client, Sleeper* sleeper, const Ask& ask)
      REQUIRES_LOCK(mu_);
  void Sleep(Sleeper* sleeper, uint64_t until_micros) REQUIRES_LOCK(mu_);
  void WakeNext() REQUIRES_LOCK(mu_);
  // If `next` is no longer the one.
  void WakeIfNot(const void* next) REQUIRES_LOCK(mu_);
  uint64_t Now() const REQUIRES_LOCK(mu_);

  const IOSchedulerOptions options_;
  const bool private_;  // Of one database, which gave no options.

  Mutex open_mu_{LockRank::kIoSchedulerOpen};
  bool opened_ GUARDED_BY(open_mu_) = false;
  Source source_ GUARDED_BY(open_mu_);
  IoProfile profile_ GUARDED_BY(open_mu_);

  mutable Mutex mu_{LockRank::kIoGate};
  const std::shared_ptr<SystemClock> kept_clock_;
  SystemClock* const clock_;
  IoSchedulerCore core_ GUARDED_BY(mu_);
  std::vector<Sleeper*> sleepers_ GUARDED_BY(mu_);

  std::array<IoLaneCount, kIoKinds> backup_lanes_;

  std::atomic<bool> divides_{false};
  std::array<std::atomic<uint64_t>, kIoKinds> split_bytes_{
      IoDiskPolicy::kSplitBytesMax, IoDiskPolicy::kSplitBytesMax};
  std::atomic<uint32_t> split_reads_{UINT32_MAX};
  std::atomic<double> cached_nanos_per_byte_{0};
};

// The scheduler behind an option, opened for a database in `directory`; null
// when the option is. Errors: those of Open(); InvalidArgument for one that
// NewIOScheduler() has not made.
Result<std::shared_ptr<IoScheduler>> OpenIoScheduler(
    const std::shared_ptr<IOScheduler>& option, FileSystem* fs,
    const std::string& directory, Logger* info_log);

}  // namespace ROCKSDB_NAMESPACE::engine
