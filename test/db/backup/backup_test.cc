// Backups: made, shared, restored, verified, deleted.

#include <algorithm>
#include <atomic>
#include <thread>

#include "rocksdb/rate_limiter.h"
#include "rocksdb/utilities/backupable_db.h"
#include "test/db/backup/backup_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::FileRows;
using Naming = BackupEngineOptions::ShareFilesNaming;

class BackupTest : public test::BackupTest {
 protected:
  // Over the database, whose own logs are replayed after it.
  void RestoreKeepingLogs() {
    const Status status = engine_->RestoreDBFromLatestBackup(
        RestoreOptions(/*_keep_log_files=*/true), kName, kName);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
};

TEST_F(BackupTest, BringsBackWhatWasWritten) {
  Open();
  OpenEngine();
  Put("a", "1");
  Flush();
  Put("b", "2");  // Is in the log.
  EXPECT_EQ(Backup(), 1u);
  Put("a", "later");
  Put("c", "3");
  CreateBackupOptions flushing;
  flushing.flush_before_backup = true;
  EXPECT_EQ(Backup(flushing), 2u);
  EXPECT_TRUE(BackupFiles("private/2/").size() == 4u);  // An empty log, too.
  EXPECT_EQ(RowsOfBackup(1), (FileRows{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(RowsOfBackup(2),
            (FileRows{{"a", "later"}, {"b", "2"}, {"c", "3"}}));
  const Status status =
      engine_->RestoreDBFromLatestBackup(kRestored, kRestored);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Restored().size(), 3u);
  EXPECT_TRUE(engine_->VerifyBackup(1, true).ok());
  EXPECT_TRUE(engine_->VerifyBackup(2).ok());
}

TEST_F(BackupTest, CopiesATableOnce) {
  BackUpOneTable();
  Put("b", "1");
  Flush();
  fs_->Record(true);
  Backup();
  fs_->Record(false);
  const std::string calls = fs_->TakeRecord();
  EXPECT_EQ(BackupFiles("shared_checksum/").size(), 2u);
  size_t created = 0;
  for (size_t at = calls.find("create "); at != std::string::npos;
       at = calls.find("create ", at + 1)) {
    created += calls.substr(at, calls.find('\n', at) - at).find(".sst") !=
               std::string::npos;
  }
  EXPECT_EQ(created, 1u) << calls;
  // Known after the engine was opened again, too.
  OpenEngine();
  Backup();
  EXPECT_EQ(BackupFiles("shared_checksum/").size(), 2u);
  EXPECT_EQ(RowsOfBackup(3), (FileRows{{"a", "1"}, {"b", "1"}}));
}

TEST_F(BackupTest, HoldsBlobFilesAndFamilies) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 10;
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &other).ok());
  OpenEngine();
  const std::string large(100, 'x');
  Put("a", large);
  ASSERT_TRUE(db_->Put(WriteOptions(), other, "k", large + "2").ok());
  CreateBackupOptions flushing;
  flushing.flush_before_backup = true;
  Backup(flushing);
  ASSERT_TRUE(db_->Put(WriteOptions(), other, "l", "log").ok());
  Backup();
  EXPECT_EQ(BackupFiles(".blob").size(), 2u);
  EXPECT_EQ(BackupFiles(".sst").size(), 2u);
  EXPECT_EQ(RowsOfBackup(2), (FileRows{{"a", large}}));
  EXPECT_EQ(Restored("other"), (FileRows{{"k", large + "2"}, {"l", "log"}}));
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

TEST_F(BackupTest, FilesCanBeNamedInEveryWay) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 10;
  Open();
  Put("a", std::string(50, 'v'));
  Flush();
  const FileRows rows = Rows();
  const auto back_up_twice = [&](const std::string& dir) {
    backup_.backup_dir = dir;
    OpenEngine();
    Backup();
    Backup();
    EXPECT_EQ(RowsOfBackup(2), rows);
  };
  const uint32_t session = BackupEngineOptions::kUseDbSessionId;
  const uint32_t sized = BackupEngineOptions::kFlagIncludeFileSize;
  struct Case {
    std::string dir;
    uint32_t naming;
    size_t underscores;  // In the table's name.
  };
  for (const Case& c :
       {Case{"/b1", BackupEngineOptions::kLegacyCrc32cAndFileSize, 2},
        Case{"/b2", session, 1}, Case{"/b3", session | sized, 2}}) {
    backup_.share_files_with_checksum_naming = static_cast<Naming>(c.naming);
    back_up_twice(c.dir);
    const auto tables = BackupFiles(".sst");
    ASSERT_EQ(tables.size(), 1u);
    const std::string name = tables[0].substr(tables[0].find('/'));
    EXPECT_EQ(static_cast<size_t>(std::count(name.begin(), name.end(), '_')),
              c.underscores);
    EXPECT_EQ(name.find("_s") != std::string::npos, c.dir != "/b1") << name;
    EXPECT_EQ(BackupFiles(".blob").size(), 1u);
  }
  backup_.share_files_with_checksum = false;
  back_up_twice("/b4");
  EXPECT_EQ(BackupFiles("shared/").size(), 2u);
  backup_.share_table_files = false;
  back_up_twice("/b5");
  EXPECT_EQ(BackupFiles("shared").size(), 0u);
  EXPECT_EQ(BackupFiles(".blob").size(), 2u);
}

