// Jobs that fail are held back for a second instead of retrying at once.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "test/support/clocked_env.h"
#include "test/support/error_fs.h"
#include "test/support/manual_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Counter final : public EventListener {
 public:
  void OnFlushBegin(DB*, const FlushJobInfo&) override { ++flushes; }
  void OnCompactionBegin(DB*, const CompactionJobInfo&) override {
    ++compactions;
  }
  // The database has noted by now that jobs of this kind have to wait.
  void OnBackgroundError(BackgroundErrorReason, Status* status) override {
    if (++failures > 1 && forgive) *status = Status::OK();
  }
  void OnErrorRecoveryEnd(const BackgroundErrorRecoveryInfo&) override {
    ++recoveries;
  }
  std::atomic<int> flushes{0};
  std::atomic<int> compactions{0};
  std::atomic<int> failures{0};
  std::atomic<int> recoveries{0};    // Attempts that ended.
  std::atomic<bool> forgive{false};  // All errors but the first.
};

class BackOffTest : public ::testing::Test {
 protected:
  BackOffTest()
      : mem_(NewMemEnv(Env::Default())),
        fs_(std::make_shared<test::ErrorFileSystem>(mem_->GetFileSystem())),
        clock_(std::make_shared<test::ManualClock>(
            1000 * 1000, test::ManualClock::Sleep::kBlock)),
        env_(mem_.get(), fs_, clock_) {
    options_.env = &env_;
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.paranoid_checks = false;
    options_.stats_dump_period_sec = 0;
    options_.level0_file_num_compaction_trigger = 2;
    options_.listeners = {counter_};
  }
  ~BackOffTest() override {
    fs_->ClearRule();
    db_.reset();
  }

  void Open() { ASSERT_TRUE(DB::Open(options_, "/db", &db_).ok()); }
  void FailTables() {
    ASSERT_TRUE(
        fs_->SetRule("(ErrInjected (And create (PathMatch \"*.sst\")))").ok());
  }
  void Put() { ASSERT_TRUE(db_->Put(WriteOptions(), "key", "value").ok()); }
  Status Flush(bool wait) {
    FlushOptions options;
    options.wait = wait;
    return db_->Flush(options);
  }
  static void Await(const std::atomic<int>& count, int expected) {
    AwaitAtLeast(count, expected);
    EXPECT_EQ(count, expected);
  }
  static void AwaitAtLeast(const std::atomic<int>& count, int expected) {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (count < expected && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_GE(count, expected);
  }
  // Gives one more that should not come the time to do so. Should that be too
  // short, the test proves less, but does not fail.
  static void ExpectStays(const std::atomic<int>& count, int expected) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(count, expected);
  }
  uint64_t Files() {
    std::string text;
    EXPECT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &text));
    return std::stoull(text);
  }

  const std::unique_ptr<Env> mem_;
  const std::shared_ptr<test::ErrorFileSystem> fs_;
  const std::shared_ptr<test::ManualClock> clock_;
  test::ClockedEnv env_;
  const std::shared_ptr<Counter> counter_ = std::make_shared<Counter>();
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(BackOffTest, AFailedFlushIsTriedOnceASecond) {
  Open();
  Put();
  FailTables();
  ASSERT_TRUE(Flush(/*wait=*/false).ok());
  Await(counter_->failures, 1);
  clock_->Advance(900 * 1000);
  ExpectStays(counter_->flushes, 1);
  clock_->Advance(100 * 1000);
  Await(counter_->failures, 2);
  EXPECT_EQ(counter_->flushes, 2);
  fs_->ClearRule();
  clock_->Advance(1000 * 1000);
  ASSERT_TRUE(Flush(/*wait=*/true).ok());
  EXPECT_EQ(counter_->flushes, 3);
  EXPECT_EQ(Files(), 1u);
}

TEST_F(BackOffTest, AFailedCompactionIsTriedOnceASecondAndFlushesGoOn) {
  Open();
  Put();
  ASSERT_TRUE(Flush(true).ok());
  ASSERT_TRUE(fs_->SetRule("(ErrInjected (And create (And (PathMatch "
                           "\"*.sst\") (FromIndex 1))))")
                  .ok());
  Put();
  ASSERT_TRUE(Flush(true).ok());  // The first new table; later ones fail.
  Await(counter_->failures, 1);
  fs_->ClearRule();
  Put();
  ASSERT_TRUE(Flush(true).ok());
  ExpectStays(counter_->compactions, 1);
  EXPECT_EQ(Files(), 3u);
  clock_->Advance(1000 * 1000);
  Await(counter_->compactions, 2);
  EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(Files(), 0u);
}

// The attempt to resume runs in the timer's thread, which also ends the hold:
// it must not wait for that.
TEST_F(BackOffTest, AFlushThatFailsWhileResumingEndsTheAttempt) {
  options_.paranoid_checks = true;
  options_.bgerror_resume_retry_interval = 1000 * 1000;
  counter_->forgive = true;
  Open();
  Put();
  ASSERT_TRUE(
      fs_->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\")))").ok());
  EXPECT_FALSE(Flush(/*wait=*/true).ok());
  Await(counter_->failures, 1);
  clock_->Advance(1000 * 1000);
  Await(counter_->recoveries, 1);
  AwaitAtLeast(counter_->failures, 2);  // Told by the thread of the flush.
  fs_->ClearRule();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (Files() == 0 && std::chrono::steady_clock::now() < end) {
    clock_->Advance(1000 * 1000);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(Files(), 1u);
}

// No tables are written here, so no job would report the error.
TEST_F(BackOffTest, AFullDiskThatRefusedANewLogIsResumedFrom) {
  options_.paranoid_checks = true;
  options_.bgerror_resume_retry_interval = 1000 * 1000;
  Open();
  Put();
  ASSERT_TRUE(
      fs_->SetRule("(ErrNoSpace (And create (PathMatch \"*.log\")))").ok());
  EXPECT_TRUE(Flush(/*wait=*/true).IsNoSpace());
  EXPECT_EQ(counter_->failures, 1);
  EXPECT_FALSE(db_->Put(WriteOptions(), "key", "value").ok());
  fs_->ClearRule();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  Status status;
  do {
    clock_->Advance(1000 * 1000);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    status = db_->Put(WriteOptions(), "key", "value");
  } while (!status.ok() && std::chrono::steady_clock::now() < end);
  EXPECT_TRUE(status.ok()) << status.ToString();
  Await(counter_->recoveries, 1);
}

TEST_F(BackOffTest, ClosingDoesNotWaitForTheEndOfIt) {
  Open();
  Put();
  FailTables();
  ASSERT_TRUE(Flush(/*wait=*/false).ok());
  Await(counter_->failures, 1);
  EXPECT_TRUE(db_->Close().ok());
  clock_->Advance(2000 * 1000);
  ExpectStays(counter_->flushes, 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
