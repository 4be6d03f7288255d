// Scans that pass many hidden entries of the memtable have it flushed.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ScanFlush : public ::testing::Test {
 protected:
  ScanFlush()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    options_.max_sequential_skip_in_iterations = 1000;
    options_.memtable_op_scan_flush_trigger = 10;
  }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  void Put(int i) { test::Ok(db_->Put(WriteOptions(), Key(i), "v")); }
  // [first, last), so that they are in a file and hidden in the memtable.
  void Hide(int first, int last) {
    for (int i = first; i < last; ++i) {
      test::Ok(db_->Delete(WriteOptions(), Key(i)));
    }
  }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  std::unique_ptr<Iterator> Iter() {
    return std::unique_ptr<Iterator>(db_->NewIterator(ReadOptions()));
  }
  // After the write that a flush waits for.
  bool Flushed() {
    test::Ok(db_->Put(WriteOptions(), "a", "v"));
    test::Ok(db_->WaitForCompact(WaitForCompactOptions()));
    uint64_t entries = 0;
    EXPECT_TRUE(
        db_->GetIntProperty("rocksdb.num-entries-active-mem-table", &entries));
    return entries == 1;
  }

  Options options_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<DB> db_;
};

TEST_F(ScanFlush, OneStepThatPassesManyIsEnough) {
  for (const int hidden : {9, 10}) {
    Open();
    for (int i = 0; i < 40; ++i) Put(i);
    Hide(1, 1 + hidden);  // Each is two entries.
    options_.memtable_op_scan_flush_trigger = 2 * 10;
    test::Ok(db_->SetOptions({{"memtable_op_scan_flush_trigger", "20"}}));
    auto iter = Iter();
    iter->SeekToFirst();
    EXPECT_FALSE(Flushed());
    iter->Next();  // "a" of Flushed() is newer than the iterator.
    ASSERT_TRUE(iter->Valid());
    EXPECT_EQ(Key(1 + hidden), iter->key());
    EXPECT_EQ(hidden == 10, Flushed()) << hidden;
    iter.reset();
    db_.reset();
    test::Ok(DestroyDB("/db", options_));
  }
}

TEST_F(ScanFlush, ASeekCountsTooAndStepsBackwardDoNot) {
  Open();
  for (int i = 0; i < 40; ++i) Put(i);
  Hide(0, 20);
  auto iter = Iter();
  iter->SeekToLast();
  while (iter->Valid()) iter->Prev();
  EXPECT_FALSE(Flushed());
  iter = Iter();
  iter->Seek(Key(1));
  EXPECT_EQ(Key(20), iter->key());
  EXPECT_TRUE(Flushed());
}

TEST_F(ScanFlush, TheAverageOfAScanCountsWhenItEnds) {
  options_.memtable_avg_op_scan_flush_trigger = 3;
  for (const bool often : {false, true}) {
    Open();
    for (int i = 0; i < 200; ++i) {
      Put(i);
      // Of each key two or seven hidden versions, nowhere ten at once.
      for (int more = 0; more < (often ? 7 : 2); ++more) Put(i);
    }
    auto iter = Iter();
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
    }
    EXPECT_FALSE(Flushed());
    iter.reset();
    EXPECT_EQ(often, Flushed());
    db_.reset();
    test::Ok(DestroyDB("/db", options_));
  }
}

TEST_F(ScanFlush, IsOffByDefault) {
  options_.memtable_op_scan_flush_trigger = 0;
  options_.memtable_avg_op_scan_flush_trigger = 1;
  Open();
  for (int i = 0; i < 40; ++i) Put(i);
  Hide(0, 39);
  {
    const auto iter = Iter();
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
    }
  }
  EXPECT_FALSE(Flushed());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
