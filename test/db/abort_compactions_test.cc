// AbortAllCompactions: what runs ends with Incomplete (CompactionAborted) and
// leaves nothing behind, what waits for it answers, and nothing starts until
// ResumeAllCompactions.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/listener.h"
#include "test/db/pause_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class LastOutcome final : public EventListener {
 public:
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    const std::lock_guard<std::mutex> lock(mu_);
    last_ = info.status;
  }
  void OnBackgroundError(BackgroundErrorReason, Status*) override { ++errors; }
  void OnFlushBegin(DB* db, const FlushJobInfo&) override {
    if (in_flush) in_flush(db);
  }
  Status last() const {
    const std::lock_guard<std::mutex> lock(mu_);
    return last_;
  }
  std::atomic<int> errors{0};
  std::function<void(DB*)> in_flush;  // Set while nothing is flushed.

 private:
  mutable std::mutex mu_;
  Status last_;
};

// Compactions of level 0 as soon as there are two files, slow until hurry_ is
// set.
class AbortCompactions : public ::testing::Test {
 protected:
  AbortCompactions() {
    Options& options = db_.options();
    options.compression = kNoCompression;
    options.level0_file_num_compaction_trigger = 2;
    options.listeners.push_back(listener_);
  }
  ~AbortCompactions() override { hurry_ = true; }

  void Open() { ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db")); }
  void BeSlow() {
    db_.watch().Every(1, [this] {
      if (db_.watch().seen() < 100) return;
      running_ = true;
      if (!hurry_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  }
  void OpenWithTwoFiles(bool automatic) {
    db_.options().disable_auto_compactions = !automatic;
    BeSlow();
    Open();
    db_.AddFile(0, kKeys, 2, 20);
    db_.AddFile(1, kKeys, 2, 20);
  }
  bool AwaitRunning() {
    return PausableDb::Await([this] { return running_.load(); });
  }
  Status Compact(bool exclusive = false) {
    CompactRangeOptions options;
    options.exclusive_manual_compaction = exclusive;
    return db_->CompactRange(options, nullptr, nullptr);
  }
  void ExpectUntouched() {
    EXPECT_TRUE(db_.Jobs().empty());
    EXPECT_EQ("2", db_.Property("rocksdb.num-files-at-level0"));
    EXPECT_EQ(2u * kKeys, db_.Rows().size());
    EXPECT_TRUE(AwaitTableFiles(env_.get(), "/db", 2));
    EXPECT_EQ(0, listener_->errors);
  }
  void ExpectCompactedAfterResume() {
    hurry_ = true;
    db_->ResumeAllCompactions();
    const Status status = db_->WaitForCompact(WaitForCompactOptions());
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ("0", db_.Property("rocksdb.num-files-at-level0"));
  }

  static constexpr int kKeys = 20000;  // 40 s of compaction.
  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  const std::shared_ptr<LastOutcome> listener_ =
      std::make_shared<LastOutcome>();
  std::atomic<bool> running_{false};
  std::atomic<bool> hurry_{false};
  PausableDb db_;
};

TEST_F(AbortCompactions, EndsARunningAutomaticOne) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTwoFiles(/*automatic=*/true));
  ASSERT_TRUE(AwaitRunning());
  db_->AbortAllCompactions();
  ExpectUntouched();
  const Status outcome = listener_->last();
  EXPECT_TRUE(outcome.IsCompactionAborted()) << outcome.ToString();
  // It is due, and does not start.
  const Status wait = db_->WaitForCompact(WaitForCompactOptions());
  EXPECT_TRUE(wait.IsCompactionAborted()) << wait.ToString();
  EXPECT_TRUE(db_.Jobs().empty());
  ExpectCompactedAfterResume();
  EXPECT_EQ(2u * kKeys, db_.Rows().size());
}

TEST_F(AbortCompactions, EndsSlicesInSeveralThreads) {
  db_.options().max_subcompactions = 4;
  db_.options().target_file_size_base = 64 << 10;
  ASSERT_NO_FATAL_FAILURE(OpenWithTwoFiles(/*automatic=*/true));
  ASSERT_TRUE(AwaitRunning());
  db_->AbortAllCompactions();
  ExpectUntouched();
  ExpectCompactedAfterResume();
}

TEST_F(AbortCompactions, EndsARunningManualOne) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTwoFiles(/*automatic=*/false));
  for (const bool exclusive : {false, true}) {
    running_ = false;
    Status outcome;
    std::thread caller([&] { outcome = Compact(exclusive); });
    const bool running = AwaitRunning();
    db_->AbortAllCompactions();
    db_->ResumeAllCompactions();  // Does not let it continue.
    caller.join();
    ASSERT_TRUE(running);
    EXPECT_TRUE(outcome.IsCompactionAborted()) << outcome.ToString();
    ExpectUntouched();
  }
  hurry_ = true;
  const Status status = Compact();
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("0", db_.Property("rocksdb.num-files-at-level0"));
}

