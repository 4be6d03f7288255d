// Other programs read our databases, and we read theirs: Debian's tools
// (package rocksdb-tools) and the checker of the formats, found by
// RIVERSTONE_VERIFY or next to the source tree. Skipped, saying so, where
// they are absent.

#include "test/support/peer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "test/support/model_db.h"
#include "test/support/temp_dir.h"
#include "test/support/written_options.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using Rows = test::ModelDb::Rows;
using test::Peer;
using test::Ran;
using test::RunCommand;
using test::SmallOptions;

std::string Hex(const std::string& bytes) {
  return "0x" + Slice(bytes).ToString(/*hex=*/true);
}

// What the peer's ldb shows, in hex.
Rows PeerScan(const std::string& db) {
  const Ran ran =
      RunCommand(Peer("ldb") + " --db=" + db + " --hex scan", false);
  EXPECT_EQ(0, ran.code) << ran.output;
  Rows rows;
  std::istringstream lines(ran.output);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(" : ");
    if (at == std::string::npos) continue;
    rows[line.substr(0, at)] = line.substr(at + 3);
  }
  return rows;
}

Rows OurScan(DB* db) {
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  Rows rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows[Hex(it->key().ToString())] = Hex(it->value().ToString());
  }
  EXPECT_TRUE(it->status().ok()) << it->status().ToString();
  return rows;
}

std::string KeyOf(int n) { return "key" + std::to_string(100000 + n); }

// Overwrites and deletions, also of ranges and over a snapshot, in tables of
// several levels and in the log.
void Fill(DB* db) {
  const Snapshot* snapshot = nullptr;
  for (int i = 0; i < 3000; ++i) {
    if (i == 1200) snapshot = db->GetSnapshot();
    if (i == 2400) db->ReleaseSnapshot(snapshot);
    if (i % 50 == 7) {
      const int n = i * 7 % 1400;
      ASSERT_TRUE(
          db->DeleteRange(WriteOptions(), KeyOf(n), KeyOf(n + i % 40)).ok());
    }
    const std::string key = KeyOf(i * 7919 % 1500);
    const std::string value(static_cast<size_t>(i % 90),
                            static_cast<char>('a' + i % 26));
    Status status =
        i % 9 == 0 ? db->Delete(WriteOptions(), key)
                   : db->Put(WriteOptions(), key, value + std::to_string(i));
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  ASSERT_TRUE(db->WaitForCompact(WaitForCompactOptions()).ok());
}

// The checker, where it can run.
void ExpectWellFormed(const std::string& path) {
  static const std::string checker = test::FormatChecker();
  if (checker.empty()) return;
  const Ran checked = RunCommand(checker + " " + path);
  EXPECT_EQ(0, checked.code) << checked.output;
}

// RocksDB finds nothing wrong with it and reads what we read.
void ExpectPeersRead(const std::string& path, const Rows& ours) {
  const Ran verified =
      RunCommand(Peer("sst_dump") + " --file=" + path + " --command=verify");
  EXPECT_EQ(0, verified.code) << verified.output;
  EXPECT_EQ(std::string::npos, verified.output.find("orruption"))
      << verified.output;
  const Ran consistent =
      RunCommand(Peer("ldb") + " --db=" + path + " checkconsistency");
  EXPECT_EQ(0, consistent.code) << consistent.output;
  EXPECT_NE(std::string::npos, consistent.output.find("OK"))
      << consistent.output;
  EXPECT_EQ(ours, PeerScan(path));
}

class PeerReads : public ::testing::TestWithParam<test::WrittenOptions> {};

TEST_P(PeerReads, WhatWeWrite) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  const test::TempDir dir;
  const std::string path = dir.File("db");
  const Options options = GetParam().Make();
  std::unique_ptr<DB> db;
  const Status status = DB::Open(options, path, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  Fill(db.get());
  const Rows ours = OurScan(db.get());
  ASSERT_GT(ours.size(), 500u);
  ASSERT_TRUE(db->Close().ok());
  db.reset();
  ExpectWellFormed(path);
  ExpectPeersRead(path, ours);
}

// The same options, handed over as an OPTIONS file: RocksDB writes, we rewrite
// every table, RocksDB reads.
TEST_P(PeerReads, WhatItWroteAndWeCompacted) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  if (!fs::exists(Peer("db_bench"))) GTEST_SKIP() << "NO PEER db_bench";
  const test::TempDir dir;
  const std::string path = dir.File("db");
  const Options options = GetParam().Make();
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, dir.File("options"), &db).ok());
  db.reset();
  std::string options_file;
  for (const auto& entry : fs::directory_iterator(dir.File("options"))) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("OPTIONS-")) options_file = entry.path().string();
  }
  const Ran ran =
      RunCommand(Peer("db_bench") + " --options_file=" + options_file +
                 " --benchmarks=fillrandom,overwrite,deleterandom" +
                 " --num=1500 --value_size=50 --seed=5 --db=" + path);
  ASSERT_EQ(0, ran.code) << ran.output;
  const Rows theirs = PeerScan(path);
  ASSERT_GT(theirs.size(), 100u) << ran.output;

  Status status = DB::OpenForReadOnly(options, path, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(theirs, OurScan(db.get()));
  db.reset();
  status = DB::Open(options, path, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  CompactRangeOptions all;
  all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db->CompactRange(all, nullptr, nullptr).ok());
  EXPECT_EQ(theirs, OurScan(db.get()));
  EXPECT_TRUE(db->VerifyChecksum().ok());
  db.reset();
  ExpectWellFormed(path);
  ExpectPeersRead(path, theirs);
}

