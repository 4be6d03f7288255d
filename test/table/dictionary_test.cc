// Compression dictionaries: made from samples, written, found again.

#include <map>
#include <set>

#include "rocksdb/filter_policy.h"
#include "table/dictionary_buffer.h"
#include "table/format/meta_block.h"
#include "table/format/meta_names.h"
#include "table_fixture.h"
#include "util/compression/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr CompressionType kWithDictionary[] = {
    kZSTD, kLZ4Compression, kLZ4HCCompression, kZlibCompression};

// Values alike from block to block, but with little to repeat inside one.
Entries AlikeEntries(int count) {
  Random64 random(301);
  std::vector<std::string> words;
  for (int i = 0; i < 60; ++i) {
    std::string word;
    for (int j = 0; j < 24; ++j) {
      word += static_cast<char>('a' + random.Uniform(26));
    }
    words.push_back(word);
  }
  Entries entries;
  for (int i = 0; i < count; ++i) {
    char name[32];
    std::snprintf(name, sizeof(name), "key%06d", i);
    std::string value;
    for (int j = 0; j < 4; ++j) value += words[random.Uniform(words.size())];
    entries.emplace_back(IKey(name, 100), value);
  }
  return entries;
}

TableBuildOptions DictionaryOptions(CompressionType type) {
  TableBuildOptions options = BuildOptions();
  options.compression = type;
  options.compression_opts.max_dict_bytes = 4096;
  options.table.block_size = 512;
  return options;
}

// What DescribeLayout() says of the dictionary; "" if there is none.
std::string DictionaryLine(const std::string& bytes) {
  const auto table = OpenTable(OpenOptions(), bytes);
  if (!table.ok()) return table.status().ToString();
  const std::string layout = (*table)->DescribeLayout();
  const size_t at = layout.find(kCompressionDictBlock);
  return at == std::string::npos
             ? ""
             : layout.substr(at, layout.find('\n', at) - at);
}

void ExpectReadsBack(const TableReadOptions& open, const std::string& bytes,
                     const Entries& entries) {
  const auto table = OpenTable(open, bytes);
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  Entries found;
  ASSERT_TRUE(Scan(**table, &found).ok());
  EXPECT_EQ(entries, found);
  EXPECT_TRUE((*table)->VerifyChecksums(ReadOptions()).ok());
  for (size_t i = 0; i < entries.size(); i += 17) {
    PinnableSlice value;
    const Slice user_key = ExtractUserKey(entries[i].first);
    GetContext context(user_key, kSequenceMax, &value);
    const LookupKey key(user_key, kSequenceMax);
    ASSERT_TRUE(
        (*table)->Get(ReadOptions(), key.internal_key(), &context).ok());
    ASSERT_EQ(GetContext::State::kFound, context.state());
    EXPECT_EQ(entries[i].second, value.ToString());
  }
}

TEST(Dictionary, EveryMethodThatKnowsThemReadsBackAndGetsSmaller) {
  const Entries entries = AlikeEntries(2000);
  for (const CompressionType type : kWithDictionary) {
    if (!CompressionTypeSupported(type)) continue;
    for (const uint32_t version : {2u, 5u, 7u}) {
      SCOPED_TRACE(std::string(CompressionTypeName(type)) + " " +
                   std::to_string(version));
      TableBuildOptions options = DictionaryOptions(type);
      options.table.format_version = version;
      options.table.verify_compression = true;
      const std::string bytes = BuildTable(options, entries);
      EXPECT_NE("", DictionaryLine(bytes));
      ExpectReadsBack(OpenOptions(), bytes, entries);
      options.compression_opts.max_dict_bytes = 0;
      const std::string without = BuildTable(options, entries);
      EXPECT_EQ("", DictionaryLine(without));
      EXPECT_LT(bytes.size() * 10, without.size() * 9);
    }
  }
}

TEST(Dictionary, MayBeRawFinalizedOrTrainedWithZstd) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no zstd";
  const Entries entries = AlikeEntries(2000);
  std::set<std::string> different;
  for (const uint32_t train_bytes : {0u, 100000u}) {
    for (const bool trainer : {false, true}) {
      TableBuildOptions options = DictionaryOptions(kZSTD);
      options.compression_opts.zstd_max_train_bytes = train_bytes;
      options.compression_opts.use_zstd_dict_trainer = trainer;
      const std::string bytes = BuildTable(options, entries);
      EXPECT_NE("", DictionaryLine(bytes));
      ExpectReadsBack(OpenOptions(), bytes, entries);
      // The magic number of ZSTD dictionaries.
      EXPECT_EQ(train_bytes > 0,
                bytes.find("\x37\xa4\x30\xec") != std::string::npos);
      different.insert(bytes.substr(0, bytes.size() / 2));
    }
  }
  EXPECT_EQ(3u, different.size());  // Raw, whatever the trainer option.
}

TEST(Dictionary, OthersHaveNone) {
  const Entries entries = AlikeEntries(200);
  for (const CompressionType type :
       {kNoCompression, kSnappyCompression, kBZip2Compression}) {
    if (!CompressionTypeSupported(type)) continue;
    const std::string bytes = BuildTable(DictionaryOptions(type), entries);
    EXPECT_EQ("", DictionaryLine(bytes));
    ExpectReadsBack(OpenOptions(), bytes, entries);
  }
}

