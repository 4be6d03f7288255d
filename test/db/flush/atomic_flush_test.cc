// atomic_flush: all families are flushed at one point, and their tables become
// part of the database together or not at all.

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/manifest/version_edit.h"
#include "db/memtable/memtable_list.h"
#include "rocksdb/listener.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

// Holds the first flush at its beginning.
class FirstFlush final : public EventListener {
 public:
  void OnFlushBegin(DB*, const FlushJobInfo&) override {
    begun_ = true;
    begun_.notify_all();
    held_.wait(true);
  }
  void AwaitBegin() { begun_.wait(false); }
  void Release() {
    held_ = false;
    held_.notify_all();
  }

 private:
  std::atomic<bool> begun_{false};
  std::atomic<bool> held_{true};
};

// Takes all threads of the pool that flushes, one after the other as they
// become free; what is scheduled later waits behind.
class FullPool {
 public:
  explicit FullPool(Env* env)
      : threads_(env->GetBackgroundThreads(Env::HIGH)),
        begun_(threads_),
        ended_(threads_) {
    for (int i = 0; i < threads_; ++i) {
      env->Schedule(&FullPool::Run, this, Env::HIGH);
    }
  }
  // REQUIRES: Release() was called.
  ~FullPool() { ended_.wait(); }
  FullPool(const FullPool&) = delete;
  FullPool& operator=(const FullPool&) = delete;

  void AwaitFull() const { begun_.wait(); }
  void Release() { release_.count_down(); }

 private:
  static void Run(void* arg) {
    auto* const self = static_cast<FullPool*>(arg);
    self->begun_.count_down();
    self->release_.wait();
    self->ended_.count_down();
  }

  const int threads_;
  std::latch begun_;
  std::latch release_{1};
  std::latch ended_;
};

class AtomicFlushTest : public FilesTest {
 protected:
  AtomicFlushTest() {
    options_.atomic_flush = true;
    options_.max_bgerror_resume_count = 0;
  }
  ~AtomicFlushTest() override { CloseOther(); }

  void OpenBoth() {
    Open();
    ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &other_).ok());
  }
  void CloseOther() {
    if (other_ == nullptr) return;
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(other_).ok());
    other_ = nullptr;
  }
  void PutBoth(const std::string& key) {
    WriteOptions unlogged;
    unlogged.disableWAL = true;
    WriteBatch batch;
    ASSERT_TRUE(batch.Put(key, "1").ok());
    ASSERT_TRUE(batch.Put(other_, key, "1").ok());
    ASSERT_TRUE(db_->Write(unlogged, &batch).ok());
  }
  uint64_t FilesOf(ColumnFamilyHandle* family) {
    ColumnFamilyMetaData meta;
    db_->GetColumnFamilyMetaData(family, &meta);
    return meta.file_count;
  }

  ColumnFamilyHandle* other_ = nullptr;
};

TEST_F(AtomicFlushTest, AFlushOfOneFamilyIsOneOfAll) {
  OpenBoth();
  PutBoth("a");
  ASSERT_TRUE(db_->Flush(FlushOptions(), other_).ok());
  EXPECT_EQ(1u, FilesOf(db_->DefaultColumnFamily()));
  EXPECT_EQ(1u, FilesOf(other_));
}

TEST_F(AtomicFlushTest, WhenOneTableFailsNoneIsInstalled) {
  OpenBoth();
  PutBoth("a");
  // The second table that is made.
  ASSERT_TRUE(fs_->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\") "
                           "(FromIndex 1)))")
                  .ok());
  EXPECT_FALSE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ(0u, FilesOf(db_->DefaultColumnFamily()));
  EXPECT_EQ(0u, FilesOf(other_));
  fs_->ClearRule();
  const Status resumed = db_->Resume();
  ASSERT_TRUE(resumed.ok()) << resumed.ToString();
  EXPECT_EQ(1u, FilesOf(db_->DefaultColumnFamily()));
  EXPECT_EQ(1u, FilesOf(other_));
}

// Looks at the tables of two families when a flush ends.
class FilesAtFlushes final : public EventListener {
 public:
  void OnFlushCompleted(DB* db, const FlushJobInfo&) override {
    if (other == nullptr) return;
    ColumnFamilyMetaData one;
    ColumnFamilyMetaData two;
    db->GetColumnFamilyMetaData(&one);
    db->GetColumnFamilyMetaData(other, &two);
    seen.push_back({one.file_count, two.file_count});
  }
  std::atomic<ColumnFamilyHandle*> other{nullptr};
  std::vector<std::pair<size_t, size_t>> seen;  // One flush at a time.
};

// Without the option, a copy asks for it.
TEST_F(AtomicFlushTest, ACopyMayAskForOne) {
  options_.atomic_flush = false;
  options_.max_background_jobs = 1;
  const auto files = std::make_shared<FilesAtFlushes>();
  options_.listeners = {files};
  OpenBoth();
  files->other = other_;
  PutBoth("a");
  LiveFilesStorageInfoOptions copy;
  copy.atomic_flush = true;
  std::vector<LiveFileStorageInfo> live;
  ASSERT_TRUE(db_->GetLiveFilesStorageInfo(copy, &live).ok());
  ASSERT_EQ(2u, files->seen.size());
  for (const auto& [one, two] : files->seen) EXPECT_EQ(one, two);
  // And then no longer.
  files->seen.clear();
  PutBoth("b");
  copy.atomic_flush = false;
  ASSERT_TRUE(db_->GetLiveFilesStorageInfo(copy, &live).ok());
  ASSERT_EQ(2u, files->seen.size());
  EXPECT_NE(files->seen[0].first, files->seen[0].second);
  files->other = nullptr;
}

