// The properties that say where memory is.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/memory_util.h"
#include "rocksdb/write_buffer_manager.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Names = DB::Properties;
using Keys = BlockCacheEntryStatsMapKeys;

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    table_.block_size = 1024;
    table_.block_cache = NewLRUCache(8 << 20);
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
  }

  void Open() {
    db_.reset();
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    const Status status = DB::Open(options_, dir_.path(), &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(int from, int to) {
    for (int i = from; i < to; ++i) {
      const std::string key = "key" + std::to_string(100000 + i);
      ASSERT_TRUE(db_->Put(WriteOptions(), key, std::string(100, 'v')).ok());
    }
  }
  void Flush() { ASSERT_TRUE(db_->Flush(FlushOptions()).ok()); }
  void ReadAll() {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      std::string value;
      ASSERT_TRUE(db_->Get(ReadOptions(), it->key(), &value).ok());
    }
  }
  std::map<std::string, std::string> Map(const std::string& property) {
    std::map<std::string, std::string> map;
    EXPECT_TRUE(db_->GetMapProperty(property, &map)) << property;
    return map;
  }
  uint64_t Part(const std::string& name) {
    const auto map = Map(Names::kMemoryByRole);
    const auto found = map.find(name);
    return found == map.end() ? 0 : std::stoull(found->second);
  }

  test::TempDir dir_;
  Options options_;
  BlockBasedTableOptions table_;
  std::unique_ptr<DB> db_;
};

TEST_F(MemoryTest, TheBlockCacheIsCountedByRole) {
  table_.cache_index_and_filter_blocks = true;
  Open();
  Put(0, 2000);
  Flush();
  ReadAll();
  auto map = Map(Names::kBlockCacheEntryStats);
  EXPECT_EQ(0u, map[Keys::CacheId()].rfind("LRUCache@", 0));
  EXPECT_EQ(std::to_string(8 << 20), map[Keys::CacheCapacityBytes()]);
  EXPECT_GT(std::stoull(map["count.data-block"]), 100u);
  EXPECT_GT(std::stoull(map["bytes.data-block"]), 200000u);
  EXPECT_GT(std::stod(map["percent.data-block"]), 2.0);
  EXPECT_EQ("1", map["count.index-block"]);
  EXPECT_EQ("1", map["count.filter-block"]);
  EXPECT_EQ("0", map["count.write-buffer"]);
  EXPECT_EQ(4 + 3 * kNumCacheEntryRoles, map.size());

  std::string text;
  ASSERT_TRUE(db_->GetProperty(Names::kBlockCacheEntryStats, &text));
  EXPECT_EQ(0u, text.rfind("Block cache LRUCache@", 0)) << text;
  EXPECT_NE(std::string::npos, text.find(" capacity: 8.00 MB usage: "));
  EXPECT_NE(std::string::npos, text.find("(count,size,portion): DataBlock("));
  uint64_t number = 0;
  EXPECT_FALSE(db_->GetIntProperty(Names::kBlockCacheEntryStats, &number));
}

TEST_F(MemoryTest, TheFastCountMayBeOld) {
  Open();
  Put(0, 1000);
  Flush();
  EXPECT_EQ("0", Map(Names::kFastBlockCacheEntryStats)["count.data-block"]);
  ReadAll();
  EXPECT_EQ("0", Map(Names::kFastBlockCacheEntryStats)["count.data-block"]);
}

TEST_F(MemoryTest, WithoutABlockCacheThereIsNothingToCount) {
  table_.block_cache = nullptr;
  table_.no_block_cache = true;
  Open();
  std::string text;
  EXPECT_FALSE(db_->GetProperty(Names::kBlockCacheEntryStats, &text));
  EXPECT_GT(Part("memtables"), 0u);
  EXPECT_EQ(0u, Part("block-cache"));
}

TEST_F(MemoryTest, MemtablesAreFollowedFromWritingToTheirLastReader) {
  Open();
  Put(0, 1000);
  EXPECT_GT(Part("memtables.mutable"), 100000u);
  EXPECT_EQ(0u, Part("memtables.pinned"));
  std::unique_ptr<Iterator> reader(db_->NewIterator(ReadOptions()));
  reader->SeekToFirst();
  Flush();
  EXPECT_LT(Part("memtables.mutable"), 100000u);
  EXPECT_GT(Part("memtables.pinned"), 100000u);
  uint64_t all = 0;
  uint64_t current = 0;
  ASSERT_TRUE(db_->GetIntProperty(Names::kSizeAllMemTables, &all));
  ASSERT_TRUE(db_->GetIntProperty(Names::kCurSizeAllMemTables, &current));
  EXPECT_GT(all, current + 100000);
  reader.reset();
  EXPECT_EQ(0u, Part("memtables.pinned"));
}

