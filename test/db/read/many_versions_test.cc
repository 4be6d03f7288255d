// Backwards over keys with many versions in the memtable.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/statistics.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ManyVersions : public test::FilesTest {
 protected:
  static constexpr uint64_t kVersions = 1000;

  ManyVersions() {
    options_.statistics = CreateDBStatistics();
    const Status status = MergeOperator::CreateFromString(
        ConfigOptions(), "stringappend", &options_.merge_operator);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }

  void Merge(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Merge(WriteOptions(), key, value).ok());
  }
  // Backwards and forwards agree.
  test::FileRows Backwards(const ReadOptions& read) {
    test::FileRows rows;
    const std::unique_ptr<Iterator> iter(db_->NewIterator(read));
    for (iter->SeekToLast(); iter->Valid(); iter->Prev()) {
      rows.emplace_back(iter->key().ToString(), iter->value().ToString());
    }
    EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
    std::reverse(rows.begin(), rows.end());
    EXPECT_EQ(Rows(read), rows);
    return rows;
  }
};

TEST_F(ManyVersions, AreSkippedBySeeks) {
  Open();
  Put("a", "first");
  for (uint64_t i = 0; i < kVersions; ++i) Put("k", std::to_string(i));
  const Snapshot* const middle = db_->GetSnapshot();
  for (uint64_t i = 0; i < kVersions; ++i) Put("k", std::to_string(i) + "+");
  Put("z", "last");

  SetPerfLevel(PerfLevel::kEnableCount);
  get_perf_context()->Reset();
  ReadOptions read;
  const std::unique_ptr<Iterator> iter(db_->NewIterator(read));
  iter->SeekToLast();
  iter->Prev();
  ASSERT_TRUE(iter->Valid());
  EXPECT_EQ("999+", iter->value().ToString());
  iter->Prev();
  ASSERT_TRUE(iter->Valid());
  EXPECT_EQ("first", iter->value().ToString());
  EXPECT_LT(get_perf_context()->internal_key_skipped_count, 50u);
  SetPerfLevel(PerfLevel::kDisable);

  read.snapshot = middle;
  EXPECT_EQ((test::FileRows{{"a", "first"}, {"k", "999"}}), Backwards(read));
  db_->ReleaseSnapshot(middle);
}

TEST_F(ManyVersions, EndInEveryKindOfEntry) {
  Open();
  std::vector<const Snapshot*> snapshots;
  const auto look = [&] { snapshots.push_back(db_->GetSnapshot()); };
  Put("a", "first");
  for (uint64_t i = 0; i < 100; ++i) Put("k", std::to_string(i));
  Merge("k", "x");
  look();
  Merge("k", "y");
  look();
  ASSERT_TRUE(db_->Delete(WriteOptions(), "k").ok());
  look();
  Merge("k", "z");
  Merge("k", "u");
  look();
  ASSERT_TRUE(db_->SingleDelete(WriteOptions(), "k").ok());
  look();
  Put("k", "v");
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "j", "l").ok());
  look();
  Merge("k", "w");
  for (uint64_t i = 0; i < 20; ++i) Merge("k", "m");
  look();

  const std::vector<std::string> values = {"99,x", "99,x,y", "", "z,u", "", ""};
  std::string all = "w";
  for (int i = 0; i < 20; ++i) all += ",m";
  for (size_t i = 0; i < snapshots.size(); ++i) {
    ReadOptions read;
    read.snapshot = snapshots[i];
    const std::string& value = i < values.size() ? values[i] : all;
    test::FileRows rows = {{"a", "first"}};
    if (!value.empty()) rows.emplace_back("k", value);
    EXPECT_EQ(rows, Backwards(read)) << i;
    db_->ReleaseSnapshot(snapshots[i]);
  }
}

// In tables, too, where values may be pinned.
TEST_F(ManyVersions, StayPinnedInTables) {
  options_.max_sequential_skip_in_iterations = 2;
  Open();
  std::vector<const Snapshot*> snapshots;
  for (uint64_t i = 0; i < 100; ++i) {
    Put("k" + std::to_string(i % 5), std::string(100, 'v') + std::to_string(i));
    snapshots.push_back(db_->GetSnapshot());
    if (i % 40 == 39) Flush();
  }
  ReadOptions read;
  read.pin_data = true;
  for (const Snapshot* const snapshot : snapshots) {
    read.snapshot = snapshot;
    Backwards(read);
    db_->ReleaseSnapshot(snapshot);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