TEST_F(BackupTest, AnotherFileOfTheSameNumberIsNotTakenForTheSame) {
  backup_.share_files_with_checksum = false;
  BackUpOneTable();
  db_.reset();
  ASSERT_TRUE(DestroyDB(kName, options_).ok());
  Open();
  Put("a", "2");
  Flush();
  const Status status = engine_->CreateNewBackup(db_.get());
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_EQ(RowsOfBackup(1), (FileRows{{"a", "1"}}));
}

TEST_F(BackupTest, TellsOfItself) {
  Open();
  OpenEngine();
  BackupInfo info;
  EXPECT_TRUE(engine_->GetLatestBackupInfo(&info).IsNotFound());
  Put("a", "1");
  Flush();
  BackupID id = 0;
  const std::string metadata("any\0bytes", 9);
  ASSERT_TRUE(engine_
                  ->CreateNewBackupWithMetadata(CreateBackupOptions(),
                                                db_.get(), metadata, &id)
                  .ok());
  OpenEngine();
  ASSERT_TRUE(engine_->GetBackupInfo(id, &info, true).ok());
  EXPECT_EQ(info.backup_id, 1u);
  EXPECT_EQ(info.app_metadata, metadata);
  EXPECT_GT(info.timestamp, 1700000000);
  EXPECT_EQ(info.number_files, info.file_details.size());
  uint64_t bytes = 0;
  std::string kinds;
  for (const BackupFileInfo& file : info.file_details) {
    uint64_t size = 0;
    EXPECT_TRUE(env_->GetFileSize(PathOf(file.relative_filename), &size).ok());
    EXPECT_EQ(size, file.size);
    bytes += file.size;
    kinds += std::to_string(file.file_type) + " ";
  }
  EXPECT_EQ(kinds, "2 3 4 9 0 ");  // Table, MANIFEST, CURRENT, OPTIONS, log.
  EXPECT_EQ(info.size, bytes);
  EXPECT_TRUE(engine_->GetBackupInfo(7, &info).IsNotFound());
  EXPECT_EQ(engine_->GetBackupInfo(7, &info).ToString(),
            "NotFound: Backup not found");
  EXPECT_TRUE(engine_->VerifyBackup(7).IsNotFound());
  EXPECT_TRUE(engine_->DeleteBackup(7).IsNotFound());
  EXPECT_TRUE(Restore(7).IsNotFound());
}

