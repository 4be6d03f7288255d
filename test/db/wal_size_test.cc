// How large the logs are together: max_total_wal_size with many column
// families, and the logs that were replayed into memtables.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class WalSize : public test::FilesTest {};

// Each write sealed one more memtable of every family that held the oldest log,
// up to max_write_buffer_number, and writers stopped there.
TEST_F(WalSize, OverItsLimitStopsNoWriters) {
  constexpr size_t kFamilies = 10;
  options_.max_total_wal_size = 10000;
  Open();
  std::vector<ColumnFamilyHandle*> families;
  for (size_t i = 0; i < kFamilies; ++i) {
    ColumnFamilyHandle* family = nullptr;
    const Status status =
        db_->CreateColumnFamily(options_, "f" + std::to_string(i), &family);
    ASSERT_TRUE(status.ok()) << status.ToString();
    families.push_back(family);
  }
  ASSERT_TRUE(db_->PauseBackgroundWork().ok());
  WriteOptions at_once;
  at_once.no_slowdown = true;
  const auto write = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      for (ColumnFamilyHandle* const family : families) {
        const Status status =
            db_->Put(at_once, family, std::to_string(i), std::string(100, 'v'));
        ASSERT_TRUE(status.ok()) << i << ": " << status.ToString();
      }
    }
  };
  ASSERT_NO_FATAL_FAILURE(write(200));
  for (ColumnFamilyHandle* const family : families) {
    uint64_t sealed = 0;
    EXPECT_TRUE(db_->GetIntProperty(
        family, DB::Properties::kNumImmutableMemTable, &sealed));
    EXPECT_EQ(1u, sealed);
  }
  // The flushes that were asked for free the log, and the next one counts.
  ASSERT_TRUE(db_->ContinueBackgroundWork().ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  ASSERT_NO_FATAL_FAILURE(write(200));
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  for (ColumnFamilyHandle* const family : families) {
    ColumnFamilyMetaData meta;
    db_->GetColumnFamilyMetaData(family, &meta);
    EXPECT_GT(meta.file_count, 1u);
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
  }
}

// The first family's log counted as freed when it alone was over the limit. So
// a family that came later wrote logs without a bound.
TEST_F(WalSize, CountsWhatTheFirstFamilyWroteAlone) {
  options_.max_total_wal_size = 10000;
  Open();
  Put("alone", std::string(20000, 'v'));
  Put("alone", std::string(20000, 'v'));
  uint64_t unflushed = 0;
  const auto entries = [&] {
    EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
    EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kNumEntriesActiveMemTable,
                                    &unflushed));
    return unflushed;
  };
  EXPECT_EQ(2u, entries());
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "later", &family).ok());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(
        db_->Put(WriteOptions(), family, "k", std::string(20000, 'v')).ok());
  }
  EXPECT_EQ(0u, entries());
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
}

class ReplayedLogs : public test::FilesTest {
 protected:
  ReplayedLogs() {
    options_.avoid_flush_during_recovery = true;
    options_.create_missing_column_families = true;
  }
  ~ReplayedLogs() override { CloseBoth(); }

  // The default family and "other".
  void OpenBoth() {
    CloseBoth();
    const Status status =
        DB::Open(options_, kName,
                 {{kDefaultColumnFamilyName, options_}, {"other", options_}},
                 &families_, &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void CloseBoth() {
    for (ColumnFamilyHandle* const family : families_) {
      EXPECT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
    }
    families_.clear();
    db_.reset();
  }
  void PutOther(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), families_[1], key, value).ok());
  }
  size_t TablesOf(ColumnFamilyHandle* family) {
    EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
    ColumnFamilyMetaData meta;
    db_->GetColumnFamilyMetaData(family, &meta);
    return meta.file_count;
  }

  std::vector<ColumnFamilyHandle*> families_;
};

TEST_F(ReplayedLogs, GoWithTheFlushOfWhatTheyHeld) {
  Open();
  Put("a", "1");
  Open();
  Put("b", "2");
  Open();
  EXPECT_EQ(3u, Files(".log").size());
  Flush();
  EXPECT_EQ(1u, Files(".log").size());
  Put("c", "3");
  Flush();
  EXPECT_EQ(1u, Files(".log").size());
  Open();
  EXPECT_EQ((test::FileRows{{"a", "1"}, {"b", "2"}, {"c", "3"}}), Rows());
}

TEST_F(ReplayedLogs, AreNotWrittenOver) {
  options_.recycle_log_file_num = 2;
  Open();
  Put("a", "1");
  Open();
  Flush();
  EXPECT_EQ(1u, Files(".log").size());
}

TEST_F(ReplayedLogs, StayWhileAFamilyNeedsThem) {
  OpenBoth();
  Put("a", "1");
  PutOther("b", "2");
  OpenBoth();
  Put("c", "3");
  ASSERT_TRUE(db_->Flush(FlushOptions(), families_[0]).ok());
  EXPECT_EQ(1u, TablesOf(families_[0]));
  EXPECT_EQ(3u, Files(".log").size());
  ASSERT_TRUE(db_->Flush(FlushOptions(), families_[1]).ok());
  EXPECT_EQ(1u, TablesOf(families_[1]));
  EXPECT_EQ(1u, Files(".log").size());
}

TEST_F(ReplayedLogs, StayWhileDeletionsAreDisabled) {
  Open();
  Put("a", "1");
  Open();
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  Flush();
  EXPECT_EQ(2u, Files(".log").size());
  ASSERT_TRUE(db_->EnableFileDeletions().ok());
  EXPECT_EQ(1u, Files(".log").size());
}

TEST_F(ReplayedLogs, CountForTheLimit) {
  options_.max_total_wal_size = 10000;
  OpenBoth();
  Put("k", std::string(20000, 'v'));
  OpenBoth();
  EXPECT_EQ(0u, TablesOf(families_[0]));
  PutOther("k", "v");
  EXPECT_EQ(1u, TablesOf(families_[0]));
  EXPECT_EQ(1u, Files(".log").size());
}

TEST_F(ReplayedLogs, CountForCopiesOfLiveFiles) {
  Open();
  Put("k", std::string(20000, 'v'));
  Open();
  LiveFilesStorageInfoOptions copy;
  copy.wal_size_for_flush = 10000;
  std::vector<LiveFileStorageInfo> files;
  ASSERT_TRUE(db_->GetLiveFilesStorageInfo(copy, &files).ok());
  EXPECT_EQ("1", Shape());
}

// The MANIFEST still names the first log when memtables need only later ones.
TEST_F(ReplayedLogs, ThatHoldNothingKeepNoFamilyFromBeingFlushed) {
  options_.max_total_wal_size = 10000;
  OpenBoth();
  OpenBoth();
  for (int i = 0; i < 3; ++i) PutOther("k", std::string(20000, 'v'));
  EXPECT_LE(1u, TablesOf(families_[1]));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
