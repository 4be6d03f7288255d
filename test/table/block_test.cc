// Blocks: their bytes, and the cursor against a vector.

#include <algorithm>

#include "table/block/block_builder.h"
#include "table/block/block_iter.h"
#include "table/index/flat_index.h"
#include "table/index/index_builder.h"
#include "table_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

Block::Ptr MakeBlock(const BlockBuilder::Options& options,
                     const Entries& entries) {
  BlockBuilder builder(options);
  for (const auto& [key, value] : entries) builder.Add(key, value);
  Block::Ptr block = Block::Copy(builder.Finish());
  EXPECT_TRUE(block->Parse());
  return block;
}

TEST(BlockBytes, PrefixesAreSharedUntilTheRestart) {
  BlockBuilder builder({.restart_interval = 2});
  builder.Add("aabb", "1");
  builder.Add("aacc", "22");
  builder.Add("aacd", "");
  EXPECT_EQ(
      "00040161616262"  // shared 0, unshared 4, value 1, "aabb"
      "31"
      "0202026363"  // shared 2, unshared 2, value 2, "cc"
      "3232"
      "000400"  // a restart: nothing shared
      "61616364"
      "000000000F000000"  // restart offsets 0 and 15
      "02000000",         // footer word
      Hex(builder.Finish()));
}

TEST(BlockBytes, AnEmptyBlockHasOneRestart) {
  BlockBuilder builder({});
  EXPECT_EQ("0000000001000000", Hex(builder.Finish()));
}

TEST(BlockBytes, WithoutDeltaEncodingKeysAreWhole) {
  BlockBuilder builder({.use_delta_encoding = false});
  builder.Add("aa", "");
  builder.Add("ab", "");
  EXPECT_EQ(
      "0002006161"
      "0002006162"
      "0000000001000000",
      Hex(builder.Finish()));
}

TEST(BlockBytes, TheHashIndexFollowsTheRestarts) {
  BlockBuilder builder({.restart_interval = 1, .hash_ratio = 0.75});
  builder.Add(IKey("a", 1), "");
  builder.Add(IKey("b", 1), "");
  const std::string bytes = builder.Finish().ToString();
  Block::Ptr block = Block::Copy(bytes);
  ASSERT_TRUE(block->Parse());
  EXPECT_EQ(2u, block->restart_count());
  EXPECT_EQ(3u, block->bucket_count());  // floor(2 / 0.75) | 1
  EXPECT_EQ("02000080", Hex(Slice(bytes).ToString().substr(bytes.size() -
                                                           sizeof(uint32_t))));
}

// Whatever byte of an entry changes, no cursor shows anything that was not
// there, nor leaves anything out, without saying so.
TEST(ProtectedBlock, FindsEveryChangedByte) {
  Entries entries;
  for (int i = 0; i < 40; ++i) {
    entries.emplace_back(IKey("key" + std::to_string(1000 + i), 7),
                         "value" + std::to_string(i));
  }
  for (const bool separated : {false, true}) {
    for (const size_t bytes : {1u, 2u, 4u, 8u}) {
      const Block::Ptr block = MakeBlock({.restart_interval = 4,
                                          .hash_ratio = 0.75,
                                          .separate_values = separated},
                                         entries);
      block->TakeSamples();
      const size_t before = block->memory_usage();
      ASSERT_TRUE(block->Protect(BytewiseInternal(), bytes));
      EXPECT_LE(before + entries.size() * bytes, block->memory_usage());
      const auto shows_the_truth = [&] {
        BlockIter it;
        it.Init(block.get(), BytewiseInternal());
        size_t i = 0;
        for (it.SeekToFirst(); it.Valid(); it.Next(), ++i) {
          EXPECT_EQ(entries[i].first, it.key().ToString());
          EXPECT_EQ(entries[i].second, it.value().ToString());
        }
        bool whole = !it.corrupt();
        EXPECT_TRUE(it.corrupt() || i == entries.size());
        i = entries.size();
        for (it.SeekToLast(); i > 0 && it.Valid(); it.Prev()) {
          EXPECT_EQ(entries[--i].first, it.key().ToString());
        }
        EXPECT_TRUE(it.corrupt() || i == 0);
        for (const auto& [key, value] : entries) {
          it.Init(block.get(), BytewiseInternal());
          it.SeekForGet(key);
          whole = whole && !it.corrupt();
          if (it.corrupt()) continue;
          EXPECT_TRUE(it.Valid());
          EXPECT_EQ(key, it.key().ToString());
          EXPECT_EQ(value, it.value().ToString());
        }
        return whole;
      };
      EXPECT_TRUE(shows_the_truth());
      // One byte of checksum misses one change of 256.
      if (bytes == 1) continue;
      for (uint32_t at = 0; at < block->values_end(); ++at) {
        block->data()[at] = static_cast<char>(block->data()[at] ^ 0x15);
        EXPECT_FALSE(shows_the_truth()) << at << " " << separated;
        block->data()[at] = static_cast<char>(block->data()[at] ^ 0x15);
      }
    }
  }
}

