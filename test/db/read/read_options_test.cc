// Options of single reads: limits of time and size, and filtered tables.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "test/support/clocked_env.h"
#include "test/support/manual_clock.h"
#include "test/support/numbered_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Remembers the timeouts it was given, and can take its time.
class WatchedFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  struct Log {
    std::vector<uint64_t> timeouts_micros;
    test::ManualClock* clock = nullptr;
    int64_t read_micros = 0;
  };
  WatchedFile(std::unique_ptr<FSRandomAccessFile> file, Log* log)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), log_(log) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    log_->timeouts_micros.push_back(
        static_cast<uint64_t>(options.timeout.count()));
    log_->clock->Advance(log_->read_micros);
    return FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result,
                                                scratch, dbg);
  }
  IOStatus MultiRead(FSReadRequest* requests, size_t count,
                     const IOOptions& options, IODebugContext* dbg) override {
    // One by one, by the Read() above.
    return FSRandomAccessFile::MultiRead(requests, count, options, dbg);
  }

 private:
  Log* const log_;
};

class WatchedFileSystem final : public FileSystemWrapper {
 public:
  WatchedFileSystem(const std::shared_ptr<FileSystem>& target,
                    WatchedFile::Log* log)
      : FileSystemWrapper(target), log_(log) {}
  const char* Name() const override { return "WatchedFileSystem"; }
  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    std::unique_ptr<FSRandomAccessFile> file;
    IOStatus status =
        FileSystemWrapper::NewRandomAccessFile(path, options, &file, dbg);
    if (status.ok()) {
      *result = std::make_unique<WatchedFile>(std::move(file), log_);
    }
    return status;
  }

 private:
  WatchedFile::Log* const log_;
};

constexpr uint64_t kNowMicros = 1000 * 1000 * 1000;

class ReadOptionsTest : public ::testing::Test {
 protected:
  ReadOptionsTest()
      : mem_(NewMemEnv(Env::Default())),
        clock_(std::make_shared<test::ManualClock>(kNowMicros)),
        env_(mem_.get(),
             std::make_shared<WatchedFileSystem>(mem_->GetFileSystem(), &log_),
             clock_) {
    log_.clock = clock_.get();
    options_.env = &env_;
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.stats_dump_period_sec = 0;
    BlockBasedTableOptions table;
    table.no_block_cache = true;  // Every read is a read of the file.
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  ~ReadOptionsTest() override { db_.reset(); }

  // Keys 0..99 in a table of their own, 100..199 in another.
  void Fill() {
    ASSERT_TRUE(DB::Open(options_, "/db", &db_).ok());
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(
          db_->Put(WriteOptions(), test::NumberedKey(i), std::string(1000, 'v'))
              .ok());
      if (i % 100 < 99) continue;
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    }
    log_.timeouts_micros.clear();
  }
  void PushDown() {
    CompactRangeOptions options;
    ASSERT_TRUE(db_->CompactRange(options, nullptr, nullptr).ok());
  }
  static ReadOptions Until(uint64_t deadline_micros) {
    ReadOptions read;
    read.deadline = std::chrono::microseconds(deadline_micros);
    return read;
  }
  Status Get(const ReadOptions& read, int key) {
    std::string value;
    return db_->Get(read, test::NumberedKey(key), &value);
  }
  int Count(const ReadOptions& read) {
    std::unique_ptr<Iterator> it(db_->NewIterator(read));
    int count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    return count;
  }

