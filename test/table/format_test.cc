// Bytes of footer, properties, filters, ids.

#include <functional>
#include <set>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/unique_id.h"
#include "table/filter/filter_bits.h"
#include "table/filter/filter_policy.h"
#include "table/filter/ribbon.h"
#include "table/format/footer.h"
#include "table/format/properties.h"
#include "table/table_unique_id.h"
#include "table_fixture.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

TEST(FooterBytes, Version5) {
  Footer footer;
  footer.format_version = 5;
  footer.checksum_type = 4;
  footer.metaindex = {1000, 50};
  footer.index = {900, 95};
  EXPECT_EQ(
      "04"
      "E80732"  // metaindex: 1000, 50
      "84075F"  // index: 900, 95
      "00000000000000000000000000000000000000000000000000000000000000000000"
      "05000000"
      "F7CFF485B741E288",
      Hex(EncodeFooter(footer, 2000)));
}

TEST(Footer, EveryVersionComesBack) {
  for (uint32_t version = 2; version <= 7; ++version) {
    for (uint8_t checksum = 0; checksum <= 4; ++checksum) {
      Footer footer;
      footer.format_version = version;
      footer.checksum_type = checksum;
      const uint64_t offset = 5000;
      footer.metaindex = {offset - 55, 50};
      if (version < 6) {
        footer.index = {100, 20};
      } else {
        footer.base_context_checksum = 0x12345678;
      }
      const std::string bytes = EncodeFooter(footer, offset);
      ASSERT_EQ(kFooterSize, bytes.size());
      const auto back = DecodeFooter(bytes, offset + kFooterSize, "f.sst");
      ASSERT_TRUE(back.ok()) << back.status().ToString();
      EXPECT_EQ(version, back->format_version);
      EXPECT_EQ(checksum, back->checksum_type);
      EXPECT_EQ(footer.metaindex, back->metaindex);
      EXPECT_EQ(footer.index, back->index);
      if (version < 6) continue;
      // Read at another place, the footer's checksum does not hold.
      EXPECT_FALSE(DecodeFooter(bytes, offset + kFooterSize + 1, "f").ok());
    }
  }
}

TEST(Footer, Version0HasItsOwnMagicAndNoChecksumType) {
  std::string bytes;
  PutBlockHandle(&bytes, {60, 20});
  PutBlockHandle(&bytes, {30, 10});
  bytes.resize(40, '\0');
  PutFixed64(&bytes, kBlockBasedLegacyMagic);
  const auto footer = DecodeFooter(std::string(5, 'x') + bytes, 1000, "f.sst");
  ASSERT_TRUE(footer.ok()) << footer.status().ToString();
  EXPECT_EQ(0u, footer->format_version);
  EXPECT_EQ(1u, footer->checksum_type);
  EXPECT_EQ((BlockHandle{60, 20}), footer->metaindex);
  EXPECT_EQ((BlockHandle{30, 10}), footer->index);
  // The same bytes in a file too short for what they name.
  EXPECT_EQ(
      "Corruption: block handle outside the file in footer of f.sst: at "
      "offset 52",
      DecodeFooter(std::string(5, 'x') + bytes, 100, "f.sst")
          .status()
          .ToString());
}

// A footer of version 5 or 6 at offset 1000, changed by `change`.
std::string AnswerToFooter(uint32_t version,
                           const std::function<void(std::string*)>& change) {
  Footer footer;
  footer.format_version = version;
  footer.checksum_type = 1;
  footer.metaindex = {900, 95};
  if (version < 6) {
    footer.index = {100, 20};
  } else {
    footer.base_context_checksum = 7;
  }
  std::string bytes = EncodeFooter(footer, 1000);
  change(&bytes);
  return DecodeFooter(bytes, 1000 + kFooterSize, "f.sst").status().ToString();
}

TEST(Footer, DamageIsNamed) {
  const auto has = [](const std::string& answer, const char* words) {
    EXPECT_NE(std::string::npos, answer.find(words)) << answer;
    EXPECT_EQ(0u, answer.find("Corruption: ")) << answer;
  };
  has(AnswerToFooter(5, [](auto* b) { b->replace(1, 40, 40, '\xff'); }),
      "bad block handle");
  has(AnswerToFooter(5, [](auto* b) { (*b)[0] = 77; }),
      "unknown checksum type 77");
  has(AnswerToFooter(6, [](auto* b) { (*b)[1] ^= 1; }), "bad extended marker");
  has(AnswerToFooter(6, [](auto* b) { EncodeFixed32(&(*b)[9], 0); }),
      "base context checksum of 0");
  has(AnswerToFooter(6, [](auto* b) { (*b)[5] ^= 1; }), "checksum mismatch");
  std::string short_tail(kFooterSize - 1, '\0');
  EncodeFixed64(&short_tail[short_tail.size() - 8], kBlockBasedMagic);
  has(DecodeFooter(short_tail, short_tail.size(), "f.sst").status().ToString(),
      "file is too short");
  has(DecodeFooter("short", 5, "f.sst").status().ToString(),
      "file is too short (5 bytes) to be an sstable");
}

