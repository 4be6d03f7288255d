// GetUpdatesSince: the log as a program sees it; LockWAL.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/db_impl/update_iterator.h"
#include "db/format/file_names.h"
#include "db/wal/log_writer.h"
#include "db/write_batch/write_batch_internal.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/write_batch.h"
#include "test/support/effort.h"
#include "test/support/error_fs.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// "put k1, put k2, " of a batch.
class Told final : public WriteBatch::Handler {
 public:
  Status PutCF(uint32_t, const Slice& key, const Slice&) override {
    text += "put " + key.ToString() + ", ";
    return Status::OK();
  }
  Status DeleteCF(uint32_t, const Slice& key) override {
    text += "delete " + key.ToString() + ", ";
    return Status::OK();
  }
  std::string text;
};

class UpdatesTest : public testing::Test {
 protected:
  UpdatesTest() { Open(); }

  void Open() {
    options_.create_if_missing = true;
    db_.reset();
    const Status status = DB::Open(options_, dir_.path(), &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(const std::string& key) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, "v").ok());
  }
  std::unique_ptr<TransactionLogIterator> Since(SequenceNumber sequence) {
    std::unique_ptr<TransactionLogIterator> updates;
    const Status status = db_->GetUpdatesSince(sequence, &updates);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return updates;
  }
  static std::string Tell(TransactionLogIterator* updates) {
    BatchResult batch = updates->GetBatch();
    Told told;
    EXPECT_TRUE(batch.writeBatchPtr->Iterate(&told).ok());
    return std::to_string(batch.sequence) + ": " + told.text;
  }
  // Of what is left; the status must be OK at the end.
  static std::string Rest(TransactionLogIterator* updates) {
    std::string text;
    for (; updates->Valid(); updates->Next()) text += Tell(updates);
    EXPECT_TRUE(updates->status().ok()) << updates->status().ToString();
    return text;
  }

  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(UpdatesTest, ShowsBatchesFromTheOneThatHoldsTheSequence) {
  Put("a");
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("b", "v").ok());
  ASSERT_TRUE(batch.Delete("a").ok());
  ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  Put("c");
  EXPECT_EQ("1: put a, 2: put b, delete a, 4: put c, ", Rest(Since(0).get()));
  EXPECT_EQ("1: put a, 2: put b, delete a, 4: put c, ", Rest(Since(1).get()));
  EXPECT_EQ("2: put b, delete a, 4: put c, ", Rest(Since(3).get()));
  EXPECT_EQ("4: put c, ", Rest(Since(4).get()));
}

TEST_F(UpdatesTest, GoesOnWhenMoreIsWrittenAlsoInOtherLogs) {
  Put("a");
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  const auto updates = Since(1);
  EXPECT_EQ("1: put a, ", Rest(updates.get()));
  updates->Next();
  EXPECT_FALSE(updates->Valid());
  EXPECT_TRUE(updates->status().ok());
  Put("b");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  Put("c");
  updates->Next();
  EXPECT_EQ("2: put b, 3: put c, ", Rest(updates.get()));
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  Put("d");
  updates->Next();
  EXPECT_EQ("4: put d, ", Rest(updates.get()));
}

TEST_F(UpdatesTest, WhatIsNotWrittenYetIsNotFound) {
  std::unique_ptr<TransactionLogIterator> updates;
  EXPECT_EQ("NotFound: Requested sequence not yet written in the db",
            db_->GetUpdatesSince(1, &updates).ToString());
  EXPECT_EQ(nullptr, updates);
  Put("a");
  EXPECT_TRUE(db_->GetUpdatesSince(2, &updates).IsNotFound());
}

TEST_F(UpdatesTest, SinceZeroOfAnEmptyDatabaseFollowsItsFirstWrites) {
  const auto updates = Since(0);
  ASSERT_NE(nullptr, updates);
  EXPECT_EQ("", Rest(updates.get()));
  updates->Next();
  EXPECT_FALSE(updates->Valid());
  EXPECT_TRUE(updates->status().ok());
  Put("a");
  Put("b");
  updates->Next();
  EXPECT_EQ("1: put a, 2: put b, ", Rest(updates.get()));
}

TEST_F(UpdatesTest, AFlushedRangeIsLeftOut) {
  Put("a");
  Put("b");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  // The job deletes the log after the flush has been reported.
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  const auto updates = Since(1);
  EXPECT_EQ("", Rest(updates.get()));
  Put("c");
  EXPECT_EQ("3: put c, ", Rest(Since(0).get()));
  EXPECT_EQ("3: put c, ", Rest(Since(2).get()));
  EXPECT_EQ("3: put c, ", Rest(Since(3).get()));
  updates->Next();
  EXPECT_EQ("3: put c, ", Rest(updates.get()));
}

