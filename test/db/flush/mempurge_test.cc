// experimental_mempurge_threshold: what survives of full memtables stays in
// memory, and nothing that was written is lost.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "db/memtable/purge_backoff.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/statistics.h"
#include "rocksdb/write_buffer_manager.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Mempurge : public ::testing::Test {
 protected:
  Mempurge()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    options_.compression = kNoCompression;
    options_.max_total_wal_size = 64 << 20;
    options_.write_buffer_size = 64 << 10;
    options_.experimental_mempurge_threshold = 1.0;
    options_.statistics = CreateDBStatistics();
  }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  uint64_t Number(const std::string& property) const {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb." + property, &value));
    return value;
  }
  std::string Files() const {
    std::string value;
    EXPECT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &value));
    return value;
  }
  uint64_t FlushedBytes() const {
    return options_.statistics->getTickerCount(FLUSH_WRITE_BYTES);
  }
  uint64_t LogBytes() const {
    VectorWalPtr logs;
    test::Ok(db_->GetSortedWalFiles(logs));
    uint64_t bytes = 0;
    for (const auto& log : logs) bytes += log->SizeFileBytes();
    return bytes;
  }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  static std::string Value(int i, int round) {
    return std::to_string(i) + "/" + std::to_string(round) +
           std::string(200, 'v');
  }

  // Until no flush runs or is due: a writer that waits for one has it flushed.
  void AwaitFlushes() const {
    for (int i = 0; i < 20000; ++i) {
      if (Number("num-running-flushes") == 0 &&
          Number("mem-table-flush-pending") == 0) {
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL() << "flushes do not end";
  }
  // Each of so many rounds gives all keys a new value: 25 KB or so.
  void Overwrite(int rounds) {
    for (int round = 0; round < rounds; ++round, ++rounds_) {
      for (int i = 0; i < kKeys; ++i) {
        test::Ok(db_->Put(WriteOptions(), Key(i), Value(i, rounds_)));
      }
      AwaitFlushes();
    }
  }
  void ExpectNewest() {
    for (int i = 0; i < kKeys; ++i) {
      std::string value;
      test::Ok(db_->Get(ReadOptions(), Key(i), &value));
      EXPECT_EQ(Value(i, rounds_ - 1), value);
    }
  }

  static constexpr int kKeys = 100;
  int rounds_ = 0;
  Options options_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<DB> db_;
};

TEST_F(Mempurge, KeysThatAreOverwrittenDoNotReachTheDisk) {
  Open();
  Overwrite(40);
  EXPECT_EQ(0u, FlushedBytes());
  EXPECT_EQ("0", Files());
  EXPECT_EQ(1u, Number("num-immutable-mem-table"));  // The survivors.
  ExpectNewest();
  std::string log;
  test::Ok(ReadFileToString(env_.get(), "/db/LOG", &log));
  EXPECT_NE(std::string::npos, log.find(R"("event": "mempurge")"));
  db_.reset();
  Open();  // From the logs.
  ExpectNewest();
}

TEST_F(Mempurge, WithoutItTheyAreFlushed) {
  options_.experimental_mempurge_threshold = 0;
  Open();
  Overwrite(40);
  EXPECT_LT(50'000u, FlushedBytes());
}

TEST_F(Mempurge, AFlushWritesTheSurvivors) {
  Open();
  Overwrite(10);
  test::Ok(db_->Flush(FlushOptions()));
  EXPECT_EQ("1", Files());
  EXPECT_EQ(0u, Number("num-immutable-mem-table"));
  ExpectNewest();
}

TEST_F(Mempurge, WhatASnapshotNeedsSurvives) {
  Open();
  Overwrite(1);
  const Snapshot* const snapshot = db_->GetSnapshot();
  Overwrite(20);
  EXPECT_EQ(0u, FlushedBytes());
  ReadOptions read;
  read.snapshot = snapshot;
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    test::Ok(db_->Get(read, Key(i), &value));
    EXPECT_EQ(Value(i, 0), value);
  }
  db_->ReleaseSnapshot(snapshot);
  ExpectNewest();
}

TEST_F(Mempurge, DeletionsOfFlushedKeysStay) {
  Open();
  test::Ok(db_->Put(WriteOptions(), "flushed", "1"));
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(db_->Delete(WriteOptions(), "flushed"));
  Overwrite(20);
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "flushed", &value).IsNotFound());
  test::Ok(db_->Flush(FlushOptions()));
  db_.reset();
  Open();
  EXPECT_TRUE(db_->Get(ReadOptions(), "flushed", &value).IsNotFound());
}

