// When files are deleted that a job replaced while readers held them, and what
// WaitForCompact waits for.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "test/db/files/files_fixture.h"
#include "test/support/hooked_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// In which thread the last table was deleted.
class Deletions final : public EventListener {
 public:
  void OnTableFileDeleted(const TableFileDeletionInfo&) override {
    thread_ = std::this_thread::get_id();
    ++count_;
  }
  int count() const { return count_; }
  std::thread::id thread() const { return thread_; }

 private:
  std::atomic<int> count_{0};
  std::atomic<std::thread::id> thread_;
};

// Occupies every thread of a pool until it dies.
class FullPool {
 public:
  FullPool(Env* env, Env::Priority pool)
      : threads_(env->GetBackgroundThreads(pool)) {
    for (int i = 0; i < threads_; ++i) {
      env->Schedule(&FullPool::Hold, this, pool, this);
    }
    std::unique_lock lock(mu_);
    changed_.wait(lock, [this] { return holding_ == threads_; });
  }
  ~FullPool() {
    std::unique_lock lock(mu_);
    over_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return holding_ == 0; });
  }

 private:
  static void Hold(void* pool) {
    auto* self = static_cast<FullPool*>(pool);
    std::unique_lock lock(self->mu_);
    ++self->holding_;
    self->changed_.notify_all();
    self->changed_.wait(lock, [self] { return self->over_; });
    --self->holding_;
    self->changed_.notify_all();
  }

  const int threads_;
  std::mutex mu_;
  std::condition_variable changed_;
  int holding_ = 0;
  bool over_ = false;
};

class Purge : public test::FilesTest {
 protected:
  Purge() {
    deletions_ = std::make_shared<Deletions>();
    options_.listeners.push_back(deletions_);
  }
  // Two tables that one compaction makes into one.
  void FillAndCompact(ColumnFamilyHandle* family) {
    ASSERT_TRUE(db_->Flush(FlushOptions(), family).ok());
    ASSERT_TRUE(db_->Put(WriteOptions(), family, "b", "2").ok());
    ASSERT_TRUE(db_->Flush(FlushOptions(), family).ok());
    CompactRangeOptions compact;
    compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    ASSERT_TRUE(db_->CompactRange(compact, family, nullptr, nullptr).ok());
  }
  // An iterator over files that are no longer part of the tree.
  std::unique_ptr<Iterator> HoldReplacedFiles() {
    Put("a", "1");
    EXPECT_TRUE(db_->Flush(FlushOptions()).ok());
    std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    FillAndCompact(db_->DefaultColumnFamily());
    EXPECT_TRUE(Wait().ok());  // Jobs may hold what they made for a moment.
    return it;
  }
  Status Wait(bool for_purge = true) {
    WaitForCompactOptions wait;
    wait.wait_for_purge = for_purge;
    wait.timeout = std::chrono::minutes(1);
    return db_->WaitForCompact(wait);
  }
  size_t Tables() { return Files(".sst").size(); }

  std::shared_ptr<Deletions> deletions_;
};

TEST_F(Purge, FilesGoWhenTheLastIteratorDies) {
  Open();
  std::unique_ptr<Iterator> it = HoldReplacedFiles();
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(2u, Tables());  // The new one, and what the iterator reads.
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("1", it->value());
  it.reset();
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(1u, Tables());
  EXPECT_EQ(2, deletions_->count());
  EXPECT_NE(std::this_thread::get_id(), deletions_->thread());
}

