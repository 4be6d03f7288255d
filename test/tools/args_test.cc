// Command lines of other versions.

#include "tools/db_bench/args.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace ROCKSDB_NAMESPACE::test {
namespace {

using bench::CleanArgs;
using bench::FlagKind;

FlagKind Known(const std::string& name) {
  if (name == "sync" || name == "partition_index_and_filters" ||
      name == "partition_index") {
    return FlagKind::kBool;
  }
  return name == "num" || name == "db" ? FlagKind::kValue : FlagKind::kUnknown;
}

// The flags db_bench has.
FlagKind KindOfFlag(const std::string& name) {
  static const std::map<std::string, std::string> kTypes = {
#define FLAG(type, name, value, help) {#name, #type},
#include "tools/db_bench/flags.def"  // NOLINT: expanded here on purpose.
#undef FLAG
  };
  const auto it = kTypes.find(name);
  if (it == kTypes.end()) return FlagKind::kUnknown;
  return it->second == "bool" ? FlagKind::kBool : FlagKind::kValue;
}

using Words = std::vector<std::string>;

TEST(CleanArguments, EverySpellingOfAFlagIsUnderstood) {
  const CleanArgs clean =
      bench::CleanArguments({"-num=5", "--num", "6", "-sync", "--nosync",
                             "-sync=false", "-db", "/x", "-num", "-1"},
                            Known);
  EXPECT_EQ(clean.args, (Words{"--num=5", "--num=6", "--sync", "--nosync",
                               "--sync=false", "--db=/x", "--num=-1"}));
  EXPECT_TRUE(clean.warnings.empty());
}

TEST(CleanArguments, UnknownFlagsWarnAndTakeTheirValueAlong) {
  const CleanArgs clean = bench::CleanArguments(
      {"-what=1", "--who", "7", "-num=5", "-why", "-sync", "stray"}, Known);
  EXPECT_EQ(clean.args, (Words{"--num=5", "--sync"}));
  ASSERT_EQ(clean.warnings.size(), 4u);
  EXPECT_EQ(clean.warnings[0], "unknown flag ignored: -what=1");
  EXPECT_EQ(clean.warnings[3], "ignored: stray");
}

TEST(CleanArguments, OldNamesAreTranslatedOrSilentlyDropped) {
  const CleanArgs clean = bench::CleanArguments(
      {"-partition_filters", "-partition_indexes", "-hard_rate_limit=2",
       "--disable_data_sync", "1", "-num=1"},
      Known);
  EXPECT_EQ(clean.args, (Words{"--partition_index_and_filters",
                               "--partition_index", "--num=1"}));
  EXPECT_TRUE(clean.warnings.empty());
}

// A published command line, word for word: nothing of it is unknown.
TEST(CleanArguments, TheCommandOfThePartitioningArticleIsUnderstood) {
  const CleanArgs clean =
      bench::CleanArguments({"--benchmarks=readwhilewriting[X3],stats",
                             "--use_direct_reads=1",
                             "-compaction_readahead_size",
                             "1048576",
                             "--use_existing_db",
                             "--num=2000000000",
                             "--duration",
                             "600",
                             "--cache_size=62914560",
                             "-cache_index_and_filter_blocks=false",
                             "-statistics",
                             "-histogram",
                             "-bloom_bits=10",
                             "-target_file_size_base=268435456",
                             "-block_size=32768",
                             "-threads",
                             "32",
                             "-partition_filters",
                             "-partition_indexes",
                             "-index_per_partition",
                             "100",
                             "-pin_l0_filter_and_index_blocks_in_cache",
                             "-benchmark_write_rate_limit",
                             "204800",
                             "-max_bytes_for_level_base",
                             "134217728",
                             "-cache_high_pri_pool_ratio",
                             "0.9"},
                            KindOfFlag);
  EXPECT_TRUE(clean.warnings.empty());
  EXPECT_EQ(21u, clean.args.size());
  const auto has = [&](const std::string& word) {
    return std::count(clean.args.begin(), clean.args.end(), word) == 1;
  };
  EXPECT_TRUE(has("--partition_index_and_filters"));
  EXPECT_TRUE(has("--partition_index"));
  EXPECT_TRUE(has("--index_per_partition=100"));
  EXPECT_TRUE(has("--threads=32"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
