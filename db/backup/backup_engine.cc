#include "rocksdb/utilities/backup_engine.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "db/backup/backup_directory.h"
#include "db/backup/backup_env.h"
#include "db/backup/backup_layout.h"
#include "db/backup/backup_maker.h"
#include "db/backup/backup_restorer.h"
#include "db/format/file_names.h"
#include "env/io_gate.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {
namespace {

IOStatus ToIo(Status status) { return status_to_io_status(std::move(status)); }

std::shared_ptr<RateLimiter> LimiterOf(
    const std::shared_ptr<RateLimiter>& given, uint64_t bytes_per_second) {
  if (given != nullptr || bytes_per_second == 0) return given;
  const uint64_t most = INT64_MAX;
  return std::shared_ptr<RateLimiter>(NewGenericRateLimiter(
      static_cast<int64_t>(std::min(bytes_per_second, most))));
}

// What both kinds of engines do. Functions that change the directory take the
// lock for themselves.
class BackupCore {
 public:
  BackupCore(const BackupEngineOptions& options, Env* db_env)
      : options_(options),
        db_env_(db_env),
        directory_((options.backup_env != nullptr ? options.backup_env : db_env)
                       ->GetFileSystem(),
                   options.backup_dir, options.sync, options.info_log),
        backup_limiter_(
            LimiterOf(options.backup_rate_limiter, options.backup_rate_limit)),
        restore_limiter_(LimiterOf(options.restore_rate_limiter,
                                   options.restore_rate_limit)) {}

  Status Open(bool read_only);

  Status LatestInfo(BackupInfo* info, bool details) const {
    ReadLock lock(&mu_);
    return InfoOf(directory_.Latest(), info, details);
  }
  Status OneInfo(BackupID id, BackupInfo* info, bool details) const {
    ReadLock lock(&mu_);
    return InfoOf(id, info, details);
  }
  void AllInfos(std::vector<BackupInfo>* infos, bool details) const;
  void Damaged(std::vector<BackupID>* ids) const;
  Status Restore(const RestoreOptions& options, BackupID id,
                 const std::string& db_dir, const std::string& wal_dir) const;
  bool ExcludesFiles(BackupID id) const;
  Status RestoreLatest(const RestoreOptions& options, const std::string& db_dir,
                       const std::string& wal_dir) const;
  Status Verify(BackupID id, bool checksums) const;

  Status Create(const CreateBackupOptions& options, DB* db,
                const std::string& app_metadata, BackupID* id);
  void Stop() { stop_ = true; }
  Status CollectGarbage() {
    WriteLock lock(&mu_);
    return directory_.RemoveGarbage();
  }
  Status Purge(uint32_t keep);
  Status Delete(BackupID id);

 private:
  Status PurgeLocked(uint32_t keep) REQUIRES_LOCK(mu_);
  Status InfoOf(BackupID id, BackupInfo* info, bool details) const
      TSA(requires_shared_capability(mu_));
  Status RestoreLocked(const RestoreOptions& options,
                       const BackupAlternates& alternates, BackupID id,
                       const std::string& db_dir,
                       const std::string& wal_dir) const
      TSA(requires_shared_capability(mu_));
  FileCopyRun RunFor(FileSystem* target, RateLimiter* limiter) const;

