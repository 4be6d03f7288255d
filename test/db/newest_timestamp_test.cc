// GetNewestUserDefinedTimestamp: of what is in memtables and in tables.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/stackable_db.h"
#include "test/support/ok.h"
#include "test/support/u64_ts.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class NewestTimestampTest : public ::testing::Test {
 protected:
  NewestTimestampTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.comparator = BytewiseComparatorWithU64Ts();
  }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  void Put(const std::string& key, uint64_t time) {
    test::Ok(db_->Put(WriteOptions(), key, test::Ts(time), "v"));
  }
  // 0: there is none.
  uint64_t Newest() {
    std::string bytes = "not yet";
    test::Ok(
        db_->GetNewestUserDefinedTimestamp(db_->DefaultColumnFamily(), &bytes));
    if (bytes.empty()) return 0;
    uint64_t time = 0;
    test::Ok(DecodeU64Ts(bytes, &time));
    return time;
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(NewestTimestampTest, IsThatOfAllMemtablesAndTables) {
  Open();
  EXPECT_EQ(0u, Newest());
  Put("a", 7);
  Put("b", 5);
  EXPECT_EQ(7u, Newest());
  test::Ok(db_->Flush(FlushOptions()));
  EXPECT_EQ(7u, Newest());
  Put("c", 6);  // Newer by sequence only.
  EXPECT_EQ(7u, Newest());
  test::Ok(db_->Delete(WriteOptions(), "a", test::Ts(9)));
  EXPECT_EQ(9u, Newest());
  test::Ok(db_->DeleteRange(WriteOptions(), "a", "c", test::Ts(11)));
  EXPECT_EQ(11u, Newest());
  Put("d", 12);
  db_.reset();
  Open();
  EXPECT_EQ(12u, Newest());
  test::Ok(db_->CompactRange({}, nullptr, nullptr));
  EXPECT_EQ(12u, Newest());
}

// So are those of tables without timestamps after a compaction.
TEST_F(NewestTimestampTest, OfATableOfZerosIsTheTimeBelowTheLimit) {
  Open();
  Put("a", 0);
  test::Ok(db_->Flush(FlushOptions()));
  EXPECT_EQ(0u, Newest());
  test::Ok(
      db_->IncreaseFullHistoryTsLow(db_->DefaultColumnFamily(), test::Ts(10)));
  EXPECT_EQ(9u, Newest());
  Put("b", 12);
  test::Ok(db_->Flush(FlushOptions()));
  EXPECT_EQ(12u, Newest());
}

TEST_F(NewestTimestampTest, PassesThroughADatabaseOnTop) {
  Open();
  Put("a", 3);
  db_ = std::make_unique<StackableDB>(db_.release());
  EXPECT_EQ(3u, Newest());
}

TEST_F(NewestTimestampTest, NeedsTimestampsAndAPlaceForOne) {
  Open();
  EXPECT_TRUE(
      db_->GetNewestUserDefinedTimestamp(db_->DefaultColumnFamily(), nullptr)
          .IsInvalidArgument());
  db_.reset();
  options_.comparator = BytewiseComparator();
  test::Ok(DB::Open(options_, "/plain", &db_));
  std::string newest;
  EXPECT_TRUE(
      db_->GetNewestUserDefinedTimestamp(db_->DefaultColumnFamily(), &newest)
          .IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
