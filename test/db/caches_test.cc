// What a database puts into its caches besides what it reads: rows, blocks
// just written, second tiers, and the memory that counts against a capacity.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/sim_cache.h"
#include "table/block/block.h"
#include "test/support/numbered_key.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kCachedKeys = 1500;

std::string Value(int i) {
  return "value" + std::string(60, 'v') + std::to_string(i);
}

class CachesTest : public ::testing::Test {
 protected:
  CachesTest() {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    table_.block_size = 512;
    table_.metadata_block_size = 256;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
  }

  Status TryOpen() {
    db_.reset();
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    return DB::Open(options_, dir_.path(), &db_);
  }
  void Open() {
    const Status status = TryOpen();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(int i, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), test::NumberedKey(i), value).ok());
  }
  void Fill() {
    for (int i = 0; i < kCachedKeys; ++i) Put(i, Value(i));
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  std::string Get(int i, const Snapshot* snapshot = nullptr) {
    ReadOptions options;
    options.snapshot = snapshot;
    std::string value;
    const Status status = db_->Get(options, test::NumberedKey(i), &value);
    return status.ok() ? value : status.ToString();
  }
  void ExpectAll() {
    for (int i = 0; i < kCachedKeys; ++i) ASSERT_EQ(Value(i), Get(i));
  }
  uint64_t Count(uint32_t ticker) const {
    return options_.statistics->getTickerCount(ticker);
  }
  // A cache that is too small, before a second one that holds everything.
  void ExpectServesFromTwoTiers(std::shared_ptr<Cache> cache) {
    table_.block_cache = std::move(cache);
    table_.cache_index_and_filter_blocks = true;
    table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    table_.partition_filters = true;
    Open();
    Fill();
    for (int round = 0; round < 3; ++round) ExpectAll();
    EXPECT_GT(Count(SECONDARY_CACHE_DATA_HITS), 0u);
    EXPECT_GT(Count(SECONDARY_CACHE_INDEX_HITS), 0u);
    const uint64_t read = Count(DATA_BLOCK_READ_BYTES);
    ExpectAll();
    EXPECT_EQ(read, Count(DATA_BLOCK_READ_BYTES));  // All of it is there.
  }
  std::map<CacheEntryRole, size_t> Roles() const {
    std::map<CacheEntryRole, size_t> bytes;
    table_.block_cache->ApplyToAllEntries(
        [&bytes](const Slice&, Cache::ObjectPtr, size_t charge,
                 const Cache::CacheItemHelper* helper) {
          bytes[helper->role] += charge;
        },
        {});
    return bytes;
  }

  test::TempDir dir_;
  Options options_;
  BlockBasedTableOptions table_;
  std::unique_ptr<DB> db_;
};

// ---- The row cache. What it answers is also asked by the model tests.

TEST_F(CachesTest, ARowIsFoundWithoutTheTable) {
  options_.row_cache = NewLRUCache(8 << 20);
  Open();
  Fill();
  ExpectAll();
  EXPECT_EQ(0u, Count(ROW_CACHE_HIT));
  const uint64_t blocks = Count(BLOCK_CACHE_DATA_HIT);
  ExpectAll();
  EXPECT_EQ(uint64_t{kCachedKeys}, Count(ROW_CACHE_HIT));
  EXPECT_EQ(blocks, Count(BLOCK_CACHE_DATA_HIT));
  PinnableSlice pinned;
  ASSERT_TRUE(db_->Get(ReadOptions(), db_->DefaultColumnFamily(),
                       test::NumberedKey(1), &pinned)
                  .ok());
  // A row that is being read stays, whatever becomes of the cache.
  options_.row_cache->SetCapacity(0);
  EXPECT_EQ(Value(1), pinned.ToString());
  pinned.Reset();
  EXPECT_EQ(0u, options_.row_cache->GetUsage());
  ExpectAll();
}

TEST_F(CachesTest, ClockCachesServeAllThatADatabaseCaches) {
  HyperClockCacheOptions clock(8 << 10, 512, 0);
  clock.secondary_cache = NewCompressedSecondaryCache(8 << 20, 0);
  ExpectServesFromTwoTiers(clock.MakeSharedCache());
  db_.reset();
  EXPECT_EQ(0u, table_.block_cache->GetPinnedUsage());

  // Rows have long keys.
  table_.block_cache = HyperClockCacheOptions(64 << 20, 0).MakeSharedCache();
  auto& roles = table_.cache_usage_options.options_overrides;
  roles[CacheEntryRole::kBlockBasedTableReader] = {
      CacheEntryRoleOptions::Decision::kEnabled};
  options_.row_cache = HyperClockCacheOptions(8 << 20, 0).MakeSharedCache();
  Open();
  for (int round = 0; round < 2; ++round) ExpectAll();
  EXPECT_EQ(uint64_t{kCachedKeys}, Count(ROW_CACHE_HIT));
  EXPECT_GT(Roles()[CacheEntryRole::kBlockBasedTableReader], 0u);
  db_.reset();
  EXPECT_EQ(0u, table_.block_cache->GetPinnedUsage());
}

