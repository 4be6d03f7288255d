#include "db/db_impl/opener.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/db_impl/family_setup.h"
#include "db/db_impl/log_header.h"
#include "db/events/db_events.h"
#include "db/format/file_names.h"
#include "db/options/options_table.h"
#include "db/options/validate.h"
#include "db/recovery/filtered_replay.h"
#include "db/recovery/wal_replay.h"
#include "db/recovery/wal_timestamps.h"
#include "db/trace/block_cache_tracer.h"
#include "db/tuning_driver/tuning_domain.h"
#include "env/info_log.h"
#include "env/io_gate.h"
#include "env/space/sst_file_manager.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "table/format/footer.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// 20 base-36 digits, upper case, of a fresh unique id.
std::string NewSessionId(Env* env) {
  const std::string unique = env->GenerateUniqueId();
  uint64_t high = Hash64(unique.data(), unique.size(), 1);
  uint64_t low = Hash64(unique.data(), unique.size(), 2);
  std::string id(20, '0');
  for (size_t i = 0; i < id.size(); ++i) {
    uint64_t& source = i < 10 ? high : low;
    id[i] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[source % 36];
    source /= 36;
  }
  return id;
}

}  // namespace

Opener::~Opener() {
  if (lock_ != nullptr) {
    (void)store_.fs->UnlockFile(lock_, IOOptions(), nullptr);
  }
  // It did not become a DBImpl.
  if (state_ != nullptr && store_.space != nullptr) {
    store_.space->ForgetFilesOf(state_.get());
  }
}

Status Opener::CheckOptions() {
  options_ = SanitizeOptions(name_, given_options_);
  for (ColumnFamilyDescriptor& family : families_) {
    family.options = SanitizeOptions(options_, family.options);
  }
  RETURN_IF_ERROR(ValidateOptions(options_));
  RETURN_IF_ERROR(ValidateOptions(options_, families_));
  store_.dbname = name_;
  store_.wal_dir = options_.wal_dir.empty() ? name_ : options_.wal_dir;
  store_.options = options_;
  store_.fs = options_.env->GetFileSystem().get();
  store_.clock = options_.env->GetSystemClock().get();
  store_.statistics = options_.statistics.get();
  store_.space =
      dynamic_cast<SstFileManagerImpl*>(options_.sst_file_manager.get());
  return Status::OK();
}

std::vector<std::string> Opener::AllDirs() const {
  std::vector<std::string> dirs{name_};
  const auto add = [&dirs](const std::string& dir) {
    if (std::find(dirs.begin(), dirs.end(), dir) == dirs.end()) {
      dirs.push_back(dir);
    }
  };
  for (const ColumnFamilyDescriptor& family : families_) {
    for (const std::string& dir : TableDirsOf(store_, family.options)) {
      add(dir);
    }
  }
  return dirs;
}

// If CURRENT cannot be checked, fail: a database may be there.
Result<bool> Opener::Exists() const {
  const IOStatus found =
      store_.fs->FileExists(CurrentFileName(name_), IOOptions(), nullptr);
  if (found.ok()) return true;
  if (IsMissing(found)) return false;
  return Status(found);
}

Status Opener::MakeDirectories() {
  const IOOptions io;
  const Result<bool> found = Exists();
  if (!found.ok()) return found.status();
  const bool exists = *found;
  if (!exists && (read_only_ || !options_.create_if_missing)) {
    if (read_only_) return Status::PathNotFound(CurrentFileName(name_));
    return Status::InvalidArgument(
        name_, "does not exist (create_if_missing is false)");
  }
  if (follows()) {
    return store_.fs->CreateDirIfMissing(mode_.secondary_path, io, nullptr);
  }
  if (read_only_) return Status::OK();
  if (exists && options_.error_if_exists) {
    return Status::InvalidArgument(name_, "exists (error_if_exists is true)");
  }
  for (const std::string& dir : AllDirs()) {
    RETURN_IF_ERROR(store_.fs->CreateDirIfMissing(dir, io, nullptr));
  }
  RETURN_IF_ERROR(store_.fs->CreateDirIfMissing(store_.wal_dir, io, nullptr));
  if (!options_.db_log_dir.empty()) {
    RETURN_IF_ERROR(
        store_.fs->CreateDirIfMissing(options_.db_log_dir, io, nullptr));
  }
  return Status::OK();
}

