#include "env/io_scheduler.h"

#include <algorithm>
#include <cassert>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <utility>

#include "env/info_log.h"
#include "env/posix/posix_loaded_disk.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "util/clock_wait.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

IoShares SharesOf(const IOSchedulerOptions& o) {
  IoShares shares{};
  const auto set = [&](IoClass io_class, uint32_t value) {
    shares[static_cast<size_t>(io_class)] = value;
  };
  set(IoClass::kLog, o.log_shares);
  set(IoClass::kUserReads, o.user_read_shares);
  set(IoClass::kFlush, o.flush_shares);
  set(IoClass::kRuns, o.level0_shares);
  set(IoClass::kDebt, o.compaction_shares);
  set(IoClass::kMaintenance, o.maintenance_shares);
  set(IoClass::kBackups, o.backup_shares);
  return shares;
}

IoDisk DiskOf(const IoProfile& profile, double rate_factor) {
  IoDisk disk;
  disk.read_bytes_per_second = profile.read_bytes_per_second;
  disk.write_bytes_per_second = profile.write_bytes_per_second;
  disk.read_ops_per_second = profile.read_ops_per_second;
  disk.write_ops_per_second = profile.write_ops_per_second;
  disk.k = rate_factor > 0 ? rate_factor : profile.k;
  disk.part = rate_factor > 0 ? rate_factor : 1;
  return disk;
}

// A read that took less than a nanosecond per byte, which few disks reach, and
// less than half of what the disk needs came from the kernel's cache, which
// copies ten bytes per nanosecond at best.
double CachedNanosPerByte(const IoDisk& disk) {
  if (!disk.usable()) return 0;
  return std::clamp(0.5e9 / static_cast<double>(disk.read_bytes_per_second),
                    0.1, 1.0);
}

}  // namespace

struct IoScheduler::Sleeper {
  IoSchedulerCore::Waiter waiter;
  CondVar turn;
};

IoScheduler::IoScheduler(SystemClock* clock) : private_(true), clock_(clock) {}

IoScheduler::IoScheduler(const IOSchedulerOptions& options)
    : IoScheduler(options, SystemClock::Default()) {}

IoScheduler::IoScheduler(const IOSchedulerOptions& options,
                         std::shared_ptr<SystemClock> clock)
    : options_(options),
      private_(false),
      kept_clock_(std::move(clock)),
      clock_(kept_clock_.get()) {}

IoScheduler::~IoScheduler() = default;

uint64_t IoScheduler::Now() const { return clock_->NowMicros(); }

// -------------------------------------------------------------------- profile

Status IoScheduler::CheckOptions() const {
  if (options_.profile_path.empty() && options_.profile.empty() &&
      !options_.measure_if_missing) {
    return Status::InvalidArgument(
        "io_scheduler",
        "needs profile_path, profile or measure_if_missing: without a profile "
        "it knows nothing of the disk");
  }
  if (!options_.profile.empty() &&
      (!options_.profile_path.empty() || options_.measure_if_missing)) {
    return Status::InvalidArgument(
        "io_scheduler",
        "has a profile and also profile_path or measure_if_missing: only one "
        "of them can be right");
  }
  if (options_.rate_factor < 0 || options_.rate_factor > 1 ||
      std::isnan(options_.rate_factor)) {
    return Status::InvalidArgument("io_scheduler",
                                   "rate_factor is " +
                                       std::to_string(options_.rate_factor) +
                                       ", expected 0 (the profile's) to 1");
  }
  if (options_.measure_if_missing &&
      !(options_.measure_seconds >= 1 && options_.measure_seconds <= 3600)) {
    return Status::InvalidArgument(
        "io_scheduler", "measure_seconds is " +
                            std::to_string(options_.measure_seconds) +
                            ", expected 1 to 3600");
  }
  for (const uint32_t shares : SharesOf(options_)) {
    if (shares >= 1 && shares <= 1000 * 1000) continue;
    return Status::InvalidArgument("io_scheduler",
                                   "a class has " + std::to_string(shares) +
                                       " shares, expected 1 to 1000000");
  }
  return Status::OK();
}

