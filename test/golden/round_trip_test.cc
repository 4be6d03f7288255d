// There and back: databases of genuine RocksDB, rewritten whole here and read
// by it, then rewritten whole by it and read here. Whatever was in them must
// still be there, and the checker of the formats must find nothing wrong.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "test/support/golden.h"
#include "test/support/golden_case.h"
#include "test/support/peer.h"
#include "test/support/peer_rows.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using test::GoldenCopy;
using test::GoldenOpening;
using test::OpenedFamilies;
using test::PeerLibrary;

// The row as peer_dump shows it: of an entity only the default column.
std::string AsPeerShows(const std::string& row) {
  const size_t at = row.find(" e=");
  if (at == std::string::npos) return row;
  const std::string columns = row.substr(at + 3);
  const std::string key = row.substr(0, at);
  if (columns.empty() || columns[0] != ':') return key + " v=";
  return key + " v=" + columns.substr(1, columns.find(',') - 1);
}

// Where peers are told to look for what OPTIONS files do not say.
std::string PathArguments(const GoldenCopy& copy) {
  if (copy.name() != "paths") return "";
  const std::string folder = copy.folder().string();
  return " path=" + folder + "/path0:3000 path=" + folder +
         "/path1:1000000 cf_path=own:" + folder + "/cfpath:1000000";
}

void ExpectPeerShows(const GoldenCopy& copy, const PeerLibrary& library,
                     const std::string& command) {
  SCOPED_TRACE(library.release + " " + command);
  std::string arguments = " " + command + PathArguments(copy);
  if (copy.hidden_suffix() > 0) {
    arguments += " strip=" + std::to_string(copy.hidden_suffix());
  }
  std::map<std::string, std::vector<std::string>> shown;
  test::ReadWithPeer(library, copy.db(), arguments, &shown);
  for (const test::GoldenFamily& family : copy.expected()) {
    std::vector<std::string> expected;
    for (const test::GoldenRow& row : family.rows) {
      expected.push_back(AsPeerShows(row.text));
    }
    EXPECT_EQ(expected, shown[family.name]) << "family " << family.name;
  }
}

// Every table of every family anew, in the deepest level.
Status RewriteAll(const OpenedFamilies& opened) {
  CompactRangeOptions all;
  all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  for (const auto& [name, handle] : opened.handles) {
    Status status = opened.db->CompactRange(all, handle, nullptr, nullptr);
    if (!status.ok()) return status;
  }
  return Status::OK();
}

// What we make of it: rewritten, read back, closed.
Status RewriteHere(const GoldenCopy& copy, std::string* difference) {
  OpenedFamilies opened;
  Status status = copy.Open(GoldenOpening::kAsWriter, &opened);
  if (!status.ok()) return status;
  status = RewriteAll(opened);
  if (!status.ok()) return status;
  status = opened.db->VerifyChecksum();
  if (!status.ok()) return status;
  status = copy.Compare(opened, difference);
  if (!status.ok()) return status;
  return opened.db->Close();
}

void ExpectReadHere(const GoldenCopy& copy) {
  OpenedFamilies opened;
  std::string difference;
  Status status = copy.Open(GoldenOpening::kAsReader, &opened);
  if (status.ok()) status = copy.Compare(opened, &difference);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("", difference);
}

void ExpectWellFormed(const GoldenCopy& copy) {
  static const std::string checker = test::FormatChecker();
  if (checker.empty()) return;
  const test::Ran ran =
      test::RunCommand(checker + " " + copy.folder().string());
  EXPECT_EQ(0, ran.code) << ran.output;
}

// Debian's 7.8.3 is asked about its own databases; it cannot name directories
// of families.
bool Asked(const PeerLibrary& library, const std::string& golden) {
  // As a plain database RocksDB refuses what is prepared; TransactionPeer asks
  // it as what it is.
  if (golden.ends_with("/txn_write_committed")) return false;
  return library.release != "7.8.3" ||
         (golden.starts_with("v7.8.3") && !golden.ends_with("/paths"));
}

class RoundTrip : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "none") {
      RIVERSTONE_SKIP_WITHOUT(std::vector<int>());
    }
    libraries_ = test::PeerLibraries();
    if (libraries_.empty()) GTEST_SKIP() << "NO PEER LIBRARY";
  }
  fs::path Source() const { return test::GoldenFolder() / GetParam(); }

  std::vector<PeerLibrary> libraries_;
};

TEST_P(RoundTrip, WhatRocksDbWroteAndWeRewroteItReads) {
  const test::TempDir dir;
  const GoldenCopy copy(Source(), dir.File(Source().filename().string()));
  std::string difference;
  const Status status = RewriteHere(copy, &difference);
  if (status.IsNotSupported()) {
    GTEST_SKIP() << "REFUSED HERE: " << status.ToString();
  }
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("", difference);
  ExpectWellFormed(copy);
  for (const PeerLibrary& library : libraries_) {
    if (Asked(library, GetParam())) ExpectPeerShows(copy, library, "");
  }
  ExpectReadHere(copy);
}

TEST_P(RoundTrip, WhatWeRewroteAndRocksDbRewroteWeRead) {
  if (GetParam() == "v11.9/v11_timestamps_stripped") {
    GTEST_SKIP() << "NOT THE SAME BY DESIGN: what RocksDB rewrites of such a "
                    "family loses its timestamps";
  }
  for (const PeerLibrary& library : libraries_) {
    if (!Asked(library, GetParam())) continue;
    const test::TempDir dir;
    const GoldenCopy copy(Source(), dir.File(Source().filename().string()));
    std::string difference;
    const Status status = RewriteHere(copy, &difference);
    if (status.IsNotSupported()) {
      GTEST_SKIP() << "REFUSED HERE: " << status.ToString();
    }
    ASSERT_TRUE(status.ok()) << status.ToString();
    ExpectPeerShows(copy, library, "compact");
    ExpectReadHere(copy);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Peer, RoundTrip, ::testing::ValuesIn(test::GoldenCases()),
    [](const ::testing::TestParamInfo<std::string>& tested) {
      return test::GoldenTestName(tested.param);
    });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
