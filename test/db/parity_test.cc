// Small answers that programs rely on, as RocksDB 7.8.3 and 11.8.1 give them.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/table.h"
#include "rocksdb/version.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The bytewise order under another name; counts its calls.
class CountingComparator final : public Comparator {
 public:
  const char* Name() const override { return "test.Counting"; }
  int Compare(const Slice& a, const Slice& b) const override {
    ++calls;
    return a.compare(b);
  }
  bool Equal(const Slice& a, const Slice& b) const override {
    ++calls;
    return a == b;
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}

  mutable std::atomic<int> calls{0};
};

bool HasSnappy() {
  const std::vector<CompressionType> all = GetSupportedCompressions();
  return std::count(all.begin(), all.end(), kSnappyCompression) > 0;
}

class ParityTest : public testing::Test {
 protected:
  ParityTest() {
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
  }

  void Open() {
    db_.reset();
    const Status status = DB::Open(options_, dir_.path(), &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(const std::string& key) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, "v").ok());
  }
  void Flush() { ASSERT_TRUE(db_->Flush(FlushOptions()).ok()); }

  // "may found" of a key.
  std::string MayExist(const std::string& key) {
    std::string value;
    bool found = true;
    const bool may = db_->KeyMayExist(ReadOptions(), key, &value, &found);
    return std::string(may ? "may" : "no") + (found ? " sure" : " unsure") +
           (may && found ? " " + value : "");
  }

  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(ParityTest, KeyMayExistIsSureOfWhatMemoryKnows) {
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  EXPECT_EQ("no sure", MayExist("never written"));
  Put("k");
  const ManagedSnapshot snapshot(db_.get());  // So that deletions are flushed.
  ASSERT_TRUE(db_->Delete(WriteOptions(), "deleted").ok());
  ASSERT_TRUE(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "r", "s")
          .ok());
  EXPECT_EQ("may sure v", MayExist("k"));
  EXPECT_EQ("no sure", MayExist("deleted"));
  EXPECT_EQ("no sure", MayExist("range"));
  EXPECT_EQ("no sure", MayExist("never written"));
  Flush();
  // The filter lets these through, and their block is not in memory.
  EXPECT_EQ("may unsure", MayExist("k"));
  EXPECT_EQ("may unsure", MayExist("deleted"));
  EXPECT_EQ("no sure", MayExist("never written"));
  std::string value;
  ASSERT_TRUE(db_->Get(ReadOptions(), "k", &value).ok());
  EXPECT_EQ("may sure v", MayExist("k"));
  EXPECT_EQ("no sure", MayExist("deleted"));
}

TEST_F(ParityTest, AnotherComparatorIsRefusedInRocksDBsWords) {
  CountingComparator counting;
  options_.comparator = &counting;
  Open();
  Put("a");
  db_.reset();
  options_.comparator = BytewiseComparator();
  EXPECT_EQ(
      "Invalid argument: leveldb.BytewiseComparator: does not match existing "
      "comparator test.Counting",
      DB::Open(options_, dir_.path(), &db_).ToString());
  EXPECT_EQ(
      "Invalid argument: leveldb.BytewiseComparator: does not match existing "
      "comparator test.Counting",
      DB::OpenForReadOnly(options_, dir_.path(), &db_).ToString());
}

TEST_F(ParityTest, LogBeginsWithTheVersionsAndWhatTheBuildCanDo) {
  Open();
  db_.reset();
  std::string log;
  ASSERT_TRUE(ReadFileToString(Env::Default(), dir_.File("LOG"), &log).ok());
  const auto& built = GetRocksBuildProperties();
  for (const std::string& line :
       {"RocksDB version: " + GetRocksVersionAsString(),
        "Riverstone version: " + GetRiverstoneVersionAsString(),
        "Git sha " + built.at("rocksdb_build_git_sha"),
        "Compile date " + built.at("rocksdb_build_date"),
        "Commit date " + built.at("riverstone_commit_date"),
        std::string("Compression algorithms supported:"),
        std::string("\tkSnappyCompression supported: ") +
            (HasSnappy() ? "1" : "0"),
        std::string("\tkXpressCompression supported: 0"),
        std::string("Fast CRC32 supported: "),
        std::string("DMutex implementation: pthread_mutex_t"),
        std::string("Jemalloc supported: 0")}) {
    EXPECT_NE(std::string::npos, log.find(" " + line)) << line;
  }
}

TEST_F(ParityTest, APropertyNamesTheReleaseTheCommitAndItsDate) {
  Open();
  std::string told;
  ASSERT_TRUE(db_->GetProperty("rocksdb.riverstone-version", &told));
  EXPECT_EQ(GetRiverstoneBuildInfoAsString(), told);
  const auto& built = GetRocksBuildProperties();
  EXPECT_EQ("Riverstone " + GetRiverstoneVersionAsString() + " (commit " +
                built.at("rocksdb_build_git_sha") + ", " +
                built.at("riverstone_commit_date") +
                "), compatible with RocksDB " + GetRocksVersionAsString(),
            told);
}

TEST_F(ParityTest, FlushingASingleKeyAsksTheComparatorNothing) {
  CountingComparator counting;
  options_.comparator = &counting;
  Open();
  Put("a");
  counting.calls = 0;
  Flush();
  EXPECT_EQ(0, counting.calls);
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