Result<IoScheduler::Source> IoScheduler::FindProfile(
    FileSystem* fs, const std::string& directory, Logger* info_log) const {
  if (!options_.profile.empty()) {
    return Source{options_.profile, "IOSchedulerOptions::profile"};
  }
  const std::string& path = options_.profile_path;
  if (!path.empty()) {
    const IOStatus exists = fs->FileExists(path, IOOptions(), nullptr);
    if (exists.ok() || !options_.measure_if_missing) {
      Result<std::string> text = ReadIoProfileText(fs, path);
      RETURN_IF_ERROR(text.status());
      return Source{std::move(*text), path};
    }
    if (!exists.IsNotFound()) return exists;
  }
  Info(info_log, "io_scheduler: measures the disk of %s for %.0f s",
       directory.c_str(), options_.measure_seconds);
  PosixLoadedDiskOptions disk;
  disk.directory = directory;
  MeasureDiskOptions measure;
  measure.seconds = options_.measure_seconds;
  Result<DiskMeasurement> measured = MeasureDirectory(disk, measure);
  if (!measured.ok()) return measured.status();
  Source source{FormatIoProfile(measured->profile), "what was measured"};
  if (!path.empty()) {
    source.name = path;
    const IOStatus written =
        WriteStringToFile(fs, source.text, path, /*should_sync=*/true);
    if (!written.ok()) return written;
  }
  return source;
}

Status IoScheduler::Load(FileSystem* fs, const std::string& directory,
                         Logger* info_log) {
  assert(!private_);
  RETURN_IF_ERROR(CheckOptions());
  Result<Source> source = FindProfile(fs, directory, info_log);
  RETURN_IF_ERROR(source.status());
  Result<IoProfile> profile =
      ParseIoProfile(source->text, source->name, directory);
  RETURN_IF_ERROR(profile.status());
  source_ = std::move(*source);
  profile_ = std::move(*profile);
  const IoDisk disk = DiskOf(profile_, options_.rate_factor);
  MutexLock lock(&mu_);
  core_.SetDisk(disk, SharesOf(options_), Now());
  for (const IoKind kind : {IoKind::kRead, IoKind::kWrite}) {
    split_bytes_[static_cast<size_t>(kind)].store(core_.disk().SplitBytes(kind),
                                                  std::memory_order_relaxed);
  }
  split_reads_.store(core_.disk().SplitReads(), std::memory_order_relaxed);
  cached_nanos_per_byte_.store(CachedNanosPerByte(disk),
                               std::memory_order_relaxed);
  divides_.store(core_.disk().active(), std::memory_order_relaxed);
  return Status::OK();
}

// A profile that lists several disks says which one holds the directory.
Status IoScheduler::CheckSameDisk(const std::string& directory) const {
  const Result<IoProfile> profile =
      ParseIoProfile(source_.text, source_.name, directory);
  RETURN_IF_ERROR(profile.status());
  if (profile->disk == profile_.disk) return Status::OK();
  return Status::InvalidArgument(
      "io_scheduler", "serves the disk at " + profile_.mountpoint + ", but " +
                          directory + " is on the one at " +
                          profile->mountpoint +
                          ": that disk needs a scheduler of its own");
}

Status IoScheduler::Open(FileSystem* fs, const std::string& directory,
                         Logger* info_log) {
  if (private_) return Status::OK();
  MutexLock opening(&open_mu_);
  if (opened_) {
    RETURN_IF_ERROR(CheckSameDisk(directory));
  } else {
    RETURN_IF_ERROR(Load(fs, directory, info_log));
  }
  opened_ = true;
  Info(info_log, "io_scheduler: %s", ToString().c_str());
  return Status::OK();
}

IoScheduler::View IoScheduler::view() const {
  MutexLock lock(&mu_);
  const IoDiskPolicy& disk = core_.disk();
  return {disk.disk(), disk.flow(), disk.trust(), disk.waiting()};
}

std::string IoScheduler::ToString() const {
  const View now = view();
  char text[320];
  std::snprintf(text, sizeof(text),
                "reads %.1f MB/s and %" PRIu64
                " per second, writes %.1f MB/s and %" PRIu64
                " per second, K %.2f; flow ratio %.2f, serves %.2f times its "
                "profile, %zu requests wait",
                static_cast<double>(now.disk.read_bytes_per_second) / 1e6,
                now.disk.read_ops_per_second,
                static_cast<double>(now.disk.write_bytes_per_second) / 1e6,
                now.disk.write_ops_per_second, now.disk.k, now.flow, now.trust,
                now.waiting);
  return text;
}

// ------------------------------------------------------------------- requests