Status Opener::StartInfoLog() {
  info_log_ = options_.info_log;
  if (info_log_ == nullptr && (!read_only_ || follows())) {
    // A database without a log is better than none.
    (void)CreateLoggerFromOptions(follows() ? mode_.secondary_path : name_,
                                  options_, &info_log_);
  }
  store_.info_log = info_log_.get();
  options_.info_log = info_log_;
  store_.options.info_log = info_log_;
  return Status::OK();
}

Status Opener::Lock() {
  if (read_only_) return Status::OK();
  return store_.fs->LockFile(LockFileName(name_), IOOptions(), &lock_, nullptr);
}

Status Opener::CreateIfMissing() {
  const Result<bool> exists = Exists();
  if (!exists.ok()) return exists.status();
  Result<std::string> identity = ReadIdentityFile(store_.fs, name_);
  if (identity.ok()) store_.db_id = *identity;
  if (read_only_ || *exists) return Status::OK();
  if (store_.db_id.empty()) RETURN_IF_ERROR(MakeIdentity());
  Info(store_.info_log, "Creating a new database in %s", name_.c_str());
  return VersionSet::CreateManifest(
      store_.fs, name_, options_.write_dbid_to_manifest ? store_.db_id : "",
      FileOptions(options_));
}

Status Opener::MakeIdentity() {
  store_.db_id = options_.env->GenerateUniqueId();
  while (store_.db_id.ends_with('\n')) store_.db_id.pop_back();
  return WriteIdentityFile(store_.fs, name_, store_.db_id);
}

// The MANIFEST's word counts for more than IDENTITY, which a copied database
// may lack.
Status Opener::SettleIdentity() {
  const std::string& in_manifest = recovered_.manifest.manifest_db_id;
  if (!in_manifest.empty() && in_manifest != store_.db_id) {
    store_.db_id = in_manifest;
    if (!read_only_) {
      RETURN_IF_ERROR(WriteIdentityFile(store_.fs, name_, in_manifest));
    }
  } else if (store_.db_id.empty() && !read_only_) {
    RETURN_IF_ERROR(MakeIdentity());
  }
  state_->store.db_id = store_.db_id;
  state_->versions->SetDbId(store_.db_id);
  return Status::OK();
}

Status Opener::OpenGate() {
  Result<std::shared_ptr<IoScheduler>> scheduler =
      OpenIoScheduler(options_.io_scheduler, store_.fs, name_, store_.info_log);
  if (!scheduler.ok()) return scheduler.status();
  store_.io_gate = std::make_shared<IoGate>(
      store_.clock, TuningDomain::Of(store_.fs, name_)->gate(),
      std::move(*scheduler), store_.statistics);
  return Status::OK();
}

Status Opener::BuildState() {
  assert(state_ == nullptr);
  store_.db_session_id = NewSessionId(options_.env);
  store_.db_host_id = options_.db_host_id;
  if (store_.db_host_id == kHostnameForDbHostId) {
    (void)options_.env->GetHostNameString(&store_.db_host_id);
  }
  LogHeader(store_, options_, families_);
  RETURN_IF_ERROR(OpenGate());
  store_.user_read_bytes = std::make_shared<CoreLocalCounter>();
  store_.block_tracer = std::make_shared<BlockCacheTracer>();
  state_ = std::make_unique<DbState>(store_);
  state_->env = options_.env;
  state_->readers = std::make_shared<ReaderCache>(
      options_.max_open_files, options_.table_cache_numshardbits);
  state_->events = std::make_unique<DbEvents>(state_->store);
  VersionSet::Deps versions;
  versions.db = name_;
  versions.fs = store_.fs;
  versions.manifest_file_options = FileOptions(options_);
  versions.statistics = store_.statistics;
  versions.clock = store_.clock;
  versions.max_manifest_file_size = options_.max_manifest_file_size;
  versions.write_db_id = options_.write_dbid_to_manifest;
  versions.use_fsync = options_.use_fsync;
  versions.track_wals = options_.track_and_verify_wals_in_manifest;
  if (SstFileManagerImpl* const space = store_.space; space != nullptr) {
    versions.on_file_added = [space, owner = state_.get()](
                                 const std::string& path, uint64_t bytes) {
      space->AddFile(owner, path, bytes);
    };
  }
  versions.obsolete = read_only_ ? nullptr : &state_->obsolete;
  state_->versions = std::make_unique<VersionSet>(std::move(versions));
  DbState* const db = state_.get();
  state_->families = std::make_unique<FamilySet>([db] {
    if (db->on_memtable_full) db->on_memtable_full();
  });
  if (read_only_) return Status::OK();
  return store_.fs->NewDirectory(name_, IOOptions(), &state_->directory,
                                 nullptr);
}

