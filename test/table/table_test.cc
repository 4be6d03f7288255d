// Whole tables: what is written is what is read.

#include "rocksdb/advanced_cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "table_fixture.h"
#include "util/compression/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

TEST(Table, EveryCompressionReadsBack) {
  const Entries entries = SomeEntries(700);
  for (const CompressionType type : SupportedCompressionTypes()) {
    for (const bool index_compression : {false, true}) {
      SCOPED_TRACE(CompressionTypeName(type));
      TableBuildOptions options = BuildOptions();
      options.compression = type;
      options.table.enable_index_compression = index_compression;
      options.table.verify_compression = true;
      const auto table = OpenTable(OpenOptions(), BuildTable(options, entries));
      ASSERT_TRUE(table.ok()) << table.status().ToString();
      EXPECT_EQ(CompressionTypeName(type),
                (*table)->properties()->compression_name);
      ExpectReadsBack(**table, entries);
    }
  }
}

TEST(Table, EveryFormatVersionAndChecksumReadsBack) {
  const Entries entries = SomeEntries(300);
  for (uint32_t version = 2; version <= 7; ++version) {
    for (int checksum = 0; checksum <= 4; ++checksum) {
      SCOPED_TRACE(std::to_string(version) + "/" + std::to_string(checksum));
      TableBuildOptions options = BuildOptions();
      options.table.format_version = version;
      options.table.checksum = static_cast<ChecksumType>(checksum);
      options.table.filter_policy.reset(NewBloomFilterPolicy(10));
      TableReadOptions open = OpenOptions();
      open.table.filter_policy = options.table.filter_policy;
      open.table.block_cache = NewLRUCache(8 << 20);
      const auto table = OpenTable(open, BuildTable(options, entries));
      ASSERT_TRUE(table.ok()) << table.status().ToString();
      ExpectReadsBack(**table, entries);
    }
  }
}

// RocksDB finds its decompressors by this text.
TEST(Table, Version7NamesTheCompressionTypesUsed) {
  const auto name = [](CompressionType type, const Entries& entries) {
    TableBuildOptions options = BuildOptions();
    options.table.format_version = 7;
    options.compression = type;
    TableProperties properties;
    const std::string bytes = BuildTable(options, entries, &properties);
    const auto table = OpenTable(OpenOptions(), bytes);
    EXPECT_TRUE(table.ok()) << table.status().ToString();
    if (table.ok()) ExpectReadsBack(**table, entries);
    return properties.compression_name;
  };
  const Entries entries = SomeEntries(300);
  EXPECT_EQ(";;", name(kNoCompression, entries));
  EXPECT_EQ("BuiltinV2;01;", name(kSnappyCompression, entries));
  EXPECT_EQ("BuiltinV2;04;", name(kLZ4Compression, entries));
  // One short entry: nothing that would shrink.
  EXPECT_EQ("BuiltinV2;;", name(kLZ4Compression, {{IKey("a", 100), "xyz"}}));
}

// A block moved to another place, or into another file, is not taken for the
// one that belongs there.
TEST(Table, FromVersion6OnBlocksAreBoundToFileAndPlace) {
  TableBuildOptions options = BuildOptions();
  options.table.format_version = 6;
  options.table.block_size = 4096;
  Entries entries;
  for (int i = 0; i < 8; ++i) {
    entries.emplace_back(IKey("key" + std::to_string(i), 100),
                         std::string(5000, 'v'));
  }
  std::string bytes = BuildTable(options, entries);
  options.file_number = 18;
  const std::string other = BuildTable(options, entries);
  ASSERT_EQ(bytes.size(), other.size());
  const size_t block = other.find("key3") - 3;
  const size_t next = other.find("key4") - 3;
  ASSERT_NE(bytes.substr(next - 5, 5), other.substr(next - 5, 5));
  bytes.replace(block, next - block, other, block, next - block);
  const auto table = OpenTable(OpenOptions(), bytes);
  ASSERT_TRUE(table.ok());
  Entries found;
  EXPECT_TRUE(Scan(**table, &found).IsCorruption());
  EXPECT_EQ(3u, found.size());
}

