// The administrative half of DBImpl: life cycle, flushes, options.

#include <algorithm>
#include <chrono>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/db_impl/db_impl.h"
#include "db/db_impl/family_setup.h"
#include "db/db_impl/wal_tracking.h"
#include "db/events/db_events.h"
#include "db/format/file_names.h"
#include "db/options/options_file.h"
#include "db/options/options_table.h"
#include "db/options/validate.h"
#include "env/io_gate.h"
#include "env/space/sst_file_manager.h"
#include "env/thread_pool.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/write_buffer_manager.h"
#include "table/timestamps.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// As SetDBOptions() left them.
std::shared_ptr<const DBOptions> OptionsNow(DbState* db) {
  MutexLock lock(&db->mu);
  return db->options;
}

// A thread for each job, and for each slice of a compaction.
void GrowPools(Env* env, const DBOptions& options) {
  const BackgroundLimits most =
      ResolveBackgroundLimits(options, /*speed_up=*/true);
  const int slices = static_cast<int>(options.max_subcompactions);
  env->IncBackgroundThreadsIfNeeded(most.compactions * std::max(1, slices),
                                    Env::LOW);
  env->IncBackgroundThreadsIfNeeded(most.flushes, Env::HIGH);
}

// REQUIRES: the DB mutex.
void TakeOptions(DbState* db, const DBOptions& options) {
  db->mu.AssertHeld();
  const bool new_rate =
      options.delayed_write_rate != db->options->delayed_write_rate;
  db->options = std::make_shared<const DBOptions>(options);
  if (new_rate) {
    db->controller.set_max_delayed_write_rate(options.delayed_write_rate);
  }
  db->versions->SetManifestFileOptions(FileOptions(options));
  db->versions->SetMaxManifestFileSize(options.max_manifest_file_size);
  db->wals->SetFileOptions(LogFileOptions(options));
  GrowPools(db->env, options);
}

// Without the mutex, because files are closed. Another thread may have changed
// the limit meanwhile, and have been faster.
void LimitOpenFiles(DbState* db) {
  for (;;) {
    const int limit = OptionsNow(db)->max_open_files;
    db->readers->SetMaxOpenFiles(limit);
    if (OptionsNow(db)->max_open_files == limit) return;
  }
}

// The periods of DbTimers, in microseconds.
constexpr uint64_t kSecondMicros = uint64_t{1000} * 1000;
uint64_t DumpPeriod(const DBOptions& options) {
  return options.stats_dump_period_sec * kSecondMicros;
}
uint64_t HistoryPeriod(const DBOptions& options) {
  return options.stats_persist_period_sec * kSecondMicros;
}
uint64_t ScanPeriod(const DBOptions& options) {
  return options.delete_obsolete_files_period_micros;
}
uint64_t WatchPeriod(const DBOptions& /*options*/) {
  return StallWatchdog::kPeriodMicros;
}
uint64_t EverySecond(const DBOptions& /*options*/) { return kSecondMicros; }

}  // namespace

// ---------------------------------------------------------------- life cycle

JobScheduler::Deps DBImpl::SchedulerDeps() {
  JobScheduler::Deps deps;
  deps.env = state_->env;
  deps.mu = &state_->mu;
  deps.changed = &state_->changed;
  deps.demand = [this]() REQUIRES_LOCK(kStateLock) {
    JobDemand demand;
    demand.flushes_waiting = flusher_.waiting() + (buffer_.wants_job() ? 1 : 0);
    compactor_.Count(&demand);
    const bool open = !read_only_ && !state_->closing;
    demand.flushes_allowed =
        open && state_->errors.FlushesAllowed() && !errors_.flushes_held();
    demand.resume_allowed = open && state_->errors.CompactionsAllowed();
    demand.compactions_allowed = demand.resume_allowed &&
                                 !errors_.compactions_held() &&
                                 state_->compaction_aborts == 0;
    return demand;
  };
  deps.limits = [this]() REQUIRES_LOCK(kStateLock) {
    const BackgroundLimits limits = ResolveBackgroundLimits(
        *state_->options, state_->controller.NeedSpeedupCompaction());
    return JobLimits{limits.flushes, limits.compactions, {}, false};
  };
  deps.run_flush = [this]() REQUIRES_LOCK(kStateLock) {
    switcher_.SealForOthers();
    return flusher_.RunOne();
  };
  deps.start_compaction = [this](JobClassSet classes) REQUIRES_LOCK(
                              kStateLock) { return compactor_.Start(classes); };
  deps.resume_compaction = [this](JobClass c) REQUIRES_LOCK(kStateLock) {
    return compactor_.Resume(c);
  };
  deps.pause_compaction =
      [this](const JobAction& action) REQUIRES_LOCK(kStateLock) {
        return compactor_.Pause(action.job_class, action.which);
      };
  deps.unpause_compaction =
      [this](const JobAction& action) REQUIRES_LOCK(kStateLock) {
        return compactor_.Unpause(action.job_class, action.which);
      };
  deps.can_start = [this](JobClassSet classes) REQUIRES_LOCK(kStateLock) {
    return compactor_.CanStart(classes);
  };
  return deps;
}

