// Logs that fail: what syncs promise afterwards, and what Resume() repairs.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "test/support/error_fs.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class LogErrors : public ::testing::Test {
 protected:
  LogErrors()
      : fs_(std::make_shared<test::ErrorFileSystem>(
            std::make_shared<engine::MemFileSystem>())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.max_bgerror_resume_count = 0;
  }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }

  const std::shared_ptr<test::ErrorFileSystem> fs_;
  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(LogErrors, ASyncThatFailsIsRepairedByResume) {
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(fs_->SetRule(
      "(ErrRetryable (And sync (PathMatch \"*.log\") (OnIndex 0)))"));
  EXPECT_TRUE(db_->SyncWAL().IsIOError());
  EXPECT_TRUE(db_->SyncWAL().IsIOError());
  test::Ok(db_->Resume());
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
  test::Ok(db_->SyncWAL());
}

TEST_F(LogErrors, AFlushOfTheLogThatFailsIsRepairedByResume) {
  options_.manual_wal_flush = true;
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(fs_->SetRule(
      "(ErrRetryable (And append (PathMatch \"*.log\") (OnIndex 0)))"));
  EXPECT_TRUE(db_->FlushWAL(/*sync=*/false).IsIOError());
  test::Ok(db_->Resume());
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
  test::Ok(db_->FlushWAL(/*sync=*/true));
}

// The flush of one family makes the older log durable for the other one; when
// that fails, a new log has taken its place.
TEST_F(LogErrors, NoSyncSucceedsWhileALogThatFailedIsNeeded) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &other));
  test::Ok(db_->Put(WriteOptions(), other, "a", "1"));
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
  test::Ok(fs_->SetRule(
      "(ErrInjected (And sync (PathMatch \"*.log\") (OnIndex 0)))"));
  EXPECT_TRUE(db_->Flush(FlushOptions()).IsIOError());
  EXPECT_TRUE(db_->SyncWAL().IsIOError());
  EXPECT_TRUE(db_->FlushWAL(/*sync=*/true).IsIOError());
  test::Ok(db_->DestroyColumnFamilyHandle(other));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
