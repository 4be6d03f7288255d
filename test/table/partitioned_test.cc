// Tables with other than one binary-search index and one filter: partitions
// written, found, cached and pinned; the hash index; first keys.

#include <cstring>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "table/format/block_trailer.h"
#include "table/format/footer.h"
#include "table/format/meta_block.h"
#include "table/format/meta_names.h"
#include "table/index/flat_index.h"
#include "table_fixture.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Bb = BlockBasedTableOptions;

TableReadOptions OpenLike(const TableBuildOptions& build) {
  TableReadOptions open = OpenOptions();
  open.table = build.table;
  open.prefix_extractor = build.prefix_extractor;
  return open;
}

// Every key once, so that separators can be user keys.
// Many versions of few keys: they span blocks.
Entries ManyVersions() {
  Entries entries;
  for (int key = 100; key < 112; ++key) {
    for (SequenceNumber sequence = 160; sequence > 100; --sequence) {
      entries.emplace_back(IKey("key" + std::to_string(key), sequence),
                           "value" + std::to_string(sequence * 7919));
    }
  }
  return entries;
}

bool Filtered(const TableReader& table, const Entries& entries) {
  for (const auto& [key, value] : entries) {
    if (table.KeyCannotMatch(ExtractUserKey(key))) return false;
  }
  return true;
}

// How many of `count` absent keys the filter lets through.
int Passed(const TableReader& table, int count) {
  int passed = 0;
  for (int i = 0; i < count; ++i) {
    const std::string key = "key" + std::to_string(100000 + i) + "absent";
    if (!table.KeyCannotMatch(key)) ++passed;
  }
  return passed;
}

TEST(Partitioned, EveryCombinationReadsBack) {
  const Entries lists[] = {OneVersionEach(250), ManyVersions(),
                           OneVersionEach(1), SomeEntries(150)};
  for (uint32_t bits = 0; bits < 64; ++bits) {
    for (uint32_t version = 2; version <= 7; ++version) {
      TableBuildOptions o = Partitioned((bits & 1) != 0 ? 128 : 1024);
      o.table.format_version = version;
      o.table.partition_filters = (bits & 2) != 0;
      o.table.decouple_partitioned_filters = (bits & 4) != 0;
      o.table.index_block_restart_interval = (bits & 8) != 0 ? 4 : 1;
      o.table.enable_index_compression = (bits & 16) != 0;
      o.table.whole_key_filtering = (bits & 32) == 0;
      if ((bits & 32) != 0 || version % 2 == 0) {
        o.prefix_extractor.reset(NewFixedPrefixTransform(7));
      }
      o.compression = kSnappyCompression;
      if (version == 6) o.table.filter_policy.reset(NewRibbonFilterPolicy(10));
      if (version == 7) {
        o.compression = kZSTD;
        o.compression_opts.max_dict_bytes = 1000;
      }
      for (const Entries& entries : lists) {
        SCOPED_TRACE("bits " + std::to_string(bits) + " version " +
                     std::to_string(version) + " entries " +
                     std::to_string(entries.size()));
        TableProperties p;
        const std::string bytes = BuildTable(o, entries, &p);
        const auto table = OpenTable(OpenLike(o), bytes);
        ASSERT_TRUE(table.ok()) << table.status().ToString();
        Entries found;
        ASSERT_TRUE(Scan(**table, &found).ok());
        ExpectSameEntries(entries, found);
        ASSERT_TRUE(Filtered(**table, entries));
        ASSERT_TRUE((*table)->VerifyChecksums(ReadOptions()).ok());
        for (size_t i = 0; i < entries.size(); i += 7) {
          const std::string& key = entries[i].first;
          ASSERT_EQ(entries[i].second,
                    GetValue(**table, ExtractUserKey(key).ToString(),
                             ExtractSequence(key)));
        }
      }
    }
  }
}

TEST(Partitioned, EveryWayOfReadingIsTheSame) {
  const Entries entries = SomeEntries(700);
  for (const bool decoupled : {false, true}) {
    TableBuildOptions o = Partitioned();
    o.table.decouple_partitioned_filters = decoupled;
    TableReadOptions open = OpenLike(o);
    open.table.block_cache = NewLRUCache(1 << 20);
    const auto table = OpenTable(open, BuildTable(o, entries));
    ASSERT_TRUE(table.ok()) << table.status().ToString();
    ExpectReadsBack(**table, entries);
    EXPECT_LT(Passed(**table, 1000), 50);  // 10 bits per key: about 1 %.
  }
}

