// SstFileManager: what a database tells it, and what it forbids.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "env/space/sst_file_manager.h"
#include "rocksdb/listener.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kManyBytes = uint64_t{1} << 40;

class Space : public FilesTest {
 protected:
  Space() : manager_(NewSstFileManager(env_.get())) {
    options_.sst_file_manager = manager_;
  }

  // A table of about 100 KB with the same keys each time.
  void Fill() {
    for (int i = 0; i < 100; ++i) {
      Put("k" + std::to_string(i), std::string(1000, static_cast<char>(i)));
    }
  }
  void MakeTables(int count) {
    for (int i = 0; i < count; ++i) {
      Fill();
      Flush();
    }
  }
  // Nothing that is deleted goes before the test ends, but for the first file.
  void DeleteSlowly() {
    manager_->SetDeleteRateBytesPerSecond(1);
    manager_->SetMaxTrashDBRatio(100);
  }
  // What the MANIFEST names, as the manager knows it.
  void ExpectTracksLiveFiles() {
    std::vector<LiveFileStorageInfo> live;
    ASSERT_TRUE(
        db_->GetLiveFilesStorageInfo(LiveFilesStorageInfoOptions(), &live)
            .ok());
    uint64_t bytes = 0;
    size_t count = 0;
    const auto tracked = manager_->GetTrackedFiles();
    for (const LiveFileStorageInfo& file : live) {
      if (file.file_type != kTableFile && file.file_type != kBlobFile) continue;
      const std::string path = file.directory + "/" + file.relative_filename;
      ASSERT_TRUE(tracked.contains(path)) << path;
      EXPECT_EQ(file.size, tracked.at(path)) << path;
      bytes += file.size;
      ++count;
    }
    EXPECT_EQ(count, tracked.size());
    EXPECT_EQ(bytes, manager_->GetTotalSize());
  }
  Status CompactAll() {
    CompactRangeOptions compact;
    compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    return db_->CompactRange(compact, nullptr, nullptr);
  }
  // Writers wait for a compaction that would exceed the limit.
  void StopBehindARefusedCompaction() {
    options_.disable_auto_compactions = false;
    options_.level0_file_num_compaction_trigger = 2;
    options_.level0_slowdown_writes_trigger = 2;
    options_.level0_stop_writes_trigger = 2;
    Open();
    Fill();
    Flush();
    manager_->SetMaxAllowedSpaceUsage(3 * manager_->GetTotalSize());
    Fill();
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  void AwaitEmptyTrash() {
    manager_->SetDeleteRateBytesPerSecond(0);
    while (manager_->GetTotalTrashSize() > 0) std::this_thread::yield();
  }

  std::shared_ptr<SstFileManager> manager_;
};

TEST_F(Space, TracksWhatTheManifestNames) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 5000;
  Open();
  EXPECT_EQ(0u, manager_->GetTotalSize());
  Fill();
  Put("large", std::string(10000, 'x'));
  Flush();
  ExpectTracksLiveFiles();
  Fill();
  Flush();
  ASSERT_TRUE(CompactAll().ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  ExpectTracksLiveFiles();
  MakeTable(options_, "/new.sst", {{"zz", "1"}});
  ASSERT_TRUE(
      db_->IngestExternalFile({"/new.sst"}, IngestExternalFileOptions()).ok());
  ExpectTracksLiveFiles();
  // Closing forgets, opening finds again; what the log holds as well.
  Put("later", "1");
  db_.reset();
  EXPECT_EQ(0u, manager_->GetTotalSize());
  Open();
  ExpectTracksLiveFiles();
}

TEST_F(Space, TracksAnImportedFamily) {
  Open();
  MakeTables(1);
  Checkpoint* made = nullptr;
  ASSERT_TRUE(Checkpoint::Create(db_.get(), &made).ok());
  const std::unique_ptr<Checkpoint> checkpoint(made);
  ExportImportFilesMetaData* exported = nullptr;
  ASSERT_TRUE(checkpoint
                  ->ExportColumnFamily(db_->DefaultColumnFamily(), "/exported",
                                       &exported)
                  .ok());
  const std::unique_ptr<ExportImportFilesMetaData> files(exported);
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamilyWithImport(
                     ColumnFamilyOptions(options_), "imported",
                     ImportColumnFamilyOptions(), *files, &family)
                  .ok());
  EXPECT_EQ(2u, manager_->GetTrackedFiles().size());
  ExpectTracksLiveFiles();
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
}