TEST_F(CachesTest, ReadsOfTheCacheAloneAndWithoutFillingLeaveNoRows) {
  options_.row_cache = NewLRUCache(8 << 20);
  Open();
  Fill();
  ReadOptions read;
  read.fill_cache = false;
  std::string value;
  ASSERT_TRUE(db_->Get(read, test::NumberedKey(1), &value).ok());
  ASSERT_TRUE(db_->Get(read, test::NumberedKey(1), &value).ok());
  EXPECT_EQ(0u, Count(ROW_CACHE_HIT));
  ASSERT_EQ(Value(2), Get(2));
  read.read_tier = kBlockCacheTier;
  ASSERT_TRUE(db_->Get(read, test::NumberedKey(2), &value).ok());
  EXPECT_EQ(1u, Count(ROW_CACHE_HIT));
}

TEST_F(CachesTest, ASnapshotOlderThanAFileNeitherMakesNorReadsItsRows) {
  options_.row_cache = NewLRUCache(8 << 20);
  Open();
  Put(1, "old");
  Put(2, "two");
  const Snapshot* const snapshot = db_->GetSnapshot();
  Put(1, "new");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ("old", Get(1, snapshot));
  EXPECT_EQ("new", Get(1));
  EXPECT_EQ("old", Get(1, snapshot));
  EXPECT_EQ("two", Get(2, snapshot));
  EXPECT_EQ("new", Get(1));
  EXPECT_EQ(1u, Count(ROW_CACHE_HIT));
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(CachesTest, ADeletedRangeIsNotHiddenByRows) {
  options_.row_cache = NewLRUCache(8 << 20);
  Open();
  Fill();
  ExpectAll();
  ExpectAll();
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), test::NumberedKey(100),
                               test::NumberedKey(200))
                  .ok());
  EXPECT_EQ("NotFound: ", Get(150));
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ("NotFound: ", Get(150));
  EXPECT_EQ("NotFound: ", Get(150));
  EXPECT_EQ(Value(200), Get(200));
}

TEST_F(CachesTest, TwoDatabasesShareARowCacheAndNotTheirRows) {
  options_.row_cache = NewLRUCache(8 << 20);
  Open();
  Put(1, "here");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ("here", Get(1));
  test::TempDir there;
  std::unique_ptr<DB> other;
  ASSERT_TRUE(DB::Open(options_, there.path(), &other).ok());
  ASSERT_TRUE(other->Put(WriteOptions(), test::NumberedKey(1), "there").ok());
  ASSERT_TRUE(other->Flush(FlushOptions()).ok());
  std::string value;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(other->Get(ReadOptions(), test::NumberedKey(1), &value).ok());
    EXPECT_EQ("there", value);
    EXPECT_EQ("here", Get(1));
  }
}

// ---- Blocks that are cached when they are written.

using Prepopulate = BlockBasedTableOptions::PrepopulateBlockCache;

TEST_F(CachesTest, FlushedBlocksAreInTheCacheBeforeTheyAreRead) {
  for (const bool partitioned : {false, true}) {
    table_.index_type = partitioned
                            ? BlockBasedTableOptions::kTwoLevelIndexSearch
                            : BlockBasedTableOptions::kBinarySearch;
    table_.partition_filters = partitioned;
    table_.cache_index_and_filter_blocks = true;
    table_.prepopulate_block_cache = Prepopulate::kFlushOnly;
    table_.block_cache = NewLRUCache(8 << 20);
    Open();
    Fill();
    EXPECT_GT(Roles()[CacheEntryRole::kDataBlock], 0u);
    ASSERT_EQ(Value(0), Get(0));  // Opens the table.
    const uint64_t data = Count(BLOCK_CACHE_DATA_MISS);
    const uint64_t filter = Count(BLOCK_CACHE_FILTER_MISS);
    const uint64_t index = Count(BLOCK_CACHE_INDEX_MISS);
    const uint64_t hits = Count(BLOCK_CACHE_DATA_HIT);
    ReadOptions cached;
    cached.read_tier = kBlockCacheTier;
    for (int i = 0; i < kCachedKeys; ++i) {
      std::string value;
      const Status status = db_->Get(cached, test::NumberedKey(i), &value);
      ASSERT_TRUE(status.ok()) << status.ToString();
      ASSERT_EQ(Value(i), value);
    }
    EXPECT_EQ(data, Count(BLOCK_CACHE_DATA_MISS));
    EXPECT_EQ(filter, Count(BLOCK_CACHE_FILTER_MISS));
    EXPECT_EQ(index, Count(BLOCK_CACHE_INDEX_MISS));
    EXPECT_EQ(hits + kCachedKeys, Count(BLOCK_CACHE_DATA_HIT));
  }
}

