#include "db/db_impl/compactor.h"

#include <algorithm>
#include <utility>

#include "db/db_impl/job_events.h"
#include "db/db_impl/slice_runner.h"
#include "rocksdb/system_clock.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

struct Compactor::Job {
  FamilyPtr family;
  uint64_t id = 0;
  uint64_t start_micros = 0;
  uint64_t micros = 0;
  CompactionPlan plan;
  std::unique_ptr<SliceEvents> events;
  std::unique_ptr<CompactionJob> compaction;  // Null for a trivial move.
  PauseToken token;

  JobEvents::Compaction Described() const {
    return {family.get(), &plan, compaction.get(), static_cast<int>(id),
            micros};
  }
};

int Compactor::waiting() const {
  int count = 0;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    count += family->AutoCompactionDue() ? 1 : 0;
  }
  return count;
}

// The family whose worst level is furthest beyond its target.
FamilyPtr Compactor::NextFamily() const {
  FamilyPtr next;
  double worst = 0;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    if (!family->AutoCompactionDue()) continue;
    const LevelState& state = family->versions()->level_state();
    const double score = state.scores.empty() ? 0 : state.scores[0].score;
    if (next == nullptr || score > worst) {
      next = family;
      worst = score;
    }
  }
  return next;
}

PickInput Compactor::InputFor(const FamilyPtr& family) const {
  PickInput input;
  input.icmp = &family->icmp();
  input.version = family->versions()->current();
  input.options = family->options().get();
  input.levels = &family->versions()->level_state();
  input.max_subcompactions = deps_.db->options->max_subcompactions;
  input.running = family->running();
  return input;
}

std::optional<CompactionPlan> Compactor::Pick(const FamilyPtr& family) const {
  return PickLeveled(InputFor(family));
}

bool Compactor::RunOne() {
  const FamilyPtr family = NextFamily();
  if (family == nullptr || cancelled_) return false;
  std::optional<CompactionPlan> plan = Pick(family);
  if (!plan) {
    family->compaction_blocked = true;
    return false;
  }
  Job job;
  job.family = family;
  job.plan = std::move(*plan);
  const Status status = Execute(&job);
  if (!status.ok() && !status.IsShutdownInProgress() &&
      !status.IsColumnFamilyDropped()) {
    deps_.on_error(status, BackgroundErrorReason::kCompaction);
  }
  deps_.delete_obsolete();
  return true;
}

Status Compactor::Execute(Job* job) {
  DbState& db = *deps_.db;
  job->id = static_cast<uint64_t>(db.next_job_id.fetch_add(1));
  job->start_micros = db.store.clock->NowMicros();
  job->family->RegisterPlan(&job->plan);
  jobs_.push_back(job);
  // Another level may have become due beside this one.
  deps_.schedule();
  const FileDeletion::Protection outputs = db.deletion->ProtectOutputs();
  JobEvents events(&db);
  events.CompactionBegin(job->Described());
  const Status status = job->plan.is_trivial_move ? Move(job) : Merge(job);
  db.deletion->Release(outputs);
  std::erase(jobs_, job);
  job->family->UnregisterPlan(&job->plan);
  deps_.stalls->Recalculate(job->family.get());
  job->micros = db.store.clock->NowMicros() - job->start_micros;
  LogOutcome(*job, status);
  if (status.ok()) Account(*job);
  events.CompactionCompleted(job->Described(), status);
  db.changed.SignalAll();
  // After a failure nothing starts again before the error is known.
  if (status.ok() || job->plan.is_manual) deps_.schedule();
  deps_.tell_stalls();
  return status;
}

Status Compactor::Move(Job* job) {
  VersionEdit edit;
  edit.column_family = job->family->id();
  const int from = job->plan.start_level();
  for (const FilePtr& file : job->plan.inputs.front().files) {
    edit.DeleteFile(from, file->number);
    edit.AddFile(job->plan.output_level, file);
  }
  return Apply(job, &edit);
}

