#include "db/flush/flush_job.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/compaction/filter_making.h"
#include "db/compaction/surviving_tombstones.h"
#include "db/flush/deletions_needed.h"
#include "db/format/file_names.h"
#include "rocksdb/file_system.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "table/merging_iterator.h"
#include "util/held_locks.h"
#include "util/no_memory.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Between two looks at the cancellation flag: well below a millisecond's work.
constexpr uint64_t kEntriesPerPoll = 1024;

// Room asked of the file system at once, as a share above the buffer size:
// index and filter come on top of the data.
constexpr uint64_t kPreallocationPercent = 110;

}  // namespace

bool FlushJob::Pick(std::vector<SequenceNumber> snapshots, uint64_t id_max) {
  picked_ = deps_.memtables->PickToFlush(id_max);
  if (picked_.empty()) return false;
  from_oldest_ = picked_.front()->id() == deps_.memtables->oldest_id();
  snapshots_ = std::move(snapshots);
  file_number_ = deps_.version_set->NewFileNumber();
  stats_.num_memtables = picked_.size();
  for (const MemTablePtr& memtable : picked_) {
    stats_.num_entries += memtable->num_entries();
    stats_.num_deletes += memtable->num_deletes();
    stats_.num_range_deletes += memtable->num_range_deletes();
    stats_.data_bytes += memtable->data_size();
    stats_.memory_bytes += memtable->AllocatedBytes();
  }
  return true;
}

TableOutputOptions FlushJob::OutputOptions() const {
  TableOutputOptions options;
  options.store = deps_.store;
  options.file_options = deps_.file_options;
  options.build = BuildOptionsFor(*deps_.store, deps_.owner, /*level=*/0,
                                  /*base_level=*/1, /*bottommost=*/false);
  options.build.reason = TableFileCreationReason::kFlush;
  options.build.file_number = file_number_;
  options.home = deps_.owner.home;
  options.io_priority = deps_.io_priority;
  options.io_pass = &io_pass_;
  options.written_ticker = FLUSH_WRITE_BYTES;
  options.lifetime_hint = Env::WLTH_MEDIUM;
  options.preallocation_bytes =
      deps_.owner.options->write_buffer_size / 100 * kPreallocationPercent;
  return options;
}

// Not where older versions may come below those of the files: from memtables
// that are not installed yet, or from files ingested behind everything.
bool FlushJob::MayDropDeletions() const {
  return deps_.version != nullptr && from_oldest_ && stats_.num_deletes > 0 &&
         deps_.owner.icmp->timestamp_size() == 0 &&
         !deps_.store->options.allow_ingest_behind &&
         !deps_.owner.options->cf_allow_ingest_behind;
}

CompactionIteratorOptions FlushJob::IteratorOptions() const {
  CompactionIteratorOptions options;
  options.icmp = deps_.owner.icmp;
  options.snapshots = snapshots_;
  options.merge.merge_operator = deps_.owner.options->merge_operator.get();
  options.merge.info_log = deps_.store->info_log;
  options.merge.statistics = deps_.store->statistics;
  if (MayDropDeletions()) {
    auto needed =
        std::make_shared<DeletionsNeeded>(deps_.version, deps_.tables);
    options.deletion_needed = [needed](const Slice& key) {
      return (*needed)(key);
    };
  }
  return options;
}

std::unique_ptr<InternalIterator> FlushJob::MergedInput() const {
  std::vector<InternalIterator*> children;
  children.reserve(picked_.size());
  for (const MemTablePtr& memtable : picked_)
    children.push_back(memtable->NewIterator());
  return std::unique_ptr<InternalIterator>(
      NewMergingIterator(deps_.owner.icmp, std::move(children)));
}

Result<std::unique_ptr<TableOutput>> FlushJob::StartTable() {
  assert(!table_begun_);  // One table for all memtables.
  TableOutputOptions options = OutputOptions();
  table_begun_ = true;
  if (deps_.observer != nullptr) {
    deps_.observer->TableBegun(file_number_, options.path_id);
  }
  return TableOutput::Create(std::move(options));
}