TEST_F(Mempurge, KeysThatAreNotOverwrittenAreFlushed) {
  options_.experimental_mempurge_threshold = 0.5;
  Open();
  for (int i = 0; i < 3000; ++i) {
    test::Ok(db_->Put(WriteOptions(), Key(i), Value(i, 0)));
    if (i % 100 == 0) AwaitFlushes();
  }
  AwaitFlushes();
  EXPECT_LT(400'000u, FlushedBytes());
  EXPECT_EQ(0u, Number("num-immutable-mem-table"));
}

TEST_F(Mempurge, MemtablesWithRangeDeletionsAreFlushed) {
  Open();
  for (int round = 0; round < 10; ++round) {
    test::Ok(db_->DeleteRange(WriteOptions(), "a", "b"));
    Overwrite(1);
  }
  EXPECT_LT(0u, FlushedBytes());
}

TEST_F(Mempurge, LogsDoNotGrowForEver) {
  options_.max_total_wal_size = 300'000;
  Open();
  Overwrite(100);  // 2.5 MB.
  EXPECT_LT(0u, FlushedBytes());
  EXPECT_GT(500'000u, LogBytes());
  ExpectNewest();
}

TEST_F(Mempurge, AFamilyThatIsDroppedKeepsNoLogs) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &other));
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < kKeys; ++i) {
      test::Ok(db_->Put(WriteOptions(), other, Key(i), Value(i, round)));
    }
    Overwrite(1);
  }
  EXPECT_EQ(0u, FlushedBytes());
  std::string value;
  test::Ok(db_->Get(ReadOptions(), other, Key(7), &value));
  EXPECT_EQ(Value(7, 19), value);
  EXPECT_LT(200'000u, LogBytes());
  test::Ok(db_->DropColumnFamily(other));
  test::Ok(db_->DestroyColumnFamilyHandle(other));
  test::Ok(db_->Flush(FlushOptions()));
  for (int i = 0; i < 60'000 && LogBytes() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(0u, LogBytes());
  db_.reset();
  Open();
  ExpectNewest();
}

TEST_F(Mempurge, AWriteBufferManagerKnowsTheSurvivors) {
  const auto manager = std::make_shared<WriteBufferManager>(1 << 20);
  options_.write_buffer_manager = manager;
  Open();
  Overwrite(40);
  EXPECT_EQ(0u, FlushedBytes());
  EXPECT_LT(kKeys * 200u, manager->memory_usage());
  EXPECT_GT(256u << 10, manager->memory_usage());
  ExpectNewest();
  db_.reset();
  EXPECT_EQ(0u, manager->memory_usage());
}

TEST_F(Mempurge, SwitchesOnWhileItRuns) {
  options_.experimental_mempurge_threshold = 0;
  Open();
  test::Ok(db_->SetOptions({{"experimental_mempurge_threshold", "1.0"}}));
  Overwrite(20);
  EXPECT_EQ(0u, FlushedBytes());
}

// Keeps the newest operand. The first merge waits until it may go on.
class HeldMerge final : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice&, const Slice*, const Slice& value,
             std::string* new_value, Logger*) const override {
    if (!begun_.exchange(true)) {
      begin_.set_value();
      go_on_.get_future().wait();
    }
    new_value->assign(value.data(), value.size());
    return true;
  }
  const char* Name() const override { return "HeldMerge"; }

  std::future<void> begin() { return begin_.get_future(); }
  void GoOn() {
    if (!going_on_.exchange(true)) go_on_.set_value();
  }

 private:
  std::atomic<bool> going_on_{false};
  mutable std::atomic<bool> begun_{false};
  mutable std::promise<void> begin_;
  mutable std::promise<void> go_on_;
};

template <typename T>
bool IsReady(const std::future<T>& future, int seconds) {
  return future.wait_for(std::chrono::seconds(seconds)) ==
         std::future_status::ready;
}

// Its table can be installed only behind that of the survivors, which are no
// reason for a flush by themselves.
TEST_F(Mempurge, AFlushDuringAPurgeEnds) {
  const auto merge = std::make_shared<HeldMerge>();
  options_.merge_operator = merge;
  options_.max_background_flushes = 2;
  options_.max_write_buffer_number = 4;
  Open();
  // Whatever fails here: else the database could not be closed.
  const std::shared_ptr<void> goes_on(nullptr,
                                      [merge](void*) { merge->GoOn(); });
  std::future<void> purge = merge->begin();
  test::Ok(db_->Put(WriteOptions(), "merged", "0"));
  test::Ok(db_->Merge(WriteOptions(), "merged", "1"));
  for (int i = 0; !IsReady(purge, 0); ++i) {
    ASSERT_GT(10'000, i) << "no memtable is tried in memory";
    test::Ok(db_->Put(WriteOptions(), Key(0), Value(0, i)));
    if (Number("num-immutable-mem-table") > 0) IsReady(purge, 60);
  }
  test::Ok(db_->Put(WriteOptions(), "newer", "2"));
  std::future<Status> flush = std::async(
      std::launch::async, [this] { return db_->Flush(FlushOptions()); });
  for (int i = 0; i < 60'000 && FlushedBytes() == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  merge->GoOn();
  const bool ended = IsReady(flush, 60);
  EXPECT_TRUE(ended) << "nothing will end this flush";
  if (!ended) CancelAllBackgroundWork(db_.get(), /*wait=*/false);
  EXPECT_EQ("OK", flush.get().ToString());
  EXPECT_EQ(0u, Number("num-immutable-mem-table"));
  std::string value;
  test::Ok(db_->Get(ReadOptions(), "merged", &value));
  EXPECT_EQ("1", value);
}

TEST(PurgeBackoff, TriesLessOftenWhatFails) {
  engine::PurgeBackoff backoff;
  int tries = 0;
  for (int flushes = 0; flushes < 1000; ++flushes) {
    if (!backoff.Take()) continue;
    ++tries;
    backoff.Ended(/*worked=*/false);
  }
  EXPECT_EQ(62, tries);
  while (!backoff.Take()) {
  }
  backoff.Ended(/*worked=*/true);
  EXPECT_TRUE(backoff.Take());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