TEST_F(CachesTest, CompactionsFillTheCacheOnlyWhenAsked) {
  for (const auto how : {Prepopulate::kDisable, Prepopulate::kFlushOnly,
                         Prepopulate::kFlushAndCompaction}) {
    table_.prepopulate_block_cache = how;
    table_.block_cache = NewLRUCache(8 << 20);
    Open();
    Fill();
    EXPECT_EQ(how != Prepopulate::kDisable,
              Roles()[CacheEntryRole::kDataBlock] > 0);
    table_.block_cache->EraseUnRefEntries();
    CompactRangeOptions all;
    all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    ASSERT_TRUE(db_->CompactRange(all, nullptr, nullptr).ok());
    EXPECT_EQ(how == Prepopulate::kFlushAndCompaction,
              Roles()[CacheEntryRole::kDataBlock] > 0);
    ExpectAll();
  }
}

TEST_F(CachesTest, WhatFillsTheCacheKeepsToTheTiersInUse) {
  for (const auto tier :
       {CacheTier::kVolatileTier, CacheTier::kNonVolatileBlockTier}) {
    options_.lowest_used_cache_tier = tier;
    table_.prepopulate_block_cache = Prepopulate::kFlushAndCompaction;
    table_.block_cache = NewLRUCache(8 << 20);
    Open();
    Fill();
    ASSERT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
    size_t blocks = 0;
    size_t for_second_tier = 0;
    table_.block_cache->ApplyToAllEntries(
        [&](const Slice&, Cache::ObjectPtr, size_t,
            const Cache::CacheItemHelper* helper) {
          ++blocks;
          if (helper->IsSecondaryCacheCompatible()) ++for_second_tier;
        },
        {});
    EXPECT_GT(blocks, 0u);
    EXPECT_EQ(tier == CacheTier::kVolatileTier ? 0 : blocks, for_second_tier);
  }
}

TEST_F(CachesTest, FillingTheCacheCanBeSwitchedOnWhileItIsOpen) {
  table_.block_cache = NewLRUCache(8 << 20);
  Open();
  Fill();
  EXPECT_EQ(0u, Roles()[CacheEntryRole::kDataBlock]);
  ASSERT_TRUE(db_->SetOptions({{"block_based_table_factory",
                                "{prepopulate_block_cache=kFlushOnly;}"}})
                  .ok());
  Fill();
  EXPECT_GT(Roles()[CacheEntryRole::kDataBlock], 0u);
}

TEST_F(CachesTest, ASmallStrictCacheIsFilledWithoutHarm) {
  table_.prepopulate_block_cache = Prepopulate::kFlushAndCompaction;
  table_.block_cache = NewLRUCache(4 << 10, 0, /*strict_capacity_limit=*/true);
  Open();
  Fill();
  ASSERT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
  EXPECT_LE(table_.block_cache->GetUsage(), 4u << 10);
  ExpectAll();
}

// ---- Second tiers.

TEST_F(CachesTest, BlocksComeBackFromACompressedSecondTier) {
  LRUCacheOptions lru;
  lru.capacity = 8 << 10;
  lru.num_shard_bits = 0;
  lru.secondary_cache = NewCompressedSecondaryCache(8 << 20, 0);
  ExpectServesFromTwoTiers(lru.MakeSharedCache());
  EXPECT_GT(Count(SECONDARY_CACHE_FILTER_HITS), 0u);

  options_.lowest_used_cache_tier = CacheTier::kVolatileTier;
  Open();
  const uint64_t hits = Count(SECONDARY_CACHE_HITS);
  for (int round = 0; round < 2; ++round) ExpectAll();
  EXPECT_EQ(hits, Count(SECONDARY_CACHE_HITS));
}

// ---- Memory charged to the cache.

using Decision = CacheEntryRoleOptions::Decision;

