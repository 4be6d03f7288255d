// Logs that fail: what syncs promise afterwards, and what Resume() repairs.

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/listener.h"
#include "rocksdb/system_clock.h"
#include "test/support/error_fs.h"
#include "test/support/hooked_fs.h"
#include "test/support/lone_sync_fs.h"
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

// What a flush wrote before the sync of the older log failed is not used.
TEST_F(LogErrors, AFlushThatCannotSyncTheOlderLogLeavesNoTable) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &other));
  test::Ok(db_->Put(WriteOptions(), other, "a", "1"));
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
  test::Ok(fs_->SetRule("(ErrRetryable (And sync (PathMatch \"*.log\")))"));
  EXPECT_TRUE(db_->Flush(FlushOptions()).IsIOError());
  std::vector<std::string> names;
  test::Ok(env_->GetChildren("/db", &names));
  for (const std::string& name : names) {
    EXPECT_FALSE(name.ends_with(".sst")) << name;
  }
  fs_->ClearRule();
  test::Ok(db_->Resume());
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(db_->DestroyColumnFamilyHandle(other));
}

// False if the flag is not set within `millis`.
bool Await(const std::atomic<bool>& flag, int millis = 60'000) {
  for (int i = 0; i < millis && !flag; ++i) {
    SystemClock::Default()->SleepForMicroseconds(1000);
  }
  return flag;
}

// A flush fails because it cannot sync the older log.
class FailedLogErrors : public LogErrors {
 protected:
  using Hook = std::function<void(const test::FileOp& op)>;

  // `during_resume` is shown every call while ResumeAfter() resumes.
  explicit FailedLogErrors(Hook during_resume)
      : watched_(NewCompositeEnv(std::make_shared<test::HookedFileSystem>(
            fs_, [this, during_resume](const test::FileOp& op) {
              if (resuming_) during_resume(op);
              return IOStatus::OK();
            }))) {
    options_.env = watched_.get();
  }
  ~FailedLogErrors() override { db_.reset(); }

  void ResumeAfter(const std::string& error) {
    Open();
    ColumnFamilyHandle* other = nullptr;
    test::Ok(db_->CreateColumnFamily(options_, "other", &other));
    test::Ok(db_->Put(WriteOptions(), other, "a", "1"));
    test::Ok(db_->Put(WriteOptions(), "b", "2"));
    test::Ok(fs_->SetRule("(" + error + " (And sync (PathMatch \"*.log\")))"));
    EXPECT_TRUE(db_->Flush(FlushOptions()).IsIOError());
    fs_->ClearRule();
    resuming_ = true;
    test::Ok(db_->Resume());
    resuming_ = false;
    test::Ok(db_->Put(WriteOptions(), "b", "3"));
    test::Ok(db_->DestroyColumnFamilyHandle(other));
  }

 private:
  std::atomic<bool> resuming_{false};
  const std::unique_ptr<Env> watched_;
};

// The error has stopped writes: nothing can wait for a flush.
class FlushOfAResume : public FailedLogErrors {
 protected:
  FlushOfAResume()
      : FailedLogErrors([this](const test::FileOp& op) {
          if (op.kind != test::OpKind::kCreate) return;
          if (op.path.ends_with(".sst")) begun_ = true;
          if (!op.path.ends_with(".log")) return;
          EXPECT_FALSE(Await(begun_, /*millis=*/100));
        }) {}

  std::atomic<bool> begun_{false};
};

TEST_F(FlushOfAResume, WaitsForTheNewLog) {
  ResumeAfter("ErrNoSpace");
  EXPECT_TRUE(begun_);
}

