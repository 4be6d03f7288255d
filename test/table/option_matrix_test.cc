// Tables of every mixture of table options, with random keys and values.

#include <map>

#include "random_options.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/statistics.h"
#include "table/block/block_builder.h"
#include "table/block/block_iter.h"
#include "table_fixture.h"
#include "test/support/effort.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Shortening = BlockBasedTableOptions::IndexShorteningMode;

void ExpectFound(const TableReader& table, const std::string& key,
                 const std::string& value) {
  const Slice user_key = ExtractUserKey(key);
  const SequenceNumber sequence = ExtractSequence(key);
  PinnableSlice found;
  GetContext context(user_key, sequence, &found);
  const LookupKey lookup(user_key, sequence);
  const Status status =
      table.Get(ReadOptions(), lookup.internal_key(), &context);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ASSERT_EQ(GetContext::State::kFound, context.state());
  ASSERT_EQ(value, found.ToString());
}

void ExpectEverythingFound(const TableReader& table, const Entries& entries) {
  Entries found;
  const Status status = Scan(table, &found);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ASSERT_TRUE(entries == found);
  ASSERT_TRUE(table.VerifyChecksums(ReadOptions()).ok());
  const std::unique_ptr<InternalIterator> it(
      table.NewIterator(ReadOptions(), TableReadPurpose::kUser));
  size_t i = entries.size();
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    ASSERT_GT(i, 0u);
    ASSERT_EQ(entries[--i].first, it->key().ToString());
    ASSERT_EQ(entries[i].second, it->value().ToString());
  }
  ASSERT_EQ(0u, i);
  for (i = 0; i < entries.size(); ++i) {
    it->Seek(entries[i].first);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(entries[i].first, it->key().ToString());
    ASSERT_EQ(entries[i].second, it->value().ToString());
    ExpectFound(table, entries[i].first, entries[i].second);
  }
}

// Every bound, with every kind of index: nothing in front of it is missed,
// and what is shown from it on is nothing new.
TEST(OptionMatrix, UpperBoundsHideNothingInFrontOfThem) {
  Random64 random(40);
  for (int round = 0; round < 24; ++round) {
    SCOPED_TRACE(round);
    TableBuildOptions options = RandomOptions(&random);
    options.table.index_type =
        static_cast<BlockBasedTableOptions::IndexType>(round % 4);
    options.table.block_size = 64 << (round % 5);
    const Entries entries = RandomEntries(&random, 100);
    const auto table = OpenTable(OpenOptions(), BuildTable(options, entries));
    ASSERT_TRUE(table.ok()) << table.status().ToString();
    for (int i = 0; i < 200; ++i) {
      const std::string low = RandomKey(&random);
      const std::string high =
          random.OneIn(2)
              ? RandomKey(&random)
              : ExtractUserKey(entries[random.Uniform(entries.size())].first)
                    .ToString();
      const Slice bound(high);
      ReadOptions read;
      read.iterate_upper_bound = &bound;
      const std::unique_ptr<InternalIterator> it(
          (*table)->NewIterator(read, TableReadPurpose::kUser));
      it->Seek(IKey(low, kSequenceMax));
      for (const auto& [key, value] : entries) {
        const Slice user_key = ExtractUserKey(key);
        if (user_key.compare(low) < 0) continue;
        if (user_key.compare(high) >= 0) break;
        ASSERT_TRUE(it->Valid()) << it->status().ToString();
        ASSERT_EQ(key, it->key().ToString());
        it->Next();
      }
      ASSERT_TRUE(it->status().ok());
      // The way back is free of the bound.
      it->SeekForPrev(IKey(high, 0));
      if (it->Valid()) {
        ASSERT_LE(ExtractUserKey(it->key()).compare(high), 0);
      }
    }
  }
}

TEST(FirstKeyIndex, SparesReadsOfBlocksThatBeginTooLate) {
  Entries entries;
  for (int i = 0; i < 200; ++i) {
    char name[32];
    std::snprintf(name, sizeof(name), "key%06d", i * 10);
    entries.emplace_back(IKey(name, 100), std::string(100, 'v'));
  }
  const auto reads = [&](BlockBasedTableOptions::IndexType type, bool get) {
    TableBuildOptions options = BuildOptions();
    options.table.block_size = 110;  // One entry each.
    options.table.index_type = type;
    options.table.index_shortening = Shortening::kNoShortening;
    TableReadOptions open = OpenOptions();
    open.table.block_cache = NewLRUCache(1 << 20);
    const auto statistics = CreateDBStatistics();
    open.statistics = statistics.get();
    const auto table = OpenTable(open, BuildTable(options, entries));
    EXPECT_TRUE(table.ok());
    if (get) {
      PinnableSlice value;
      GetContext context("key000505", kSequenceMax, &value);
      const LookupKey key("key000505", kSequenceMax);
      EXPECT_TRUE(
          (*table)->Get(ReadOptions(), key.internal_key(), &context).ok());
      EXPECT_EQ(GetContext::State::kNotFound, context.state());
    } else {
      const Slice bound("key000520");
      ReadOptions read;
      read.iterate_upper_bound = &bound;
      const std::unique_ptr<InternalIterator> it(
          (*table)->NewIterator(read, TableReadPurpose::kUser));
      it->Seek(IKey("key000505", kSequenceMax));
      EXPECT_TRUE(it->Valid());
      EXPECT_EQ(entries[51].first, it->key().ToString());
      it->Seek(IKey("key000515", kSequenceMax));
      if (it->Valid()) {
        EXPECT_EQ(entries[52].first, it->key().ToString());
      }
    }
    return statistics->getTickerCount(BLOCK_CACHE_DATA_MISS);
  };
  using Table = BlockBasedTableOptions;
  EXPECT_EQ(1u, reads(Table::kBinarySearch, true));
  EXPECT_EQ(0u, reads(Table::kBinarySearchWithFirstKey, true));
  EXPECT_EQ(2u, reads(Table::kBinarySearch, false));
  EXPECT_EQ(1u, reads(Table::kBinarySearchWithFirstKey, false));
}

