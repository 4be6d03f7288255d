// CompactRange with change_level: files go to another level as they are.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "rocksdb/listener.h"
#include "test/db/files/files_fixture.h"
#include "test/support/hooked_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ChangeLevel : public test::FilesTest {
 protected:
  static std::string Key(int i) { return "k" + std::to_string(100 + i); }

  // Level 1: files of two or three keys, and below a snapshot a range deletion
  // that reaches over several of them.
  void Fill(size_t file_bytes) {
    options_.target_file_size_base = file_bytes;
    Open();
    const auto put = [this] {
      for (int i = 0; i < 10; ++i) Put(Key(i), std::string(1000, 'v'));
    };
    put();
    snapshot_ = db_->GetSnapshot();
    ASSERT_TRUE(db_->DeleteRange(WriteOptions(), Key(2), Key(8)).ok());
    Flush();
    put();
    ASSERT_TRUE(db_->Delete(WriteOptions(), Key(5)).ok());
    Flush();
    ASSERT_TRUE(CompactTo(-1).ok());
  }
  Status CompactTo(int level) {
    CompactRangeOptions options;
    options.change_level = level >= 0;
    options.target_level = level;
    return db_->CompactRange(options, nullptr, nullptr);
  }
  void ExpectRows() {
    test::FileRows rows;
    for (int i = 0; i < 10; ++i) {
      if (i != 5) rows.emplace_back(Key(i), std::string(1000, 'v'));
    }
    EXPECT_EQ(rows, Rows());
  }
  void Reopen() {
    if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
    snapshot_ = nullptr;
    Open();
  }

  const Snapshot* snapshot_ = nullptr;
};

// As RocksDB 11.8.1 answers; 7.8.3 finds files whose sequences are in disorder.
TEST_F(ChangeLevel, SeveralFilesAreNotMovedIntoLevel0) {
  ASSERT_NO_FATAL_FAILURE(Fill(3000));
  const std::string shape = Shape();
  ASSERT_GT(shape, "0,2");
  const Status status = CompactTo(0);
  EXPECT_TRUE(status.IsAborted()) << status.ToString();
  EXPECT_NE(std::string::npos,
            status.ToString().find("Moving more than 1 file from non-L0 to L0"))
      << status.ToString();
  EXPECT_EQ(shape, Shape());
  ExpectRows();
  Reopen();
  ExpectRows();
  ASSERT_TRUE(CompactTo(3).ok());
  EXPECT_EQ("0,0,0," + shape.substr(2), Shape());
  ExpectRows();
  Reopen();
  ExpectRows();
}

TEST_F(ChangeLevel, OneFileIsMovedIntoLevel0WithItsRangeDeletions) {
  ASSERT_NO_FATAL_FAILURE(Fill(1 << 20));
  EXPECT_EQ("0,1", Shape());
  const Status status = CompactTo(0);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("1", Shape());
  ExpectRows();
  Reopen();
  ExpectRows();
}

// Sees compactions that are no moves begin.
class BeginWatch final : public EventListener {
 public:
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    if (info.compaction_reason != CompactionReason::kRefitLevel) begun = true;
  }
  std::atomic<bool> begun{false};
};

TEST(MoveBetweenLevels, NoCompactionPutsNewerDataBelowFilesThatAreMoving) {
  const auto watch = std::make_shared<BeginWatch>();
  DB* opened = nullptr;
  std::atomic<bool> armed{false};
  // While the move is written to the MANIFEST, level 0 becomes due.
  const auto hook = [&](const test::FileOp& op) {
    const bool manifest = op.path.find("MANIFEST") != std::string::npos;
    if (manifest && op.kind == test::OpKind::kAppend && armed.exchange(false)) {
      EXPECT_TRUE(
          opened->SetOptions({{"disable_auto_compactions", "false"}}).ok());
      for (int i = 0; i < 100 && !watch->begun; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      // Later ones would merge what lies in the wrong order.
      EXPECT_TRUE(
          opened->SetOptions({{"disable_auto_compactions", "true"}}).ok());
    }
    return IOStatus::OK();
  };
  const auto fs = std::make_shared<test::HookedFileSystem>(
      std::make_shared<engine::MemFileSystem>(), hook);
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.compression = kNoCompression;
  options.disable_auto_compactions = true;
  options.level0_file_num_compaction_trigger = 1;
  options.max_bytes_for_level_base = 10000;
  options.level_compaction_dynamic_level_bytes = true;
  options.listeners = {watch};
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
  opened = db.get();
  for (char c = 'a'; c <= 'z'; ++c) {
    const std::string key(1, c);
    ASSERT_TRUE(db->Put(WriteOptions(), key, std::string(2000, 'o')).ok());
  }
  ASSERT_TRUE(db->CompactRange({}, nullptr, nullptr).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "m", "new").ok());
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  // Level 0 is not in this range; the files of the last level are.
  CompactRangeOptions move;
  move.change_level = true;
  move.target_level = 3;
  const Slice begin("a");
  const Slice end("b");
  watch->begun = false;
  armed = true;
  ASSERT_TRUE(db->CompactRange(move, &begin, &end).ok());
  EXPECT_FALSE(armed);
  ASSERT_TRUE(db->WaitForCompact(WaitForCompactOptions()).ok());
  std::string value;
  ASSERT_TRUE(db->Get(ReadOptions(), "m", &value).ok());
  EXPECT_EQ("new", value.substr(0, 3));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