// Writes go on, so flushes go on at once. This one fails on the old log, and
// ends when there is a new one.
class FlushBeforeAResume : public FailedLogErrors {
 protected:
  FlushBeforeAResume()
      : FailedLogErrors([this](const test::FileOp& op) {
          const bool of_a_log = op.path.ends_with(".log");
          if (op.kind == test::OpKind::kCreate && of_a_log) {
            EXPECT_TRUE(Await(failed_));
            replacing_ = true;
          }
          if (op.kind == test::OpKind::kDelete && !of_a_log && !failed_) {
            failed_ = true;
            EXPECT_TRUE(Await(replacing_));
            SystemClock::Default()->SleepForMicroseconds(50'000);
          }
        }) {}

  std::atomic<bool> failed_{false};
  std::atomic<bool> replacing_{false};
};

TEST_F(FlushBeforeAResume, IsTriedAgain) {
  ResumeAfter("ErrRetryable");
  EXPECT_TRUE(replacing_);
}

// Takes its time over the error of a flush.
class SlowToAnswer final : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason reason, Status*) override {
    if (reason != BackgroundErrorReason::kFlush) return;
    asked_ = true;
    EXPECT_TRUE(Await(answer_));
  }
  bool AwaitQuestion() const { return Await(asked_); }
  void Answer() { answer_ = true; }

 private:
  std::atomic<bool> asked_{false};
  std::atomic<bool> answer_{false};
};

// The resume has flushed the same memtable in another thread.
TEST_F(LogErrors, AFlushFromBeforeAResumeStopsNothingAfterIt) {
  const auto listener = std::make_shared<SlowToAnswer>();
  options_.listeners = {listener};
  options_.max_background_jobs = 8;  // Two flushes at once.
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(fs_->SetRule("(ErrNoSpace (And sync (PathMatch \"*.sst\")))"));
  FlushOptions in_background;
  in_background.wait = false;
  test::Ok(db_->Flush(in_background));
  ASSERT_TRUE(listener->AwaitQuestion());
  test::Ok(fs_->SetRule("(ErrRetryable (And append (PathMatch \"*.log\")))"));
  EXPECT_TRUE(db_->Put(WriteOptions(), "b", "2").IsIOError());
  fs_->ClearRule();
  test::Ok(db_->Resume());
  listener->Answer();
  test::Ok(db_->WaitForCompact(WaitForCompactOptions()));
  test::Ok(db_->Put(WriteOptions(), "b", "3"));
  test::Ok(db_->Flush(FlushOptions()));
}

// Sets every error to OK.
class Forgiving final : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason, Status* error) override {
    *error = Status::OK();
  }
};

// What were written after the failed record would have its sequence, too.
TEST_F(LogErrors, NoListenerForgivesALogThatFailed) {
  options_.listeners = {std::make_shared<Forgiving>()};
  Open();
  WriteOptions synced;
  synced.sync = true;
  test::Ok(fs_->SetRule("(ErrRetryable (And sync_dir (OnIndex 0)))"));
  EXPECT_TRUE(db_->Put(synced, "k", "1").IsIOError());
  EXPECT_TRUE(db_->Put(synced, "k", "2").IsIOError());
  test::Ok(db_->Resume());
  test::Ok(db_->Put(synced, "k", "3"));
  test::Ok(db_->Put(synced, "l", "4"));
  db_.reset();
  Open();
  std::string value;
  test::Ok(db_->Get(ReadOptions(), "k", &value));
  EXPECT_EQ("3", value);
  test::Ok(db_->Get(ReadOptions(), "l", &value));
  EXPECT_EQ("4", value);
}

// As files of a user's file system by default.
TEST_F(LogErrors, FilesThatCannotBeSyncedBesideAppendsAreNoError) {
  const std::unique_ptr<Env> env =
      NewCompositeEnv(std::make_shared<test::LoneSyncFileSystem>(fs_));
  options_.env = env.get();
  Open();
  ColumnFamilyHandle* other = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &other));
  test::Ok(db_->Put(WriteOptions(), other, "a", "1"));
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(db_->Put(WriteOptions(), "b", "3"));
  EXPECT_TRUE(db_->SyncWAL().IsNotSupported());
  test::Ok(db_->FlushWAL(/*sync=*/true));
  WriteOptions synced;
  synced.sync = true;
  test::Ok(db_->Put(synced, "c", "3"));
  test::Ok(db_->DestroyColumnFamilyHandle(other));
  db_.reset();
}

