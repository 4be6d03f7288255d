// Databases written here, in every way there is, in the hands of genuine
// RocksDB: it reads the same, rewrites every table, and what it made of them
// reads the same here.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/sst_file_writer.h"
#include "test/support/golden_case.h"
#include "test/support/peer.h"
#include "test/support/peer_rows.h"
#include "test/support/temp_dir.h"
#include "test/support/written_options.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::PeerLibrary;
using Rows = std::vector<std::string>;

std::string KeyOf(int n) { return "key" + std::to_string(100000 + n); }

void Ok(const Status& status) { ASSERT_TRUE(status.ok()) << status.ToString(); }

// Puts, deletions of each kind and entities over one another, also under a
// snapshot, with tables in several levels.
void Overwrite(DB* db) {
  const Snapshot* snapshot = nullptr;
  for (int i = 0; i < 1200; ++i) {
    if (i == 500) snapshot = db->GetSnapshot();
    if (i == 1000) db->ReleaseSnapshot(snapshot);
    const std::string key = KeyOf(i * 7919 % 600);
    const std::string value(static_cast<size_t>(i % 90),
                            static_cast<char>('a' + i % 26));
    if (i % 50 == 7) {
      const int n = i * 7 % 550;
      Ok(db->DeleteRange(WriteOptions(), KeyOf(n), KeyOf(n + i % 20)));
    }
    if (i % 9 == 0) {
      Ok(db->Delete(WriteOptions(), key));
    } else if (i % 5 == 1) {
      Ok(db->PutEntity(WriteOptions(), db->DefaultColumnFamily(), key,
                       {{"", value}, {"column", std::to_string(i)}}));
    } else {
      Ok(db->Put(WriteOptions(), key, value + std::to_string(i)));
    }
  }
}

// Keys of their own: merges, of which 7.8.3 reads none over entities; single
// deletions, whose keys may be written once only.
void MergeAndDeleteOnce(DB* db) {
  for (int i = 0; i < 200; ++i) {
    Ok(db->Merge(WriteOptions(), "merged" + KeyOf(i % 40), std::to_string(i)));
    Ok(db->Put(WriteOptions(), "once" + KeyOf(i), "single"));
    if (i % 3 == 0) {
      Ok(db->SingleDelete(WriteOptions(), "once" + KeyOf(i - i % 2)));
    }
  }
}

// Tables made outside, in one call: two over what is there, which gives each a
// sequence number of its own, and one next to it.
void Ingest(DB* db, const Options& options, const test::TempDir& dir) {
  std::vector<std::string> paths;
  for (const char* const prefix : {"key1003", "key1001", "ingested"}) {
    paths.push_back(dir.File(std::string(prefix) + ".sst"));
    SstFileWriter writer(EnvOptions(), options);
    Ok(writer.Open(paths.back()));
    for (int i = 10; i < 60; ++i) {
      Ok(writer.Put(prefix + std::to_string(i), "from outside"));
    }
    Ok(writer.Finish());
  }
  Ok(db->IngestExternalFile(paths, IngestExternalFileOptions()));
}

Rows RowsHere(DB* db) {
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  Rows rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows.push_back("k=" + it->key().ToString(true) +
                   " v=" + test::GoldenValueText(it->value()));
  }
  EXPECT_TRUE(it->status().ok()) << it->status().ToString();
  return rows;
}

// gtest shows the first rows only.
void ExpectSame(const Rows& expected, const Rows& found) {
  const auto at = std::mismatch(expected.begin(), expected.end(), found.begin(),
                                found.end());
  const auto text = [](Rows::const_iterator row, const Rows& rows) {
    return row == rows.end() ? "nothing" : row->substr(0, 300);
  };
  EXPECT_EQ(expected.size(), found.size());
  EXPECT_EQ(text(at.first, expected), text(at.second, found))
      << "row " << at.first - expected.begin();
}

Rows RowsThere(const PeerLibrary& library, const std::string& path,
               const std::string& command) {
  SCOPED_TRACE(library.release + " " + command);
  std::map<std::string, Rows> families;
  test::ReadWithPeer(library, path, command, &families);
  return families[kDefaultColumnFamilyName];
}