TEST_F(Space, ServesSeveralDatabases) {
  Open();
  Fill();
  Flush();
  const uint64_t one = manager_->GetTotalSize();
  std::unique_ptr<DB> other;
  ASSERT_TRUE(DB::Open(options_, "/other", &other).ok());
  ASSERT_TRUE(other->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(other->Flush(FlushOptions()).ok());
  EXPECT_GT(manager_->GetTotalSize(), one);
  EXPECT_EQ(2u, manager_->GetTrackedFiles().size());
  other.reset();
  EXPECT_EQ(one, manager_->GetTotalSize());
}

TEST_F(Space, ADroppedFamilysFilesAreForgotten) {
  Open();
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(
      db_->CreateColumnFamily(ColumnFamilyOptions(), "more", &family).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), family, "a", "1").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions(), family).ok());
  EXPECT_EQ(1u, manager_->GetTrackedFiles().size());
  ASSERT_TRUE(db_->DropColumnFamily(family).ok());
  EXPECT_EQ(1u, manager_->GetTrackedFiles().size());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
  WaitForCompactOptions wait;
  wait.wait_for_purge = true;
  ASSERT_TRUE(db_->WaitForCompact(wait).ok());
  EXPECT_EQ(0u, manager_->GetTrackedFiles().size());
}

TEST_F(Space, AFlushThatReachesTheLimitStopsWrites) {
  Open();
  manager_->SetMaxAllowedSpaceUsage(1);
  Put("a", "1");
  const Status full = db_->Flush(FlushOptions());
  EXPECT_TRUE(full.IsIOError());
  EXPECT_EQ(Status::kSpaceLimit, full.subcode());
  Status refused;
  while ((refused = db_->Put(WriteOptions(), "b", "2")).ok()) {
    std::this_thread::yield();
  }
  EXPECT_EQ(Status::kSpaceLimit, refused.subcode());
  // What was flushed is there, and can be read.
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).ok());
  // Raising the limit is not enough.
  manager_->SetMaxAllowedSpaceUsage(kManyBytes);
  EXPECT_FALSE(db_->Put(WriteOptions(), "b", "2").ok());
  ASSERT_TRUE(db_->Resume().ok());
  Put("b", "2");
  Flush();
}

// Holds flushes until they may begin, and forgives errors when it is asked to.
class HoldsAndForgives final : public EventListener {
 public:
  void OnFlushBegin(DB*, const FlushJobInfo&) override { begins_.wait(false); }
  void OnBackgroundError(BackgroundErrorReason, Status* error) override {
    if (forgives) *error = Status::OK();
  }
  void LetBegin() {
    begins_ = true;
    begins_.notify_all();
  }
  std::atomic<bool> forgives = false;

 private:
  std::atomic<bool> begins_ = false;
};

// A memtable that was sealed before the resume meets the limit, so that another
// one waits. An error without its subcode would not say that it is the limit.
TEST_F(Space, AResumeSaysThatItHasMetTheLimit) {
  const auto listener = std::make_shared<HoldsAndForgives>();
  // A flush that may not begin would hold the end of a test that fails.
  const std::unique_ptr<HoldsAndForgives, decltype([](HoldsAndForgives* held) {
                          held->LetBegin();
                        })>
      let_begin(listener.get());
  options_.listeners = {listener};
  options_.max_background_flushes = 1;
  Open();
  std::vector<ColumnFamilyHandle*> families;
  ASSERT_TRUE(
      db_->CreateColumnFamilies(ColumnFamilyOptions(), {"x", "y"}, &families)
          .ok());
  families.push_back(db_->DefaultColumnFamily());
  for (ColumnFamilyHandle* family : families) {
    ASSERT_TRUE(db_->Put(WriteOptions(), family, "a", "1").ok());
  }
  manager_->SetMaxAllowedSpaceUsage(1);
  FlushOptions seal;
  seal.wait = false;
  for (ColumnFamilyHandle* family : families) {
    ASSERT_TRUE(db_->Flush(seal, family).ok());
  }
  listener->LetBegin();
  while (db_->Put(WriteOptions(), "b", "2").ok()) std::this_thread::yield();
  listener->forgives = true;
  const Status limit = db_->Resume();
  EXPECT_EQ(Status::kSpaceLimit, limit.subcode()) << limit.ToString();
  EXPECT_THAT(limit.ToString(), HasSubstr("failed during Resume()"));
  const Status refused = db_->Put(WriteOptions(), "b", "2");
  EXPECT_EQ(Status::kSpaceLimit, refused.subcode()) << refused.ToString();
  manager_->SetMaxAllowedSpaceUsage(kManyBytes);
  ASSERT_TRUE(db_->Resume().ok());
  Put("b", "2");
  Flush();
  families.pop_back();
  for (ColumnFamilyHandle* family : families) {
    std::string value;
    EXPECT_TRUE(db_->Get(ReadOptions(), family, "a", &value).ok());
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
  }
}

