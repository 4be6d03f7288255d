// Command lines of other versions.

#include "tools/db_bench/args.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