INSTANTIATE_TEST_SUITE_P(
    Options, PeerReads, ::testing::ValuesIn(test::OptionsReadByAll()),
    [](const ::testing::TestParamInfo<test::WrittenOptions>& tested) {
      return std::string(tested.param.name);
    });

TEST(Peer, DatabasesItWritesReadTheSameHere) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  if (!fs::exists(Peer("db_bench"))) GTEST_SKIP() << "NO PEER db_bench";
  for (const std::string& flags :
       {std::string("--compression_type=none"),
        std::string("--compression_type=lz4 --bloom_bits=10"),
        std::string("--compression_type=none --enable_blob_files=1 "
                    "--min_blob_size=50 --blob_file_size=65536 "
                    "--blob_compression_type=lz4"),
        std::string("--compression_type=none --enable_blob_files=1 "
                    "--blob_file_size=65536 "
                    "--enable_blob_garbage_collection=1 "
                    "--blob_garbage_collection_age_cutoff=0.5"),
        std::string("--compression_type=zstd --checksum_type=1")}) {
    SCOPED_TRACE(flags);
    const test::TempDir dir;
    const std::string path = dir.File("db");
    const Ran ran = RunCommand(
        Peer("db_bench") + " --benchmarks=fillrandom,overwrite,deleterandom" +
        " --num=3000 --write_buffer_size=65536 --seed=5 --db=" + path + " " +
        flags);
    ASSERT_EQ(0, ran.code) << ran.output;
    const Rows theirs = PeerScan(path);
    ASSERT_GT(theirs.size(), 100u);
    std::unique_ptr<DB> db;
    const Status status = DB::OpenForReadOnly(Options(), path, &db);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(theirs, OurScan(db.get()));
    db.reset();
    Options options = SmallOptions();
    ASSERT_TRUE(DB::Open(options, path, &db).ok());
    EXPECT_TRUE(db->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    EXPECT_EQ(theirs, OurScan(db.get()));
    db.reset();
    EXPECT_EQ(theirs, PeerScan(path));
  }
}

// Killed while writing: what a directory looks like then.
std::string CopyOf(DB* db, const std::string& path, const test::TempDir& dir) {
  const std::string copy = dir.File("killed");
  fs::remove_all(copy);
  // No file may vanish between its listing and its copy.
  EXPECT_TRUE(db->DisableFileDeletions().ok());
  fs::copy(path, copy, fs::copy_options::recursive);
  EXPECT_TRUE(db->EnableFileDeletions().ok());
  return copy;
}

TEST(Peer, ReadsLogsWeWriteInEveryForm) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  for (int form = 0; form < 4; ++form) {
    SCOPED_TRACE("form " + std::to_string(form));
    const test::TempDir dir;
    Options options = SmallOptions();
    options.write_buffer_size = 64 << 20;
    // Nothing but this thread changes the directory while it is copied.
    options.disable_auto_compactions = true;
    if (form % 2 == 1) options.recycle_log_file_num = 2;
    if (form >= 2) options.wal_compression = kZSTD;
    std::unique_ptr<DB> db;
    const std::string path = dir.File("db");
    ASSERT_TRUE(DB::Open(options, path, &db).ok());
    // Long logs, then shorter ones over them; sizes that end everywhere in
    // the blocks, of bytes that hardly compress.
    uint64_t state = 17;
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 500 - 90 * round; ++i) {
        std::string value(static_cast<size_t>(i * 37 % 3000), '\0');
        if (i % 100 == 3) value.resize(90000 + static_cast<size_t>(i));
        for (char& c : value) {
          state = state * 6364136223846793005 + 1442695040888963407;
          c = static_cast<char>(state >> 56);
        }
        ASSERT_TRUE(db->Put(WriteOptions(), KeyOf(i), value).ok());
      }
      const Rows ours = OurScan(db.get());
      const std::string copy = CopyOf(db.get(), path, dir);
      EXPECT_EQ(ours, PeerScan(copy)) << "round " << round;
      std::unique_ptr<DB> again;
      ASSERT_TRUE(DB::Open(options, copy, &again).ok());
      EXPECT_EQ(ours, OurScan(again.get())) << "round " << round;
      again.reset();
      ASSERT_TRUE(db->Flush(FlushOptions()).ok());
    }
  }
}

