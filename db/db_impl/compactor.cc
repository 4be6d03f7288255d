#include "db/db_impl/compactor.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/compaction/job_thread.h"
#include "db/compaction/slice_runner.h"
#include "db/db_impl/compactor_job.h"
#include "db/options/tuning_mode.h"
#include "db/tuning_driver/signals_of.h"
#include "env/space/sst_file_manager.h"
#include "rocksdb/system_clock.h"
#include "table/format/footer.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

Compactor::Compactor(Deps deps) : deps_(std::move(deps)) {}
Compactor::~Compactor() = default;

int Compactor::waiting() const {
  deps_.db->mu.AssertHeld();
  int count = 0;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    count += family->AutoCompactionDue() ? 1 : 0;
  }
  return count;
}

bool Compactor::IsTuned(const ColumnFamily& family) const {
  deps_.db->mu.AssertHeld();
  return !deps_.db->tuning.adaptive ||
         TuningModeOf(*family.options()) == TuningMode::kAdaptive;
}

// As what a job of the class `own` competes for slots.
JobClass Compactor::ClassFor(const ColumnFamily& family, JobClass own) const {
  deps_.db->mu.AssertHeld();
  return IsTuned(family) ? own : JobClass::kRuns;
}

// The inverse: what a family may do when `classes` may.
JobClassSet Compactor::OwnClasses(const ColumnFamily& family,
                                  JobClassSet classes) const {
  deps_.db->mu.AssertHeld();
  if (IsTuned(family)) return classes;
  return classes.Has(JobClass::kRuns) ? JobClassSet::All() : JobClassSet();
}

bool Compactor::Matches(const Job& job, JobClass job_class,
                        JobAction::Which which) const {
  deps_.db->mu.AssertHeld();
  using Which = JobAction::Which;
  const bool wanted =
      which == Which::kAny || job.plan.is_manual == (which == Which::kManual);
  return wanted && ClassFor(*job.family, job.plan.job_class()) == job_class;
}

void Compactor::BeginWait() {
  deps_.db->mu.AssertHeld();
  ++waits_;
  deps_.schedule();
}

void Compactor::EndWait() {
  deps_.db->mu.AssertHeld();
  assert(waits_ > 0);
  --waits_;
}

void Compactor::ApplyTuning() {
  deps_.db->mu.AssertHeld();
  for (const auto& job : jobs_) job->pass.exempt = !IsTuned(*job->family);
}

void Compactor::Count(JobDemand* demand) const {
  deps_.db->mu.AssertHeld();
  demand->drain = waits_ > 0;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    const JobClassSet due = family->CompactionsDue();
    if (!due.empty()) ++demand->compactions_waiting;
    JobClassSet counted;
    for (const JobClass c : kJobClasses) {
      if (due.Has(c)) counted.Add(ClassFor(*family, c));
    }
    for (const JobClass c : kJobClasses) {
      demand->Of(c).waiting += counted.Has(c);
    }
  }
  for (const auto& job : jobs_) {
    const bool paused = job->state == Job::State::kPaused;
    if (job->plan.is_manual) {
      demand->manual.running += job->pausable();
      demand->manual.pausing += job->pausing();
      demand->manual.paused += paused;
      continue;
    }
    JobClassDemand& d =
        demand->Of(ClassFor(*job->family, job->plan.job_class()));
    const bool pausable = job->pausable();
    const bool pausing = job->pausing();
    d.running += pausable;
    d.pausing += pausing;
    d.paused += paused;
    d.finishing += !pausable && !pausing && !paused;
  }
}

bool Compactor::has_automatic() const {
  deps_.db->mu.AssertHeld();
  return std::any_of(jobs_.begin(), jobs_.end(),
                     [](const auto& job) { return !job->plan.is_manual; });
}

// The family whose worst level, of those that make work of these classes, is
// furthest beyond its target.
FamilyPtr Compactor::NextFamily(JobClassSet classes) const {
  deps_.db->mu.AssertHeld();
  FamilyPtr next;
  double worst = 0;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    const JobClassSet due = family->CompactionsDue();
    const JobClassSet own = OwnClasses(*family, classes);
    double score = 0;
    bool wanted = false;
    for (const JobClass c : kJobClasses) wanted |= due.Has(c) && own.Has(c);
    if (!wanted) continue;
    for (const LevelScore& entry : family->versions()->level_state().scores) {
      const JobClass c = entry.level == 0 ? JobClass::kRuns : JobClass::kDebt;
      if (own.Has(c)) score = std::max(score, entry.score);
    }
    if (next == nullptr || score > worst) {
      next = family;
      worst = score;
    }
  }
  return next;
}