Status Compactor::Merge(Job* job) {
  DbState& db = *deps_.db;
  CompactionJobDeps deps;
  deps.store = &db.store;
  deps.tables = &job->family->tables();
  deps.owner = job->family->owner();
  deps.new_file_number = [&db] { return db.versions->NewFileNumber(); };
  deps.snapshots = db.snapshots.Sequences();
  deps.io_priority = [&db] {
    return db.controller.IsStopped() || db.controller.NeedsDelay()
               ? Env::IO_USER
               : Env::IO_LOW;
  };
  deps.job_id = static_cast<int>(job->id);
  deps.base_level = job->family->versions()->level_state().base_level;
  deps.compaction_readahead_bytes = db.options->compaction_readahead_size;
  job->events = JobEvents(&db).ObserverOf(job->Described());
  deps.observer = job->events.get();
  job->compaction = std::make_unique<CompactionJob>(std::move(deps), job->plan);
  db.mu.Unlock();
  Info(db.store.info_log, "[%s] [JOB %d] Compacting %s, score %.2f",
       job->family->name().c_str(), static_cast<int>(job->id),
       job->plan.Summary().c_str(), job->plan.score);
  VersionEdit edit;
  Status status;
  {
    StopWatch watch(db.store.clock, db.store.statistics, COMPACTION_TIME);
    job->compaction->Prepare();
    while (RunSlices(db.env, job->compaction.get(), job->token) ==
           JobProgress::kPaused) {
      AwaitResume(*job);
    }
    status = job->compaction->Finish(&edit);
  }
  db.mu.Lock();
  if (status.ok()) status = Apply(job, &edit);
  return status;
}

// A paused job keeps its thread until somebody else can use it.
void Compactor::AwaitResume(const Job& job) {
  DbState& db = *deps_.db;
  MutexLock lock(&db.mu);
  while (job.token.wish() == PauseToken::Wish::kPause) {
    db.changed.Wait(&db.mu);
  }
}

// REQUIRES: the mutex; released while the MANIFEST is written.
Status Compactor::Apply(Job* job, VersionEdit* edit) {
  DbState& db = *deps_.db;
  ColumnFamily& family = *job->family;
  if (family.dropped()) {
    return Status::ColumnFamilyDropped("Compaction of ", family.name());
  }
  RETURN_IF_ERROR(db.versions->LogAndApply(family.versions(), edit, &db.mu,
                                           db.directory.get()));
  family.compaction_blocked = false;
  ViewRef old = family.PublishView();
  db.mu.Unlock();
  { ViewRef last = std::move(old); }
  db.mu.Lock();
  return Status::OK();
}

void Compactor::Account(const Job& job) {
  DbState& db = *deps_.db;
  CompactionStats stats;
  stats.count = 1;
  stats.micros = job.micros;
  const CompactionPlan& plan = job.plan;
  if (job.compaction == nullptr) {
    stats.bytes_moved = plan.InputBytes();
  } else {
    const CompactionJobStats done = job.compaction->stats();
    for (const CompactionPlan::Inputs& inputs : plan.inputs) {
      for (const FilePtr& file : inputs.files) {
        (inputs.level == plan.output_level ? stats.bytes_read_output
                                           : stats.bytes_read_upper) +=
            file->size;
      }
    }
    stats.cpu_micros = done.cpu_micros;
    stats.bytes_written = done.output_bytes;
    stats.records_in = done.iterator.input_records;
    stats.records_dropped = done.iterator.input_records - done.output_records;
    RecordTick(db.store.statistics, COMPACT_READ_BYTES,
               stats.bytes_read_upper + stats.bytes_read_output);
    RecordTick(db.store.statistics, COMPACT_WRITE_BYTES, stats.bytes_written);
    RecordTick(db.store.statistics, COMPACTION_KEY_DROP_NEWER_ENTRY,
               done.iterator.dropped_hidden);
    RecordTick(db.store.statistics, COMPACTION_KEY_DROP_OBSOLETE,
               done.iterator.dropped_obsolete);
    RecordTick(db.store.statistics, COMPACTION_KEY_DROP_USER,
               done.iterator.dropped_by_filter);
  }
  job.family->job_stats().At(plan.output_level) += stats;
}