TEST(Partitioned, TheReverseOrderIsPartitionedToo) {
  const InternalKeyComparator icmp(ReverseBytewiseComparator());
  Entries entries = OneVersionEach(800);
  std::reverse(entries.begin(), entries.end());
  for (const bool decoupled : {false, true}) {
    TableBuildOptions o = Partitioned();
    o.icmp = &icmp;
    o.table.decouple_partitioned_filters = decoupled;
    TableReadOptions open = OpenLike(o);
    open.icmp = &icmp;
    const auto table = OpenTable(open, BuildTable(o, entries));
    ASSERT_TRUE(table.ok());
    ExpectReadsBack(**table, entries);
    EXPECT_TRUE(Filtered(**table, entries));
  }
}

TEST(Partitioned, AnEmptyTableHasNoPartitions) {
  const TableBuildOptions o = Partitioned();
  TableProperties p;
  const auto table = OpenTable(OpenLike(o), BuildTable(o, {}, &p));
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  EXPECT_EQ(0u, p.index_partitions);
  EXPECT_EQ(0u, p.top_level_index_size);
  EXPECT_EQ(0u, p.filter_size);
  ExpectReadsBack(**table, {});
}

TEST(Partitioned, PropertiesCountPartitionsAndTheirBytes) {
  const Entries entries = OneVersionEach(3000);
  TableBuildOptions o = Partitioned(1000);
  o.compression = kSnappyCompression;
  TableProperties p;
  const std::string bytes = BuildTable(o, entries, &p);
  EXPECT_EQ(
      std::string("\2\0\0\0", 4),
      p.user_collected_properties["rocksdb.block.based.table.index.type"]);
  EXPECT_EQ("1", p.user_collected_properties
                     ["rocksdb.block.based.table.decoupled.partitioned."
                      "filters"]);
  EXPECT_GT(p.index_partitions, 3u);
  EXPECT_GT(p.top_level_index_size, 0u);
  EXPECT_LT(p.top_level_index_size, p.index_size / 10);
  EXPECT_EQ(3000u, p.num_filter_entries);
  // 10 bits each, cut at a tenth below 1000 bytes, and their index.
  EXPECT_GT(p.filter_size, 3750u);
  EXPECT_LT(p.filter_size, 4500u);
  EXPECT_NE(std::string::npos, p.ToString("\n", ": ")
                                   .find("# index partitions: " +
                                         std::to_string(p.index_partitions)));
  // No partition exceeds its size.
  EXPECT_LE(p.index_size / p.index_partitions, 1000u);

  o.table.decouple_partitioned_filters = false;
  BuildTable(o, entries, &p);
  EXPECT_EQ(0u, p.user_collected_properties.count(
                    "rocksdb.block.based.table.decoupled.partitioned.filters"));
}

TEST(Partitioned, FiltersAloneAreNotPartitioned) {
  TableBuildOptions o = Partitioned();
  o.table.index_type = Bb::kBinarySearch;
  TableProperties p;
  const auto table =
      OpenTable(OpenLike(o), BuildTable(o, OneVersionEach(500), &p));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(0u, p.index_partitions);
  EXPECT_TRUE((*table)->DescribeLayout().find("fullfilter.") !=
              std::string::npos);
}

TEST(Partitioned, LevelsBelowTheGivenOneStayWhole) {
  const Entries entries = OneVersionEach(900);
  TableBuildOptions o = Partitioned();
  o.table.partition_from_level = 2;
  for (const int level : {-1, 0, 1, 2, 6}) {
    o.level = level;
    TableProperties p;
    const auto table = OpenTable(OpenLike(o), BuildTable(o, entries, &p));
    ASSERT_TRUE(table.ok());
    const bool whole = level == 0 || level == 1;
    EXPECT_EQ(whole, p.index_partitions == 0) << level;
    EXPECT_EQ(whole, (*table)->DescribeLayout().find("partitionedfilter.") ==
                         std::string::npos);
    ExpectReadsBack(**table, entries);
  }
}

TEST(Partitioned, ASeekToAPrefixInFrontOfAPartitionMayMatch) {
  TableBuildOptions o = Partitioned(128);
  o.table.whole_key_filtering = false;
  o.prefix_extractor.reset(NewFixedPrefixTransform(8));
  const Entries entries = OneVersionEach(3000);
  for (const bool decoupled : {false, true}) {
    o.table.decouple_partitioned_filters = decoupled;
    const auto table = OpenTable(OpenLike(o), BuildTable(o, entries));
    ASSERT_TRUE(table.ok());
    // "key00005" stands in front of "key000056", and may be the separator
    // that ends the partition in front of it.
    for (const auto& [key, value] : entries) {
      const std::string name = ExtractUserKey(key).ToString();
      ASSERT_FALSE((*table)->KeyCannotMatch(name)) << name;
      ASSERT_FALSE((*table)->KeyCannotMatch(name.substr(0, 8))) << name;
    }
    EXPECT_TRUE((*table)->KeyCannotMatch("key999999"));
    EXPECT_FALSE((*table)->KeyCannotMatch("short"));
  }
}

