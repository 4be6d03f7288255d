// Callers that wait for a background job, and what happens to them when it
// fails or when the tree changes meanwhile: writers, younger flushes,
// CompactRange.

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "test/support/hooked_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Holds compactions at their beginning and table files at their creation, and
// counts what happens.
class Jobs final : public EventListener {
 public:
  void HoldCompactions(bool on) {
    std::lock_guard lock(mu_);
    hold_compactions_ = on;
    changed_.notify_all();
  }
  // The n-th table file from now on (from 1) is not created before
  // LetTable(n, status); with an error it is not created then, either.
  void HoldTable(int n) {
    std::lock_guard lock(mu_);
    if (static_cast<size_t>(n) >= answers_.size()) answers_.resize(n + 1);
    answers_[n] = {/*held=*/true, IOStatus::OK()};
  }
  void LetTable(int n, const IOStatus& status) {
    std::lock_guard lock(mu_);
    answers_[n] = {/*held=*/false, status};
    changed_.notify_all();
  }
  IOStatus BeforeCall(const test::FileOp& op) {
    if (op.kind != test::OpKind::kCreate || !op.path.ends_with(".sst")) {
      return IOStatus::OK();
    }
    std::unique_lock lock(mu_);
    const size_t n = ++tables_;
    changed_.notify_all();
    if (n >= answers_.size()) return IOStatus::OK();
    changed_.wait(lock, [&] { return !answers_[n].held; });
    return answers_[n].status;
  }

  void OnFlushCompleted(DB*, const FlushJobInfo&) override {
    std::lock_guard lock(mu_);
    ++flushes_;
    changed_.notify_all();
  }
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    std::unique_lock lock(mu_);
    begun_.push_back(info);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !hold_compactions_; });
  }

  void AwaitTables(int n) {
    Await([&] { return tables_ >= static_cast<size_t>(n); });
  }
  void AwaitFlushes(int n) {
    Await([&] { return flushes_ >= n; });
  }
  void AwaitCompactions(size_t n) {
    Await([&] { return begun_.size() >= n; });
  }
  std::vector<CompactionJobInfo> begun() const {
    std::lock_guard lock(mu_);
    return begun_;
  }

 private:
  struct Answer {
    bool held = false;
    IOStatus status;
  };
  template <typename Predicate>
  void Await(const Predicate& predicate) {
    std::unique_lock lock(mu_);
    ASSERT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60), predicate));
  }

  mutable std::mutex mu_;
  std::condition_variable changed_;
  bool hold_compactions_ = false;
  std::vector<Answer> answers_;
  size_t tables_ = 0;
  int flushes_ = 0;
  std::vector<CompactionJobInfo> begun_;
};

IOStatus Failure(bool retryable) {
  IOStatus status = IOStatus::IOError("injected");
  status.SetRetryable(retryable);
  return status;
}

