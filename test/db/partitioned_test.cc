// A database whose indexes and filters are partitioned: the same answers
// through flush, compaction and reopening, whatever the caches are.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "test/support/numbered_key.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;

constexpr int kKeys = 1500;

std::string Value(int i, int round) {
  return std::to_string(round) + std::string(40 + i % 30, 'v') +
         std::to_string(i);
}

BlockBasedTableOptions PartitionedTables() {
  BlockBasedTableOptions table;
  table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.metadata_block_size = 256;
  table.block_size = 512;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  return table;
}

class PartitionedDb : public ::testing::Test {
 protected:
  PartitionedDb() {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
  }

  void Open(const BlockBasedTableOptions& table) {
    db_.reset();
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    DB* db = nullptr;
    const Status status = DB::Open(options_, dir_.path(), &db);
    ASSERT_TRUE(status.ok()) << status.ToString();
    db_.reset(db);
  }

  // Two files of level 0, the second over half of the first.
  void Fill() {
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < kKeys; i += 1 + round) {
        ASSERT_TRUE(
            db_->Put(WriteOptions(), test::NumberedKey(i), Value(i, round))
                .ok());
      }
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    }
  }

  void ExpectAll() {
    for (int i = 0; i < kKeys; i += 3) {
      std::string value;
      const Status status =
          db_->Get(ReadOptions(), test::NumberedKey(i), &value);
      ASSERT_TRUE(status.ok()) << status.ToString();
      ASSERT_EQ(Value(i, i % 2 == 0 ? 1 : 0), value);
      ASSERT_TRUE(db_->Get(ReadOptions(), test::NumberedKey(i) + "x", &value)
                      .IsNotFound());
    }
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    int i = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      ASSERT_EQ(test::NumberedKey(i), it->key().ToString());
      ++i;
    }
    ASSERT_TRUE(it->status().ok()) << it->status().ToString();
    ASSERT_EQ(kKeys, i);
    for (it->SeekToLast(); it->Valid(); it->Prev()) --i;
    ASSERT_EQ(0, i);
  }

  // Of all tables together.
  uint64_t Partitions() {
    TablePropertiesCollection all;
    EXPECT_TRUE(db_->GetPropertiesOfAllTables(&all).ok());
    uint64_t partitions = 0;
    for (const auto& [name, p] : all) partitions += p->index_partitions;
    return partitions;
  }

  uint64_t Count(uint32_t ticker) const {
    return options_.statistics->getTickerCount(ticker);
  }

  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(PartitionedDb, ReadsAreTheSameWhateverTheCaches) {
  Open(PartitionedTables());
  Fill();
  ExpectAll();
  for (const bool in_cache : {false, true}) {
    for (const PinningTier tier :
         {PinningTier::kFallback, PinningTier::kNone, PinningTier::kAll}) {
      for (const size_t capacity : {size_t{4} << 10, size_t{8} << 20}) {
        BlockBasedTableOptions table = PartitionedTables();
        table.cache_index_and_filter_blocks = in_cache;
        table.block_cache = NewLRUCache(capacity, 0);
        table.metadata_cache_options = {tier, tier, tier};
        table.pin_l0_filter_and_index_blocks_in_cache = true;
        options_.use_direct_reads = in_cache;
        Open(table);
        ExpectAll();
      }
    }
  }
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  ExpectAll();
  EXPECT_GT(Partitions(), 10u);
  Open(PartitionedTables());
  ExpectAll();
}

TEST_F(PartitionedDb, LevelsBelowTheGivenOneAreWrittenWhole) {
  BlockBasedTableOptions table = PartitionedTables();
  table.partition_from_level = 1;
  Open(table);
  Fill();
  EXPECT_EQ(0u, Partitions());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_GT(Partitions(), 10u);
  ExpectAll();
  // The option outlives the database, where RocksDB does not stumble over it.
  bool found = false;
  for (const auto& file : fs::directory_iterator(dir_.path())) {
    if (file.path().filename().string().rfind("OPTIONS-", 0) != 0) continue;
    std::ifstream in(file.path());
    for (std::string line; std::getline(in, line);) {
      found = found || line.find("# riverstone: partition_from_level=1") !=
                           std::string::npos;
    }
  }
  EXPECT_TRUE(found);
}

TEST_F(PartitionedDb, PartitionsOfLevelZeroStayPinned) {
  BlockBasedTableOptions table = PartitionedTables();
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.block_cache = NewLRUCache(8 << 20);
  Open(table);
  Fill();
  const uint64_t misses =
      Count(BLOCK_CACHE_INDEX_MISS) + Count(BLOCK_CACHE_FILTER_MISS);
  ExpectAll();
  table.block_cache->EraseUnRefEntries();
  EXPECT_GT(table.block_cache->GetPinnedUsage(), 0u);
  ExpectAll();
  EXPECT_EQ(misses,
            Count(BLOCK_CACHE_INDEX_MISS) + Count(BLOCK_CACHE_FILTER_MISS));
  EXPECT_GT(Count(INDEX_BLOCK_READ_BYTES), 0u);
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  db_.reset();
  EXPECT_EQ(0u, table.block_cache->GetPinnedUsage());
}

TEST_F(PartitionedDb, SizesOfPartitionsCanBeChangedWhileItIsOpen) {
  Open(PartitionedTables());
  Fill();
  const uint64_t many = Partitions();
  ASSERT_TRUE(db_->SetOptions({{"block_based_table_factory",
                                "{metadata_block_size=8192;}"}})
                  .ok());
  CompactRangeOptions again;
  again.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db_->CompactRange(again, nullptr, nullptr).ok());
  EXPECT_LT(Partitions(), many / 4);
  EXPECT_GT(Partitions(), 0u);
  ExpectAll();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
