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

const bench::OwnFlags kKnown = {Known, {"sync", "num", "db"}};

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
                            kKnown);
  EXPECT_EQ(clean.args, (Words{"--num=5", "--num=6", "--sync", "--nosync",
                               "--sync=false", "--db=/x", "--num=-1"}));
  EXPECT_TRUE(clean.errors.empty());
}

TEST(CleanArguments, UnknownFlagsAreErrorsThatNameTheNearestFlag) {
  const CleanArgs clean = bench::CleanArguments(
      {"-nun=1", "--snyc", "7", "-num=5", "-sink", "-sync", "stray"}, kKnown);
  EXPECT_EQ(clean.args, (Words{"--num=5", "--sync"}));
  EXPECT_EQ(
      clean.errors,
      (Words{"unknown flag --nun; did you mean --num?",
             "unknown flag --snyc; did you mean --sync?", "unknown flag --sink",
             "'stray' is not a flag; flags begin with --"}));
}

TEST(NearestName, IsNearOrAbsent) {
  const Words names = {"num",         "sync",
                       "help",        "helpxml",
                       "ttl_seconds", "ttl_seconds_max",
                       "benchmarks",  "use_existing_db",
                       "use_fsync",   "value_k",
                       "db",          "max_bytes_for_level_base",
                       "size_a_1",    "size_a_2",
                       "size_a"};
  for (const auto& [name, nearest] : std::map<std::string, std::string>{
           {"bogus", ""},
           {"ttl", "ttl_seconds"},
           {"size", "size_a"},
           {"tt", ""},
           {"helo", "help"},
           {"halo", ""},
           {"n", ""},
           {"", ""},
           {"snyc", "sync"},
           {"benchmark", "benchmarks"},
           {"use_exitsing_bd", "use_existing_db"},
           {"help_me", ""},
           {"helpme", ""},
           {"value_len", ""},
           {"values", ""},
           {"use", ""},  // More than one name begins with it.
           {"use_my_existing_db", "use_existing_db"},
           {"use_this_existing_db", ""},
           {"bd", ""},
           {"valuek", "value_k"},
           {"maxbytesforlevelbase", "max_bytes_for_level_base"}}) {
    EXPECT_EQ(nearest, bench::NearestName(name, names)) << name;
  }
}

TEST(CleanArguments, AValueBehindABoolNeedsAnEqualsSign) {
  const CleanArgs clean =
      bench::CleanArguments({"--sync", "true", "--sync", "0"}, kKnown);
  EXPECT_EQ(clean.args, (Words{"--sync", "--sync"}));
  EXPECT_EQ(clean.errors, (Words{"--sync 0: write --sync=0"}));
}

TEST(CleanArguments, OldNamesAreTranslated) {
  const CleanArgs clean = bench::CleanArguments(
      {"-partition_filters", "-partition_indexes", "-num=1"}, kKnown);
  EXPECT_EQ(clean.args, (Words{"--partition_index_and_filters",
                               "--partition_index", "--num=1"}));
  EXPECT_TRUE(clean.errors.empty());
}

TEST(CleanArguments, RocksDBsOtherFlagsAreErrorsIfTheyChangeWhatIsMeasured) {
  const CleanArgs clean = bench::CleanArguments(
      {"-hard_rate_limit=2", "--disable_data_sync", "--writes_per_second", "5",
       "--nodisable_data_sync", "--writes_per_second=0",
       "--bloom_locality=0.0"},
      kKnown);
  EXPECT_TRUE(clean.args.empty());
  const std::string why =
      ": RocksDB's db_bench has this flag, ours does not, and it would change "
      "what is measured";
  EXPECT_EQ(clean.errors, (Words{"--disable_data_sync=true" + why,
                                 "--writes_per_second=5" + why}));
  EXPECT_EQ(
      clean.notes,
      (Words{"--hard_rate_limit=2 is ignored: it changes no benchmark of ours",
             "--disable_data_sync=false is ignored: it is RocksDB's default",
             "--writes_per_second=0 is ignored: it is RocksDB's default",
             "--bloom_locality=0.0 is ignored: it is RocksDB's default"}));
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
                            {KindOfFlag, {}});
  EXPECT_TRUE(clean.errors.empty());
  EXPECT_TRUE(clean.notes.empty());
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
