// The manual half of Compactor: CompactRange, CompactFiles, PromoteL0 and what
// belongs to them.

#include <algorithm>
#include <cassert>
#include <chrono>
#include <string>
#include <utility>

#include "db/db_impl/compactor.h"
#include "db/db_impl/compactor_job.h"
#include "env/space/sst_file_manager.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

void Compactor::EndManual() {
  deps_.db->mu.AssertHeld();
  assert(manual_calls_ > 0);
  --manual_calls_;
  deps_.db->changed.SignalAll();
}

Status Compactor::WhyStopped(const ManualCall& call) const {
  deps_.db->mu.AssertHeld();
  const std::atomic<bool>* const canceled = call.options->canceled;
  if (manual_disabled_ > 0 || manual_disables_ != call.disables ||
      (canceled != nullptr && canceled->load(std::memory_order_acquire))) {
    return Status::Incomplete(Status::SubCode::kManualCompactionPaused);
  }
  if (deps_.db->compaction_aborts > 0 || aborts_ != call.aborts) {
    return Status::Incomplete(Status::SubCode::kCompactionAborted);
  }
  return Status::OK();
}

void Compactor::AwaitChange(const ManualCall& call) {
  deps_.db->mu.AssertHeld();
  constexpr std::chrono::milliseconds kLookAgain(20);
  DbState& db = *deps_.db;
  if (call.options->canceled == nullptr) {
    db.changed.Wait(&db.mu);
  } else {
    db.changed.WaitFor(&db.mu, kLookAgain);
  }
}

void Compactor::DisableManual() {
  DbState& db = *deps_.db;
  db.mu.AssertHeld();
  if (++manual_disabled_ <= 0) return;
  ++manual_disables_;
  for (const auto& job : jobs_) {
    if (job->plan.is_manual) Cancel(job.get());
  }
  db.changed.SignalAll();
  while (manual_calls_ > 0) db.changed.Wait(&db.mu);
}

void Compactor::EnableManual() {
  deps_.db->mu.AssertHeld();
  --manual_disabled_;
}

Status Compactor::CheckSpace(const CompactionPlan& plan) const {
  deps_.db->mu.AssertHeld();
  const uint64_t bytes = SpaceNeeded(plan);
  if (HasSpace(bytes)) return Status::OK();
  return Status::CompactionTooLarge(
      "Compaction of " + std::to_string(bytes) +
      " bytes: it might exceed the allowed space");
}

// In the caller's thread, which sleeps while the job is paused.
Status Compactor::RunManual(Job* job, const ManualCall& call) {
  assert(job->plan.is_manual);
  assert(manual_calls_ > 0);
  DbState& db = *deps_.db;
  db.mu.AssertHeld();
  assert(job->call == nullptr);
  job->call = &call;
  job->token.CancelWith(call.options->canceled);
  // No signal tells that the job was paused for long enough.
  constexpr std::chrono::milliseconds kLookAgain(20);
  for (;;) {
    const std::optional<Status> status = Work(job);
    if (status) return End(job, *status);
    const uint64_t paused_before = job->paused_micros;
    const uint64_t start_micros = db.store.clock->NowMicros();
    while (job->token.wish() == PauseToken::Wish::kPause) {
      if (ManualStopped(call) || !db.errors.CompactionsAllowed()) {
        Cancel(job);
      } else if (job->paused_enough()) {
        job->token.Resume();
      } else {
        db.changed.WaitFor(&db.mu, kLookAgain);
      }
      const uint64_t now_micros = db.store.clock->NowMicros();
      job->paused_micros =
          paused_before + (now_micros - std::min(start_micros, now_micros));
    }
    job->state = Job::State::kRunning;
    if (job->token.wish() == PauseToken::Wish::kRun) job->pass.hurry = false;
  }
}

Status Compactor::MayRunManual(const ColumnFamily& family,
                               const ManualCall& call) const {
  deps_.db->mu.AssertHeld();
  const DbState& db = *deps_.db;
  RETURN_IF_ERROR(WhyStopped(call));
  if (db.closing) return Status::ShutdownInProgress();
  if (family.dropped()) return Status::ColumnFamilyDropped(family.name());
  return db.errors.CompactionsAllowed() ? Status::OK() : db.errors.error();
}

Status Compactor::AwaitNoJobs(const ColumnFamily& family,
                              const ManualCall& call) {
  deps_.db->mu.AssertHeld();
  RETURN_IF_ERROR(MayRunManual(family, call));
  while (!family.running().empty()) {
    BeginWait();
    AwaitChange(call);
    EndWait();
    RETURN_IF_ERROR(MayRunManual(family, call));
  }
  return Status::OK();
}

