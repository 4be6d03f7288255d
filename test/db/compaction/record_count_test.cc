// A compaction counts what it reads: when a table gives fewer entries than it
// says it has, nothing is replaced.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/db/store_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

constexpr int kKeys = 100;

class RecordCount : public ::testing::Test {
 protected:
  RecordCount() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    BlockBasedTableOptions table;
    table.checksum = kNoChecksum;  // So that a byte can be changed.
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }

  void Open() {
    db_.reset();
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void FillTwoFiles() {
    for (int file = 0; file < 2; ++file) {
      for (int i = 0; i < kKeys; ++i) {
        const std::string key = "key" + std::to_string(1000 + i);
        ASSERT_TRUE(db_->Put(WriteOptions(), key, "value").ok());
      }
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    }
  }
  // The first table says from now on that it has one entry more.
  void MiscountOneTable() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    const std::string path = files.front().db_path + files.front().name;
    db_.reset();
    FileSystem* const fs = env_->GetFileSystem().get();
    std::string bytes = ReadFile(fs, path);
    // What is left of "rocksdb.num.entries" behind the key before it, and the
    // number.
    const std::string name = "entries";
    const size_t at = bytes.find(name + static_cast<char>(kKeys));
    ASSERT_NE(std::string::npos, at);
    bytes[at + name.size()] = kKeys + 1;
    WriteFile(fs, path, bytes);
  }
  Status Compact() {
    return db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  }
  uint64_t Level0Files() {
    std::string text;
    EXPECT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &text));
    return std::stoull(text);
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(RecordCount, WhatAgreesIsCompacted) {
  Open();
  FillTwoFiles();
  EXPECT_TRUE(Compact().ok());
  EXPECT_EQ(0u, Level0Files());
}

TEST_F(RecordCount, AMissingEntryStopsTheCompactionAndNothingIsReplaced) {
  Open();
  FillTwoFiles();
  MiscountOneTable();
  Open();
  const Status status = Compact();
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("read 200 entries"))
      << status.ToString();
  EXPECT_EQ(2u, Level0Files());
}

// Counts how often it is asked, over all threads.
class CountingFilter final : public CompactionFilter {
 public:
  bool Filter(int, const Slice&, const Slice&, std::string*,
              bool*) const override {
    ++asked;
    return false;
  }
  const char* Name() const override { return "Counting"; }
  mutable std::atomic<int> asked{0};
};

TEST_F(RecordCount, EveryEntryIsReadByOneSliceAlone) {
  CountingFilter filter;
  options_.compaction_filter = &filter;
  options_.max_subcompactions = 4;
  options_.target_file_size_base = 4 << 10;
  options_.statistics = CreateDBStatistics();
  Open();
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "key" + std::to_string(1000 + i);
    ASSERT_TRUE(db_->Put(WriteOptions(), key, std::string(100, 'v')).ok());
    if (i % 300 == 299) {
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    }
  }
  // All levels at once: several slices.
  CompactRangeOptions whole;
  whole.max_subcompactions = 4;
  whole.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db_->CompactRange(whole, nullptr, nullptr).ok());
  filter.asked = 0;
  ASSERT_TRUE(db_->CompactRange(whole, nullptr, nullptr).ok());
  EXPECT_EQ(1000, filter.asked);
}

TEST_F(RecordCount, IsNotCheckedWithoutTheOption) {
  options_.compaction_verify_record_count = false;
  Open();
  FillTwoFiles();
  MiscountOneTable();
  Open();
  EXPECT_TRUE(Compact().ok());
  EXPECT_EQ(0u, Level0Files());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