// Such a database works on after errors that may be mended.
TEST_F(Space, WithoutParanoidChecksTheLimitStopsNoWrites) {
  options_.paranoid_checks = false;
  Open();
  manager_->SetMaxAllowedSpaceUsage(1);
  Put("a", "1");
  EXPECT_EQ(Status::kSpaceLimit, db_->Flush(FlushOptions()).subcode());
  Put("b", "2");
  EXPECT_EQ(2u, Rows().size());
}

TEST_F(Space, NothingIsLostAtTheLimit) {
  Open();
  manager_->SetMaxAllowedSpaceUsage(300 * 1000);
  int written = 0;
  Status status;
  while (status.ok()) {
    status = db_->Put(WriteOptions(), "k" + std::to_string(written),
                      std::string(1000, 'v'));
    if (!status.ok()) break;
    if (++written % 50 == 0) (void)db_->Flush(FlushOptions());
    ASSERT_LT(written, 10000);
  }
  EXPECT_EQ(Status::kSpaceLimit, status.subcode());
  Open();
  EXPECT_EQ(static_cast<size_t>(written), Rows().size());
}

TEST_F(Space, AManualCompactionThatMightExceedTheLimitIsTooLarge) {
  Open();
  MakeTables(2);
  const uint64_t bytes = manager_->GetTotalSize();
  manager_->SetMaxAllowedSpaceUsage(2 * bytes - 1);
  EXPECT_TRUE(CompactAll().IsCompactionTooLarge());
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  std::vector<std::string> names;
  for (const LiveFileMetaData& file : live) names.push_back(file.name);
  EXPECT_TRUE(
      db_->CompactFiles(CompactionOptions(), names, 1).IsCompactionTooLarge());
  EXPECT_EQ("2", Shape());
  Put("b", "2");  // Writes go on.
  manager_->SetMaxAllowedSpaceUsage(4 * bytes);
  EXPECT_TRUE(CompactAll().ok());
  EXPECT_FALSE(manager_->IsMaxAllowedSpaceReachedIncludingCompactions());
}

TEST_F(Space, AnAutomaticCompactionIsTriedAgain) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  Fill();
  Flush();
  const uint64_t one = manager_->GetTotalSize();
  manager_->SetMaxAllowedSpaceUsage(3 * one);
  Fill();
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  // Two tables would become one beside them.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ("2", Shape());
  Put("b", "2");
  manager_->SetMaxAllowedSpaceUsage(kManyBytes);
  while (Shape() != "0,1") std::this_thread::yield();
}

// Else the writers would wait for a compaction that may never begin.
TEST_F(Space, WritersThatWaitForARefusedCompactionFail) {
  StopBehindARefusedCompaction();
  const Status refused = db_->Put(WriteOptions(), "b", "2");
  EXPECT_EQ(Status::kSpaceLimit, refused.subcode()) << refused.ToString();
  manager_->SetMaxAllowedSpaceUsage(kManyBytes);
  ASSERT_TRUE(db_->Resume().ok());
  Put("b", "2");
}