// Of a file that says nothing of the kind it is an error as any other: what
// was acknowledged is not safe.
TEST_F(LogErrors, ASyncThatALogDoesNotSupportStopsWrites) {
  const auto no_syncs =
      std::make_shared<test::HookedFileSystem>(fs_, [](const test::FileOp& op) {
        const bool of_a_log = op.path.ends_with(".log");
        return op.kind == test::OpKind::kSync && of_a_log
                   ? IOStatus::NotSupported("no syncs here")
                   : IOStatus::OK();
      });
  const std::unique_ptr<Env> env = NewCompositeEnv(no_syncs);
  options_.env = env.get();
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  EXPECT_TRUE(db_->SyncWAL().IsNotSupported());
  EXPECT_TRUE(db_->Put(WriteOptions(), "b", "2").IsNotSupported());
  db_.reset();
}

// A compaction that fails leaves an error with which flushes go on.
class CompactionErrors : public LogErrors {
 protected:
  void FailACompaction() {
    options_.level0_file_num_compaction_trigger = 2;
    Open();
    test::Ok(db_->Put(WriteOptions(), "a", "1"));
    test::Ok(db_->Flush(FlushOptions()));
    test::Ok(db_->Put(WriteOptions(), "a", "2"));
    test::Ok(fs_->SetRule(
        "(ErrRetryable (And create (PathMatch \"*.sst\") (OnIndex 1)))"));
    test::Ok(db_->Flush(FlushOptions()));
    uint64_t errors = 0;
    for (int i = 0; i < 60'000 && errors == 0; ++i) {
      SystemClock::Default()->SleepForMicroseconds(1000);
      ASSERT_TRUE(
          db_->GetIntProperty(DB::Properties::kBackgroundErrors, &errors));
    }
    ASSERT_EQ(1u, errors);
  }
};

TEST_F(CompactionErrors, FailNoFlush) {
  FailACompaction();
  test::Ok(db_->Put(WriteOptions(), "b", "3"));
  test::Ok(db_->Flush(FlushOptions()));
}

// The error of the compaction came first and is no milder.
TEST_F(CompactionErrors, AreNotWhyAFlushFails) {
  FailACompaction();
  test::Ok(db_->Put(WriteOptions(), "b", "3"));
  test::Ok(fs_->SetRule("(ErrRetryable (And sync (PathMatch \"*.sst\")))"));
  const Status failed = db_->Flush(FlushOptions());
  EXPECT_TRUE(failed.IsIOError());
  EXPECT_NE(std::string::npos, failed.ToString().find("sync"))
      << failed.ToString();
}

// Forgives flushes only: the error of the compaction stays.
class ForgivingFlushes : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason reason, Status* error) override {
    if (reason == BackgroundErrorReason::kFlush) *error = Status::OK();
  }
};

TEST_F(CompactionErrors, LeaveAForgivenFlushToBeTriedAgain) {
  options_.listeners = {std::make_shared<ForgivingFlushes>()};
  FailACompaction();
  test::Ok(db_->Put(WriteOptions(), "b", "3"));
  test::Ok(fs_->SetRule(
      "(ErrRetryable (And sync (PathMatch \"*.sst\") (OnIndex 0)))"));
  test::Ok(db_->Flush(FlushOptions()));
}

TEST_F(CompactionErrors, LetACloseFlushWhatNoLogHas) {
  FailACompaction();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  test::Ok(db_->Put(unlogged, "b", "3"));
  test::Ok(db_->Close());
  Open();
  std::string value;
  test::Ok(db_->Get(ReadOptions(), "b", &value));
  EXPECT_EQ("3", value);
}