// Null when values stay in the table.
std::unique_ptr<BlobStage> FlushJob::NewBlobStage() const {
  const ColumnFamilyOptions& family = *deps_.owner.options;
  if (!family.enable_blob_files || family.blob_file_starting_level > 0) {
    return nullptr;
  }
  BlobOutputOptions options;
  options.store = deps_.store;
  options.file_options = deps_.file_options;
  options.source = deps_.blobs;
  options.family_id = deps_.owner.family_id;
  options.family = deps_.owner.options;
  options.home = deps_.owner.home;
  options.new_file_number = [this] {
    return deps_.version_set->NewFileNumber();
  };
  options.io_priority = deps_.io_priority;
  options.io_pass = &io_pass_;
  options.written_ticker = FLUSH_WRITE_BYTES;
  options.lifetime_hint = Env::WLTH_MEDIUM;
  options.warm_cache =
      family.prepopulate_blob_cache == PrepopulateBlobCache::kFlushOnly;
  options.observer = deps_.observer;
  BlobStageOptions stage;
  stage.output = std::make_unique<BlobOutput>(std::move(options));
  stage.min_blob_size = family.min_blob_size;
  stage.statistics = deps_.store->statistics;
  return std::make_unique<BlobStage>(std::move(stage));
}

Status FlushJob::CopyEntries(CompactionIterator* entries, BlobStage* blobs,
                             std::unique_ptr<TableOutput>* output) {
  uint64_t count = 0;
  assert(*output == nullptr);
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    if (*output == nullptr) {
      // Created with the first entry: a flush may leave nothing to write.
      Result<std::unique_ptr<TableOutput>> created = StartTable();
      if (!created.ok()) return created.status();
      *output = std::move(*created);
    }
    stats_.kept_bytes += entries->key().size() + entries->value().size();
    if (blobs != nullptr) {
      RETURN_IF_ERROR(blobs->Pass(entries->key(), entries->value()));
      (*output)->Add(blobs->key(), blobs->value());
    } else {
      (*output)->Add(entries->key(), entries->value());
    }
    if (++count % kEntriesPerPoll != 0) continue;
    RETURN_IF_ERROR((*output)->status());
    if (Cancelled()) return Status::ShutdownInProgress("flush called off");
  }
  return entries->status();
}

// Null when the memtables have none.
std::unique_ptr<const TombstoneSet> FlushJob::RangeDeletions() const {
  std::vector<RangeTombstone> tombstones;
  for (const MemTablePtr& memtable : picked_) {
    memtable->range_deletions().AppendTo(&tombstones);
  }
  if (tombstones.empty()) return nullptr;
  return std::make_unique<TombstoneSet>(deps_.owner.icmp,
                                        std::move(tombstones));
}

Status FlushJob::CopyRangeDeletions(const TombstoneSet& tombstones,
                                    std::unique_ptr<TableOutput>* output) {
  SurvivingTombstones::Options options;
  options.snapshots = snapshots_;
  const SurvivingTombstones surviving(&tombstones, std::move(options));
  for (const RangeTombstone& tombstone : surviving.Between(nullptr, nullptr)) {
    if (*output == nullptr) {
      Result<std::unique_ptr<TableOutput>> created = StartTable();
      if (!created.ok()) return created.status();
      *output = std::move(*created);
    }
    (*output)->AddRangeDeletion(tombstone);
  }
  return Status::OK();
}

Status FlushJob::VerifyCount() const {
  if (!deps_.store->options.flush_verify_memtable_count) return {};
  if (stats_.entries.skipped_input) return {};
  assert(stats_.num_range_deletes <= stats_.num_entries);
  const uint64_t points = stats_.num_entries - stats_.num_range_deletes;
  if (stats_.entries.input_records == points) return {};  // memtable.h (2)
  return Status::Corruption("flush of " + deps_.owner.family_name + " read " +
                            std::to_string(stats_.entries.input_records) +
                            " entries, expected " + std::to_string(points));
}

// Range deletions and values that change in place are rare; they take the
// common way.
bool FlushJob::MayPurge() const {
  return !picked_.empty() && stats_.num_range_deletes == 0 &&
         std::all_of(picked_.begin(), picked_.end(), [](const auto& memtable) {
           return memtable->takes_snapshots();
         });
}