Status Opener::ReadState() {
  std::vector<FamilyConfig> configs;
  configs.reserve(families_.size());
  for (const ColumnFamilyDescriptor& family : families_) {
    configs.push_back(FamilyConfigOf(store_, family.name, family.options));
  }
  if (follows()) {
    follower_ = std::make_unique<Follower>(state_.get());
    Result<VersionSet::Recovered> manifest = follower_->Start(configs);
    if (!manifest.ok()) return manifest.status();
    recovered_.manifest = std::move(*manifest);
  } else {
    if (read_only_) {
      const Result<ManifestStamp> stamp = StampManifest(store_.fs, name_);
      if (stamp.ok()) stamp_ = *stamp;
    }
    if (mode_.manifest_only) return ReadManifestOnly(configs);
    Result<RecoveredState> read =
        ReadRecoveredState(store_.fs, {name_, store_.wal_dir, AllDirs()},
                           configs, read_only_, state_->versions.get());
    if (!read.ok()) return read.status();
    recovered_ = std::move(*read);
  }
  for (const FamilyVersions* family : state_->versions->families()) {
    log_numbers_[family->id()] = family->log_number();
  }
  for (const std::string& family : recovered_.manifest.missing_families) {
    if (read_only_ || !options_.create_missing_column_families) {
      return Status::InvalidArgument("Column family not found", family);
    }
  }
  return Status::OK();
}

Status Opener::ReadManifestOnly(const std::vector<FamilyConfig>& configs) {
  assert(read_only_ && !follows());
  Result<VersionSet::Recovered> manifest =
      state_->versions->Recover(configs, /*read_only=*/true);
  if (!manifest.ok()) return manifest.status();
  recovered_.manifest = std::move(*manifest);
  if (recovered_.manifest.missing_families.empty()) return Status::OK();
  return Status::InvalidArgument("Column family not found",
                                 recovered_.manifest.missing_families.front());
}

const ColumnFamilyOptions* Opener::OptionsOf(const std::string& family) const {
  for (const ColumnFamilyDescriptor& descriptor : families_) {
    if (descriptor.name == family) return &descriptor.options;
  }
  return nullptr;
}

Status Opener::AddFamilies() {
  kStateLock.AssertHeld();  // No other thread knows the state yet.
  for (FamilyVersions* versions : state_->versions->families()) {
    const ColumnFamilyOptions* options = OptionsOf(versions->name());
    if (options == nullptr) continue;  // Read-only: not asked for.
    FamilyPtr family = AddFamily(state_.get(), versions, *options);
    family->StartMemTable(
        family->NewMemTable(state_->versions->last_sequence()));
  }
  return Status::OK();
}

// With max_open_files = -1 every table is open from the start: damage shows
// now. A read-only database opens blob files, too. A family with a table of
// another kind is left as it is, and answers its readers with that error.
Status Opener::LoadTables() {
  if (options_.max_open_files != -1) return Status::OK();
  kStateLock.AssertHeld();  // No other thread knows the state yet.
  for (const FamilyPtr& family : state_->families->all()) {
    const VersionPtr version = family->versions()->current();
    if (read_only_) RETURN_IF_ERROR(OpenBlobFiles(*family));
    for (int level = 0; level < version->num_levels(); ++level) {
      for (const FilePtr& file : version->files(level)) {
        RETURN_IF_ERROR(LoadTable(family.get(), *file, level));
      }
    }
    family->versions()->RefreshLevelState();
  }
  return Status::OK();
}

// So that they can be read after the writer has deleted them. Damage shows when
// it is read; what the writer has just deleted makes the open begin anew.
Status Opener::OpenBlobFiles(const ColumnFamily& family) const {
  const VersionPtr version = family.versions()->current();
  for (const LiveBlobFile& blob : version->blobs().files) {
    const Status status = family.blobs().KeepOpen(*blob.file);
    if (!status.ok() && OvertakenByWriter(status)) return status;
  }
  return Status::OK();
}