TEST(Footer, AMetaindexLargerThanTheFileIsRefused) {
  Footer footer;
  footer.format_version = 6;
  footer.checksum_type = 1;
  footer.base_context_checksum = 7;
  footer.metaindex = {0, 1000};  // Its trailer does not fit in front.
  const std::string bytes = EncodeFooter(footer, 1000);
  const std::string answer =
      DecodeFooter(bytes, 1000 + kFooterSize, "f.sst").status().ToString();
  EXPECT_NE(std::string::npos, answer.find("metaindex larger than the file"))
      << answer;
}

TEST(Footer, OtherTablesAreNamedInTheAnswer) {
  const auto answer = [](uint64_t magic) {
    std::string bytes(kFooterSize - 8, '\0');
    PutFixed64(&bytes, magic);
    return DecodeFooter(bytes, kFooterSize, "f.sst").status().ToString();
  };
  EXPECT_EQ("Not implemented: plain table format is not supported: f.sst",
            answer(kPlainTableMagic));
  EXPECT_EQ("Not implemented: cuckoo table format is not supported: f.sst",
            answer(kCuckooTableMagic));
  EXPECT_EQ(
      "Corruption: bad table magic number: expected 88e241b785f4cff7, found "
      "17 in f.sst",
      answer(0x17));
  EXPECT_EQ(
      "Not implemented: table format_version 0 is not supported (0 to 7 "
      "are): f.sst",
      answer(kBlockBasedMagic));
}

TEST(PropertiesBytes, NamesAscendAndNumbersAreVarints) {
  TableProperties p;
  p.num_entries = 300;
  p.comparator_name = "cmp";
  p.user_collected_properties["a.mine"] = "yes";
  const std::string bytes = EncodeProperties(p);
  EXPECT_EQ(
      "00060361"
      "2E6D696E65"
      "796573",
      Hex(bytes).substr(0, 24));
  TableProperties back;
  size_t at = 0;
  ASSERT_TRUE(DecodeProperties(bytes, &back, &at).ok());
  EXPECT_EQ(300u, back.num_entries);
  EXPECT_EQ("cmp", back.comparator_name);
  EXPECT_EQ("yes", back.user_collected_properties["a.mine"]);
  EXPECT_EQ(0u, at);
  EXPECT_EQ(UINT64_MAX, back.key_largest_seqno);
}

TEST(Properties, SumsAreOfAllFieldsThatCanBeSummed) {
  TableProperties one;
  one.data_size = 10;
  one.num_entries = 3;
  one.num_range_deletions = 1;
  TableProperties sum;
  sum.Add(one);
  sum.Add(one);
  const auto fields = sum.GetAggregatablePropertiesAsMap();
  EXPECT_EQ(20u, fields.at("data_size"));
  EXPECT_EQ(6u, fields.at("num_entries"));
  EXPECT_EQ(2u, fields.at("num_range_deletions"));
  EXPECT_EQ(0u, fields.at("filter_size"));
}

TEST(Properties, MemoryCountsTheTextsTheyHold) {
  TableProperties properties;
  const size_t empty = properties.ApproximateMemoryUsage();
  properties.comparator_name = std::string(1000, 'c');
  properties.user_collected_properties["name"] = std::string(500, 'v');
  EXPECT_GE(properties.ApproximateMemoryUsage(), empty + 1504);
}

TEST(Properties, CountsOfOldTablesAreReadFromTheCollectedOnes) {
  UserCollectedProperties collected;
  bool present = true;
  EXPECT_EQ(0u, GetDeletedKeys(collected));
  EXPECT_EQ(0u, GetMergeOperands(collected, &present));
  EXPECT_FALSE(present);
  PutVarint64(&collected["rocksdb.deleted.keys"], 300);
  PutVarint64(&collected["rocksdb.merge.operands"], 7);
  EXPECT_EQ(300u, GetDeletedKeys(collected));
  EXPECT_EQ(7u, GetMergeOperands(collected, &present));
  EXPECT_TRUE(present);
  collected["rocksdb.merge.operands"] = "\xff";  // Not a whole varint.
  EXPECT_EQ(0u, GetMergeOperands(collected, &present));
  EXPECT_TRUE(present);
}