TEST(Table, EveryBlockShapeReadsBack) {
  const Entries entries = SomeEntries(400);
  for (const int restart : {1, 2, 16, 1000}) {
    for (const bool delta : {false, true}) {
      for (const bool hash : {false, true}) {
        for (const bool align : {false, true}) {
          TableBuildOptions options = BuildOptions();
          options.table.block_restart_interval = restart;
          options.table.index_block_restart_interval = restart;
          options.table.use_delta_encoding = delta;
          options.table.block_align = align;
          options.table.block_size = 1024;
          if (hash) {
            options.table.data_block_index_type =
                BlockBasedTableOptions::kDataBlockBinaryAndHash;
          }
          const auto table =
              OpenTable(OpenOptions(), BuildTable(options, entries));
          ASSERT_TRUE(table.ok()) << table.status().ToString();
          ExpectReadsBack(**table, entries);
        }
      }
    }
  }
}

TEST(Table, AnEmptyTableHasNoEntries) {
  const auto table = OpenTable(OpenOptions(), BuildTable(BuildOptions(), {}));
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  ExpectReadsBack(**table, {});
}

TEST(Table, VersionsOfOneKeyMaySpanBlocks) {
  Entries entries;
  for (int key = 0; key < 3; ++key) {
    for (SequenceNumber sequence = 500; sequence > 0; --sequence) {
      entries.emplace_back(IKey("k" + std::to_string(key), sequence),
                           "value" + std::to_string(sequence));
    }
  }
  TableBuildOptions options = BuildOptions();
  options.table.block_size = 256;
  const auto table = OpenTable(OpenOptions(), BuildTable(options, entries));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(0u, (*table)->properties()->index_key_is_user_key);
  for (SequenceNumber sequence = 1; sequence <= 500; ++sequence) {
    ASSERT_EQ("value" + std::to_string(sequence),
              GetValue(**table, "k1", sequence));
  }
  Entries found;
  ASSERT_TRUE(Scan(**table, &found).ok());
  ExpectSameEntries(entries, found);
}

TEST(Table, MergeOperandsAreCollectedAcrossBlocks) {
  Entries entries;
  for (SequenceNumber sequence = 300; sequence > 100; --sequence) {
    entries.emplace_back(IKey("k", sequence, ValueType::kMerge),
                         std::to_string(sequence));
  }
  entries.emplace_back(IKey("k", 100), "base");
  TableBuildOptions options = BuildOptions();
  options.table.block_size = 128;
  const auto table = OpenTable(OpenOptions(), BuildTable(options, entries));
  ASSERT_TRUE(table.ok());
  const LookupKey key("k", 250);
  PinnableSlice value;
  GetContext context("k", 250, &value);
  ASSERT_TRUE((*table)->Get(ReadOptions(), key.internal_key(), &context).ok());
  EXPECT_EQ(GetContext::State::kMergeFound, context.state());
  EXPECT_EQ("base", value.ToString());
  ASSERT_EQ(150u, context.operands().size());
  EXPECT_EQ("250", context.operands().front());
  EXPECT_EQ("101", context.operands().back());
}

TEST(Table, ReverseOrderReadsBack) {
  const InternalKeyComparator icmp(ReverseBytewiseComparator());
  Entries entries;
  for (int i = 999; i >= 0; --i) {
    char name[16];
    std::snprintf(name, sizeof(name), "key%04d", i);
    entries.emplace_back(IKey(name, 5), std::string(50, 'v'));
  }
  TableBuildOptions options = BuildOptions();
  options.icmp = &icmp;
  TableReadOptions open = OpenOptions();
  open.icmp = &icmp;
  const auto table = OpenTable(open, BuildTable(options, entries));
  ASSERT_TRUE(table.ok());
  Entries found;
  ASSERT_TRUE(Scan(**table, &found).ok());
  ExpectSameEntries(entries, found);
  const LookupKey key("key0500", kSequenceMax);
  PinnableSlice value;
  GetContext context("key0500", kSequenceMax, &value);
  ASSERT_TRUE((*table)->Get(ReadOptions(), key.internal_key(), &context).ok());
  EXPECT_EQ(GetContext::State::kFound, context.state());
}

