// CompactRange with change_level: files go to another level as they are.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ChangeLevel : public test::FilesTest {
 protected:
  static std::string Key(int i) { return "k" + std::to_string(100 + i); }

  // Level 1: files of two or three keys, and below a snapshot a range deletion
  // that reaches over several of them.
  void Fill(size_t file_bytes) {
    options_.target_file_size_base = file_bytes;
    Open();
    const auto put = [this] {
      for (int i = 0; i < 10; ++i) Put(Key(i), std::string(1000, 'v'));
    };
    put();
    snapshot_ = db_->GetSnapshot();
    ASSERT_TRUE(db_->DeleteRange(WriteOptions(), Key(2), Key(8)).ok());
    Flush();
    put();
    ASSERT_TRUE(db_->Delete(WriteOptions(), Key(5)).ok());
    Flush();
    ASSERT_TRUE(CompactTo(-1).ok());
  }
  Status CompactTo(int level) {
    CompactRangeOptions options;
    options.change_level = level >= 0;
    options.target_level = level;
    return db_->CompactRange(options, nullptr, nullptr);
  }
  void ExpectRows() {
    test::FileRows rows;
    for (int i = 0; i < 10; ++i) {
      if (i != 5) rows.emplace_back(Key(i), std::string(1000, 'v'));
    }
    EXPECT_EQ(rows, Rows());
  }
  void Reopen() {
    if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
    snapshot_ = nullptr;
    Open();
  }

  const Snapshot* snapshot_ = nullptr;
};

// As RocksDB 11.8.1 answers; 7.8.3 finds files whose sequences are in disorder.
TEST_F(ChangeLevel, SeveralFilesAreNotMovedIntoLevel0) {
  ASSERT_NO_FATAL_FAILURE(Fill(3000));
  const std::string shape = Shape();
  ASSERT_GT(shape, "0,2");
  const Status status = CompactTo(0);
  EXPECT_TRUE(status.IsAborted()) << status.ToString();
  EXPECT_NE(std::string::npos,
            status.ToString().find("Moving more than 1 file from non-L0 to L0"))
      << status.ToString();
  EXPECT_EQ(shape, Shape());
  ExpectRows();
  Reopen();
  ExpectRows();
  ASSERT_TRUE(CompactTo(3).ok());
  EXPECT_EQ("0,0,0," + shape.substr(2), Shape());
  ExpectRows();
  Reopen();
  ExpectRows();
}

TEST_F(ChangeLevel, OneFileIsMovedIntoLevel0WithItsRangeDeletions) {
  ASSERT_NO_FATAL_FAILURE(Fill(1 << 20));
  EXPECT_EQ("0,1", Shape());
  const Status status = CompactTo(0);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("1", Shape());
  ExpectRows();
  Reopen();
  ExpectRows();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