TEST(OptionMatrix, FilterConstructionIsChargedWhenThatIsEnabled) {
  const auto usage_max = [](CacheEntryRoleOptions::Decision decision) {
    TableBuildOptions options = BuildOptions();
    options.table.filter_policy.reset(NewRibbonFilterPolicy(10));
    options.table.block_cache = NewLRUCache(64 << 20, 0);
    options.table.cache_usage_options
        .options_overrides[CacheEntryRole::kFilterConstruction]
        .charged = decision;
    std::string bytes;
    WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes), "m",
                              FileOptions());
    TableBuilder builder(options, &writer);
    size_t most = 0;
    for (int i = 0; i < 50000; ++i) {
      char name[32];
      std::snprintf(name, sizeof(name), "key%06d", i);
      builder.Add(IKey(name, 100), "");
      most = std::max(most, options.table.block_cache->GetUsage());
    }
    EXPECT_TRUE(builder.Finish().ok());
    EXPECT_TRUE(writer.Close().ok());
    return most;
  };
  using Decision = CacheEntryRoleOptions::Decision;
  EXPECT_EQ(0u, usage_max(Decision::kFallback));
  EXPECT_EQ(0u, usage_max(Decision::kDisabled));
  EXPECT_GE(usage_max(Decision::kEnabled), size_t{50000 - 8192} * 8);
}

TEST(OptionMatrix, EveryMixtureReadsBack) {
  Random64 random(20);
  const int rounds = 80 / test::kSingleThreadStride + 1;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const TableBuildOptions options = RandomOptions(&random);
    const Entries entries = RandomEntries(&random, random.Uniform(250));
    TableReadOptions open = OpenOptions();
    open.table.filter_policy = options.table.filter_policy;
    open.prefix_extractor = options.prefix_extractor;
    if (random.OneIn(2)) open.table.block_cache = NewLRUCache(1 << 20);
    const auto table = OpenTable(open, BuildTable(options, entries));
    ASSERT_TRUE(table.ok()) << table.status().ToString();
    ExpectEverythingFound(**table, entries);
    if (HasFatalFailure()) return;
  }
}

std::string BlockOf(const BlockBuilder::Options& options,
                    const Entries& entries) {
  BlockBuilder builder(options);
  for (const auto& [key, value] : entries) builder.Add(key, value);
  return builder.Finish().ToString();
}

TEST(SeparatedBlockBytes, ValuesStandBehindAllKeys) {
  BlockBuilder::Options options;
  options.restart_interval = 2;
  options.separate_values = true;
  const Entries entries = {
      {IKey("a", 1), "one"}, {IKey("ab", 1), "two"}, {IKey("b", 1), ""}};
  EXPECT_EQ(
      "00090300"            // shared, unshared, value size, value offset
      "610101000000000000"  // a
      "010903"              // shares the a; no offset inside an interval
      "620101000000000000"
      "00090006"  // a new interval: offset 6
      "620101000000000000"
      "6F6E6574776F"  // "one", "two"
      "00000000"      // restarts: 0, 25
      "19000000"
      "26000000"   // the values begin at 38
      "02000010",  // two restarts, separated
      Slice(BlockOf(options, entries)).ToString(true));
}

// The estimate decides when a block is full; it is exact, and what one more
// entry would make of it nearly so.
TEST(SeparatedBlock, SizesAreEstimatedAsTheyCome) {
  Random64 random(5);
  const Entries entries = RandomEntries(&random, 100);
  for (const bool separate : {false, true}) {
    BlockBuilder::Options options;
    options.separate_values = separate;
    BlockBuilder builder(options);
    for (const auto& [key, value] : entries) {
      const size_t expected = builder.SizeEstimateAfter(key, value);
      builder.Add(key, value);
      ASSERT_NEAR(static_cast<double>(expected),
                  static_cast<double>(builder.SizeEstimate()), 8);
    }
    const size_t estimate = builder.SizeEstimate();
    EXPECT_EQ(estimate, builder.Finish().size());
  }
}

