// The half of DBImpl that is about compactions that a program asks for, and
// about waiting for all of them.

#include <algorithm>
#include <cassert>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "db/db_impl/db_impl.h"
#include "db/db_impl/range_files.h"
#include "db/format/file_names.h"
#include "rocksdb/convenience.h"
#include "table/timestamps.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct Jobs {
  DbState* db = nullptr;
  JobScheduler* scheduler = nullptr;
  Compactor* compactor = nullptr;
  const PurgeTask* purge = nullptr;
};

// While it lives no automatic compaction starts. The mutex is held where it
// begins and where it ends.
class AutomaticPause {
 public:
  explicit AutomaticPause(JobScheduler* scheduler) : scheduler_(scheduler) {
    kStateLock.AssertHeld();
    scheduler_->PauseCompactions();
  }
  ~AutomaticPause() {
    kStateLock.AssertHeld();
    scheduler_->ContinueCompactions();
  }
  AutomaticPause(const AutomaticPause&) = delete;
  AutomaticPause& operator=(const AutomaticPause&) = delete;

 private:
  JobScheduler* const scheduler_;
};

// Until no automatic compaction runs, or `call` need not go on. REQUIRES: an
// AutomaticPause lives. Paused ones go on first: their files are busy until
// they end.
void AwaitAutomatic(const Jobs& jobs, const Compactor::ManualCall& call)
    REQUIRES_LOCK(kStateLock) {
  jobs.scheduler->ScheduleIfDue();
  while ((jobs.scheduler->compactions_running() > 0 ||
          jobs.compactor->has_automatic()) &&
         !jobs.db->closing && jobs.db->errors.CompactionsAllowed() &&
         !jobs.compactor->ManualStopped(call)) {
    jobs.compactor->AwaitChange(call);
  }
}

Status RunManually(const Jobs& jobs, const FamilyPtr& family,
                   const Compactor::ManualCall& call, const Slice* begin,
                   const Slice* end) REQUIRES_LOCK(kStateLock) {
  Status status;
  {
    const Compactor::ManualScope scope(jobs.compactor);
    std::optional<AutomaticPause> pause;
    if (call.options->exclusive_manual_compaction) {
      pause.emplace(jobs.scheduler);
      AwaitAutomatic(jobs, call);
    }
    status = jobs.compactor->CompactRange(family, call, begin, end);
  }
  // The replaced files are gone on return, even if a purge task deletes them.
  while (jobs.purge->running()) jobs.db->changed.Wait(&jobs.db->mu);
  return status;
}

}  // namespace

Status DBImpl::CompactRange(const CompactRangeOptions& options,
                            ColumnFamilyHandle* column_family,
                            const Slice* begin, const Slice* end) {
  RETURN_IF_ERROR(CheckWritable());
  // Counts from here: what stops it while it flushes stops it for good.
  Compactor::ManualCall call;
  {
    MutexLock lock(&state_->mu);
    call = compactor_.NewManualCall(options);
    RETURN_IF_ERROR(compactor_.WhyStopped(call));
  }
  const FamilyPtr& family = FamilyOf(column_family);
  const bool has_timestamps = family->icmp().timestamp_size() > 0;
  if (has_timestamps && options.full_history_ts_low != nullptr) {
    RETURN_IF_ERROR(IncreaseFullHistoryTsLow(
        column_family, options.full_history_ts_low->ToString()));
  }
  const VersionsOfRange range(*family->icmp().user_comparator(), begin, end);
  if (!options.allow_write_stall) AwaitRoomForFlush(*family);
  RETURN_IF_ERROR(FlushFamilies({family}, FlushReason::kManualCompaction,
                                /*wait=*/true));
  MutexLock lock(&state_->mu);
  return RunManually({state_.get(), &scheduler_, &compactor_, &purge_}, family,
                     call, range.begin(), range.end());
}

// What is not yet in tables is written to some, and goes with the rest.
Status DBImpl::TrimHistory(ColumnFamilyHandle* family,
                           const std::string& after) {
  const FamilyPtr& of = FamilyOf(family);
  assert(after.size() == of->icmp().timestamp_size() && !after.empty());
  RETURN_IF_ERROR(FlushFamilies({of}, FlushReason::kManualCompaction,
                                /*wait=*/true));
  CompactRangeOptions options;
  // An automatic compaction would keep it all, in tables that are newer than
  // this call.
  options.exclusive_manual_compaction = true;
  options.bottommost_level_compaction =
      BottommostLevelCompaction::kForceOptimized;
  MutexLock lock(&state_->mu);
  Compactor::ManualCall call = compactor_.NewManualCall(options);
  call.trim_after = after;
  return RunManually({state_.get(), &scheduler_, &compactor_, &purge_}, of,
                     call, nullptr, nullptr);
}

// ----------------------------------------------------------------- clipping