TEST_F(BackupTest, CanBeOpenedWhereItIs) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 10;
  Open();
  OpenEngine();
  Put("a", std::string(50, 'v'));
  Flush();
  Put("b", "log");
  const FileRows rows = Rows();
  Backup();
  const std::vector<std::string> files = BackupFiles();
  BackupInfo info;
  ASSERT_TRUE(engine_->GetBackupInfo(1, &info, true).ok());
  engine_.reset();
  Options options;
  options.env = info.env_for_open.get();
  std::unique_ptr<DB> db;
  const Status status = DB::OpenForReadOnly(options, info.name_for_open, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(test::RowsOf(db.get(), db->DefaultColumnFamily()), rows);
  db.reset();
  EXPECT_EQ(BackupFiles(), files);
  EXPECT_TRUE(DB::Open(options, info.name_for_open, &db).IsNotSupported());
}

TEST_F(BackupTest, DeletedOnesLeaveWhatOthersNeed) {
  Open();
  OpenEngine();
  for (const char* key : {"a", "b", "c"}) {
    Put(key, "1");
    Flush();
    Backup();
  }
  CompactRangeOptions rewrite;
  rewrite.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db_->CompactRange(rewrite, nullptr, nullptr).ok());
  Backup();
  EXPECT_EQ(BackupFiles(".sst").size(), 4u);
  ASSERT_TRUE(engine_->DeleteBackup(3).ok());
  EXPECT_EQ(BackupFiles(".sst").size(), 3u);
  ASSERT_TRUE(engine_->PurgeOldBackups(2).ok());
  std::vector<BackupInfo> infos;
  engine_->GetBackupInfo(&infos);
  ASSERT_EQ(infos.size(), 2u);
  EXPECT_EQ(infos[0].backup_id, 2u);
  EXPECT_EQ(infos[1].backup_id, 4u);
  EXPECT_EQ(BackupFiles("private/1").size(), 0u);
  EXPECT_EQ(RowsOfBackup(2), (FileRows{{"a", "1"}, {"b", "1"}}));
  EXPECT_EQ(RowsOfBackup(4).size(), 3u);
  ASSERT_TRUE(engine_->PurgeOldBackups(0).ok());
  EXPECT_TRUE(BackupFiles().empty());
  EXPECT_EQ(Backup(), 5u);  // Numbers are not used twice.
}

TEST_F(BackupTest, OldDataIsDestroyedWhenAskedFor) {
  BackUpOneTable();
  backup_.destroy_old_data = true;
  BackupEngineReadOnly* reader = nullptr;
  EXPECT_TRUE(BackupEngineReadOnly::Open(backup_, env_.get(), &reader)
                  .IsNotSupported());
  EXPECT_FALSE(BackupFiles().empty());
  OpenEngine();
  EXPECT_TRUE(BackupFiles().empty());
}

TEST_F(BackupTest, WithoutLogsHoldsWhatIsFlushed) {
  backup_.backup_log_files = false;
  Open();
  OpenEngine();
  Put("a", "1");
  Flush();
  Put("b", "2");
  Backup();
  EXPECT_TRUE(BackupFiles(".log").empty());
  EXPECT_EQ(RowsOfBackup(1), (FileRows{{"a", "1"}}));
}

TEST_F(BackupTest, KeptLogsAreReplayedOverIt) {
  backup_.backup_log_files = false;
  BackUpOneTable();
  Put("b", "2");
  db_.reset();
  RestoreKeepingLogs();
  Open();
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"b", "2"}}));
}

// Such as RocksDB leaves it; the backup has the beginning of it.
TEST_F(BackupTest, AKeptLogFromTheArchiveStaysWhole) {
  Open();
  OpenEngine();
  Put("a", "1");
  Backup();
  Put("b", "2");
  db_.reset();
  const std::vector<std::string> logs = Files(".log");
  ASSERT_EQ(logs.size(), 1u);
  const std::string db(kName);
  ASSERT_TRUE(env_->CreateDir(db + "/archive").ok());
  ASSERT_TRUE(
      env_->RenameFile(db + "/" + logs[0], db + "/archive/" + logs[0]).ok());
  RestoreKeepingLogs();
  Open();
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"b", "2"}}));
}

TEST_F(BackupTest, LogsGoToADirectoryOfTheirOwn) {
  options_.wal_dir = "/logs";
  Open();
  OpenEngine();
  Put("a", "1");
  Backup();
  Put("b", "2");
  db_.reset();
  ASSERT_TRUE(engine_->RestoreDBFromLatestBackup(kName, options_.wal_dir).ok());
  Open();
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}}));
  EXPECT_TRUE(Files(".log").empty());
}