// Differences, each of a sequence number and of seconds; their count first.
TEST(Properties, TheTimesOfSequenceNumbersAreShown) {
  TableProperties p;
  EXPECT_NE(std::string::npos, p.ToString(";").find("time mapping=;"));
  for (const uint64_t number : {2, 50, 1795170538, 50, 100}) {
    PutVarint64(&p.seqno_to_time_mapping, number);
  }
  EXPECT_NE(std::string::npos,
            p.ToString(";").find("mapping=50->1795170538,100->1795170638,;"));
  p.seqno_to_time_mapping.resize(3);
  EXPECT_NE(std::string::npos,
            p.ToString(";").find("mapping=3 damaged bytes;"));
}

TEST(Properties, ACollectorCannotBeMadeFromText) {
  std::shared_ptr<TablePropertiesCollectorFactory> factory;
  EXPECT_TRUE(TablePropertiesCollectorFactory::CreateFromString(ConfigOptions(),
                                                                "x", &factory)
                  .IsNotSupported());
}

TEST(Properties, ABadNumberIsNamed) {
  TableProperties p;
  p.user_collected_properties["rocksdb.top-level.index.size"] = "\xff";
  TableProperties back;
  size_t at = 0;
  EXPECT_EQ("Corruption: bad value of property rocksdb.top-level.index.size",
            DecodeProperties(EncodeProperties(p), &back, &at).ToString());
}

TEST(FilterBytes, CacheLocalBloom) {
  FilterBitsBuilder builder(FilterKind::kFastLocalBloom, 10000);
  builder.AddKey("hello");
  builder.AddKey("world");
  const std::string payload = builder.Finish();
  EXPECT_EQ(
      "00000000000000000000000000000000000000000000000000000000000000"
      "00000000000000000000000000000000000000000000000000000000000000"
      "0000"
      "FF00060000",
      [&] {
        std::string hex = Hex(payload);
        // The key bits are pinned by the golden databases; here the frame.
        std::fill(hex.begin(), hex.begin() + 128, '0');
        return hex;
      }());
  const FilterBits bits(payload);
  EXPECT_TRUE(bits.MayMatch("hello"));
  EXPECT_TRUE(bits.MayMatch("world"));
  EXPECT_FALSE(bits.MayMatch("x"));
  EXPECT_FALSE(bits.MayMatch("foo"));
}

TEST(FilterBytes, ReservedKindsMatchEverythingAndEmptyNothing) {
  std::string payload(64, '\0');
  payload += std::string("\xfd\0\0\0\0", 5);
  EXPECT_TRUE(FilterBits(payload).MayMatch("x"));
  payload[64] = '\0';
  EXPECT_TRUE(FilterBits(payload).MayMatch("x"));
  EXPECT_FALSE(FilterBits(Slice()).MayMatch("x"));
  EXPECT_FALSE(FilterBits(std::string(5, '\0')).MayMatch("x"));
  EXPECT_TRUE(FilterBits().MayMatch("x"));
}

TEST(Filter, TheFalsePositiveRateIsThatOfTheBits) {
  for (const int millibits : {5000, 10000, 15500}) {
    for (const FilterKind kind :
         {FilterKind::kLegacyBloom, FilterKind::kFastLocalBloom,
          FilterKind::kRibbon}) {
      FilterBitsBuilder builder(kind, millibits);
      for (int i = 0; i < 10000; ++i) builder.AddKey(std::to_string(i));
      const std::string payload = builder.Finish();
      const FilterBits bits(payload);
      int wrong = 0;
      for (int i = 0; i < 10000; ++i) {
        ASSERT_TRUE(bits.MayMatch(std::to_string(i)));
        if (bits.MayMatch("no" + std::to_string(i))) ++wrong;
      }
      // 10 %, 1 % and 0.1 %, with room for chance.
      EXPECT_LT(wrong, millibits == 5000    ? 1300
                       : millibits == 10000 ? 180
                                            : 40)
          << millibits;
    }
  }
}

std::string FilterOf(FilterKind kind, int millibits, int keys) {
  FilterBitsBuilder builder(kind, millibits);
  for (int i = 0; i < keys; ++i) builder.AddKey("key" + std::to_string(i));
  return builder.Finish();
}