Status DBImpl::Start() {
  pipeline_.SetLastAssigned(state_->versions->last_sequence());
  (void)ResetStats();
  if (read_only_) return Status::OK();
  state_->events->set_db(this);
  state_->obsolete.SetListener([this] { purge_.Request(); });
  GrowPools(state_->env, state_->store.options);
  timer_ = TimerOf(state_->env);
  RETURN_IF_ERROR(StartBackgroundThreads());
  RETURN_IF_ERROR(timer_->Start());
  errors_.set_timer(timer_);
  StartTimers();
  pipeline_.RequestAttention();
  buffer_.Start();
  tuning_.Update(timer_);
  {
    MutexLock lock(&state_->mu);
    stalls_.RecalculateAll();
  }
  RETURN_IF_ERROR(PersistOptions());
  MutexLock lock(&state_->mu);
  ScheduleIfDue();
  return Status::OK();
}

void DBImpl::StartTimers() {
  std::vector<DbTimers::Task> tasks;
  tasks.push_back({&DumpPeriod, [this] { DumpStats(); }});
  tasks.push_back({&HistoryPeriod, [this] { RecordStatsHistory(); }});
  tasks.push_back({&WatchPeriod, [this] { watchdog_.Check(); }});
  tasks.push_back({&ScanPeriod, [this] {
                     MutexLock lock(&state_->mu);
                     DeleteObsolete(/*scan=*/true);
                   }});
  tasks.push_back({&EverySecond, [this] { MarkDelayedBottommost(); }});
  if (state_->store.space != nullptr) {
    tasks.push_back({&EverySecond, [this] {
                       MutexLock lock(&state_->mu);
                       compactor_.RetryShortOfSpace();
                     }});
  }
  timers_.Start(timer_, std::move(tasks));
}

// By bottommost_file_compaction_delay.
void DBImpl::MarkDelayedBottommost() {
  MutexLock lock(&state_->mu);
  bool delayed = false;
  for (const FamilyPtr& family : state_->families->all()) {
    const LevelState& levels = family->versions()->level_state();
    delayed |= levels.bottommost_due_secs != UINT64_MAX;
  }
  if (delayed) MarkBottommost();
}

void DBImpl::DumpStats() {
  std::string text;
  if (!GetProperty(DB::Properties::kStats, &text)) return;
  Info(state_->store.info_log, "------- DUMPING STATS -------");
  // Line by line: a logger cuts long messages.
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    Info(state_->store.info_log, "%s", text.substr(begin, end - begin).c_str());
    begin = end + 1;
  }
}

Status DBImpl::Close() {
  {
    MutexLock lock(&state_->mu);
    if (closed_) return close_status_;
    if (!state_->snapshots.empty()) {
      return Status::Aborted("Cannot close DB with unreleased snapshot.");
    }
    closed_ = true;
  }
  close_status_ = CloseParts();
  return close_status_;
}

