// Flush and CompactRange without allow_write_stall: they wait while a job makes
// room, and only then. Every call here has to return; RocksDB 7.8.3 and 11.8.1
// return at once in each of these states.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "test/support/bounded.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::Bounded;

class RoomTest : public ::testing::TestWithParam<bool> {
 protected:
  RoomTest()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.atomic_flush = GetParam();
  }
  ~RoomTest() override {
    for (ColumnFamilyHandle* handle : handles_) {
      (void)db_->DestroyColumnFamilyHandle(handle);
    }
    db_.reset();
  }

  void Open() {
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ColumnFamilyHandle* handle = nullptr;
    ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &handle).ok());
    handles_.push_back(handle);
  }
  void Put(const std::string& key, size_t bytes = 10) {
    const std::string value(bytes, 'v');
    ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
    ASSERT_TRUE(db_->Put(WriteOptions(), handles_[0], key, value).ok());
  }
  void AddFiles(int count) {
    FlushOptions flush;
    flush.allow_write_stall = true;
    for (int i = 0; i < count; ++i) {
      Put("key");
      for (ColumnFamilyHandle* handle : Both()) {
        ASSERT_TRUE(db_->Flush(flush, handle).ok());
      }
    }
  }
  // As many files in level 0 as slow writes down; nothing compacts them.
  void OpenAtTheMark() {
    options_.level0_file_num_compaction_trigger = 4;
    options_.level0_slowdown_writes_trigger = 5;
    options_.level0_stop_writes_trigger = 6;
    options_.disable_auto_compactions = true;
    Open();
    AddFiles(5);
  }
  // Three memtables are merged by one flush.
  void OpenToMergeThree(int max_write_buffers) {
    options_.write_buffer_size = 64 << 10;
    options_.min_write_buffer_number_to_merge = 3;
    options_.max_write_buffer_number = max_write_buffers;
    Open();
  }
  // Until `count` of the default family's memtables wait.
  void SealMemTables(uint64_t count) {
    for (int i = 0; i < 1000; ++i) {
      if (Property("rocksdb.num-immutable-mem-table") >= count) return;
      Put("key" + std::to_string(i), 8000);
    }
    FAIL() << "nothing was sealed";
  }
  uint64_t Property(const std::string& name) {
    std::string value;
    EXPECT_TRUE(db_->GetProperty(name, &value)) << name;
    return std::stoull(value);
  }
  void SetBoth(const std::string& name, const std::string& value) {
    for (ColumnFamilyHandle* handle : Both()) {
      ASSERT_TRUE(db_->SetOptions(handle, {{name, value}}).ok());
    }
  }
  std::vector<ColumnFamilyHandle*> Both() {
    return {db_->DefaultColumnFamily(), handles_[0]};
  }
  void ExpectThatFlushesReturn() {
    Put("last");
    const Status flushed =
        Bounded("Flush", [&] { return db_->Flush(FlushOptions(), Both()); });
    EXPECT_TRUE(flushed.ok()) << flushed.ToString();
    Put("last");
    for (ColumnFamilyHandle* handle : Both()) {
      const Status compacted = Bounded("CompactRange", [&] {
        return db_->CompactRange(CompactRangeOptions(), handle, nullptr,
                                 nullptr);
      });
      EXPECT_TRUE(compacted.ok()) << compacted.ToString();
    }
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
};

INSTANTIATE_TEST_SUITE_P(AtomicFlush, RoomTest, ::testing::Bool());

TEST_P(RoomTest, OneFileBelowATriggerThatIsTheSlowdownMark) {
  options_.level0_file_num_compaction_trigger = 20;
  Open();
  AddFiles(19);
  ExpectThatFlushesReturn();
}

TEST_P(RoomTest, FilesAtTheMarkWithoutAutomaticCompactions) {
  OpenAtTheMark();
  ExpectThatFlushesReturn();
}

TEST_P(RoomTest, FilesAtTheMarkThatACompactionTakesAway) {
  OpenAtTheMark();
  SetBoth("disable_auto_compactions", "false");
  ExpectThatFlushesReturn();
  EXPECT_LT(Property("rocksdb.num-files-at-level0"), 5u);
}

TEST_P(RoomTest, MemTablesThatWaitForOneMoreAreNoFlushToWaitFor) {
  OpenToMergeThree(4);
  SealMemTables(GetParam() ? 1 : 2);
  ExpectThatFlushesReturn();
}

TEST_P(RoomTest, FewerWriteBuffersMeanFewerToMerge) {
  OpenToMergeThree(6);
  SealMemTables(GetParam() ? 1 : 2);
  SetBoth("max_write_buffer_number", "3");
  ExpectThatFlushesReturn();
  // Two of three buffers are merged from now on: the third takes writes.
  for (int i = 0; i < 100; ++i) {
    const Status status = Bounded("Put", [&] {
      return db_->Put(WriteOptions(), "key" + std::to_string(i),
                      std::string(8000, 'v'));
    });
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
}

TEST_P(RoomTest, ASmallerLimitFlushesTheMemTablesThatWait) {
  if (GetParam()) GTEST_SKIP() << "a cut asks for its flush";
  OpenToMergeThree(6);
  SealMemTables(2);
  SetBoth("max_write_buffer_number", "3");
  const Status status = Bounded("WaitForCompact", [&] {
    return db_->WaitForCompact(WaitForCompactOptions());
  });
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(0u, Property("rocksdb.num-immutable-mem-table"));
}

// Close is the last call, so the program cannot end the pause after it.
TEST_P(RoomTest, ClosingWhilePausedFlushesWhatNoLogHas) {
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(db_->Put(unlogged, "key", "value").ok());
  ASSERT_TRUE(db_->PauseBackgroundWork().ok());
  for (ColumnFamilyHandle* handle : handles_) {
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  }
  handles_.clear();
  const Status closed = Bounded("Close", [&] { return db_->Close(); });
  EXPECT_TRUE(closed.ok()) << closed.ToString();
  db_.reset();
  std::vector<ColumnFamilyDescriptor> families = {{"default", options_},
                                                  {"other", options_}};
  ASSERT_TRUE(DB::Open(options_, "/db", families, &handles_, &db_).ok());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "key", &value).ok());
  EXPECT_EQ("value", value);
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handles_[0]).ok());
  handles_.erase(handles_.begin());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
