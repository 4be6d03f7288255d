// Keys that are written and deleted before they are flushed never reach the
// disk, and counters say so.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ShortLivedKeys : public ::testing::Test {
 protected:
  ShortLivedKeys()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    options_.max_write_buffer_number = 8;
    options_.min_write_buffer_number_to_merge = 2;
    options_.write_buffer_size = 64 << 10;
    options_.statistics = CreateDBStatistics();
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  uint64_t Dropped() const {
    return options_.statistics->getTickerCount(COMPACTION_KEY_DROP_OBSOLETE);
  }
  std::string Files() const {
    std::string value;
    EXPECT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &value));
    return value;
  }
  static std::string Key(int i) { return "log" + std::to_string(1000 + i); }

  Options options_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<DB> db_;
};

// As the log entries of a store on top of this one: each is deleted soon.
TEST_F(ShortLivedKeys, NeverReachTheDisk) {
  Open();
  constexpr int kKeys = 300;
  for (int i = 0; i < kKeys; ++i) {
    test::Ok(db_->Put(WriteOptions(), Key(i), std::string(200, 'v')));
    if (i >= 20) test::Ok(db_->Delete(WriteOptions(), Key(i - 20)));
  }
  for (int i = kKeys - 20; i < kKeys; ++i) {
    test::Ok(db_->SingleDelete(WriteOptions(), Key(i)));
  }
  std::string waiting;
  EXPECT_TRUE(db_->GetProperty("rocksdb.num-immutable-mem-table", &waiting));
  EXPECT_EQ("1", waiting);  // And is merged with the other one.
  test::Ok(db_->Flush(FlushOptions()));
  EXPECT_EQ("0", Files());
  EXPECT_EQ(0u, options_.statistics->getTickerCount(FLUSH_WRITE_BYTES));
  EXPECT_LE(280u, Dropped());
  db_.reset();
  Open();  // Neither do they come back.
  const std::unique_ptr<Iterator> iter(db_->NewIterator(ReadOptions()));
  iter->SeekToFirst();
  EXPECT_FALSE(iter->Valid());
  test::Ok(iter->status());
}

TEST_F(ShortLivedKeys, DeletionsOfFlushedKeysAreWritten) {
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  test::Ok(db_->Put(WriteOptions(), "c", "1"));
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(db_->Delete(WriteOptions(), "a"));
  test::Ok(db_->Delete(WriteOptions(), "b"));
  test::Ok(db_->Flush(FlushOptions()));
  EXPECT_EQ("2", Files());
  EXPECT_EQ(1u, Dropped());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).IsNotFound());
  db_.reset();
  Open();
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).IsNotFound());
  test::Ok(db_->Get(ReadOptions(), "c", &value));
}

// A file that ends with a range deletion up to a key, and whose filter does not
// have the key, comes before the file that has it.
TEST_F(ShortLivedKeys, DeletionsOfKeysWhereAFileBeginsAreWritten) {
  options_.target_file_size_base = 1;
  options_.compression = kNoCompression;
  Open();
  for (const char* key : {"a", "b", "c"}) {
    test::Ok(db_->Put(WriteOptions(), key, std::string(10000, 'v')));
  }
  const Snapshot* const snapshot = db_->GetSnapshot();
  test::Ok(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a5", "b"));
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  int ends_with_b = 0;
  for (const auto& file : files) ends_with_b += file.largestkey == "b" ? 1 : 0;
  EXPECT_EQ(2, ends_with_b);
  db_->ReleaseSnapshot(snapshot);
  test::Ok(db_->Delete(WriteOptions(), "b"));
  test::Ok(db_->Flush(FlushOptions()));
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "b", &value).IsNotFound());
}

TEST_F(ShortLivedKeys, SnapshotsKeepWhatTheySee) {
  Open();
  test::Ok(db_->Put(WriteOptions(), "a", "1"));
  const Snapshot* const snapshot = db_->GetSnapshot();
  test::Ok(db_->Delete(WriteOptions(), "a"));
  test::Ok(db_->Flush(FlushOptions()));
  ReadOptions old;
  old.snapshot = snapshot;
  std::string value;
  test::Ok(db_->Get(old, "a", &value));
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).IsNotFound());
  db_->ReleaseSnapshot(snapshot);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
