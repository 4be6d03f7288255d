// ClipColumnFamily: which keys stay, what is left in the tables, and what is
// there after a crash or an error on the way.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "test/support/crash_fs.h"
#include "test/support/error_fs.h"
#include "test/support/model_db.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using ClipRows = test::ModelDb::Rows;

std::string ClipKey(int i) {
  char text[16];
  std::snprintf(text, sizeof text, "k%03d", i);
  return text;
}

Options ClipOptions(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.compression = kNoCompression;
  options.disable_auto_compactions = true;
  options.target_file_size_base = 2 << 10;
  test::Ok(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                           &options.merge_operator));
  return options;
}

// Several levels, deletions over older values, and rows in the memtable. The
// answer: what can be read.
ClipRows FillForClip(DB* db) {
  test::ModelDb model;
  model.CreateFamily("f", test::ModelDb::Merging::kAppend);
  const WriteOptions write;
  const std::string padding(60, '.');
  const auto put = [&](int i, const std::string& value) {
    test::Ok(db->Put(write, ClipKey(i), value + padding));
    model.Put("f", ClipKey(i), value + padding);
  };
  for (int i = 0; i < 100; ++i) put(i, "old");
  test::Ok(db->CompactRange({}, nullptr, nullptr));
  for (int i = 0; i < 100; i += 3) {
    test::Ok(db->Delete(write, ClipKey(i)));
    model.Delete("f", ClipKey(i));
  }
  test::Ok(db->DeleteRange(write, ClipKey(10), ClipKey(15)));
  model.DeleteRange("f", ClipKey(10), ClipKey(15));
  test::Ok(db->DeleteRange(write, ClipKey(85), ClipKey(92)));
  model.DeleteRange("f", ClipKey(85), ClipKey(92));
  test::Ok(db->Flush(FlushOptions()));
  for (int i = 1; i < 100; i += 5) {
    test::Ok(db->Merge(write, ClipKey(i), "m"));
    model.Merge("f", ClipKey(i), "m");
  }
  test::Ok(db->Flush(FlushOptions()));
  for (int i = 0; i < 100; i += 9) put(i, "new");
  return model.rows("f");
}

ClipRows ClipRowsOf(DB* db, const ReadOptions& read = ReadOptions()) {
  const std::unique_ptr<Iterator> it(db->NewIterator(read));
  ClipRows rows = test::ReadForward(it.get());
  test::Ok(it->status());
  return rows;
}

ClipRows ClippedRows(const ClipRows& rows, const std::string& begin,
                     const std::string& end) {
  return ClipRows(rows.lower_bound(begin), rows.lower_bound(end));
}

// Each of `rows` is in `all`, with its value.
void ExpectPartOf(const ClipRows& all, const ClipRows& rows,
                  const std::string& where) {
  for (const auto& [key, value] : rows) {
    const auto found = all.find(key);
    ASSERT_TRUE(found != all.end()) << key << " " << where;
    ASSERT_EQ(found->second, value) << key << " " << where;
  }
}