TEST_F(AbortCompactions, EndsACompactFiles) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTwoFiles(/*automatic=*/false));
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  std::vector<std::string> names;
  names.reserve(live.size());
  for (const LiveFileMetaData& file : live) names.push_back(file.name);
  Status outcome;
  std::thread caller(
      [&] { outcome = db_->CompactFiles(CompactionOptions(), names, 1); });
  const bool running = AwaitRunning();
  db_->AbortAllCompactions();
  caller.join();
  ASSERT_TRUE(running);
  EXPECT_TRUE(outcome.IsCompactionAborted()) << outcome.ToString();
  ExpectUntouched();
  outcome = db_->CompactFiles(CompactionOptions(), names, 1);
  EXPECT_TRUE(outcome.IsCompactionAborted()) << outcome.ToString();
  outcome = db_->PromoteL0(db_->DefaultColumnFamily(), 1);
  EXPECT_TRUE(outcome.IsCompactionAborted()) << outcome.ToString();
}

TEST_F(AbortCompactions, EndsACallThatWaitsForAnAutomaticOne) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTwoFiles(/*automatic=*/true));
  ASSERT_TRUE(AwaitRunning());
  Status outcome;
  std::atomic<bool> returned{false};
  std::thread caller([&] {
    outcome = Compact(/*exclusive=*/true);
    returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(returned);
  db_->AbortAllCompactions();
  caller.join();
  EXPECT_TRUE(outcome.IsCompactionAborted()) << outcome.ToString();
  ExpectUntouched();
}

TEST_F(AbortCompactions, EndsAJobThatIsPaused) {
  Open();
  db_.AddFile(0, kKeys, 2, 20);
  db_.watch().At(kKeys, [this] { db_.PauseAll(); });
  db_.AddFile(1, kKeys, 2, 20);
  ASSERT_TRUE(db_.AwaitPaused());
  db_->AbortAllCompactions();
  ExpectUntouched();
  db_.ResumeAll();
  EXPECT_TRUE(db_.Jobs().empty());
  ExpectCompactedAfterResume();
}

TEST_F(AbortCompactions, CallsNestAndAResumeTooManyDoesNothing) {
  hurry_ = true;
  Open();
  db_->ResumeAllCompactions();
  db_->AbortAllCompactions();
  db_->AbortAllCompactions();
  db_.AddFile(0, 10, 2, 20);
  db_.AddFile(1, 10, 2, 20);
  for (int resumed = 0; resumed < 2; ++resumed) {
    const Status status = Compact();
    EXPECT_TRUE(status.IsCompactionAborted()) << status.ToString();
    EXPECT_EQ("2", db_.Property("rocksdb.num-files-at-level0"));
    if (resumed == 0) db_->ResumeAllCompactions();
  }
  ExpectCompactedAfterResume();
  EXPECT_TRUE(Compact().ok());
}

TEST_F(AbortCompactions, ARefusedCallFlushesNothing) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "key", "value").ok());
  db_->AbortAllCompactions();
  EXPECT_TRUE(Compact().IsCompactionAborted());
  EXPECT_EQ("1", db_.Property("rocksdb.num-entries-active-mem-table"));
}

