// Blocks of tables that go through a second tier.

#include "table/cached_blocks.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/statistics.h"
#include "table/table_rep.h"
#include "test/table/random_options.h"
#include "test/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class MadeObject final : public SecondaryCacheResultHandle {
 public:
  MadeObject(Cache::ObjectPtr object, size_t charge)
      : object_(object), charge_(charge) {}
  bool IsReady() override { return true; }
  void Wait() override {}
  Cache::ObjectPtr Value() override { return object_; }
  size_t Size() override { return charge_; }

 private:
  const Cache::ObjectPtr object_;
  const size_t charge_;
};

// Keeps everything; a program's own tier. `damage` shortens what it gives back
// by so many bytes, or flips one.
class MapTier final : public SecondaryCache {
 public:
  const char* Name() const override { return "MapTier"; }
  Status Insert(const Slice& key, Cache::ObjectPtr obj,
                const Cache::CacheItemHelper* helper, bool) override {
    std::string bytes(helper->size_cb(obj), '\0');
    // In two parts, as a tier with small buffers would.
    const size_t half = bytes.size() / 2;
    EXPECT_TRUE(helper->saveto_cb(obj, 0, half, bytes.data()).ok());
    EXPECT_TRUE(
        helper->saveto_cb(obj, half, bytes.size() - half, bytes.data() + half)
            .ok());
    EXPECT_FALSE(helper->saveto_cb(obj, half, bytes.size(), nullptr).ok());
    map_[key.ToString()] = bytes;
    return Status::OK();
  }
  Status InsertSaved(const Slice&, const Slice&, CompressionType,
                     CacheTier) override {
    return Status::NotSupported();
  }
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* context, bool, bool, Statistics*,
      bool& kept) override {
    kept = true;
    const auto it = map_.find(key.ToString());
    if (it == map_.end()) return nullptr;
    std::string bytes = it->second;
    bytes.resize(bytes.size() - std::min(cut, bytes.size()));
    if (flip && !bytes.empty()) bytes[flipped++ % bytes.size()] ^= 0x55;
    Cache::ObjectPtr object = nullptr;
    size_t charge = 0;
    const Status status =
        helper->create_cb(bytes, kNoCompression, CacheTier::kVolatileTier,
                          context, nullptr, &object, &charge);
    if (!status.ok()) {
      EXPECT_TRUE(status.IsCorruption()) << status.ToString();
      refused++;
      return nullptr;
    }
    made++;
    return std::make_unique<MadeObject>(object, charge);
  }
  bool SupportForceErase() const override { return false; }
  void Erase(const Slice&) override {}
  void WaitAll(std::vector<SecondaryCacheResultHandle*>) override {}

  size_t cut = 0;
  bool flip = false;
  size_t flipped = 0;
  int made = 0;
  int refused = 0;

 private:
  std::map<std::string, std::string> map_;
};

struct OpenedCached {
  std::shared_ptr<MapTier> tier = std::make_shared<MapTier>();
  std::shared_ptr<Cache> cache;
  TableReadOptions options = OpenOptions();

  OpenedCached() {
    LRUCacheOptions lru;
    lru.capacity = 2 << 10;  // A block or two.
    lru.num_shard_bits = 0;
    lru.secondary_cache = tier;
    cache = lru.MakeSharedCache();
    options.table.no_block_cache = false;
    options.table.block_cache = cache;
    options.table.cache_index_and_filter_blocks = true;
    options.table.pin_top_level_index_and_filter = false;
  }
};

TableBuildOptions Partitioned() {
  TableBuildOptions build = BuildOptions();
  build.table.block_size = 512;
  build.table.metadata_block_size = 256;
  build.table.partition_filters = true;
  build.table.filter_policy.reset(NewBloomFilterPolicy(10));
  return build;
}

void GetAll(const TableReader& table, const Entries& entries) {
  for (const auto& [key, value] : entries) {
    if (ExtractSequence(key) > 101) continue;
    PinnableSlice found;
    const LookupKey lookup(ExtractUserKey(key), ExtractSequence(key));
    GetContext context(lookup.user_key(), ExtractSequence(key), &found);
    ASSERT_TRUE(table.Get(ReadOptions(), lookup.internal_key(), &context).ok());
    ASSERT_EQ(GetContext::State::kFound, context.state());
    ASSERT_EQ(value, found.ToString());
  }
}