// Gives those who are to wait the time to begin. Should it be too short, the
// test proves less, but does not fail.
void LetOthersBegin() {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

class WaitingTest : public ::testing::Test {
 protected:
  WaitingTest()
      : env_(NewCompositeEnv(std::make_shared<test::HookedFileSystem>(
            std::make_shared<engine::MemFileSystem>(),
            [jobs = jobs_](const test::FileOp& op) {
              return jobs->BeforeCall(op);
            }))) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.listeners = {jobs_};
    options_.max_background_jobs = 8;
    options_.max_bgerror_resume_count = 0;
    options_.level0_file_num_compaction_trigger = 2;
  }
  ~WaitingTest() override {
    jobs_->HoldCompactions(false);
    db_.reset();
  }

  void Open() {
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  Status Put(const std::string& key, const std::string& value) {
    return db_->Put(WriteOptions(), key, value);
  }
  void Flush(bool wait = true) {
    FlushOptions flush;
    flush.allow_write_stall = true;
    flush.wait = wait;
    const Status status = db_->Flush(flush);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  // A file of its own in level 0.
  void AddFile(const std::vector<std::string>& keys, size_t value_bytes) {
    for (const std::string& key : keys) {
      ASSERT_TRUE(Put(key, std::string(value_bytes, 'v')).ok());
    }
    Flush();
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  // "0: 2, 6: 1": files by level.
  std::string Levels() {
    ColumnFamilyMetaData data;
    db_->GetColumnFamilyMetaData(&data);
    std::string text;
    for (const LevelMetaData& level : data.levels) {
      if (level.files.empty()) continue;
      if (!text.empty()) text += ", ";
      text += std::to_string(level.level) + ": " +
              std::to_string(level.files.size());
    }
    return text;
  }
  Status CompactTo(int target_level) {
    CompactRangeOptions options;
    options.change_level = true;
    options.target_level = target_level;
    return db_->CompactRange(options, nullptr, nullptr);
  }

  const std::shared_ptr<Jobs> jobs_ = std::make_shared<Jobs>();
  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

// ----------------------------------------------------------- stopped writers

class StoppedWriterTest : public WaitingTest,
                          public ::testing::WithParamInterface<bool> {};

TEST_P(StoppedWriterTest, HearsOfTheErrorThatKeepsItWaiting) {
  options_.level0_slowdown_writes_trigger = 2;
  options_.level0_stop_writes_trigger = 2;
  Open();
  AddFile({"a", "z"}, 100);
  jobs_->HoldCompactions(true);
  jobs_->HoldTable(3);
  AddFile({"a", "z"}, 100);
  jobs_->AwaitCompactions(1);
  uint64_t stopped = 0;
  ASSERT_TRUE(db_->GetIntProperty("rocksdb.is-write-stopped", &stopped));
  ASSERT_EQ(1u, stopped);

  // One leads and waits for the compaction; the other queues behind it.
  std::vector<Status> heard(2);
  std::vector<std::thread> writers;
  for (Status& status : heard) {
    writers.emplace_back([&] { status = Put("m", "value"); });
  }
  LetOthersBegin();
  jobs_->LetTable(3, Failure(/*retryable=*/GetParam()));
  jobs_->HoldCompactions(false);
  for (std::thread& writer : writers) writer.join();
  for (const Status& status : heard) {
    EXPECT_TRUE(status.IsIOError()) << status.ToString();
    EXPECT_NE(std::string::npos, status.ToString().find("injected"));
  }
  EXPECT_TRUE(Put("m", "value").IsIOError());
  EXPECT_EQ("NotFound: ", Get("m"));
}

// A retryable failure of a compaction is a soft error: writes would go on,
// were they not stopped.
INSTANTIATE_TEST_SUITE_P(SoftAndFatal, StoppedWriterTest, ::testing::Bool(),
                         [](const auto& kind) {
                           return kind.param ? "Soft" : "Fatal";
                         });

// ------------------------------------------------------------ younger flushes

TEST_F(WaitingTest, ATableThatWaitsForAnOlderFlushOutlivesAScan) {
  options_.disable_auto_compactions = true;
  options_.max_write_buffer_number = 8;
  Open();
  jobs_->HoldTable(1);
  jobs_->HoldTable(3);
  ASSERT_TRUE(Put("older", "1").ok());
  Flush(/*wait=*/false);
  jobs_->AwaitTables(1);
  ASSERT_TRUE(Put("younger", "2").ok());
  Flush(/*wait=*/false);
  jobs_->AwaitFlushes(1);
  EXPECT_EQ("", Levels());  // Written, but waiting for the older one.

  // The older one fails and begins again, with a higher file number.
  jobs_->LetTable(1, Failure(/*retryable=*/true));
  jobs_->AwaitTables(3);
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  ASSERT_TRUE(db_->EnableFileDeletions().ok());  // Scans.
  jobs_->LetTable(3, IOStatus::OK());
  jobs_->AwaitFlushes(2);
  EXPECT_EQ("0: 2", Levels());
  EXPECT_EQ("1", Get("older"));
  EXPECT_EQ("2", Get("younger"));
  db_.reset();
  Open();
  EXPECT_EQ("1", Get("older"));
  EXPECT_EQ("2", Get("younger"));
}

// --------------------------------------------------------------- CompactRange

TEST_F(WaitingTest, CompactRangeFollowsABaseLevelThatMoves) {
  options_.level_compaction_dynamic_level_bytes = true;
  options_.max_bytes_for_level_base = 16 << 10;
  Open();
  AddFile({"a"}, 100);
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  ASSERT_EQ("6: 1", Levels());

  // Too large for one level: with it in level 6, the base level is 5.
  jobs_->HoldCompactions(true);
  AddFile({"a", "m", "z"}, 20 << 10);
  const size_t before = jobs_->begun().size();
  if (before < 2) jobs_->AwaitCompactions(2);
  AddFile({"a", "z"}, 10);
  std::thread compacting([this] {
    const Status status =
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
    EXPECT_TRUE(status.ok()) << status.ToString();
  });
  LetOthersBegin();
  jobs_->HoldCompactions(false);
  compacting.join();
  const std::vector<CompactionJobInfo> begun = jobs_->begun();
  ASSERT_LE(3u, begun.size());
  EXPECT_EQ(6, begun[1].output_level);
  EXPECT_EQ(CompactionReason::kManualCompaction, begun[2].compaction_reason);
  EXPECT_EQ(0, begun[2].base_input_level);
  EXPECT_EQ(5, begun[2].output_level);
  EXPECT_EQ(std::string(10, 'v'), Get("a"));
  EXPECT_EQ(20u << 10, Get("m").size());
}

class ChangeLevelTest : public WaitingTest {
 protected:
  ChangeLevelTest() {
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 6;
  }
};

TEST_F(ChangeLevelTest, MovesTheResultToTheTargetLevel) {
  Open();
  AddFile({"a", "z"}, 100);
  Status status = CompactTo(3);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("3: 1", Levels());
  status = CompactTo(2);  // Up again, too.
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("2: 1", Levels());
  status = CompactTo(-1);  // The lowest number that holds it.
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("1: 1", Levels());
  db_.reset();
  Open();
  EXPECT_EQ("1: 1", Levels());
  EXPECT_EQ(std::string(100, 'v'), Get("a"));
}

TEST_F(ChangeLevelTest, RefusesWhatWouldPassOtherFiles) {
  Open();
  AddFile({"a", "c"}, 100);
  ASSERT_TRUE(CompactTo(3).ok());
  AddFile({"x", "z"}, 100);
  CompactRangeOptions options;
  options.change_level = true;
  options.target_level = 4;
  const Slice x("x");
  const Slice z("z");
  const Status status = db_->CompactRange(options, &x, &z);
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  EXPECT_EQ("1: 1, 3: 1", Levels());
  options.target_level = 6;
  EXPECT_TRUE(db_->CompactRange(options, &x, &z).IsInvalidArgument());
  EXPECT_EQ("1: 1, 3: 1", Levels());
  EXPECT_EQ(std::string(100, 'v'), Get("x"));
}

TEST_F(ChangeLevelTest, WaitsForTheJobsThatRun) {
  options_.max_bytes_for_level_base = 1 << 20;
  Open();
  AddFile({"x", "z"}, 100);
  ASSERT_TRUE(CompactTo(1).ok());
  ASSERT_EQ("1: 1", Levels());
  jobs_->HoldCompactions(true);
  const size_t before = jobs_->begun().size();
  AddFile({"a", "b"}, 100);
  AddFile({"a", "c"}, 100);
  jobs_->AwaitCompactions(before + 1);  // From level 0 to level 1.

  std::thread compacting([this] {
    CompactRangeOptions options;
    options.change_level = true;
    options.target_level = 3;
    const Slice x("x");
    const Slice z("z");
    const Status status = db_->CompactRange(options, &x, &z);
    EXPECT_TRUE(status.ok()) << status.ToString();
  });
  LetOthersBegin();
  EXPECT_EQ("0: 2, 1: 1", Levels());
  jobs_->HoldCompactions(false);
  compacting.join();
  EXPECT_EQ("3: 2", Levels());
  EXPECT_EQ(std::string(100, 'v'), Get("a"));
  EXPECT_EQ(std::string(100, 'v'), Get("z"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