TEST(Table, TheFilterSavesLookupsAndNeverHidesAKey) {
  const Entries entries = SomeEntries(2000);
  TableBuildOptions options = BuildOptions();
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  TableReadOptions open = OpenOptions();
  open.table.filter_policy = options.table.filter_policy;
  const auto table = OpenTable(open, BuildTable(options, entries));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(2000u, (*table)->properties()->num_filter_entries);
  int wrong = 0;
  for (size_t i = 0; i < 2000; ++i) {
    char name[32];
    std::snprintf(name, sizeof(name), "key%06zu", i * 7);
    ASSERT_FALSE((*table)->KeyCannotMatch(name));
    if (!(*table)->KeyCannotMatch(std::string(name) + "absent")) ++wrong;
  }
  EXPECT_LT(wrong, 50);  // 10 bits per key: about 1 %.
}

TEST(Table, PrefixesAloneCanBeFiltered) {
  TableBuildOptions options = BuildOptions();
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  options.table.whole_key_filtering = false;
  options.prefix_extractor.reset(NewFixedPrefixTransform(6));
  TableReadOptions open = OpenOptions();
  open.table = options.table;
  open.prefix_extractor = options.prefix_extractor;
  const auto table = OpenTable(open, BuildTable(options, SomeEntries(1000)));
  ASSERT_TRUE(table.ok());
  EXPECT_LT((*table)->properties()->num_filter_entries, 100u);
  EXPECT_FALSE((*table)->KeyCannotMatch("key000zzz"));
  EXPECT_TRUE((*table)->KeyCannotMatch("key999000"));
  EXPECT_FALSE((*table)->KeyCannotMatch("kx"));  // Outside the domain.
}

TEST(Table, BlocksComeFromTheCacheTheSecondTime) {
  const Entries entries = SomeEntries(2000);
  TableReadOptions open = OpenOptions();
  open.table.block_cache = NewLRUCache(8 << 20);
  for (const bool meta_in_cache : {false, true}) {
    open.table.cache_index_and_filter_blocks = meta_in_cache;
    open.table.block_cache->EraseUnRefEntries();
    const auto table = OpenTable(open, BuildTable(BuildOptions(), entries));
    ASSERT_TRUE(table.ok());
    ReadOptions cached_only;
    cached_only.read_tier = kBlockCacheTier;
    const std::string key = ExtractUserKey(entries[500].first).ToString();
    EXPECT_NE(std::string::npos,
              GetValue(**table, key, kSequenceMax, cached_only)
                  .find("Result incomplete"));
    const std::string value = GetValue(**table, key, kSequenceMax);
    EXPECT_EQ(value, GetValue(**table, key, kSequenceMax, cached_only));
    ReadOptions no_fill;
    no_fill.fill_cache = false;
    const size_t usage = open.table.block_cache->GetUsage();
    GetValue(**table, ExtractUserKey(entries[1900].first).ToString(),
             kSequenceMax, no_fill);
    EXPECT_EQ(usage, open.table.block_cache->GetUsage());
    EXPECT_EQ(0u, open.table.block_cache->GetPinnedUsage());
  }
}

TEST(Table, AFoundValuePinsItsBlock) {
  const Entries entries = SomeEntries(100);
  TableReadOptions open = OpenOptions();
  open.table.block_cache = NewLRUCache(1 << 20);
  const auto table = OpenTable(open, BuildTable(BuildOptions(), entries));
  ASSERT_TRUE(table.ok());
  const LookupKey key(ExtractUserKey(entries[0].first), kSequenceMax);
  PinnableSlice value;
  GetContext context(key.user_key(), kSequenceMax, &value);
  ASSERT_TRUE((*table)->Get(ReadOptions(), key.internal_key(), &context).ok());
  EXPECT_TRUE(value.IsPinned());
  EXPECT_GT(open.table.block_cache->GetPinnedUsage(), 0u);
  value.Reset();
  EXPECT_EQ(0u, open.table.block_cache->GetPinnedUsage());
}