TEST(CachedBlocks, BlocksOfEveryKindComeBackFromASecondTier) {
  using Table = BlockBasedTableOptions;
  const Entries entries = SomeEntries(500);
  for (const auto type : {Table::kBinarySearch, Table::kTwoLevelIndexSearch,
                          Table::kBinarySearchWithFirstKey}) {
    for (const uint32_t version : {2u, 3u, 5u, 6u}) {
      TableBuildOptions build = Partitioned();
      build.table.index_type = type;
      build.table.partition_filters = type == Table::kTwoLevelIndexSearch;
      build.table.format_version = version;
      OpenedCached opened;
      opened.options.table.filter_policy = build.table.filter_policy;
      const auto table = OpenTable(opened.options, BuildTable(build, entries));
      ASSERT_TRUE(table.ok()) << table.status().ToString();
      for (int round = 0; round < 2; round++) {
        Entries read;
        ASSERT_TRUE(Scan(**table, &read).ok());
        ASSERT_EQ(entries, read);
        GetAll(**table, entries);
      }
      EXPECT_GT(opened.tier->made, 100);
      EXPECT_EQ(0, opened.tier->refused);
    }
  }
}

// ------------------------------------------- equal blocks, not only readable

void ExpectEqual(const Block& block, const Block& other) {
  EXPECT_EQ(block.payload(), other.payload());
  EXPECT_EQ(block.entries_end(), other.entries_end());
  EXPECT_EQ(block.separated(), other.separated());
  EXPECT_EQ(block.bucket_count(), other.bucket_count());
  ASSERT_EQ(block.restart_count(), other.restart_count());
  for (uint32_t i = 0; i < block.restart_count(); i++) {
    EXPECT_EQ(block.restart(i), other.restart(i));
    // With samples both narrow a search alike.
    Slice key;
    ASSERT_TRUE(block.RestartKey(i, &key));
    uint32_t low = 0;
    uint32_t high = block.restart_count() - 1;
    uint32_t other_low = low;
    uint32_t other_high = high;
    block.NarrowRestarts(key, &low, &high);
    other.NarrowRestarts(key, &other_low, &other_high);
    EXPECT_EQ(low, other_low);
    EXPECT_EQ(high, other_high);
  }
}

void ExpectEqual(const FlatIndex& index, const FlatIndex& other) {
  EXPECT_EQ(index.encoding().key_is_user_key, other.encoding().key_is_user_key);
  ASSERT_EQ(index.has_first_keys(), other.has_first_keys());
  ASSERT_EQ(index.size(), other.size());
  for (size_t i = 0; i < index.size(); i++) {
    EXPECT_EQ(index.handle(i), other.handle(i));
    EXPECT_EQ(index.separator(i), other.separator(i));
    if (!index.has_first_keys()) continue;
    EXPECT_EQ(index.first_key(i).ToString(true),
              other.first_key(i).ToString(true));
  }
}

void ExpectEqual(const FilterBlock& filter, const FilterBlock& other) {
  EXPECT_EQ(filter.payload->payload(), other.payload->payload());
}

template <typename T>
void ExpectEqualObjects(Cache::ObjectPtr object, Cache::ObjectPtr other) {
  ExpectEqual(*static_cast<const T*>(object), *static_cast<const T*>(other));
}

// What a compressed second tier gives back of an object in a cache.
void ExpectRestored(SecondaryCache* tier, const Slice& key,
                    Cache::ObjectPtr object,
                    const Cache::CacheItemHelper* helper,
                    BlockCreateContext* context) {
  ASSERT_TRUE(helper->IsSecondaryCacheCompatible());
  ASSERT_TRUE(tier->Insert(key, object, helper, /*force_insert=*/true).ok());
  bool kept = false;
  const auto found = tier->Lookup(key, helper, context, /*wait=*/true,
                                  /*advise_erase=*/true, nullptr, kept);
  ASSERT_NE(nullptr, found);
  Cache::ObjectPtr const restored = found->Value();
  ASSERT_NE(nullptr, restored);
  switch (helper->role) {
    case CacheEntryRole::kDataBlock:
      ExpectEqualObjects<Block>(object, restored);
      break;
    case CacheEntryRole::kFilterBlock:
      ExpectEqualObjects<FilterBlock>(object, restored);
      break;
    default:
      ExpectEqualObjects<FlatIndex>(object, restored);
  }
  helper->del_cb(restored, nullptr);
}

// Reads a table through a cache that holds all of it, and sends every block
// there is through a second tier, once and once more.
void ExpectBlocksRestored(const TableBuildOptions& build,
                          const Entries& entries, SecondaryCache* tier,
                          std::map<CacheEntryRole, int>* seen) {
  TableReadOptions options = OpenOptions();
  options.table = build.table;
  options.prefix_extractor = build.prefix_extractor;
  options.table.block_cache = NewLRUCache(8 << 20, 0);
  options.table.cache_index_and_filter_blocks = true;
  options.table.pin_top_level_index_and_filter = false;
  const std::string bytes = BuildTable(build, entries);
  const auto table = OpenTable(options, bytes);
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  Entries read;
  ASSERT_TRUE(Scan(**table, &read).ok());
  for (const auto& [key, value] : entries) {
    GetValue(**table, ExtractUserKey(key).ToString(), ExtractSequence(key));
  }
  BlockCreateContext context;
  context.icmp = BytewiseInternal();
  context.file_size = bytes.size();
  const auto visit = [&](const Slice& key, Cache::ObjectPtr object, size_t,
                         const Cache::CacheItemHelper* helper) {
    ++(*seen)[helper->role];
    if (helper->role == CacheEntryRole::kIndexBlock ||
        helper->role == CacheEntryRole::kFilterMetaBlock) {
      context.index_encoding =
          static_cast<const FlatIndex*>(object)->encoding();
    }
    for (int round = 0; round < 2; round++) {
      ExpectRestored(tier, key, object, helper, &context);
    }
  };
  options.table.block_cache->ApplyToAllEntries(visit, {});
}

