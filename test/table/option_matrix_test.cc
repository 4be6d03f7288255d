// Tables of every mixture of table options, with random keys and values.

#include <map>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table/block/block_builder.h"
#include "table/block/block_iter.h"
#include "table_fixture.h"
#include "test/support/effort.h"
#include "util/compression/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Shortening = BlockBasedTableOptions::IndexShorteningMode;

std::string RandomKey(Random64* random) {
  std::string key;
  const size_t size = 1 + random->Uniform(12);
  for (size_t i = 0; i < size; ++i) {
    // Few different bytes, the extreme ones among them.
    static constexpr char kBytes[] = {'\0', 'a', 'b', 'b', 'c', '\xff'};
    key += kBytes[random->Uniform(sizeof(kBytes))];
  }
  return key;
}

Entries RandomEntries(Random64* random, size_t count) {
  std::map<std::string, int> keys;
  while (keys.size() < count) ++keys[RandomKey(random)];
  Entries entries;
  for (const auto& [key, times] : keys) {
    const uint64_t versions = random->OneIn(20) ? 1 + random->Uniform(60) : 1;
    for (uint64_t v = versions; v > 0; --v) {
      std::string value(random->Uniform(random->OneIn(30) ? 3000 : 60),
                        static_cast<char>('a' + random->Uniform(26)));
      for (size_t i = 0; i < value.size(); i += 3) {
        value[i] = static_cast<char>(random->Next());
      }
      entries.emplace_back(IKey(key, 100 + v), value);
    }
  }
  return entries;
}

TableBuildOptions RandomOptions(Random64* random) {
  TableBuildOptions o = BuildOptions();
  BlockBasedTableOptions& t = o.table;
  const auto coin = [&] { return random->OneIn(2); };
  t.format_version = 2 + static_cast<uint32_t>(random->Uniform(6));
  t.checksum = static_cast<ChecksumType>(random->Uniform(5));
  t.block_size = 64 << random->Uniform(7);
  t.block_restart_interval = 1 + static_cast<int>(random->Uniform(20));
  t.index_block_restart_interval = 1 + static_cast<int>(random->Uniform(5));
  t.use_delta_encoding = coin();
  t.separate_key_value_in_data_block = coin();
  t.enable_index_compression = coin();
  t.index_shortening = static_cast<Shortening>(random->Uniform(3));
  t.verify_compression = coin();
  t.whole_key_filtering = !random->OneIn(4);
  if (coin()) {
    t.data_block_index_type = BlockBasedTableOptions::kDataBlockBinaryAndHash;
  }
  if (coin()) {
    t.super_block_alignment_size = 1024 << random->Uniform(3);
    t.super_block_alignment_space_overhead_ratio = 1 + random->Uniform(8);
  }
  if (coin()) o.prefix_extractor.reset(NewCappedPrefixTransform(3));
  if (coin()) {
    const double bits = 1 + static_cast<double>(random->Uniform(20));
    t.filter_policy.reset(coin() ? NewRibbonFilterPolicy(bits)
                                 : NewBloomFilterPolicy(bits));
  }
  const std::vector<CompressionType> types = SupportedCompressionTypes();
  o.compression = types[random->Uniform(types.size())];
  if (o.compression == kNoCompression) t.block_align = coin();
  if (coin()) {
    o.compression_opts.max_dict_bytes =
        200 + static_cast<uint32_t>(random->Uniform(3000));
    o.compression_opts.max_dict_buffer_bytes = random->Uniform(40000);
    if (coin()) o.compression_opts.zstd_max_train_bytes = 20000;
    o.compression_opts.use_zstd_dict_trainer = coin();
  }
  return o;
}

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