TEST_F(BackupTest, RestoringLeavesOtherFilesAndOpenDatabasesAlone) {
  BackUpOneTable();
  Put("b", "2");
  const Status locked = engine_->RestoreDBFromLatestBackup(kName, kName);
  EXPECT_TRUE(locked.IsIOError()) << locked.ToString();
  EXPECT_EQ(Rows().size(), 2u);
  db_.reset();
  test::WriteFile(fs_.get(), "/db/notes.txt", "mine");
  ASSERT_TRUE(engine_->RestoreDBFromLatestBackup(kName, kName).ok());
  EXPECT_EQ(test::ReadFile(fs_.get(), "/db/notes.txt"), "mine");
  Open();
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}}));
}

TEST_F(BackupTest, DatabasesInSeveralDirectoriesAreRefused) {
  options_.db_paths = {{"/db/p0", 1 << 30}, {"/db/p1", 1 << 30}};
  Open();
  OpenEngine();
  Put("a", "1");
  Flush();
  EXPECT_TRUE(engine_->CreateNewBackup(db_.get()).IsNotSupported());
  EXPECT_TRUE(BackupFiles().empty());
}

// ------------------------------------------------------- what may stay there

// How many tables and blob files were written by a restore.
class RestoreModeTest : public BackupTest {
 protected:
  size_t FilesWritten(RestoreOptions::Mode mode) {
    db_.reset();
    fs_->Record(true);
    const Status status = engine_->RestoreDBFromLatestBackup(
        RestoreOptions(false, mode), kName, kName);
    fs_->Record(false);
    EXPECT_TRUE(status.ok()) << status.ToString();
    const std::string calls = fs_->TakeRecord();
    size_t written = 0;
    for (size_t at = 0; at < calls.size(); at = calls.find('\n', at) + 1) {
      const std::string call = calls.substr(at, calls.find('\n', at) - at);
      written += call.starts_with("create ") &&
                 (call.ends_with(".sst") || call.ends_with(".blob"));
    }
    Open();
    EXPECT_EQ(Rows(), rows_);
    return written;
  }
  void Make() {
    options_.enable_blob_files = true;
    options_.min_blob_size = 10;
    Open();
    OpenEngine();
    Put("a", std::string(50, 'v'));
    Flush();
    Put("b", "2");
    Flush();
    rows_ = Rows();
    Backup();
    Put("c", "3");
    Flush();
  }
  FileRows rows_;
};

TEST_F(RestoreModeTest, KeepsWhatTheSameSessionWrote) {
  Make();
  EXPECT_EQ(FilesWritten(RestoreOptions::kKeepLatestDbSessionIdFiles), 1u);
  EXPECT_EQ(FilesWritten(RestoreOptions::kPurgeAllFiles), 3u);
}

TEST_F(RestoreModeTest, KeepsWhatHasTheSameChecksum) {
  Make();
  EXPECT_EQ(FilesWritten(RestoreOptions::kVerifyChecksum), 0u);
  db_.reset();
  const std::string table = std::string(kName) + "/" + Files(".sst")[0];
  std::string bytes = test::ReadFile(fs_.get(), table);
  bytes[bytes.size() / 2] ^= 1;
  test::WriteFile(fs_.get(), table, bytes);
  EXPECT_EQ(FilesWritten(RestoreOptions::kVerifyChecksum), 1u);
  EXPECT_EQ(Files(".sst").size(), 2u);
}