// A table that has waited for the other one is installed all the same.
TEST_F(AtomicFlushTest, ACopyThatFailsLeavesNothingWaiting) {
  options_.atomic_flush = false;
  OpenBoth();
  PutBoth("a");
  ASSERT_TRUE(fs_->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\") "
                           "(FromIndex 1)))")
                  .ok());
  LiveFilesStorageInfoOptions copy;
  copy.atomic_flush = true;
  std::vector<LiveFileStorageInfo> live;
  EXPECT_FALSE(db_->GetLiveFilesStorageInfo(copy, &live).ok());
  EXPECT_EQ(1u, FilesOf(db_->DefaultColumnFamily()) + FilesOf(other_));
  fs_->ClearRule();
  const Status resumed = db_->Resume();
  ASSERT_TRUE(resumed.ok()) << resumed.ToString();
  EXPECT_EQ(1u, FilesOf(db_->DefaultColumnFamily()));
  EXPECT_EQ(1u, FilesOf(other_));
}

// Nothing flushes the dropped family any more, so its memtable must not hold
// back the table of the other one.
TEST_F(AtomicFlushTest, ATableThatWaitsForADroppedFamilyIsInstalled) {
  options_.max_background_jobs = 1;
  auto first = std::make_shared<FirstFlush>();
  options_.listeners = {first};
  OpenBoth();
  PutBoth("a");
  FlushOptions no_wait;
  no_wait.wait = false;
  ASSERT_TRUE(db_->Flush(no_wait).ok());
  first->AwaitBegin();
  // The second one is due when the first has ended, and finds no thread.
  FullPool pool(options_.env);
  first->Release();
  pool.AwaitFull();
  EXPECT_EQ(0u, FilesOf(db_->DefaultColumnFamily()));
  EXPECT_TRUE(db_->DropColumnFamily(other_).ok());
  EXPECT_EQ(1u, FilesOf(db_->DefaultColumnFamily()));
  pool.Release();
  EXPECT_TRUE(db_->Flush(FlushOptions()).ok());
  CloseOther();
}

TEST_F(AtomicFlushTest, FullMemTablesOfBusyFamiliesKeepTheOthersAlong) {
  options_.write_buffer_size = 64 << 10;
  options_.max_background_jobs = 4;
  OpenBoth();
  std::vector<std::thread> writers;
  for (int t = 0; t < 2; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < 600; ++i) {
        WriteOptions unlogged;
        unlogged.disableWAL = true;
        WriteBatch batch;
        const std::string key =
            "k" + std::to_string(t) + "." + std::to_string(i);
        EXPECT_TRUE(batch.Put(key, std::string(500, 'v')).ok());
        EXPECT_TRUE(batch.Put(other_, key, "small").ok());
        EXPECT_TRUE(db_->Write(unlogged, &batch).ok());
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  WaitForCompactOptions wait;
  wait.flush = true;
  ASSERT_TRUE(db_->WaitForCompact(wait).ok());
  EXPECT_GT(FilesOf(db_->DefaultColumnFamily()), 2u);
  // One table may hold several cuts, so the numbers need not be equal.
  EXPECT_GT(FilesOf(other_), 0u);
  EXPECT_EQ(1200u, RowsOf(db_.get(), other_).size());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class CutsTest : public ::testing::Test {
 protected:
  void Add(uint64_t cut) {
    list_.Add(std::make_shared<MemTable>(&icmp_, MemTableOptions(), 0), cut);
  }
  // Picks up to `id_max` and marks it built.
  void Build(uint64_t id_max) {
    const auto picked = list_.PickToFlush(id_max);
    ASSERT_FALSE(picked.empty());
    list_.MarkBuilt(picked, std::make_shared<VersionEdit>());
  }

  const InternalKeyComparator icmp_{BytewiseComparator()};
  MemTableList list_{MemTableListOptions()};
};

TEST_F(CutsTest, WhatIsNotBuiltHoldsBackItsCut) {
  EXPECT_EQ(UINT64_MAX, list_.InstallableCut(UINT64_MAX));
  Add(3);
  Add(5);
  EXPECT_EQ(2u, list_.InstallableCut(UINT64_MAX));
  Build(1);
  EXPECT_EQ(4u, list_.InstallableCut(UINT64_MAX));
  EXPECT_TRUE(list_.TakeInstallable(2).memtables.empty());
  Build(2);
  EXPECT_EQ(UINT64_MAX, list_.InstallableCut(UINT64_MAX));
  EXPECT_EQ(4u, list_.InstallableCut(4));
  const MemTableList::Installable batch = list_.TakeInstallable(4);
  EXPECT_EQ(1u, batch.memtables.size());
  // Meanwhile the rest has to wait.
  EXPECT_EQ(2u, list_.InstallableCut(UINT64_MAX));
  list_.FinishInstall(batch, true);
  EXPECT_EQ(1u, list_.TakeInstallable().memtables.size());
}

TEST_F(CutsTest, ATableOfSeveralCutsIsNotDivided) {
  Add(3);
  Add(4);
  Add(7);
  Build(3);  // One table of all.
  EXPECT_EQ(UINT64_MAX, list_.InstallableCut(UINT64_MAX));
  EXPECT_EQ(7u, list_.InstallableCut(7));
  EXPECT_EQ(2u, list_.InstallableCut(6));
  EXPECT_EQ(2u, list_.InstallableCut(3));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
