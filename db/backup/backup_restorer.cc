#include "db/backup/backup_restorer.h"

#include <cassert>
#include <set>
#include <utility>

#include "db/backup/backup_layout.h"
#include "db/backup/table_session.h"
#include "db/format/database_lock.h"
#include "db/format/file_names.h"

namespace ROCKSDB_NAMESPACE::engine {

BackupAlternates ListAlternates(const RestoreOptions& restore) {
  BackupAlternates alternates;
  for (const BackupEngineReadOnlyBase* engine : restore.alternate_dirs) {
    if (engine == nullptr) continue;
    std::vector<BackupInfo> infos;
    engine->GetBackupInfo(&infos, /*include_file_details=*/true);
    for (const BackupInfo& info : infos) {
      for (const BackupFileInfo& file : info.file_details) {
        alternates.try_emplace(file.relative_filename, info.env_for_open,
                               info.name_for_open);
      }
    }
  }
  return alternates;
}

BackupRestorer::BackupRestorer(const Deps& deps, const RestoreOptions& restore,
                               const std::string& db_dir,
                               const std::string& wal_dir)
    : deps_(deps),
      restore_(restore),
      fs_(deps.run.target_fs),
      db_dir_(WithoutTrailingSlashes(db_dir)),
      wal_dir_(wal_dir.empty() ? db_dir_ : WithoutTrailingSlashes(wal_dir)) {}

Status BackupRestorer::Restore(BackupID id) {
  const BackupMeta* meta = nullptr;
  RETURN_IF_ERROR(deps_.directory->Find(id, &meta));
  Info(deps_.directory->info_log(), "Restoring backup %u to %s", id,
       db_dir_.c_str());
  RETURN_IF_ERROR(Plan(*meta));
  RETURN_IF_ERROR(MakeDirectories());
  DatabaseLock lock;
  RETURN_IF_ERROR(lock.Take(fs_, db_dir_));
  return Rebuild();
}

Status BackupRestorer::Plan(const BackupMeta& meta) {
  assert(files_.empty());
  std::set<std::string> targets;
  std::string current;
  for (const BackupFile& file : meta.files) {
    Planned planned;
    planned.file = &file;
    planned.name = OriginalName(file.path);
    ParsedFileName parsed;
    if (!ParseFileName(planned.name, &parsed)) {
      return Status::Corruption(deps_.directory->PathOf(file.path),
                                "is no file of a database");
    }
    planned.type = parsed.type;
    planned.source_fs = deps_.directory->fs();
    planned.source = deps_.directory->PathOf(file.path);
    if (planned.type == kCurrentFile) {
      current = planned.source;
      continue;
    }
    const bool log = planned.type == kWalFile;
    planned.target = (log ? wal_dir_ : db_dir_) + "/" + planned.name;
    if (!targets.insert(planned.target).second) {
      return Status::Corruption(planned.source, "is in the backup twice");
    }
    if (file.excluded) RETURN_IF_ERROR(FindExcluded(&planned));
    files_.push_back(std::move(planned));
  }
  if (current.empty()) return Status::Corruption("backup without CURRENT");
  return ReadCurrent(current);
}

Status BackupRestorer::FindExcluded(Planned* planned) const {
  assert(planned->file->excluded);
  const auto found = deps_.alternates->find(planned->file->path);
  if (found == deps_.alternates->end()) {
    return Status::InvalidArgument(
        planned->file->path + " is not in the backup",
        "no directory in alternate_dirs has it");
  }
  const auto& [env, directory] = found->second;
  planned->source_fs = env->GetFileSystem().get();
  planned->source = directory + "/" + planned->name;
  return Status::OK();
}

Status BackupRestorer::ReadCurrent(const std::string& path) {
  assert(current_.empty());
  RETURN_IF_ERROR(ReadFileToString(deps_.directory->fs(), path, &current_));
  for (const Planned& planned : files_) {
    if (current_ == planned.name + "\n") return Status::OK();
  }
  return Status::Corruption(path, "names no file of the backup");
}

// Their own names, too, are on the device before CURRENT is.
Status BackupRestorer::MakeDirectories() {
  for (const std::string& directory : {db_dir_, wal_dir_}) {
    RETURN_IF_ERROR(fs_->CreateDirIfMissing(directory, IOOptions(), nullptr));
    std::string path;
    RETURN_IF_ERROR(
        fs_->GetAbsolutePath(directory, IOOptions(), &path, nullptr));
    RETURN_IF_ERROR(Sync(ParentDirectory(path)));
  }
  return Status::OK();
}

Status BackupRestorer::Sync(const std::string& directory) const {
  return deps_.run.sync ? SyncDirectory(fs_, directory) : Status::OK();
}

// The archive may be missing.
Status BackupRestorer::SyncArchive() const {
  Status synced = Sync(ArchivalDirectory(wal_dir_));
  return IsMissing(synced) ? Status::OK() : synced;
}

Status BackupRestorer::Rebuild() {
  Status gone = fs_->DeleteFile(CurrentFileName(db_dir_), IOOptions(), nullptr);
  if (!gone.ok() && !IsMissing(gone)) return gone;
  RETURN_IF_ERROR(Sync(db_dir_));
  if (restore_.keep_log_files) {
    RETURN_IF_ERROR(MoveArchivedLogs());
  } else {
    RETURN_IF_ERROR(PurgeLogs());
  }
  // What was in the archive is there now, too.
  RETURN_IF_ERROR(FindWhatMayStay());
  RETURN_IF_ERROR(PurgeDb());
  RETURN_IF_ERROR(Copy());
  RETURN_IF_ERROR(Sync(wal_dir_));
  // After wal_dir_: a log that was moved is durable there before it is gone
  // here.
  RETURN_IF_ERROR(SyncArchive());
  RETURN_IF_ERROR(Sync(db_dir_));
  return PutCurrent();
}

Status BackupRestorer::FindWhatMayStay() {
  std::vector<Planned*> to_read;
  for (Planned& planned : files_) {
    uint64_t size = 0;
    const Status status =
        fs_->GetFileSize(planned.target, IOOptions(), &size, nullptr);
    if (IsMissing(status)) continue;
    if (planned.type == kWalFile) {
      // The backup may have only the beginning of a log that is to stay.
      if (restore_.keep_log_files) RETURN_IF_ERROR(status);
      planned.there = restore_.keep_log_files;
      continue;
    }
    if (!status.ok() || size != planned.file->size) continue;
    const bool table = planned.type == kTableFile;
    if (table && restore_.mode == RestoreOptions::kKeepLatestDbSessionIdFiles) {
      planned.there = IsOfItsSession(planned);
    }
    if ((table || planned.type == kBlobFile) && planned.file->crc32c &&
        restore_.mode == RestoreOptions::kVerifyChecksum) {
      to_read.push_back(&planned);
    }
  }
  return CompareChecksums(to_read);
}

// The table there was written by the same session as the backup's.
bool BackupRestorer::IsOfItsSession(const Planned& planned) const {
  const std::string_view session = SessionOf(planned.file->path);
  if (session.empty()) return false;
  const auto found =
      ReadTableSession(fs_, planned.target, planned.file->size.value_or(0));
  return found.ok() && *found == session;
}

Status BackupRestorer::CompareChecksums(const std::vector<Planned*>& of) {
  std::vector<FileCopyTask> tasks;
  for (const Planned* planned : of) {
    FileCopyTask& task = tasks.emplace_back();
    task.source_fs = fs_;
    task.source = planned->target;
    task.size = planned->file->size.value_or(0);
    // A file that cannot be read does not stay.
    task.may_fail = true;
  }
  RETURN_IF_ERROR(RunFileCopies(deps_.run, &tasks));
  assert(tasks.size() == of.size());
  for (size_t i = 0; i < of.size(); ++i) {
    const FileCopyTask& task = tasks[i];
    of[i]->there = task.status.ok() && task.crc32c == of[i]->file->crc32c;
    if (task.status.ok()) continue;
    Warn(deps_.directory->info_log(), "%s is replaced: %s", task.source.c_str(),
         task.status.ToString().c_str());
  }
  return Status::OK();
}

Status BackupRestorer::PurgeDb() const {
  std::set<std::string> stay;
  for (const Planned& planned : files_) {
    if (planned.there) stay.insert(planned.target);
  }
  std::vector<std::string> names;
  RETURN_IF_ERROR(ListIfThere(fs_, db_dir_, &names));
  for (const std::string& name : names) {
    const std::string path = db_dir_ + "/" + name;
    ParsedFileName parsed;
    if (!ParseFileName(name, &parsed) || parsed.type == kDBLockFile ||
        parsed.type == kWalFile || stay.contains(path)) {
      continue;
    }
    RETURN_IF_ERROR(fs_->DeleteFile(path, IOOptions(), nullptr));
  }
  return Status::OK();
}

Status BackupRestorer::PurgeLogs() const {
  // A database that had its logs elsewhere may have some here all the same.
  for (const std::string& directory :
       {db_dir_, wal_dir_, ArchivalDirectory(wal_dir_)}) {
    std::vector<std::string> names;
    RETURN_IF_ERROR(ListIfThere(fs_, directory, &names));
    const std::string prefix = directory + "/";
    for (const std::string& name : names) {
      ParsedFileName parsed;
      if (!ParseFileName(name, &parsed) || parsed.type != kWalFile) continue;
      Status status = fs_->DeleteFile(prefix + name, IOOptions(), nullptr);
      // The same directory may have two names.
      if (!status.ok() && !IsMissing(status)) return status;
    }
  }
  return Status::OK();
}

Status BackupRestorer::MoveArchivedLogs() const {
  const std::string archive = ArchivalDirectory(wal_dir_);
  const std::string from = archive + "/";
  const std::string to = wal_dir_ + "/";
  std::vector<std::string> names;
  RETURN_IF_ERROR(ListIfThere(fs_, archive, &names));
  for (const std::string& name : names) {
    ParsedFileName parsed;
    if (!ParseFileName(name, &parsed) || parsed.type != kWalFile) continue;
    RETURN_IF_ERROR(
        fs_->RenameFile(from + name, to + name, IOOptions(), nullptr));
  }
  return Status::OK();
}

Status BackupRestorer::Copy() {
  std::vector<FileCopyTask> tasks;
  for (const Planned& planned : files_) {
    if (planned.there) continue;
    FileCopyTask& task = tasks.emplace_back();
    task.source_fs = planned.source_fs;
    task.source = planned.source;
    task.size = planned.file->size.value_or(UINT64_MAX);
    task.target = planned.target;
    task.temperature = planned.file->temperature;
    task.expected_crc32c = planned.file->crc32c;
  }
  return RunFileCopies(deps_.run, &tasks);
}

Status BackupRestorer::PutCurrent() {
  const std::string staging = TempFileName(db_dir_, 0);
  RETURN_IF_ERROR(WriteFileSynced(fs_, staging, current_));
  RETURN_IF_ERROR(
      fs_->RenameFile(staging, CurrentFileName(db_dir_), IOOptions(), nullptr));
  return Sync(db_dir_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
