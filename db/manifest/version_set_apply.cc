// The changing half of VersionSet: LogAndApply and what it is made of.

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>
#include <utility>

#include "db/format/file_names.h"
#include "db/manifest/version_builder.h"
#include "db/manifest/version_set.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

// One call that waits for its edits.
struct VersionSet::Waiter {
  std::span<const FamilyEdits> changes;
  // Changes to the set of families stand alone in their batch.
  const FamilyConfig* create = nullptr;
  FamilyVersions* drop = nullptr;
  VersionEdit* family_edit = nullptr;
  FamilyVersions* created = nullptr;

  Status status;
  bool done = false;
  CondVar changed;

  bool alone() const { return create != nullptr || drop != nullptr; }
};

// What a batch does to one family.
struct VersionSet::FamilyChange {
  FamilyVersions* family = nullptr;
  std::vector<const VersionEdit*> edits;
  uint64_t version_id = 0;
  VersionBuilder::Built built;
};

// A plan made under the DB mutex and carried out without it.
struct VersionSet::Batch {
  std::vector<Waiter*> waiters;
  std::vector<FamilyChange> families;
  std::vector<VersionEdit*> edits;    // In the order they are written.
  uint64_t new_manifest_number = 0;   // 0: append to the open one.
  FileOptions new_manifest_options;   // If it is not 0.
  SequenceNumber last_sequence = 0;   // As its edits say.
  std::unique_ptr<VersionEdit> logs;  // Which are not needed any more.
};

Status VersionSet::LogAndApply(std::span<const FamilyEdits> changes,
                               StateMutex* db_mutex, FSDirectory* directory) {
  db_mutex->AssertHeld();
  Waiter waiter;
  waiter.changes = changes;
  return Enqueue(&waiter, db_mutex, directory);
}

Result<FamilyVersions*> VersionSet::CreateFamily(const FamilyConfig& config,
                                                 uint64_t log_number,
                                                 StateMutex* db_mutex,
                                                 FSDirectory* directory) {
  db_mutex->AssertHeld();
  VersionEdit edit;
  edit.added_family = config.name;
  edit.comparator_name = config.comparator->Name();
  edit.log_number = log_number;
  Waiter waiter;
  waiter.create = &config;
  waiter.family_edit = &edit;
  RETURN_IF_ERROR(Enqueue(&waiter, db_mutex, directory));
  return waiter.created;
}

Status VersionSet::DropFamily(FamilyVersions* family, StateMutex* db_mutex,
                              FSDirectory* directory) {
  db_mutex->AssertHeld();
  VersionEdit edit;
  edit.drops_family = true;
  assert(family != nullptr);
  Waiter waiter;
  waiter.drop = family;
  waiter.family_edit = &edit;
  return Enqueue(&waiter, db_mutex, directory);
}

Status VersionSet::Enqueue(Waiter* waiter, StateMutex* db_mutex,
                           FSDirectory* directory) {
  db_mutex->AssertHeld();
  assert(!waiter->done);
  queue_.push_back(waiter);
  while (!waiter->done && queue_.front() != waiter) {
    waiter->changed.Wait(db_mutex);
  }
  if (waiter->done) return waiter->status;

  size_t count = 1;
  while (!waiter->alone() && count < queue_.size() && !queue_[count]->alone()) {
    ++count;
  }
  Status status = CommitFront(count, db_mutex, directory);
  if (status.IsTryAgain()) {
    // One edit cannot be applied. Retry one at a time so that only its owner
    // fails.
    count = 1;
    status = CommitFront(count, db_mutex, directory);
  }
  for (size_t i = 0; i < count; ++i) {
    assert(!queue_.empty() && !queue_.front()->done);
    Waiter* const first = queue_.front();
    queue_.pop_front();
    first->status = status;
    first->done = true;
    if (first != waiter) first->changed.Signal();
  }
  if (!queue_.empty()) queue_.front()->changed.Signal();
  return status;
}

Status VersionSet::CheckFamilyChange(const Waiter& waiter) const {
  if (waiter.create != nullptr && family(waiter.create->name) != nullptr) {
    return Status::InvalidArgument("Column family already exists: " +
                                   waiter.create->name);
  }
  if (waiter.drop == nullptr) return Status::OK();
  if (waiter.drop->id() == 0) {
    return Status::InvalidArgument("Can't drop default column family");
  }
  if (waiter.drop->dropped()) {
    return Status::InvalidArgument("Column family already dropped!");
  }
  return Status::OK();
}