namespace {

// [begin, end)
struct KeptKeys {
  Slice begin;
  Slice end;
};

// Deletes those keys of `family` that `it` shows outside of `kept`.
Status AddDeletionsOutside(const KeptKeys& kept, const Comparator& order,
                           ColumnFamilyHandle* family, Iterator* it,
                           WriteBatch* batch) {
  it->SeekToFirst();
  if (it->Valid() && order.Compare(it->key(), kept.begin) < 0) {
    RETURN_IF_ERROR(batch->DeleteRange(family, it->key(), kept.begin));
  }
  RETURN_IF_ERROR(it->status());
  it->SeekToLast();
  if (it->Valid() && order.Compare(it->key(), kept.end) >= 0) {
    // A range does not contain its end.
    if (order.Compare(it->key(), kept.end) > 0) {
      RETURN_IF_ERROR(batch->DeleteRange(family, kept.end, it->key()));
    }
    RETURN_IF_ERROR(batch->Delete(family, it->key()));
  }
  return it->status();
}

bool HasSnapshotBefore(DbState* db, SequenceNumber sequence) {
  MutexLock lock(&db->mu);
  const SnapshotImpl* const oldest = db->snapshots.oldest();
  return oldest != nullptr && oldest->GetSequenceNumber() < sequence;
}

}  // namespace

// First the keys are hidden, by one batch: all of them or none after a crash.
// It is in a table before files go, and these go only where nothing lies below
// them; so no crash brings back what a deletion had hidden.
Status DBImpl::ClipColumnFamily(ColumnFamilyHandle* column_family,
                                const Slice& begin_key, const Slice& end_key) {
  RETURN_IF_ERROR(CheckWritable());
  const FamilyPtr& family = FamilyOf(column_family);
  const Comparator& order = *family->icmp().user_comparator();
  if (order.timestamp_size() > 0) {
    return Status::NotSupported("ClipColumnFamily with user timestamps",
                                "range deletions do not remove old versions");
  }
  if (order.Compare(begin_key, end_key) > 0) {
    return Status::InvalidArgument("ClipColumnFamily: end_key '" +
                                       end_key.ToString(/*hex=*/true) +
                                       "' comes before begin_key",
                                   begin_key.ToString(/*hex=*/true));
  }
  WriteBatch batch;
  {
    ReadOptions read;
    read.total_order_seek = true;
    read.fill_cache = false;
    read.allow_unprepared_value = true;  // Keys suffice.
    const std::unique_ptr<Iterator> it(NewIterator(read, column_family));
    RETURN_IF_ERROR(AddDeletionsOutside({begin_key, end_key}, order,
                                        column_family, it.get(), &batch));
  }
  if (batch.Count() > 0) RETURN_IF_ERROR(Write(WriteOptions(), &batch));
  const SequenceNumber clipped = state_->versions->last_sequence();
  AwaitRoomForFlush(*family);
  RETURN_IF_ERROR(FlushFamilies({family}, FlushReason::kManualCompaction,
                                /*wait=*/true));
  if (!HasSnapshotBefore(state_.get(), clipped)) {
    const RangeOpt outside[] = {RangeOpt(OptSlice(), begin_key),
                                RangeOpt(end_key, OptSlice())};
    RETURN_IF_ERROR(DeleteFilesInRanges(
        column_family, {outside, /*include_end=*/false, /*only_deepest=*/true,
                        /*keep_linked=*/true}));
  }
  CompactRangeOptions options;
  options.exclusive_manual_compaction = true;
  options.bottommost_level_compaction =
      BottommostLevelCompaction::kForceOptimized;
  return CompactRange(options, column_family, nullptr, nullptr);
}

// -------------------------------------------------------- pauses and waiting

Status DBImpl::PauseBackgroundWork() {
  MutexLock lock(&state_->mu);
  scheduler_.Pause();
  state_->changed.SignalAll();
  while (!scheduler_.idle()) state_->changed.Wait(&state_->mu);
  return Status::OK();
}

Status DBImpl::ContinueBackgroundWork() {
  MutexLock lock(&state_->mu);
  scheduler_.Continue();
  return Status::OK();
}

void DBImpl::DisableManualCompaction() {
  MutexLock lock(&state_->mu);
  compactor_.DisableManual();
}

void DBImpl::EnableManualCompaction() {
  MutexLock lock(&state_->mu);
  compactor_.EnableManual();
}

void DBImpl::AbortAllCompactions() {
  MutexLock lock(&state_->mu);
  compactor_.AbortAll();
}

void DBImpl::ResumeAllCompactions() {
  MutexLock lock(&state_->mu);
  compactor_.ResumeAll();
}

bool DBImpl::IsIdle() const {
  return scheduler_.idle() && compactor_.running() == 0;
}

