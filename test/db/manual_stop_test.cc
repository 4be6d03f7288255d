// CompactRange that is told to stop: by DisableManualCompaction, by the
// caller's own flag, while it runs and while it waits. It ends with
// Incomplete (ManualCompactionPaused), as RocksDB 7.8.3 ends it.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "env/mem/mem_file_system.h"
#include "rocksdb/listener.h"
#include "test/db/pause_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class OutcomeListener final : public EventListener {
 public:
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    last = info.status;
  }
  Status last;
};

// Compactions that are slow from their 100th entry on, until Hurry().
class ManualStop : public ::testing::Test {
 protected:
  void Open(bool automatic) {
    Options& options = db_.options();
    options.compression = kNoCompression;
    options.level0_file_num_compaction_trigger = 2;
    options.disable_auto_compactions = !automatic;
    options.listeners.push_back(listener_);
    db_.watch().Every(1, [this] {
      if (db_.watch().seen() < 100) return;
      running_ = true;
      if (!hurry_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db"));
    db_.AddFile(0, kKeys, 2, 20);
    db_.AddFile(1, kKeys, 2, 20);
  }
  void Start(bool exclusive) {
    thread_ = std::thread([this, exclusive] {
      CompactRangeOptions options;
      options.exclusive_manual_compaction = exclusive;
      options.canceled = &canceled_;
      outcome_ = db_->CompactRange(options, nullptr, nullptr);
      returned_ = true;
    });
  }
  bool AwaitRunning() {
    return PausableDb::Await([this] { return running_.load(); });
  }
  // The rest of the compaction, if it is still running, takes no time.
  Status Outcome() {
    hurry_ = true;
    thread_.join();
    return outcome_;
  }
  void ExpectUntouched() {
    EXPECT_EQ("2", db_.Property("rocksdb.num-files-at-level0"));
    EXPECT_EQ(2u * kKeys, db_.Rows().size());
    EXPECT_TRUE(AwaitTableFiles(env_.get(), "/db", 2));
  }

  static constexpr int kKeys = 20000;  // 40 s of compaction.
  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  const std::shared_ptr<OutcomeListener> listener_ =
      std::make_shared<OutcomeListener>();
  std::atomic<bool> running_{false};
  std::atomic<bool> hurry_{false};
  std::atomic<bool> canceled_{false};
  std::atomic<bool> returned_{false};
  PausableDb db_;
  std::thread thread_;
  Status outcome_;
};

TEST_F(ManualStop, DisablingAndEnablingEndsARunningCompaction) {
  ASSERT_NO_FATAL_FAILURE(Open(/*automatic=*/false));
  for (const bool exclusive : {false, true}) {
    hurry_ = false;
    running_ = false;
    Start(exclusive);
    ASSERT_TRUE(AwaitRunning());
    db_->DisableManualCompaction();
    EXPECT_TRUE(db_.Jobs().empty());  // It waits for them.
    db_->EnableManualCompaction();
    const Status status = Outcome();
    EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
    EXPECT_TRUE(listener_->last.IsManualCompactionPaused())
        << listener_->last.ToString();
    ExpectUntouched();
  }
  const Status status =
      db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("0", db_.Property("rocksdb.num-files-at-level0"));
}

// Enabled by another thread before the job has seen that it must end.
TEST_F(ManualStop, EnablingDoesNotLetAStoppedCompactionContinue) {
  ASSERT_NO_FATAL_FAILURE(Open(/*automatic=*/false));
  Start(/*exclusive=*/false);
  ASSERT_TRUE(AwaitRunning());
  std::atomic<bool> disabled{false};
  std::thread disabler([&] {
    db_->DisableManualCompaction();
    disabled = true;
  });
  CompactRangeOptions options;
  ASSERT_TRUE(PausableDb::Await([&] {
    return disabled || db_->CompactRange(options, nullptr, nullptr)
                           .IsManualCompactionPaused();
  }));
  db_->EnableManualCompaction();
  const Status status = Outcome();
  disabler.join();
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  ExpectUntouched();
}

TEST_F(ManualStop, TheCallersFlagEndsARunningCompaction) {
  ASSERT_NO_FATAL_FAILURE(Open(/*automatic=*/false));
  Start(/*exclusive=*/true);
  ASSERT_TRUE(AwaitRunning());
  canceled_ = true;
  EXPECT_TRUE(PausableDb::Await([this] { return returned_.load(); }));
  const Status status = Outcome();
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  ExpectUntouched();
}

// An exclusive call waits until automatic compactions have ended, any other
// one until they have given up the files it needs.
TEST_F(ManualStop, DisablingEndsACallThatWaitsForAutomaticCompactions) {
  ASSERT_NO_FATAL_FAILURE(Open(/*automatic=*/true));
  ASSERT_TRUE(AwaitRunning());
  for (const bool exclusive : {false, true}) {
    returned_ = false;
    Start(exclusive);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(returned_);
    // Again and again: the call may begin late.
    EXPECT_TRUE(PausableDb::Await([this] {
      db_->DisableManualCompaction();
      db_->EnableManualCompaction();
      return returned_.load();
    }));
    EXPECT_EQ(1u, db_.Jobs().size());  // The automatic one goes on.
    thread_.join();
    EXPECT_TRUE(outcome_.IsManualCompactionPaused()) << outcome_.ToString();
  }
  hurry_ = true;
}

TEST_F(ManualStop, TheCallersFlagEndsACallThatWaitsForAutomaticCompactions) {
  ASSERT_NO_FATAL_FAILURE(Open(/*automatic=*/true));
  ASSERT_TRUE(AwaitRunning());
  for (const bool exclusive : {false, true}) {
    returned_ = false;
    canceled_ = false;
    Start(exclusive);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(returned_);
    canceled_ = true;
    EXPECT_TRUE(PausableDb::Await([this] { return returned_.load(); }));
    EXPECT_EQ(1u, db_.Jobs().size());
    thread_.join();
    EXPECT_TRUE(outcome_.IsManualCompactionPaused()) << outcome_.ToString();
  }
  hurry_ = true;
}

TEST_F(ManualStop, ADisabledCallFlushesNothing) {
  ASSERT_NO_FATAL_FAILURE(Open(/*automatic=*/false));
  ASSERT_TRUE(db_->Put(WriteOptions(), PausableDb::Key(0), "new").ok());
  hurry_ = true;
  db_->DisableManualCompaction();
  db_->DisableManualCompaction();
  for (int enabled = 0; enabled < 2; ++enabled) {
    const Status status =
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
    EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
    EXPECT_EQ("1", db_.Property("rocksdb.num-entries-active-mem-table"));
    db_->EnableManualCompaction();
  }
  EXPECT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
}

// Programs for RocksDB do it, though its debug builds assert.
TEST_F(ManualStop, AnEnablingTooManyUndoesTheNextDisabling) {
  ASSERT_NO_FATAL_FAILURE(Open(/*automatic=*/false));
  hurry_ = true;
  const auto compact = [this] {
    return db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  };
  db_->EnableManualCompaction();
  db_->DisableManualCompaction();
  EXPECT_TRUE(compact().ok());
  db_->DisableManualCompaction();
  EXPECT_TRUE(compact().IsManualCompactionPaused());
  db_->EnableManualCompaction();
  EXPECT_TRUE(compact().ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