TEST(Table, IterationStopsAfterTheBlockWithTheUpperBound) {
  const Entries entries = SomeEntries(2000);
  const auto table =
      OpenTable(OpenOptions(), BuildTable(BuildOptions(), entries));
  ASSERT_TRUE(table.ok());
  const std::string bound = ExtractUserKey(entries[300].first).ToString();
  const Slice bound_slice(bound);
  ReadOptions read;
  read.iterate_upper_bound = &bound_slice;
  const std::unique_ptr<InternalIterator> it(
      (*table)->NewIterator(read, TableReadPurpose::kUser));
  size_t count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  EXPECT_TRUE(it->status().ok());
  EXPECT_GE(count, 300u);
  EXPECT_LT(count, 500u);
  it->SeekForPrev(entries.back().first);
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(entries.back().first, it->key().ToString());
  // Just before each key but the first (of three versions), wherever the bound
  // is.
  for (size_t i = 3; i < entries.size(); ++i) {
    std::string target = entries[i].first;
    EncodeFixed64(target.data() + target.size() - kTrailerSize, UINT64_MAX);
    it->SeekForPrev(target);
    ASSERT_TRUE(it->Valid());
    ASSERT_LT(BytewiseInternal()->Compare(it->key(), entries[i].first), 0);
    ASSERT_NE(ExtractUserKey(it->key()), ExtractUserKey(entries[i].first));
  }
}

// Remembers where the furthest read ended.
class FurthestFile final : public FSRandomAccessFile {
 public:
  FurthestFile(std::string bytes, uint64_t* furthest)
      : file_(std::move(bytes)), furthest_(furthest) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    *furthest_ = std::max<uint64_t>(*furthest_, offset + n);
    return file_.Read(offset, n, options, result, scratch, dbg);
  }

 private:
  const StringReadFile file_;
  uint64_t* const furthest_;
};

TEST(Table, ReadaheadEndsWithTheBlockWithTheUpperBound) {
  constexpr size_t kCount = 100;
  constexpr size_t kBound = 10;
  Entries entries;  // Each is a block, and all are of one size.
  for (const auto& [key, value] : OneVersionEach(kCount)) {
    entries.emplace_back(key, std::string(100, 'v'));
  }
  TableBuildOptions options = BuildOptions();
  options.table.block_size = 1;
  TableProperties properties;
  const std::string bytes = BuildTable(options, entries, &properties);
  ASSERT_EQ(kCount, properties.num_data_blocks);
  ASSERT_EQ(0u, properties.data_size % kCount);
  uint64_t furthest = 0;
  const auto table = TableReader::Open(
      OpenOptions(),
      std::make_unique<RandomAccessFileReader>(
          std::make_unique<FurthestFile>(bytes, &furthest), "memory.sst"),
      bytes.size());
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  furthest = 0;
  const std::string bound = ExtractUserKey(entries[kBound].first).ToString();
  const Slice bound_slice(bound);
  ReadOptions read;
  read.iterate_upper_bound = &bound_slice;
  read.readahead_size = 1 << 20;
  read.auto_readahead_size = true;
  const std::unique_ptr<InternalIterator> it(
      (*table)->NewIterator(read, TableReadPurpose::kUser));
  size_t count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  EXPECT_TRUE(it->status().ok());
  EXPECT_GE(count, kBound);
  EXPECT_EQ((kBound + 1) * properties.data_size / kCount, furthest);
}

TEST(Table, RandomWalksFollowTheModel) {
  const Entries entries = SomeEntries(500);
  TableBuildOptions options = BuildOptions();
  options.table.block_size = 512;
  TableReadOptions open = OpenOptions();
  open.table.block_cache = NewLRUCache(8 << 20);
  const auto table = OpenTable(open, BuildTable(options, entries));
  ASSERT_TRUE(table.ok());
  const std::unique_ptr<InternalIterator> it(
      (*table)->NewIterator(ReadOptions(), TableReadPurpose::kUser));
  Random64 random(301);
  size_t at = 0;
  it->SeekToFirst();
  for (int step = 0; step < 20000; ++step) {
    const uint64_t action = random.Uniform(20);
    if (action == 0 || at >= entries.size()) {
      at = random.Uniform(entries.size());
      it->Seek(entries[at].first);
    } else if (action < 11) {
      ++at;
      it->Next();
    } else if (at > 0) {
      --at;
      it->Prev();
    }
    ASSERT_EQ(at < entries.size(), it->Valid());
    if (!it->Valid()) continue;
    ASSERT_EQ(entries[at].first, it->key().ToString());
    ASSERT_EQ(entries[at].second, it->value().ToString());
  }
}