// All kinds of blocks that a cache holds. Range deletions, dictionaries and
// properties are read when a table is opened, and are in no cache.
TEST(CachedBlocks, EveryKindOfBlockIsEqualAfterASecondTier) {
  std::vector<std::shared_ptr<SecondaryCache>> tiers;
  for (const CompressionType type : SupportedCompressionTypes()) {
    CompressedSecondaryCacheOptions options;
    options.capacity = 8 << 20;
    options.compression_type = type;
    tiers.push_back(options.MakeSharedSecondaryCache());
  }
  Random64 random(1);
  std::map<CacheEntryRole, int> seen;
  for (uint64_t i = 0; i < 120; i++) {
    SCOPED_TRACE(i);
    TableBuildOptions build = RandomOptions(&random);
    Entries entries = RandomEntries(&random, 100 + random.Uniform(300));
    if (i % 2 == 0) {
      entries.emplace_back(IKey("a", 1, ValueType::kRangeDeletion), "b");
    }
    ASSERT_NO_FATAL_FAILURE(ExpectBlocksRestored(
        build, entries, tiers[i % tiers.size()].get(), &seen));
  }
  EXPECT_GT(seen[CacheEntryRole::kDataBlock], 1000);
  EXPECT_GT(seen[CacheEntryRole::kIndexBlock], 100);
  EXPECT_GT(seen[CacheEntryRole::kFilterBlock], 10);
  EXPECT_GT(seen[CacheEntryRole::kFilterMetaBlock], 5);
  EXPECT_EQ(4u, seen.size());
}

// A block in memory has no checksum: a tier that cuts what it was given is
// found out where the block's own structure tells.
TEST(CachedBlocks, WhatATierHasCutIsReadFromTheFile) {
  const Entries entries = SomeEntries(300);
  TableBuildOptions build = Partitioned();
  build.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  OpenedCached opened;
  const auto table = OpenTable(opened.options, BuildTable(build, entries));
  ASSERT_TRUE(table.ok());
  Entries read;
  ASSERT_TRUE(Scan(**table, &read).ok());
  opened.tier->cut = SIZE_MAX;  // Nothing is left.
  read.clear();
  ASSERT_TRUE(Scan(**table, &read).ok());
  EXPECT_EQ(entries, read);
  EXPECT_GT(opened.tier->refused, 10);
}

TEST(CachedBlocks, WhatATierHasDamagedNeverCrashes) {
  const Entries entries = SomeEntries(300);
  for (const auto type : {BlockBasedTableOptions::kTwoLevelIndexSearch,
                          BlockBasedTableOptions::kBinarySearchWithFirstKey}) {
    TableBuildOptions build = Partitioned();
    build.table.index_type = type;
    build.table.partition_filters =
        type == BlockBasedTableOptions::kTwoLevelIndexSearch;
    OpenedCached opened;
    opened.options.table.filter_policy = build.table.filter_policy;
    const auto table = OpenTable(opened.options, BuildTable(build, entries));
    ASSERT_TRUE(table.ok());
    Entries read;
    ASSERT_TRUE(Scan(**table, &read).ok());
    opened.tier->flip = true;
    for (int round = 0; round < 40; round++) {
      read.clear();
      (void)Scan(**table, &read);
      for (const auto& [key, value] : entries) {
        PinnableSlice found;
        const LookupKey lookup(ExtractUserKey(key), kSequenceMax);
        GetContext context(lookup.user_key(), kSequenceMax, &found);
        (void)(*table)->Get(ReadOptions(), lookup.internal_key(), &context);
      }
    }
    EXPECT_GT(opened.tier->refused, 0);
  }
}

TEST(CachedBlocks, ATableThatDoesWithoutTheSecondTierNeverAsksIt) {
  const Entries entries = SomeEntries(300);
  OpenedCached opened;
  opened.options.uses_secondary_cache = false;
  const auto table =
      OpenTable(opened.options, BuildTable(Partitioned(), entries));
  ASSERT_TRUE(table.ok());
  for (int round = 0; round < 2; round++) {
    Entries read;
    ASSERT_TRUE(Scan(**table, &read).ok());
    EXPECT_EQ(entries, read);
  }
  EXPECT_EQ(0, opened.tier->made);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