Status Opener::LoadTable(ColumnFamily* family, const FileMetaData& file,
                         int level) {
  Status status =
      family->tables().Find(file, level, Env::IOActivity::kDBOpen).status();
  if (IsOtherTableKind(status)) {
    Warn(store_.info_log, "Family %s cannot be read: %s",
         family->name().c_str(), status.ToString().c_str());
    kStateLock.AssertHeld();  // No other thread knows the state yet.
    family->SetHasOtherTables();
    return Status::OK();
  }
  if (status.ok() || options_.paranoid_checks) return status;
  return OvertakenByWriter(status) ? status : Status::OK();
}

Result<ReplayResult> Opener::ReadLogs() {
  ReplayOptions options;
  options.mode = options_.wal_recovery_mode;
  options.verify_chain = options_.track_and_verify_wals;
  options.needed_from = std::max(state_->versions->MinLogNumber(),
                                 state_->versions->MinLogNumberToKeep());
  options.file_options = FileOptions(options_);
  const auto read = [&]() -> Result<ReplayResult> {
    std::unique_ptr<FilteredReplay> filtered;
    if (options_.wal_filter != nullptr) {
      filtered =
          std::make_unique<FilteredReplay>(options_.wal_filter, store_.wal_dir,
                                           *state_->families, replay_.get());
    }
    ReplaySink* sink = replay_.get();
    if (filtered != nullptr) sink = filtered.get();
    return ReplayLogs(store_.fs, store_.wal_dir, recovered_.logs, options,
                      sink);
  };
  Result<ReplayResult> result = read();
  if (!result.status().IsAborted()) return result;
  replay_->RestartNumberedByBatch();
  return read();
}

Status Opener::ReplayWals() {
  const int job_id = state_->next_job_id.fetch_add(1);
  replay_ =
      std::make_unique<ReplayIntoTables>(state_.get(), job_id, read_only_);
  if (std::any_of(families_.begin(), families_.end(),
                  [](const ColumnFamilyDescriptor& family) {
                    return family.options.comparator->timestamp_size() > 0;
                  }) &&
      LogsHaveNoTimestampSizes(store_.fs, name_)) {
    replay_->TakeTimestampsAsTheyAre();
  }
  state_->events->log().LogRecoveryStarted(job_id, recovered_.logs);
  Result<ReplayResult> result = ReadLogs();
  state_->events->log().LogRecoveryFinished(job_id, result.status());
  if (!result.ok()) return result.status();
  RETURN_IF_ERROR(CheckFamiliesNotAhead(*state_->versions, *result));
  RETURN_IF_ERROR(replay_->CheckTransactions(*result));
  if (result->skipped > 0) {
    Warn(store_.info_log, "Recovery skipped %llu damaged places of the logs",
         static_cast<unsigned long long>(result->skipped));
  }
  // What follows a gap could not be told from the gap by the next replay, and
  // what this mode reads past may stop that of another mode.
  if (result->stopped() || result->passed_stop) replay_->ForceTables();
  if (result->stopped()) {
    Warn(store_.info_log, "Point-in-time recovery stopped in log %llu: %s",
         static_cast<unsigned long long>(result->stopped_log),
         result->stop_reason.ToString().c_str());
  }
  SequenceNumber last = state_->versions->last_sequence();
  if (result->next_sequence > 0) {
    last = std::max(last, result->next_sequence - 1);
  }
  state_->versions->SetLastSequence(last);
  state_->versions->SetLastAllocatedSequence(last);
  return Status::OK();
}

// Logs that stay for memtables or prepared transactions are only as safe as the
// last session left them; what is synced from now on must not outlive them.
Status Opener::SyncKeptLogs() {
  if (!options_.avoid_flush_during_recovery && replay_->kept_from() == 0) {
    return Status::OK();
  }
  for (const uint64_t number : recovered_.logs) {
    std::unique_ptr<FSWritableFile> log;
    RETURN_IF_ERROR(
        store_.fs->ReopenWritableFile(LogFileName(store_.wal_dir, number),
                                      LogFileOptions(options_), &log, nullptr));
    RETURN_IF_ERROR(options_.use_fsync ? log->Fsync(IOOptions(), nullptr)
                                       : log->Sync(IOOptions(), nullptr));
    RETURN_IF_ERROR(log->Close(IOOptions(), nullptr));
  }
  return SyncDirectory(store_.fs, store_.wal_dir);
}