PickInput Compactor::InputFor(const FamilyPtr& family) const {
  deps_.db->mu.AssertHeld();
  PickInput input;
  input.icmp = &family->icmp();
  input.version = family->versions()->current();
  input.options = family->options().get();
  input.levels = &family->versions()->level_state();
  input.max_subcompactions = deps_.db->options->max_subcompactions;
  const ColumnFamilyOptions& options = *family->options();
  if (options.enable_blob_garbage_collection) {
    input.collect_blobs_below = input.version->blobs().CollectBelow(
        options.blob_garbage_collection_age_cutoff);
  }
  input.running = family->running();
  input.shape = family->shape();
  return input;
}

std::optional<CompactionPlan> Compactor::Pick(const FamilyPtr& family,
                                              JobClassSet classes) {
  deps_.db->mu.AssertHeld();
  if (family->MovesBetweenLevels()) return std::nullopt;
  const JobClassSet own = OwnClasses(*family, classes);
  PickInput input = InputFor(family);
  input.pick_runs = own.Has(JobClass::kRuns);
  input.pick_lower = own.Has(JobClass::kDebt);
  input.pick_marked = own.Has(JobClass::kMaintenance);
  std::optional<CompactionPlan> plan = PickLeveled(input);
  if (plan && !own.Has(plan->job_class())) return std::nullopt;
  if (plan && !MayTakeSpace(family.get(), *plan)) return std::nullopt;
  return plan;
}

uint64_t Compactor::SpaceNeeded(const CompactionPlan& plan) const {
  const bool counted =
      deps_.db->store.space != nullptr && !plan.is_trivial_move;
  return counted ? plan.InputBytes() : 0;
}

bool Compactor::HasSpace(uint64_t bytes) const {
  return bytes == 0 || deps_.db->store.space->MayReserve(bytes);
}

bool Compactor::MayTakeSpace(ColumnFamily* family, const CompactionPlan& plan) {
  deps_.db->mu.AssertHeld();
  const uint64_t bytes = SpaceNeeded(plan);
  if (HasSpace(bytes)) {
    space_warning_given_ = false;
    return true;
  }
  if (!space_warning_given_) {
    Warn(deps_.db->store.info_log,
         "[%s] A compaction of %llu bytes waits: it might exceed the allowed "
         "space",
         family->name().c_str(), static_cast<unsigned long long>(bytes));
  }
  space_warning_given_ = true;
  family->short_of_bytes = bytes;
  return false;
}

// Neither this database nor, as far as reservations tell, another one is about
// to free space.
bool Compactor::NothingFreesSpace() const {
  deps_.db->mu.AssertHeld();
  const DbState& db = *deps_.db;
  return jobs_.empty() && waiting() == 0 &&
         !db.store.space->has_reservations() && db.deletion->running() == 0 &&
         !db.deletion->disabled() && !db.deletion->HasQueuedWork();
}

void Compactor::RetryShortOfSpace() {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  bool refused = false;
  bool stopped = false;  // Writers wait for one that is still refused.
  for (const FamilyPtr& family : db.families->all()) {
    const uint64_t bytes = std::exchange(family->short_of_bytes, 0);
    if (bytes == 0) continue;
    refused = true;
    const StallVerdict& verdict = family->stall().verdict;
    stopped |= verdict.condition == WriteStallCondition::kStopped &&
               (verdict.cause == WriteStallCause::kL0FileCountLimit ||
                verdict.cause == WriteStallCause::kPendingCompactionBytes) &&
               !HasSpace(bytes);
  }
  const bool hopeless =
      stopped && db.errors.CompactionsAllowed() && NothingFreesSpace();
  hopeless_seconds_ = hopeless ? hopeless_seconds_ + 1 : 0;
  if (refused) {
    for (const FamilyPtr& family : db.families->all()) {
      family->compaction_blocked = {};
    }
    deps_.schedule();
  }
  if (hopeless_seconds_ < kHopelessSeconds) return;
  hopeless_seconds_ = 0;
  deps_.on_error(Status::SpaceLimit("Writers wait for a compaction that might "
                                    "exceed the allowed space"),
                 BackgroundErrorReason::kCompaction);
}

