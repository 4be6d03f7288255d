// Restores of backups whose files are partly in another directory, and what
// happens to the engine while it asks for them.

#include <functional>
#include <utility>

#include "test/db/backup/backup_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::FileRows;

// Another engine, with something that happens whenever it is asked.
class Asked : public BackupEngineReadOnlyBase {
 public:
  Asked(const BackupEngine* engine, std::function<void()> meanwhile)
      : engine_(engine), meanwhile_(std::move(meanwhile)) {}

  int count() const { return count_; }

  void GetBackupInfo(std::vector<BackupInfo>* infos,
                     bool include_file_details) const override {
    ++count_;
    meanwhile_();
    engine_->GetBackupInfo(infos, include_file_details);
  }
  Status GetLatestBackupInfo(BackupInfo*, bool) const override {
    return Status::NotSupported();
  }
  Status GetBackupInfo(BackupID, BackupInfo*, bool) const override {
    return Status::NotSupported();
  }
  void GetCorruptedBackups(std::vector<BackupID>*) const override {}
  IOStatus RestoreDBFromBackup(const RestoreOptions&, BackupID,
                               const std::string&,
                               const std::string&) const override {
    return IOStatus::NotSupported();
  }
  IOStatus RestoreDBFromLatestBackup(const RestoreOptions&, const std::string&,
                                     const std::string&) const override {
    return IOStatus::NotSupported();
  }
  IOStatus VerifyBackup(BackupID, bool) const override {
    return IOStatus::NotSupported();
  }

 private:
  const BackupEngine* const engine_;
  const std::function<void()> meanwhile_;
  mutable int count_ = 0;
};

// Backup 1 is whole; the tables that only backup 2 has are in other_.
class BackupAlternates : public test::BackupTest {
 protected:
  void Make() {
    backup_.schema_version = 2;
    BackUpOneTable();
    Put("b", "2");
    Flush();
    backup_.backup_dir = "/other";
    std::swap(engine_, other_);
    OpenEngine();
    Backup();
    std::swap(engine_, other_);
    CreateBackupOptions partial;
    partial.exclude_files_callback = [](MaybeExcludeBackupFile* begin,
                                        MaybeExcludeBackupFile* end) {
      for (; begin != end; ++begin) begin->exclude_decision = true;
    };
    Backup(partial);
  }
  IOStatus RestoreLatest(const Asked& asked) {
    RestoreOptions options;
    options.alternate_dirs.push_front(const_cast<Asked*>(&asked));
    return engine_->RestoreDBFromLatestBackup(options, kRestored, kRestored);
  }

  std::unique_ptr<BackupEngine> other_;
};

TEST_F(BackupAlternates, AreAskedOnlyWhereFilesWereLeftOut) {
  Make();
  const Asked asked(other_.get(), [] {});
  RestoreOptions options;
  options.alternate_dirs.push_front(const_cast<Asked*>(&asked));
  ASSERT_TRUE(Restore(1, options).ok());
  EXPECT_EQ(asked.count(), 0);
  EXPECT_EQ(Restored(), (FileRows{{"a", "1"}}));
  ASSERT_TRUE(Restore(2, options).ok());
  EXPECT_EQ(asked.count(), 1);
  EXPECT_EQ(Restored(), (FileRows{{"a", "1"}, {"b", "2"}}));
}

// The engine is not locked while it asks another one.
TEST_F(BackupAlternates, TheLatestBackupMayBeDeletedMeanwhile) {
  Make();
  const Asked asked(other_.get(),
                    [&] { EXPECT_TRUE(engine_->DeleteBackup(2).ok()); });
  const IOStatus status = RestoreLatest(asked);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(asked.count(), 1);
  EXPECT_EQ(Restored(), (FileRows{{"a", "1"}}));
}

TEST_F(BackupAlternates, AllBackupsMayBeDeletedMeanwhile) {
  Make();
  const Asked asked(other_.get(), [&] {
    EXPECT_TRUE(engine_->DeleteBackup(2).ok());
    EXPECT_TRUE(engine_->DeleteBackup(1).ok());
  });
  EXPECT_TRUE(RestoreLatest(asked).IsNotFound());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