// A new log, and one edit for everything the old ones held.
Status Opener::InstallReplayed() {
  WalSetOptions wals;
  wals.wal_dir = store_.wal_dir;
  wals.fs = store_.fs;
  wals.file_options = LogFileOptions(options_);
  wals.preallocation_bytes = families_[0].options.write_buffer_size * 11 / 10;
  wals.use_fsync = options_.use_fsync;
  wals.manual_flush = options_.manual_wal_flush;
  wals.recycle_files = options_.recycle_log_file_num;
  wals.compress = options_.wal_compression == kZSTD;
  wals.chain = options_.track_and_verify_wals;
  wals.track = options_.track_and_verify_wals_in_manifest;
  wals.io_pass = store_.io_gate->PassOf(IoClass::kLog);
  wals.statistics = store_.statistics;
  wals.clock = store_.clock;
  assert(!read_only_ && state_->wals == nullptr);
  state_->wals = std::make_unique<WalSet>(std::move(wals));
  kStateLock.AssertHeld();  // No other thread knows the state yet.
  for (const FamilyPtr& family : state_->families->all()) {
    state_->wals->RecordTimestampSize(family->id(),
                                      family->icmp().timestamp_size());
  }
  RETURN_IF_ERROR(
      replay_->RemoveBehindStop(recovered_.manifest, &recovered_.logs));
  RETURN_IF_ERROR(SyncKeptLogs());
  if (replay_->kept_from() != 0) {
    state_->undecided_log =
        LogHold(state_->versions->log_holds(), replay_->kept_from());
    state_->undecided = replay_->TakeUndecided();
    state_->undecided_logs_are_damaged = replay_->met_kept_damage();
  }
  RETURN_IF_ERROR(state_->wals->Start(state_->versions->NewFileNumber()));
  RETURN_IF_ERROR(replay_->Install(state_->wals->current_number()));
  return AddReplayedLogs();
}

// Those that memtables or prepared transactions need. The others go with the
// scan for leftovers.
Status Opener::AddReplayedLogs() {
  const uint64_t needed_from = state_->versions->MinLogNumberToKeep();
  for (const uint64_t number : recovered_.logs) {
    if (number < needed_from) continue;
    uint64_t size = 0;
    RETURN_IF_ERROR(store_.fs->GetFileSize(LogFileName(store_.wal_dir, number),
                                           IOOptions(), &size, nullptr));
    state_->wals->AddReplayed(number, size);
  }
  WalSet::ReleaseBounds bounds;
  bounds.deletable_below = needed_from;
  bounds.flushed_below =
      std::max(needed_from, state_->versions->MinLogNumber());
  (void)state_->wals->ReleaseBelow(bounds, /*may_recycle=*/false);
  return Status::OK();
}

Status Opener::CreateMissingFamilies() {
  for (const std::string& name : recovered_.manifest.missing_families) {
    const Result<FamilyPtr> family =
        CreateFamily(state_.get(), name, *OptionsOf(name));
    if (!family.ok()) return family.status();
  }
  return Status::OK();
}