bool Compactor::CanStart(JobClassSet classes) {
  deps_.db->mu.AssertHeld();
  while (const FamilyPtr family = NextFamily(classes)) {
    if (Pick(family, classes)) return true;
    family->compaction_blocked.Add(OwnClasses(*family, classes));
  }
  return false;
}

bool Compactor::Start(JobClassSet classes) {
  deps_.db->mu.AssertHeld();
  FamilyPtr family = NextFamily(classes);
  if (family == nullptr || cancelled_ || deps_.db->compaction_aborts > 0) {
    return false;
  }
  const JobThread mark(this);
  std::optional<CompactionPlan> plan = Pick(family, classes);
  if (!plan) {
    family->compaction_blocked.Add(OwnClasses(*family, classes));
    return false;
  }
  Job* const job = Begin(family, std::move(*plan));
  family.reset();  // Only the job keeps a family that is dropped meanwhile.
  Drive(job);
  return true;
}

// -------------------------------------------------------------- pause, resume

bool Compactor::Pause(JobClass job_class, JobAction::Which which) {
  deps_.db->mu.AssertHeld();
  Job* last = nullptr;
  for (const auto& job : jobs_) {
    if (!job->pausable() || !Matches(*job, job_class, which)) continue;
    if (last == nullptr || GoesFirst(last->Left(), job->Left())) {
      last = job.get();
    }
  }
  if (last == nullptr) return false;
  assert(last->state == Job::State::kRunning);
  last->token.Pause();
  last->pass.hurry.store(true, std::memory_order_relaxed);
  assert(!last->pausable());
  return true;
}

bool Compactor::Unpause(JobClass job_class, JobAction::Which which) {
  deps_.db->mu.AssertHeld();
  Job* first = nullptr;
  for (const auto& job : jobs_) {
    const bool cheap = job->pausing() || (job->plan.is_manual &&
                                          job->state == Job::State::kPaused);
    if (!cheap || !Matches(*job, job_class, which)) continue;
    if (first == nullptr || GoesFirst(job->Left(), first->Left())) {
      first = job.get();
    }
  }
  if (first == nullptr) return false;
  if (first->state == Job::State::kPaused) {
    RecordTick(deps_.db->store.statistics, AUTOTUNE_JOBS_RESUMED);
  }
  first->state = Job::State::kRunning;
  first->token.Resume();
  first->pass.hurry.store(false, std::memory_order_relaxed);
  deps_.db->changed.SignalAll();
  return true;
}

bool Compactor::Resume(JobClass job_class) {
  deps_.db->mu.AssertHeld();
  Job* first = nullptr;
  for (const auto& job : jobs_) {
    if (job->state != Job::State::kPaused || job->plan.is_manual ||
        !Matches(*job, job_class, JobAction::Which::kAutomatic)) {
      continue;
    }
    if (first == nullptr || GoesFirst(job->Left(), first->Left())) {
      first = job.get();
    }
  }
  if (first == nullptr) return false;
  assert(first->compaction != nullptr && !first->installed);
  RecordTick(deps_.db->store.statistics, AUTOTUNE_JOBS_RESUMED);
  first->state = Job::State::kRunning;
  first->token.Resume();
  first->pass.hurry.store(false, std::memory_order_relaxed);
  const JobThread mark(this);
  Drive(first);
  return true;
}

// Among a tuned family's merges out of level 0, the one with the fewest bytes
// left to write per file that disappears goes first at the gate. The others
// wait like work on deeper levels.
void Compactor::RankMerges(const ColumnFamily& family) {
  deps_.db->mu.AssertHeld();
  if (family.shape().runs_target == 0) return;
  Job* first = nullptr;
  const auto each = [&](auto&& visit) {
    for (const auto& job : jobs_) {
      if (job->family.get() == &family && job->compaction != nullptr &&
          job->plan.job_class() == JobClass::kRuns &&
          job->state == Job::State::kRunning) {
        visit(job.get());
      }
    }
  };
  double least = 0;
  each([&](Job* job) {
    const double cost =
        job->plan.BytesPerFileGone(job->compaction->progress_bytes());
    if (first == nullptr || cost < least) {
      first = job;
      least = cost;
    }
  });
  each([&](Job* job) {
    job->pass.io_class = job == first ? IoClass::kRuns : IoClass::kDebt;
  });
}