TEST_F(UpdatesTest, WhatWasNotLoggedIsLeftOutAtTheBeginning) {
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(db_->Put(unlogged, "a", "v").ok());
  ASSERT_TRUE(db_->Put(unlogged, "b", "v").ok());
  EXPECT_EQ("", Rest(Since(0).get()));
  EXPECT_EQ("", Rest(Since(2).get()));
  Put("c");
  EXPECT_EQ("3: put c, ", Rest(Since(1).get()));
}

TEST_F(UpdatesTest, AGapIsAnErrorAndNotPassedOver) {
  Put("a");
  const auto updates = Since(1);
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(db_->Put(unlogged, "b", "v").ok());
  Put("c");
  updates->Next();
  EXPECT_FALSE(updates->Valid());
  EXPECT_TRUE(updates->status().IsNotFound()) << updates->status().ToString();
  updates->Next();
  EXPECT_FALSE(updates->Valid());
  EXPECT_EQ("3: put c, ", Rest(Since(2).get()));
  EXPECT_EQ("3: put c, ", Rest(Since(3).get()));
}

TEST_F(UpdatesTest, FollowsWritersWithoutMissingOrRepeatingAnything) {
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  Put("first");
  constexpr int kWriters = 3;
  const int writes = test::Effort(600);
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([this, w, writes] {
      for (int i = 0; i < writes; ++i) {
        Put(std::to_string(w) + "-" + std::to_string(i));
        if (w == 0 && i % 50 == 0) {
          EXPECT_TRUE(db_->Flush(FlushOptions()).ok());
        }
      }
    });
  }
  const auto updates = Since(1);
  const auto total = static_cast<SequenceNumber>(kWriters * writes + 1);
  SequenceNumber seen = 0;
  while (seen < total && updates->status().ok()) {
    if (updates->Valid()) {
      const BatchResult batch = updates->GetBatch();
      EXPECT_EQ(seen + 1, batch.sequence);
      seen += static_cast<SequenceNumber>(batch.writeBatchPtr->Count());
    }
    updates->Next();
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_TRUE(updates->status().ok()) << updates->status().ToString();
  EXPECT_EQ(total, seen);
}

constexpr const char* kLogSyncFails =
    "(ErrRetryable (And sync (PathMatch \"*.log\") (OnIndex 0)))";

// A write whose log record is there although it has failed.
class FailedWrites : public UpdatesTest {
 protected:
  FailedWrites() {
    db_.reset();
    options_.env = env_.get();
    options_.max_bgerror_resume_count = 0;
    Open();
  }
  ~FailedWrites() override { db_.reset(); }

