// Live files, checkpoints, and column families carried to another database.

#include "rocksdb/utilities/checkpoint.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "rocksdb/comparator.h"
#include "rocksdb/file_checksum.h"
#include "test/db/files/files_fixture.h"
#include "test/support/crash_fs.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::FileRows;
using test::MakeTable;

Status MakeCheckpoint(DB* db, const std::string& dir, uint64_t log_size = 0,
                      uint64_t* sequence = nullptr) {
  Checkpoint* raw = nullptr;
  EXPECT_TRUE(Checkpoint::Create(db, &raw).ok());
  const std::unique_ptr<Checkpoint> checkpoint(raw);
  return checkpoint->CreateCheckpoint(dir, log_size, sequence);
}

Status Export(DB* db, ColumnFamilyHandle* family, const std::string& dir,
              std::unique_ptr<ExportImportFilesMetaData>* metadata) {
  Checkpoint* raw = nullptr;
  EXPECT_TRUE(Checkpoint::Create(db, &raw).ok());
  const std::unique_ptr<Checkpoint> checkpoint(raw);
  ExportImportFilesMetaData* exported = nullptr;
  const Status status = checkpoint->ExportColumnFamily(family, dir, &exported);
  metadata->reset(exported);
  return status;
}

class CheckpointTest : public test::FilesTest {
 protected:
  // Opens the copy, with all of its families.
  std::map<std::string, FileRows> RowsIn(const std::string& dir) {
    std::vector<std::string> names;
    EXPECT_TRUE(DB::ListColumnFamilies(options_, dir, &names).ok());
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, options_);
    std::vector<ColumnFamilyHandle*> handles;
    std::unique_ptr<DB> copy;
    const Status status = DB::Open(options_, dir, families, &handles, &copy);
    EXPECT_TRUE(status.ok()) << status.ToString();
    std::map<std::string, FileRows> rows;
    for (ColumnFamilyHandle* handle : handles) {
      rows[handle->GetName()] = test::RowsOf(copy.get(), handle);
      EXPECT_TRUE(copy->DestroyColumnFamilyHandle(handle).ok());
    }
    return rows;
  }
  std::set<std::string> NamesIn(const std::string& dir) {
    std::vector<std::string> names;
    EXPECT_TRUE(env_->GetChildren(dir, &names).ok());
    return {names.begin(), names.end()};
  }
};

// Tables were synced when they were made. What is new is synced: the MANIFEST,
// CURRENT, the options, the log, and the directory with its parent.
TEST_F(CheckpointTest, SyncsOnlyWhatWasNotSyncedBefore) {
  Open();
  for (int i = 0; i < 30; ++i) {
    Put(std::to_string(i), "value");
    Flush();
  }
  Put("in the log", "value");
  fs_->Record(true);
  const Status status = MakeCheckpoint(db_.get(), "/copy", UINT64_MAX);
  ASSERT_TRUE(status.ok()) << status.ToString();
  const std::string calls = fs_->TakeRecord();
  fs_->Record(false);
  size_t syncs = 0;
  for (size_t at = calls.find("sync"); at != std::string::npos;
       at = calls.find("sync", at + 1)) {
    ++syncs;
  }
  EXPECT_LE(syncs, 7u) << calls;
  EXPECT_EQ(31u, RowsIn("/copy")["default"].size());
}

TEST_F(CheckpointTest, HoldsWhatRecoveryLeftInOlderLogs) {
  options_.avoid_flush_during_recovery = true;
  options_.avoid_flush_during_shutdown = true;
  Open();
  Put("a", "1");
  Open();
  Put("b", "2");
  ASSERT_TRUE(MakeCheckpoint(db_.get(), "/copy", 1 << 20).ok());
  EXPECT_EQ((FileRows{{"a", "1"}, {"b", "2"}}),
            RowsIn("/copy")[kDefaultColumnFamilyName]);
  VectorWalPtr logs;
  ASSERT_TRUE(db_->GetSortedWalFiles(logs).ok());
  EXPECT_EQ(2u, logs.size());
}

