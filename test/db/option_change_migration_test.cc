// OptionChangeMigration: in which level everything is afterwards, and which
// options are refused.

#include "rocksdb/utilities/option_change_migration.h"

#include <gtest/gtest.h>

#include <string>

#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class OptionChange : public test::FilesTest {
 protected:
  // Entries in level 1 or deeper, in level 0 and in the log.
  void Fill() {
    Open();
    Put("a", "1");
    Put("c", "1");
    Flush();
    const CompactRangeOptions all;
    ASSERT_TRUE(db_->CompactRange(all, nullptr, nullptr).ok());
    Put("b", "2");
    Put("c", "2");
    Flush();
    Put("d", "3");
    rows_ = Rows();
    ASSERT_EQ(rows_.size(), 4u);
    filled_ = Shape();
    db_.reset();
  }
  void ExpectMoved(const Options& to, const std::string& shape) {
    const Status status = OptionChangeMigration(kName, options_, to);
    ASSERT_TRUE(status.ok()) << status.ToString();
    options_ = to;
    Open();
    EXPECT_EQ(shape, Shape());
    EXPECT_EQ(rows_, Rows());
  }

  test::FileRows rows_;
  std::string filled_;
};

TEST_F(OptionChange, DynamicLevelsGetEverythingInTheLastOne) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ("1,1", filled_);
  Options to = options_;
  to.level_compaction_dynamic_level_bytes = true;
  to.num_levels = 4;
  ExpectMoved(to, "0,0,0,1");
}

TEST_F(OptionChange, FewerStaticLevelsGetEverythingInTheFirst) {
  options_.level_compaction_dynamic_level_bytes = true;
  options_.num_levels = 7;
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ("1,0,0,0,0,0,1", filled_);
  Options to = options_;
  to.level_compaction_dynamic_level_bytes = false;
  to.num_levels = 3;
  EXPECT_TRUE(DB::Open(to, kName, &db_).IsInvalidArgument());
  ExpectMoved(to, "0,1");
}

TEST_F(OptionChange, MoreDynamicLevelsGetEverythingInTheirLast) {
  options_.level_compaction_dynamic_level_bytes = true;
  options_.num_levels = 3;
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ("1,0,1", filled_);
  Options to = options_;
  to.num_levels = 5;
  ExpectMoved(to, "0,0,0,0,1");
}

// An open takes two levels at least.
TEST_F(OptionChange, OneLevelIsTwo) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  Options to = options_;
  to.num_levels = 1;
  ExpectMoved(to, "0,1");
}

TEST_F(OptionChange, OtherStylesAndMissingDatabasesAreRefused) {
  Options universal = options_;
  universal.compaction_style = kCompactionStyleUniversal;
  Options fifo = options_;
  fifo.compaction_style = kCompactionStyleFIFO;
  EXPECT_TRUE(
      OptionChangeMigration(kName, universal, options_).IsNotSupported());
  const Status status = OptionChangeMigration(kName, options_, fifo);
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("new options"));
  // Whatever the options say, none is made.
  EXPECT_FALSE(OptionChangeMigration(kName, options_, options_).ok());
  EXPECT_FALSE(test::Exists(fs_.get(), std::string(kName) + "/CURRENT"));
}

TEST_F(OptionChange, ADatabaseThatIsOpenStaysAsItIs) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  Open();
  const std::string before = Shape();
  EXPECT_FALSE(OptionChangeMigration(kName, options_, options_).ok());
  EXPECT_EQ(before, Shape());
  EXPECT_EQ(rows_, Rows());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