// REQUIRES: the mutex. The job's thread, if it has one, leaves next.
void Compactor::Park(Job* job) {
  deps_.db->mu.AssertHeld();
  assert(job->state == Job::State::kRunning);
  assert(job->compaction != nullptr);
  const uint64_t now = deps_.db->store.clock->NowMicros();
  job->micros += job->SinceResumed(now);
  job->state = Job::State::kPaused;
  ++job->pauses;
  RecordTick(deps_.db->store.statistics, AUTOTUNE_JOBS_PAUSED);
  Info(deps_.db->store.info_log,
       "[%s] [JOB %d] Paused (%s) at %llu of %llu bytes",
       job->family->name().c_str(), static_cast<int>(job->id),
       JobClassName(job->plan.job_class()),
       static_cast<unsigned long long>(job->compaction->progress_bytes()),
       static_cast<unsigned long long>(job->compaction->input_bytes()));
  deps_.db->changed.SignalAll();
}

size_t Compactor::Jobs(std::span<JobProgressInfo> out) const {
  deps_.db->mu.AssertHeld();
  size_t count = 0;
  const uint64_t now = deps_.db->store.clock->NowMicros();
  for (const auto& job : jobs_) {
    if (count == out.size()) break;
    // Nothing is left to be merged, or it was a move.
    const bool over = job->state == Job::State::kFinishing && !job->compaction;
    if (over) continue;
    JobProgressInfo& info = out[count++];
    const CompactionPlan& plan = job->plan;
    info = JobProgressInfo();
    info.id = job->id;
    info.family_id = job->family->id();
    info.job_class = plan.job_class();
    info.is_manual = plan.is_manual;
    info.start_level = plan.start_level();
    info.output_level = plan.output_level;
    info.level0_files_gone = job->level0_files_gone;
    info.installed = job->installed;
    info.input_bytes = job->input_bytes;
    info.predicted_output_bytes = info.input_bytes;
    if (job->compaction != nullptr) {
      info.progress_bytes = job->compaction->progress_bytes();
      info.written_bytes = job->compaction->written_bytes();
      info.predicted_output_bytes = job->compaction->predicted_output_bytes();
    }
    using State = JobProgressInfo::State;
    const bool paused = job->state == Job::State::kPaused;
    info.state = paused            ? State::kPaused
                 : job->pausing()  ? State::kPausing
                 : job->pausable() ? State::kRunning
                                   : State::kFinishing;
    info.micros_running = job->micros;
    if (!paused) info.micros_running += job->SinceResumed(now);
    info.pauses = job->pauses;
  }
  return count;
}

// ---------------------------------------------------------------------- a job

// Registers the plan: from here on its files are busy.
Compactor::Job* Compactor::Begin(const FamilyPtr& family, CompactionPlan plan) {
  assert(!plan.inputs.empty() && !plan.inputs.front().files.empty());
  assert(plan.version == family->versions()->current());
  assert(0 <= plan.output_level &&
         plan.output_level < plan.version->num_levels());
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  jobs_.push_back(std::make_unique<Job>());
  Job* const job = jobs_.back().get();
  job->family = family;
  job->plan = std::move(plan);
  job->input_bytes = job->plan.InputBytes();
  job->level0_files_gone = job->plan.Level0FilesGone();
  job->id = static_cast<uint64_t>(db.next_job_id.fetch_add(1));
  job->aborts = aborts_;
  job->resumed_micros = db.store.clock->NowMicros();
  job->pass.gate = db.store.io_gate.get();
  job->pass.io_class = IoClassOf(WorkClassOf(job->plan.job_class()));
  job->pass.exempt = !IsTuned(*family);
  if (job->plan.is_trivial_move) job->state = Job::State::kFinishing;
  if (const uint64_t bytes = SpaceNeeded(job->plan); bytes > 0) {
    job->space.emplace(db.store.space, bytes);
  }
  job->refusal = family->RegisterPlan(&job->plan);
  // Another level may be due as well.
  deps_.schedule();
  job->outputs = db.deletion->ProtectOutputs();
  JobEvents(&db).CompactionBegin(job->Described());
  return job;
}