// Resuming before its flush ends does not let it continue, either.
TEST_F(AbortCompactions, EndsACallThatFlushes) {
  db_.options().disable_auto_compactions = true;
  Open();
  db_.AddFile(0, 10, 2, 20);
  ASSERT_TRUE(db_->Put(WriteOptions(), "key", "value").ok());
  listener_->in_flush = [](DB* db) {
    db->AbortAllCompactions();
    db->ResumeAllCompactions();
  };
  const Status status = Compact();
  EXPECT_TRUE(status.IsCompactionAborted()) << status.ToString();
  EXPECT_EQ("2", db_.Property("rocksdb.num-files-at-level0"));
  listener_->in_flush = nullptr;
  EXPECT_TRUE(Compact().ok());
  EXPECT_EQ("0", db_.Property("rocksdb.num-files-at-level0"));
}

// Flushes go on, also those that would wait for room.
TEST_F(AbortCompactions, WritersAtAStopGoOnAfterResume) {
  hurry_ = true;
  db_.options().level0_slowdown_writes_trigger = 4;
  db_.options().level0_stop_writes_trigger = 4;
  Open();
  db_->AbortAllCompactions();
  for (int i = 0; i < 4; ++i) db_.AddFile(i * 10, 10, 1, 20);
  EXPECT_EQ("4", db_.Property("rocksdb.num-files-at-level0"));
  EXPECT_EQ("1", db_.Property("rocksdb.is-write-stopped"));
  Status written;
  std::atomic<bool> returned{false};
  std::thread writer([&] {
    written = db_->Put(WriteOptions(), "late", "value");
    returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(returned);
  db_->ResumeAllCompactions();
  EXPECT_TRUE(PausableDb::Await([&] { return returned.load(); }));
  writer.join();
  EXPECT_TRUE(written.ok()) << written.ToString();
}

TEST_F(AbortCompactions, EndsAFlushThatWaitsForRoom) {
  db_.options().level0_slowdown_writes_trigger = 3;
  ASSERT_NO_FATAL_FAILURE(OpenWithTwoFiles(/*automatic=*/true));
  ASSERT_TRUE(AwaitRunning());
  ASSERT_TRUE(db_->Put(WriteOptions(), PausableDb::Key(0), "new").ok());
  Status flushed;
  std::atomic<bool> returned{false};
  std::thread flusher([&] {
    flushed = db_->Flush(FlushOptions());
    returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(returned);
  db_->AbortAllCompactions();
  EXPECT_TRUE(PausableDb::Await([&] { return returned.load(); }));
  hurry_ = true;
  flusher.join();
  EXPECT_TRUE(flushed.ok()) << flushed.ToString();
  EXPECT_EQ("3", db_.Property("rocksdb.num-files-at-level0"));
}

// It does not wait for its own job.
TEST_F(AbortCompactions, ACallbackOfACompactionMayCallIt) {
  Open();
  db_.AddFile(0, 1000, 2, 20);
  db_.watch().At(1000, [this] { db_->AbortAllCompactions(); });
  db_.AddFile(1, 1000, 2, 20);
  ASSERT_TRUE(PausableDb::Await(
      [this] { return db_.watch().acted() && db_.Jobs().empty(); }));
  EXPECT_TRUE(listener_->last().IsCompactionAborted());
  EXPECT_EQ("2", db_.Property("rocksdb.num-files-at-level0"));
  ExpectCompactedAfterResume();
}

TEST_F(AbortCompactions, AFamilyMayBeDroppedAndTheDatabaseClosedMeanwhile) {
  hurry_ = true;
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(db_.options(), "other", &other).ok());
  db_->AbortAllCompactions();
  for (int i = 0; i < 3; ++i) {
    db_.AddFile(i, 10, 3, 20);
    db_.AddFile(i, 10, 3, 20, other);
  }
  EXPECT_TRUE(db_->DropColumnFamily(other).ok());
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  EXPECT_TRUE(AwaitTableFiles(env_.get(), "/db", 3));
  EXPECT_TRUE(db_->Close().ok());
  db_.Close();
  Open();  // Begins without it.
  const Status status = db_->WaitForCompact(WaitForCompactOptions());
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("0", db_.Property("rocksdb.num-files-at-level0"));
  EXPECT_EQ(30u, db_.Rows().size());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