// From here on nothing starts: writes fail, jobs are cancelled. With `wait`
// nothing runs any more on return, either.
Status DBImpl::CancelBackgroundWork(bool wait) {
  Status status;
  if (!read_only_ && !state_->closing.load(std::memory_order_acquire)) {
    tuning_.End();
    timers_.End();
    const bool flush = state_->has_unlogged_data &&
                       !OptionsNow(state_.get())->avoid_flush_during_shutdown;
    bool healthy = false;
    if (flush) {
      MutexLock lock(&state_->mu);
      healthy = state_->errors.FlushesAllowed();
      if (healthy) scheduler_.EndPauses();
    }
    if (healthy) status = FlushEverything(FlushReason::kShutDown);
  }
  bool first = false;
  {
    MutexLock lock(&state_->mu);
    first = !state_->closing.exchange(true);
    pipeline_.RequestAttention();
    state_->changed.SignalAll();
    compactor_.CancelAll();
  }
  // Behind CancelAll(): no job is given to the service from now on. One that
  // was on its way to it is waited for soon, and Wait() then returns soon.
  CompactionService* const service =
      state_->store.options.compaction_service.get();
  if (first && !read_only_ && service != nullptr) service->CancelAwaitingJobs();
  buffer_.Stop();
  if (state_->store.io_gate != nullptr) state_->store.io_gate->StopWaiting();
  errors_.Stop();
  MutexLock lock(&state_->mu);
  if (!wait) return status;
  scheduler_.Stop();
  purge_.Stop();
  compactor_.EndCancelled();
  while (compactor_.running() > 0) state_->changed.Wait(&state_->mu);
  return status;
}

Status DBImpl::CloseParts() {
  Status status = CancelBackgroundWork(/*wait=*/true);
  // Writers that a stall held leave with an error before anything goes.
  if (!read_only_) {
    const CommitPipeline::ExclusiveGuard guard(&pipeline_);
  }
  EndAllTraces();
  {
    MutexLock lock(&state_->mu);
    if (!read_only_) {
      for (const WalSet::Live& log : state_->wals->TakeRecyclable()) {
        state_->deletion->AddObsoleteLog(log.number, log.size_bytes);
      }
      DeleteObsolete();
    }
    while (IsPurging()) state_->changed.Wait(&state_->mu);
  }
  if (!read_only_) {
    const Status wal = state_->wals->Close();
    const Status manifest = state_->versions->Close();
    if (status.ok()) status = wal.ok() ? manifest : wal;
    Info(state_->store.info_log, "Shutdown complete");
  }
  if (state_->store.space != nullptr) {
    state_->store.space->ForgetFilesOf(state_.get());
  }
  if (lock_ != nullptr) {
    (void)state_->store.fs->UnlockFile(lock_, IOOptions(), nullptr);
    lock_ = nullptr;
  }
  return status;
}

// REQUIRES: the mutex; released while files are deleted.
void DBImpl::DeleteObsolete(bool scan) {
  state_->mu.AssertHeld();
  ForgetDroppedFamilies();
  DeletionWork work = state_->deletion->Collect(scan);
  if (work.empty()) return;
  {
    const MutexUnlock unlock(&state_->mu);
    state_->deletion->Delete(std::move(work));
  }
  state_->changed.SignalAll();
}

// REQUIRES: the mutex; released while listeners are told.
void DBImpl::NotifyStallListeners() {
  state_->mu.AssertHeld();
  if (!stalls_.has_changes()) return;
  const std::vector<WriteStallInfo> changes = stalls_.TakeChanges();
  const MutexUnlock unlock(&state_->mu);
  for (const WriteStallInfo& change : changes) {
    state_->events->StallConditionsChanged(change);
  }
}

Status DBImpl::Resume() { return errors_.Resume(); }

// ------------------------------------------------------------------- flushes

Status DBImpl::SealFamilies(const std::vector<FamilyPtr>& families,
                            FlushReason reason, std::vector<FlushGoal>* goals) {
  const CommitPipeline::ExclusiveGuard guard(&pipeline_);
  return SealExclusively(families, reason, goals);
}