TEST(Peer, TakesTurnsWithUsInOneDirectory) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  const test::TempDir dir;
  const std::string path = dir.File("db");
  Rows expected;
  for (int round = 0; round < 4; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    {
      std::unique_ptr<DB> db;
      const Status status = DB::Open(SmallOptions(), path, &db);
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ(expected, OurScan(db.get()));
      for (int i = 0; i < 300; ++i) {
        const std::string key = KeyOf(i * 37 % 500);
        const std::string value = "ours" + std::to_string(round * 1000 + i);
        ASSERT_TRUE(db->Put(WriteOptions(), key, value).ok());
        expected[Hex(key)] = Hex(value);
      }
      const std::string begin = KeyOf(200 + round * 50);
      const std::string end = KeyOf(230 + round * 50);
      ASSERT_TRUE(db->DeleteRange(WriteOptions(), begin, end).ok());
      expected.erase(expected.lower_bound(Hex(begin)),
                     expected.lower_bound(Hex(end)));
      // Some of it stays in the log, some goes into tables.
      if (round % 2 == 1) {
        ASSERT_TRUE(db->Flush(FlushOptions()).ok());
      }
      if (round == 2) {
        ASSERT_TRUE(
            db->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
      }
    }
    for (int i = 0; i < 2; ++i) {
      const std::string key = KeyOf(round * 100 + i);
      const std::string value = "theirs" + std::to_string(round);
      const Ran put = RunCommand(Peer("ldb") + " --db=" + path + " put " + key +
                                 " " + value);
      ASSERT_EQ(0, put.code) << put.output;
      expected[Hex(key)] = Hex(value);
    }
    const std::string gone = KeyOf(round * 11 % 500);
    const Ran deleted =
        RunCommand(Peer("ldb") + " --db=" + path + " delete " + gone);
    ASSERT_EQ(0, deleted.code) << deleted.output;
    expected.erase(Hex(gone));
    const std::string begin = KeyOf(round * 40);
    const std::string end = KeyOf(round * 40 + 15);
    const Ran range = RunCommand(Peer("ldb") + " --db=" + path +
                                 " deleterange " + begin + " " + end);
    ASSERT_EQ(0, range.code) << range.output;
    expected.erase(expected.lower_bound(Hex(begin)),
                   expected.lower_bound(Hex(end)));
    EXPECT_EQ(expected, PeerScan(path));
  }
}

// Of the logs that ours says there have to be, theirs misses one that is gone;
// and what theirs has written into the MANIFEST it finds there again.
TEST(PeerChecks, TheLogsThatWeTrack) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  for (const bool gone : {false, true}) {
    const test::TempDir dir;
    const std::string path = dir.File("db");
    Options options;
    options.create_if_missing = true;
    options.compression = kNoCompression;
    options.track_and_verify_wals_in_manifest = true;
    options.avoid_flush_during_shutdown = true;
    std::unique_ptr<DB> db;
    ASSERT_TRUE(DB::Open(options, path, &db).ok());
    ColumnFamilyHandle* other = nullptr;
    ASSERT_TRUE(db->CreateColumnFamily(options, "other", &other).ok());
    ASSERT_TRUE(db->Put(WriteOptions(), other, "o", "1").ok());
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(db->Put(WriteOptions(), "k" + std::to_string(i), "v").ok());
      ASSERT_TRUE(db->Flush(FlushOptions()).ok());
    }
    VectorWalPtr logs;
    ASSERT_TRUE(db->GetSortedWalFiles(logs).ok());
    ASSERT_TRUE(db->DestroyColumnFamilyHandle(other).ok());
    ASSERT_TRUE(db->Close().ok());
    db.reset();
    if (gone) fs::remove(path + logs.front()->PathName());
    const Ran ran =
        RunCommand(Peer("ldb") + " --db=" + path +
                   " --try_load_options --column_family=other put p 2");
    if (!gone) {
      EXPECT_EQ(0, ran.code) << ran.output;
      // Theirs has written what it tracks; ours reads it.
      std::vector<ColumnFamilyHandle*> handles;
      const Status status =
          DB::Open(options, path,
                   {{kDefaultColumnFamilyName, options}, {"other", options}},
                   &handles, &db);
      ASSERT_TRUE(status.ok()) << status.ToString();
      std::string value;
      EXPECT_TRUE(db->Get(ReadOptions(), handles[1], "o", &value).ok());
      EXPECT_TRUE(db->Get(ReadOptions(), handles[1], "p", &value).ok());
      for (ColumnFamilyHandle* handle : handles) {
        EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
      }
      continue;
    }
    EXPECT_NE(0, ran.code);
    EXPECT_NE(std::string::npos, ran.output.find("Missing WAL")) << ran.output;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