TEST_F(CheckpointTest, CanBeMadeAfterAnAppendToTheLogHasFailed) {
  options_.max_bgerror_resume_count = 0;
  Open();
  Put("a", "1");
  ASSERT_TRUE(
      fs_->SetRule("(ErrInjected (And append (PathMatch \"*.log\")))").ok());
  EXPECT_FALSE(db_->Put(WriteOptions(), "b", "2").ok());
  fs_->ClearRule();
  VectorWalPtr logs;
  ASSERT_TRUE(db_->GetSortedWalFiles(logs).ok());
  ASSERT_EQ(1u, logs.size());
  EXPECT_EQ(test::ReadFile(fs_.get(), kName + logs.front()->PathName()).size(),
            logs.front()->SizeFileBytes());
  const Status made = MakeCheckpoint(db_.get(), "/copy", UINT64_MAX);
  ASSERT_TRUE(made.ok()) << made.ToString();
  EXPECT_EQ((FileRows{{"a", "1"}}), RowsIn("/copy")[kDefaultColumnFamilyName]);
}

// What a log did not take is in no file until its memtables are flushed.
TEST_F(CheckpointTest, IsRefusedWhileALogLacksWhatWasWritten) {
  options_.manual_wal_flush = true;
  options_.max_bgerror_resume_count = 0;
  Open();
  Put("a", "1");
  ASSERT_TRUE(
      fs_->SetRule("(ErrRetryable (And append (PathMatch \"*.log\")))").ok());
  EXPECT_FALSE(db_->FlushWAL(false).ok());
  ASSERT_TRUE(
      fs_->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\")))").ok());
  EXPECT_FALSE(db_->Resume().ok());
  EXPECT_FALSE(db_->FlushWAL(false).ok());
  EXPECT_FALSE(db_->SyncWAL().ok());
  EXPECT_FALSE(db_->Put(WriteOptions(), "b", "2").ok());
  const Status refused = MakeCheckpoint(db_.get(), "/copy", UINT64_MAX);
  EXPECT_TRUE(refused.IsIOError()) << refused.ToString();
  fs_->ClearRule();
  Status resumed = db_->Resume();
  for (int i = 0; i < 600 && !resumed.ok(); ++i) {  // Flushes wait a second.
    SystemClock::Default()->SleepForMicroseconds(100'000);
    resumed = db_->Resume();
  }
  ASSERT_TRUE(resumed.ok()) << resumed.ToString();
  EXPECT_TRUE(db_->FlushWAL(true).ok());
  const Status made = MakeCheckpoint(db_.get(), "/copy", UINT64_MAX);
  ASSERT_TRUE(made.ok()) << made.ToString();
  EXPECT_EQ((FileRows{{"a", "1"}}), RowsIn("/copy")[kDefaultColumnFamilyName]);
}

TEST_F(CheckpointTest, LiveFilesAreAllThatMakesTheDatabase) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  Put("a", "1");
  Flush();
  Put("b", "2");
  std::vector<LiveFileStorageInfo> files;
  LiveFilesStorageInfoOptions how;
  how.wal_size_for_flush = UINT64_MAX;
  how.include_checksum_info = true;
  ASSERT_TRUE(db_->GetLiveFilesStorageInfo(how, &files).ok());
  std::string kinds;
  for (const LiveFileStorageInfo& file : files) {
    EXPECT_EQ(file.directory, kName);
    uint64_t size = 0;
    const std::string path = file.directory + "/" + file.relative_filename;
    ASSERT_TRUE(env_->GetFileSize(path, &size).ok()) << path;
    EXPECT_LE(file.size, size) << path;
    EXPECT_TRUE(file.trim_to_size || file.size == size) << path;
    switch (file.file_type) {
      case kTableFile:
        kinds += "t";
        EXPECT_EQ(file.file_checksum.size(), 4u);
        EXPECT_EQ(file.file_checksum_func_name, "FileChecksumCrc32c");
        break;
      case kDescriptorFile:
        kinds += "m";
        EXPECT_TRUE(file.trim_to_size);
        break;
      case kCurrentFile:
        kinds += "c";
        EXPECT_EQ(file.replacement_contents, test::ReadFile(fs_.get(), path));
        break;
      case kOptionsFile:
        kinds += "o";
        break;
      case kWalFile:
        kinds += "w";
        EXPECT_TRUE(file.trim_to_size);
        EXPECT_GT(file.size, 0u);
        break;
      default:
        kinds += "?";
    }
  }
  EXPECT_EQ(kinds, "tmcow");
  EXPECT_EQ(Shape(), "1");
  ASSERT_TRUE(db_->GetLiveFilesStorageInfo({}, &files).ok());  // Flushes.
  EXPECT_EQ(Shape(), "2");
  EXPECT_EQ(files.front().file_checksum, "");
}