void Compactor::LogOutcome(const Job& job, const Status& status) const {
  Logger* log = deps_.db->store.info_log;
  const char* family = job.family->name().c_str();
  const int id = static_cast<int>(job.id);
  if (!status.ok()) {
    Warn(log, "[%s] [JOB %d] Compaction of %s failed: %s", family, id,
         job.plan.Summary().c_str(), status.ToString().c_str());
  } else if (job.compaction == nullptr) {
    Info(log, "[%s] [JOB %d] Moved %s without rewriting, %llu bytes", family,
         id, job.plan.Summary().c_str(),
         static_cast<unsigned long long>(job.plan.InputBytes()));
  } else {
    const CompactionJobStats stats = job.compaction->stats();
    Info(log,
         "[%s] [JOB %d] Compacted %s: %llu bytes in, %llu bytes out, "
         "%llu records in, %llu out, %.3f s",
         family, id, job.plan.Summary().c_str(),
         static_cast<unsigned long long>(stats.input_bytes),
         static_cast<unsigned long long>(stats.output_bytes),
         static_cast<unsigned long long>(stats.iterator.input_records),
         static_cast<unsigned long long>(stats.output_records),
         static_cast<double>(job.micros) / 1e6);
  }
}

uint64_t Compactor::BytesInProgress() const {
  uint64_t bytes = 0;
  for (const Job* job : jobs_) bytes += job->plan.InputBytes();
  return bytes;
}

void Compactor::CancelAll() {
  cancelled_ = true;
  for (Job* job : jobs_) job->token.Cancel();
}

// --------------------------------------------------------------------- manual

void Compactor::SetManualEnabled(bool enabled) {
  if (enabled) {
    manual_disabled_ = std::max(0, manual_disabled_ - 1);
    return;
  }
  ++manual_disabled_;
  for (Job* job : jobs_) {
    if (job->plan.is_manual) job->token.Cancel();
  }
}

bool Compactor::ManualStopped(const CompactRangeOptions& options) const {
  return manual_disabled_ > 0 ||
         (options.canceled != nullptr &&
          options.canceled->load(std::memory_order_acquire));
}

Status Compactor::CompactRange(const FamilyPtr& family,
                               const CompactRangeOptions& options,
                               const Slice* begin, const Slice* end) {
  const FamilyVersions& versions = *family->versions();
  int deepest = 0;
  for (int level = 0; level < versions.current()->num_levels(); ++level) {
    if (versions.current()->KeyRangeOverlapsLevel(level, begin, end)) {
      deepest = level;
    }
  }
  // Who asks for a compaction by hand wants the filter to run.
  const bool has_filter =
      family->options()->compaction_filter != nullptr ||
      family->options()->compaction_filter_factory != nullptr;
  int last_output = 0;
  for (int level = 0; level <= deepest; ++level) {
    if (!versions.current()->KeyRangeOverlapsLevel(level, begin, end)) {
      continue;
    }
    const int base = versions.level_state().base_level;
    const bool is_deepest = level == deepest && level > 0;
    if (is_deepest) break;
    last_output = level == 0 ? std::max(base, 1) : level + 1;
    RETURN_IF_ERROR(CompactLevel(family, options,
                                 {level, last_output, begin, end,
                                  /*allow_trivial_move=*/!has_filter},
                                 &last_output));
    deepest = std::max(deepest, last_output);
  }
  // The bottom is rewritten only where somebody has use for it.
  const BottommostLevelCompaction wish = options.bottommost_level_compaction;
  const bool rewrite =
      wish == BottommostLevelCompaction::kForce ||
      (wish == BottommostLevelCompaction::kForceOptimized &&
       last_output != deepest) ||
      (wish == BottommostLevelCompaction::kIfHaveCompactionFilter &&
       has_filter && last_output != deepest);
  if (rewrite && deepest > 0) {
    RETURN_IF_ERROR(CompactLevel(
        family, options, {deepest, deepest, begin, end, false}, &last_output));
  }
  if (options.change_level) {
    return MoveToLevel(family, options.target_level, begin, end);
  }
  return Status::OK();
}