bool DBImpl::IsPurging() const {
  state_->mu.AssertHeld();
  return state_->deletion != nullptr &&
         (purge_.busy() || state_->deletion->running() > 0);
}

// Until nothing is waiting or running in the background.
Status DBImpl::AwaitIdle(const WaitForCompactOptions& options) {
  using std::chrono::steady_clock;
  constexpr std::chrono::hours kLongest(24 * 365);
  const bool limited = options.timeout.count() > 0;
  const steady_clock::time_point deadline =
      steady_clock::now() +
      std::min<std::chrono::microseconds>(options.timeout, kLongest);
  bool late = false;
  MutexLock lock(&state_->mu);
  for (;;) {
    if (state_->closing) return Status::ShutdownInProgress();
    if (options.abort_on_pause && scheduler_.paused()) {
      return Status::Aborted("background work is paused");
    }
    // A job that was waited for may have failed.
    if (!state_->errors.error().ok()) return state_->errors.error();
    RETURN_IF_ERROR(errors_.ServiceFailure());
    const bool busy = flusher_.waiting() > 0 || !IsIdle() ||
                      (options.wait_for_purge && IsPurging());
    if (!busy && compactor_.waiting() == 0) return Status::OK();
    // What is due does not start before ResumeAllCompactions().
    if (!busy && state_->compaction_aborts > 0) {
      return Status::Incomplete(Status::SubCode::kCompactionAborted);
    }
    if (late) return Status::TimedOut();
    // What the tuner has paused is waited for as well.
    compactor_.BeginWait();
    if (limited) {
      late = state_->changed.WaitUntil(&state_->mu, deadline);
    } else {
      state_->changed.Wait(&state_->mu);
    }
    compactor_.EndWait();
  }
}

Status DBImpl::WaitForCompact(
    const WaitForCompactOptions& wait_for_compact_options) {
  RETURN_IF_ERROR(CheckWritable());
  if (wait_for_compact_options.flush) {
    RETURN_IF_ERROR(FlushEverything(FlushReason::kManualFlush));
  }
  RETURN_IF_ERROR(AwaitIdle(wait_for_compact_options));
  return wait_for_compact_options.close_db ? Close() : Status::OK();
}

// ------------------------------------------------------------- chosen files

