// Data blocks that end where a policy of the program's says.

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "rocksdb/convenience.h"
#include "rocksdb/flush_block_policy.h"
#include "table_fixture.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using EndsBefore = std::function<bool(const Slice& key, const Slice& value)>;

class AskedPolicy final : public FlushBlockPolicy {
 public:
  explicit AskedPolicy(EndsBefore ends) : ends_(std::move(ends)) {}
  bool Update(const Slice& key, const Slice& value) override {
    return ends_(key, value);
  }

 private:
  const EndsBefore ends_;
};

class AskedFactory final : public FlushBlockPolicyFactory {
 public:
  // Makes the rule of one table; without a rule there is no policy.
  explicit AskedFactory(std::function<EndsBefore()> make)
      : make_(std::move(make)) {}
  const char* Name() const override { return "AskedFactory"; }
  FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions& /*table_options*/,
      const ROCKSDB_NAMESPACE::BlockBuilder& /*block*/) const override {
    EndsBefore ends = make_();
    return ends == nullptr ? nullptr : new AskedPolicy(std::move(ends));
  }

 private:
  const std::function<EndsBefore()> make_;
};

EndsBefore EveryTen() {
  return [entries = 0](const Slice&, const Slice&) mutable {
    return entries++ % 10 == 0;
  };
}
EndsBefore Never() {
  return [](const Slice&, const Slice&) { return false; };
}
EndsBefore Always() {
  return [](const Slice&, const Slice&) { return true; };
}
// Where the first seven bytes of the key change.
EndsBefore AtPrefixes() {
  return [last = std::string()](const Slice& key, const Slice&) mutable {
    const std::string prefix(key.data(), 7);
    return std::exchange(last, prefix) != prefix;
  };
}

TableBuildOptions WithPolicy(std::function<EndsBefore()> make) {
  TableBuildOptions options = BuildOptions();
  options.table.flush_block_policy_factory =
      std::make_shared<AskedFactory>(std::move(make));
  return options;
}

// Builds the table, reads it in every way, and returns its number of blocks.
uint64_t BlocksOf(const TableBuildOptions& options, const Entries& entries) {
  TableProperties properties;
  const auto table =
      OpenTable(OpenOptions(), BuildTable(options, entries, &properties));
  EXPECT_TRUE(table.ok()) << table.status().ToString();
  if (table.ok()) ExpectReadsBack(**table, entries);
  return properties.num_data_blocks;
}

TEST(FlushPolicy, CutsAsManyKeysAsItWants) {
  const Entries entries = OneVersionEach(705);
  for (const uint64_t block_size : {1, 100, 4096, 1 << 20}) {
    TableBuildOptions options = WithPolicy(&EveryTen);
    options.table.block_size = block_size;
    EXPECT_EQ(71u, BlocksOf(options, entries)) << block_size;
  }
}

TEST(FlushPolicy, CutsAtAPrefix) {
  const Entries entries = OneVersionEach(700);
  std::set<std::string> prefixes;
  for (const auto& [key, value] : entries) prefixes.insert(key.substr(0, 7));
  ASSERT_GT(prefixes.size(), 40u);
  EXPECT_EQ(prefixes.size(), BlocksOf(WithPolicy(&AtPrefixes), entries));
}

TEST(FlushPolicy, IsAskedOnceForEachEntryInOrder) {
  const Entries entries = SomeEntries(300);
  Entries asked;
  const TableBuildOptions options = WithPolicy([&asked] {
    return [&asked](const Slice& key, const Slice& value) {
      asked.emplace_back(key.ToString(), value.ToString());
      return asked.size() % 7 == 0;
    };
  });
  BuildTable(options, entries);
  ExpectSameEntries(entries, asked);
}

