// SetDBOptions: what the database does with the changed values.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "env/timer.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "test/support/clocked_env.h"
#include "test/support/manual_clock.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ChangedDbOptions : public ::testing::Test {
 protected:
  ChangedDbOptions() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
  }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  void Set(const std::string& name, const std::string& value) {
    test::Ok(db_->SetDBOptions({{name, value}}));
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

// Counts the dumps of statistics.
class DumpCounter final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list /*arguments*/) override {
    if (std::strstr(format, "DUMPING STATS") != nullptr) ++dumps;
  }
  std::atomic<int> dumps{0};
};

class ChangedDumpPeriod : public ChangedDbOptions {
 protected:
  ChangedDumpPeriod() {
    options_.env = &clocked_;
    options_.info_log = log_;
  }
  ~ChangedDumpPeriod() override { db_.reset(); }

  // How often the statistics are dumped meanwhile. A dump of the timer's own
  // thread may come late: `expected` of them are waited for.
  int DumpsIn(int seconds, int expected) {
    const int before = log_->dumps;
    for (int i = 0; i < seconds; ++i) {
      clock_->Advance(1000 * 1000);
      engine::TimerOf(&clocked_)->RunDue();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    for (int i = 0; i < 5000 && log_->dumps - before < expected; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return log_->dumps - before;
  }

  const std::shared_ptr<DumpCounter> log_ = std::make_shared<DumpCounter>();
  const std::shared_ptr<test::ManualClock> clock_ =
      std::make_shared<test::ManualClock>(1000 * 1000,
                                          test::ManualClock::Sleep::kBlock);
  test::ClockedEnv clocked_{env_.get(), env_->GetFileSystem(), clock_};
};

TEST_F(ChangedDumpPeriod, HoldsFromTheChangeOn) {
  options_.stats_dump_period_sec = 0;
  Open();
  EXPECT_EQ(0, DumpsIn(20, 0));
  Set("stats_dump_period_sec", "5");
  EXPECT_LE(2, DumpsIn(20, 2));
  // Another option: the period goes on.
  DumpsIn(3, 0);
  Set("max_background_jobs", "3");
  EXPECT_LE(1, DumpsIn(4, 1));
  Set("stats_dump_period_sec", "0");
  EXPECT_EQ(0, DumpsIn(20, 0));
}

TEST_F(ChangedDbOptions, ClosingFlushesAsTheySayThen) {
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  for (const bool flushes : {true, false}) {
    SCOPED_TRACE(flushes);
    const std::string key = flushes ? "kept" : "lost";
    options_.avoid_flush_during_shutdown = flushes;
    Open();
    Set("avoid_flush_during_shutdown", flushes ? "false" : "true");
    test::Ok(db_->Put(unlogged, key, "value"));
    test::Ok(db_->Close());
    Open();
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    EXPECT_EQ(flushes, status.ok()) << status.ToString();
    EXPECT_EQ(!flushes, status.IsNotFound()) << status.ToString();
    db_.reset();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