  void FailToPut(const std::string& key, const std::string& rule) {
    const Status set = fs_->SetRule(rule);
    ASSERT_TRUE(set.ok()) << set.ToString();
    WriteOptions synced;
    synced.sync = true;
    EXPECT_TRUE(db_->Put(synced, key, "v").IsIOError());
    fs_->ClearRule();
  }
  void Resume() {
    const Status status = db_->Resume();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  const std::shared_ptr<test::ErrorFileSystem> fs_ =
      std::make_shared<test::ErrorFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
};

// The next write has the same sequence, in another log.
TEST_F(FailedWrites, AreLeftOut) {
  for (const char* rule :
       {kLogSyncFails, "(ErrRetryable (And sync_dir (OnIndex 0)))"}) {
    Open();
    ASSERT_TRUE(db_->DisableFileDeletions().ok());
    const SequenceNumber before = db_->GetLatestSequenceNumber();
    const auto at = [&](SequenceNumber n) {
      return std::to_string(before + n) + ": put ";
    };
    Put("a");
    FailToPut("b", rule);
    Resume();
    Put("c");
    const auto updates = Since(before + 1);
    EXPECT_EQ(at(1) + "a, " + at(2) + "c, ", Rest(updates.get()));
    Put("d");
    updates->Next();
    EXPECT_EQ(at(3) + "d, ", Rest(updates.get()));
    EXPECT_EQ(at(2) + "c, " + at(3) + "d, ", Rest(Since(before + 2).get()));
  }
}

// Both logs begin with a write that fails.
TEST_F(FailedWrites, AreLeftOutWhereNothingElseIsInTheLog) {
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  FailToPut("a", kLogSyncFails);
  Resume();
  FailToPut("b", kLogSyncFails);
  Resume();
  EXPECT_EQ("", Rest(Since(0).get()));
  Put("c");
  EXPECT_EQ("1: put c, ", Rest(Since(0).get()));
  EXPECT_EQ("1: put c, ", Rest(Since(1).get()));
}

TEST_F(FailedWrites, AreLeftOutOfALogThatIsBeingRead) {
  Put("a");
  FailToPut("b", kLogSyncFails);
  const auto updates = Since(1);
  Resume();
  Put("c");
  EXPECT_EQ("1: put a, 2: put c, ", Rest(updates.get()));
}

// No log says then that the sequence was used again.
TEST_F(FailedWrites, AreLeftOutWhenNoLogHoldsWhatIsInTheirPlace) {
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  Put("a");
  FailToPut("b", kLogSyncFails);
  Resume();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(db_->Put(unlogged, "c", "v").ok());
  Put("d");
  const auto updates = Since(1);
  EXPECT_EQ("1: put a, ", Tell(updates.get()));
  updates->Next();
  EXPECT_FALSE(updates->Valid());
  EXPECT_TRUE(updates->status().IsNotFound()) << updates->status().ToString();
  EXPECT_EQ("3: put d, ", Rest(Since(2).get()));
}

// A log that a list of logs still has may have been deleted since.
TEST(UpdateIteratorTest, ALogThatHasGoneIsAGapAndNoIoError) {
  const auto fs = std::make_shared<engine::MemFileSystem>();
  ASSERT_TRUE(fs->CreateDir("/db", IOOptions(), nullptr).ok());
  const auto write_log = [&](uint64_t number, SequenceNumber sequence) {
    auto file = engine::WritableFileWriter::Create(
        fs.get(), engine::LogFileName("/db", number), FileOptions());
    ASSERT_TRUE(file.ok());
    engine::wal::Writer writer(std::move(*file), number, /*recycle=*/false);
    WriteBatch batch;
    ASSERT_TRUE(batch.Put("k", "v").ok());
    engine::WriteBatchInternal::SetSequence(&batch, sequence);
    ASSERT_TRUE(writer.AddRecord(batch.Data()).ok());
    ASSERT_TRUE(writer.Close().ok());
  };
  write_log(1, 10);
  write_log(4, 12);
  engine::UpdateIterator::Deps deps;
  deps.fs = fs.get();
  deps.wal_dir = "/db";
  deps.logs = [] { return std::vector<uint64_t>{1, 2, 3, 4}; };
  deps.last_published = [] { return SequenceNumber{12}; };
  engine::UpdateIterator updates(deps);
  ASSERT_TRUE(updates.SeekTo(10).ok());
  ASSERT_TRUE(updates.Valid());
  EXPECT_EQ(10u, updates.GetBatch().sequence);
  updates.Next();
  EXPECT_FALSE(updates.Valid());
  EXPECT_TRUE(updates.status().IsNotFound()) << updates.status().ToString();
  engine::UpdateIterator behind(deps);
  ASSERT_TRUE(behind.SeekTo(11).ok());
  EXPECT_EQ(12u, behind.GetBatch().sequence);
}

TEST_F(UpdatesTest, NoWriteHappensUntilTheLastUnlock) {
  EXPECT_TRUE(db_->UnlockWAL().IsAborted());
  ASSERT_TRUE(db_->LockWAL().ok());
  ASSERT_TRUE(db_->LockWAL().ok());
  WriteOptions impatient;
  impatient.no_slowdown = true;
  EXPECT_TRUE(db_->Put(impatient, "a", "v").IsIncomplete());
  std::atomic<bool> started{false};
  std::atomic<bool> written{false};
  std::thread writer([&] {
    started = true;
    Put("b");
    written = true;
  });
  while (!started) std::this_thread::yield();
  db_->GetEnv()->SleepForMicroseconds(10000);
  ASSERT_TRUE(db_->LockWAL().ok());  // Also beside a writer that waits.
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(db_->UnlockWAL().ok());
    db_->GetEnv()->SleepForMicroseconds(2000);
    EXPECT_FALSE(written);
  }
  EXPECT_EQ(0u, db_->GetLatestSequenceNumber());
  ASSERT_TRUE(db_->UnlockWAL().ok());
  writer.join();
  EXPECT_TRUE(db_->UnlockWAL().IsAborted());
  EXPECT_EQ(1u, db_->GetLatestSequenceNumber());
}

TEST_F(UpdatesTest, LockingPutsBufferedRecordsIntoTheLog) {
  options_.manual_wal_flush = true;
  Open();
  Put("a");
  EXPECT_EQ("", Rest(Since(1).get()));
  ASSERT_TRUE(db_->LockWAL().ok());
  EXPECT_EQ("1: put a, ", Rest(Since(1).get()));
  ASSERT_TRUE(db_->UnlockWAL().ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
