// The adaptive tuner in a database: its modes, what remains when it is switched
// off, and that no caller waits for ever for a paused job.

#include <gtest/gtest.h>

#include <atomic>
#include <climits>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/env.h"
#include "test/db/tuned_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

constexpr auto kSoon = std::chrono::seconds(60);

// Puts as fast as it is let, until it is told to stop or refused.
class Writers {
 public:
  Writers(DB* db, int threads) {
    for (int t = 0; t < threads; ++t) {
      threads_.emplace_back([this, db, t] { Run(db, t); });
    }
  }
  ~Writers() { Stop(); }
  void Stop() {
    stop_ = true;
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }
  uint64_t done() const { return done_.load(); }
  bool refused() const { return refused_.load(); }

 private:
  void Run(DB* db, int t) {
    for (int i = 0; !stop_; ++i) {
      const std::string key = "w" + std::to_string(t) + std::to_string(i);
      if (!db->Put(WriteOptions(), key, std::string(1000, 'w')).ok()) {
        refused_ = true;
        return;
      }
      ++done_;
    }
  }
  std::vector<std::thread> threads_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> refused_{false};
  std::atomic<uint64_t> done_{0};
};

class TuningModesTest : public ::testing::Test {
 protected:
  TuningModesTest() : env_(NewMemEnv(Env::Default())) {}
  void Open() { ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db")); }
  void Set(const std::string& name, const std::string& value) {
    const Status status = db_->SetOptions({{name, value}});
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  bool AwaitPressed() {
    return TunedDb::Await([this] {
      db_.Tick();
      return (db_.pacing() > 0 || db_.stopped()) && db_.paused() > 0;
    });
  }

  std::unique_ptr<Env> env_;
  TunedDb db_;
};

TEST_F(TuningModesTest, TheDefaultIsAdaptive) {
  Open();
  db_.Tick();
  EXPECT_EQ(engine::TuningMode::kAdaptive,
            db_.impl()->tuning()->Snapshot().mode);
  Set("auto_tuned_compaction", "false");
  EXPECT_EQ(engine::TuningMode::kOff, db_.impl()->tuning()->Snapshot().mode);
}

class TuningSwitchTest : public TuningModesTest,
                         public ::testing::WithParamInterface<
                             std::pair<const char*, const char*>> {};

TEST_P(TuningSwitchTest, UnderPressureLeavesNothingPausedOrPaced) {
  Open();
  ASSERT_NO_FATAL_FAILURE(db_.Press());
  {
    Writers writers(db_.get(), 2);
    ASSERT_TRUE(AwaitPressed());
    const auto [name, value] = GetParam();
    Set(name, value);
    db_.Tick();
    if (std::string(value) == "kAdvise") {
      EXPECT_EQ(engine::TuningMode::kAdvise,
                db_.impl()->tuning()->Snapshot().mode);
    }
    EXPECT_EQ("", db_.NotStatic());
    EXPECT_TRUE(TunedDb::Await([this] { return db_.paused() == 0; }));
    EXPECT_EQ("", db_.NotStatic());
    // And back, with level 0 as full as before.
    Set("auto_tuned_compaction", "true");
    Set("compaction_tuning", "kAdaptive");
    EXPECT_TRUE(TunedDb::Await([this] {
      db_.Tick();
      return db_.pacing() > 0 || db_.stopped();
    }));
    db_.hold().ReleaseAll();
  }
  EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(0, db_.paused());
}

INSTANTIATE_TEST_SUITE_P(
    All, TuningSwitchTest,
    ::testing::Values(std::pair("auto_tuned_compaction", "false"),
                      std::pair("compaction_tuning", "kDrainSwitch"),
                      std::pair("compaction_tuning", "kAdvise")));

TEST_F(TuningModesTest, ConcurrentSwitchesEndAsTheOptionsSay) {
  Open();
  for (int round = 0; round < 20; ++round) {
    std::thread other([this] {
      ASSERT_TRUE(db_->SetOptions({{"compaction_tuning", "kAdvise"}}).ok());
      ASSERT_TRUE(db_->SetOptions({{"auto_tuned_compaction", "true"}}).ok());
    });
    Set("auto_tuned_compaction", "false");
    Set("compaction_tuning", "kDrainSwitch");
    other.join();
    const Options now = db_->GetOptions();
    const bool driven = now.auto_tuned_compaction &&
                        now.compaction_tuning != CompactionTuning::kDrainSwitch;
    db_.Tick();
    EXPECT_EQ(driven, db_.impl()->tuning()->Snapshot().mode !=
                          engine::TuningMode::kOff);
  }
}

// ------------------------------------------------------------ who waits

class TuningWaitersTest : public TuningModesTest {
 protected:
  // A job of deeper levels is paused and never allowed again; level 0 cannot be
  // merged into the files it holds.
  void PauseDebtForGood() {
    db_.options().auto_tuned_compaction = false;
    db_.options().level0_slowdown_writes_trigger = 20;
    db_.options().level0_stop_writes_trigger = 36;
    Open();
    for (int i = 0; i < 4; ++i) db_.AddFile(i, 1000, 2, 100);
    ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
    db_.hold().Hold(-1);
    for (int i = 0; i < 4; ++i) db_.AddFile(i, 1000, 2, 100);
    ASSERT_TRUE(TunedDb::Await([&] { return db_.hold().held() == 1; }));
    db_.Allow({INT_MAX, 0, 0}, /*preempt=*/true);
    db_.hold().Release(-1);
    ASSERT_TRUE(TunedDb::Await([&] { return db_.paused() == 1; }));
  }
  void ExpectSoon(const std::function<Status()>& what) {
    auto done = std::async(std::launch::async, what);
    const bool in_time = done.wait_for(kSoon) == std::future_status::ready;
    EXPECT_TRUE(in_time);
    if (!in_time) {
      // So that the test ends.
      db_.ResumeAll();
    }
    const Status status = done.get();
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
};

TEST_F(TuningWaitersTest, WaitForCompactEndsWhatIsPaused) {
  ASSERT_NO_FATAL_FAILURE(PauseDebtForGood());
  ExpectSoon([&] { return db_->WaitForCompact(WaitForCompactOptions()); });
  EXPECT_EQ(0, db_.paused());
}

TEST_F(TuningWaitersTest, CompactRangeMakesProgress) {
  ASSERT_NO_FATAL_FAILURE(PauseDebtForGood());
  ExpectSoon([&] {
    return db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  });
  EXPECT_EQ(0, db_.level0_files());
}

TEST_F(TuningWaitersTest, ExclusiveCompactRangeMakesProgress) {
  ASSERT_NO_FATAL_FAILURE(PauseDebtForGood());
  ExpectSoon([&] {
    CompactRangeOptions options;
    options.exclusive_manual_compaction = true;
    return db_->CompactRange(options, nullptr, nullptr);
  });
  EXPECT_EQ(0, db_.level0_files());
}

// Beyond the slowdown, short of the stop: static behaviour would wait.
TEST_F(TuningWaitersTest, FlushDoesNotWaitForPacingToEnd) {
  Open();
  ASSERT_NO_FATAL_FAILURE(db_.Press());
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  ExpectSoon([&] { return db_->Flush(FlushOptions()); });
  EXPECT_EQ("0", db_.Property("rocksdb.num-entries-active-mem-table"));
  db_.hold().ReleaseAll();
}

TEST_F(TuningWaitersTest, PauseBackgroundWorkWaitsForNoPausedJob) {
  ASSERT_NO_FATAL_FAILURE(PauseDebtForGood());
  ExpectSoon([&] { return db_->PauseBackgroundWork(); });
  EXPECT_TRUE(db_->ContinueBackgroundWork().ok());
}

TEST_F(TuningWaitersTest, ClosingDoesNotWaitForPausedJobsOrPacedWriters) {
  Open();
  ASSERT_NO_FATAL_FAILURE(db_.Press());
  uint64_t done = 0;
  {
    Writers writers(db_.get(), 3);
    ASSERT_TRUE(AwaitPressed());
    auto closed =
        std::async(std::launch::async, [this] { return db_->Close(); });
    // What is held by the test itself has to be let go.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    db_.hold().ReleaseAll();
    ASSERT_EQ(std::future_status::ready, closed.wait_for(kSoon));
    EXPECT_TRUE(closed.get().ok());
    // Only what a writer asks for after the end is refused.
    EXPECT_TRUE(TunedDb::Await([&] { return writers.refused(); }));
    writers.Stop();
    done = writers.done();
  }
  db_.Close();
  Open();
  uint64_t found = 0;
  for (const auto& [key, value] : db_.Rows()) found += key[0] == 'w';
  EXPECT_GE(found, done);
}

TEST_F(TuningWaitersTest, DroppingAFamilyEndsItsPausedJobsAndItsFiles) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(
      db_->CreateColumnFamily(ColumnFamilyOptions(db_.options()), "o", &other)
          .ok());
  ASSERT_NO_FATAL_FAILURE(db_.Press(other));
  db_.hold().ReleaseAll();
  ExpectSoon([&] { return db_->DropColumnFamily(other); });
  EXPECT_TRUE(TunedDb::Await([this] { return db_.Jobs().empty(); }));
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  EXPECT_TRUE(AwaitTableFiles(env_.get(), "/db", 0));
  db_.TickTimes(3);
  EXPECT_EQ(0u, db_.pacing());
}

TEST_F(TuningWaitersTest, FilesOfADroppedFamilyGoWithItsLastJob) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(
      db_->CreateColumnFamily(ColumnFamilyOptions(db_.options()), "o", &other)
          .ok());
  db_.hold().Hold(0);
  for (int i = 0; i < 4; ++i) db_.AddFile(0, 100, 2, 100, other);
  ASSERT_TRUE(TunedDb::Await([&] { return db_.hold().held() == 1; }));
  ExpectSoon([&] { return db_->DropColumnFamily(other); });
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  EXPECT_FALSE(TableFiles(env_.get(), "/db").empty());
  db_.hold().ReleaseAll();
  EXPECT_TRUE(AwaitTableFiles(env_.get(), "/db", 0));
}

// ------------------------------------------------------------- mixed families

// tuning_driver.h (3).
TEST_F(TuningModesTest, AFamilyThatIsNotTunedKeepsItsStaticBehaviour) {
  Open();
  db_.hold().OnlyOf(kDefaultColumnFamilyName);
  ColumnFamilyOptions plain(db_.options());
  plain.auto_tuned_compaction = false;
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(plain, "plain", &other).ok());
  ASSERT_NO_FATAL_FAILURE(db_.Press());
  // The tuned family's deeper levels stand still; the other's do not.
  for (int i = 0; i < 6; ++i) {
    db_.AddFile(i, 1000, 2, 100, other);
    db_.Tick();
  }
  EXPECT_TRUE(TunedDb::Await([&] {
    std::string files;
    EXPECT_TRUE(db_->GetProperty(other, "rocksdb.num-files-at-level2", &files));
    return files != "0";
  }));
  EXPECT_EQ(1, db_.paused());
  {
    engine::MutexLock lock(&db_.state().mu);
    EXPECT_TRUE(db_.state().families->Get("plain")->shape() ==
                engine::FamilyDecision{});
  }
  db_.hold().ReleaseAll();
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

// Compactions that its shape held back are due when the shape is gone. Only the
// tick can start them: nothing else happens in the family.
TEST_F(TuningModesTest, WhatAShapeHeldBackIsBegunWhenItsFamilyIsNoLongerTuned) {
  Open();
  ColumnFamilyOptions plain(db_.options());
  plain.auto_tuned_compaction = false;
  plain.disable_auto_compactions = true;
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(plain, "plain", &other).ok());
  for (int i = 0; i < 4; ++i) db_.AddFile(i, 10, 2, 100, other);
  ASSERT_EQ(4, db_.level0_files(other));
  db_.TickTimes(3);  // From here on its decisions stay the same.
  ASSERT_TRUE(db_->PauseBackgroundWork().ok());
  ASSERT_TRUE(
      db_->SetOptions(other, {{"disable_auto_compactions", "false"}}).ok());
  {
    // As the last tick before the switch may have left it.
    engine::MutexLock lock(&db_.state().mu);
    const engine::FamilyPtr family = db_.state().families->Get("plain");
    engine::FamilyDecision shape;
    shape.runs_target = 1000;
    shape.tier_files_min = 1000;
    family->ApplyShape(shape);
    family->compaction_blocked = engine::JobClassSet::All();
  }
  ASSERT_TRUE(db_->ContinueBackgroundWork().ok());
  db_.Tick();
  EXPECT_TRUE(TunedDb::Await([&] { return db_.level0_files(other) == 0; }));
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