// As after a crash between the drop and the deletion. An opening without the
// family does not know its directory.
TEST_F(Purge, WhatADroppedFamilyLeftGoesWhenItIsCreatedAgain) {
  ColumnFamilyOptions apart = options_;
  apart.cf_paths = {{"/apart", 1 << 30}};
  const auto tables = [this] {
    std::vector<std::string> names;
    EXPECT_TRUE(env_->GetChildren("/apart", &names).ok());
    return std::count_if(names.begin(), names.end(), [](const auto& name) {
      return name.ends_with(".sst");
    });
  };
  Open();
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(apart, "other", &family).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), family, "a", "1").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions(), family).ok());
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  ASSERT_TRUE(db_->DropColumnFamily(family).ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
  Open();
  ASSERT_EQ(1, tables());
  ASSERT_TRUE(db_->CreateColumnFamily(apart, "other", &family).ok());
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(0, tables());
  ASSERT_TRUE(db_->Put(WriteOptions(), family, "a", "2").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions(), family).ok());
  EXPECT_EQ(1, tables());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
}

TEST_F(Purge, FilesOfADroppedFamilyGoWithItsLastReader) {
  Open();
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &family).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), family, "a", "1").ok());
  FillAndCompact(family);
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions(), family));
  ASSERT_TRUE(db_->DropColumnFamily(family).ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(1u, Tables());
  it.reset();
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(0u, Tables());
}

struct DropCase {
  const char* name = "";
  int table = 0;             // In the job that makes this one.
  bool other_works = false;  // A flush of another family, begun before.
  bool waits = false;        // What was made waits to be installed with that.
};

// Drops a family when its n-th table is closed, in the job that has made it:
// what the job makes is not installed any more.
class PurgeOfDroppedFamily : public ::testing::TestWithParam<DropCase> {
 protected:
  // Until `reached`, for a minute at most.
  template <typename Fn>
  static bool Reached(const Fn& reached) {
    for (int i = 0; i < 60'000 && !reached(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return reached();
  }
  IOStatus OnCall(const test::FileOp& op) {
    if (op.kind != test::OpKind::kClose || !op.path.ends_with(".sst")) {
      return IOStatus::OK();
    }
    if (GetParam().other_works && !held_.exchange(true)) {
      EXPECT_TRUE(Reached([this] { return released_.load(); }));
      return IOStatus::OK();
    }
    const bool last = ++tables_ == GetParam().table;
    if (last && !GetParam().waits) Drop();
    return IOStatus::OK();
  }
  void Drop() {
    EXPECT_TRUE(db_->DropColumnFamily(family_).ok());
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(family_).ok());
    dropped_ = true;
  }
  // The job is over, but for that of the other family.
  bool Waits() {
    uint64_t flushes = 0;
    return tables_ == GetParam().table &&
           db_->GetIntProperty("rocksdb.num-running-flushes", &flushes) &&
           flushes == 1;
  }
  size_t Tables() {
    std::vector<std::string> names;
    EXPECT_TRUE(env_->GetChildren("/db", &names).ok());
    return std::count_if(names.begin(), names.end(), [](const auto& name) {
      return name.ends_with(".sst");
    });
  }

  const std::unique_ptr<Env> env_ =
      NewCompositeEnv(std::make_shared<test::HookedFileSystem>(
          std::make_shared<engine::MemFileSystem>(),
          [this](const test::FileOp& op) { return OnCall(op); }));
  std::atomic<int> tables_{0};
  std::atomic<bool> dropped_{false};
  std::atomic<bool> held_{false};
  std::atomic<bool> released_{false};
  std::unique_ptr<DB> db_;
  ColumnFamilyHandle* family_ = nullptr;
};

