#include "db/backup/backup_directory.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

#include "db/backup/backup_layout.h"
#include "db/format/file_names.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Whether a shared file of this name may be ours to delete.
bool IsBackupFileName(const std::string& path) {
  ParsedFileName parsed;
  return ParseFileName(OriginalName(path), &parsed) &&
         (parsed.type == kTableFile || parsed.type == kBlobFile);
}

}  // namespace

Status BackupDirectory::Open(const char* shared_folder, int sound_max) {
  std::string absolute;
  RETURN_IF_ERROR(fs_->GetAbsolutePath(path_, IOOptions(), &absolute, nullptr));
  path_ = WithoutTrailingSlashes(std::move(absolute));
  if (shared_folder != nullptr) RETURN_IF_ERROR(Make(shared_folder));
  return Load(sound_max);
}

Status BackupDirectory::Make(const char* shared_folder) {
  RETURN_IF_ERROR(fs_->CreateDirIfMissing(path_, IOOptions(), nullptr));
  for (const std::string folder :
       {shared_folder, kPrivateFolder, kMetaFolder}) {
    RETURN_IF_ERROR(
        fs_->CreateDirIfMissing(PathOf(folder), IOOptions(), nullptr));
  }
  if (!sync_) return Status::OK();
  RETURN_IF_ERROR(SyncDirectory(fs_.get(), path_));
  return SyncDirectory(fs_.get(), ParentDirectory(path_));
}

Status BackupDirectory::ListFolder(const std::string& folder,
                                   std::vector<std::string>* names) const {
  return ListIfThere(fs_.get(), PathOf(folder), names);
}

Status BackupDirectory::SizesIn(const std::string& folder, Sizes* sizes) const {
  std::vector<FileAttributes> files;
  const Status status = fs_->GetChildrenFileAttributes(
      PathOf(folder), IOOptions(), &files, nullptr);
  if (IsMissing(status)) return Status::OK();
  RETURN_IF_ERROR(status);
  for (const FileAttributes& file : files) {
    (*sizes)[folder + "/" + file.name] = file.size_bytes;
  }
  return Status::OK();
}

Status BackupDirectory::LoadOne(BackupID id, const Sizes& shared,
                                Backup* backup) const {
  assert(id != 0 && backup->meta.files.empty());
  const std::string name = PathOf(MetaPath(id));
  std::string text;
  RETURN_IF_ERROR(ReadFileToString(fs_.get(), name, &text));
  auto meta = DecodeBackupMeta(text, id, name);
  if (!meta.ok()) {
    backup->damage = meta.status();
    return Status::OK();
  }
  backup->meta = *std::move(meta);
  Sizes own;
  RETURN_IF_ERROR(SizesIn(PrivateFolder(id), &own));
  for (BackupFile& file : backup->meta.files) {
    if (file.excluded) continue;
    const Sizes& sizes = IsShared(file.path) ? shared : own;
    const auto found = sizes.find(file.path);
    if (found == sizes.end()) {
      backup->damage = Status::Corruption(
          PathOf(file.path) + ": named by backup " + std::to_string(id),
          "is missing");
      return Status::OK();
    }
    if (file.size.value_or(found->second) != found->second) {
      backup->damage = Status::Corruption(
          PathOf(file.path) + ": expected " + std::to_string(*file.size) +
          " bytes, found " + std::to_string(found->second));
      return Status::OK();
    }
    file.size = found->second;
  }
  return Status::OK();
}

Status BackupDirectory::Load(int sound_max) {
  backups_.clear();
  std::vector<std::string> names;
  const Status listed =
      fs_->GetChildren(PathOf(kMetaFolder), IOOptions(), &names, nullptr);
  if (IsMissing(listed)) {
    return Status::NotFound(PathOf(kMetaFolder) + " is missing");
  }
  RETURN_IF_ERROR(listed);
  std::vector<BackupID> ids;
  for (const std::string& name : names) {
    if (const auto id = ParseBackupId(name)) ids.push_back(*id);
  }
  std::sort(ids.rbegin(), ids.rend());
  if (!ids.empty()) last_id_ = ids.front();
  Sizes shared;
  RETURN_IF_ERROR(SizesIn(kSharedFolder, &shared));
  RETURN_IF_ERROR(SizesIn(kSharedChecksumFolder, &shared));
  int sound = 0;
  for (const BackupID id : ids) {
    if (sound >= sound_max) break;
    Backup& backup = backups_[id];
    RETURN_IF_ERROR(LoadOne(id, shared, &backup));
    if (backup.damage.ok()) ++sound;
    assert(id <= last_id_);
    Info(info_log_, "Loading backup %u: %s, %zu files", id,
         backup.damage.ToString().c_str(), backup.meta.files.size());
  }
  return Status::OK();
}

Status BackupDirectory::Find(BackupID id, const BackupMeta** meta) const {
  const auto found = backups_.find(id);
  if (found == backups_.end()) return Status::NotFound("Backup not found");
  RETURN_IF_ERROR(found->second.damage);
  *meta = &found->second.meta;
  return Status::OK();
}

BackupID BackupDirectory::Latest() const {
  const auto found =
      std::find_if(backups_.rbegin(), backups_.rend(),
                   [](const auto& entry) { return entry.second.damage.ok(); });
  return found == backups_.rend() ? 0 : found->first;
}