int Compactor::active_jobs() const {
  deps_.db->mu.AssertHeld();
  return static_cast<int>(std::count_if(
      jobs_.begin(), jobs_.end(),
      [](const auto& job) { return job->state != Job::State::kPaused; }));
}

// Called by tasks of the scheduler, and by the thread that ends a cancelled
// job.
void Compactor::Drive(Job* job) {
  deps_.db->mu.AssertHeld();
  assert(!job->plan.is_manual);
  const std::optional<Status> outcome = Work(job);
  if (!outcome) return;
  const bool service_failed = job->service_failed;
  const Status status = End(job, *outcome);
  // A table of another kind is no reason to stop all families: End() has left
  // its own alone.
  if (service_failed) {
    deps_.hold_compactions(status);
  } else if (!status.ok() && !status.IsShutdownInProgress() &&
             !status.IsColumnFamilyDropped() && !status.IsCompactionAborted() &&
             !IsOtherTableKind(status)) {
    deps_.on_error(status, BackgroundErrorReason::kCompaction);
  }
  deps_.delete_obsolete();
}

// REQUIRES: the mutex; released meanwhile. Returns nothing if the job has
// paused: another thread may resume it as soon as the mutex is released.
std::optional<Status> Compactor::Work(Job* job) {
  deps_.db->mu.AssertHeld();
  assert(job->state != Job::State::kPaused);
  assert(!job->installed);
  DbState& db = *deps_.db;
  RETURN_IF_ERROR(job->refusal);
  if (job->plan.is_trivial_move) return Move(job);
  if (job->pauses > 0) job->resumed_micros = db.store.clock->NowMicros();
  if (job->compaction == nullptr) {
    MakeCompaction(job);
    const std::optional<Status> remote = RunRemotely(job);
    if (remote) return remote->ok() ? Install(job) : *remote;
  }
  RankMerges(*job->family);
  JobProgress progress = JobProgress::kPaused;
  BusyTime& busy = db.busy[Index(WorkClassOf(job->plan.job_class()))];
  busy.Enter(job->resumed_micros);
  do {
    const MutexUnlock unlock(&db.mu);
    if (job->compaction->slices() == 0) {
      Info(db.store.info_log, "[%s] [JOB %d] Compacting %s, score %.2f",
           job->family->name().c_str(), static_cast<int>(job->id),
           job->plan.Summary().c_str(), job->plan.score);
      job->compaction->Prepare();
    }
    progress = RunSlices(db.env, job->compaction.get(), job->token);
    // The pause may have been taken back meanwhile, or become a cancel.
  } while (progress == JobProgress::kPaused && !job->pausing());
  busy.Leave(db.store.clock->NowMicros());
  if (progress == JobProgress::kPaused) {
    Park(job);
    RankMerges(*job->family);
    return std::nullopt;
  }
  job->state = Job::State::kFinishing;
  RankMerges(*job->family);
  return Install(job);
}

// Damage in another process's result is none of the database, as long as it is
// not installed.
Status Compactor::Install(Job* job) {
  deps_.db->mu.AssertHeld();
  Status status = FinishAndApply(job);
  if (!status.IsCorruption() || job->installed || !job->compaction->adopted()) {
    return status;
  }
  return OrNoMemory([&] { return ServiceFailed(job, status.ToString()); });
}

Status Compactor::FinishAndApply(Job* job) {
  deps_.db->mu.AssertHeld();
  assert(job->state == Job::State::kFinishing);
  assert(job->compaction != nullptr);
  DbState& db = *deps_.db;
  VersionEdit edit;
  Status status;
  {
    const MutexUnlock unlock(&db.mu);
    status = OrNoMemory([&] { return job->compaction->Finish(&edit); });
  }
  if (!status.ok()) return status;
  status = Apply(job, &edit);
  if (!job->installed) {
    db.deletion->AddFilesOf(edit, job->family->owner().home->Dir(0));
  }
  return status;
}