class Attempts : public EventListener {
 public:
  void OnErrorRecoveryBegin(BackgroundErrorReason, Status, bool*) override {
    begun_.fetch_add(1);
  }
  void OnErrorRecoveryEnd(const BackgroundErrorRecoveryInfo&) override {
    ended_.fetch_add(1);
  }
  int begun() const { return begun_.load(); }
  int ended() const { return ended_.load(); }
  // False if so many have not ended within a minute.
  bool AwaitEnded(int count) const {
    for (int i = 0; i < 60'000 && ended() < count; ++i) {
      SystemClock::Default()->SleepForMicroseconds(1000);
    }
    return ended() >= count;
  }

 private:
  std::atomic<int> begun_{0};
  std::atomic<int> ended_{0};
};

class ResumeErrors : public LogErrors {
 protected:
  // A flush fails, and so do the attempts to resume that follow it.
  void FailFlushAndAttempts(int count) {
    options_.listeners = {attempts_};
    options_.max_bgerror_resume_count = count;
    options_.bgerror_resume_retry_interval = 1000;
    Open();
    test::Ok(db_->Put(WriteOptions(), "a", "1"));
    test::Ok(fs_->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\")))"));
    EXPECT_TRUE(db_->Flush(FlushOptions()).IsIOError());
    EXPECT_TRUE(attempts_->AwaitEnded(count));
  }

  const std::shared_ptr<Attempts> attempts_ = std::make_shared<Attempts>();
};

// Also when the flush in each of them reports an error of its own.
TEST_F(ResumeErrors, AttemptsAreCounted) {
  FailFlushAndAttempts(3);
  SystemClock::Default()->SleepForMicroseconds(100'000);
  EXPECT_EQ(3, attempts_->begun());
  fs_->ClearRule();
  test::Ok(db_->Resume());
  test::Ok(db_->Flush(FlushOptions()));
}

// When the attempts have been used up, a Resume() that fails begins them anew.
TEST_F(ResumeErrors, AResumeThatFailsIsFollowedByAttempts) {
  FailFlushAndAttempts(1);
  EXPECT_TRUE(db_->Resume().IsIOError());
  EXPECT_TRUE(attempts_->AwaitEnded(2));
  fs_->ClearRule();
  test::Ok(db_->Resume());
}

// Calls Resume() in the flush of an attempt.
class ResumesInAFlush : public EventListener {
 public:
  void OnErrorRecoveryBegin(BackgroundErrorReason, Status, bool*) override {
    in_attempt_.store(true);
  }
  void OnFlushBegin(DB* db, const FlushJobInfo&) override {
    if (!in_attempt_.exchange(false)) return;
    answer_ = db->Resume();
  }
  void OnErrorRecoveryEnd(const BackgroundErrorRecoveryInfo&) override {
    ended_.store(true);
  }
  bool ended() const { return ended_.load(); }
  const Status& answer() const { return answer_; }

 private:
  std::atomic<bool> in_attempt_{false};
  std::atomic<bool> ended_{false};
  Status answer_;
};

TEST_F(LogErrors, AResumeDuringAnAttemptIsBusy) {
  const auto listener = std::make_shared<ResumesInAFlush>();
  options_.listeners = {listener};
  options_.max_bgerror_resume_count = 1;
  options_.bgerror_resume_retry_interval = 1000;
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(fs_->SetRule(
      "(ErrRetryable (And sync (PathMatch \"*.log\") (OnIndex 0)))"));
  EXPECT_TRUE(db_->SyncWAL().IsIOError());
  for (int i = 0; i < 60'000 && !listener->ended(); ++i) {
    SystemClock::Default()->SleepForMicroseconds(1000);
  }
  ASSERT_TRUE(listener->ended());
  EXPECT_TRUE(listener->answer().IsBusy()) << listener->answer().ToString();
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
}

// Calls SyncWAL() in the first flush once it is armed.
class SyncsInAFlush : public EventListener {
 public:
  void OnFlushBegin(DB* db, const FlushJobInfo&) override {
    if (armed_.exchange(false)) answer_ = db->SyncWAL();
  }
  void Arm() { armed_.store(true); }
  const Status& answer() const { return answer_; }

 private:
  std::atomic<bool> armed_{false};
  Status answer_;
};

// The error did not stop writes, so no call has told it yet.
TEST_F(LogErrors, ASyncDuringAResumeSaysWhatHadFailed) {
  const auto listener = std::make_shared<SyncsInAFlush>();
  options_.listeners = {listener};
  Open();
  ColumnFamilyHandle* other = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &other));
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(db_->Put(WriteOptions(), other, "b", "2"));
  test::Ok(fs_->SetRule(
      "(ErrRetryable (And sync (PathMatch \"*.log\") (OnIndex 0)))"));
  EXPECT_TRUE(db_->Flush(FlushOptions()).IsIOError());
  test::Ok(db_->Put(WriteOptions(), "c", "3"));
  listener->Arm();
  // A sync before the log is replaced fails again, and stops writes.
  if (!db_->Resume().ok()) test::Ok(db_->Resume());
  EXPECT_TRUE(listener->answer().IsIOError());
  const std::string text = listener->answer().ToString();
  EXPECT_NE(std::string::npos, text.find("injected")) << text;
  test::Ok(db_->SyncWAL());
  test::Ok(db_->DestroyColumnFamilyHandle(other));
}

