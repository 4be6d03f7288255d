// Blocks of tables that go through a second tier.

#include "table/cached_blocks.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/statistics.h"
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

struct Opened {
  std::shared_ptr<MapTier> tier = std::make_shared<MapTier>();
  std::shared_ptr<Cache> cache;
  TableReadOptions options = OpenOptions();

  Opened() {
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
      Opened opened;
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

// A block in memory has no checksum: a tier that cuts what it was given is
// found out where the block's own structure tells.
TEST(CachedBlocks, WhatATierHasCutIsReadFromTheFile) {
  const Entries entries = SomeEntries(300);
  TableBuildOptions build = Partitioned();
  build.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  Opened opened;
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
    Opened opened;
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
  Opened opened;
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