TEST_F(CheckpointTest, OlderFormsTellTheSameFiles) {
  Open();
  Put("a", "1");
  std::vector<std::string> names;
  uint64_t manifest_size = 0;
  ASSERT_TRUE(db_->GetLiveFiles(names, &manifest_size).ok());
  ASSERT_EQ(names.size(), 4u);
  EXPECT_TRUE(names[0].ends_with(".sst")) << names[0];
  EXPECT_TRUE(names[1].starts_with("/CURRENT")) << names[1];
  EXPECT_TRUE(names[2].starts_with("/MANIFEST-")) << names[2];
  EXPECT_TRUE(names[3].starts_with("/OPTIONS-")) << names[3];
  for (const std::string& name : names) {
    EXPECT_TRUE(env_->FileExists(kName + name).ok()) << name;
  }
  uint64_t size = 0;
  ASSERT_TRUE(env_->GetFileSize(kName + names[2], &size).ok());
  EXPECT_EQ(manifest_size, size);

  VectorWalPtr logs;
  ASSERT_TRUE(db_->GetSortedWalFiles(logs).ok());
  EXPECT_TRUE(logs.empty());  // All is in tables.
  Put("b", "1");
  Put("c", "1");
  ASSERT_TRUE(db_->GetSortedWalFiles(logs).ok());
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_EQ(logs[0]->StartSequence(), 2u);
  EXPECT_EQ(logs[0]->Type(), kAliveLogFile);
  EXPECT_TRUE(env_->GetFileSize(kName + logs[0]->PathName(), &size).ok());
  EXPECT_EQ(logs[0]->SizeFileBytes(), size);
  std::unique_ptr<WalFile> current;
  ASSERT_TRUE(db_->GetCurrentWalFile(&current).ok());
  EXPECT_EQ(current->LogNumber(), logs[0]->LogNumber());
  EXPECT_EQ(current->PathName(), logs[0]->PathName());

  std::unique_ptr<FileChecksumList> list(NewFileChecksumList());
  ASSERT_TRUE(db_->GetLiveFilesChecksumInfo(list.get()).ok());
  EXPECT_EQ(list->size(), 1u);
}

TEST_F(CheckpointTest, TheOldestFileTellsItsTime) {
  Open();
  uint64_t none = 0;
  ASSERT_TRUE(db_->GetCreationTimeOfOldestFile(&none).ok());
  EXPECT_EQ(none, UINT64_MAX);
  int64_t before = 0;
  int64_t after = 0;
  ASSERT_TRUE(env_->GetCurrentTime(&before).ok());
  Put("a", "1");
  Flush();
  ASSERT_TRUE(env_->GetCurrentTime(&after).ok());
  uint64_t oldest = 0;
  ASSERT_TRUE(db_->GetCreationTimeOfOldestFile(&oldest).ok());
  EXPECT_GE(oldest, static_cast<uint64_t>(before));
  EXPECT_LE(oldest, static_cast<uint64_t>(after));
}