  const BackupEngineOptions options_;
  Env* const db_env_;
  mutable SharedMutex mu_{LockRank::kBackup};
  BackupDirectory directory_ GUARDED_BY(mu_);
  const std::shared_ptr<RateLimiter> backup_limiter_;
  const std::shared_ptr<RateLimiter> restore_limiter_;
  std::atomic<bool> stop_{false};
};

Status CheckOptions(const BackupEngineOptions& options, Env* db_env) {
  if (options.backup_dir.empty()) {
    return Status::InvalidArgument("backup_dir is empty");
  }
  if (db_env == nullptr) return Status::InvalidArgument("db_env is null");
  if (options.schema_version < 1 || options.schema_version > 2) {
    return Status::NotSupported(
        "schema_version " + std::to_string(options.schema_version),
        "expected 1 or 2");
  }
  using Options = BackupEngineOptions;
  const uint32_t naming = options.share_files_with_checksum_naming;
  const uint32_t kind = naming & Options::kMaskNoNamingFlags;
  const uint32_t flags = naming & Options::kMaskNamingFlags;
  if ((kind != Options::kLegacyCrc32cAndFileSize &&
       kind != Options::kUseDbSessionId) ||
      (flags & ~uint32_t{Options::kFlagIncludeFileSize}) != 0) {
    return Status::InvalidArgument("share_files_with_checksum_naming");
  }
  return Status::OK();
}

Status BackupCore::Open(bool read_only) {
  if (read_only && options_.destroy_old_data) {
    return Status::NotSupported(
        "destroy_old_data with an engine that only reads");
  }
  options_.Dump(options_.info_log);
  WriteLock lock(&mu_);
  if (read_only) {
    return directory_.Open(nullptr, options_.max_valid_backups_to_open);
  }
  const bool by_name =
      options_.share_table_files && !options_.share_files_with_checksum;
  RETURN_IF_ERROR(directory_.Open(
      by_name ? kSharedFolder : kSharedChecksumFolder, INT_MAX));
  return options_.destroy_old_data ? PurgeLocked(0) : Status::OK();
}

Status BackupCore::InfoOf(BackupID id, BackupInfo* info, bool details) const {
  const BackupMeta* meta = nullptr;
  RETURN_IF_ERROR(directory_.Find(id, &meta));
  const auto excluded =
      std::count_if(meta->files.begin(), meta->files.end(),
                    [](const BackupFile& file) { return file.excluded; });
  const auto held = static_cast<ptrdiff_t>(meta->files.size()) - excluded;
  *info = BackupInfo(id, meta->timestamp, meta->TotalBytes(),
                     static_cast<uint32_t>(held), meta->app_metadata);
  if (!details) return Status::OK();
  info->name_for_open = directory_.PathOf(PrivateFolder(id));
  info->env_for_open = NewBackupEnv(directory_.shared_fs(), directory_.path(),
                                    info->name_for_open, *meta);
  for (const BackupFile& file : meta->files) {
    if (file.excluded) {
      info->excluded_files.emplace_back(file.path);
      continue;
    }
    BackupFileInfo& described = info->file_details.emplace_back();
    described.relative_filename = file.path;
    described.directory = info->name_for_open;
    described.size = file.size.value_or(0);
    described.temperature = file.temperature;
    ParsedFileName parsed;
    if (ParseFileName(OriginalName(file.path), &parsed)) {
      described.file_number = parsed.number;
      described.file_type = parsed.type;
    }
  }
  return Status::OK();
}

void BackupCore::AllInfos(std::vector<BackupInfo>* infos, bool details) const {
  ReadLock lock(&mu_);
  infos->clear();
  for (const auto& [id, backup] : directory_.backups()) {
    if (!backup.damage.ok()) continue;
    BackupInfo info;
    if (InfoOf(id, &info, details).ok()) infos->push_back(std::move(info));
  }
}

void BackupCore::Damaged(std::vector<BackupID>* ids) const {
  ReadLock lock(&mu_);
  ids->clear();
  for (const auto& [id, backup] : directory_.backups()) {
    if (!backup.damage.ok()) ids->push_back(id);
  }
}

FileCopyRun BackupCore::RunFor(FileSystem* target, RateLimiter* limiter) const {
  FileCopyRun run;
  run.target_fs = target;
  run.sync = options_.sync;
  run.threads = options_.max_background_operations;
  if (options_.io_buffer_size > 0) {
    constexpr uint64_t kBufferBytesMax = uint64_t{64} << 20;
    run.buffer_bytes = std::min(options_.io_buffer_size, kBufferBytesMax);
  }
  run.rate_limiter = limiter;
  return run;
}

Status BackupCore::RestoreLocked(const RestoreOptions& options,
                                 const BackupAlternates& alternates,
                                 BackupID id, const std::string& db_dir,
                                 const std::string& wal_dir) const {
  BackupRestorer::Deps deps;
  deps.directory = &directory_;
  deps.run = RunFor(db_env_->GetFileSystem().get(), restore_limiter_.get());
  deps.alternates = &alternates;
  return BackupRestorer(deps, options, db_dir, wal_dir).Restore(id);
}

Status BackupCore::Restore(const RestoreOptions& options, BackupID id,
                           const std::string& db_dir,
                           const std::string& wal_dir) const {
  BackupAlternates alternates;
  // Another engine is asked without the lock of this one.
  if (ExcludesFiles(id)) alternates = ListAlternates(options);
  ReadLock lock(&mu_);
  return RestoreLocked(options, alternates, id, db_dir, wal_dir);
}

bool BackupCore::ExcludesFiles(BackupID id) const {
  ReadLock lock(&mu_);
  const BackupMeta* meta = nullptr;
  return directory_.Find(id, &meta).ok() &&
         std::any_of(meta->files.begin(), meta->files.end(),
                     [](const BackupFile& file) { return file.excluded; });
}

Status BackupCore::RestoreLatest(const RestoreOptions& options,
                                 const std::string& db_dir,
                                 const std::string& wal_dir) const {
  const auto latest = [this] {
    ReadLock lock(&mu_);
    return directory_.Latest();
  };
  for (BackupID id = latest();;) {
    const Status status = Restore(options, id, db_dir, wal_dir);
    // Deleted before Restore() had the lock: then another one is the latest.
    const BackupID now = latest();
    if (!status.IsNotFound() || now == id) return status;
    id = now;
  }
}

Status BackupCore::Verify(BackupID id, bool checksums) const {
  ReadLock lock(&mu_);
  const BackupMeta* meta = nullptr;
  RETURN_IF_ERROR(directory_.Find(id, &meta));
  std::vector<FileCopyTask> tasks;
  for (const BackupFile& file : meta->files) {
    if (file.excluded) continue;
    const std::string path = directory_.PathOf(file.path);
    uint64_t size = 0;
    RETURN_IF_ERROR(
        directory_.fs()->GetFileSize(path, IOOptions(), &size, nullptr));
    if (size != file.size) {
      return Status::Corruption(path + ": expected " +
                                std::to_string(file.size.value_or(0)) +
                                " bytes, found " + std::to_string(size));
    }
    FileCopyTask& task = tasks.emplace_back();
    task.source_fs = directory_.fs();
    task.source = path;
    task.size = size;
    task.expected_crc32c = file.crc32c;
  }
  if (!checksums) return Status::OK();
  return RunFileCopies(RunFor(nullptr, nullptr), &tasks);
}

Status BackupCore::Create(const CreateBackupOptions& options, DB* db,
                          const std::string& app_metadata, BackupID* id) {
  WriteLock lock(&mu_);
  if (stop_) return Status::Incomplete("Backup stopped");
  if (directory_.suspects_garbage()) {
    RETURN_IF_ERROR(directory_.RemoveGarbage());
  }
  BackupMaker::Deps deps;
  deps.options = &options_;
  deps.directory = &directory_;
  deps.run = RunFor(directory_.fs(), backup_limiter_.get());
  deps.run.stop = &stop_;
  const DBOptions of_db = db->GetDBOptions();
  const std::unique_ptr<IoGate> gate = NewCopyGate(of_db);
  deps.run.io_pass = BackupPass(gate.get());
  deps.db_fs = db_env_->GetFileSystem().get();
  deps.clock = db_env_->GetSystemClock().get();
  BackupID made = 0;
  // What cannot be removed after a failure is removed by the next call.
  directory_.SuspectGarbage();
  Status status = BackupMaker(deps, options, db).Make(app_metadata, &made);
  if (!status.ok()) {
    Info(options_.info_log, "Backup failed: %s", status.ToString().c_str());
    (void)directory_.RemoveGarbage();
    return status;
  }
  directory_.ClearSuspicion();
  if (id != nullptr) *id = made;
  return Status::OK();
}

Status BackupCore::PurgeLocked(uint32_t keep) {
  std::vector<BackupID> sound;
  for (const auto& [id, backup] : directory_.backups()) {
    if (backup.damage.ok()) sound.push_back(id);
  }
  sound.resize(sound.size() - std::min<size_t>(keep, sound.size()));
  if (sound.empty() && !directory_.suspects_garbage()) return Status::OK();
  return directory_.Remove(sound);
}

Status BackupCore::Purge(uint32_t keep) {
  WriteLock lock(&mu_);
  return PurgeLocked(keep);
}

Status BackupCore::Delete(BackupID id) {
  WriteLock lock(&mu_);
  if (!directory_.backups().contains(id)) {
    return Status::NotFound("Backup not found");
  }
  return directory_.Remove({id});
}

// The functions of BackupEngineReadOnlyBase, for either class below it.
template <typename Base>
class Reading : public Base {
 public:
  Reading(const BackupEngineOptions& options, Env* db_env)
      : core_(options, db_env) {}