int KindOf(const std::string& payload) {
  return static_cast<int8_t>(payload[payload.size() - kFilterMetadataSize]);
}

TEST(RibbonFilter, ItIsSmallerThanABloomFilterAsGood) {
  for (const int millibits : {5000, 9900, 15500, 25000}) {
    const size_t bloom =
        FilterOf(FilterKind::kFastLocalBloom, millibits, 50000).size();
    const std::string ribbon = FilterOf(FilterKind::kRibbon, millibits, 50000);
    EXPECT_EQ(-2, KindOf(ribbon));
    EXPECT_LT(ribbon.size() * 100, bloom * 76) << millibits;
    EXPECT_GT(ribbon.size() * 100, bloom * 60) << millibits;
  }
}

// Every size from one key on, across the change from Bloom to Ribbon, and
// rates that need one column or many.
TEST(RibbonFilter, WhatWasAddedIsFoundWhateverTheSize) {
  int blooms = 0;
  int ribbons = 0;
  for (int keys = 1; keys < 6000; keys += keys / 16 + 1) {
    for (const int millibits : {1000, 2500, 10000, 100000}) {
      const std::string payload =
          FilterOf(FilterKind::kRibbon, millibits, keys);
      ++(KindOf(payload) == -2 ? ribbons : blooms);
      const FilterBits bits(payload);
      for (int i = 0; i < keys; ++i) {
        ASSERT_TRUE(bits.MayMatch("key" + std::to_string(i)))
            << keys << " keys, " << millibits;
      }
    }
  }
  EXPECT_GT(blooms, 50);
  EXPECT_GT(ribbons, 50);
}

TEST(RibbonFilter, NeighbouringSeedsGiveDifferentEquations) {
  std::set<uint64_t> seeds;
  for (uint32_t seed = 0; seed < 256; ++seed) {
    seeds.insert(RibbonRawSeed(seed));
  }
  EXPECT_EQ(256u, seeds.size());
}

TEST(RibbonFilter, TooManyKeysAreLeftToBloom) {
  EXPECT_EQ(0u, RibbonShapeFor(kRibbonKeysMax + 1, 10000, 1).blocks);
  const RibbonShape largest = RibbonShapeFor(kRibbonKeysMax, 10000, 1);
  EXPECT_GT(largest.slots(), kRibbonKeysMax);
  EXPECT_LT(largest.blocks, 1u << 24);  // The format's field.
}

TEST(FilterConstruction, IsChargedToTheCacheWhileItLasts) {
  const auto cache = NewLRUCache(64 << 20, 0);
  {
    FilterBitsBuilder builder(FilterKind::kRibbon, 10000);
    builder.ChargeTo(cache);
    for (int i = 0; i < 100000; ++i) builder.AddKey(std::to_string(i));
    // The hashes alone, to one dummy entry and a step.
    EXPECT_GE(cache->GetUsage(), size_t{100000 - 8192} * 8);
    EXPECT_EQ(-2, KindOf(builder.Finish()));
  }
  EXPECT_EQ(0u, cache->GetUsage());
}

TEST(FilterConstruction, WithoutRoomForRibbonThereIsABloomFilter) {
  LRUCacheOptions options;
  options.capacity = 1536 << 10;
  options.num_shard_bits = 0;
  options.strict_capacity_limit = true;
  FilterBitsBuilder builder(FilterKind::kRibbon, 10000);
  builder.ChargeTo(options.MakeSharedCache());
  for (int i = 0; i < 100000; ++i) builder.AddKey(std::to_string(i));
  const std::string payload = builder.Finish();
  EXPECT_EQ(-1, KindOf(payload));
  EXPECT_TRUE(FilterBits(payload).MayMatch("99999"));
}

TEST(FilterConstruction, ADamagedFilterIsNoticed) {
  for (const FilterKind kind :
       {FilterKind::kLegacyBloom, FilterKind::kFastLocalBloom,
        FilterKind::kRibbon}) {
    FilterBitsBuilder builder(kind, 10000);
    builder.CheckWhenFinished();
    std::vector<uint64_t> hashes;
    for (int i = 0; i < 5000; ++i) {
      const std::string key = std::to_string(i);
      builder.AddKey(key);
      hashes.push_back(
          kind == FilterKind::kLegacyBloom
              ? Hash32Legacy(key.data(), key.size(), kLegacyBloomSeed)
              : Hash64(key));
    }
    std::string payload = builder.Finish();
    EXPECT_TRUE(builder.status().ok()) << builder.status().ToString();
    EXPECT_TRUE(FilterHoldsAll(payload, hashes));
    // One bit of three out of four bytes.
    for (size_t i = 0; i < payload.size() - 5; ++i) {
      if (i % 4 != 0) payload[i] = static_cast<char>(payload[i] & 0xfe);
    }
    EXPECT_FALSE(FilterHoldsAll(payload, hashes));
  }
}