TEST_F(CheckpointTest, HoldsWhatWasWrittenAndNothingLater) {
  Open();
  Put("a", "1");
  Flush();
  Put("b", "2");
  uint64_t sequence = 0;
  const Status status = MakeCheckpoint(db_.get(), "/copy/", 0, &sequence);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(sequence, 2u);
  Put("c", "3");
  ASSERT_TRUE(db_->Delete(WriteOptions(), "a").ok());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(RowsIn("/copy")["default"], (FileRows{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(Rows(), (FileRows{{"b", "2"}, {"c", "3"}}));
  EXPECT_FALSE(env_->FileExists("/copy.tmp").ok());
  // What is deleted in one stays in the other.
  ASSERT_TRUE(DestroyDB("/copy", options_).ok());
  EXPECT_EQ(Rows(), (FileRows{{"b", "2"}, {"c", "3"}}));
  EXPECT_TRUE(db_->VerifyChecksum().ok());
}

TEST_F(CheckpointTest, TakesTheLogsInsteadOfAFlush) {
  options_.manual_wal_flush = true;
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &other).ok());
  Put("a", "1");
  Flush();
  Put("b", "2");
  ASSERT_TRUE(db_->Put(WriteOptions(), other, "k", "v").ok());
  ASSERT_TRUE(MakeCheckpoint(db_.get(), "/copy", 1 << 20).ok());
  Put("c", "3");
  EXPECT_EQ(Shape(), "1");
  auto rows = RowsIn("/copy");
  EXPECT_EQ(rows["default"], (FileRows{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(rows["other"], (FileRows{{"k", "v"}}));
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

TEST_F(CheckpointTest, AnExistingDirectoryIsLeftAlone) {
  Open();
  Put("a", "1");
  ASSERT_TRUE(env_->CreateDir("/copy").ok());
  test::WriteFile(fs_.get(), "/copy/mine", "x");
  EXPECT_TRUE(MakeCheckpoint(db_.get(), "/copy").IsInvalidArgument());
  EXPECT_TRUE(MakeCheckpoint(db_.get(), "/").IsInvalidArgument());
  EXPECT_TRUE(MakeCheckpoint(db_.get(), "").IsInvalidArgument());
  EXPECT_EQ(NamesIn("/copy"), (std::set<std::string>{"mine"}));
  // What an interrupted call left is replaced.
  ASSERT_TRUE(env_->CreateDir("/new.tmp").ok());
  test::WriteFile(fs_.get(), "/new.tmp/junk", "x");
  ASSERT_TRUE(MakeCheckpoint(db_.get(), "/new").ok());
  EXPECT_FALSE(NamesIn("/new").contains("junk"));
}

// Remembers which directory was opened last: to be synced.
class DirectoryWatch : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "DirectoryWatch"; }
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override {
    last = name;
    return FileSystemWrapper::NewDirectory(name, options, result, dbg);
  }
  std::string last;
};

TEST_F(CheckpointTest, ItsNameIsDurableAlsoWhenItIsARelativeOne) {
  const auto watch = std::make_shared<DirectoryWatch>(fs_);
  const std::unique_ptr<Env> env = NewCompositeEnv(watch);
  options_.env = env.get();
  Open();
  Put("a", "1");
  const Status status = MakeCheckpoint(db_.get(), "copy");
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(watch->last, "/");
  EXPECT_EQ(RowsIn("/copy")[kDefaultColumnFamilyName], (FileRows{{"a", "1"}}));
  db_.reset();
}

TEST_F(CheckpointTest, GathersTheFilesOfSeveralDirectories) {
  options_.db_paths = {{"/db/p0", 1 << 30}, {"/db/p1", 1 << 30}};
  options_.wal_dir = "/logs";
  Open();
  Put("a", "1");
  Flush();
  Put("b", "2");
  ASSERT_TRUE(MakeCheckpoint(db_.get(), "/copy", 1 << 20).ok());
  options_.db_paths.clear();
  options_.wal_dir.clear();
  EXPECT_EQ(RowsIn("/copy")["default"], (FileRows{{"a", "1"}, {"b", "2"}}));
}

TEST_F(CheckpointTest, AReadOnlyDatabaseCanBeCopied) {
  Open();
  Put("a", "1");
  Flush();
  Put("b", "2");
  db_.reset();
  ASSERT_TRUE(DB::OpenForReadOnly(options_, kName, &db_).ok());
  const Status status = MakeCheckpoint(db_.get(), "/copy");
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(RowsIn("/copy")["default"], (FileRows{{"a", "1"}, {"b", "2"}}));
}

// Two families that get the same number in one batch each time: whenever a
// copy is made, both have reached the same number in it.
TEST_F(CheckpointTest, IsOneMomentBesideWritersAndCompactions) {
  options_.disable_auto_compactions = false;
  options_.write_buffer_size = 8 << 10;
  options_.target_file_size_base = 8 << 10;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &other).ok());
  std::atomic<bool> stop{false};
  std::atomic<int> written{0};
  std::thread writer([&] {
    for (int i = 1; !stop; ++i) {
      WriteBatch batch;
      EXPECT_TRUE(batch.Put("n", std::to_string(i)).ok());
      EXPECT_TRUE(batch.Put(other, "n", std::to_string(i)).ok());
      EXPECT_TRUE(
          batch.Put("k" + std::to_string(i % 300), std::string(100, 'x')).ok());
      EXPECT_TRUE(db_->Write(WriteOptions(), &batch).ok());
      written = i;
    }
  });
  while (written < 100) std::this_thread::yield();
  for (int i = 0; i < 12; ++i) {
    const std::string dir = "/copy" + std::to_string(i);
    const int before = written;
    const Status status =
        MakeCheckpoint(db_.get(), dir, i % 2 == 0 ? 0 : 1 << 30);
    ASSERT_TRUE(status.ok()) << status.ToString();
    const int after = written;
    auto rows = RowsIn(dir);
    const FileRows& first = rows["default"];
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(first.back().first, "n");
    EXPECT_EQ(first.back().second, rows["other"].back().second);
    EXPECT_GE(std::stoi(first.back().second), before);
    EXPECT_LE(std::stoi(first.back().second), after + 1);
  }
  stop = true;
  writer.join();
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

TEST_F(CheckpointTest, AFailedCallLeavesNothing) {
  Open();
  Put("a", "1");
  Flush();
  int failures = 0;
  for (int n = 0;; ++n) {
    ASSERT_LT(n, 100);
    ASSERT_TRUE(fs_->SetRule("(ErrInjected (And Writes (Not (PathMatch "
                             "\"LOG*\")) (OnIndex " +
                             std::to_string(n) + ")))")
                    .ok());
    const Status status = MakeCheckpoint(db_.get(), "/copy", 1 << 20);
    const bool failed = fs_->injected() > 0;
    fs_->ClearRule();
    if (!failed) {
      ASSERT_TRUE(status.ok()) << status.ToString();
      break;
    }
    failures += status.ok() ? 0 : 1;
    // After the rename the copy is complete, if not known to be durable.
    if (env_->FileExists("/copy").ok()) {
      EXPECT_EQ(RowsIn("/copy")["default"], (FileRows{{"a", "1"}}));
      ASSERT_TRUE(DestroyDB("/copy", options_).ok());
      (void)env_->DeleteDir("/copy");
    }
    EXPECT_FALSE(env_->FileExists("/copy.tmp").ok()) << n;
    EXPECT_TRUE(db_->DisableFileDeletions().ok());
    EXPECT_TRUE(db_->EnableFileDeletions().ok());
  }
  EXPECT_GT(failures, 8);
  EXPECT_EQ(RowsIn("/copy")["default"], (FileRows{{"a", "1"}}));
  // Deletions are on again.
  Put("a", "2");
  Flush();
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(Files(".sst").size(), 1u);
}

TEST(CheckpointCrash, ACheckpointThatIsThereIsWhole) {
  Options options;
  options.create_if_missing = true;
  options.compression = kNoCompression;
  uint64_t found = 0;
  const uint64_t states = test::ForEachCrashPoint(
      [&](Env* env, test::CrashScript* script) {
        options.env = env;
        std::unique_ptr<DB> db;
        ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
        ASSERT_TRUE(db->Put(WriteOptions(), "a", "1").ok());
        ASSERT_TRUE(db->Flush(FlushOptions()).ok());
        ASSERT_TRUE(db->Put(WriteOptions(), "b", "2").ok());
        const Status status = MakeCheckpoint(db.get(), "/copy", 1 << 20);
        ASSERT_TRUE(status.ok()) << status.ToString();
        script->Reached(1);
        ASSERT_TRUE(db->Put(WriteOptions(), "c", "3").ok());
        ASSERT_TRUE(db->Flush(FlushOptions()).ok());
      },
      [&](const test::CrashPoint& point, Env* env) {
        if (!env->FileExists("/copy/CURRENT").ok()) {
          EXPECT_EQ(point.reached, 0u) << point.ToString();
          return;
        }
        ++found;
        options.env = env;
        std::unique_ptr<DB> db;
        const Status status = DB::Open(options, "/copy", &db);
        ASSERT_TRUE(status.ok()) << status.ToString() << point.ToString();
        EXPECT_EQ(test::RowsOf(db.get(), db->DefaultColumnFamily()),
                  (FileRows{{"a", "1"}, {"b", "2"}}))
            << point.ToString();
      });
  EXPECT_GT(states, 20u);
  EXPECT_GT(found, 0u);
}

TEST(CheckpointPeer, OthersOpenTheCopy) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  test::TempDir dir;
  Options options;
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, dir.File("db"), &db).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "b", "2").ok());
  ASSERT_TRUE(MakeCheckpoint(db.get(), dir.File("copy"), 1 << 20).ok());
  const test::Ran scan = test::RunCommand(
      test::Peer("ldb") + " --db=" + dir.File("copy") + " scan", false);
  EXPECT_EQ(scan.output, "a : 1\nb : 2\n");
}