namespace {

// Of "000012.sst", "/000012.sst" or a whole path; 0: it names no table.
uint64_t TableNumberOf(const std::string& path) {
  ParsedFileName parsed;
  const std::string base = path.substr(path.rfind('/') + 1);
  return ParseFileName(base, &parsed) && parsed.type == kTableFile
             ? parsed.number
             : 0;
}

Result<ChosenFiles> ChosenOf(const CompactionOptions& options,
                             const FileHome& home,
                             const std::vector<std::string>& input_file_names,
                             int output_level, int output_path_id) {
  ChosenFiles chosen;
  for (const std::string& name : input_file_names) {
    const uint64_t number = TableNumberOf(name);
    if (number == 0) {
      return Status::InvalidArgument("CompactFiles: no name of a table", name);
    }
    chosen.numbers.push_back(number);
  }
  chosen.output_level = output_level;
  const auto paths = static_cast<int>(home.dirs.size());
  if (output_path_id < 0 && paths > 1) {
    return Status::NotSupported(
        "CompactFiles: with several directories, say into which one");
  }
  if (output_path_id >= paths) {
    return Status::InvalidArgument("CompactFiles: there is no directory " +
                                   std::to_string(output_path_id));
  }
  chosen.output_path_id = static_cast<uint32_t>(std::max(0, output_path_id));
  chosen.output_file_size_max = options.output_file_size_limit;
  if (options.compression != kDisableCompressionOption) {
    chosen.compression = options.compression;
  }
  chosen.allow_trivial_move = options.allow_trivial_move;
  return chosen;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): the signature is public.
Status DBImpl::CompactFiles(const CompactionOptions& options,
                            ColumnFamilyHandle* column_family,
                            const std::vector<std::string>& input_file_names,
                            const int output_level, const int output_path_id,
                            std::vector<std::string>* output_file_names,
                            CompactionJobInfo* compaction_job_info) {
  RETURN_IF_ERROR(CheckWritable());
  const FamilyPtr& family = FamilyOf(column_family);
  const Result<ChosenFiles> chosen = ChosenOf(
      options, *family->home(), input_file_names, output_level, output_path_id);
  if (!chosen.ok()) return chosen.status();
  const CompressionType compression =
      chosen->compression.value_or(kNoCompression);
  if (!CompressionTypeSupported(compression)) {
    return Status::InvalidArgument(
        "CompactFiles: this build lacks the compression",
        CompressionTypeName(compression));
  }
  CompactRangeOptions wishes;
  wishes.canceled = options.canceled;
  wishes.max_subcompactions = options.max_subcompactions;
  CompactionJobInfo outcome;
  MutexLock lock(&state_->mu);
  Compactor::ManualCall call = compactor_.NewManualCall(wishes);
  call.outcome = &outcome;
  Status status;
  {
    const Compactor::ManualScope scope(&compactor_);
    status = compactor_.CompactFiles(family, call, *chosen);
  }
  // The replaced files are gone on return, even if a purge task deletes them.
  while (purge_.running()) state_->changed.Wait(&state_->mu);
  if (status.ok() && output_file_names != nullptr) {
    output_file_names->insert(output_file_names->end(),
                              outcome.output_files.begin(),
                              outcome.output_files.end());
  }
  if (compaction_job_info != nullptr) *compaction_job_info = std::move(outcome);
  return status;
}

Status DBImpl::PromoteL0(ColumnFamilyHandle* column_family, int target_level) {
  RETURN_IF_ERROR(CheckWritable());
  const CompactRangeOptions wishes;
  MutexLock lock(&state_->mu);
  const Compactor::ManualScope scope(&compactor_);
  return compactor_.PromoteLevel0(
      FamilyOf(column_family), compactor_.NewManualCall(wishes), target_level);
}

// Files of the last level that has any stay: they have nowhere to go.
Status DBImpl::SuggestCompactRange(ColumnFamilyHandle* column_family,
                                   const Slice* begin, const Slice* end) {
  RETURN_IF_ERROR(CheckWritable());
  const FamilyPtr& family = FamilyOf(column_family);
  const VersionsOfRange range(*family->icmp().user_comparator(), begin, end);
  MutexLock lock(&state_->mu);
  const VersionPtr version = family->versions()->current();
  for (int level = 0; level + 1 < version->num_non_empty_levels(); ++level) {
    for (const FilePtr& file :
         version->FilesTouching(level, range.begin(), range.end())) {
      file->suggested = true;
    }
  }
  family->versions()->RefreshLevelState();
  family->compaction_blocked = {};
  ScheduleIfDue();
  return Status::OK();
}

Status DBImpl::DeleteFilesInRanges(ColumnFamilyHandle* column_family,
                                   const KeyRanges& wanted) {
  RETURN_IF_ERROR(CheckWritable());
  const FamilyPtr& family = FamilyOf(column_family);
  MutexLock lock(&state_->mu);
  const Status status = DeleteFilesWithin(state_.get(), family, wanted);
  if (status.ok()) stalls_.Recalculate(family.get());
  ScheduleIfDue();
  NotifyStallListeners();
  DeleteObsolete();
  return status;
}

Status DBImpl::DeleteFile(std::string name) {
  RETURN_IF_ERROR(CheckWritable());
  // As GetLiveFilesMetaData() spells it.
  if (name.starts_with('/')) name.erase(0, 1);
  ParsedFileName parsed;
  const bool known = ParseFileName(name, &parsed);
  if (known && parsed.type == kWalFile) {
    if (!parsed.archived) {
      return Status::NotSupported("DeleteFile: logs that are not archived");
    }
    return state_->store.fs->DeleteFile(state_->store.wal_dir + "/" + name,
                                        IOOptions(), nullptr);
  }
  if (!known || parsed.type != kTableFile) {
    return Status::InvalidArgument(
        "DeleteFile: expected a table or an archived log, found: " + name);
  }
  MutexLock lock(&state_->mu);
  const Status status = DeleteTable(state_.get(), parsed.number);
  if (status.ok()) stalls_.RecalculateAll();
  ScheduleIfDue();
  NotifyStallListeners();
  DeleteObsolete();
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

Status DeleteFilesInRanges(DB* db, ColumnFamilyHandle* column_family,
                           const RangeOpt* ranges, size_t n, bool include_end) {
  auto* impl = dynamic_cast<engine::DBImpl*>(db->GetRootDB());
  if (impl == nullptr) return Status::NotSupported("DeleteFilesInRanges");
  return impl->DeleteFilesInRanges(column_family, {{ranges, n}, include_end});
}

Status DeleteFilesInRanges(DB* db, ColumnFamilyHandle* column_family,
                           const RangePtr* ranges, size_t n, bool include_end) {
  std::vector<RangeOpt> copies;
  copies.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    copies.emplace_back(OptSlice::CopyFromPtr(ranges[i].start),
                        OptSlice::CopyFromPtr(ranges[i].limit));
  }
  return DeleteFilesInRanges(db, column_family, copies.data(), n, include_end);
}

Status DeleteFilesInRange(DB* db, ColumnFamilyHandle* column_family,
                          const Slice* begin, const Slice* end,
                          bool include_end) {
  const RangePtr range(begin, end);
  return DeleteFilesInRanges(db, column_family, &range, 1, include_end);
}

}  // namespace ROCKSDB_NAMESPACE