// Calls Resume() at the end of the first attempt, before all of it is over.
class ResumesAtTheEnd final : public Attempts {
 public:
  explicit ResumesAtTheEnd(std::function<void()> resume)
      : resume_(std::move(resume)) {}
  void OnErrorRecoveryEnd(const BackgroundErrorRecoveryInfo& info) override {
    if (resume_ != nullptr) std::exchange(resume_, nullptr)();
    Attempts::OnErrorRecoveryEnd(info);
  }

 private:
  std::function<void()> resume_;
};

TEST_F(LogErrors, AResumeInTheLastMomentOfAnAttemptIsFollowedByAttempts) {
  const auto attempts = std::make_shared<ResumesAtTheEnd>(
      [this] { EXPECT_TRUE(db_->Resume().IsIOError()); });
  options_.listeners = {attempts};
  options_.max_bgerror_resume_count = 1;
  options_.bgerror_resume_retry_interval = 1000;
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(fs_->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\")))"));
  EXPECT_TRUE(db_->Flush(FlushOptions()).IsIOError());
  EXPECT_TRUE(attempts->AwaitEnded(2));
  fs_->ClearRule();
  test::Ok(db_->Resume());
}

// A flush fails when an attempt to resume has succeeded but not yet ended.
class FailsAgain final : public Attempts {
 public:
  explicit FailsAgain(std::function<void()> fail) : fail_(std::move(fail)) {}
  void OnErrorRecoveryEnd(const BackgroundErrorRecoveryInfo& info) override {
    if (info.new_bg_error.ok() && fail_ != nullptr) {
      std::exchange(fail_, nullptr)();
    }
    Attempts::OnErrorRecoveryEnd(info);
  }

 private:
  std::function<void()> fail_;
};

TEST_F(LogErrors, AnErrorBeforeAnAttemptHasEndedIsResumedFrom) {
  const std::string rule = "(ErrNoSpace (And create (PathMatch \"*.sst\")))";
  std::atomic<bool> failed_again{false};
  options_.listeners = {std::make_shared<FailsAgain>([&] {
    test::Ok(fs_->SetRule(rule));
    test::Ok(db_->Put(WriteOptions(), "b", "2"));
    EXPECT_TRUE(db_->Flush(FlushOptions()).IsNoSpace());
    fs_->ClearRule();
    failed_again = true;
  })};
  options_.max_bgerror_resume_count = 1000;
  options_.bgerror_resume_retry_interval = 1000;
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(fs_->SetRule(rule));
  EXPECT_TRUE(db_->Flush(FlushOptions()).IsNoSpace());
  fs_->ClearRule();
  Status status;
  for (int tries = 0; tries < 10000; ++tries) {
    const bool both = failed_again;
    status = db_->Put(WriteOptions(), "c", "3");
    if (status.ok() && both) break;
    SystemClock::Default()->SleepForMicroseconds(1000);
  }
  test::Ok(status);
  test::Ok(db_->Flush(FlushOptions()));
}