// With an index of first keys an iterator stands on a block that it has not
// read: what the index says decides which version of a key is the newest.
TEST_F(CachesTest, SeeksFindTheNewestVersionsByAnIndexThatCameBack) {
  LRUCacheOptions lru;
  lru.capacity = 8 << 10;
  lru.num_shard_bits = 0;
  lru.secondary_cache = NewCompressedSecondaryCache(8 << 20, 0);
  table_.block_cache = lru.MakeSharedCache();
  table_.cache_index_and_filter_blocks = true;
  table_.index_type = BlockBasedTableOptions::kBinarySearchWithFirstKey;
  Open();
  Fill();
  for (int i = 0; i < kCachedKeys; ++i) Put(i, "new" + Value(i));
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  for (int round = 0; round < 3; ++round) {
    std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (int i = 0; i < kCachedKeys; ++i) {
      const int at = i * 7919 % kCachedKeys;
      it->Seek(test::NumberedKey(at));
      ASSERT_TRUE(it->Valid()) << it->status().ToString();
      ASSERT_EQ(test::NumberedKey(at), it->key().ToString());
      ASSERT_EQ("new" + Value(at), it->value().ToString());
    }
  }
  EXPECT_GT(Count(SECONDARY_CACHE_INDEX_HITS), 0u);
}

TEST_F(CachesTest, ReadersAndFilesAreChargedWhenAsked) {
  for (const Decision decision : {Decision::kDisabled, Decision::kEnabled}) {
    table_.block_cache = NewLRUCache(64 << 20);
    auto& roles = table_.cache_usage_options.options_overrides;
    roles[CacheEntryRole::kBlockBasedTableReader] = {decision};
    roles[CacheEntryRole::kFileMetadata] = {decision};
    Open();
    Fill();
    ExpectAll();
    const bool charged = decision == Decision::kEnabled;
    EXPECT_EQ(charged, Roles()[CacheEntryRole::kBlockBasedTableReader] > 0);
    EXPECT_EQ(charged, Roles()[CacheEntryRole::kFileMetadata] > 0);
    db_.reset();
    EXPECT_EQ(0u, table_.block_cache->GetPinnedUsage());
  }
}

TEST_F(CachesTest, ABlobCacheIsChargedOnceWhenAsked) {
  options_.enable_blob_files = true;
  const auto charged = [this](Decision decision) {
    table_.block_cache = NewLRUCache(64 << 20);
    options_.blob_cache = HyperClockCacheOptions(8 << 20, 0).MakeSharedCache();
    table_.cache_usage_options.options_overrides[CacheEntryRole::kBlobCache] = {
        decision};
    Open();
    // A second family over the same caches.
    ColumnFamilyHandle* family = nullptr;
    EXPECT_TRUE(db_->CreateColumnFamily(options_, "other", &family).ok());
    const std::string value(100 << 10, 'v');
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(db_->Put(WriteOptions(), test::NumberedKey(i), value).ok());
      EXPECT_TRUE(
          db_->Put(WriteOptions(), family, test::NumberedKey(i), value).ok());
    }
    EXPECT_TRUE(db_->Flush(FlushOptions()).ok());
    EXPECT_TRUE(db_->Flush(FlushOptions(), family).ok());
    for (int i = 0; i < 10; ++i) {
      std::string got;
      EXPECT_TRUE(db_->Get(ReadOptions(), test::NumberedKey(i), &got).ok());
      EXPECT_TRUE(
          db_->Get(ReadOptions(), family, test::NumberedKey(i), &got).ok());
      EXPECT_EQ(value, got);
    }
    const size_t bytes = Roles()[CacheEntryRole::kBlobCache];
    EXPECT_TRUE(db_->DropColumnFamily(family).ok());
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
    db_.reset();
    EXPECT_EQ(0u, table_.block_cache->GetPinnedUsage());
    return bytes;
  };
  EXPECT_EQ(0u, charged(Decision::kDisabled));
  const size_t bytes = charged(Decision::kEnabled);
  EXPECT_GE(bytes, options_.blob_cache->GetUsage());
  EXPECT_LT(bytes, options_.blob_cache->GetUsage() + (512 << 10));
}

TEST_F(CachesTest, AnOverrideThatLeavesItOpenFollowsTheGeneralOption) {
  table_.block_cache = NewLRUCache(64 << 20);
  table_.cache_usage_options.options.charged = Decision::kEnabled;
  table_.cache_usage_options
      .options_overrides[CacheEntryRole::kBlockBasedTableReader] = {
      Decision::kFallback};
  Open();
  Fill();
  ExpectAll();
  EXPECT_GT(Roles()[CacheEntryRole::kBlockBasedTableReader], 0u);
}