// -- Other kinds of index.

TEST(IndexType, ThatNoReaderKnowsIsNotWritten) {
  TableBuildOptions o = BuildOptions();
  o.table.index_type = static_cast<Bb::IndexType>(4);
  std::string bytes;
  WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes), "m",
                            FileOptions());
  TableBuilder builder(o, &writer);
  builder.Add(IKey("key", 1), "value");
  EXPECT_TRUE(builder.Finish().IsInvalidArgument());
}

TEST(HashIndex, PrefixesAndTheirBlocksAreListed) {
  TableBuildOptions o = BuildOptions();
  o.table.index_type = Bb::kHashSearch;
  o.table.block_size = 64;
  o.prefix_extractor.reset(NewFixedPrefixTransform(2));
  const Entries entries = {{IKey("aa1", 101), std::string(40, 'v')},
                           {IKey("aa2", 101), std::string(40, 'v')},
                           {IKey("b", 101), std::string(40, 'v')},
                           {IKey("cc1", 101), "v"},
                           {IKey("cc2", 101), "v"}};
  TableProperties p;
  const std::string bytes = BuildTable(o, entries, &p);
  EXPECT_EQ(4u, p.num_data_blocks);
  // Prefixes aa, b (outside the domain), cc; blocks 0-1, 2, 3.
  EXPECT_NE(std::string::npos, bytes.find("aabcc"));
  EXPECT_NE(std::string::npos,
            bytes.find(std::string("\2\0\2\1\2\1\2\3\1", 9)));
  EXPECT_EQ(
      std::string("\1\0\0\0", 4),
      p.user_collected_properties["rocksdb.block.based.table.index.type"]);
  const auto table = OpenTable(OpenLike(o), bytes);
  ASSERT_TRUE(table.ok());
  ExpectReadsBack(**table, entries);
}

TEST(FirstKeyIndex, EveryEncodingReadsBack) {
  const Entries lists[] = {OneVersionEach(400), ManyVersions()};
  for (uint32_t version = 2; version <= 7; ++version) {
    for (const int restart : {1, 5}) {
      for (const Entries& entries : lists) {
        TableBuildOptions o = BuildOptions();
        o.table.index_type = Bb::kBinarySearchWithFirstKey;
        o.table.index_block_restart_interval = restart;
        o.table.format_version = version;
        o.table.block_size = 300;
        const auto table = OpenTable(OpenLike(o), BuildTable(o, entries));
        ASSERT_TRUE(table.ok()) << table.status().ToString();
        Entries found;
        ASSERT_TRUE(Scan(**table, &found).ok());
        ExpectSameEntries(entries, found);
      }
    }
  }
}

// -- Cache and memory.

struct CachedTable {
  std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  std::shared_ptr<Cache> cache;
  std::unique_ptr<TableReader> table;

  uint64_t Count(uint32_t ticker) const {
    return statistics->getTickerCount(ticker);
  }
};

struct CacheSetting {
  bool metadata_in_cache = false;
  MetadataCacheOptions pinning;
  bool pin_l0 = false;
  bool pin_top = true;
  int level = 3;
  std::shared_ptr<Cache> cache;
  uint64_t similar_to_flushed_bytes_max = UINT64_MAX;
};

CachedTable OpenCached(const std::string& bytes, const CacheSetting& setting) {
  CachedTable t;
  t.cache = setting.cache != nullptr ? setting.cache : NewLRUCache(8 << 20);
  TableReadOptions open = OpenLike(Partitioned());
  open.table.block_cache = t.cache;
  open.table.cache_index_and_filter_blocks = setting.metadata_in_cache;
  open.table.metadata_cache_options = setting.pinning;
  open.table.pin_l0_filter_and_index_blocks_in_cache = setting.pin_l0;
  open.table.pin_top_level_index_and_filter = setting.pin_top;
  open.level = setting.level;
  open.similar_to_flushed_bytes_max = setting.similar_to_flushed_bytes_max;
  open.statistics = t.statistics.get();
  auto table = OpenTable(open, bytes);
  EXPECT_TRUE(table.ok()) << table.status().ToString();
  if (table.ok()) t.table = std::move(*table);
  return t;
}