// TryAgain: with several waiters, one of them cannot be applied.
Status VersionSet::CommitFront(size_t count, StateMutex* db_mutex,
                               FSDirectory* directory) {
  db_mutex->AssertHeld();
  assert(0 < count && count <= queue_.size());
  assert(pending_manifest_number_ == 0);  // One commit at a time.
  if (count == 1) RETURN_IF_ERROR(CheckFamilyChange(*queue_.front()));
  Batch batch = MakeBatch(count);
  if (batch.edits.empty()) return Status::OK();

  // What this batch was planned from cannot change: all changes pass through
  // the queue, and this thread is at its front.
  pending_manifest_number_ = batch.new_manifest_number;
  Status status;
  bool built = false;
  {
    const MutexUnlock unlock(db_mutex);
    status = OrNoMemory([&] { return BuildVersions(&batch); });
    built = status.ok();
    if (built) {
      status = OrNoMemory([&] { return WriteManifest(batch, directory); });
    }
  }
  pending_manifest_number_ = 0;

  if (!built) return count > 1 ? Status::TryAgain() : status;
  if (!status.ok()) {
    Quarantine(batch);
    force_new_manifest_ = true;
    return status;
  }
  Install(&batch);
  return status;
}

bool VersionSet::NeedsNewManifest() const {
  if (manifest_ == nullptr || force_new_manifest_) return true;
  // A snapshot larger than the limit would otherwise be written for each edit.
  const uint64_t limit =
      std::max(deps_.max_manifest_file_size, 2 * snapshot_bytes_);
  return manifest_bytes_ > limit;
}

VersionSet::Batch VersionSet::MakeBatch(size_t count) {
  Batch batch;
  for (size_t i = 0; i < count; ++i) {
    batch.waiters.push_back(queue_[i]);
    CompleteEdits(queue_[i], &batch);
  }
  if (batch.edits.empty()) return batch;
  CompleteLogs(&batch);
  if (NeedsNewManifest()) {
    batch.new_manifest_number = NewFileNumber();
    batch.new_manifest_options = deps_.manifest_file_options;
  }
  assert(batch.new_manifest_number != 0 || !force_new_manifest_);  // (2)
  // Last, so that it covers every number handed out above.
  const uint64_t next = next_file_number();
  assert(batch.new_manifest_number < next);  // (3)
  batch.last_sequence = std::max(last_sequence(), last_allocated_sequence());
  for (VersionEdit* edit : batch.edits) {
    edit->next_file_number = next;
    edit->last_sequence = batch.last_sequence;
    // The first edit of a MANIFEST repeats what the snapshot cannot say.
    if (batch.new_manifest_number != 0 && edit == batch.edits.front() &&
        max_column_family_ > 0 && !edit->max_column_family.has_value()) {
      edit->max_column_family = max_column_family_;
    }
  }
  return batch;
}

void VersionSet::CompleteEdits(Waiter* waiter, Batch* batch) {
  if (waiter->alone()) {
    VersionEdit* const edit = waiter->family_edit;
    if (waiter->create != nullptr) {
      edit->column_family = max_column_family_ + 1;
      edit->max_column_family = edit->column_family;
    } else {
      edit->column_family = waiter->drop->id();
      edit->max_column_family = max_column_family_;
    }
    batch->edits.push_back(edit);
    return;
  }

  const size_t first_edit = batch->edits.size();
  for (const FamilyEdits& change : waiter->changes) {
    if (change.family->dropped() || change.edits.empty()) continue;
    auto it = std::find_if(
        batch->families.begin(), batch->families.end(),
        [&](const FamilyChange& f) { return f.family == change.family; });
    if (it == batch->families.end()) {
      batch->families.push_back({});
      it = batch->families.end() - 1;
      it->family = change.family;
      it->version_id = change.family->next_version_id_++;
    }
    for (VersionEdit* edit : change.edits) {
      edit->column_family = change.family->id();
      edit->prev_log_number = 0;
      CompleteFiles(change.family, edit);
      it->edits.push_back(edit);
      batch->edits.push_back(edit);
    }
  }
  // All or none, also when a crash cuts the file between them.
  const size_t count = batch->edits.size() - first_edit;
  for (size_t i = 0; count > 1 && i < count; ++i) {
    batch->edits[first_edit + i]->atomic_group_remaining =
        static_cast<uint32_t>(count - 1 - i);
  }
}

