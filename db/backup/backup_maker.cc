#include "db/backup/backup_maker.h"

#include <cassert>
#include <optional>
#include <set>
#include <utility>

#include "db/backup/backup_layout.h"
#include "db/backup/table_session.h"
#include "db/checkpoint/deletions_off.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Naming = BackupEngineOptions::ShareFilesNaming;

// The database's own checksum of the file, if it is of the kind we need.
std::optional<uint32_t> ChecksumKnown(const LiveFileStorageInfo& live) {
  if (live.file_checksum_func_name != kDbFileChecksumFuncName ||
      live.file_checksum.size() != sizeof(uint32_t)) {
    return std::nullopt;
  }
  uint32_t crc32c = 0;
  for (const char byte : live.file_checksum) {
    crc32c = crc32c << 8 | static_cast<unsigned char>(byte);
  }
  return crc32c;
}

// Tables of one directory: a restored database has only one.
Status CheckOneDirectory(const std::vector<LiveFileStorageInfo>& files) {
  std::set<std::string> directories;
  for (const LiveFileStorageInfo& file : files) {
    if (file.file_type != kWalFile) directories.insert(file.directory);
  }
  if (directories.size() <= 1) return Status::OK();
  return Status::NotSupported(
      "Backup of a database whose files are in several directories",
      *directories.rbegin());
}

}  // namespace

Status BackupMaker::Make(const std::string& app_metadata, BackupID* id) {
  id_ = deps_.directory->NextId();
  if (id_ == 0) return Status::Aborted("no numbers left for backups");
  Info(deps_.options->info_log, "Creating backup %u", id_);
  BackupMeta meta;
  meta.app_metadata = app_metadata;
  RETURN_IF_ERROR(deps_.clock->GetCurrentTime(&meta.timestamp));
  {
    const DeletionsOff deletions_off(db_);
    RETURN_IF_ERROR(deletions_off.status());
    RETURN_IF_ERROR(ListFiles());
    RETURN_IF_ERROR(NameFiles());
    RETURN_IF_ERROR(AskForExclusions());
    RETURN_IF_ERROR(Copy());
    if (*deps_.run.stop) return Status::Incomplete("Backup stopped");
  }
  meta.sequence = sequence_;
  for (Planned& planned : files_) {
    assert(planned.file.excluded || planned.file.crc32c || planned.there);
    meta.files.push_back(std::move(planned.file));
  }
  RETURN_IF_ERROR(deps_.directory->Add(id_, std::move(meta),
                                       deps_.options->schema_version));
  Info(deps_.options->info_log, "Backup %u is done, %zu files", id_,
       files_.size());
  *id = id_;
  return Status::OK();
}

Status BackupMaker::ListFiles() {
  assert(files_.empty());
  sequence_ = db_->GetLatestSequenceNumber();
  LiveFilesStorageInfoOptions options;
  options.include_checksum_info = true;
  options.wal_size_for_flush = create_.flush_before_backup ? 0 : UINT64_MAX;
  options.atomic_flush = create_.atomic_flush;
  std::vector<LiveFileStorageInfo> live;
  RETURN_IF_ERROR(db_->GetLiveFilesStorageInfo(options, &live));
  RETURN_IF_ERROR(CheckOneDirectory(live));
  for (LiveFileStorageInfo& file : live) {
    if (file.file_type == kWalFile && !deps_.options->backup_log_files) {
      continue;
    }
    Planned planned;
    planned.source = file.directory + "/" + file.relative_filename;
    planned.file.temperature = file.temperature;
    planned.file.size = file.size;
    planned.shared =
        deps_.options->share_table_files &&
        (file.file_type == kTableFile || file.file_type == kBlobFile);
    planned.live = std::move(file);
    files_.push_back(std::move(planned));
  }
  return Status::OK();
}

// Without reading the file, if possible; else the path stays empty.
Status BackupMaker::NameByMeaning(Planned* planned) {
  assert(planned->file.path.empty());
  const std::string& name = planned->live.relative_filename;
  if (!planned->shared) {
    planned->file.path = PrivateFolder(id_) + "/" + name;
    return Status::OK();
  }
  planned->file.crc32c = ChecksumKnown(planned->live);
  if (!deps_.options->share_files_with_checksum) {
    planned->file.path = std::string(kSharedFolder) + "/" + name;
    return Status::OK();
  }
  const Naming naming = deps_.options->share_files_with_checksum_naming;
  if ((naming & BackupEngineOptions::kMaskNoNamingFlags) !=
          BackupEngineOptions::kUseDbSessionId ||
      planned->live.file_type != kTableFile) {
    return Status::OK();
  }
  const auto session =
      ReadTableSession(deps_.db_fs, planned->source, planned->live.size);
  if (!session.ok()) return session.status();
  if (session->empty()) return Status::OK();
  std::optional<uint64_t> size;
  if ((naming & BackupEngineOptions::kFlagIncludeFileSize) != 0) {
    size = planned->live.size;
  }
  planned->file.path = SessionPath(name, *session, size);
  return Status::OK();
}

