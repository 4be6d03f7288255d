// LockWAL(): what other calls do while it is in force and a writer waits. Each
// call has to return within a bounded time, from the thread that holds the lock
// as from another. The third column of the table is what a genuine 11.8.1 does
// when the locking thread calls: "waits" there means for ever.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/db/files/files_fixture.h"
#include "test/support/bounded.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::Bounded;

using Call = std::function<Status(DB*, const Options&)>;

struct Row {
  const char* name;
  Call call;
  const char* rocksdb;             // 11.8.1
  bool from_locker_fails = false;  // With TryAgain.
};

Status Checkpoint_(DB* db, uint64_t log_size_for_flush) {
  Checkpoint* checkpoint = nullptr;
  Status status = Checkpoint::Create(db, &checkpoint);
  if (status.ok()) {
    status = checkpoint->CreateCheckpoint("/copy", log_size_for_flush);
  }
  delete checkpoint;
  return status;
}

Status Backup(DB* db, const Options& options, bool flush) {
  BackupEngine* engine = nullptr;
  BackupEngineOptions backup("/backup");
  IOStatus status = BackupEngine::Open(backup, options.env, &engine);
  if (status.ok()) status = engine->CreateNewBackup(db, flush);
  delete engine;
  return status;
}

Status LiveFiles(DB* db, bool flush) {
  std::vector<std::string> files;
  uint64_t manifest_bytes = 0;
  return db->GetLiveFiles(files, &manifest_bytes, flush);
}

Status Ingest(DB* db, const Options& options) {
  test::MakeTable(options, "/new.sst", {{"x", "ingested"}});
  return db->IngestExternalFile({"/new.sst"}, IngestExternalFileOptions());
}

Status NewFamily(DB* db, const Options& options, bool drop) {
  ColumnFamilyHandle* handle = nullptr;
  Status status = db->CreateColumnFamily(options, "new", &handle);
  if (status.ok() && drop) status = db->DropColumnFamily(handle);
  if (handle != nullptr) (void)db->DestroyColumnFamilyHandle(handle);
  return status;
}

Status FlushWith(DB* db, bool wait, bool allow_write_stall) {
  FlushOptions flush;
  flush.wait = wait;
  flush.allow_write_stall = allow_write_stall;
  return db->Flush(flush);
}

std::vector<Row> AllCalls() {
  return {
      {"CreateCheckpoint",
       [](DB* db, auto&) { return Checkpoint_(db, UINT64_MAX); }, "works"},
      {"CreateCheckpointFlushing",
       [](DB* db, auto&) { return Checkpoint_(db, 0); }, "works"},
      {"GetSortedWalFiles",
       [](DB* db, auto&) {
         VectorWalPtr files;
         Status status = db->GetSortedWalFiles(files);
         if (status.ok() && files.empty()) status = Status::NotFound("no log");
         return status;
       },
       "works"},
      {"GetLiveFiles", [](DB* db, auto&) { return LiveFiles(db, false); },
       "works"},
      {"GetLiveFilesFlushing",
       [](DB* db, auto&) { return LiveFiles(db, true); }, "waits"},
      {"GetLiveFilesStorageInfo",
       [](DB* db, auto&) {
         std::vector<LiveFileStorageInfo> files;
         return db->GetLiveFilesStorageInfo(LiveFilesStorageInfoOptions(),
                                            &files);
       },
       "works"},
      {"FlushWAL", [](DB* db, auto&) { return db->FlushWAL(false); }, "works"},
      {"FlushWALSyncing", [](DB* db, auto&) { return db->FlushWAL(true); },
       "works"},
      {"SyncWAL", [](DB* db, auto&) { return db->SyncWAL(); }, "works"},
      {"CreateNewBackup",
       [](DB* db, auto& options) { return Backup(db, options, false); },
       "works"},
      {"CreateNewBackupFlushing",
       [](DB* db, auto& options) { return Backup(db, options, true); },
       "works"},
      {"LockWALAgain",
       [](DB* db, auto&) {
         const Status status = db->LockWAL();
         return status.ok() ? db->UnlockWAL() : status;
       },
       "works"},
      {"Flush", [](DB* db, auto&) { return FlushWith(db, true, false); },
       "waits"},
      {"FlushAllowingStalls",
       [](DB* db, auto&) { return FlushWith(db, true, true); }, "waits"},
      {"FlushWithoutWaiting",
       [](DB* db, auto&) { return FlushWith(db, false, false); }, "TryAgain"},
      {"CompactRange",
       [](DB* db, auto&) {
         return db->CompactRange(CompactRangeOptions(), nullptr, nullptr);
       },
       "waits"},
      {"WaitForCompact",
       [](DB* db, auto&) {
         return db->WaitForCompact(WaitForCompactOptions());
       },
       "works"},
      {"SetOptions",
       [](DB* db, auto&) {
         return db->SetOptions({{"max_write_buffer_number", "4"}});
       },
       "works"},
      {"SetDBOptions",
       [](DB* db, auto&) {
         return db->SetDBOptions({{"max_background_jobs", "3"}});
       },
       "works"},
      {"CreateColumnFamily",
       [](DB* db, auto& options) { return NewFamily(db, options, false); },
       "waits"},
      {"DropColumnFamily",
       [](DB* db, auto& options) { return NewFamily(db, options, true); },
       "waits"},
      {"IngestExternalFile",
       [](DB* db, auto& options) { return Ingest(db, options); }, "waits",
       /*from_locker_fails=*/true},
      {"PauseBackgroundWork",
       [](DB* db, auto&) {
         const Status status = db->PauseBackgroundWork();
         return status.ok() ? db->ContinueBackgroundWork() : status;
       },
       "works"},
      {"Resume", [](DB* db, auto&) { return db->Resume(); }, "works"},
  };
}