TEST(Table, PropertiesCountWhatWasAdded) {
  Entries entries;
  entries.emplace_back(IKey("a", 9), "12345");
  entries.emplace_back(IKey("b", 8, ValueType::kDeletion), "");
  entries.emplace_back(IKey("c", 7, ValueType::kSingleDeletion), "");
  entries.emplace_back(IKey("d", 6, ValueType::kMerge), "123");
  TableProperties built;
  const auto table =
      OpenTable(OpenOptions(), BuildTable(BuildOptions(), entries, &built));
  ASSERT_TRUE(table.ok());
  const TableProperties& read = *(*table)->properties();
  EXPECT_EQ(4u, read.num_entries);
  EXPECT_EQ(2u, read.num_deletions);
  EXPECT_EQ(1u, read.num_merge_operands);
  EXPECT_EQ(36u, read.raw_key_size);
  EXPECT_EQ(8u, read.raw_value_size);
  EXPECT_EQ(1u, read.num_data_blocks);
  EXPECT_EQ(17u, read.orig_file_number);
  EXPECT_EQ("leveldb.BytewiseComparator", read.comparator_name);
  EXPECT_EQ("[]", read.property_collectors_names);
  EXPECT_EQ(built.data_size, read.data_size);
  EXPECT_EQ(built.index_size, read.index_size);
}

TEST(Table, AnotherFilesIdIsRefused) {
  const std::string bytes = BuildTable(BuildOptions(), SomeEntries(10));
  TableReadOptions open = OpenOptions();
  open.expected_unique_id =
      TableUniqueId("an-identity", "0123456789ABCDEFGHIJ", 17);
  ASSERT_EQ(16u, open.expected_unique_id.size());
  EXPECT_TRUE(OpenTable(open, bytes).ok());
  open.expected_unique_id =
      TableUniqueId("an-identity", "0123456789ABCDEFGHIJ", 18);
  const auto other = OpenTable(open, bytes);
  ASSERT_FALSE(other.ok());
  EXPECT_TRUE(other.status().IsCorruption());
  EXPECT_NE(std::string::npos, other.status().ToString().find("memory.sst"));
}

TEST(Table, RangeDeletionsAreReadAtOpen) {
  const Entries entries = {{IKey("a", 9), "1"},
                           {IKey("b", 8, ValueType::kRangeDeletion), "c"}};
  const std::string bytes = BuildTable(BuildOptions(), entries);
  const auto table = OpenTable(OpenOptions(), bytes);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(1u, (*table)->properties()->num_range_deletions);
  std::vector<std::pair<std::string, std::string>> tombstones;
  ASSERT_TRUE((*table)->ReadRangeDeletions(&tombstones).ok());
  ASSERT_EQ(1u, tombstones.size());
  EXPECT_EQ(entries[1].first, tombstones[0].first);
  EXPECT_EQ("c", tombstones[0].second);
  ASSERT_NE(nullptr, (*table)->tombstones());
  EXPECT_EQ(8u, (*table)->tombstones()->NewestOver("b", 100));
  EXPECT_EQ(0u, (*table)->tombstones()->NewestOver("c", 100));
}

TEST(Table, MayHoldNothingButRangeDeletions) {
  TableBuildOptions build = BuildOptions();
  build.table.filter_policy.reset(NewBloomFilterPolicy(10));
  const std::string bytes =
      BuildTable(build, {{IKey("b", 8, ValueType::kRangeDeletion), "c"},
                         {IKey("b", 3, ValueType::kRangeDeletion), "c"}});
  const auto table = OpenTable(OpenOptions(), bytes);
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  EXPECT_EQ(0u, (*table)->properties()->num_data_blocks);
  EXPECT_EQ(2u, (*table)->properties()->num_entries);
  EXPECT_EQ(2u, (*table)->properties()->num_deletions);
  EXPECT_EQ(2u, (*table)->properties()->num_range_deletions);
  const std::unique_ptr<InternalIterator> it(
      (*table)->NewIterator(ReadOptions(), TableReadPurpose::kUser));
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  it->SeekForPrev(IKey("z", 1));
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().ok());
  GetContext context("b", 5, nullptr);
  ASSERT_TRUE((*table)->Get(ReadOptions(), IKey("b", 5), &context).ok());
  context.EndCoveringSource();
  EXPECT_EQ(GetContext::State::kDeleted, context.state());
}