// ------------------------------------------------------------- carrying over

class ImportTest : public CheckpointTest {
 protected:
  // Several levels, an ingested file and deletions.
  void FillAndExport() {
    Open();
    for (const char* key : {"a", "b", "c"}) Put(key, "deep");
    Flush();
    ASSERT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    Put("a", "middle");
    Flush();
    MakeTable(options_, "/i.sst", {{"a", "ingested"}, {"d", "ingested"}});
    ASSERT_TRUE(db_->IngestExternalFile({"/i.sst"}, {}).ok());
    ASSERT_TRUE(db_->Delete(WriteOptions(), "b").ok());
    Flush();
    const Status status =
        Export(db_.get(), db_->DefaultColumnFamily(), "/out", &metadata_);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(metadata_->files.size(), 4u);
    db_.reset();
  }
  const FileRows kExported = {
      {"a", "ingested"}, {"c", "deep"}, {"d", "ingested"}};

  void OpenOther() {
    const Status status = DB::Open(options_, "/other", &other_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  Status Import(ColumnFamilyHandle** handle, bool move = false) {
    ImportColumnFamilyOptions how;
    how.move_files = move;
    return other_->CreateColumnFamilyWithImport(options_, "new", how,
                                                *metadata_, handle);
  }
  ~ImportTest() override { other_.reset(); }

  std::unique_ptr<ExportImportFilesMetaData> metadata_;
  std::unique_ptr<DB> other_;
};

TEST_F(ImportTest, AFamilyIsCarriedToAnotherDatabase) {
  FillAndExport();
  OpenOther();
  ASSERT_TRUE(other_->Put(WriteOptions(), "x", "1").ok());
  ColumnFamilyHandle* handle = nullptr;
  const Status status = Import(&handle);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(test::RowsOf(other_.get(), handle), kExported);
  EXPECT_GE(other_->GetLatestSequenceNumber(), 6u);
  ASSERT_TRUE(other_->Put(WriteOptions(), handle, "a", "later").ok());
  ASSERT_TRUE(other_->Flush(FlushOptions(), handle).ok());
  const FileRows later = {{"a", "later"}, {"c", "deep"}, {"d", "ingested"}};
  EXPECT_EQ(test::RowsOf(other_.get(), handle), later);
  ASSERT_TRUE(other_->DestroyColumnFamilyHandle(handle).ok());
  other_.reset();
  EXPECT_EQ(RowsIn("/other")["new"], later);
  EXPECT_EQ(NamesIn("/out").size(), 4u);
}

TEST_F(ImportTest, MovedFilesLeaveTheExport) {
  FillAndExport();
  OpenOther();
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_TRUE(Import(&handle, /*move=*/true).ok());
  EXPECT_EQ(test::RowsOf(other_.get(), handle), kExported);
  ASSERT_TRUE(
      other_->CompactRange(CompactRangeOptions(), handle, nullptr, nullptr)
          .ok());
  EXPECT_EQ(test::RowsOf(other_.get(), handle), kExported);
  EXPECT_TRUE(NamesIn("/out").empty());
  ASSERT_TRUE(other_->DestroyColumnFamilyHandle(handle).ok());
}

TEST_F(ImportTest, DescriptionsWithoutEpochsAreOrderedBySequence) {
  FillAndExport();
  for (LiveFileMetaData& file : metadata_->files) {
    file.epoch_number = 0;
    file.smallest.clear();
    file.largest.clear();
  }
  std::reverse(metadata_->files.begin(), metadata_->files.end());
  OpenOther();
  ColumnFamilyHandle* handle = nullptr;
  const Status status = Import(&handle);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(test::RowsOf(other_.get(), handle), kExported);
  ASSERT_TRUE(other_->DestroyColumnFamilyHandle(handle).ok());
}

TEST_F(ImportTest, RefusesWhatDoesNotFitAndLeavesNoFamily) {
  FillAndExport();
  OpenOther();
  ColumnFamilyHandle* handle = nullptr;
  const ExportImportFilesMetaData good = *metadata_;
  metadata_->db_comparator_name = ReverseBytewiseComparator()->Name();
  EXPECT_TRUE(Import(&handle).IsInvalidArgument());
  *metadata_ = good;
  metadata_->files[0].level = 7;
  EXPECT_TRUE(Import(&handle).IsInvalidArgument());
  *metadata_ = good;
  metadata_->files.clear();
  EXPECT_TRUE(Import(&handle).IsInvalidArgument());
  *metadata_ = good;
  metadata_->files[1].size -= 1;
  EXPECT_FALSE(Import(&handle).ok());
  *metadata_ = good;
  metadata_->files[1].name = "/000999.sst";
  EXPECT_FALSE(Import(&handle).ok());
  *metadata_ = good;
  for (LiveFileMetaData& file : metadata_->files) file.level = 3;
  EXPECT_TRUE(Import(&handle).IsCorruption());
  EXPECT_EQ(handle, nullptr);
  for (const std::string& name : NamesIn("/other")) {
    EXPECT_FALSE(name.ends_with(".sst")) << name;
  }
  *metadata_ = good;
  ASSERT_TRUE(Import(&handle).ok());
  EXPECT_EQ(test::RowsOf(other_.get(), handle), kExported);
  ASSERT_TRUE(other_->DestroyColumnFamilyHandle(handle).ok());
}

TEST_F(ImportTest, FamiliesWhoseKeysOverlapDoNotBecomeOne) {
  FillAndExport();
  // The overlap must be found even if the installation checks nothing.
  options_.force_consistency_checks = false;
  Open();
  OpenOther();
  const std::unique_ptr<ExportImportFilesMetaData> first = std::move(metadata_);
  const auto import = [&](ColumnFamilyHandle** handle) {
    return other_->CreateColumnFamilyWithImport(
        options_, "new", ImportColumnFamilyOptions(),
        {first.get(), metadata_.get()}, handle);
  };
  // Another family, whose one file lies inside of what the first reaches.
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "within", &handle).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), handle, "bb", "1").ok());
  ASSERT_TRUE(Export(db_.get(), handle, "/within", &metadata_).ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  Status status = import(&handle);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_EQ(handle, nullptr);
  for (const std::string& name : NamesIn("/other")) {
    EXPECT_FALSE(name.ends_with(".sst")) << name;
  }
  // And one that lies beside it.
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "beside", &handle).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), handle, "x", "1").ok());
  ASSERT_TRUE(Export(db_.get(), handle, "/beside", &metadata_).ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  status = import(&handle);
  ASSERT_TRUE(status.ok()) << status.ToString();
  FileRows both = kExported;
  both.emplace_back("x", "1");
  EXPECT_EQ(test::RowsOf(other_.get(), handle), both);
  ASSERT_TRUE(other_->DestroyColumnFamilyHandle(handle).ok());
}