TEST(BlockIter, EveryShapeWalksLikeTheModel) {
  for (const size_t key_size : {1u, 10u, 200u}) {
    Entries entries;
    for (int i = 0; i < 200; ++i) {
      char name[16];
      std::snprintf(name, sizeof(name), "%04d", i * 2);
      entries.emplace_back(IKey(std::string(key_size, 'k') + name, 7),
                           std::string(static_cast<size_t>(i), 'v'));
    }
    for (const int restart : {1, 3, 16, 500}) {
      for (const double hash : {0.0, 0.75}) {
        const Block::Ptr block = MakeBlock(
            {.restart_interval = restart, .hash_ratio = hash}, entries);
        if (restart != 3) block->TakeSamples();
        BlockIter it;
        it.Init(block.get(), BytewiseInternal());
        size_t i = 0;
        for (it.SeekToFirst(); it.Valid(); it.Next(), ++i) {
          ASSERT_EQ(entries[i].first, it.key().ToString());
          ASSERT_EQ(entries[i].second, it.value().ToString());
        }
        ASSERT_EQ(entries.size(), i);
        for (it.SeekToLast(); it.Valid(); it.Prev()) {
          ASSERT_EQ(entries[--i].first, it.key().ToString());
          ASSERT_EQ(entries[i].second, it.value().ToString());
        }
        ASSERT_EQ(0u, i);
        for (i = 0; i < entries.size(); ++i) {
          it.Seek(entries[i].first);
          ASSERT_EQ(entries[i].first, it.key().ToString());
          // Behind this user key, before the next one.
          it.Seek(IKey(ExtractUserKey(entries[i].first).ToString() + "x", 1));
          ASSERT_EQ(i + 1 < entries.size(), it.Valid());
          if (it.Valid()) {
            ASSERT_EQ(entries[i + 1].first, it.key().ToString());
          }
          it.SeekForGet(entries[i].first);
          ASSERT_TRUE(it.Valid());
          ASSERT_EQ(entries[i].first, it.key().ToString());
          if (i > 0) {
            it.Prev();
            ASSERT_EQ(entries[i - 1].first, it.key().ToString());
            it.Next();
            ASSERT_EQ(entries[i].first, it.key().ToString());
          }
        }
        for (const char* outside : {"", "a", "k", "l", "kkkkkkkkkk0"}) {
          const std::string target = IKey(outside, 1);
          const auto expected = std::find_if(
              entries.begin(), entries.end(), [&](const auto& entry) {
                return BytewiseInternal()->Compare(Slice(entry.first),
                                                   Slice(target)) >= 0;
              });
          it.Seek(target);
          ASSERT_EQ(expected != entries.end(), it.Valid()) << outside;
          if (it.Valid()) {
            ASSERT_EQ(expected->first, it.key().ToString());
          }
        }
        ASSERT_FALSE(it.corrupt());
      }
    }
  }
}

