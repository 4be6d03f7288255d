// Backup directories that are not as they should be: what is damaged, what is
// garbage, and what the checksums find.

#include "rocksdb/file_checksum.h"
#include "test/db/backup/backup_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::FileRows;

class BackupDamage : public test::BackupTest {
 protected:
  void Make() {
    BackUpOneTable();
    Put("b", "2");
    Backup();
  }
  void Change(const std::string& file, const std::string& bytes) {
    test::WriteFile(fs_.get(), PathOf(file), bytes);
  }
};

TEST_F(BackupDamage, AFileOfAnotherSizeIsSeenAtOnce) {
  Make();
  Change("private/2/CURRENT", "MANIFEST-000005\n ");
  EXPECT_TRUE(engine_->VerifyBackup(2).IsCorruption());
  EXPECT_TRUE(engine_->VerifyBackup(1).ok());
  // Version 1 does not say sizes, but checksums.
  OpenEngine();
  EXPECT_TRUE(Damaged().empty());
  EXPECT_TRUE(engine_->VerifyBackup(2, true).IsCorruption());
  const Status status = Restore(2);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_EQ(RowsOfBackup(1), (FileRows{{"a", "1"}}));
}

TEST_F(BackupDamage, Version2KnowsSizesFromTheStart) {
  backup_.schema_version = 2;
  Make();
  Change("private/2/CURRENT", "MANIFEST-000005\n ");
  OpenEngine();
  EXPECT_EQ(Damaged(), std::vector<BackupID>{2});
  EXPECT_TRUE(Restore(2).IsCorruption());
  EXPECT_EQ(RowsOfBackup(1), (FileRows{{"a", "1"}}));
}

TEST_F(BackupDamage, AChangedByteIsSeenByChecksumAndWhenRestoring) {
  Make();
  const std::string table = BackupFiles(".sst")[0];
  std::string bytes = test::ReadFile(fs_.get(), PathOf(table));
  bytes[10] ^= 1;
  Change(table, bytes);
  EXPECT_TRUE(engine_->VerifyBackup(1).ok());
  const Status verified = engine_->VerifyBackup(1, true);
  EXPECT_TRUE(verified.IsCorruption());
  EXPECT_NE(verified.ToString().find(table), std::string::npos);
  EXPECT_TRUE(Restore(1).IsCorruption());
  // What was restored half does not open, and can be restored over.
  std::unique_ptr<DB> db;
  Options existing = options_;
  existing.create_if_missing = false;
  EXPECT_FALSE(DB::Open(existing, kRestored, &db).ok());
  bytes[10] ^= 1;
  Change(table, bytes);
  EXPECT_EQ(RowsOfBackup(1), (FileRows{{"a", "1"}}));
}

// Each byte of each file changed, each file cut: the backup's rows, or an
// error.
TEST_F(BackupDamage, ADamagedBackupIsRefusedOrTellsTheTruth) {
  Make();
  const FileRows rows = {{"a", "1"}, {"b", "2"}};
  uint64_t refused = 0;
  for (const std::string& file : BackupFiles()) {
    if (file.find("/1") != std::string::npos) continue;
    const std::string whole = test::ReadFile(fs_.get(), PathOf(file));
    // Of OPTIONS files and tables, which are long, some.
    const size_t step = std::max<size_t>(1, whole.size() / 100);
    for (size_t at = 0; at < whole.size(); at += step) {
      for (const bool cut : {false, true}) {
        std::string bytes = cut ? whole.substr(0, at) : whole;
        if (!cut) bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
        Change(file, bytes);
        OpenEngine();
        const Status status = Restore(2);
        if (!status.ok()) {
          ++refused;
          EXPECT_TRUE(status.IsCorruption() || status.IsNotSupported())
              << file << " " << at << status.ToString();
          continue;
        }
        EXPECT_TRUE(file.starts_with("meta/")) << file << " " << at;
        EXPECT_EQ(Restored(), rows) << file << " " << at;
      }
    }
    Change(file, whole);
  }
  EXPECT_GT(refused, 500u);
  OpenEngine();
  EXPECT_EQ(RowsOfBackup(2), rows);
}

TEST_F(BackupDamage, AMissingFileMakesTheBackupDamaged) {
  Make();
  ASSERT_TRUE(env_->DeleteFile(PathOf("private/1/CURRENT")).ok());
  EXPECT_FALSE(engine_->VerifyBackup(1).ok());
  OpenEngine();
  EXPECT_EQ(Damaged(), std::vector<BackupID>{1});
  EXPECT_TRUE(Restore(1).IsCorruption());
  BackupInfo info;
  EXPECT_TRUE(engine_->GetBackupInfo(1, &info).IsCorruption());
  EXPECT_EQ(RowsOfBackup(2).size(), 2u);
  EXPECT_EQ(Backup(), 3u);
  ASSERT_TRUE(engine_->DeleteBackup(1).ok());
  EXPECT_TRUE(Damaged().empty());
  EXPECT_TRUE(BackupFiles("private/1").empty());
}