TEST(FilterPolicy, RibbonBeginsAtTheLevelThatWasSaid) {
  const auto first_ribbon_level = [](int bloom_before_level) {
    const std::unique_ptr<const FilterPolicy> policy(
        NewRibbonFilterPolicy(10, bloom_before_level));
    for (int level = -1; level < 7; ++level) {
      auto builder = static_cast<const BuiltinFilterPolicy*>(policy.get())
                         ->NewBuilder(5, level);
      for (int i = 0; i < 5000; ++i) builder->AddKey(std::to_string(i));
      if (KindOf(builder->Finish()) == -2) return level;
    }
    return 99;
  };
  EXPECT_EQ(-1, first_ribbon_level(-1));
  EXPECT_EQ(0, first_ribbon_level(0));
  EXPECT_EQ(3, first_ribbon_level(3));
  EXPECT_EQ(99, first_ribbon_level(INT_MAX));
}

TEST(FilterPolicy, TextsNamePoliciesAndComeBack) {
  const auto id = [](const std::string& text) {
    std::shared_ptr<const FilterPolicy> policy;
    const Status status =
        FilterPolicy::CreateFromString(ConfigOptions(), text, &policy);
    if (!status.ok()) return status.ToString();
    return policy == nullptr ? std::string("null") : policy->GetId();
  };
  EXPECT_EQ("bloomfilter:10:false", id("bloomfilter:10:false"));
  EXPECT_EQ("bloomfilter:9.9:false", id("bloomfilter:9.9"));
  EXPECT_EQ("ribbonfilter:10:3", id("ribbonfilter:10:3"));
  EXPECT_EQ("rocksdb.BuiltinBloomFilter", id("rocksdb.BuiltinBloomFilter"));
  for (const std::string kind : {"FastLocalBloomFilter", "LegacyBloomFilter",
                                 "Standard128RibbonFilter"}) {
    const std::string text = "rocksdb.internal." + kind + ":10";
    EXPECT_EQ(text, id(text));
  }
  EXPECT_EQ("bloomfilter:10:false", id("rocksdb.BloomFilter:10:false"));
  EXPECT_EQ("ribbonfilter:10:2", id("rocksdb.RibbonFilter:10:2"));
  EXPECT_EQ("null", id("nullptr"));
  EXPECT_EQ("null", id(""));
  EXPECT_EQ("Invalid argument: filter policy needs bits per key: bloomfilter",
            id("bloomfilter"));
  EXPECT_EQ("Not implemented: unknown filter policy: other:1", id("other:1"));
  EXPECT_EQ("ribbonfilter:10:2147483647", id("ribbonfilter:10:2147483647"));
  for (const std::string level : {"1e300", "-1e300", "nan", "inf", "-2"}) {
    EXPECT_EQ(
        "Invalid argument: filter policy with a bad level: ribbonfilter:"
        "10:" +
            level,
        id("ribbonfilter:10:" + level));
  }
}

TEST(FilterPolicy, NamesOfOneKindOfFilterBuildThatAtEveryLevelAndFormat) {
  // What KindOf() tells, and the format that bloomfilter would not use it in.
  const std::pair<const char*, int> kinds[] = {
      {"rocksdb.internal.FastLocalBloomFilter:10", 4},
      {"rocksdb.internal.LegacyBloomFilter:10", 5},
      {"rocksdb.internal.Standard128RibbonFilter:10", 4}};
  std::vector<int> built;
  for (const auto& [text, format] : kinds) {
    std::shared_ptr<const FilterPolicy> policy;
    ASSERT_TRUE(
        FilterPolicy::CreateFromString(ConfigOptions(), text, &policy).ok());
    auto builder = static_cast<const BuiltinFilterPolicy*>(policy.get())
                       ->NewBuilder(static_cast<uint32_t>(format), -1);
    for (int i = 0; i < 5000; ++i) builder->AddKey(std::to_string(i));
    built.push_back(KindOf(builder->Finish()));
  }
  EXPECT_EQ(-1, built[0]);
  EXPECT_LT(0, built[1]);
  EXPECT_EQ(-2, built[2]);
}