namespace {

// 0 also where nothing is in the range.
int DeepestLevelOf(const Version& version, const Slice* begin,
                   const Slice* end) {
  int level = version.num_levels() - 1;
  while (level > 0 && !version.KeyRangeOverlapsLevel(level, begin, end)) {
    --level;
  }
  return level;
}

// A manual compaction is expected to run the filter.
bool HasFilter(const ColumnFamilyOptions& options) {
  return options.compaction_filter != nullptr ||
         options.compaction_filter_factory != nullptr;
}

}  // namespace

Status Compactor::CompactRange(const FamilyPtr& family, const ManualCall& call,
                               const Slice* begin, const Slice* end) {
  deps_.db->mu.AssertHeld();
  const FamilyVersions& versions = *family->versions();
  const CompactRangeOptions& options = *call.options;
  // What this call writes has this number or a higher one.
  const uint64_t fence = deps_.db->versions->next_file_number();
  // With kForce all that was moved is rewritten in the end.
  const bool allow_trivial_move =
      !HasFilter(*family->options()) && call.trim_after.empty() &&
      options.bottommost_level_compaction !=
          BottommostLevelCompaction::kForceOptimized;
  // Other jobs may change which level is the deepest.
  for (int level = 0;
       level == 0 || level < DeepestLevelOf(*versions.current(), begin, end);
       ++level) {
    if (!versions.current()->KeyRangeOverlapsLevel(level, begin, end)) {
      continue;
    }
    const int base = versions.level_state().base_level;
    const int output = level == 0 ? std::max(base, 1) : level + 1;
    const Result<bool> compacted = CompactLevel(
        family, call, {level, output, begin, end, allow_trivial_move});
    if (!compacted.ok()) return compacted.status();
  }
  RETURN_IF_ERROR(RewriteBottom(family, call, begin, end, fence));
  return options.change_level ? MoveToLevel(family, call, begin, end)
                              : Status::OK();
}

// Rewrites the files of the range's deepest level if the options ask for it.
// Unless all are to be rewritten, those that the call has made stay. These may
// lie between the others, so there may be several jobs. They end: each gives
// the files that it takes new numbers.
Status Compactor::RewriteBottom(const FamilyPtr& family, const ManualCall& call,
                                const Slice* begin, const Slice* end,
                                uint64_t fence) {
  deps_.db->mu.AssertHeld();
  using Wish = BottommostLevelCompaction;
  const Wish wish = call.options->bottommost_level_compaction;
  const bool all = wish == Wish::kForce;
  const bool rewrite =
      all || wish == Wish::kForceOptimized ||
      (wish == Wish::kIfHaveCompactionFilter && HasFilter(*family->options()));
  const int deepest =
      DeepestLevelOf(*family->versions()->current(), begin, end);
  if (!rewrite || deepest == 0) return Status::OK();
  ManualRange range{deepest, deepest, begin, end, false};
  if (!all) range.number_below = fence;
  for (;;) {
    const Result<bool> compacted = CompactLevel(family, call, range);
    if (!compacted.ok()) return compacted.status();
    if (all || !*compacted) return Status::OK();
  }
}

namespace {

// What the call says of garbage collection goes before the family's options.
uint64_t CollectBlobsBelow(const CompactRangeOptions& wish,
                           const ColumnFamilyOptions& family,
                           const BlobFiles& blobs) {
  using Policy = BlobGarbageCollectionPolicy;
  const bool collect =
      wish.blob_garbage_collection_policy == Policy::kForce ||
      (wish.blob_garbage_collection_policy == Policy::kUseDefault &&
       family.enable_blob_garbage_collection);
  if (!collect) return 0;
  const double own = wish.blob_garbage_collection_age_cutoff;
  return blobs.CollectBelow(
      own >= 0 && own <= 1 ? own : family.blob_garbage_collection_age_cutoff);
}

}  // namespace