// REQUIRES: the commit pipeline to itself.
Status DBImpl::SealExclusively(const std::vector<FamilyPtr>& families,
                               FlushReason reason,
                               std::vector<FlushGoal>* goals) {
  std::vector<ViewRef> dropped;  // Let go behind the mutex.
  MutexLock lock(&state_->mu);
  if (state_->errors.stopped()) return state_->errors.error();
  for (const FamilyPtr& family : families) {
    if (family->dropped()) continue;
    RETURN_IF_ERROR(switcher_.Seal(family.get(), reason, &dropped));
    if (family->imm().empty()) continue;
    family->imm().RequestFlush();
    goals->push_back({family, family->imm().newest_id()});
  }
  ScheduleIfDue();
  return Status::OK();
}

Status DBImpl::AwaitFlush(const std::vector<FlushGoal>& goals) {
  MutexLock lock(&state_->mu);
  for (const FlushGoal& goal : goals) {
    while (!flusher_.Done(*goal.family, goal.memtable_id)) {
      if (state_->closing) return Status::ShutdownInProgress();
      RETURN_IF_ERROR(errors_.FlushFailure());
      state_->changed.Wait(&state_->mu);
    }
  }
  return Status::OK();
}

Status DBImpl::FlushFamilies(const std::vector<FamilyPtr>& families,
                             FlushReason reason, bool wait) {
  std::vector<FlushGoal> goals;
  RETURN_IF_ERROR(SealFamilies(families, reason, &goals));
  if (!wait) return Status::OK();
  RETURN_IF_ERROR(AwaitFlush(goals));
  const bool told = !goals.empty() && reason != FlushReason::kShutDown;
  return told ? CheckSpaceLimit(state_->store.space) : Status::OK();
}

// What Resume() needs: nothing in memory may depend on a log that failed, and
// recovery must not read it: the writer of its last record may have got an
// error, and its sequences are used again. Write nothing until the MANIFEST
// drops it. REQUIRES: the commit pipeline to itself, and an empty log.
Status DBImpl::FlushForResume() {
  std::vector<FamilyPtr> families;
  {
    MutexLock lock(&state_->mu);
    families = state_->families->all();
  }
  std::vector<FlushGoal> goals;
  RETURN_IF_ERROR(
      SealExclusively(families, FlushReason::kErrorRecovery, &goals));
  RETURN_IF_ERROR(AwaitFlush(goals));
  MutexLock lock(&state_->mu);
  std::vector<VersionEdit> edits(families.size());
  std::vector<FamilyEdits> changes;
  for (size_t i = 0; i < families.size(); ++i) {
    edits[i].log_number = state_->wals->current_number();
    changes.push_back({families[i]->versions(), {&edits[i]}, {}});
  }
  RETURN_IF_ERROR(state_->versions->LogAndApply(changes, &state_->mu,
                                                state_->directory.get()));
  CheckState(*state_);
  flusher_.ReleaseLogs();
  return Status::OK();
}

// `together`: as with atomic_flush.
Status DBImpl::FlushEverything(FlushReason reason, bool together) {
  std::vector<FamilyPtr> families;
  {
    MutexLock lock(&state_->mu);
    families = state_->families->all();
    if (together) ++state_->atomic_flushes;
  }
  Status status = OrNoMemory(
      [&] { return FlushFamilies(families, reason, /*wait=*/true); });
  if (!together) return status;
  // Perhaps its end installs tables: then what follows a flush is due.
  const Status ended = OrNoMemory([this] {
    MutexLock lock(&state_->mu);
    flusher_.EndAtomicFlush();
    state_->changed.SignalAll();
    ScheduleIfDue();
    NotifyStallListeners();
    DeleteObsolete();
    return Status::OK();
  });
  return status.ok() ? ended : status;
}

// Without allow_write_stall a flush waits until one more sealed memtable, or
// one more file, would not slow writers down; but only as long as some job
// makes room for it.
void DBImpl::AwaitRoomForFlush(const ColumnFamily& family) {
  MutexLock lock(&state_->mu);
  for (;;) {
    if (state_->closing || family.dropped() || state_->errors.stopped()) return;
    StallLevels levels = StallMonitor::LevelsOf(family);
    ++levels.unflushed_memtables;
    ++levels.level0_files;
    WriteStallCause cause{};
    if (!stalls_.WouldStall(family, levels, &cause)) return;
    if (!stalls_.RoomMayCome(family, cause)) return;
    // The tuner may have paused the job.
    compactor_.BeginWait();
    state_->changed.Wait(&state_->mu);
    compactor_.EndWait();
  }
}