TEST(Block, BadFooterWordsAreRefused) {
  for (const char* hex : {
           "",                  // No room for the word.
           "000000",            //
           "00000000",          // No restart point.
           "02000000",          // More restarts than bytes.
           "0000000001000040",  // The reserved bit.
           "0000000001000080",  // A hash index of zero buckets.
           "0000000001000010",  // A values section, but no offset of it.
       }) {
    std::string bytes;
    ASSERT_TRUE(Slice(hex).DecodeHex(&bytes));
    EXPECT_FALSE(Block::Copy(bytes)->Parse()) << hex;
  }
}

TEST(FlatIndex, EveryEncodingFindsTheSameBlock) {
  for (const bool user_keys : {false, true}) {
    for (const bool delta : {false, true}) {
      for (const int restart : {1, 4}) {
        IndexBuilder builder({.icmp = BytewiseInternal(),
                              .restart_interval = restart,
                              .may_use_user_keys = user_keys,
                              .delta_encode_values = delta});
        constexpr uint64_t kBlocks = 300;
        uint64_t offset = 0;
        for (uint64_t i = 0; i < kBlocks; ++i) {
          char last[32];
          char next[32];
          std::snprintf(last, sizeof(last), "common%06d9", static_cast<int>(i));
          std::snprintf(next, sizeof(next), "common%06d0",
                        static_cast<int>(i + 1));
          const std::string next_key = IKey(next, 3);
          const Slice next_slice(next_key);
          builder.AddBlock(Slice(), IKey(last, 3),
                           i + 1 < kBlocks ? &next_slice : nullptr,
                           {offset, 100 + i});
          offset += 105 + i;
        }
        const Block::Ptr block = Block::Copy(builder.Finish(nullptr).root);
        const auto index =
            FlatIndex::Parse(block.get(),
                             {.key_is_user_key = builder.uses_user_keys(),
                              .value_is_delta = delta},
                             *BytewiseInternal(), offset);
        ASSERT_NE(nullptr, index);
        ASSERT_EQ(user_keys, builder.uses_user_keys());
        ASSERT_EQ(kBlocks, index->size());
        for (uint64_t i = 0; i < kBlocks; ++i) {
          char name[32];
          std::snprintf(name, sizeof(name), "common%06d5", static_cast<int>(i));
          ASSERT_EQ(i, index->Find(*BytewiseInternal(), IKey(name, 1)));
          ASSERT_EQ(100 + i, index->handle(i).size);
        }
        EXPECT_EQ(0u, index->Find(*BytewiseInternal(), IKey("a", 1)));
        EXPECT_EQ(0u, index->Find(*BytewiseInternal(), IKey("", 1)));
        EXPECT_EQ(0u, index->Find(*BytewiseInternal(), IKey("common", 1)));
        EXPECT_EQ(kBlocks, index->Find(*BytewiseInternal(), IKey("d", 1)));
      }
    }
  }
}

TEST(FlatIndex, SharedBoundaryKeysForbidUserKeySeparators) {
  IndexBuilder builder({.icmp = BytewiseInternal()});
  const std::string next = IKey("k", 3);
  const Slice next_slice(next);
  builder.AddBlock(Slice(), IKey("k", 5), &next_slice, {0, 10});
  builder.AddBlock(Slice(), IKey("k", 1), nullptr, {15, 10});
  EXPECT_FALSE(builder.uses_user_keys());
}

TEST(FlatIndex, HandlesOutsideTheFileAreRefused) {
  IndexBuilder builder({.icmp = BytewiseInternal()});
  builder.AddBlock(Slice(), IKey("k", 5), nullptr, {1000, 10});
  const std::string bytes = builder.Finish(nullptr).root;
  const IndexEncoding encoding{.key_is_user_key = true, .value_is_delta = true};
  Block::Ptr block = Block::Copy(bytes);
  EXPECT_NE(nullptr,
            FlatIndex::Parse(block.get(), encoding, *BytewiseInternal(), 1015));
  block = Block::Copy(bytes);
  EXPECT_EQ(nullptr,
            FlatIndex::Parse(block.get(), encoding, *BytewiseInternal(), 1014));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