class ClipFamily : public ::testing::Test {
 protected:
  ClipFamily()
      : env_(NewMemEnv(Env::Default())), options_(ClipOptions(env_.get())) {}

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  Status Clip(const std::string& begin, const std::string& end) {
    return db_->ClipColumnFamily(db_->DefaultColumnFamily(), begin, end);
  }
  // "first..last" over all tables, as their boundaries say.
  std::string Boundaries() {
    ColumnFamilyMetaData family;
    db_->GetColumnFamilyMetaData(&family);
    std::string first;
    std::string last;
    for (const LevelMetaData& level : family.levels) {
      for (const SstFileMetaData& file : level.files) {
        if (first.empty() || file.smallestkey < first) first = file.smallestkey;
        if (file.largestkey > last) last = file.largestkey;
      }
    }
    return first + ".." + last;
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(ClipFamily, KeepsTheRangeAndNothingElse) {
  Open();
  const ClipRows rows = FillForClip(db_.get());
  test::Ok(Clip(ClipKey(20), ClipKey(80)));
  const ClipRows kept = ClippedRows(rows, ClipKey(20), ClipKey(80));
  EXPECT_EQ(kept, ClipRowsOf(db_.get()));
  EXPECT_EQ(kept.begin()->first + ".." + kept.rbegin()->first, Boundaries());
  db_.reset();
  Open();
  EXPECT_EQ(kept, ClipRowsOf(db_.get()));
  // Once more; and with ends that are no keys.
  test::Ok(Clip(ClipKey(20), ClipKey(80)));
  EXPECT_EQ(kept, ClipRowsOf(db_.get()));
  test::Ok(Clip("k03", "k05"));
  EXPECT_EQ(ClippedRows(rows, "k03", "k05"), ClipRowsOf(db_.get()));
}

TEST_F(ClipFamily, AnEmptyRangeLeavesNothing) {
  Open();
  FillForClip(db_.get());
  test::Ok(Clip(ClipKey(50), ClipKey(50)));
  EXPECT_TRUE(ClipRowsOf(db_.get()).empty());
  EXPECT_EQ("..", Boundaries());
  test::Ok(Clip("a", "z"));  // Of an empty family.
  EXPECT_TRUE(ClipRowsOf(db_.get()).empty());
}

TEST_F(ClipFamily, ARangeAroundAllKeysKeepsThem) {
  Open();
  const ClipRows rows = FillForClip(db_.get());
  test::Ok(Clip("a", "z"));
  EXPECT_EQ(rows, ClipRowsOf(db_.get()));
  test::Ok(Clip(ClipKey(0), ClipKey(99)));  // But for the last one.
  EXPECT_EQ(ClippedRows(rows, ClipKey(0), ClipKey(99)), ClipRowsOf(db_.get()));
}

TEST_F(ClipFamily, FollowsTheOrderOfTheFamily) {
  options_.comparator = ReverseBytewiseComparator();
  Open();
  for (int i = 0; i < 10; ++i) {
    test::Ok(db_->Put(WriteOptions(), ClipKey(i), "v"));
  }
  EXPECT_TRUE(Clip(ClipKey(3), ClipKey(7)).IsInvalidArgument());
  test::Ok(Clip(ClipKey(7), ClipKey(3)));
  const ClipRows rows = ClipRowsOf(db_.get());
  ASSERT_EQ(4u, rows.size());
  EXPECT_EQ(ClipKey(4), rows.begin()->first);
  EXPECT_EQ(ClipKey(7), rows.rbegin()->first);
}

// What is clipped is counted as their garbage, so that they go.
TEST_F(ClipFamily, LeavesNoBlobFilesOfClippedRows) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 16;
  options_.blob_file_size = 4 << 10;  // About thirty values.
  Open();
  for (int i = 0; i < 1000; ++i) {
    test::Ok(db_->Put(WriteOptions(), ClipKey(i), std::string(100, 'v')));
  }
  CompactRangeOptions rewrite;
  rewrite.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  test::Ok(db_->CompactRange(rewrite, nullptr, nullptr));
  const auto blob_files = [this] {
    uint64_t number = 0;
    EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kNumBlobFiles, &number));
    return number;
  };
  ColumnFamilyMetaData family;
  db_->GetColumnFamilyMetaData(&family);
  EXPECT_LT(2u, family.file_count);  // Some lie outside as a whole.
  EXPECT_LT(20u, blob_files());
  test::Ok(Clip(ClipKey(0), ClipKey(100)));
  EXPECT_EQ(100u, ClipRowsOf(db_.get()).size());
  EXPECT_GE(5u, blob_files());
}