const std::string& PartitionedBytes() {
  static const std::string bytes =
      BuildTable(Partitioned(), OneVersionEach(4000));
  return bytes;
}

TEST(PartitionCache, PartitionsComeOneByOneAndAreCachedByKind) {
  CachedTable t = OpenCached(PartitionedBytes(), CacheSetting());
  // The top levels are with the table: nothing is in the cache.
  EXPECT_EQ(0u, t.Count(BLOCK_CACHE_ADD));
  EXPECT_EQ(0u, t.cache->GetPinnedUsage());
  const uint64_t filter_top = t.Count(FILTER_BLOCK_READ_BYTES);
  get_perf_context()->Reset();
  ASSERT_EQ("value1000", GetValue(*t.table, "key007000", kSequenceMax));
  EXPECT_EQ(1u, t.Count(BLOCK_CACHE_INDEX_MISS));
  EXPECT_EQ(1u, t.Count(BLOCK_CACHE_INDEX_ADD));
  EXPECT_EQ(1u, t.Count(BLOCK_CACHE_FILTER_MISS));
  EXPECT_EQ(1u, t.Count(BLOCK_CACHE_FILTER_ADD));
  EXPECT_EQ(1u, t.Count(BLOCK_CACHE_DATA_MISS));
  EXPECT_EQ(3u, t.Count(BLOCK_CACHE_ADD));
  EXPECT_EQ(1u, get_perf_context()->index_block_read_count);
  EXPECT_EQ(1u, get_perf_context()->filter_block_read_count);
  EXPECT_EQ(3u, get_perf_context()->block_read_count);
  EXPECT_LE(t.Count(FILTER_BLOCK_READ_BYTES) - filter_top, 512u + 64u);
  EXPECT_GT(t.Count(FILTER_BLOCK_READ_BYTES) - filter_top, 300u);
  EXPECT_GT(t.Count(DATA_BLOCK_READ_BYTES), 0u);
  EXPECT_EQ(t.Count(BLOCK_CACHE_BYTES_WRITE),
            t.Count(BLOCK_CACHE_INDEX_BYTES_INSERT) +
                t.Count(BLOCK_CACHE_FILTER_BYTES_INSERT) +
                t.Count(BLOCK_CACHE_DATA_BYTES_INSERT));
  const uint64_t index_bytes = t.Count(INDEX_BLOCK_READ_BYTES);

  ASSERT_EQ("value1000", GetValue(*t.table, "key007000", kSequenceMax));
  EXPECT_EQ(1u, t.Count(BLOCK_CACHE_INDEX_HIT));
  EXPECT_EQ(1u, t.Count(BLOCK_CACHE_FILTER_HIT));
  EXPECT_EQ(1u, t.Count(BLOCK_CACHE_DATA_HIT));
  EXPECT_EQ(3u, t.Count(BLOCK_CACHE_HIT));
  EXPECT_EQ(t.Count(BLOCK_CACHE_BYTES_WRITE), t.Count(BLOCK_CACHE_BYTES_READ));
  EXPECT_EQ(index_bytes, t.Count(INDEX_BLOCK_READ_BYTES));
  EXPECT_EQ(3u, get_perf_context()->block_cache_hit_count);
  EXPECT_EQ(1u, get_perf_context()->block_cache_index_hit_count);
  EXPECT_EQ(1u, get_perf_context()->block_cache_filter_hit_count);
}

TEST(PartitionCache, ALookupReadsOnePartitionOfEachWhateverTheFile) {
  CachedTable t = OpenCached(PartitionedBytes(), CacheSetting());
  const uint64_t partitions = t.table->properties()->index_partitions;
  ASSERT_GT(partitions, 10u);
  const uint64_t opened = t.Count(INDEX_BLOCK_READ_BYTES);
  ASSERT_EQ("value5", GetValue(*t.table, "key000035", kSequenceMax));
  EXPECT_LE(t.Count(INDEX_BLOCK_READ_BYTES) - opened, 512u + 5u);
}