  WatchedFile::Log log_;
  const std::unique_ptr<Env> mem_;
  const std::shared_ptr<test::ManualClock> clock_;
  test::ClockedEnv env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(ReadOptionsTest, AGetBehindItsDeadlineTimesOutBeforeItReads) {
  Fill();
  EXPECT_TRUE(Get(Until(kNowMicros), 5).IsTimedOut());
  EXPECT_TRUE(log_.timeouts_micros.empty());
  EXPECT_TRUE(Get(Until(kNowMicros + 1), 5).ok());
  EXPECT_EQ(log_.timeouts_micros, std::vector<uint64_t>{1});
  EXPECT_TRUE(Get(ReadOptions(), 5).ok());
  EXPECT_EQ(log_.timeouts_micros.back(), 0u);
}

TEST_F(ReadOptionsTest, TheFileSystemGetsTheSmallerOfBothLimits) {
  Fill();
  ReadOptions read = Until(kNowMicros + 500);
  read.io_timeout = std::chrono::microseconds(300);
  EXPECT_TRUE(Get(read, 5).ok());
  read.io_timeout = std::chrono::microseconds(700);
  EXPECT_TRUE(Get(read, 5).ok());
  read.deadline = std::chrono::microseconds(0);
  EXPECT_TRUE(Get(read, 5).ok());
  EXPECT_EQ(log_.timeouts_micros, (std::vector<uint64_t>{300, 500, 700}));
}

TEST_F(ReadOptionsTest, WhatNeedsNoFileIsFoundBehindTheDeadline) {
  Fill();
  ASSERT_TRUE(db_->Put(WriteOptions(), test::NumberedKey(5), "new").ok());
  EXPECT_TRUE(Get(Until(1), 5).ok());
}

TEST_F(ReadOptionsTest, AnIteratorStopsAtItsDeadline) {
  Fill();
  PushDown();
  log_.read_micros = 10;
  std::unique_ptr<Iterator> it(db_->NewIterator(Until(kNowMicros + 55)));
  int shown = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++shown;
  EXPECT_TRUE(it->status().IsTimedOut()) << it->status().ToString();
  EXPECT_GT(shown, 0);
  EXPECT_LT(shown, 200);
  EXPECT_EQ(Count(ReadOptions()), 200);
}

TEST_F(ReadOptionsTest, MultiGetGivesTheRestUpBehindDeadlineOrSize) {
  Fill();
  std::vector<std::string> keys;
  for (const int i : {0, 1, 2, 3, 100, 101, 102, 103})
    keys.push_back(test::NumberedKey(i));
  const std::vector<Slice> slices(keys.begin(), keys.end());
  const auto read = [&](const ReadOptions& options) {
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    db_->MultiGet(options, db_->DefaultColumnFamily(), keys.size(),
                  slices.data(), values.data(), statuses.data());
    std::string text;
    for (const Status& status : statuses) {
      text += status.ok()           ? 'v'
              : status.IsTimedOut() ? 't'
              : status.IsAborted()  ? 'a'
                                    : '?';
    }
    return text;
  };
  EXPECT_EQ(read(ReadOptions()), "vvvvvvvv");
  ReadOptions small;
  small.value_size_soft_limit = 2500;
  EXPECT_EQ(read(small), "vvvaaaaa");
  // The newer table is read first, and all of it that is needed at once.
  log_.read_micros = 10;
  EXPECT_EQ(read(Until(clock_->NowMicros() + 5)), "ttttvvvv");
}

TEST_F(ReadOptionsTest, AnIteratorSkipsTheTablesItsFilterDoesNotWant) {
  Fill();
  ReadOptions read;
  int asked = 0;
  read.table_filter = [&asked](const TableProperties& table) {
    ++asked;
    return table.num_entries != 100;
  };
  EXPECT_EQ(Count(read), 0);
  EXPECT_EQ(asked, 2);
  ASSERT_TRUE(db_->Put(WriteOptions(), "in memory", "v").ok());
  EXPECT_EQ(Count(read), 1);
  PushDown();  // Three tables of one level; only the last one is wanted.
  EXPECT_EQ(Count(read), 1);
  EXPECT_EQ(Count(ReadOptions()), 201);
  read.table_filter = [](const TableProperties&) { return false; };
  EXPECT_EQ(Count(read), 0);
  // A filter is for iterators.
  EXPECT_TRUE(Get(read, 5).ok());
}

TEST_F(ReadOptionsTest,
       ThePersistedTierLeavesOutMemtablesOnceAWriteWasNotLogged) {
  Fill();
  ReadOptions read;
  read.read_tier = kPersistedTier;
  const auto get = [&](const Slice& key) {
    std::string value;
    const Status status = db_->Get(read, key, &value);
    return status.ok() ? value : status.ToString();
  };
  ASSERT_TRUE(db_->Put(WriteOptions(), "logged", "1").ok());
  EXPECT_EQ(get("logged"), "1");
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(db_->Put(unlogged, "unlogged", "2").ok());
  EXPECT_EQ(get("unlogged"), "NotFound: ");
  std::vector<PinnableSlice> values(1);
  std::vector<Status> statuses(1);
  const Slice key("unlogged");
  db_->MultiGet(read, db_->DefaultColumnFamily(), 1, &key, values.data(),
                statuses.data());
  EXPECT_TRUE(statuses[0].IsNotFound());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ(get("unlogged"), "2");
  ASSERT_TRUE(db_->Put(WriteOptions(), "logged", "3").ok());
  EXPECT_EQ(get("logged"), "1");
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  EXPECT_TRUE(it->status().IsNotSupported());
}

TEST_F(ReadOptionsTest, ManyMergedOperandsAreReported) {
  ASSERT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                              &options_.merge_operator)
                  .ok());
  ASSERT_TRUE(DB::Open(options_, "/db", &db_).ok());
  // Snapshots, so that the flush leaves them apart.
  std::vector<const Snapshot*> snapshots;
  for (const char* operand : {"1", "2", "3"}) {
    ASSERT_TRUE(db_->Merge(WriteOptions(), "merged", operand).ok());
    snapshots.push_back(db_->GetSnapshot());
  }
  ASSERT_TRUE(db_->Put(WriteOptions(), "put", "v").ok());
  const auto told = [&](size_t threshold, const std::string& key) {
    ReadOptions read;
    read.merge_operand_count_threshold = threshold;
    std::string value;
    const Status status = db_->Get(read, key, &value);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(key == "put" ? "v" : "1,2,3", value);
    std::vector<std::string> values;
    const std::vector<Status> many = db_->MultiGet(read, {Slice(key)}, &values);
    EXPECT_EQ(status.subcode(), many[0].subcode());
    PinnableWideColumns columns;
    EXPECT_EQ(status.subcode(),
              db_->GetEntity(read, db_->DefaultColumnFamily(), key, &columns)
                  .subcode());
    EXPECT_EQ(1u, columns.columns().size());
    return status.subcode() == Status::kMergeOperandThresholdExceeded;
  };
  for (int flushed = 0; flushed < 2; ++flushed) {
    EXPECT_TRUE(told(0, "merged"));
    EXPECT_TRUE(told(2, "merged"));
    EXPECT_FALSE(told(3, "merged"));
    EXPECT_FALSE(told(0, "put"));
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  for (const Snapshot* snapshot : snapshots) db_->ReleaseSnapshot(snapshot);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