Result<bool> Compactor::CompactLevel(const FamilyPtr& family,
                                     const ManualCall& call,
                                     ManualRange range) {
  deps_.db->mu.AssertHeld();
  const CompactRangeOptions& options = *call.options;
  assert(range.level <= range.output_level);
  for (;;) {
    RETURN_IF_ERROR(MayRunManual(*family, call));
    bool conflict = family->MovesBetweenLevels();
    // While waiting the base level may have moved.
    if (range.level == 0 && range.output_level != 0) {
      range.output_level =
          std::max(family->versions()->level_state().base_level, 1);
    }
    PickInput input = InputFor(family);
    if (options.max_subcompactions > 0) {
      input.max_subcompactions = options.max_subcompactions;
    }
    input.collect_blobs_below =
        CollectBlobsBelow(options, *family->options(), input.version->blobs());
    std::optional<CompactionPlan> plan;
    if (!conflict) plan = PickManual(input, range, &conflict);
    input.version.reset();  // Else its files could not be deleted below.
    if (conflict) {
      // The job that uses the files may be paused.
      BeginWait();
      AwaitChange(call);
      EndWait();
      continue;
    }
    if (!plan) return false;
    assert(plan->is_manual && plan->output_level == range.output_level);
    RETURN_IF_ERROR(CheckSpace(*plan));
    const Status status = RunManual(Begin(family, std::move(*plan)), call);
    deps_.delete_obsolete();
    RETURN_IF_ERROR(status);
    return true;
  }
}

// All files of the range's deepest level change their level in the MANIFEST.
Status Compactor::MoveToLevel(const FamilyPtr& family, const ManualCall& call,
                              const Slice* begin, const Slice* end) {
  deps_.db->mu.AssertHeld();
  // Whatever runs may put files between source and target.
  RETURN_IF_ERROR(AwaitNoJobs(*family, call));
  const VersionPtr version = family->versions()->current();
  int from = -1;
  for (int level = 0; level < version->num_levels(); ++level) {
    if (version->KeyRangeOverlapsLevel(level, begin, end)) from = level;
  }
  if (from < 0) return Status::OK();
  int to = call.options->target_level;
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
  // They would share an epoch, and releases that order level 0 by sequences
  // refuse files whose sequences do not ascend.
  if (to == 0 && version->NumFiles(from) > 1) {
    return Status::Aborted(
        "Moving more than 1 file from non-L0 to L0 is not allowed as it does "
        "not bring any benefit to read nor write throughput.");
  }
  return MoveLevel(family, call, from, to);
}

// REQUIRES: no job of the family uses levels from one to the other, and the
// files fit there.
Status Compactor::MoveLevel(const FamilyPtr& family, const ManualCall& call,
                            int from, int to) {
  deps_.db->mu.AssertHeld();
  CompactionPlan plan = PickRefit(InputFor(family), from, to);
  const Status status = RunManual(Begin(family, std::move(plan)), call);
  deps_.delete_obsolete();
  return status;
}

Status Compactor::PromoteLevel0(const FamilyPtr& family, const ManualCall& call,
                                int level) {
  deps_.db->mu.AssertHeld();
  RETURN_IF_ERROR(MayRunManual(*family, call));
  const VersionPtr version = family->versions()->current();
  if (level < 1 || level >= version->num_levels()) {
    return Status::InvalidArgument("PromoteL0: there is no level " +
                                   std::to_string(level) + " below level 0");
  }
  const bool busy = std::any_of(
      family->running().begin(), family->running().end(),
      [level](const CompactionPlan* plan) {
        return plan->start_level() <= level || plan->output_level <= level;
      });
  if (busy) {
    return Status::InvalidArgument(
        "PromoteL0: a running job uses levels down to " +
        std::to_string(level));
  }
  for (int below = 1; below <= level; ++below) {
    if (version->NumFiles(below) == 0) continue;
    return Status::InvalidArgument("PromoteL0: level " + std::to_string(below) +
                                   " is not empty");
  }
  for (const FilePtr& file : version->files(0)) {
    const Slice smallest = file->smallest.user_key();
    const Slice largest = file->largest.user_key();
    if (version->FilesTouching(0, &smallest, &largest).size() == 1) continue;
    return Status::InvalidArgument("PromoteL0: files of level 0 overlap");
  }
  if (version->files(0).empty()) return Status::OK();
  return MoveLevel(family, call, 0, level);
}

Status Compactor::CompactFiles(const FamilyPtr& family, const ManualCall& call,
                               const ChosenFiles& chosen) {
  deps_.db->mu.AssertHeld();
  RETURN_IF_ERROR(MayRunManual(*family, call));
  if (family->MovesBetweenLevels()) {
    return Status::Aborted("CompactFiles: files are moved between levels");
  }
  PickInput input = InputFor(family);
  if (call.options->max_subcompactions > 0) {
    input.max_subcompactions = call.options->max_subcompactions;
  }
  Result<CompactionPlan> plan = PickChosen(input, chosen);
  if (!plan.ok()) return plan.status();
  RETURN_IF_ERROR(CheckSpace(*plan));
  input.version.reset();  // Else its files could not be deleted below.
  const Status status = RunManual(Begin(family, std::move(*plan)), call);
  deps_.delete_obsolete();
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