TEST(FilterPolicy, TheNameWithoutBitsReadsFiltersAndBuildsNone) {
  std::shared_ptr<const FilterPolicy> policy;
  ASSERT_TRUE(FilterPolicy::CreateFromString(
                  ConfigOptions(), "rocksdb.BuiltinBloomFilter", &policy)
                  .ok());
  EXPECT_STREQ("rocksdb.BuiltinBloomFilter", policy->CompatibilityName());
  EXPECT_EQ(
      nullptr,
      static_cast<const BuiltinFilterPolicy*>(policy.get())->NewBuilder(5, -1));
}

TEST(FilterPolicy, UnderHalfABitThereIsNoFilter) {
  const std::unique_ptr<const FilterPolicy> none(NewBloomFilterPolicy(0.4));
  const std::unique_ptr<const FilterPolicy> some(NewBloomFilterPolicy(0.5));
  const auto builder = [](const FilterPolicy* policy) {
    return static_cast<const BuiltinFilterPolicy*>(policy)->NewBuilder(5, 0);
  };
  EXPECT_EQ(nullptr, builder(none.get()));
  EXPECT_NE(nullptr, builder(some.get()));
}

// A golden table of release 7.8.3 and what its sst_dump prints for it.
TEST(UniqueId, ThePublicFormIsThatOfThePeer) {
  TableProperties p;
  p.db_id = "00e66ff6-341a-4e91-b5ed-0e21de581ff3";
  p.db_session_id = "PGG7VY0ZRIZRGJA1Z1AC";
  p.orig_file_number = 17;
  EXPECT_NE(std::string::npos,
            p.ToString("\n", ": ")
                .find("unique ID: 998214B0BF736744-71AA542F7E745C86\n"));
}

TEST(UniqueId, ProgramsGetThePublicFormInBytes) {
  TableProperties p;
  p.db_id = "00e66ff6-341a-4e91-b5ed-0e21de581ff3";
  p.db_session_id = "PGG7VY0ZRIZRGJA1Z1AC";
  p.orig_file_number = 17;
  std::string id;
  ASSERT_TRUE(GetUniqueIdFromTableProperties(p, &id).ok());
  EXPECT_EQ(16u, id.size());
  EXPECT_EQ("998214B0BF736744-71AA542F7E745C86", UniqueIdToHumanString(id));
  EXPECT_EQ("998214B0BF736744-71", UniqueIdToHumanString(id.substr(0, 9)));
  EXPECT_EQ("998214B0BF736744", UniqueIdToHumanString(id.substr(0, 8)));
  EXPECT_EQ("", UniqueIdToHumanString(""));
  std::string extended;
  ASSERT_TRUE(GetExtendedUniqueIdFromTableProperties(p, &extended).ok());
  EXPECT_EQ(24u, extended.size());
  EXPECT_EQ(id, extended.substr(0, 16));
  // Other databases, sessions and files have other ids, all words included.
  p.orig_file_number = 18;
  std::string other;
  ASSERT_TRUE(GetExtendedUniqueIdFromTableProperties(p, &other).ok());
  for (const size_t word : {0u, 8u, 16u}) {
    EXPECT_NE(extended.substr(word, 8), other.substr(word, 8)) << word;
  }
}

TEST(UniqueId, TablesWithoutTheirOriginHaveNone) {
  TableProperties p;
  p.db_id = "an-identity";
  p.orig_file_number = 17;
  std::string id = "before";
  const Status status = GetUniqueIdFromTableProperties(p, &id);
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("an-identity"));
  EXPECT_EQ("", id);
  EXPECT_TRUE(GetExtendedUniqueIdFromTableProperties(p, &id).IsNotSupported());
  p.db_session_id = "PGG7VY0ZRIZRGJA1Z1AC";
  EXPECT_TRUE(GetExtendedUniqueIdFromTableProperties(p, &id).ok());
  EXPECT_TRUE(GetUniqueIdFromTableProperties(p, nullptr).IsInvalidArgument());
}

TEST(UniqueId, SessionIdsAreTwentyDigits) {
  EXPECT_EQ("00000000000000000000", EncodeSessionId(0, 0));
  EXPECT_EQ(20u, EncodeSessionId(0xfedcba98, 0x123456789abcdef0).size());
  uint64_t id[2];
  EXPECT_FALSE(InternalUniqueId("", "S", 1, id));
  EXPECT_FALSE(InternalUniqueId("d", "", 1, id));
  EXPECT_FALSE(InternalUniqueId("d", "S", 0, id));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
