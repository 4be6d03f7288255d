// Flushes that wait for more memtables: a sealed one never waits for a second
// one that cannot come.

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "test/db/tuned_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class FlushMergeTest : public ::testing::Test {
 protected:
  FlushMergeTest() : env_(NewMemEnv(Env::Default())) {
    db_.options().write_buffer_size = 128 << 10;
    db_.options().max_write_buffer_number = 6;
    db_.options().max_bytes_for_level_base = 64 << 20;
    // Only the test decides how many memtables a flush waits for.
    db_.options().auto_tuned_compaction = false;
  }
  void Open() { ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db")); }
  void WaitFor(int memtables) {
    engine::MutexLock lock(&db_.state().mu);
    for (const auto& family : db_.state().families->all()) {
      engine::FamilyDecision shape;
      shape.flush_merge_memtables = memtables;
      family->ApplyShape(shape);
    }
  }
  void Fill(int kib, const std::string& prefix = "k",
            ColumnFamilyHandle* family = nullptr) {
    if (family == nullptr) family = db_->DefaultColumnFamily();
    for (int i = 0; i < kib; ++i) {
      ASSERT_TRUE(db_->Put(WriteOptions(), family, prefix + std::to_string(i),
                           std::string(1000, 'v'))
                      .ok());
    }
  }
  int sealed(const char* name = "default") {
    engine::MutexLock lock(&db_.state().mu);
    return static_cast<int>(
        db_.state().families->Get(name)->imm().num_unflushed());
  }
  bool AwaitFlushed(const char* name = "default") {
    return TunedDb::Await([&] { return sealed(name) == 0; });
  }

  std::unique_ptr<Env> env_;
  TunedDb db_;
};

TEST_F(FlushMergeTest, ThreeMemtablesBecomeOneFile) {
  Open();
  WaitFor(3);
  Fill(180);
  EXPECT_EQ(1, sealed());
  EXPECT_EQ(0, db_.level0_files());
  Fill(300);
  EXPECT_TRUE(TunedDb::Await([this] { return db_.level0_files() == 1; }));
  EXPECT_GE(1, sealed());
}

TEST_F(FlushMergeTest, AFlushByHandTakesTheOneThatWaits) {
  Open();
  WaitFor(3);
  Fill(180);
  ASSERT_EQ(1, sealed());
  EXPECT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ(0, sealed());
}

TEST_F(FlushMergeTest, ASmallerNumberLetsWaitingOnesGo) {
  Open();
  WaitFor(3);
  Fill(180);
  ASSERT_EQ(1, sealed());
  ASSERT_TRUE(db_->SetOptions({{"auto_tuned_compaction", "true"}}).ok());
  db_.Tick();  // No writes: nothing to wait for.
  EXPECT_TRUE(AwaitFlushed());
}

TEST_F(FlushMergeTest, StoppedWritersWaitForNoFurtherMemtable) {
  db_.options().max_write_buffer_number = 3;
  Open();
  WaitFor(9);  // More than there can be.
  auto filled = std::async(std::launch::async, [this] { Fill(900); });
  const bool in_time =
      filled.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  EXPECT_TRUE(in_time);
  if (!in_time) WaitFor(1);
  filled.get();
  EXPECT_GE(db_.level0_files() + sealed(), 1);
}

TEST_F(FlushMergeTest, FullLogsTakeTheOneThatWaits) {
  db_.options().max_total_wal_size = 600 << 10;
  db_.options().create_missing_column_families = true;
  Open();
  ColumnFamilyHandle* other = nullptr;
  ColumnFamilyOptions options(db_.options());
  options.write_buffer_size = 16 << 20;
  ASSERT_TRUE(db_->CreateColumnFamily(options, "o", &other).ok());
  WaitFor(5);
  Fill(180);
  ASSERT_EQ(1, sealed());
  Fill(800, "o", other);
  EXPECT_TRUE(AwaitFlushed());
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

TEST_F(FlushMergeTest, ClosingKeepsWhatWaits) {
  Open();
  WaitFor(3);
  Fill(180);
  ASSERT_EQ(1, sealed());
  db_.Close();
  Open();
  EXPECT_EQ(180u, db_.Rows().size());
}

TEST_F(FlushMergeTest, ClosingKeepsWhatWaitsWithoutALog) {
  Open();
  WaitFor(3);
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  for (int i = 0; i < 180; ++i) {
    ASSERT_TRUE(
        db_->Put(unlogged, "k" + std::to_string(i), std::string(1000, 'v'))
            .ok());
  }
  ASSERT_EQ(1, sealed());
  db_.Close();
  Open();
  EXPECT_EQ(180u, db_.Rows().size());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
