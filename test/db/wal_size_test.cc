// max_total_wal_size with many column families.

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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