// REQUIRES: the mutex; released meanwhile. Returns the outcome; the job is
// gone.
Status Compactor::End(Job* job, const Status& outcome) {
  deps_.db->mu.AssertHeld();
  assert(!outcome.ok() || job->installed);
  assert(job->state != Job::State::kPaused);
  DbState& db = *deps_.db;
  const FamilyPtr family = job->family;
  const bool is_manual = job->plan.is_manual;
  Status status = outcome;
  if (status.IsShutdownInProgress()) status = WhyCancelled(*job);
  job->state = Job::State::kFinishing;
  family->UnregisterPlan(&job->plan);
  if (IsOtherTableKind(status)) family->SetHasOtherTables();
  deps_.stalls->Recalculate(family.get());
  job->micros += job->SinceResumed(db.store.clock->NowMicros());
  LogOutcome(*job, status);
  if (status.ok()) Account(*job);
  if (job->compaction != nullptr) {
    RecordTimeToHistogram(db.store.statistics, COMPACTION_TIME, job->micros);
  }
  JobEvents(&db).CompactionCompleted(job->Described(), status,
                                     job->call ? job->call->outcome : nullptr);
  // Taken away under the mutex: Jobs() may look meanwhile.
  std::unique_ptr<CompactionJob> done = std::move(job->compaction);
  {
    const MutexUnlock unlock(&db.mu);
    done.reset();  // Of a failed one: deletes its outputs.
    NotifyService(*job, status.ok());
  }
  db.deletion->Release(job->outputs);
  [[maybe_unused]] const size_t gone =
      std::erase_if(jobs_, [job](const auto& j) { return j.get() == job; });
  assert(gone == 1);
  db.changed.SignalAll();
  // After a failure nothing starts again before the error is known.
  if (status.ok() || is_manual || status.IsCompactionAborted() ||
      IsOtherTableKind(status)) {
    deps_.schedule();
  }
  deps_.notify_stall_listeners();
  return status;
}

Status Compactor::Move(Job* job) {
  deps_.db->mu.AssertHeld();
  assert(job->plan.is_trivial_move);
  assert(job->compaction == nullptr);
  VersionEdit edit;
  edit.column_family = job->family->id();
  const int from = job->plan.start_level();
  assert(from != job->plan.output_level);
  std::vector<FilePtr> suggested;
  for (const FilePtr& file : job->plan.inputs.front().files) {
    edit.DeleteFile(from, file->number);
    edit.AddFile(job->plan.output_level, file);
    if (file->suggested) suggested.push_back(file);
  }
  // Before the level state of the next version is computed.
  for (const FilePtr& file : suggested) file->suggested = false;
  const Status status = Apply(job, &edit);
  if (!job->installed) {
    for (const FilePtr& file : suggested) file->suggested = true;
  }
  return status;
}

void Compactor::MakeCompaction(Job* job) {
  deps_.db->mu.AssertHeld();
  assert(job->compaction == nullptr);
  assert(!job->plan.is_trivial_move);
  DbState& db = *deps_.db;
  CompactionJobDeps deps;
  deps.store = &db.store;
  deps.file_options = OutputFileOptions(*db.options);
  deps.tables = &job->family->tables();
  deps.blobs = &job->family->blobs();
  deps.owner = job->family->owner();
  deps.new_file_number = [&db] { return db.versions->NewFileNumber(); };
  deps.snapshots = db.snapshots.Sequences();
  deps.full_history_ts_low = job->family->versions()->full_history_ts_low();
  if (job->call != nullptr) deps.trim_after = job->call->trim_after;
  deps.io_priority = [&db] {
    return db.controller.IsStopped() || db.controller.NeedsDelay()
               ? Env::IO_USER
               : Env::IO_LOW;
  };
  deps.job_id = static_cast<int>(job->id);
  deps.base_level = job->family->versions()->level_state().base_level;
  deps.compaction_readahead_bytes = db.options->compaction_readahead_size;
  deps.io_pass = &job->pass;
  job->events = JobEvents(&db).ObserverOf(job->Described());
  deps.observer = job->events.get();
  job->compaction = std::make_unique<CompactionJob>(std::move(deps), job->plan);
}