TEST_F(CachesTest, AReaderThatAFullStrictCacheHasNoRoomForIsRefused) {
  Open();
  Fill();
  ExpectAll();
  table_.block_cache =
      NewLRUCache(128 << 10, 0, /*strict_capacity_limit=*/true);
  table_.cache_usage_options
      .options_overrides[CacheEntryRole::kBlockBasedTableReader] = {
      Decision::kEnabled};
  const Status status = TryOpen();
  EXPECT_TRUE(status.IsMemoryLimit()) << status.ToString();
  table_.block_cache->SetCapacity(1 << 20);
  Open();
  EXPECT_EQ(Value(1), Get(1));
}

TEST_F(CachesTest, WhatCannotBeChargedIsRefused) {
  auto& roles = table_.cache_usage_options.options_overrides;
  roles[CacheEntryRole::kDataBlock] = {Decision::kEnabled};
  Status status = TryOpen();
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("DataBlock"));
  roles.clear();
  roles[CacheEntryRole::kFileMetadata] = {Decision::kEnabled};
  table_.no_block_cache = true;
  status = TryOpen();
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
}

TEST_F(CachesTest, ChecksumsOfEntriesTakeMemoryBesideTheirBlocks) {
  std::map<int, size_t> usage;
  for (const int bytes : {0, 8}) {
    table_.block_cache = NewLRUCache(8 << 20);
    options_.block_protection_bytes_per_key = static_cast<uint8_t>(bytes);
    Open();
    if (bytes == 0) Fill();
    for (int i = 0; i < kCachedKeys; ++i) ASSERT_EQ(Value(i), Get(i));
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    int i = kCachedKeys;
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      ASSERT_EQ(Value(--i), it->value().ToString());
    }
    EXPECT_EQ(0, i);
    usage[bytes] = table_.block_cache->GetUsage();
  }
  EXPECT_LT(usage[0] + kCachedKeys * 8, usage[8]);
}

TEST_F(CachesTest, WhatAFlushPutsIntoTheCacheIsProtectedToo) {
  table_.block_cache = NewLRUCache(8 << 20);
  table_.prepopulate_block_cache = Prepopulate::kFlushOnly;
  options_.block_protection_bytes_per_key = 8;
  Open();
  Put(1, Value(1));
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ(Value(1), Get(1));
  size_t damaged = 0;
  table_.block_cache->ApplyToAllEntries(
      [&damaged](const Slice&, Cache::ObjectPtr object, size_t,
                 const Cache::CacheItemHelper* helper) {
        if (helper->role != CacheEntryRole::kDataBlock) return;
        auto* const block = static_cast<engine::Block*>(object);
        const size_t at = block->payload().ToString().find(Value(1));
        ASSERT_NE(std::string::npos, at);
        block->data()[at] ^= 1;
        ++damaged;
      },
      {});
  ASSERT_EQ(1u, damaged);
  const std::string got = Get(1);
  EXPECT_NE(std::string::npos, got.find("Corruption")) << got;
}

// ---- A simulated cache.

TEST_F(CachesTest, ASimulatedCacheCountsWhatALargerOneWouldFind) {
  const std::shared_ptr<SimCache> sim =
      NewSimCache(NewLRUCache(16 << 10, 0), 8 << 20, 0);
  table_.block_cache = sim;
  table_.cache_index_and_filter_blocks = true;
  Open();
  Fill();
  ExpectAll();
  EXPECT_GT(sim->get_miss_counter(), 0u);
  EXPECT_GT(sim->GetSimUsage(), sim->GetCapacity());
  sim->reset_counter();
  const uint64_t real_misses = Count(BLOCK_CACHE_MISS);
  const uint64_t simulated_hits = Count(SIM_BLOCK_CACHE_HIT);
  const uint64_t simulated_misses = Count(SIM_BLOCK_CACHE_MISS);
  ExpectAll();
  EXPECT_GT(Count(BLOCK_CACHE_MISS), real_misses);
  EXPECT_EQ(0u, sim->get_miss_counter());
  EXPECT_GE(sim->get_hit_counter(), uint64_t{kCachedKeys});
  EXPECT_EQ(simulated_hits + sim->get_hit_counter(),
            Count(SIM_BLOCK_CACHE_HIT));
  EXPECT_EQ(simulated_misses, Count(SIM_BLOCK_CACHE_MISS));
  // Also several keys at once, and iterators.
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back(test::NumberedKey(i * 15));
  const std::vector<Slice> slices(keys.begin(), keys.end());
  std::vector<std::string> values;
  for (const Status& status : db_->MultiGet(ReadOptions(), slices, &values)) {
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  int rows = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++rows;
  EXPECT_EQ(kCachedKeys, rows);
  EXPECT_EQ(0u, sim->get_miss_counter());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