// Names the logs that are not needed after the batch is installed. They get an
// edit of their own, because RocksDB ignores other fields in an edit about
// tracked logs.
void VersionSet::CompleteLogs(Batch* batch) {
  assert(batch->logs == nullptr);
  std::map<uint32_t, uint64_t> needed;
  for (const auto& [id, family] : families_) needed[id] = family->log_number();
  for (const VersionEdit* edit : batch->edits) {
    if (edit->drops_family) {
      needed.erase(edit->column_family);
      continue;
    }
    uint64_t& number = needed[edit->column_family];
    number = std::max(number, edit->log_number.value_or(0));
  }
  const uint64_t held = log_holds_->oldest();
  uint64_t oldest = held != 0 ? held : UINT64_MAX;
  for (const auto& [id, number] : needed) oldest = std::min(oldest, number);
  const uint64_t kept_from = std::max(oldest, min_log_number_to_keep_);
  for (VersionEdit* edit : batch->edits) {
    std::erase_if(edit->wal_additions, [kept_from](const WalAddition& wal) {
      return wal.number < kept_from;
    });
  }
  if (oldest <= min_log_number_to_keep_) return;
  batch->logs = std::make_unique<VersionEdit>();
  batch->logs->prev_log_number = 0;
  batch->logs->min_log_number_to_keep = oldest;
  if (deps_.track_wals) batch->logs->wals_deleted_below = oldest;
  batch->edits.push_back(batch->logs.get());
}

void VersionSet::CompleteFiles(FamilyVersions* family, VersionEdit* edit) {
  uint64_t oldest_input = UINT64_MAX;
  for (const NewFile& added : edit->new_files) {
    if (added.file->epoch != kUnknownEpoch) {
      oldest_input = std::min(oldest_input, added.file->epoch);
    }
  }
  for (const NewFile& added : edit->new_files) {
    FileMetaData* const file = added.file.get();
    assert(added.level >= 0);
    file->Settle(family->home_);
    if (file->epoch == kUnknownEpoch) {
      file->epoch =
          oldest_input != UINT64_MAX ? oldest_input : family->NewEpoch();
    }
    // Imported files bring theirs along.
    family->next_epoch_ = std::max(family->next_epoch_, file->epoch + 1);
  }
}

Status VersionSet::BuildVersion(FamilyChange* change) {
  const Version& base = *change->family->current();
  VersionBuilder builder(&base, base.num_levels(),
                         change->family->check_order_);
  for (const VersionEdit* edit : change->edits) {
    if (Status status = builder.Apply(*edit); !status.ok()) return status;
  }
  Result<VersionBuilder::Built> built = builder.Build(change->version_id);
  if (!built.ok()) return built.status();
  change->built = std::move(*built);
  for (const BlobFilePtr& blob : change->built.added_blobs) {
    blob->home = change->family->home_;
  }
  return Status::OK();
}

Status VersionSet::BuildVersions(Batch* batch) {
  for (FamilyChange& change : batch->families) {
    if (Status status = BuildVersion(&change); !status.ok()) return status;
  }
  return Status::OK();
}

Status VersionSet::SyncManifest(wal::Writer* log) const {
  const StopWatch watch(deps_.clock, deps_.statistics,
                        MANIFEST_FILE_SYNC_MICROS);
  return log->Sync(deps_.use_fsync);
}

Status VersionSet::WriteManifest(const Batch& batch, FSDirectory* directory) {
  if (batch.new_manifest_number != 0) {
    return StartManifest(batch, directory);
  }
  assert(manifest_ != nullptr);
  Status status = AppendEdits(batch, manifest_.get());
  if (status.ok()) status = SyncManifest(manifest_.get());
  return status;
}