TEST_F(Space, FilesAreDeletedAtTheRate) {
  DeleteSlowly();
  Open();
  MakeTables(3);
  ASSERT_TRUE(CompactAll().ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  // The first file went at once, and its time is not over.
  EXPECT_GE(Files(".trash").size(), 2u);
  EXPECT_EQ(1u, Files(".sst").size());
  EXPECT_GT(manager_->GetTotalTrashSize(), 0u);
  ExpectTracksLiveFiles();
  // What is left is found at the next opening, and waits again.
  db_.reset();
  manager_.reset(NewSstFileManager(env_.get()));
  DeleteSlowly();
  options_.sst_file_manager = manager_;
  Open();
  EXPECT_GT(manager_->GetTotalTrashSize(), 0u);
  EXPECT_EQ(100u, Rows().size());
  AwaitEmptyTrash();
  EXPECT_TRUE(Files(".trash").empty());
  ExpectTracksLiveFiles();
}

TEST_F(Space, DestroyDbLeavesNoTrash) {
  DeleteSlowly();
  Open();
  MakeTables(3);
  ASSERT_TRUE(CompactAll().ok());
  db_.reset();
  ASSERT_FALSE(Files(".trash").empty());
  ASSERT_TRUE(DestroyDB(kName, options_).ok());
  EXPECT_TRUE(env_->FileExists(kName).IsNotFound());
}

// What is in no log is written when the database is closed, limit or not.
TEST_F(Space, ClosingAtTheLimitWritesEveryFamily) {
  Open();
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "more", &family).ok());
  manager_->SetMaxAllowedSpaceUsage(1);
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(db_->Put(unlogged, "a", "1").ok());
  ASSERT_TRUE(db_->Put(unlogged, family, "b", "2").ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
  EXPECT_TRUE(db_->Close().ok());
  db_.reset();
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_TRUE(
      DB::Open(options_, kName,
               {{kDefaultColumnFamilyName, options_}, {"more", options_}},
               &handles, &db_)
          .ok());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).ok());
  EXPECT_TRUE(db_->Get(ReadOptions(), handles[1], "b", &value).ok());
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  }
}

// Another database's compaction may free space soon.
TEST_F(Space, WritersWaitWhileAnotherDatabaseHoldsSpace) {
  StopBehindARefusedCompaction();
  auto& manager = static_cast<engine::SstFileManagerImpl&>(*manager_);
  auto held =
      std::make_unique<engine::SstFileManagerImpl::Reservation>(&manager, 1000);
  std::thread raise([&] {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    manager_->SetMaxAllowedSpaceUsage(kManyBytes);
  });
  const Status waited = db_->Put(WriteOptions(), "b", "2");
  EXPECT_TRUE(waited.ok()) << waited.ToString();
  raise.join();
}

// A database without a manager deletes trash that another one left behind.
TEST_F(Space, WithoutAManagerTrashGoesAtTheNextOpening) {
  DeleteSlowly();
  Open();
  MakeTables(3);
  ASSERT_TRUE(CompactAll().ok());
  db_.reset();
  options_.sst_file_manager = nullptr;
  manager_.reset();
  Open();
  EXPECT_TRUE(Files(".trash").empty());
}

TEST_F(Space, ACheckpointKeepsFilesThatBecomeTrash) {
  manager_.reset(NewSstFileManager(env_.get(), nullptr, "", 1000, true, nullptr,
                                   100, /*bytes_max_delete_chunk=*/1000));
  options_.sst_file_manager = manager_;
  Open();
  MakeTables(2);
  Checkpoint* made = nullptr;
  ASSERT_TRUE(Checkpoint::Create(db_.get(), &made).ok());
  const std::unique_ptr<Checkpoint> checkpoint(made);
  ASSERT_TRUE(checkpoint->CreateCheckpoint("/copy").ok());
  ASSERT_TRUE(CompactAll().ok());
  AwaitEmptyTrash();
  std::unique_ptr<DB> copy;
  ASSERT_TRUE(DB::Open(options_, "/copy", &copy).ok());
  EXPECT_EQ(100u, RowsOf(copy.get(), copy->DefaultColumnFamily()).size());
}

TEST_F(Space, AFailedOpeningForgetsItsFiles) {
  Open();
  Fill();
  Flush();
  db_.reset();
  ASSERT_TRUE(
      fs_->SetRule("(ErrInjected (And sync (PathMatch \"MANIFEST*\")))").ok());
  EXPECT_FALSE(DB::Open(options_, kName, &db_).ok());
  EXPECT_EQ(0u, manager_->GetTotalSize());
  fs_->ClearRule();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
