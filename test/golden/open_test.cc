// Databases written by genuine RocksDB, opened whole: what this release
// supports reads exactly as its writer read it, what it does not support is
// refused in words and left as it was.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "test/support/golden.h"
#include "test/support/golden_case.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using test::GoldenCopy;
using test::GoldenFolder;
using test::GoldenOpening;
using test::ReadWholeFile;

// Cases of which this release cannot show everything, and a word its Status
// has to say. "at open": refused before anything is written.
struct Refusal {
  const char* word;
  bool at_open;
  bool to_writers_only = false;
};
const std::map<std::string, Refusal>& Refusals() {
  static constexpr Refusal kPrepared = {"prepared transactions", true, true};
  static const std::map<std::string, Refusal> kRefusals = {
      {"txn_write_prepared", kPrepared},
      {"txn_write_unprepared", kPrepared},
  };
  return kRefusals;
}

// The bytes of every file that may not change while a database is refused.
std::map<std::string, std::string> Contents(const fs::path& dir) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name.starts_with("LOG")) continue;
    if (name == "LOCK" || name == "IDENTITY") continue;
    contents[fs::relative(entry.path(), dir).string()] =
        ReadWholeFile(entry.path());
  }
  return contents;
}

// What the database shows, or the first error.
Status Compare(const GoldenCopy& copy, GoldenOpening opening,
               std::string* difference) {
  test::OpenedFamilies opened;
  Status status = copy.Open(opening, &opened);
  if (!status.ok()) return status;
  status = copy.Compare(opened, difference);
  if (!status.ok() || opening == GoldenOpening::kReadOnly) return status;
  return opened.db->Close();
}

class GoldenDatabase : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenDatabase, OpensOrIsRefused) {
  if (GetParam() == "none") {
    RIVERSTONE_SKIP_WITHOUT(std::vector<int>());
  }
  const fs::path source = GoldenFolder() / GetParam();
  const std::string name = source.filename().string();
  const auto refused = Refusals().find(name);
  for (const GoldenOpening opening :
       {GoldenOpening::kReadOnly, GoldenOpening::kAsReader}) {
    const test::TempDir dir;
    const GoldenCopy copy(source, dir.File("case"));
    const auto before = Contents(copy.folder());
    std::string difference;
    const Status status = Compare(copy, opening, &difference);
    const auto after = Contents(copy.folder());
    if (opening == GoldenOpening::kReadOnly) {
      EXPECT_EQ(before, after);
    }
    if (refused == Refusals().end() || (opening == GoldenOpening::kReadOnly &&
                                        refused->second.to_writers_only)) {
      EXPECT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ("", difference);
      continue;
    }
    EXPECT_FALSE(status.ok());
    EXPECT_NE(std::string::npos, status.ToString().find(refused->second.word))
        << status.ToString();
    for (const auto& [file, bytes] : before) {
      // An opened database may go on to a new log and MANIFEST; what it cannot
      // read it must not touch.
      const bool table = file.ends_with(".sst") || file.ends_with(".blob");
      if (!table && !refused->second.at_open) continue;
      EXPECT_TRUE(after.contains(file) && after.at(file) == bytes) << file;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GoldenDatabase, ::testing::ValuesIn(test::GoldenCases()),
    [](const ::testing::TestParamInfo<std::string>& tested) {
      return test::GoldenTestName(tested.param);
    });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