TEST(Table, ABadRangeDeletionBlockIsCorruptionThatSaysWhere) {
  const std::vector<Entries> cases = {
      {{IKey("c", 8, ValueType::kRangeDeletion), "b"}},  // Ends too early.
      {{IKey("a", 8, ValueType::kRangeDeletion), "b"},
       {IKey("d", 8, ValueType::kRangeDeletion), "c"}},
  };
  for (const Entries& entries : cases) {
    const auto table =
        OpenTable(OpenOptions(), BuildTable(BuildOptions(), entries));
    ASSERT_FALSE(table.ok());
    const std::string text = table.status().ToString();
    EXPECT_TRUE(table.status().IsCorruption()) << text;
    EXPECT_NE(std::string::npos, text.find("bad range deletion block")) << text;
    EXPECT_NE(std::string::npos, text.find("expected an end behind")) << text;
    EXPECT_NE(std::string::npos, text.find("memory.sst offset")) << text;
  }
}

// Each byte of the block, with any other value: the checksum finds it, and
// without one nothing worse than an error or another range comes of it.
TEST(Table, DamagedRangeDeletionBlocksDoNoHarm) {
  for (const ChecksumType checksum : {kXXH3, kNoChecksum}) {
    TableBuildOptions build = BuildOptions();
    build.table.checksum = checksum;
    Entries entries;
    for (char c = 'a'; c < 'f'; ++c) {
      entries.emplace_back(
          IKey(std::string(1, c), 8, ValueType::kRangeDeletion), "m");
    }
    const std::string bytes = BuildTable(build, entries);
    const auto table = OpenTable(OpenOptions(), bytes);
    ASSERT_TRUE(table.ok());
    const size_t end = bytes.find("rocksdb.block.based.table.index.type");
    ASSERT_NE(std::string::npos, end);
    for (size_t at = 0; at < end; ++at) {
      for (const int change : {1, 0x80, 0xff}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        const auto opened = OpenTable(OpenOptions(), damaged);
        if (!opened.ok()) {
          EXPECT_TRUE(opened.status().IsCorruption() ||
                      opened.status().IsNotSupported())
              << opened.status().ToString();
        } else if ((*opened)->tombstones() != nullptr) {
          (*opened)->tombstones()->NewestOver("c", 100);
        }
      }
    }
  }
}

TEST(Table, VersionsThatAreNotWrittenAreRefused) {
  for (const uint32_t version : {0u, 1u, 8u, 70u}) {
    TableBuildOptions options = BuildOptions();
    options.table.format_version = version;
    std::string bytes;
    WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes), "m",
                              FileOptions());
    TableBuilder builder(options, &writer);
    builder.Add(IKey("a", 1), "b");
    EXPECT_TRUE(builder.Finish().IsNotSupported());
  }
}

TEST(Table, AnchorsAndOffsetsDivideTheFile) {
  const Entries entries = SomeEntries(3000);
  const auto table =
      OpenTable(OpenOptions(), BuildTable(BuildOptions(), entries));
  ASSERT_TRUE(table.ok());
  std::vector<TableReader::Anchor> anchors;
  ASSERT_TRUE((*table)->ApproximateKeyAnchors(10, &anchors).ok());
  EXPECT_GE(anchors.size(), 8u);
  EXPECT_LE(anchors.size(), 11u);
  uint64_t last = 0;
  for (size_t i = 0; i < entries.size(); i += 100) {
    const uint64_t offset = (*table)->ApproximateOffsetOf(entries[i].first);
    EXPECT_GE(offset, last);
    last = offset;
  }
  EXPECT_EQ((*table)->properties()->data_size,
            (*table)->ApproximateOffsetOf(IKey("z", 1)));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