TEST_P(PurgeOfDroppedFamily, DeletesWhatItsLastJobMade) {
  Options options;
  options.env = env_.get();
  options.create_if_missing = true;
  options.level0_file_num_compaction_trigger = 2;
  options.max_background_jobs = 8;
  options.atomic_flush = GetParam().waits;
  ASSERT_TRUE(DB::Open(options, "/db", &db_).ok());
  ASSERT_TRUE(db_->CreateColumnFamily(options, "other", &family_).ok());
  if (GetParam().other_works) {
    FlushOptions flush;
    flush.wait = false;
    ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
    ASSERT_TRUE(db_->Flush(flush).ok());
    ASSERT_TRUE(Reached([this] { return held_.load(); }));
  }
  const int flushes = std::min(2, GetParam().table);
  for (int i = 0; i < flushes; ++i) {
    ASSERT_TRUE(db_->Put(WriteOptions(), family_, "a", "1").ok());
    FlushOptions flush;
    flush.wait = i + 1 < flushes;  // The last may take the family away.
    ASSERT_TRUE(db_->Flush(flush, family_).ok());
  }
  if (GetParam().waits) {
    ASSERT_TRUE(Reached([this] { return Waits(); }));
    Drop();
  }
  ASSERT_TRUE(Reached([this] { return dropped_.load(); }));
  // The other flush has a table, too, and goes on for as long as it takes.
  const size_t others = GetParam().other_works ? 1 : 0;
  EXPECT_TRUE(Reached([&] { return Tables() == others; }));
  released_ = true;
  WaitForCompactOptions wait;
  wait.wait_for_purge = true;
  ASSERT_TRUE(db_->WaitForCompact(wait).ok());
  EXPECT_EQ(others, Tables());
}

INSTANTIATE_TEST_SUITE_P(
    FlushesAndACompaction, PurgeOfDroppedFamily,
    ::testing::Values(DropCase{"Flush", 1, false, false},
                      DropCase{"SecondFlush", 2, false, false},
                      DropCase{"Compaction", 3, false, false},
                      DropCase{"FlushBesideAnother", 1, true, false},
                      DropCase{"SecondFlushBesideAnother", 2, true, false},
                      DropCase{"CompactionBesideAFlush", 3, true, false},
                      DropCase{"BuiltFlushThatWaits", 1, true, true}),
    [](const auto& row) { return row.param.name; });

TEST_F(Purge, NothingGoesWhileDeletionsAreDisabled) {
  Open();
  std::unique_ptr<Iterator> it = HoldReplacedFiles();
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  it.reset();
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(2u, Tables());
  ASSERT_TRUE(db_->EnableFileDeletions().ok());
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(1u, Tables());
}

// A pass that has chosen its files must not delete any after deletions were
// disabled.
TEST(DisableFileDeletions, WaitsForThePassThatIsDeleting) {
  std::atomic<bool> deleting{false};
  std::atomic<bool> disabled{false};
  std::atomic<bool> deleted{false};
  std::atomic<bool> armed{false};
  const auto hook = [&](const test::FileOp& op) {
    if (!armed || op.kind != test::OpKind::kDelete) return IOStatus::OK();
    armed = false;
    deleting = true;
    for (int i = 0; i < 100 && !disabled; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    deleted = true;
    return IOStatus::OK();
  };
  const auto fs = std::make_shared<test::HookedFileSystem>(
      std::make_shared<engine::MemFileSystem>(), hook);
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "a", "1").ok());
  armed = true;
  std::thread flusher([&] { EXPECT_TRUE(db->Flush(FlushOptions()).ok()); });
  while (!deleting) std::this_thread::yield();  // The log that was flushed.
  EXPECT_TRUE(db->DisableFileDeletions().ok());
  EXPECT_TRUE(deleted);
  disabled = true;
  flusher.join();
  ASSERT_TRUE(db->EnableFileDeletions().ok());
}

// Disables deletions while it is notified of one.
class DisablingListener final : public EventListener {
 public:
  void OnTableFileDeleted(const TableFileDeletionInfo&) override {
    EXPECT_TRUE(db_->DisableFileDeletions().ok());
    EXPECT_TRUE(db_->EnableFileDeletions().ok());
    ++calls_;
  }
  void set_db(DB* db) { db_ = db; }
  int calls() const { return calls_; }

 private:
  DB* db_ = nullptr;
  std::atomic<int> calls_{0};
};

TEST_F(Purge, AListenerMayDisableDeletionsDuringOne) {
  const auto listener = std::make_shared<DisablingListener>();
  options_.listeners.push_back(listener);
  Open();
  listener->set_db(db_.get());
  std::unique_ptr<Iterator> it = HoldReplacedFiles();
  it.reset();
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(2, listener->calls());
  EXPECT_EQ(1u, Tables());
}