  Status Open(bool read_only) { return core_.Open(read_only); }

  Status GetLatestBackupInfo(BackupInfo* info, bool details) const override {
    return core_.LatestInfo(info, details);
  }
  Status GetBackupInfo(BackupID id, BackupInfo* info,
                       bool details) const override {
    return core_.OneInfo(id, info, details);
  }
  void GetBackupInfo(std::vector<BackupInfo>* infos,
                     bool details) const override {
    core_.AllInfos(infos, details);
  }
  void GetCorruptedBackups(std::vector<BackupID>* ids) const override {
    core_.Damaged(ids);
  }
  IOStatus RestoreDBFromBackup(const RestoreOptions& options, BackupID id,
                               const std::string& db_dir,
                               const std::string& wal_dir) const override {
    return ToIo(core_.Restore(options, id, db_dir, wal_dir));
  }
  IOStatus RestoreDBFromLatestBackup(
      const RestoreOptions& options, const std::string& db_dir,
      const std::string& wal_dir) const override {
    return ToIo(core_.RestoreLatest(options, db_dir, wal_dir));
  }
  IOStatus VerifyBackup(BackupID id, bool checksums) const override {
    return ToIo(core_.Verify(id, checksums));
  }

 protected:
  BackupCore core_;
};

using ReadOnlyEngine = Reading<BackupEngineReadOnly>;

class WritableEngine final : public Reading<BackupEngine> {
 public:
  using Reading::Reading;

