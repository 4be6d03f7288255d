// BackupDirectory: which backups there are, and how one comes and goes.
//
// Place. The state of one backup engine. Making and restoring backups
// (backup_maker.h, backup_restorer.h) look here and hand over what is done.
//
// Model. Everything is found by reading the directory once. A backup is sound
// when its description can be read and all of its files have their sizes;
// otherwise it is damaged, and is only there to be reported and removed.
// Garbage is what no description names, and a description whose backup could
// not be added.
//
// Invariants:
//   (1) A description is renamed into place after everything it names is
//       there, and removed before anything it names. With `sync`, "after" and
//       "before" hold on the device.
//   (2) While a description cannot be read, no shared file counts as garbage.
//
// Threads. Any number of readers, or one that changes it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "db/backup/backup_meta.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

class BackupDirectory {
 public:
  struct Backup {
    BackupMeta meta;  // Of a damaged one: as far as it could be read.
    Status damage;    // OK: sound.
  };

  BackupDirectory(std::shared_ptr<FileSystem> fs, std::string path, bool sync,
                  Logger* info_log)
      : fs_(std::move(fs)),
        path_(std::move(path)),
        sync_(sync),
        info_log_(info_log) {}

  // Reads all; of the sound ones at most the newest `sound_max`. Makes what is
  // missing, `shared_folder` included, unless that is null.
  // Errors: NotFound when it is no backup directory; those of files.
  Status Open(const char* shared_folder, int sound_max);

  FileSystem* fs() const { return fs_.get(); }
  const std::shared_ptr<FileSystem>& shared_fs() const { return fs_; }
  bool sync() const { return sync_; }
  Logger* info_log() const { return info_log_; }
  const std::string& path() const { return path_; }
  std::string PathOf(const std::string& relative) const {
    return path_ + "/" + relative;
  }

  const std::map<BackupID, Backup>& backups() const { return backups_; }
  // Errors: NotFound; the damage.
  Status Find(BackupID id, const BackupMeta** meta) const;
  // The newest sound one; 0: none.
  BackupID Latest() const;
  BackupID NextId() const { return last_id_ + 1; }
  // Of all sound backups, by path.
  std::unordered_map<std::string, BackupFile> SharedFiles() const;

  // Makes the backup exist. The files are there; their names need not be
  // durable. After an error call RemoveGarbage().
  Status Add(BackupID id, BackupMeta meta, int schema_version);
  // Removes backups with what only they have.
  Status Remove(const std::vector<BackupID>& ids);
  // Requires: Open() read all descriptions; the others are garbage.
  Status RemoveGarbage();
  // Whether something may have been left behind.
  void SuspectGarbage() { garbage_ = true; }
  void ClearSuspicion() { garbage_ = false; }
  bool suspects_garbage() const { return garbage_; }

 private:
  using Sizes = std::unordered_map<std::string, uint64_t>;

  Status Make(const char* shared_folder);
  Status Load(int sound_max);
  Status ListFolder(const std::string& folder,
                    std::vector<std::string>* names) const;
  Status SizesIn(const std::string& folder, Sizes* sizes) const;
  Status LoadOne(BackupID id, const Sizes& shared, Backup* backup) const;
  Status Publish(BackupID id, const BackupMeta& meta, int schema_version);
  Status SyncFolder(const std::string& folder) const;
  Status RemoveMetaGarbage();
  Status RemovePrivateGarbage();
  Status RemoveSharedGarbage(const char* folder);

  const std::shared_ptr<FileSystem> fs_;
  std::string path_;
  const bool sync_;
  Logger* const info_log_;
  std::map<BackupID, Backup> backups_;
  BackupID last_id_ = 0;  // The highest that was ever given, as far as known.
  bool garbage_ = true;
};

}  // namespace ROCKSDB_NAMESPACE::engine