class LockedWalTest : public test::FilesTest {
 protected:
  ~LockedWalTest() override {
    if (writer_.joinable()) writer_.join();
  }

  // One file, one key in memory, a lock, and a writer that waits for it.
  void Begin() {
    Open();
    Put("a", "1");
    Flush();
    Put("b", "2");
    ASSERT_TRUE(db_->LockWAL().ok());
    std::atomic<bool> started{false};
    writer_ = std::thread([&] {
      started = true;
      EXPECT_TRUE(db_->Put(WriteOptions(), "late", "3").ok());
      written_ = true;
    });
    while (!started) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  void End() {
    EXPECT_FALSE(written_) << "a write went through a lock";
    EXPECT_EQ("1", Value("a"));
    EXPECT_EQ("2", Value("b"));
    ASSERT_TRUE(db_->UnlockWAL().ok());
    writer_.join();
    EXPECT_EQ("3", Value("late"));
  }
  std::string Value(const std::string& key) {
    std::string value;
    return db_->Get(ReadOptions(), key, &value).ok() ? value : "";
  }
  // An empty database on new files.
  void Renew() {
    written_ = false;
    db_.reset();
    fs_ = std::make_shared<test::ErrorFileSystem>(
        std::make_shared<engine::MemFileSystem>());
    env_ = NewCompositeEnv(fs_);
    options_.env = env_.get();
    Begin();
  }

  std::thread writer_;
  std::atomic<bool> written_{false};
};

TEST_F(LockedWalTest, EveryCallOfTheLockingThreadReturns) {
  for (const Row& row : AllCalls()) {
    SCOPED_TRACE(row.name);
    Renew();
    const Status status =
        Bounded(row.name, [&] { return row.call(db_.get(), options_); });
    if (row.from_locker_fails) {
      EXPECT_TRUE(status.IsTryAgain()) << status.ToString();
      EXPECT_NE(std::string::npos, status.ToString().find("UnlockWAL()"));
    } else {
      EXPECT_TRUE(status.ok()) << status.ToString();
    }
    End();
  }
}

TEST_F(LockedWalTest, CallsOfOtherThreadsReturnOrWaitForTheUnlock) {
  for (const Row& row : AllCalls()) {
    SCOPED_TRACE(row.name);
    Renew();
    std::future<Status> status = std::async(
        std::launch::async, [&] { return row.call(db_.get(), options_); });
    if (row.from_locker_fails) {
      EXPECT_EQ(std::future_status::timeout,
                status.wait_for(std::chrono::milliseconds(20)));
    } else {
      Bounded(row.name, [&] {
        status.wait();
        return 0;
      });
    }
    End();
    const Status after = Bounded(row.name, [&] { return status.get(); });
    EXPECT_TRUE(after.ok()) << after.ToString();
  }
}

TEST_F(LockedWalTest, ACopyHoldsWhatWasWrittenBeforeTheLock) {
  options_.manual_wal_flush = true;
  Begin();
  const Status status = Bounded(
      "CreateCheckpoint", [&] { return Checkpoint_(db_.get(), UINT64_MAX); });
  ASSERT_TRUE(status.ok()) << status.ToString();
  End();
  std::unique_ptr<DB> copy;
  ASSERT_TRUE(DB::Open(options_, "/copy", &copy).ok());
  EXPECT_EQ((test::FileRows{{"a", "1"}, {"b", "2"}}),
            test::RowsOf(copy.get(), copy->DefaultColumnFamily()));
}

// As 11.8.1: a lock belongs to its thread, and the locks of a thread nest.
TEST_F(LockedWalTest, OnlyTheThreadThatLockedUnlocks) {
  Open();
  EXPECT_TRUE(db_->UnlockWAL().IsAborted());
  ASSERT_TRUE(db_->LockWAL().ok());
  std::thread([&] {
    EXPECT_TRUE(db_->UnlockWAL().IsAborted());
    EXPECT_TRUE(db_->LockWAL().ok());
    EXPECT_TRUE(db_->LockWAL().ok());
    EXPECT_TRUE(db_->UnlockWAL().ok());
    EXPECT_TRUE(db_->UnlockWAL().ok());
    EXPECT_TRUE(db_->UnlockWAL().IsAborted());
  }).join();
  WriteOptions impatient;
  impatient.no_slowdown = true;
  EXPECT_TRUE(db_->Put(impatient, "a", "v").IsIncomplete());
  EXPECT_TRUE(db_->UnlockWAL().ok());
  EXPECT_TRUE(db_->Put(impatient, "a", "v").ok());
  EXPECT_TRUE(db_->UnlockWAL().IsAborted());
}

TEST_F(LockedWalTest, IsWhatStopsWritesByTheProperties) {
  options_.auto_tuned_compaction = true;
  Open();
  const auto text = [&](const std::string& property) {
    std::string value;
    EXPECT_TRUE(db_->GetProperty(property, &value)) << property;
    return value;
  };
  ASSERT_TRUE(db_->LockWAL().ok());
  EXPECT_EQ("1", text("rocksdb.is-write-stopped"));
  EXPECT_EQ("Writes are stopped by LockWAL(), until UnlockWAL() is called.",
            text("rocksdb.write-limit"));
  std::map<std::string, std::string> state;
  ASSERT_TRUE(db_->GetMapProperty("rocksdb.auto-tune.state", &state));
  EXPECT_EQ("lock_wal", state["limit"]);
  EXPECT_EQ("100", state["pressure_pct"]);
  ASSERT_TRUE(db_->UnlockWAL().ok());
  EXPECT_EQ("0", text("rocksdb.is-write-stopped"));
  ASSERT_TRUE(db_->GetMapProperty("rocksdb.auto-tune.state", &state));
  EXPECT_NE("lock_wal", state["limit"]);
}

TEST_F(LockedWalTest, ManyThreadsLockWriteAndFlush) {
  Open();
  constexpr int kRounds = 50;
  const auto all = [&](int id) {
    for (int i = 0; i < kRounds; ++i) {
      Put(std::to_string(id) + "-" + std::to_string(i), "v");
      if (id % 2 == 0) {
        ASSERT_TRUE(db_->LockWAL().ok());
        const SequenceNumber sequence = db_->GetLatestSequenceNumber();
        ASSERT_TRUE(db_->FlushWAL(false).ok());
        if (i % 10 == 0) {
          ASSERT_TRUE(FlushWith(db_.get(), true, false).ok());
        }
        EXPECT_EQ(sequence, db_->GetLatestSequenceNumber());
        ASSERT_TRUE(db_->UnlockWAL().ok());
      }
    }
  };
  Bounded("A thread", [&] {
    std::vector<std::thread> threads;
    for (int id = 0; id < 6; ++id) threads.emplace_back(all, id);
    for (std::thread& thread : threads) thread.join();
    return 0;
  });
  EXPECT_EQ(6u * kRounds, Rows().size());
}

TEST_F(LockedWalTest, ClosingReleasesTheWriterThatWaits) {
  Open();
  Put("a", "1");
  ASSERT_TRUE(db_->LockWAL().ok());
  std::atomic<bool> started{false};
  std::thread writer([&] {
    started = true;
    EXPECT_TRUE(db_->Put(WriteOptions(), "late", "3").IsShutdownInProgress());
  });
  while (!started) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Status status = Bounded("Close", [&] { return db_->Close(); });
  EXPECT_TRUE(status.ok()) << status.ToString();
  writer.join();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