  IOStatus CreateNewBackupWithMetadata(const CreateBackupOptions& options,
                                       DB* db, const std::string& app_metadata,
                                       BackupID* id) override {
    return ToIo(core_.Create(options, db, app_metadata, id));
  }
  void StopBackup() override { core_.Stop(); }
  IOStatus GarbageCollect() override { return ToIo(core_.CollectGarbage()); }
  IOStatus PurgeOldBackups(uint32_t keep) override {
    return ToIo(core_.Purge(keep));
  }
  IOStatus DeleteBackup(BackupID id) override { return ToIo(core_.Delete(id)); }
};

template <typename Engine, typename Interface>
IOStatus OpenEngine(const BackupEngineOptions& options, Env* db_env,
                    bool read_only, Interface** result) {
  *result = nullptr;
  Status status = CheckOptions(options, db_env);
  if (!status.ok()) return ToIo(std::move(status));
  auto opened = std::make_unique<Engine>(options, db_env);
  status = opened->Open(read_only);
  if (status.ok()) *result = opened.release();
  return ToIo(std::move(status));
}

}  // namespace
}  // namespace engine

void BackupEngineOptions::Dump(Logger* logger) const {
  Info(logger, "Options.backup_dir: %s", backup_dir.c_str());
  Info(logger, "Options.backup_env: %p", static_cast<void*>(backup_env));
  Info(logger, "Options.share_table_files: %d", share_table_files);
  Info(logger, "Options.info_log: %p", static_cast<void*>(info_log));
  Info(logger, "Options.sync: %d", sync);
  Info(logger, "Options.destroy_old_data: %d", destroy_old_data);
  Info(logger, "Options.backup_log_files: %d", backup_log_files);
  Info(logger, "Options.backup_rate_limit: %llu",
       static_cast<unsigned long long>(backup_rate_limit));
  Info(logger, "Options.restore_rate_limit: %llu",
       static_cast<unsigned long long>(restore_rate_limit));
  Info(logger, "Options.max_background_operations: %d",
       max_background_operations);
}

IOStatus BackupEngine::Open(const BackupEngineOptions& options, Env* db_env,
                            BackupEngine** backup_engine_ptr) {
  return engine::OpenEngine<engine::WritableEngine>(
      options, db_env, /*read_only=*/false, backup_engine_ptr);
}

IOStatus BackupEngineReadOnly::Open(const BackupEngineOptions& options,
                                    Env* db_env,
                                    BackupEngineReadOnly** backup_engine_ptr) {
  return engine::OpenEngine<engine::ReadOnlyEngine>(
      options, db_env, /*read_only=*/true, backup_engine_ptr);
}

}  // namespace ROCKSDB_NAMESPACE