TEST_F(ImportTest, AFailedCallLeavesNoTables) {
  FillAndExport();
  int failures = 0;
  for (int n = 0;; ++n) {
    ASSERT_LT(n, 300);
    OpenOther();
    ASSERT_TRUE(fs_->SetRule("(ErrInjected (And Writes (Not (PathMatch "
                             "\"LOG*\")) (OnIndex " +
                             std::to_string(n) + ")))")
                    .ok());
    ColumnFamilyHandle* handle = nullptr;
    const Status status = Import(&handle);
    const bool failed = fs_->injected() > 0;
    fs_->ClearRule();
    EXPECT_EQ(status.ok(), handle != nullptr);
    if (status.ok()) {
      EXPECT_EQ(test::RowsOf(other_.get(), handle), kExported);
      ASSERT_TRUE(other_->DestroyColumnFamilyHandle(handle).ok());
    }
    failures += status.ok() ? 0 : 1;
    other_.reset();
    auto rows = RowsIn("/other");
    // A family whose making or dropping failed half-way may be there, empty.
    if (!status.ok() && rows.contains("new")) {
      EXPECT_TRUE(rows["new"].empty()) << n;
    }
    ASSERT_TRUE(DestroyDB("/other", options_).ok());
    if (!failed) break;
  }
  EXPECT_GT(failures, 10);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