TEST_F(ClipFamily, SnapshotsSeeWhatTheySaw) {
  Open();
  const ClipRows rows = FillForClip(db_.get());
  ReadOptions old;
  old.snapshot = db_->GetSnapshot();
  test::Ok(Clip(ClipKey(20), ClipKey(80)));
  EXPECT_EQ(ClippedRows(rows, ClipKey(20), ClipKey(80)), ClipRowsOf(db_.get()));
  EXPECT_EQ(rows, ClipRowsOf(db_.get(), old));
  db_->ReleaseSnapshot(old.snapshot);
  test::Ok(Clip(ClipKey(20), ClipKey(80)));
  EXPECT_EQ(ClippedRows(rows, ClipKey(20), ClipKey(80)), ClipRowsOf(db_.get()));
}

TEST_F(ClipFamily, IsRefusedWithTimestampsAndWhereNothingIsWritten) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  Open();
  EXPECT_TRUE(Clip("a", "b").IsNotSupported());
  db_.reset();
  test::Ok(DB::OpenForReadOnly(options_, "/db", &db_));
  EXPECT_TRUE(Clip("a", "b").IsNotSupported());
}

TEST(ClipFamilyCrash, LeavesTheOldRowsOrAPartThatHoldsTheRange) {
  ClipRows rows;
  const std::string begin = ClipKey(20);
  const std::string end = ClipKey(80);
  test::CrashPlan plan;
  plan.every = 3;
  const uint64_t states = test::ForEachCrashPoint(
      [&](Env* env, test::CrashScript* script) {
        std::unique_ptr<DB> db;
        test::Ok(DB::Open(ClipOptions(env), "/db", &db));
        rows = FillForClip(db.get());
        test::Ok(db->SyncWAL());
        script->Reached(1);
        test::Ok(db->ClipColumnFamily(db->DefaultColumnFamily(), begin, end));
        script->Reached(2);
      },
      [&](const test::CrashPoint& point, Env* env) {
        if (point.reached == 0) return;
        std::unique_ptr<DB> db;
        test::Ok(DB::Open(ClipOptions(env), "/db", &db));
        const ClipRows found = ClipRowsOf(db.get());
        ExpectPartOf(rows, found, point.ToString());
        ExpectPartOf(found, ClippedRows(rows, begin, end), point.ToString());
        if (point.reached == 2) {
          EXPECT_EQ(ClippedRows(rows, begin, end), found) << point.ToString();
        }
        // It can be done again.
        test::Ok(db->ClipColumnFamily(db->DefaultColumnFamily(), begin, end));
        EXPECT_EQ(ClippedRows(rows, begin, end), ClipRowsOf(db.get()))
            << point.ToString();
      },
      plan);
  EXPECT_LT(10u, states);
}

TEST(ClipFamilyErrors, LeaveTheOldRowsOrAPartThatHoldsTheRange) {
  const std::string begin = ClipKey(20);
  const std::string end = ClipKey(80);
  const uint64_t runs = test::ForEachFailingCall(
      {}, [&](Env* env, test::ErrorFileSystem* fs, uint64_t call) {
        std::unique_ptr<DB> db;
        if (!DB::Open(ClipOptions(env), "/db", &db).ok()) return;
        const std::string padding(200, '.');
        for (int i = 0; i < 100; ++i) {
          if (!db->Put(WriteOptions(), ClipKey(i), padding).ok()) return;
        }
        if (!db->Flush(FlushOptions()).ok()) return;
        const ClipRows rows = ClipRowsOf(db.get());
        const Status status =
            db->ClipColumnFamily(db->DefaultColumnFamily(), begin, end);
        const std::string where = "call " + std::to_string(call);
        ClipRows found = ClipRowsOf(db.get());
        ExpectPartOf(rows, found, where);
        ExpectPartOf(found, ClippedRows(rows, begin, end), where);
        if (status.ok()) {
          EXPECT_EQ(ClippedRows(rows, begin, end), found) << where;
        }
        db.reset();
        fs->ClearRule();
        test::Ok(DB::Open(ClipOptions(env), "/db", &db));
        found = ClipRowsOf(db.get());
        ExpectPartOf(rows, found, where);
        ExpectPartOf(found, ClippedRows(rows, begin, end), where);
      });
  EXPECT_LT(10u, runs);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