TEST(PartitionCache, TopLevelsArePinnedOrFetchedAsAsked) {
  for (const bool pin : {true, false}) {
    CacheSetting setting;
    setting.metadata_in_cache = true;
    setting.pin_top = pin;
    CachedTable t = OpenCached(PartitionedBytes(), setting);
    EXPECT_EQ(1u, t.Count(BLOCK_CACHE_INDEX_ADD));
    EXPECT_EQ(1u, t.Count(BLOCK_CACHE_FILTER_ADD));
    EXPECT_EQ(pin, t.cache->GetPinnedUsage() > 0);
    t.cache->EraseUnRefEntries();
    EXPECT_EQ(pin ? 2u : 0u, t.cache->GetOccupancyCount());
    ASSERT_EQ("value1000", GetValue(*t.table, "key007000", kSequenceMax));
    // A partition of each, and each top level if it was gone.
    EXPECT_EQ(pin ? 2u : 3u, t.Count(BLOCK_CACHE_INDEX_ADD));
    EXPECT_EQ(pin ? 2u : 3u, t.Count(BLOCK_CACHE_FILTER_ADD));
  }
}

TEST(PartitionCache, PinnedPartitionsNeedNoCacheLookups) {
  const std::string& bytes = PartitionedBytes();
  struct Case {
    const char* name;
    PinningTier tier;
    bool pin_l0;
    int level;
    uint64_t similar_max;
    bool pinned;
  };
  const Case cases[] = {
      {"level 0", PinningTier::kFallback, true, 0, UINT64_MAX, true},
      {"level 1", PinningTier::kFallback, true, 1, UINT64_MAX, false},
      {"not asked", PinningTier::kFallback, false, 0, UINT64_MAX, false},
      {"none", PinningTier::kNone, true, 0, UINT64_MAX, false},
      {"flushed", PinningTier::kFlushedAndSimilar, false, 0, UINT64_MAX, true},
      {"too large", PinningTier::kFlushedAndSimilar, false, 0, 1000, false},
      {"deeper", PinningTier::kFlushedAndSimilar, false, 2, UINT64_MAX, false},
      {"all", PinningTier::kAll, false, 5, UINT64_MAX, true},
  };
  for (const bool metadata_in_cache : {false, true}) {
    for (const Case& c : cases) {
      SCOPED_TRACE(c.name);
      CacheSetting setting;
      setting.metadata_in_cache = metadata_in_cache;
      setting.pinning.partition_pinning = c.tier;
      setting.pin_l0 = c.pin_l0;
      setting.level = c.level;
      setting.similar_to_flushed_bytes_max = c.similar_max;
      setting.pin_top = false;
      CachedTable t = OpenCached(bytes, setting);
      t.cache->EraseUnRefEntries();
      EXPECT_EQ(c.pinned, t.cache->GetOccupancyCount() > 0);
      EXPECT_EQ(c.pinned, t.cache->GetPinnedUsage() > 0);
      const uint64_t hits = t.Count(BLOCK_CACHE_FILTER_HIT);
      const uint64_t misses = t.Count(BLOCK_CACHE_FILTER_MISS);
      ASSERT_EQ("value1000", GetValue(*t.table, "key007000", kSequenceMax));
      // The top level counts where it is not with the table.
      const uint64_t tops = metadata_in_cache ? 1 : 0;
      EXPECT_EQ((c.pinned ? 0u : 1u) + tops,
                t.Count(BLOCK_CACHE_FILTER_MISS) - misses);
      EXPECT_EQ(hits, t.Count(BLOCK_CACHE_FILTER_HIT));
      Entries found;
      ASSERT_TRUE(Scan(*t.table, &found).ok());
      ExpectSameEntries(OneVersionEach(4000), found);
      t.table.reset();
      EXPECT_EQ(0u, t.cache->GetPinnedUsage());
    }
  }
}

TEST(PartitionCache, UnpartitionedBlocksFollowTheirOwnTier) {
  TableBuildOptions o = Partitioned();
  o.table.index_type = Bb::kBinarySearch;
  const std::string bytes = BuildTable(o, OneVersionEach(1000));
  for (const PinningTier tier : {PinningTier::kNone, PinningTier::kAll,
                                 PinningTier::kFlushedAndSimilar}) {
    CacheSetting setting;
    setting.metadata_in_cache = true;
    setting.pinning.unpartitioned_pinning = tier;
    setting.pinning.top_level_index_pinning = PinningTier::kAll;
    setting.pinning.partition_pinning = PinningTier::kAll;
    CachedTable t = OpenCached(bytes, setting);
    EXPECT_EQ(tier == PinningTier::kAll, t.cache->GetPinnedUsage() > 0);
  }
}

// A file that counts reads.
class CountingFile final : public FSRandomAccessFile {
 public:
  CountingFile(std::string bytes, int* reads)
      : file_(std::move(bytes)), reads_(reads) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    ++*reads_;
    return file_.Read(offset, n, options, result, scratch, dbg);
  }

 private:
  const StringReadFile file_;
  int* const reads_;
};