Status Opener::AssembleDb() {
  DbState* const db = state_.get();
  FileDeletion::Deps deletion;
  deletion.fs = store_.fs;
  deletion.db = name_;
  deletion.wal_dir = store_.wal_dir;
  deletion.log_dir = options_.db_log_dir;
  deletion.keep_log_files = options_.keep_log_file_num;
  deletion.versions = db->versions.get();
  deletion.obsolete = &db->obsolete;
  if (SstFileManagerImpl* const space = store_.space; space != nullptr) {
    deletion.delete_file = [space](const std::string& path) {
      return space->Delete(path);
    };
  }
  deletion.evict_reader = [db](uint64_t number) {
    // One cache serves all families.
    db->families->default_family()->tables().Evict(number);
  };
  deletion.add_kept_logs = [db](std::set<uint64_t>* kept) {
    if (db->wals != nullptr) db->wals->AddRecyclable(kept);
  };
  deletion.on_deleted = [db](const FileToDelete& file, const Status& status) {
    if (file.type == kBlobFile) {
      const BlobFileDeletionInfo info(db->store.dbname, file.path, 0, status);
      db->events->BlobFileDeleted(info, file.number);
    }
    if (file.type != kTableFile) return;
    TableFileDeletionInfo info;
    info.db_name = db->store.dbname;
    info.file_path = file.path;
    info.job_id = 0;
    info.status = status;
    db->events->TableFileDeleted(info, file.number);
  };
  state_->deletion =
      std::make_unique<FileDeletion>(std::move(deletion), AllDirs());
  kStateLock.AssertHeld();  // No other thread knows the state yet.
  for (const FamilyPtr& family : state_->families->all()) {
    const ViewRef old = family->PublishView();
  }
  CheckState(*state_);
  if (read_only_ && replay_ != nullptr) {
    RETURN_IF_ERROR(replay_->HideUndecided());
  }
  db_ = std::make_unique<DBImpl>(std::move(state_),
                                 std::exchange(lock_, nullptr), read_only_);
  db_->set_info_log(info_log_);
  db_->set_follower(std::move(follower_));
  return db_->Start();
}

// Those of the MANIFEST that was read.
void Opener::TrackFiles() const {
  if (store_.space == nullptr) return;
  kStateLock.AssertHeld();  // No other thread knows the state yet.
  for (const FamilyPtr& family : state_->families->all()) {
    const VersionPtr version = family->versions()->current();
    for (int level = 0; level < version->num_levels(); ++level) {
      for (const FilePtr& file : version->files(level)) {
        store_.space->AddFile(state_.get(), file->Path(), file->size);
      }
    }
    for (const LiveBlobFile& blob : version->blobs().files) {
      store_.space->AddFile(state_.get(), blob.file->Path(), blob.file->size());
    }
  }
}

Status Opener::Run() {
  RETURN_IF_ERROR(CheckOptions());
  RETURN_IF_ERROR(MakeDirectories());
  RETURN_IF_ERROR(StartInfoLog());
  RETURN_IF_ERROR(Lock());
  RETURN_IF_ERROR(CreateIfMissing());
  RETURN_IF_ERROR(BuildState());
  RETURN_IF_ERROR(ReadState());
  RETURN_IF_ERROR(SettleIdentity());
  if (mode_.error_if_wal_exists && !recovered_.logs.empty()) {
    return Status::Corruption(name_, "has a write-ahead log to be replayed");
  }
  RETURN_IF_ERROR(AddFamilies());
  if (follows()) {
    RETURN_IF_ERROR(follower_->CatchUp());
    return AssembleDb();
  }
  if (mode_.manifest_only) return AssembleDb();
  RETURN_IF_ERROR(LoadTables());
  RETURN_IF_ERROR(ReplayWals());
  if (!read_only_) {
    TrackFiles();
    RETURN_IF_ERROR(InstallReplayed());
    RETURN_IF_ERROR(CreateMissingFamilies());
  }
  return AssembleDb();
}

bool Opener::OvertakenByWriter(const Status& status) const {
  if (!stamp_ || follows()) return false;
  const Result<ManifestStamp> stamp = StampManifest(store_.fs, name_);
  // What cannot be read now says nothing about a writer.
  if (!stamp.ok() || *stamp == *stamp_) return false;
  if (!status.ok()) return true;
  if (mode_.manifest_only) return false;
  // All went well; but a log that was not found because it had been flushed
  // leaves no error behind.
  const Result<ManifestState> now = engine::ReadManifest(store_.fs, name_);
  if (!now.ok()) return true;
  for (const auto& [id, log_number] : log_numbers_) {
    const auto family = now->families.find(id);
    if (family == now->families.end()) return true;
    if (family->second.log_number != log_number) return true;
  }
  return false;
}

std::unique_ptr<DBImpl> Opener::Release(
    std::vector<ColumnFamilyHandle*>* handles) {
  if (handles != nullptr) {
    handles->clear();
    for (const ColumnFamilyDescriptor& family : families_) {
      handles->push_back(
          db_->NewHandle(db_->state()->families->Get(family.name)));
    }
  }
  return std::move(db_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