Status Compactor::CompactLevel(const FamilyPtr& family,
                               const CompactRangeOptions& options,
                               ManualRange range, int* output_level) {
  DbState& db = *deps_.db;
  *output_level = range.output_level;
  for (;;) {
    if (ManualStopped(options)) {
      return Status::Incomplete(Status::SubCode::kManualCompactionPaused);
    }
    if (db.closing) return Status::ShutdownInProgress();
    if (family->dropped()) return Status::ColumnFamilyDropped(family->name());
    if (!db.errors.CompactionsAllowed()) return db.errors.error();
    bool conflict = false;
    // While waiting the base level may have moved.
    if (range.level == 0 && range.output_level != 0) {
      range.output_level =
          std::max(family->versions()->level_state().base_level, 1);
      *output_level = range.output_level;
    }
    PickInput input = InputFor(family);
    if (options.max_subcompactions > 0) {
      input.max_subcompactions = options.max_subcompactions;
    }
    std::optional<CompactionPlan> plan = PickManual(input, range, &conflict);
    if (conflict) {
      db.changed.Wait(&db.mu);
      continue;
    }
    if (!plan) return Status::OK();
    Job job;
    job.family = family;
    job.plan = std::move(*plan);
    Status status = Execute(&job);
    deps_.delete_obsolete();
    if (status.IsShutdownInProgress() && ManualStopped(options)) {
      status = Status::Incomplete(Status::SubCode::kManualCompactionPaused);
    }
    return status;
  }
}

// All files of the range's deepest level change their level in the MANIFEST.
Status Compactor::MoveToLevel(const FamilyPtr& family, int target_level,
                              const Slice* begin, const Slice* end) {
  // Whatever runs may put files between source and target.
  while (!family->running().empty()) {
    if (deps_.db->closing) return Status::ShutdownInProgress();
    deps_.db->changed.Wait(&deps_.db->mu);
  }
  const VersionPtr version = family->versions()->current();
  int from = -1;
  for (int level = 0; level < version->num_levels(); ++level) {
    if (version->KeyRangeOverlapsLevel(level, begin, end)) from = level;
  }
  if (from < 0) return Status::OK();
  int to = target_level;
  if (to < 0) {
    // The lowest level number all of whose successors up to `from` are free.
    to = from;
    while (to > 1 && version->NumFiles(to - 1) == 0) --to;
  }
  if (to == from) return Status::OK();
  if (to >= version->num_levels()) {
    return Status::InvalidArgument("Target level exceeds number of levels");
  }
  if (from == 0 && version->NumFiles(0) > 1) {
    return Status::NotSupported("Several files of level 0 cannot be moved");
  }
  for (int level = std::min(from, to); level <= std::max(from, to); ++level) {
    if (level != from && version->NumFiles(level) > 0) {
      return Status::NotSupported(
          "Levels between source and target are not empty for a move.");
    }
  }
  Job job;
  job.family = family;
  job.plan.reason = CompactionReason::kRefitLevel;
  job.plan.is_manual = true;
  job.plan.is_trivial_move = true;
  job.plan.version = version;
  job.plan.output_level = to;
  job.plan.inputs.push_back({from, version->files(from)});
  const LevelFiles& files = version->level(from);
  job.plan.smallest_user_key =
      files.flat.front().smallest_user_key().ToString();
  job.plan.largest_user_key = files.flat.back().largest_user_key().ToString();
  return Execute(&job);
}

}  // namespace ROCKSDB_NAMESPACE::engine