// The disk gives an error for one of them; the others stay.
TEST_F(RestoreModeTest, WhatCannotBeReadIsReplaced) {
  for (const char* call : {"open", "read", "stat"}) {
    Make();
    db_.reset();
    std::vector<std::string> tables = Files(".sst");
    std::sort(tables.begin(), tables.end());
    const std::string rule = "(ErrInjected (And " + std::string(call) +
                             " (PathMatch \"" + tables[0] + "\")))";
    ASSERT_TRUE(fs_->SetRule(rule).ok());
    fs_->Record(true);
    const Status status = engine_->RestoreDBFromLatestBackup(
        RestoreOptions(false, RestoreOptions::kVerifyChecksum), kName, kName);
    fs_->Record(false);
    EXPECT_GT(fs_->injected(), 0u) << rule;
    fs_->ClearRule();
    ASSERT_TRUE(status.ok()) << rule << status.ToString();
    const std::string calls = fs_->TakeRecord();
    EXPECT_NE(calls.find("create " + tables[0]), std::string::npos) << calls;
    EXPECT_EQ(calls.find(tables[1]), std::string::npos) << calls;
    Open();
    EXPECT_EQ(Rows(), rows_);
    db_.reset();
    ASSERT_TRUE(DestroyDB(kName, options_).ok());
  }
}

TEST_F(RestoreModeTest, ATableOfAnotherHistoryIsReplaced) {
  Make();
  db_.reset();
  ASSERT_TRUE(DestroyDB(kName, options_).ok());
  Open();
  Put("a", std::string(50, 'w'));
  Flush();
  Put("b", "9");
  Flush();
  EXPECT_EQ(FilesWritten(RestoreOptions::kKeepLatestDbSessionIdFiles), 3u);
}

// ------------------------------------------------------------------ the rest

TEST_F(BackupTest, ReadersOpenOnlyTheNewest) {
  Open();
  OpenEngine();
  for (int i = 0; i < 3; ++i) {
    Put("k" + std::to_string(i), "v");
    Backup();
  }
  backup_.max_valid_backups_to_open = 2;
  const auto reader = OpenReadOnly();
  std::vector<BackupInfo> infos;
  reader->GetBackupInfo(&infos);
  ASSERT_EQ(infos.size(), 2u);
  EXPECT_EQ(infos[0].backup_id, 2u);
  ASSERT_TRUE(reader->RestoreDBFromLatestBackup("/restored", "/restored").ok());
  EXPECT_EQ(Restored().size(), 3u);
  backup_.backup_dir = "/nothing";
  BackupEngineReadOnly* none = nullptr;
  EXPECT_TRUE(
      BackupEngineReadOnly::Open(backup_, env_.get(), &none).IsNotFound());
  EXPECT_FALSE(env_->FileExists("/nothing").ok());
}

TEST_F(BackupTest, WrongOptionsAreRefused) {
  BackupEngine* engine = nullptr;
  backup_.schema_version = 3;
  EXPECT_TRUE(
      BackupEngine::Open(backup_, env_.get(), &engine).IsNotSupported());
  backup_.schema_version = 1;
  backup_.share_files_with_checksum_naming = static_cast<Naming>(4);
  EXPECT_TRUE(
      BackupEngine::Open(backup_, env_.get(), &engine).IsInvalidArgument());
  EXPECT_TRUE(BackupEngine::Open(BackupableDBOptions(""), env_.get(), &engine)
                  .IsInvalidArgument());
  EXPECT_EQ(engine, nullptr);
}

TEST_F(BackupTest, AStoppedEngineMakesNone) {
  Open();
  OpenEngine();
  Put("a", std::string(100000, 'x'));
  Flush();
  CreateBackupOptions options;
  backup_.callback_trigger_interval_size = 100;
  backup_.io_buffer_size = 1000;
  OpenEngine();
  int calls = 0;
  options.progress_callback = [&] {
    if (++calls == 5) engine_->StopBackup();
  };
  BackupID id = 0;
  Status status = engine_->CreateNewBackup(options, db_.get(), &id);
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  EXPECT_GE(calls, 5);
  EXPECT_TRUE(BackupFiles().empty());
  EXPECT_TRUE(engine_->CreateNewBackup(db_.get()).IsIncomplete());
  OpenEngine();
  EXPECT_EQ(Backup(), 1u);
}