TEST(PartitionCache, PinningReadsNeighboursTogether) {
  const std::string& bytes = PartitionedBytes();
  int reads = 0;
  TableReadOptions open = OpenLike(Partitioned());
  open.table.block_cache = NewLRUCache(8 << 20);
  open.table.metadata_cache_options.partition_pinning = PinningTier::kAll;
  const auto table = TableReader::Open(
      open,
      std::make_unique<RandomAccessFileReader>(
          std::make_unique<CountingFile>(bytes, &reads), "memory.sst"),
      bytes.size());
  ASSERT_TRUE(table.ok());
  EXPECT_GT((*table)->properties()->index_partitions, 10u);
  // The tail, both top levels, both runs of partitions.
  EXPECT_LE(reads, 6);
}

TEST(PartitionCache, BulkReadersDoNotReadAPartitionAtATime) {
  const std::string& bytes = PartitionedBytes();
  int reads = 0;
  TableReadOptions open = OpenLike(Partitioned());
  open.table.block_cache = NewLRUCache(8 << 20);
  const auto table = TableReader::Open(
      open,
      std::make_unique<RandomAccessFileReader>(
          std::make_unique<CountingFile>(bytes, &reads), "memory.sst"),
      bytes.size());
  ASSERT_TRUE(table.ok());
  reads = 0;
  TableScan scan(TableReadPurpose::kCompaction);
  scan.readahead_bytes = 1 << 20;
  const std::unique_ptr<InternalIterator> it(
      (*table)->NewIterator(ReadOptions(), scan));
  size_t entries = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++entries;
  EXPECT_EQ(4000u, entries);
  // One window of data, one of index partitions.
  EXPECT_LE(reads, 3);
  EXPECT_EQ(0u, open.table.block_cache->GetOccupancyCount());
}

TEST(PartitionCache, MemoryOutsideTheCacheIsTheTopLevelsAlone) {
  CachedTable heap = OpenCached(PartitionedBytes(), CacheSetting());
  CacheSetting setting;
  setting.metadata_in_cache = true;
  setting.pinning.partition_pinning = PinningTier::kAll;
  CachedTable pinned = OpenCached(PartitionedBytes(), setting);
  TableBuildOptions whole = Partitioned();
  whole.table.index_type = Bb::kBinarySearch;
  CachedTable full =
      OpenCached(BuildTable(whole, OneVersionEach(4000)), CacheSetting());
  const TableProperties& p = *full.table->properties();
  EXPECT_GT(full.table->ApproximateMemoryUsage(),
            p.filter_size + p.index_size / 2);
  EXPECT_LT(heap.table->ApproximateMemoryUsage(),
            full.table->ApproximateMemoryUsage() / 2);
  // Pinned blocks are the cache's, and counted there.
  EXPECT_GT(pinned.cache->GetPinnedUsage(), p.filter_size);
  EXPECT_LT(pinned.table->ApproximateMemoryUsage(),
            heap.table->ApproximateMemoryUsage() + 4096);
}

TEST(PartitionCache, WithHighPriorityMetadataOutlivesAScan) {
  for (const bool high : {true, false}) {
    LRUCacheOptions lru;
    lru.capacity = 64 << 10;
    lru.num_shard_bits = 0;
    lru.high_pri_pool_ratio = 0.5;
    TableReadOptions open = OpenLike(Partitioned());
    open.table.block_cache = NewLRUCache(lru);
    open.table.cache_index_and_filter_blocks = true;
    open.table.cache_index_and_filter_blocks_with_high_priority = high;
    open.table.pin_top_level_index_and_filter = false;
    const auto statistics = CreateDBStatistics();
    open.statistics = statistics.get();
    const auto table = OpenTable(open, PartitionedBytes());
    ASSERT_TRUE(table.ok());
    ASSERT_EQ("value1000", GetValue(**table, "key007000", kSequenceMax));
    // Data of far more than the capacity passes through.
    const std::unique_ptr<InternalIterator> it(
        (*table)->NewIterator(ReadOptions(), TableReadPurpose::kUser));
    for (it->Seek(IKey("key014000", kSequenceMax)); it->Valid(); it->Next()) {
    }
    const uint64_t read = statistics->getTickerCount(FILTER_BLOCK_READ_BYTES);
    ASSERT_EQ("value1000", GetValue(**table, "key007000", kSequenceMax));
    EXPECT_EQ(high,
              read == statistics->getTickerCount(FILTER_BLOCK_READ_BYTES));
  }
}