// REQUIRES: the mutex; released while the MANIFEST is written.
Status Compactor::Apply(Job* job, VersionEdit* edit) {
  deps_.db->mu.AssertHeld();
  assert(!job->installed);
  assert(edit->column_family == job->family->id());
  DbState& db = *deps_.db;
  ColumnFamily& family = *job->family;
  const ColumnFamilyOptions& options = *family.options();
  family.versions()->FollowGarbage(
      *edit, job->plan.reason == CompactionReason::kForcedBlobGC,
      options.compaction_filter != nullptr ||
          options.compaction_filter_factory != nullptr);
  FamilyEdits change{family.versions(), {edit}, {}};
  change.on_installed = [job] { job->installed = true; };
  RETURN_IF_ERROR(
      db.versions->LogAndApply({&change, 1}, &db.mu, db.directory.get()));
  if (!job->installed) {
    return Status::ColumnFamilyDropped("Compaction of ", family.name());
  }
  family.compaction_blocked = {};
  ViewRef old = family.PublishView();
  CheckState(db);
  const MutexUnlock unlock(&db.mu);
  { ViewRef last = std::move(old); }
  return Status::OK();
}

void Compactor::Account(const Job& job) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  CompactionStats stats;
  stats.count = 1;
  stats.micros = job.micros;
  const CompactionPlan& plan = job.plan;
  if (job.compaction == nullptr) {
    stats.bytes_moved = job.input_bytes;
  } else {
    const CompactionJobStats done = job.compaction->stats();
    assert(done.output_records <= done.iterator.input_records);
    for (const CompactionPlan::Inputs& inputs : plan.inputs) {
      for (const FilePtr& file : inputs.files) {
        (inputs.level == plan.output_level ? stats.bytes_read_output
                                           : stats.bytes_read_upper) +=
            file->size;
      }
    }
    stats.cpu_micros = done.cpu_micros;
    stats.bytes_written = done.output_bytes;
    stats.bytes_read_blob = done.blob_bytes_read;
    stats.bytes_written_blob = done.blob_bytes_written;
    stats.records_in = done.iterator.input_records;
    stats.records_dropped = done.iterator.input_records - done.output_records;
    const bool remote = job.compaction->adopted();
    RecordTick(db.store.statistics,
               remote ? REMOTE_COMPACT_READ_BYTES : COMPACT_READ_BYTES,
               stats.bytes_read());
    if (remote) {
      RecordTick(db.store.statistics, REMOTE_COMPACT_WRITE_BYTES,
                 stats.bytes_written + stats.bytes_written_blob);
    }
    RecordTick(db.store.statistics, COMPACTION_KEY_DROP_NEWER_ENTRY,
               done.iterator.dropped_hidden);
    RecordTick(db.store.statistics, COMPACTION_KEY_DROP_OBSOLETE,
               done.iterator.dropped_obsolete);
    RecordTick(db.store.statistics, COMPACTION_KEY_DROP_RANGE_DEL,
               done.iterator.dropped_by_range_deletion);
    RecordTick(db.store.statistics, COMPACTION_RANGE_DEL_DROP_OBSOLETE,
               done.range_deletions_dropped);
    RecordTick(db.store.statistics, COMPACTION_KEY_DROP_USER,
               done.iterator.dropped_by_filter);
  }
  job.family->job_stats().At(plan.output_level) += stats;
}

void Compactor::LogOutcome(const Job& job, const Status& status) const {
  deps_.db->mu.AssertHeld();
  Logger* log = deps_.db->store.info_log;
  const char* family = job.family->name().c_str();
  const int id = static_cast<int>(job.id);
  if (!status.ok()) {
    Warn(log, "[%s] [JOB %d] Compaction of %s failed: %s", family, id,
         job.plan.Summary().c_str(), status.ToString().c_str());
  } else if (job.compaction == nullptr) {
    Info(log, "[%s] [JOB %d] Moved %s without rewriting, %llu bytes", family,
         id, job.plan.Summary().c_str(),
         static_cast<unsigned long long>(job.input_bytes));
  } else {
    const CompactionJobStats stats = job.compaction->stats();
    Info(log,
         "[%s] [JOB %d] Compacted %s%s: %llu bytes in, %llu bytes out, "
         "%llu records in, %llu out, %.3f s, paused %u times",
         family, id, job.plan.Summary().c_str(),
         job.compaction->adopted() ? " by another process" : "",
         static_cast<unsigned long long>(stats.input_bytes),
         static_cast<unsigned long long>(stats.output_bytes),
         static_cast<unsigned long long>(stats.iterator.input_records),
         static_cast<unsigned long long>(stats.output_records),
         static_cast<double>(job.micros) / 1e6, job.pauses);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