// A sound block with some of its bytes changed: any entries, no crash.
TEST(SeparatedBlock, DamageIsNoticedOrHarmless) {
  Random64 random(6);
  const Entries entries = RandomEntries(&random, 12);
  for (const double hash_ratio : {0.0, 0.75}) {
    BlockBuilder::Options options;
    options.restart_interval = 3;
    options.separate_values = true;
    options.hash_ratio = hash_ratio;
    const std::string sound = BlockOf(options, entries);
    for (int round = 0; round < 20000; round += test::kSingleThreadStride) {
      Block::Ptr block = Block::Copy(sound);
      for (uint64_t n = 1 + random.Uniform(3); n > 0; --n) {
        // Near the end there are offsets and counts.
        const size_t from =
            random.OneIn(2) ? sound.size() - std::min<size_t>(40, sound.size())
                            : 0;
        block->data()[from + random.Uniform(sound.size() - from)] =
            static_cast<char>(random.Next());
      }
      if (!block->Parse()) continue;
      block->TakeSamples();
      BlockIter iter;
      iter.Init(block.get(), BytewiseInternal());
      size_t steps = 0;
      size_t bytes = 0;
      for (iter.SeekToFirst(); iter.Valid(); iter.Next()) {
        for (const char c : iter.value().ToString()) bytes += c != 0;
        ASSERT_LT(++steps, sound.size());
      }
      steps = 0;
      for (iter.Init(block.get(), BytewiseInternal()), iter.SeekToLast();
           iter.Valid() && steps < 100; iter.Prev()) {
        ++steps;
      }
      iter.Init(block.get(), BytewiseInternal());
      iter.SeekForGet(entries[random.Uniform(entries.size())].first);
      if (iter.Valid()) bytes += iter.value().size();
    }
  }
}

// Offsets of data blocks, from the keys of a table's properties collector.
TEST(SuperBlock, NoBlockCrossesTheBoundaryWhereAPaddingInBoundsAvoidsIt) {
  Entries entries;
  for (int i = 0; i < 3000; ++i) {
    char name[32];
    std::snprintf(name, sizeof(name), "key%06d", i);
    entries.emplace_back(IKey(name, 100),
                         std::string(static_cast<size_t>(i % 150), 'v'));
  }
  constexpr uint64_t kSuper = 8192;
  const auto crossings = [&](size_t ratio, int index_restarts) {
    TableBuildOptions options = BuildOptions();
    options.table.block_size = 700;
    options.table.index_block_restart_interval = index_restarts;
    if (ratio > 0) options.table.super_block_alignment_size = kSuper;
    options.table.super_block_alignment_space_overhead_ratio = ratio;
    const std::string bytes = BuildTable(options, entries);
    const auto table = OpenTable(OpenOptions(), bytes);
    EXPECT_TRUE(table.ok());
    ExpectEverythingFound(**table, entries);
    // Where each key's block begins.
    std::map<uint64_t, int> begins;
    for (const auto& [key, value] : entries) {
      ++begins[(*table)->ApproximateOffsetOf(key)];
    }
    EXPECT_GT(begins.size(), 100u);
    int crossed = 0;
    for (auto it = begins.begin(); std::next(it) != begins.end(); ++it) {
      // The last byte before the next block, padding included.
      const uint64_t last = std::next(it)->first - 1;
      crossed += it->first / kSuper != last / kSuper;
    }
    return crossed;
  };
  const int free = crossings(0, 1);
  EXPECT_GT(free, 20);
  EXPECT_EQ(0, crossings(1, 1));   // Any padding.
  EXPECT_EQ(0, crossings(11, 4));  // A block is shorter than 8192/11.
  const int bounded = crossings(40, 4);
  EXPECT_GT(bounded, 0);
  EXPECT_LT(bounded, free);
}

TEST(IndexShortening, EachModeMakesTheSeparatorsItSays) {
  const Entries entries = {{IKey("aaaaaaaa", 100), std::string(50, 'v')},
                           {IKey("bbbbbbbb", 100), std::string(50, 'v')},
                           {IKey("mmmmmmmm", 100), std::string(50, 'v')}};
  const auto anchors = [&](Shortening mode) {
    TableBuildOptions options = BuildOptions();
    options.table.block_size = 64;  // One entry each.
    options.table.index_shortening = mode;
    const auto table = OpenTable(OpenOptions(), BuildTable(options, entries));
    EXPECT_TRUE(table.ok());
    ExpectEverythingFound(**table, entries);
    std::vector<TableReader::Anchor> found;
    EXPECT_TRUE((*table)->ApproximateKeyAnchors(1000, &found).ok());
    std::string text;
    for (const TableReader::Anchor& a : found) text += a.user_key + " ";
    return text;
  };
  EXPECT_EQ("aaaaaaaa bbbbbbbb mmmmmmmm ", anchors(Shortening::kNoShortening));
  EXPECT_EQ("b c mmmmmmmm ", anchors(Shortening::kShortenSeparators));
  EXPECT_EQ("b c n ", anchors(Shortening::kShortenSeparatorsAndSuccessor));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