Status BackupMaker::NameFiles() {
  std::vector<Planned*> unnamed;
  for (Planned& planned : files_) {
    RETURN_IF_ERROR(NameByMeaning(&planned));
    if (planned.file.path.empty()) unnamed.push_back(&planned);
  }
  RETURN_IF_ERROR(FindChecksums(unnamed));
  for (Planned* planned : unnamed) {
    planned->file.path =
        ChecksumPath(planned->live.relative_filename,
                     planned->file.crc32c.value_or(0), planned->live.size);
  }
  assert(std::none_of(files_.begin(), files_.end(), [](const Planned& planned) {
    return planned.file.path.empty();
  }));
  return FindShared();
}

// Reads those whose checksum is not known.
Status BackupMaker::FindChecksums(const std::vector<Planned*>& of) {
  std::vector<FileCopyTask> tasks;
  std::vector<Planned*> read;
  for (Planned* planned : of) {
    if (planned->file.crc32c) continue;
    FileCopyTask& task = tasks.emplace_back();
    task.source_fs = deps_.db_fs;
    task.source = planned->source;
    task.size = planned->live.size;
    read.push_back(planned);
  }
  RETURN_IF_ERROR(RunFileCopies(deps_.run, &tasks));
  for (size_t i = 0; i < read.size(); ++i) {
    read[i]->file.crc32c = tasks[i].crc32c;
  }
  return Status::OK();
}

// Which of the shared files are there, known by a sound backup.
Status BackupMaker::FindShared() {
  const auto known = deps_.directory->SharedFiles();
  std::vector<Planned*> to_compare;
  for (Planned& planned : files_) {
    const auto found = known.find(planned.file.path);
    // By its number alone it may be another file.
    if (found != known.end() && !deps_.options->share_files_with_checksum) {
      to_compare.push_back(&planned);
    }
  }
  RETURN_IF_ERROR(FindChecksums(to_compare));
  for (Planned& planned : files_) {
    const auto found = known.find(planned.file.path);
    if (found == known.end()) continue;
    RETURN_IF_ERROR(FindOne(found->second, &planned));
  }
  return Status::OK();
}

Status BackupMaker::FindOne(const BackupFile& known, Planned* planned) const {
  assert(known.path == planned->file.path);
  BackupFile& file = planned->file;
  const bool other_size = known.size != file.size;
  const bool other_checksum =
      known.crc32c && file.crc32c && *known.crc32c != *file.crc32c;
  if (other_size || other_checksum) {
    return Status::Corruption(
        deps_.directory->PathOf(file.path) + ": of an earlier backup",
        "is not the same as " + planned->source);
  }
  // What the description says of it must be true of the copy, too.
  if (known.crc32c) file.crc32c = known.crc32c;
  uint64_t size = 0;
  const Status there = deps_.directory->fs()->GetFileSize(
      deps_.directory->PathOf(file.path), IOOptions(), &size, nullptr);
  planned->there = there.ok() && size == file.size;
  return Status::OK();
}

Status BackupMaker::AskForExclusions() {
  if (!create_.exclude_files_callback) return Status::OK();
  if (deps_.options->schema_version < 2) {
    return Status::InvalidArgument(
        "exclude_files_callback needs schema_version 2");
  }
  std::vector<MaybeExcludeBackupFile> asked;
  std::vector<Planned*> whose;
  for (Planned& planned : files_) {
    if (!planned.shared || planned.there) continue;
    asked.emplace_back(BackupExcludedFileInfo(planned.file.path));
    whose.push_back(&planned);
  }
  if (asked.empty()) return Status::OK();
  try {
    create_.exclude_files_callback(asked.data(), asked.data() + asked.size());
  } catch (...) {
    return Status::Aborted("exclude_files_callback has thrown");
  }
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!asked[i].exclude_decision) continue;
    whose[i]->file.excluded = true;
    whose[i]->there = true;
  }
  return Status::OK();
}

FileCopyTask BackupMaker::TaskFor(const Planned& planned) const {
  assert(!planned.there && !planned.file.path.empty());
  FileCopyTask task;
  if (planned.live.replacement_contents.empty()) {
    task.source_fs = deps_.db_fs;
    task.source = planned.source;
    task.size = planned.live.size;
  } else {
    task.contents = planned.live.replacement_contents;
  }
  const BackupDirectory& directory = *deps_.directory;
  task.target = directory.PathOf(planned.file.path);
  if (planned.shared) {
    task.staging = directory.PathOf(StagingPath(planned.file.path));
  }
  task.temperature = planned.file.temperature;
  task.prefer_source_temperature =
      deps_.options->current_temperatures_override_manifest;
  task.expected_crc32c = planned.file.crc32c;
  return task;
}

Status BackupMaker::Copy() {
  const BackupDirectory& directory = *deps_.directory;
  RETURN_IF_ERROR(directory.fs()->CreateDir(
      directory.PathOf(PrivateFolder(id_)), IOOptions(), nullptr));
  std::vector<FileCopyTask> tasks;
  std::vector<Planned*> copied;
  for (Planned& planned : files_) {
    if (planned.there) continue;
    tasks.push_back(TaskFor(planned));
    copied.push_back(&planned);
  }
  FileCopyRun run = deps_.run;
  run.on_progress = create_.progress_callback;
  run.progress_bytes = deps_.options->callback_trigger_interval_size;
  RETURN_IF_ERROR(RunFileCopies(run, &tasks));
  assert(tasks.size() == copied.size());
  for (size_t i = 0; i < copied.size(); ++i) {
    copied[i]->file.crc32c = tasks[i].crc32c;
    copied[i]->file.size = tasks[i].bytes;
    copied[i]->file.temperature = tasks[i].temperature;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