// Written with `options`, closed with something left in the log.
void Write(const Options& options, const std::string& path,
           const test::TempDir& dir, Rows* rows) {
  std::unique_ptr<DB> db;
  Ok(DB::Open(options, path, &db));
  ASSERT_NE(nullptr, db);
  Overwrite(db.get());
  MergeAndDeleteOnce(db.get());
  Ok(db->Flush(FlushOptions()));
  Ingest(db.get(), options, dir);
  Ok(db->WaitForCompact(WaitForCompactOptions()));
  Ok(db->Put(WriteOptions(), "in the log", "only"));
  Ok(db->DeleteRange(WriteOptions(), KeyOf(100), KeyOf(110)));
  *rows = RowsHere(db.get());
  EXPECT_GT(rows->size(), 400u);
  Ok(db->Close());
}

class WrittenHere : public ::testing::TestWithParam<test::WrittenOptions> {};

TEST_P(WrittenHere, ReadsTheSameThereAndBackAgain) {
  const std::vector<PeerLibrary> libraries = test::PeerLibraries();
  if (libraries.empty()) GTEST_SKIP() << "NO PEER LIBRARY";
  static const std::string checker = test::FormatChecker();
  Options options = GetParam().Make();
  Ok(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                     &options.merge_operator));
  bool newer = false;
  for (const test::WrittenOptions& one : test::OptionsReadBy11()) {
    newer |= std::string(one.name) == GetParam().name;
  }
  for (const PeerLibrary& library : libraries) {
    if (newer && library.release == "7.8.3") continue;
    const test::TempDir dir;
    const std::string path = dir.File("db");
    Rows rows;
    Write(options, path, dir, &rows);
    if (!checker.empty()) {
      const test::Ran ran = test::RunCommand(checker + " " + path);
      EXPECT_EQ(0, ran.code) << ran.output;
    }
    ExpectSame(rows, RowsThere(library, path, "compact"));
    std::unique_ptr<DB> db;
    Ok(DB::OpenForReadOnly(options, path, &db));
    ExpectSame(rows, RowsHere(db.get()));
    EXPECT_TRUE(db->VerifyChecksum().ok());
    db.reset();
    // And with us going on to write.
    Ok(DB::Open(options, path, &db));
    Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
    ExpectSame(rows, RowsHere(db.get()));
    db.reset();
    ExpectSame(rows, RowsThere(library, path, ""));
  }
}

std::string NameOf(const ::testing::TestParamInfo<test::WrittenOptions>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(PeerAll, WrittenHere,
                         ::testing::ValuesIn(test::OptionsReadByAll()), NameOf);
INSTANTIATE_TEST_SUITE_P(Peer11, WrittenHere,
                         ::testing::ValuesIn(test::OptionsReadBy11()), NameOf);

// All versions at their newest time, as the peer shows them.
Rows TimestampedRows(DB* db) {
  const std::string newest(8, '\xff');
  const Slice at(newest);
  ReadOptions read;
  read.timestamp = &at;
  std::unique_ptr<Iterator> it(db->NewIterator(read));
  Rows rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows.push_back("k=" + it->key().ToString(true) +
                   " ts=" + it->timestamp().ToString(true) +
                   " v=" + test::GoldenValueText(it->value()));
  }
  EXPECT_TRUE(it->status().ok()) << it->status().ToString();
  return rows;
}

// 7.8.3 does not read our log of such a family: everything is flushed.
TEST(PeerTimestamps, ReadTheSameThereAndBackAgain) {
  const std::vector<PeerLibrary> libraries = test::PeerLibraries();
  if (libraries.empty()) GTEST_SKIP() << "NO PEER LIBRARY";
  for (const PeerLibrary& library : libraries) {
    const test::TempDir dir;
    const std::string path = dir.File("db");
    Options options = test::SmallOptions();
    options.comparator = BytewiseComparatorWithU64Ts();
    std::unique_ptr<DB> db;
    Ok(DB::Open(options, path, &db));
    for (int i = 1; i < 600; ++i) {
      std::string time;
      engine::PutFixed64(&time, static_cast<uint64_t>(i));
      const std::string key = KeyOf(i * 31 % 150);
      if (i % 7 == 0) {
        Ok(db->Delete(WriteOptions(), key, time));
      } else {
        Ok(db->Put(WriteOptions(), key, time, std::to_string(i)));
      }
      if (i % 200 == 0) Ok(db->Flush(FlushOptions()));
    }
    Ok(db->Flush(FlushOptions()));
    const Rows rows = TimestampedRows(db.get());
    EXPECT_GT(rows.size(), 100u);
    Ok(db->Close());
    db.reset();
    ExpectSame(rows, RowsThere(library, path, "compact"));
    Ok(DB::Open(options, path, &db));
    ExpectSame(rows, TimestampedRows(db.get()));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