TEST_F(BackupTest, ThrowingCallbacksDoNoHarm) {
  Open();
  backup_.callback_trigger_interval_size = 1;
  backup_.schema_version = 2;
  OpenEngine();
  Put("a", "1");
  Flush();
  CreateBackupOptions options;
  options.progress_callback = [] { throw 1; };
  EXPECT_EQ(Backup(options), 1u);
  Put("b", "1");
  Flush();
  options.exclude_files_callback = [](auto*, auto*) { throw 2; };
  EXPECT_TRUE(engine_->CreateNewBackup(options, db_.get()).IsAborted());
}

TEST_F(BackupTest, SeveralThreadsMakeTheSame) {
  backup_.max_background_operations = 4;
  Open();
  OpenEngine();
  for (int i = 0; i < 20; ++i) {
    Put("k" + std::to_string(i), std::string(1000, 'v'));
    Flush();
  }
  const FileRows rows = Rows();
  Backup();
  EXPECT_TRUE(engine_->VerifyBackup(1, true).ok());
  EXPECT_EQ(RowsOfBackup(1), rows);
}

TEST_F(BackupTest, IsOneMomentBesideWriters) {
  options_.disable_auto_compactions = false;
  options_.write_buffer_size = 16 << 10;
  backup_.max_background_operations = 2;
  Open();
  OpenEngine();
  std::atomic<bool> stop{false};
  std::atomic<int> written{0};
  std::thread writer([&] {
    for (int i = 1; !stop; ++i) {
      WriteBatch batch;
      EXPECT_TRUE(batch.Put("n", std::to_string(i)).ok());
      EXPECT_TRUE(batch.Put("m", std::to_string(i)).ok());
      EXPECT_TRUE(
          batch.Put("k" + std::to_string(i % 99), std::string(99, 'x')).ok());
      EXPECT_TRUE(db_->Write(WriteOptions(), &batch).ok());
      written = i;
    }
  });
  for (int i = 0; i < 6; ++i) {
    while (written < 200 * i + 1) std::this_thread::yield();
    const int before = written;
    const BackupID id = Backup();
    const FileRows rows = RowsOfBackup(id);
    ASSERT_GE(rows.size(), 2u);
    EXPECT_EQ(rows[rows.size() - 2].second, rows.back().second);
    EXPECT_GE(std::stoi(rows.back().second), before);
  }
  stop = true;
  writer.join();
}

// Adds up what it is asked for.
class CountingLimiter final : public RateLimiter {
 public:
  CountingLimiter() : RateLimiter(Mode::kAllIo) {}
  void SetBytesPerSecond(int64_t) override {}
  void Request(int64_t bytes, Env::IOPriority priority, Statistics*,
               OpType type) override {
    EXPECT_EQ(priority, Env::IO_LOW);
    (type == OpType::kRead ? read : written) += static_cast<uint64_t>(bytes);
  }
  int64_t GetSingleBurstBytes() const override { return 1000; }
  int64_t GetTotalBytesThrough(Env::IOPriority) const override { return 0; }
  int64_t GetTotalRequests(Env::IOPriority) const override { return 0; }
  int64_t GetBytesPerSecond() const override { return 1; }
  std::atomic<uint64_t> read{0};
  std::atomic<uint64_t> written{0};
};

TEST_F(BackupTest, RateLimitersCountEveryByte) {
  const auto making = std::make_shared<CountingLimiter>();
  const auto restoring = std::make_shared<CountingLimiter>();
  backup_.backup_rate_limiter = making;
  backup_.restore_rate_limiter = restoring;
  Open();
  OpenEngine();
  Put("a", std::string(5000, 'x'));
  Flush();
  Backup();
  BackupInfo info;
  ASSERT_TRUE(engine_->GetBackupInfo(1, &info).ok());
  const uint64_t current = 16;  // Of "MANIFEST-000005\n", which is not read.
  EXPECT_EQ(making->written, info.size);
  EXPECT_GE(making->read, info.size - current);
  ASSERT_TRUE(Restore(1).ok());
  EXPECT_EQ(restoring->written, info.size - current);
}