bool FlushJob::Purge(MemTable* survivors, uint64_t kept_bytes_max) {
  assert(!HoldsLock(LockRank::kState) && MayPurge());
  return OrNoMemory([&] { return CopySurvivors(survivors, kept_bytes_max); })
      .ok();
}

Status FlushJob::CopySurvivors(MemTable* survivors, uint64_t kept_bytes_max) {
  const std::unique_ptr<InternalIterator> input = MergedInput();
  CompactionIterator entries(IteratorOptions(), input.get());
  MemTable::AddCursor cursor;
  uint64_t count = 0;
  uint64_t kept_bytes = 0;
  for (entries.SeekToFirst(); entries.Valid(); entries.Next()) {
    kept_bytes += entries.key().size() + entries.value().size();
    if (kept_bytes > kept_bytes_max) return Status::Aborted("too much is kept");
    ParsedInternalKey key;
    if (!ParseInternalKey(entries.key(), &key) ||
        !survivors->Add(key, entries.value(), &cursor)) {
      return Status::Corruption("a memtable has a key that none may have");
    }
    if (++count % kEntriesPerPoll != 0) continue;
    survivors->FinishAdds(&cursor);
    if (survivors->ShouldFlush()) return Status::Aborted("it is full");
    if (Cancelled()) return Status::ShutdownInProgress("flush called off");
  }
  survivors->FinishAdds(&cursor);
  stats_.entries = entries.stats();
  RETURN_IF_ERROR(entries.status());
  RETURN_IF_ERROR(VerifyCount());
  // With nothing left the flush moves the log number, and writes no table.
  return survivors->empty() || survivors->ShouldFlush()
             ? Status::Aborted("nothing is gained")
             : Status::OK();
}

// The file has to be readable and its name durable before the MANIFEST may
// mention it.
Status FlushJob::Publishable() {
  assert(table_.file != nullptr);
  const FileMetaData& file = *table_.file;
  RETURN_IF_ERROR(
      SyncDirectory(deps_.store->fs, deps_.owner.home->Dir(file.path_id)));
  if (deps_.tables == nullptr) return {};
  return deps_.tables->Find(file, /*level=*/0, Env::IOActivity::kFlush)
      .status();
}

Status FlushJob::WriteTable() {
  assert(!picked_.empty() && table_.file == nullptr);
  const Result<JobFilter> filter = FilterForFlush(deps_.owner, deps_.reason);
  if (!filter.ok()) return filter.status();
  const std::unique_ptr<InternalIterator> input = MergedInput();
  const std::unique_ptr<const TombstoneSet> tombstones = RangeDeletions();
  CompactionIteratorOptions options = IteratorOptions();
  options.filter = filter->get();
  options.tombstones = tombstones.get();
  CompactionIterator entries(std::move(options), input.get());
  const std::unique_ptr<BlobStage> blobs = NewBlobStage();
  std::unique_ptr<TableOutput> output;
  const Status copied = CopyEntries(&entries, blobs.get(), &output);
  stats_.entries = entries.stats();
  RETURN_IF_ERROR(copied);
  if (tombstones != nullptr) {
    RETURN_IF_ERROR(CopyRangeDeletions(*tombstones, &output));
  }
  RETURN_IF_ERROR(VerifyCount());
  if (output == nullptr) return {};
  Result<FinishedTable> table = output->Finish();
  if (!table.ok()) return table.status();
  table_ = *table;
  if (blobs != nullptr) {
    RETURN_IF_ERROR(blobs->Finish());
    blobs->output()->Keep();
    blob_files_ = blobs->output()->files();
    blob_bytes_written_ = blobs->output()->written_bytes();
  }
  return Publishable();
}

void FlushJob::Abandon() {
  FileSystem* const fs = deps_.store->fs;
  for (const BlobFileAddition& file : std::exchange(blob_files_, {})) {
    (void)fs->DeleteFile(BlobFileName(deps_.owner.home->Dir(0), file.number),
                         IOOptions(), nullptr);
  }
  if (table_.file == nullptr) return;
  if (deps_.tables != nullptr) deps_.tables->Evict(file_number_);
  const std::string& dir = deps_.owner.home->Dir(table_.file->path_id);
  (void)fs->DeleteFile(TableFileName(dir, file_number_), IOOptions(), nullptr);
  table_.file.reset();
}