Status VersionSet::StartManifest(const Batch& batch, FSDirectory* directory) {
  assert(batch.new_manifest_number > manifest_number_);  // (3)
  if (manifest_ != nullptr) {
    // It is complete as far as it was promised; an error now loses nothing.
    manifest_->Close().PermitUncheckedError();
    manifest_.reset();
  }
  const std::string name =
      DescriptorFileName(deps_.db, batch.new_manifest_number);
  Result<std::unique_ptr<WritableFileWriter>> file =
      WritableFileWriter::Create(deps_.fs, name, batch.new_manifest_options);
  if (!file.ok()) return file.status();
  auto log = std::make_unique<wal::Writer>(
      std::move(*file), batch.new_manifest_number, /*recycle=*/false,
      /*manual_flush=*/true);

  Status status = AppendSnapshot(batch.last_sequence, log.get());
  const uint64_t snapshot_bytes = log->FileSize();
  if (status.ok()) status = AppendEdits(batch, log.get());
  if (status.ok()) status = SyncManifest(log.get());
  // The MANIFEST's name must be there before CURRENT can say it.
  if (status.ok()) {
    status = directory != nullptr
                 ? directory->FsyncWithDirOptions(
                       IOOptions(), nullptr,
                       DirFsyncOptions(DirFsyncOptions::kNewFileSynced))
                 : SyncDirectory(deps_.fs, deps_.db);
  }
  if (!status.ok()) {
    log->Close().PermitUncheckedError();
    deps_.fs->DeleteFile(name, IOOptions(), nullptr).PermitUncheckedError();
    return status;
  }
  // From here on CURRENT may or may not name the new file, so it stays.
  status =
      SetCurrentFile(deps_.fs, deps_.db, batch.new_manifest_number, directory);
  if (!status.ok()) {
    log->Close().PermitUncheckedError();
    return status;
  }
  manifest_ = std::move(log);
  snapshot_bytes_ = snapshot_bytes;
  return status;
}

namespace {

Status AddEdit(const VersionEdit& edit, std::string* record, wal::Writer* log) {
  record->clear();
  edit.EncodeTo(record);
  return log->AddRecord(*record);
}

void AddFilesAndBlobs(const FamilyVersions& family, VersionEdit* edit) {
  for (const auto& [level, key] : family.compact_cursors()) {
    if (key.Valid()) edit->compact_cursors.push_back({level, key});
  }
  const Version& version = *family.current();
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& f : version.files(level)) edit->AddFile(level, f);
  }
  for (const LiveBlobFile& blob : version.blobs().files) {
    edit->blob_additions.push_back(blob.file->facts);
    if (blob.garbage_count > 0 || blob.garbage_bytes > 0) {
      edit->blob_garbage.push_back(
          {blob.number(), blob.garbage_count, blob.garbage_bytes});
    }
  }
}

}  // namespace

// `sequence` is that of the edits that follow. Writers go on meanwhile, and the
// last sequence in a MANIFEST must not go back: RocksDB 7.8.3 asserts it.
Status VersionSet::AppendSnapshot(SequenceNumber sequence,
                                  wal::Writer* log) const {
  std::string record;
  if (deps_.write_db_id && !db_id_.empty()) {
    VersionEdit edit;
    edit.db_id = db_id_;
    RETURN_IF_ERROR(AddEdit(edit, &record, log));
  }
  if (!wals_.empty()) {
    VersionEdit edit;
    for (const auto& [number, synced] : wals_) {
      edit.wal_additions.push_back({number, synced});
    }
    RETURN_IF_ERROR(AddEdit(edit, &record, log));
  }
  for (const auto& [id, family] : families_) {
    RETURN_IF_ERROR(AppendFamily(*family, sequence, &record, log));
  }
  return Status::OK();
}

Status VersionSet::AppendFamily(const FamilyVersions& family,
                                SequenceNumber sequence, std::string* record,
                                wal::Writer* log) const {
  VersionEdit comparator;
  comparator.column_family = family.id();
  if (family.id() != 0) comparator.added_family = family.name();
  comparator.comparator_name = family.icmp().user_comparator()->Name();
  if (!family.persist_timestamps_) comparator.persist_timestamps = false;
  RETURN_IF_ERROR(AddEdit(comparator, record, log));

  VersionEdit files;
  files.column_family = family.id();
  files.log_number = family.log_number();
  if (family.id() == 0 && min_log_number_to_keep_ != 0) {
    files.min_log_number_to_keep = min_log_number_to_keep_;
  }
  files.last_sequence = sequence;
  AddFilesAndBlobs(family, &files);
  if (!family.full_history_ts_low().empty()) {
    files.full_history_ts_low = family.full_history_ts_low();
  }
  return AddEdit(files, record, log);
}

Status VersionSet::AppendEdits(const Batch& batch, wal::Writer* log) {
  assert(!batch.edits.empty());
  const uint64_t begin = log->FileSize();
  std::string record;
  for (VersionEdit* edit : batch.edits) {
    if (edit != batch.edits.front()) edit->batch_offset = begin;
    RETURN_IF_ERROR(AddEdit(*edit, &record, log));
  }
  return Status::OK();
}