void IoScheduler::Wait(Client* client, const Ask& ask) {
  Sleeper sleeper;
  sleeper.waiter.request = ask.request;
  sleeper.waiter.budgeted = ask.budgeted;
  const bool is_job = ask.hurry != nullptr;
  MutexLock lock(&mu_);
  for (;;) {
    sleeper.waiter.io_class =
        ask.class_now != nullptr
            ? ask.class_now->load(std::memory_order_relaxed)
            : ask.io_class;
    // A class that changes is one of jobs'.
    assert(ask.class_now == nullptr || is_job);
    if (is_job && ask.hurry->load(std::memory_order_relaxed)) {
      core_.LetThrough(client, &sleeper.waiter, Now());
      break;
    }
    const IoAnswer answer = AskCore(client, &sleeper, ask);
    if (answer.go) break;
    // io_gate.h (2): a job must notice soon that it has to hurry.
    Sleep(&sleeper, is_job ? std::min(answer.ask_again_micros,
                                      Now() + IoBudgetPolicy::kStepMicros)
                           : answer.ask_again_micros);
  }
  WakeNext();
}

// Without memory it throws before the request is queued, because one that is
// queued must sleep.
IoAnswer IoScheduler::AskCore(Client* client, Sleeper* sleeper,
                              const Ask& ask) {
  sleepers_.reserve(sleepers_.size() + 1);
  const bool flush_writes =
      ask.flushes_writing != nullptr &&
      ask.flushes_writing->load(std::memory_order_relaxed) > 0;
  const void* const next = core_.disk().Next();
  const IoAnswer answer =
      core_.Ask(client, &sleeper->waiter, flush_writes, Now());
  // If its class has changed, the next one may be another now.
  if (!answer.go && !core_.IsNext(sleeper->waiter)) WakeIfNot(next);
  return answer;
}

void IoScheduler::Sleep(Sleeper* sleeper, uint64_t until_micros) {
  assert(sleepers_.capacity() > sleepers_.size());
  sleepers_.push_back(sleeper);
  WaitOnClock(clock_, &sleeper->turn, &mu_, until_micros);
  std::erase(sleepers_, sleeper);
}

// The waiter that is next before the disk, and all that wait for their budget:
// one of them may have become the first of its class.
void IoScheduler::WakeNext() {
  for (Sleeper* sleeper : sleepers_) {
    if (!core_.WaitsForDisk(sleeper->waiter) || core_.IsNext(sleeper->waiter)) {
      sleeper->turn.Signal();
    }
  }
}

void IoScheduler::WakeIfNot(const void* next) {
  if (core_.disk().Next() != next) WakeNext();
}

void IoScheduler::WakeAll() {
  MutexLock lock(&mu_);
  for (Sleeper* sleeper : sleepers_) sleeper->turn.Signal();
}

void IoScheduler::LetThrough(Client* client, const Ask& ask) {
  IoSchedulerCore::Waiter waiter;
  waiter.io_class = ask.io_class;
  waiter.request = ask.request;
  waiter.budgeted = ask.budgeted;
  MutexLock lock(&mu_);
  const void* const next = core_.disk().Next();
  core_.LetThrough(client, &waiter, Now());
  WakeIfNot(next);
}

void IoScheduler::Complete(IoClass io_class, const IoRequest& request,
                           bool from_cache) {
  MutexLock lock(&mu_);
  if (from_cache) {
    core_.disk().Refund(io_class, request, Now());
    WakeNext();
  } else {
    core_.disk().Complete(request, Now());
  }
}

void IoScheduler::SetBudget(Client* client, const IoBudget& budget) {
  MutexLock lock(&mu_);
  core_.SetBudget(client, budget, Now());
  for (Sleeper* sleeper : sleepers_) sleeper->turn.Signal();
}

IoBudget IoScheduler::BudgetOf(const Client& client) const {
  MutexLock lock(&mu_);
  return client.budget();
}

void IoScheduler::Stop(Client* client) {
  MutexLock lock(&mu_);
  core_.Stop(client, Now());
  for (Sleeper* sleeper : sleepers_) sleeper->turn.Signal();
}

Result<std::shared_ptr<IoScheduler>> OpenIoScheduler(
    const std::shared_ptr<IOScheduler>& option, FileSystem* fs,
    const std::string& directory, Logger* info_log) {
  if (option == nullptr) return std::shared_ptr<IoScheduler>();
  auto scheduler = std::dynamic_pointer_cast<IoScheduler>(option);
  if (scheduler == nullptr) {
    return Status::InvalidArgument("io_scheduler",
                                   "was not made by NewIOScheduler()");
  }
  std::string absolute = directory;
  (void)fs->GetAbsolutePath(directory, IOOptions(), &absolute, nullptr);
  RETURN_IF_ERROR(scheduler->Open(fs, absolute, info_log));
  return scheduler;
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<IOScheduler> NewIOScheduler(const IOSchedulerOptions& options) {
  return std::make_shared<engine::IoScheduler>(options);
}

}  // namespace ROCKSDB_NAMESPACE