// With all that takes data blocks as they come.
TEST(FlushPolicy, NeverAndAlwaysGiveReadableTables) {
  using Table = BlockBasedTableOptions;
  const Entries entries = SomeEntries(300);
  for (const Table::IndexType index :
       {Table::kBinarySearch, Table::kTwoLevelIndexSearch,
        Table::kBinarySearchWithFirstKey}) {
    for (const bool align : {false, true}) {
      for (const bool hash : {false, true}) {
        TableBuildOptions always = WithPolicy(&Always);
        always.table.index_type = index;
        always.table.block_align = align;
        if (hash) {
          always.table.data_block_index_type = Table::kDataBlockBinaryAndHash;
        }
        TableBuildOptions never = always;
        never.table.flush_block_policy_factory =
            std::make_shared<AskedFactory>(&Never);
        EXPECT_EQ(entries.size(), BlocksOf(always, entries));
        EXPECT_EQ(1u, BlocksOf(never, entries));
      }
    }
  }
}

TEST(FlushPolicy, WorksWithDictionariesAndSeveralThreads) {
  const Entries entries = SomeEntries(500);
  for (const CompressionType type : SupportedCompressionTypes()) {
    for (const uint32_t threads : {1, 3}) {
      for (const uint32_t dictionary : {0, 2000}) {
        TableBuildOptions options = WithPolicy(&EveryTen);
        options.compression = type;
        options.compression_opts.parallel_threads = threads;
        options.compression_opts.max_dict_bytes = dictionary;
        EXPECT_EQ((entries.size() + 9) / 10, BlocksOf(options, entries));
      }
    }
  }
}

TEST(FlushPolicy, TheOneBySizeWritesTheSameBytesAsNone) {
  const Entries entries = SomeEntries(700);
  for (const uint64_t block_size : {1, 500, 4096, 10000}) {
    for (const int deviation : {0, 10, 50, 100}) {
      for (const bool align : {false, true}) {
        TableBuildOptions options = BuildOptions();
        options.table.block_size = block_size;
        options.table.block_size_deviation = deviation;
        options.table.block_align = align;
        const std::string expected = BuildTable(options, entries);
        options.table.flush_block_policy_factory =
            std::make_shared<FlushBlockBySizePolicyFactory>();
        EXPECT_EQ(expected, BuildTable(options, entries));
        options.table.flush_block_policy_factory =
            std::make_shared<AskedFactory>([] { return EndsBefore(); });
        EXPECT_EQ(expected, BuildTable(options, entries));
      }
    }
  }
}

// A policy that keeps to a size of its own through the one by size.
class HalfSizeFactory final : public FlushBlockPolicyFactory {
 public:
  const char* Name() const override { return "HalfSizeFactory"; }
  FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions& table_options,
      const ROCKSDB_NAMESPACE::BlockBuilder& block) const override {
    return FlushBlockBySizePolicyFactory::NewFlushBlockPolicy(
        table_options.block_size / 2, table_options.block_size_deviation,
        block);
  }
};

TEST(FlushPolicy, AProgramsOwnMayUseTheOneBySize) {
  const Entries entries = SomeEntries(700);
  TableBuildOptions options = BuildOptions();
  options.table.block_size = 500;
  const uint64_t expected = BlocksOf(options, entries);
  options.table.block_size = 1000;
  EXPECT_LT(BlocksOf(options, entries), expected);
  options.table.flush_block_policy_factory =
      std::make_shared<HalfSizeFactory>();
  EXPECT_EQ(expected, BlocksOf(options, entries));
}

TEST(FlushPolicy, FactoriesAreMadeFromTheirNames) {
  std::shared_ptr<FlushBlockPolicyFactory> factory;
  const auto make = [&factory](const std::string& name) {
    return FlushBlockPolicyFactory::CreateFromString(ConfigOptions(), name,
                                                     &factory);
  };
  ASSERT_TRUE(make("FlushBlockEveryKeyPolicyFactory").ok());
  EXPECT_STREQ("FlushBlockEveryKeyPolicyFactory", factory->Name());
  const Entries entries = SomeEntries(100);
  TableBuildOptions options = BuildOptions();
  options.table.flush_block_policy_factory = factory;
  EXPECT_EQ(entries.size(), BlocksOf(options, entries));

  EXPECT_TRUE(make("AskedFactory").IsNotSupported());
  ASSERT_TRUE(make("FlushBlockBySizePolicyFactory").ok());
  EXPECT_STREQ("FlushBlockBySizePolicyFactory", factory->Name());
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