// For every second job the failure is reported after the attempt that began it
// has ended because the other job failed.
class LateAttempts final : public Attempts {
 public:
  void OnBackgroundError(BackgroundErrorReason, Status*) override {
    if (errors_.fetch_add(1) % 2 == 0) return;
    SystemClock::Default()->SleepForMicroseconds(10'000);
  }

 private:
  std::atomic<int> errors_{0};
};

TEST_F(LogErrors, AnAttemptThatFailsLateIsOfTheSameCount) {
  const auto attempts = std::make_shared<LateAttempts>();
  options_.listeners = {attempts};
  options_.max_bgerror_resume_count = 3;
  options_.bgerror_resume_retry_interval = 1000;
  options_.max_background_jobs = 8;  // Two of them flush.
  Open();
  ColumnFamilyHandle* other = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &other));
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(db_->Put(WriteOptions(), other, "b", "2"));
  test::Ok(fs_->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\")))"));
  EXPECT_TRUE(db_->Flush(FlushOptions()).IsIOError());
  EXPECT_TRUE(attempts->AwaitEnded(3));
  SystemClock::Default()->SleepForMicroseconds(100'000);
  EXPECT_EQ(3, attempts->begun());
  fs_->ClearRule();
  test::Ok(db_->Resume());
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(db_->DestroyColumnFamilyHandle(other));
}

TEST_F(LogErrors, ResumeSaysWhyAFlushFailedThatAListenerForgave) {
  options_.listeners = {std::make_shared<Forgiving>()};
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(fs_->SetRule(
      "(ErrRetryable (And sync (PathMatch \"*.log\") (OnIndex 0)))"));
  EXPECT_TRUE(db_->SyncWAL().IsIOError());
  test::Ok(fs_->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\")))"));
  const Status failed = db_->Resume();
  EXPECT_TRUE(failed.IsIOError());
  EXPECT_NE(std::string::npos, failed.ToString().find("injected"))
      << failed.ToString();
  fs_->ClearRule();
  test::Ok(db_->Resume());
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
  test::Ok(db_->SyncWAL());
}

// Forgives all but the first error.
class LaterForgiving final : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason, Status* error) override {
    if (heard_.exchange(true)) *error = Status::OK();
  }

 private:
  std::atomic<bool> heard_ = false;
};

// A flush fails, and so does that of the Resume(), which is forgiven.
class ForgivenDuringResume : public LogErrors {
 protected:
  Status Resume(const std::string& error) {
    options_.listeners = {std::make_shared<LaterForgiving>()};
    Open();
    test::Ok(db_->Put(WriteOptions(), "a", "1"));
    const std::string tables = " (And create (PathMatch \"*.sst\")))";
    test::Ok(fs_->SetRule("(ErrRetryable" + tables));
    EXPECT_TRUE(db_->Flush(FlushOptions()).IsIOError());
    test::Ok(fs_->SetRule("(" + error + tables));
    Status failed = db_->Resume();
    fs_->ClearRule();
    return failed;
  }
};

TEST_F(ForgivenDuringResume, AFullDiskStopsWritesAsOneDoesElsewhere) {
  const Status failed = Resume("ErrNoSpace");
  EXPECT_TRUE(failed.IsNoSpace()) << failed.ToString();
  const Status refused = db_->Put(WriteOptions(), "b", "2");
  EXPECT_TRUE(refused.IsNoSpace()) << refused.ToString();
  test::Ok(db_->Resume());
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
}

TEST_F(ForgivenDuringResume, AFencedFileDoesNotEndTheDatabase) {
  const Status failed = Resume("ErrFenced");
  EXPECT_TRUE(failed.IsIOError() && !failed.IsIOFenced()) << failed.ToString();
  test::Ok(db_->Put(WriteOptions(), "b", "2"));
  test::Ok(db_->Resume());
  test::Ok(db_->Flush(FlushOptions()));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