// backup_directory.h (2).
TEST_F(BackupDamage, WhatCannotBeReadKeepsSharedFiles) {
  Make();
  Change("meta/1", "schema_version 9.0\n");
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  OpenEngine();
  EXPECT_EQ(Damaged(), std::vector<BackupID>{1});
  BackupInfo info;
  EXPECT_TRUE(engine_->GetBackupInfo(1, &info).IsNotSupported());
  ASSERT_TRUE(engine_->GetLatestBackupInfo(&info).ok());
  EXPECT_EQ(info.backup_id, 2u);
  ASSERT_TRUE(engine_->PurgeOldBackups(0).ok());
  EXPECT_EQ(BackupFiles(".sst").size(), 1u);
  EXPECT_EQ(BackupFiles("private/1/").size(), 4u);
  ASSERT_TRUE(engine_->DeleteBackup(1).ok());
  EXPECT_TRUE(BackupFiles().empty());
}

// backup_directory.h (1): making the backup fails after the rename, and so does
// the deletion of its description.
TEST_F(BackupDamage, ADescriptionThatCannotBeDeletedKeepsItsFiles) {
  Make();
  Put("c", "3");
  Flush();
  ASSERT_TRUE(fs_->SetRule("(ErrInjected (Or"
                           " (And sync_dir (PathMatch \"meta\"))"
                           " (And delete (PathMatch \"3\"))))")
                  .ok());
  EXPECT_TRUE(engine_->CreateNewBackup(db_.get()).IsIOError());
  EXPECT_TRUE(engine_->GarbageCollect().IsIOError());
  fs_->ClearRule();
  const auto other = OpenReadOnly();
  std::vector<BackupID> damaged;
  other->GetCorruptedBackups(&damaged);
  EXPECT_TRUE(damaged.empty());
  const Status verified = other->VerifyBackup(3, true);
  EXPECT_TRUE(verified.ok()) << verified.ToString();
  // This engine said that it failed, and deletes it as soon as it can.
  EXPECT_EQ(Backup(), 4u);
  EXPECT_EQ(BackupFiles("meta/"),
            (std::vector<std::string>{"meta/1", "meta/2", "meta/4"}));
  EXPECT_TRUE(BackupFiles("private/3/").empty());
}

TEST_F(BackupDamage, ASharedFileThatIsGoneIsCopiedAgain) {
  Make();
  ASSERT_TRUE(env_->DeleteFile(PathOf(BackupFiles(".sst")[0])).ok());
  EXPECT_EQ(Backup(), 3u);
  EXPECT_TRUE(engine_->VerifyBackup(1, true).ok());
  EXPECT_TRUE(engine_->VerifyBackup(3, true).ok());
}

TEST_F(BackupDamage, ATableThatIsNotWhatTheDatabaseThinksIsNotBackedUp) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  OpenEngine();
  Put("a", "1");
  Flush();
  const std::string table = std::string(kName) + "/" + Files(".sst")[0];
  std::string bytes = test::ReadFile(fs_.get(), table);
  bytes[10] ^= 1;
  test::WriteFile(fs_.get(), table, bytes);
  const Status status = engine_->CreateNewBackup(db_.get());
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_TRUE(BackupFiles().empty());
}

TEST_F(BackupDamage, GarbageIsCollectedAndNothingElse) {
  Make();
  ASSERT_TRUE(env_->CreateDir(PathOf("private/9")).ok());
  ASSERT_TRUE(env_->CreateDir(PathOf("private/3.tmp")).ok());
  for (const char* junk :
       {"meta/.3.tmp", "private/9/CURRENT", "private/3.tmp/x",
        "shared_checksum/000099_sX_7.sst", "shared_checksum/.000098.sst.tmp"}) {
    Change(junk, "junk");
  }
  Change("shared_checksum/README", "mine");
  std::vector<std::string> expected = BackupFiles();
  std::erase_if(expected, [&](const std::string& file) {
    return test::ReadFile(fs_.get(), PathOf(file)) == "junk";
  });
  OpenEngine();
  ASSERT_TRUE(engine_->GarbageCollect().ok());
  EXPECT_EQ(BackupFiles(), expected);
  EXPECT_FALSE(env_->FileExists(PathOf("private/9")).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