std::unordered_map<std::string, BackupFile> BackupDirectory::SharedFiles()
    const {
  std::unordered_map<std::string, BackupFile> files;
  for (const auto& [id, backup] : backups_) {
    if (!backup.damage.ok()) continue;
    for (const BackupFile& file : backup.meta.files) {
      if (IsShared(file.path) && !file.excluded) files[file.path] = file;
    }
  }
  return files;
}

Status BackupDirectory::SyncFolder(const std::string& folder) const {
  return sync_ ? SyncDirectory(fs_.get(), PathOf(folder)) : Status::OK();
}

Status BackupDirectory::Publish(BackupID id, const BackupMeta& meta,
                                int schema_version) {
  const auto has = [&meta](std::string_view folder) {
    return std::any_of(
        meta.files.begin(), meta.files.end(), [&](const BackupFile& file) {
          return !file.excluded &&
                 file.path.substr(0, file.path.find('/')) == folder;
        });
  };
  for (const char* folder : {kSharedFolder, kSharedChecksumFolder}) {
    if (has(folder)) RETURN_IF_ERROR(SyncFolder(folder));
  }
  RETURN_IF_ERROR(SyncFolder(PrivateFolder(id)));
  RETURN_IF_ERROR(SyncFolder(kPrivateFolder));
  const std::string staging = PathOf(MetaStagingPath(id));
  RETURN_IF_ERROR(WriteFileSynced(fs_.get(), staging,
                                  EncodeBackupMeta(meta, schema_version)));
  RETURN_IF_ERROR(
      fs_->RenameFile(staging, PathOf(MetaPath(id)), IOOptions(), nullptr));
  return SyncFolder(kMetaFolder);
}

Status BackupDirectory::Add(BackupID id, BackupMeta meta, int schema_version) {
  assert(id != 0 && !backups_.contains(id));
  last_id_ = std::max(last_id_, id);
  // After an error the description may be there; it is garbage then.
  RETURN_IF_ERROR(Publish(id, meta, schema_version));
  backups_[id].meta = std::move(meta);
  return Status::OK();
}

Status BackupDirectory::Remove(const std::vector<BackupID>& ids) {
  garbage_ = true;
  for (const BackupID id : ids) {
    assert(backups_.contains(id));
    const Status status =
        fs_->DeleteFile(PathOf(MetaPath(id)), IOOptions(), nullptr);
    if (!status.ok() && !IsMissing(status)) return status;
    backups_.erase(id);
    Info(info_log_, "Deleted backup %u", id);
  }
  return RemoveGarbage();
}

Status BackupDirectory::RemoveGarbage() {
  // (1) Nothing else is deleted unless this succeeds.
  RETURN_IF_ERROR(RemoveMetaGarbage());
  RETURN_IF_ERROR(RemovePrivateGarbage());
  RETURN_IF_ERROR(RemoveSharedGarbage(kSharedFolder));
  RETURN_IF_ERROR(RemoveSharedGarbage(kSharedChecksumFolder));
  garbage_ = false;
  return Status::OK();
}

Status BackupDirectory::RemoveMetaGarbage() {
  std::vector<std::string> names;
  RETURN_IF_ERROR(ListFolder(kMetaFolder, &names));
  for (const std::string& name : names) {
    const auto id = ParseBackupId(name);
    // Add() can fail after the rename.
    const bool unknown = id && !backups_.contains(*id);
    if (!unknown && !IsStagingName(name)) continue;
    RETURN_IF_ERROR(fs_->DeleteFile(PathOf(kMetaFolder) + "/" + name,
                                    IOOptions(), nullptr));
    Info(info_log_, "Deleted %s/%s, which is no backup", kMetaFolder,
         name.c_str());
  }
  // An earlier deletion may not be durable yet: an error or a killed process
  // ended it before the sync.
  return SyncFolder(kMetaFolder);
}

Status BackupDirectory::RemovePrivateGarbage() {
  std::vector<std::string> folders;
  RETURN_IF_ERROR(ListFolder(kPrivateFolder, &folders));
  for (const std::string& folder : folders) {
    // "7", or "7.tmp" of old releases.
    const auto id = ParseBackupId(folder.substr(0, folder.find(".tmp")));
    const bool staging = folder.ends_with(".tmp");
    if (!id || (!staging && backups_.contains(*id))) continue;
    const std::string path = std::string(kPrivateFolder) + "/" + folder;
    std::vector<std::string> files;
    RETURN_IF_ERROR(ListFolder(path, &files));
    for (const std::string& file : files) {
      RETURN_IF_ERROR(
          fs_->DeleteFile(PathOf(path) + "/" + file, IOOptions(), nullptr));
    }
    RETURN_IF_ERROR(fs_->DeleteDir(PathOf(path), IOOptions(), nullptr));
  }
  return Status::OK();
}

Status BackupDirectory::RemoveSharedGarbage(const char* folder) {
  std::unordered_set<std::string> named;
  for (const auto& [id, backup] : backups_) {
    // (2) What cannot be read may name any of them.
    if (!backup.damage.ok() && backup.meta.files.empty()) return Status::OK();
    for (const BackupFile& file : backup.meta.files) named.insert(file.path);
  }
  std::vector<std::string> names;
  RETURN_IF_ERROR(ListFolder(folder, &names));
  for (const std::string& name : names) {
    const std::string path = std::string(folder) + "/" + name;
    if (named.contains(path)) continue;
    if (!IsStagingName(name) && !IsBackupFileName(path)) continue;
    RETURN_IF_ERROR(fs_->DeleteFile(PathOf(path), IOOptions(), nullptr));
    Info(info_log_, "Deleted %s, which no backup has", path.c_str());
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