TEST(PartitionCache, AStrictCacheRefusesReadsInsteadOfGrowing) {
  LRUCacheOptions lru;
  lru.capacity = 6 << 10;
  lru.num_shard_bits = 0;
  lru.strict_capacity_limit = true;
  CacheSetting setting;
  setting.cache = NewLRUCache(lru);
  setting.pinning.partition_pinning = PinningTier::kAll;
  // More is to be pinned than there is room: what fits is.
  CachedTable t = OpenCached(PartitionedBytes(), setting);
  ASSERT_NE(nullptr, t.table);
  EXPECT_GT(t.cache->GetPinnedUsage(), 3u << 10);
  EXPECT_LE(t.cache->GetUsage(), lru.capacity);
  EXPECT_GT(t.Count(BLOCK_CACHE_ADD_FAILURES), 0u);
  // Nothing can make room, and a read says so.
  const std::string answer = GetValue(*t.table, "key027993", kSequenceMax);
  EXPECT_NE(std::string::npos, answer.find("emory limit")) << answer;
  EXPECT_LE(t.cache->GetUsage(), lru.capacity);
  // Reads that leave the cache alone go on.
  ReadOptions read;
  read.fill_cache = false;
  EXPECT_EQ("value3999", GetValue(*t.table, "key027993", kSequenceMax, read));
}

TEST(PartitionCache, ATableOpensWhereAStrictCacheHasNoRoom) {
  LRUCacheOptions lru;
  lru.capacity = 100;  // Not even for a top level.
  lru.num_shard_bits = 0;
  lru.strict_capacity_limit = true;
  for (const bool partitioned : {true, false}) {
    CacheSetting setting;
    setting.metadata_in_cache = true;
    setting.cache = NewLRUCache(lru);
    setting.pinning.unpartitioned_pinning = PinningTier::kAll;
    TableBuildOptions o = Partitioned();
    if (!partitioned) o.table.index_type = Bb::kBinarySearch;
    CachedTable t = OpenCached(BuildTable(o, OneVersionEach(500)), setting);
    ASSERT_NE(nullptr, t.table);
    EXPECT_EQ(0u, t.cache->GetUsage());
    const std::string answer = GetValue(*t.table, "key000007", kSequenceMax);
    EXPECT_NE(std::string::npos, answer.find("emory limit")) << answer;
    // Compactions do without the cache.
    Entries found;
    ASSERT_TRUE(Scan(*t.table, &found, TableReadPurpose::kCompaction).ok());
    EXPECT_EQ(500u, found.size());
  }
}

// -- Damage.

// Where the blocks named by an index block lie.
std::vector<BlockHandle> HandlesOf(const std::string& bytes,
                                   const BlockHandle& at,
                                   const TableProperties& p) {
  Block::Ptr block = Block::Copy(Slice(bytes.data() + at.offset, at.size));
  const auto index =
      FlatIndex::Parse(block.get(),
                       {.key_is_user_key = p.index_key_is_user_key != 0,
                        .value_is_delta = p.index_value_is_delta_encoded != 0},
                       *BytewiseInternal(), bytes.size());
  std::vector<BlockHandle> handles;
  if (index == nullptr) return handles;
  for (size_t i = 0; i < index->size(); ++i) {
    handles.push_back(index->handle(i));
  }
  return handles;
}

struct Places {
  BlockHandle index_top;
  BlockHandle filter_top;
  std::vector<BlockHandle> index_partitions;
  std::vector<BlockHandle> filter_partitions;
};

Places FindPlaces(const std::string& bytes, const TableProperties& p) {
  Places places;
  const Footer footer = FooterOf(bytes);
  places.index_top = footer.index;
  ForEachMetaEntry(
      Slice(bytes.data() + footer.metaindex.offset, footer.metaindex.size),
      [&](const Slice& name, const Slice& value) {
        Slice rest = value;
        if (name.starts_with(kPartitionedFilterPrefix)) {
          EXPECT_TRUE(GetBlockHandle(&rest, &places.filter_top));
        }
        return true;
      });
  places.index_partitions = HandlesOf(bytes, places.index_top, p);
  places.filter_partitions = HandlesOf(bytes, places.filter_top, p);
  return places;
}

std::string Flipped(std::string bytes, const BlockHandle& at) {
  bytes[at.offset + at.size / 2] ^= 1;
  return bytes;
}

void ExpectNamed(const Status& status, const BlockHandle& at) {
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  const std::string text = status.ToString();
  EXPECT_NE(std::string::npos, text.find("memory.sst")) << text;
  EXPECT_NE(std::string::npos, text.find("offset " + std::to_string(at.offset)))
      << text;
}