TEST_F(BackupTest, FilesThatAnotherDirectoryHasMayBeLeftOut) {
  backup_.schema_version = 2;
  BackUpOneTable();
  const auto full = std::move(engine_);
  backup_.backup_dir = "/partial";
  OpenEngine();
  CreateBackupOptions options;
  options.exclude_files_callback = [](MaybeExcludeBackupFile* begin,
                                      MaybeExcludeBackupFile* end) {
    ASSERT_EQ(end - begin, 1);
    EXPECT_TRUE(begin->info.relative_file.starts_with("shared_checksum/"));
    begin->exclude_decision = true;
  };
  Backup(options);
  EXPECT_TRUE(BackupFiles(".sst").empty());
  OpenEngine();
  BackupInfo info;
  ASSERT_TRUE(engine_->GetBackupInfo(1, &info, true).ok());
  ASSERT_EQ(info.excluded_files.size(), 1u);
  EXPECT_EQ(info.number_files, 4u);
  EXPECT_TRUE(engine_->VerifyBackup(1, true).ok());
  EXPECT_TRUE(Restore(1).IsInvalidArgument());
  RestoreOptions restore;
  restore.alternate_dirs.push_front(nullptr);
  EXPECT_TRUE(Restore(1, restore).IsInvalidArgument());
  restore.alternate_dirs.push_front(full.get());
  const Status status = Restore(1, restore);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Restored(), (FileRows{{"a", "1"}}));
  // The next backup that does not leave it out has it.
  Backup();
  EXPECT_EQ(BackupFiles(".sst").size(), 1u);
  backup_.schema_version = 1;
  OpenEngine();
  Put("b", "1");
  Flush();
  EXPECT_TRUE(engine_->CreateNewBackup(options, db_.get()).IsInvalidArgument());
}

// A file system with cold tables, which records the temperatures requested for
// new files.
class ColdTables : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "ColdTables"; }
  IOStatus NewSequentialFile(const std::string& path,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* r,
                             IODebugContext* dbg) override {
    class Cold : public FSSequentialFileOwnerWrapper {
     public:
      using FSSequentialFileOwnerWrapper::FSSequentialFileOwnerWrapper;
      Temperature GetTemperature() const override { return Temperature::kCold; }
    };
    const IOStatus status = target()->NewSequentialFile(path, options, r, dbg);
    if (status.ok() && path.ends_with(".sst")) {
      *r = std::make_unique<Cold>(std::move(*r));
    }
    return status;
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* r,
                           IODebugContext* dbg) override {
    if (options.temperature != Temperature::kUnknown) {
      EXPECT_EQ(options.temperature, Temperature::kCold);
      cold.push_back(path);
    }
    return target()->NewWritableFile(path, options, r, dbg);
  }
  std::vector<std::string> cold;
};

TEST_F(BackupTest, TemperaturesGoThereAndBack) {
  const auto cold = std::make_shared<ColdTables>(fs_);
  const std::unique_ptr<Env> db_env = NewCompositeEnv(cold);
  backup_.backup_env = env_.get();  // Where nothing is cold.
  backup_.schema_version = 2;
  Open();
  Put("a", "1");
  Flush();
  BackupEngine* raw = nullptr;
  ASSERT_TRUE(BackupEngine::Open(backup_, db_env.get(), &raw).ok());
  engine_.reset(raw);
  Backup();
  const std::string meta = test::ReadFile(fs_.get(), PathOf("meta/1"));
  EXPECT_NE(meta.find(" temp kCold\n"), std::string::npos) << meta;
  EXPECT_TRUE(cold->cold.empty());
  ASSERT_TRUE(BackupEngine::Open(backup_, db_env.get(), &raw).ok());
  engine_.reset(raw);
  ASSERT_TRUE(Restore(1).ok());
  ASSERT_EQ(cold->cold.size(), 1u);
  EXPECT_TRUE(cold->cold[0].ends_with(".sst"));
}

TEST_F(BackupTest, AReadOnlyDatabaseCanBeBackedUp) {
  Open();
  Put("a", "1");
  Flush();
  Put("b", "2");
  db_.reset();
  ASSERT_TRUE(DB::OpenForReadOnly(options_, kName, &db_).ok());
  OpenEngine();
  Backup();
  EXPECT_EQ(RowsOfBackup(1), (FileRows{{"a", "1"}, {"b", "2"}}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