TEST_F(MemoryTest, IndexAndFilterAreCountedWhereTheyAre) {
  for (const int max_open_files : {-1, 100}) {
    options_.max_open_files = max_open_files;
    table_.cache_index_and_filter_blocks = false;
    Open();
    Put(0, 2000);
    Flush();
    ReadAll();
    EXPECT_GT(Part("table-readers.index"), 1000u);
    EXPECT_GT(Part("table-readers.filter"), 2000u);
    EXPECT_EQ(0u, Part("block-cache.index-block"));
  }
  options_.max_open_files = -1;
  table_.cache_index_and_filter_blocks = true;
  table_.block_cache = NewLRUCache(8 << 20);
  Open();
  ReadAll();
  EXPECT_EQ(0u, Part("table-readers.index"));
  EXPECT_EQ(0u, Part("table-readers.filter"));
  EXPECT_GT(Part("table-readers.others"), 0u);
  EXPECT_GT(Part("block-cache.index-block"), 1000u);
  EXPECT_GT(Part("block-cache.filter-block"), 2000u);
}

TEST_F(MemoryTest, ReadersOfBlobFilesAreNotTakenForReadersOfTables) {
  options_.max_open_files = 100;  // One cache has the readers of both.
  options_.enable_blob_files = true;
  Open();
  Put(0, 100);
  Flush();
  const uint64_t before = Part("table-readers");
  ReadAll();
  EXPECT_GE(Part("table-readers"), before);
  EXPECT_LT(Part("table-readers"), 100000u);
}

TEST_F(MemoryTest, NothingIsCountedTwice) {
  options_.write_buffer_manager =
      std::make_shared<WriteBufferManager>(64 << 20, table_.block_cache);
  options_.row_cache = table_.block_cache;
  Open();
  Put(0, 2000);
  Flush();
  ReadAll();
  Put(0, 2000);
  EXPECT_GT(Part("block-cache.write-buffer"), 0u);
  EXPECT_EQ(Part("block-cache.charged"), Part("block-cache.write-buffer"));
  EXPECT_EQ(0u, Part("row-cache"));  // It is the block cache.
  EXPECT_EQ(Part("total"), Part("block-cache") - Part("block-cache.charged") +
                               Part("memtables") + Part("table-readers") +
                               Part("building-buffers") + Part("wal-buffers"));
  EXPECT_EQ(Part("memtables"), Part("memtables.mutable") +
                                   Part("memtables.immutable") +
                                   Part("memtables.pinned"));
  EXPECT_GT(Part("wal-buffers"), 0u);
  std::string text;
  ASSERT_TRUE(db_->GetProperty(Names::kMemoryByRole, &text));
  EXPECT_NE(std::string::npos, text.find("\nmemtables.mutable: ")) << text;
  EXPECT_NE(std::string::npos, text.find("\ntotal: ")) << text;
}

TEST_F(MemoryTest, TheRowCacheIsCounted) {
  options_.row_cache = NewLRUCache(1 << 20);
  Open();
  Put(0, 1000);
  Flush();
  ReadAll();
  EXPECT_EQ(options_.row_cache->GetUsage(), Part("row-cache"));
  EXPECT_GT(Part("row-cache"), 100000u);
}

TEST_F(MemoryTest, DatabasesAndCachesAddUpByType) {
  Open();
  Put(0, 1000);
  Flush();
  ReadAll();
  Put(0, 1000);
  using Util = MemoryUtil;
  std::map<Util::UsageType, uint64_t> one;
  std::map<Util::UsageType, uint64_t> two;
  DB* const db = db_.get();
  ASSERT_TRUE(Util::GetApproximateMemoryUsageByType(
                  {db}, {table_.block_cache.get()}, &one)
                  .ok());
  ASSERT_TRUE(
      Util::GetApproximateMemoryUsageByType({db, nullptr, db}, {nullptr}, &two)
          .ok());
  EXPECT_EQ(size_t{Util::kNumUsageTypes}, one.size());
  for (const auto type : {Util::kMemTableTotal, Util::kMemTableUnFlushed,
                          Util::kTableReadersTotal}) {
    EXPECT_GT(one[type], 0u) << type;
    EXPECT_EQ(2 * one[type], two[type]) << type;
  }
  EXPECT_EQ(table_.block_cache->GetUsage(), one[Util::kCacheTotal]);
  EXPECT_EQ(0u, two[Util::kCacheTotal]);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