TEST(PartitionDamage, EveryDamagedPartIsNamed) {
  const Entries entries = OneVersionEach(2000);
  const TableBuildOptions o = Partitioned();
  TableProperties p;
  const std::string bytes = BuildTable(o, entries, &p);
  const Places places = FindPlaces(bytes, p);
  ASSERT_GT(places.index_partitions.size(), 2u);
  ASSERT_GT(places.filter_partitions.size(), 2u);

  for (const BlockHandle& top : {places.index_top, places.filter_top}) {
    const auto table = OpenTable(OpenLike(o), Flipped(bytes, top));
    ASSERT_FALSE(table.ok());
    ExpectNamed(table.status(), top);
  }
  // Reads that need the partition find the damage; all others succeed.
  const BlockHandle& part = places.index_partitions[1];
  auto table = OpenTable(OpenLike(o), Flipped(bytes, part));
  ASSERT_TRUE(table.ok());
  Entries found;
  const Status scanned = Scan(**table, &found);
  ExpectNamed(scanned, part);
  EXPECT_GT(found.size(), 0u);
  found.resize(std::min(found.size(), entries.size()));
  EXPECT_TRUE(std::equal(found.begin(), found.end(), entries.begin()));
  ExpectNamed((*table)->VerifyChecksums(ReadOptions()), part);
  EXPECT_EQ("value1999", GetValue(**table, "key013993", kSequenceMax));
  int refused = 0;
  for (const auto& [key, value] : entries) {
    const std::string answer =
        GetValue(**table, ExtractUserKey(key).ToString(), kSequenceMax);
    if (answer == value) continue;
    ASSERT_NE(std::string::npos, answer.find("Corruption")) << answer;
    ++refused;
  }
  EXPECT_GT(refused, 0);

  // Without its filter partition a key is still found, a check finds it.
  const BlockHandle& filter = places.filter_partitions[1];
  table = OpenTable(OpenLike(o), Flipped(bytes, filter));
  ASSERT_TRUE(table.ok());
  ExpectNamed((*table)->VerifyChecksums(ReadOptions()), filter);
  // Also by who does not use the filter.
  const auto unfiltered = OpenTable(OpenOptions(), Flipped(bytes, filter));
  ASSERT_TRUE(unfiltered.ok());
  ExpectNamed((*unfiltered)->VerifyChecksums(ReadOptions()), filter);
  for (const auto& [key, value] : entries) {
    ASSERT_EQ(value,
              GetValue(**table, ExtractUserKey(key).ToString(), kSequenceMax));
  }
}

TEST(PartitionDamage, APinnedPartitionIsRefusedAtOpen) {
  const TableBuildOptions o = Partitioned();
  TableProperties p;
  const std::string bytes = BuildTable(o, OneVersionEach(2000), &p);
  const Places places = FindPlaces(bytes, p);
  TableReadOptions open = OpenLike(o);
  open.table.block_cache = NewLRUCache(1 << 20);
  open.table.metadata_cache_options.partition_pinning = PinningTier::kAll;
  for (const auto* list :
       {&places.index_partitions, &places.filter_partitions}) {
    open.table.block_cache->EraseUnRefEntries();
    const auto table = OpenTable(open, Flipped(bytes, list->back()));
    ASSERT_FALSE(table.ok());
    ExpectNamed(table.status(), list->back());
  }
}

// Sound checksums around a top level that lies: nothing crashes or loops, and
// nothing is read that is not there.
TEST(PartitionDamage, AHostileTopLevelIsBounded) {
  TableBuildOptions o = Partitioned();
  o.table.checksum = kNoChecksum;
  o.table.enable_index_compression = false;
  o.table.format_version = 2;  // Handles in full.
  const Entries entries = OneVersionEach(1500);
  TableProperties p;
  const std::string bytes = BuildTable(o, entries, &p);
  const Places places = FindPlaces(bytes, p);
  const Slice top(bytes.data() + places.index_top.offset,
                  places.index_top.size);
  // Every byte of both top levels, to several values.
  for (const BlockHandle& at : {places.index_top, places.filter_top}) {
    for (uint64_t i = 0; i < at.size; ++i) {
      for (const unsigned value : {0x00u, 0x01u, 0x7fu, 0xffu}) {
        std::string bad = bytes;
        bad[at.offset + i] = static_cast<char>(value);
        const auto table = OpenTable(OpenLike(o), bad);
        if (!table.ok()) continue;
        Entries found;
        (void)Scan(**table, &found);
        EXPECT_LE(found.size(), 100 * entries.size());
        (void)GetValue(**table, "key007000", kSequenceMax);
        (void)(*table)->VerifyChecksums(ReadOptions());
      }
    }
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
