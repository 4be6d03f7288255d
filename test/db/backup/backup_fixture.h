// A database in memory with a backup directory next to it.

#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/backup_engine.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE::test {

// Opens what was restored, with all families.
inline std::map<std::string, FileRows> RowsIn(const Options& options,
                                              const std::string& dir) {
  std::map<std::string, FileRows> rows;
  Options existing = options;
  existing.create_if_missing = false;
  std::vector<std::string> names;
  const Status listed = DB::ListColumnFamilies(existing, dir, &names);
  EXPECT_TRUE(listed.ok()) << listed.ToString();
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, existing);
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
  const Status status = DB::Open(existing, dir, families, &handles, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  for (ColumnFamilyHandle* handle : handles) {
    rows[handle->GetName()] = RowsOf(db.get(), handle);
    EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
  return rows;
}

class BackupTest : public FilesTest {
 protected:
  BackupTest() {
    // What is in logs stays there, so that logs are part of backups.
    options_.avoid_flush_during_shutdown = true;
  }

  void OpenEngine() {
    engine_.reset();
    BackupEngine* engine = nullptr;
    const Status status = BackupEngine::Open(backup_, env_.get(), &engine);
    ASSERT_TRUE(status.ok()) << status.ToString();
    engine_.reset(engine);
  }
  std::unique_ptr<BackupEngineReadOnly> OpenReadOnly() {
    BackupEngineReadOnly* engine = nullptr;
    const Status status =
        BackupEngineReadOnly::Open(backup_, env_.get(), &engine);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return std::unique_ptr<BackupEngineReadOnly>(engine);
  }
  BackupID Backup(const CreateBackupOptions& options = CreateBackupOptions()) {
    BackupID id = 0;
    const Status status = engine_->CreateNewBackup(options, db_.get(), &id);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return id;
  }
  // Backup 1: {"a", "1"} in one table.
  void BackUpOneTable() {
    Open();
    OpenEngine();
    Put("a", "1");
    Flush();
    Backup();
  }
  // Into /restored.
  Status Restore(BackupID id,
                 const RestoreOptions& options = RestoreOptions()) {
    return engine_->RestoreDBFromBackup(options, id, kRestored, kRestored);
  }
  FileRows Restored(const std::string& family = kDefaultColumnFamilyName) {
    return RowsIn(options_, kRestored)[family];
  }
  FileRows RowsOfBackup(BackupID id) {
    const Status status = Restore(id);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return Restored();
  }
  // "shared_checksum/...", "private/1/...", "meta/1", sorted.
  std::vector<std::string> BackupFiles() {
    std::vector<std::string> files;
    for (const char* folder : {"meta", "shared", "shared_checksum"}) {
      AddFiles(folder, &files);
    }
    std::vector<std::string> ids;
    (void)env_->GetChildren(backup_.backup_dir + "/private", &ids);
    for (const std::string& id : ids) AddFiles("private/" + id, &files);
    std::sort(files.begin(), files.end());
    return files;
  }
  std::vector<std::string> BackupFiles(const std::string& part) {
    std::vector<std::string> files = BackupFiles();
    std::erase_if(files, [&](const std::string& file) {
      return file.find(part) == std::string::npos;
    });
    return files;
  }
  std::vector<BackupID> Damaged() {
    std::vector<BackupID> ids;
    engine_->GetCorruptedBackups(&ids);
    return ids;
  }
  std::string PathOf(const std::string& relative) {
    return backup_.backup_dir + "/" + relative;
  }

  static constexpr const char* kRestored = "/restored";
  BackupEngineOptions backup_{"/backup"};
  std::unique_ptr<BackupEngine> engine_;

 private:
  void AddFiles(const std::string& folder, std::vector<std::string>* files) {
    std::vector<std::string> names;
    (void)env_->GetChildren(PathOf(folder), &names);
    for (const std::string& name : names) files->push_back(folder + "/" + name);
  }
};

}  // namespace ROCKSDB_NAMESPACE::test