Status DBImpl::Flush(const FlushOptions& options,
                     ColumnFamilyHandle* column_family) {
  return Flush(options, std::vector<ColumnFamilyHandle*>{column_family});
}

Status DBImpl::Flush(const FlushOptions& options,
                     const std::vector<ColumnFamilyHandle*>& column_families) {
  RETURN_IF_ERROR(CheckWritable());
  std::vector<FamilyPtr> families;
  for (ColumnFamilyHandle* handle : column_families) {
    families.push_back(FamilyOf(handle));
    if (!options.allow_write_stall) AwaitRoomForFlush(*families.back());
  }
  Info(state_->store.info_log, "[%s] Manual flush start.",
       families.empty() ? "" : families[0]->name().c_str());
  const Status status =
      FlushFamilies(families, FlushReason::kManualFlush, options.wait);
  Info(state_->store.info_log, "[%s] Manual flush finished, status: %s",
       families.empty() ? "" : families[0]->name().c_str(),
       status.ToString().c_str());
  return status;
}

Status DBImpl::FlushWAL(const FlushWALOptions& options) {
  RETURN_IF_ERROR(CheckWritable());
  const CommitPipeline::ExclusiveGuard guard(&pipeline_);
  Status status = state_->wals->Flush(options.rate_limiter_priority);
  if (status.ok() && options.sync) status = state_->wals->SyncWithoutAppends();
  return AfterLogCall(status);
}

Status DBImpl::SyncWAL() {
  RETURN_IF_ERROR(CheckWritable());
  if (!state_->wals->CanSyncBesideAppends()) {
    return Status::NotSupported(
        "SyncWAL: the log's file cannot be synced during an append; "
        "FlushWAL(true) can sync it");
  }
  RETURN_IF_ERROR(AfterLogCall(state_->wals->Sync()));
  TrackSyncedLogs(state_.get());
  return Status::OK();
}

// A log that has failed is not written again until Resume(), which must know of
// it. A sync leaves out logs that failed earlier, so it makes no promise.
Status DBImpl::AfterLogCall(const Status& status) {
  if (!status.ok()) {
    switcher_.OnCommitError(status);
    return status;
  }
  MutexLock lock(&state_->mu);
  return errors_.LogError();
}

// Writers are stopped between two groups, so no write is half done.
Status DBImpl::LockWAL() {
  RETURN_IF_ERROR(CheckWritable());
  const CommitPipeline::ExclusiveGuard guard(&pipeline_);
  RETURN_IF_ERROR(AfterLogCall(state_->wals->Flush(Env::IO_TOTAL)));
  MutexLock lock(&state_->mu);
  state_->wal_locks.Add(state_->controller.Stop());
  return Status::OK();
}

Status DBImpl::UnlockWAL() {
  RETURN_IF_ERROR(CheckWritable());
  MutexLock lock(&state_->mu);
  if (!state_->wal_locks.Remove()) {
    return Status::Aborted("No LockWAL() of this thread is in effect");
  }
  state_->changed.SignalAll();
  return Status::OK();
}

// ------------------------------------------------------------------- options

void DBImpl::ChangeOptions(ColumnFamily* family,
                           const ColumnFamilyOptions& options,
                           std::vector<ViewRef>* dropped) {
  state_->mu.AssertHeld();
  family->SetOptions(options);
  dropped->push_back(family->PublishView());
  CheckState(*state_);
  stalls_.Recalculate(family);
  ScheduleIfDue();
}