// Behind the types of version 7 more fields may follow one day.
TEST(Dictionary, IsFoundWhateverFollowsTheTypesInTheProperty) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no zstd";
  const Entries entries = AlikeEntries(200);
  TableBuildOptions options = DictionaryOptions(kZSTD);
  options.table.format_version = 7;
  std::string bytes = BuildTable(options, entries);
  const std::string written = "BuiltinV2;07;";
  const size_t at = bytes.find(written);
  ASSERT_NE(std::string::npos, at);
  bytes.replace(at, written.size(), "BuiltinV;07;;");
  BlockHandle properties;
  const BlockHandle metaindex = FooterOf(bytes).metaindex;
  ASSERT_TRUE(ForEachMetaEntry(
      Slice(bytes.data() + metaindex.offset, metaindex.size),
      [&](const Slice& name, const Slice& value) {
        Slice rest = value;
        return name != kPropertiesBlock || GetBlockHandle(&rest, &properties);
      }));
  Reseal(&bytes, properties);
  ExpectReadsBack(OpenOptions(), bytes, entries);
}

// Index and filter are made late for blocks that waited: they must come out
// as if nothing had waited.
TEST(Dictionary, IndexAndFilterDoNotNoticeTheWait) {
  const Entries entries = AlikeEntries(1000);
  TableBuildOptions options = DictionaryOptions(kLZ4Compression);
  if (!CompressionTypeSupported(options.compression)) GTEST_SKIP() << "no LZ4";
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  TableReadOptions open = OpenOptions();
  open.table.filter_policy = options.table.filter_policy;
  std::map<uint64_t, TableProperties> properties;
  for (const uint64_t buffer : {0u, 1u, 10000u}) {
    options.compression_opts.max_dict_buffer_bytes = buffer;
    const std::string bytes = BuildTable(options, entries, &properties[buffer]);
    EXPECT_NE("", DictionaryLine(bytes)) << buffer;
    ExpectReadsBack(open, bytes, entries);
    const TableProperties& p = properties[buffer];
    EXPECT_EQ(properties[0].num_data_blocks, p.num_data_blocks);
    EXPECT_EQ(properties[0].num_filter_entries, p.num_filter_entries);
    EXPECT_EQ(properties[0].filter_size, p.filter_size);
  }
  // A dictionary of one block serves worse than one of the whole file.
  EXPECT_LT(properties[0].data_size, properties[1].data_size);
}

TEST(Dictionary, WhatWaitsIsChargedToTheCacheAndEndsWhenItIsFull) {
  const Entries entries = AlikeEntries(8000);
  TableBuildOptions options = DictionaryOptions(kZSTD);
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no zstd";
  LRUCacheOptions cache;
  cache.capacity = 600 << 10;
  cache.num_shard_bits = 0;
  cache.strict_capacity_limit = true;
  options.table.block_cache = cache.MakeSharedCache();
  std::string bytes;
  WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes), "m",
                            FileOptions());
  TableBuilder builder(options, &writer);
  size_t charged_max = 0;
  bool written_early = false;
  for (const auto& [key, value] : entries) {
    builder.Add(key, value);
    charged_max = std::max(charged_max, options.table.block_cache->GetUsage());
    written_early |= builder.FileSize() > 0;
  }
  ASSERT_TRUE(builder.Finish().ok());
  ASSERT_TRUE(writer.Close().ok());
  EXPECT_GE(charged_max, size_t{256} << 10);
  EXPECT_TRUE(written_early);
  EXPECT_EQ(0u, options.table.block_cache->GetUsage());
  ExpectReadsBack(OpenOptions(), bytes, entries);
}

TEST(Dictionary, AFileOfOneEntryOrNoneIsSound) {
  for (const CompressionType type : kWithDictionary) {
    if (!CompressionTypeSupported(type)) continue;
    TableBuildOptions options = DictionaryOptions(type);
    options.compression_opts.zstd_max_train_bytes = 4096;
    for (const int count : {0, 1, 2}) {
      const Entries entries = AlikeEntries(count);
      ExpectReadsBack(OpenOptions(), BuildTable(options, entries), entries);
    }
  }
}

TEST(Dictionary, SamplesComeFromAllPartsOfTheFile) {
  DictionaryBuffer::Options options;
  options.type = kLZ4Compression;
  if (!CompressionTypeSupported(options.type)) GTEST_SKIP() << "no LZ4";
  options.compression.max_dict_bytes = 8 * 10;
  DictionaryBuffer buffer(options);
  for (int i = 0; i < 100; ++i) {
    buffer.Add(std::string(10, static_cast<char>(i)), "k");
  }
  std::set<int> quarters;
  const std::string dictionary = buffer.MakeDictionary();
  EXPECT_EQ(80u, dictionary.size());
  for (const char c : dictionary) quarters.insert(c / 25);
  EXPECT_EQ(4u, quarters.size());
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