TEST_F(Purge, ClosingTakesWhatAFullPoolHasNotBegun) {
  Open();
  std::unique_ptr<Iterator> it = HoldReplacedFiles();
  {
    const FullPool full(env_.get(), Env::HIGH);
    it.reset();
    WaitForCompactOptions wait;
    wait.wait_for_purge = true;
    wait.timeout = std::chrono::milliseconds(20);
    EXPECT_TRUE(db_->WaitForCompact(wait).IsTimedOut());
    EXPECT_TRUE(Wait(/*for_purge=*/false).ok());
    EXPECT_EQ(2u, Tables());
    ASSERT_TRUE(db_->Close().ok());
    EXPECT_EQ(1u, Tables());
  }
  Open();
  EXPECT_EQ(2u, Rows().size());
}

TEST_F(Purge, NothingIsLeftByReadersBesideCompactions) {
  Open();
  std::atomic<bool> over{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!over) {
        std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
        it->SeekToLast();
        EXPECT_TRUE(it->status().ok()) << it->status().ToString();
      }
    });
  }
  for (int i = 0; i < 30; ++i) {
    Put("a", std::to_string(i));
    FillAndCompact(db_->DefaultColumnFamily());
  }
  over = true;
  for (std::thread& reader : readers) reader.join();
  ASSERT_TRUE(Wait().ok());
  EXPECT_EQ(1u, Tables());
}

// A compaction of hours does not keep what an iterator releases meanwhile.
TEST_F(Purge, ARunningJobDoesNotKeepWhatAReaderReleases) {
  Open();
  std::unique_ptr<Iterator> it = HoldReplacedFiles();
  // The job is in the pool's queue, which counts as running.
  auto full = std::make_unique<FullPool>(env_.get(), Env::LOW);
  Put("c", "3");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  // The flush's own pass comes after its result, and must not be the one that
  // deletes what the iterator releases.
  EXPECT_TRUE(Wait().ok());
  ASSERT_TRUE(db_->SetOptions({{"level0_file_num_compaction_trigger", "1"},
                               {"disable_auto_compactions", "false"}})
                  .ok());
  EXPECT_EQ(3u, Tables());
  it.reset();
  { const FullPool behind_the_pass(env_.get(), Env::HIGH); }
  EXPECT_EQ(2u, Tables());
  full.reset();
  EXPECT_TRUE(Wait().ok());
}

TEST_F(Purge, WaitForCompactIsAbortedWhilePausedIfAskedTo) {
  Open();
  WaitForCompactOptions wait;
  wait.abort_on_pause = true;
  EXPECT_TRUE(db_->WaitForCompact(wait).ok());
  ASSERT_TRUE(db_->PauseBackgroundWork().ok());
  const Status status = db_->WaitForCompact(wait);
  EXPECT_TRUE(status.IsAborted()) << status.ToString();
  EXPECT_TRUE(Wait().ok());  // Nothing waits.
  ASSERT_TRUE(db_->ContinueBackgroundWork().ok());
  EXPECT_TRUE(db_->WaitForCompact(wait).ok());
}

TEST_F(Purge, WaitingEndsWhenBackgroundWorkIsPaused) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  auto full = std::make_unique<FullPool>(env_.get(), Env::LOW);
  for (int i = 0; i < 3; ++i) {
    Put("a", "1");
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  Status waited;
  std::thread waiter([&] {
    WaitForCompactOptions wait;
    wait.abort_on_pause = true;
    waited = db_->WaitForCompact(wait);
  });
  // The compaction that is in the pool's queue keeps Pause from returning.
  std::thread pauser([&] { EXPECT_TRUE(db_->PauseBackgroundWork().ok()); });
  waiter.join();
  EXPECT_TRUE(waited.IsAborted()) << waited.ToString();
  full.reset();
  pauser.join();
  ASSERT_TRUE(db_->ContinueBackgroundWork().ok());
  EXPECT_TRUE(Wait().ok());
  EXPECT_EQ(1u, Tables());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