Status DBImpl::SetOptions(
    ColumnFamilyHandle* column_family,
    const std::unordered_map<std::string, std::string>& new_options) {
  RETURN_IF_ERROR(CheckWritable());
  if (new_options.empty()) {
    return Status::InvalidArgument("empty input");
  }
  const FamilyPtr& family = FamilyOf(column_family);
  std::vector<ViewRef> dropped;
  {
    MutexLock lock(&state_->mu);
    ColumnFamilyOptions changed;
    RETURN_IF_ERROR(
        ApplyMutableCfOptions(*family->options(), new_options, &changed));
    changed = SanitizeOptions(*state_->options, changed);
    RETURN_IF_ERROR(ValidateOptions(*state_->options, changed));
    ChangeOptions(family.get(), changed, &dropped);
    for (const auto& [name, value] : new_options) {
      Info(state_->store.info_log, "[%s] SetOptions(): %s: %s",
           family->name().c_str(), name.c_str(), value.c_str());
      family->pinned |= PinnedBy(name);
    }
    NotifyStallListeners();
  }
  tuning_.Update(timer_);
  return PersistOptions();
}

Status DBImpl::SetDBOptions(
    const std::unordered_map<std::string, std::string>& new_options) {
  RETURN_IF_ERROR(CheckWritable());
  if (new_options.empty()) {
    return Status::InvalidArgument("empty input");
  }
  {
    MutexLock lock(&state_->mu);
    DBOptions changed;
    RETURN_IF_ERROR(
        ApplyMutableDbOptions(*state_->options, new_options, &changed));
    changed = SanitizeOptions(state_->store.dbname, changed);
    RETURN_IF_ERROR(ValidateOptions(changed));
    TakeOptions(state_.get(), changed);
    pipeline_.RequestAttention();
    ScheduleIfDue();
  }
  LimitOpenFiles(state_.get());
  timers_.Update();
  for (const auto& [name, value] : new_options) {
    Info(state_->store.info_log, "SetDBOptions(): %s: %s", name.c_str(),
         value.c_str());
    MutexLock lock(&state_->mu);
    for (const FamilyPtr& family : state_->families->all()) {
      family->pinned |= PinnedBy(name);
    }
  }
  return PersistOptions();
}

Status DBImpl::EnableAutoCompaction(
    const std::vector<ColumnFamilyHandle*>& column_family_handles) {
  for (ColumnFamilyHandle* handle : column_family_handles) {
    RETURN_IF_ERROR(
        SetOptions(handle, {{"disable_auto_compactions", "false"}}));
  }
  return Status::OK();
}

// Writes a new OPTIONS file; the older ones are removed by the next scan.
Status DBImpl::PersistOptions() {
  DBOptions options;
  std::vector<ColumnFamilyDescriptor> families;
  uint64_t number = 0;
  {
    MutexLock lock(&state_->mu);
    options = *state_->options;
    for (const FamilyPtr& family : state_->families->all()) {
      families.emplace_back(family->name(), *family->options());
    }
    number = state_->versions->NewFileNumber();
  }
  const Status status = WriteOptionsFile(state_->store.fs, state_->store.dbname,
                                         number, options, families);
  if (!status.ok()) {
    Warn(state_->store.info_log, "Unable to persist options: %s",
         status.ToString().c_str());
    return state_->store.options.fail_if_options_file_error ? status
                                                            : Status::OK();
  }
  MutexLock lock(&state_->mu);
  DeleteObsolete(/*scan=*/true);
  return Status::OK();
}

// ------------------------------------------------------------- file deletions

Status DBImpl::DisableFileDeletions() {
  RETURN_IF_ERROR(CheckWritable());
  MutexLock lock(&state_->mu);
  state_->deletion->Disable();
  // A pass that runs has chosen its files before. No further one starts. A
  // listener that a pass calls cannot wait for that pass to end.
  if (!state_->deletion->IsDeletingHere()) {
    while (state_->deletion->running() > 0) state_->changed.Wait(&state_->mu);
  }
  return Status::OK();
}

Status DBImpl::EnableFileDeletions() {
  RETURN_IF_ERROR(CheckWritable());
  MutexLock lock(&state_->mu);
  if (state_->deletion->Enable(/*force=*/false) == 0) {
    DeleteObsolete(/*scan=*/true);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

void CancelAllBackgroundWork(DB* db, bool wait) {
  auto* impl = dynamic_cast<engine::DBImpl*>(db->GetRootDB());
  if (impl != nullptr) (void)impl->CancelBackgroundWork(wait);
}

}  // namespace ROCKSDB_NAMESPACE