Status FlushJob::Build() {
  assert(!HoldsLock(LockRank::kState));
  SystemClock* const clock = deps_.store->clock;
  const uint64_t start_micros = clock->NowMicros();
  const uint64_t start_cpu_micros = clock->CPUMicros();
  const Status status = OrNoMemory([this] { return WriteTable(); });
  stats_.micros = clock->NowMicros() - start_micros;
  stats_.cpu_micros = clock->CPUMicros() - start_cpu_micros;
  if (!status.ok()) Abandon();
  // (1)
  assert(status.ok() || (table_.file == nullptr && blob_files_.empty()));
  if (table_begun_ && deps_.observer != nullptr) {
    deps_.observer->TableEnded(file_number_, /*path_id=*/0, table_, status);
  }
  return status;
}

void FlushJob::Rollback() {
  assert(!picked_.empty());
  deps_.memtables->RollbackFlush(picked_);
}

void FlushJob::MarkBuilt() {
  assert(!picked_.empty());
  auto edit = std::make_shared<VersionEdit>();
  edit->column_family = deps_.owner.family_id;
  if (table_.file != nullptr) edit->AddFile(/*level=*/0, table_.file);
  edit->blob_additions = blob_files_;
  deps_.memtables->MarkBuilt(picked_, edit);
}

namespace {

// What is being installed for one family.
struct Installing {
  const FlushInstall* install = nullptr;
  MemTableList::Installable batch;
  bool installed = false;

  FamilyEdits Change() {
    assert(!batch.edits.empty() && !installed);
    batch.edits.back()->log_number = batch.log_number;
    FamilyEdits change;
    change.family = install->versions;
    // The files get their epochs now, not when their jobs began: a job that
    // had to start again comes after younger ones, yet its data is older.
    for (const auto& edit : batch.edits) change.edits.push_back(edit.get());
    change.on_installed = [this] {
      installed = true;
      install->memtables->FinishInstall(batch, /*success=*/true);
      if (install->on_installed) install->on_installed();
    };
    return change;
  }
  void End(bool success) {
    if (installed) return;
    // LogAndApply leaves out a family that was dropped meanwhile.
    if (success && install->on_discarded) {
      for (const auto& edit : batch.edits) install->on_discarded(*edit);
    }
    install->memtables->FinishInstall(batch, success);
  }
};

uint64_t CommonCut(const std::vector<FlushInstall>& installs) {
  uint64_t cut = UINT64_MAX;
  for (;;) {
    const uint64_t before = cut;
    for (const FlushInstall& install : installs) {
      if (install.versions->dropped()) continue;
      cut = install.memtables->InstallableCut(cut);
    }
    if (cut == before) return cut;
  }
}

}  // namespace

Result<bool> InstallBuiltFlushes(const FlushInstall& install,
                                 StateMutex* db_mutex) {
  db_mutex->AssertHeld();
  Installing work{&install, install.memtables->TakeInstallable(), false};
  if (work.batch.memtables.empty()) return false;
  const FamilyEdits change = work.Change();
  const Status status = install.version_set->LogAndApply({&change, 1}, db_mutex,
                                                         install.directory);
  work.End(status.ok());
  RETURN_IF_ERROR(status);
  return true;
}

Result<bool> InstallBuiltCuts(const std::vector<FlushInstall>& installs,
                              StateMutex* db_mutex) {
  db_mutex->AssertHeld();
  assert(!installs.empty());
  const uint64_t cut = CommonCut(installs);
  std::vector<Installing> work;
  work.reserve(installs.size());  // Changes point to its elements.
  for (const FlushInstall& install : installs) {
    if (install.versions->dropped()) continue;
    auto batch = install.memtables->TakeInstallable(cut);
    if (batch.memtables.empty()) continue;
    work.push_back({&install, std::move(batch), false});
  }
  if (work.empty()) return false;
  std::vector<FamilyEdits> changes;
  changes.reserve(work.size());
  for (Installing& each : work) changes.push_back(each.Change());
  const Status status = installs.front().version_set->LogAndApply(
      changes, db_mutex, installs.front().directory);
  for (Installing& each : work) each.End(status.ok());
  RETURN_IF_ERROR(status);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