void VersionSet::Quarantine(const Batch& batch) {
  for (const VersionEdit* edit : batch.edits) {
    for (const NewFile& added : edit->new_files) {
      quarantined_.insert(added.file->number);
    }
    for (const BlobFileAddition& added : edit->blob_additions) {
      quarantined_.insert(added.number);
    }
  }
}

namespace {

// The edit is durable: without memory for their paths the files are installed
// all the same.
void ReportAdded(
    const VersionBuilder::Built& built,
    const std::function<void(const std::string&, uint64_t)>& report) {
  (void)OrNoMemory([&] {
    for (const FilePtr& file : built.added) report(file->Path(), file->size);
    for (const BlobFilePtr& blob : built.added_blobs) {
      report(blob->Path(), blob->size());
    }
    return Status::OK();
  });
}

}  // namespace

void VersionSet::Install(Batch* batch) {
  assert(manifest_ != nullptr);  // (1): the edits are durable.
  if (batch->new_manifest_number != 0) {
    // Number 0 is no file: the first MANIFEST of a set that never recovered.
    if (manifest_number_ != 0) obsolete_manifests_.push_back(manifest_number_);
    manifest_number_ = batch->new_manifest_number;
    force_new_manifest_ = false;
    // The new file says which of the doubtful edits count: none.
    quarantined_.clear();
  }
  manifest_bytes_ = manifest_->FileSize();
  for (const VersionEdit* edit : batch->edits) {
    min_log_number_to_keep_ = std::max(
        min_log_number_to_keep_, edit->min_log_number_to_keep.value_or(0));
    if (edit->db_id.has_value()) db_id_ = *edit->db_id;
    for (const WalAddition& wal : edit->wal_additions) {
      wals_[wal.number] = wal.synced_bytes;
    }
    wals_.erase(wals_.begin(),
                wals_.lower_bound(edit->wals_deleted_below.value_or(0)));
  }
  for (FamilyChange& change : batch->families) InstallFamily(&change);
  for (const Waiter* waiter : batch->waiters) {
    for (const FamilyEdits& change : waiter->changes) {
      if (change.on_installed && !change.family->dropped()) {
        change.on_installed();
      }
    }
  }
  for (Waiter* waiter : batch->waiters) {
    if (waiter->alone()) InstallFamilySet(waiter);
  }
}

void VersionSet::InstallFamily(FamilyChange* change) {
  FamilyVersions* const family = change->family;
  assert(!family->dropped());
  assert(change->built.version != nullptr);
  for (const VersionEdit* edit : change->edits) {
    family->log_number_ =
        std::max(family->log_number(), edit->log_number.value_or(0));
    for (const CompactCursor& cursor : edit->compact_cursors) {
      family->compact_cursors_[cursor.level] = cursor.key;
    }
    if (edit->full_history_ts_low.has_value()) {
      family->full_history_ts_low_ = *edit->full_history_ts_low;
    }
  }
  family->AccountAdded(change->built.added);
  if (deps_.on_file_added) ReportAdded(change->built, deps_.on_file_added);
  for (const FilePtr& file : change->built.removed) {
    assert(!file->removed());  // file_metadata.h (2)
    file->MarkRemoved();
  }
  for (const BlobFilePtr& blob : change->built.removed_blobs) {
    blob->MarkRemoved();
  }
  family->Install(std::move(change->built.version));
}

void VersionSet::InstallFamilySet(Waiter* waiter) {
  if (waiter->create != nullptr) {
    const uint32_t id = waiter->family_edit->column_family;
    assert(id > max_column_family_ && !families_.contains(id));
    auto created =
        std::make_unique<FamilyVersions>(id, *waiter->create, deps_.obsolete);
    created->log_number_ = waiter->family_edit->log_number.value_or(0);
    waiter->created = created.get();
    max_column_family_ = id;
    families_.emplace(id, std::move(created));
    return;
  }
  FamilyVersions* const family = waiter->drop;
  family->dropped_ = true;
  for (int level = 0; level < family->current_->num_levels(); ++level) {
    for (const FilePtr& file : family->current_->files(level)) {
      file->MarkRemoved();
    }
  }
  for (const LiveBlobFile& blob : family->current_->blobs().files) {
    blob.file->MarkRemoved();
  }
  const auto it = families_.find(family->id());
  assert(it != families_.end() && it->second.get() == family);
  dropped_.push_back(std::move(it->second));
  families_.erase(it);
}

}  // namespace ROCKSDB_NAMESPACE::engine
