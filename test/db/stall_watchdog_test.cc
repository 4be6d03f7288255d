// The watchdog: writes are stopped and no job runs, as a program sees it in
// LOG, EVENT_LOG and a property. With a clock that the test moves.

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "env/timer.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "test/support/clocked_env.h"
#include "test/support/manual_clock.h"
#include "test/support/text_log.h"
#include "test/support/timer_turn.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int64_t kSecond = 1000 * 1000;

class HeldCompactions final : public EventListener {
 public:
  void Hold(bool on) {
    std::lock_guard lock(mu_);
    on_ = on;
    changed_.notify_all();
  }
  void AwaitOne() {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [this] { return begun_; });
  }
  void OnCompactionBegin(DB*, const CompactionJobInfo&) override {
    std::unique_lock lock(mu_);
    begun_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !on_; });
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  bool on_ = false;
  bool begun_ = false;
};

class WatchdogTest : public ::testing::Test {
 protected:
  WatchdogTest()
      : mem_(NewMemEnv(Env::Default())),
        clock_(std::make_shared<test::ManualClock>(
            kSecond, test::ManualClock::Sleep::kBlock)),
        env_(mem_.get(), mem_->GetFileSystem(), clock_) {
    options_.env = &env_;
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.stats_dump_period_sec = 0;
    options_.delete_obsolete_files_period_micros = 0;
    options_.info_log = log_;
    options_.listeners = {compactions_};
    options_.disable_auto_compactions = true;
    options_.level0_file_num_compaction_trigger = 2;
    options_.level0_slowdown_writes_trigger = 2;
    options_.level0_stop_writes_trigger = 2;
  }
  ~WatchdogTest() override {
    compactions_->Hold(false);
    db_.reset();
  }

  // Two files in level 0, which are the stop limit once they count.
  void Open() {
    ASSERT_TRUE(DB::Open(options_, "/db", &db_).ok());
    FlushOptions flush;
    flush.allow_write_stall = true;
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(db_->Put(WriteOptions(), "key", "value").ok());
      ASSERT_TRUE(db_->Flush(flush).ok());
    }
    EXPECT_EQ(0u, Property("rocksdb.is-write-stopped"));
  }
  void CountFiles() {
    ASSERT_TRUE(db_->SetOptions({{"disable_auto_compactions", "false"}}).ok());
  }
  uint64_t Property(const std::string& name) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(name, &value)) << name;
    return value;
  }
  uint64_t Warnings() { return Property("rocksdb.write-stops-without-job"); }
  // Second by second.
  void Pass(int seconds) {
    const std::shared_ptr<engine::Timer> timer = engine::TimerOf(&env_);
    for (int i = 0; i < seconds; ++i) {
      test::AdvanceTimer(clock_.get(), timer.get(), kSecond);
    }
  }

  const std::unique_ptr<Env> mem_;
  const std::shared_ptr<test::ManualClock> clock_;
  test::ClockedEnv env_;
  const std::shared_ptr<test::TextLog> log_ = std::make_shared<test::TextLog>();
  const std::shared_ptr<HeldCompactions> compactions_ =
      std::make_shared<HeldCompactions>();
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(WatchdogTest, TellsOfAStopThatNoJobWillEnd) {
  Open();
  ASSERT_TRUE(db_->PauseBackgroundWork().ok());
  CountFiles();
  EXPECT_EQ(1u, Property("rocksdb.is-write-stopped"));
  Pass(8);
  EXPECT_EQ(0u, Warnings());
  Pass(12);
  EXPECT_EQ(1u, Warnings());
  for (const char* part :
       {"and no job runs that could let them go on",
        "background work is paused (PauseBackgroundWork)",
        "[default] writes stopped by l0-file-count-limit",
        "L0 files 2 (trigger 2, slowdown 2, stop 2)", "automatic compaction on",
        "compactions due runs", "\"event\": \"stop_without_job\""}) {
    EXPECT_TRUE(log_->Has(part)) << part;
  }
  Pass(70);
  EXPECT_EQ(2u, Warnings());

  ASSERT_TRUE(db_->ContinueBackgroundWork().ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(0u, Property("rocksdb.is-write-stopped"));
  Pass(100);
  EXPECT_EQ(2u, Warnings());
}

TEST_F(WatchdogTest, SaysNothingWhileACompactionWorks) {
  Open();
  compactions_->Hold(true);
  CountFiles();
  compactions_->AwaitOne();
  EXPECT_EQ(1u, Property("rocksdb.is-write-stopped"));
  Pass(30);
  EXPECT_EQ(0u, Warnings());
}

TEST_F(WatchdogTest, SaysNothingOfALockedWal) {
  Open();
  ASSERT_TRUE(db_->LockWAL().ok());
  EXPECT_EQ(1u, Property("rocksdb.is-write-stopped"));
  Pass(30);
  EXPECT_EQ(0u, Warnings());
  ASSERT_TRUE(db_->UnlockWAL().ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
