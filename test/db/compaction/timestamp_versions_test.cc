// Compactions of keys with many versions, each with a timestamp of its own.

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TimestampVersions : public test::FilesTest {
 protected:
  static constexpr int kKeys = 10;
  static constexpr uint64_t kVersions = 40;

  void Fill() {
    options_.comparator = BytewiseComparatorWithU64Ts();
    options_.target_file_size_base = 3000;
    options_.compression = kNoCompression;
    Open();
    for (uint64_t version = 1; version <= kVersions; ++version) {
      for (int i = 0; i < kKeys; ++i) {
        const Status status =
            db_->Put(WriteOptions(), Key(i), Time(version),
                     std::string(200, 'v') + std::to_string(version));
        ASSERT_TRUE(status.ok()) << status.ToString();
      }
      if (version % 10 == 0) Flush();
    }
  }
  static std::string Key(int i) { return "k" + std::to_string(100 + i); }
  static std::string Time(uint64_t time) {
    std::string text;
    EncodeU64Ts(time, &text);
    return text;
  }
  void DeleteAllAndCompact() {
    Status status = db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(),
                                     "k", "l", Time(kVersions + 1));
    ASSERT_TRUE(status.ok()) << status.ToString();
    Flush();
    status = db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  Status Get(const std::string& key, std::string* value) {
    const Slice newest = MaxU64Ts();
    ReadOptions options;
    options.timestamp = &newest;
    return db_->Get(options, key, value);
  }
  size_t CountRows() {
    const Slice newest = MaxU64Ts();
    ReadOptions options;
    options.timestamp = &newest;
    const std::unique_ptr<Iterator> it(db_->NewIterator(options));
    size_t rows = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++rows;
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    return rows;
  }
};

// A file that began between two versions of a key held the part of a range
// deletion from that key on, so the version in the file before was read again.
TEST_F(TimestampVersions, StayInOneFileSoThatRangeDeletionsCoverThem) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(DeleteAllAndCompact());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  EXPECT_GT(files.size(), 1u);
  EXPECT_LE(files.size(), static_cast<size_t>(kKeys));
  EXPECT_EQ(0u, CountRows());
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    EXPECT_TRUE(Get(Key(i), &value).IsNotFound()) << Key(i);
  }
}

// Where range deletions are cut, too: a file that ended at the newest version
// of the next key overlapped one that begins in front of all versions of that
// key.
TEST_F(TimestampVersions, BeginAndEndFilesWhereRangeDeletionsCan) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(DeleteAllAndCompact());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_GT(files.size(), 1u);
  const std::string newest = MaxU64Ts().ToString();
  size_t open_ends = 0;
  for (const LiveFileMetaData& file : files) {
    const Slice largest = file.largestkey;
    const Slice key(largest.data(), largest.size() - newest.size());
    const Slice time(largest.data() + key.size(), newest.size());
    // Either a version that is in the file, or in front of all of the next key.
    if (time != newest) continue;
    ++open_ends;
  }
  EXPECT_EQ(files.size(), open_ends);
}

// Slices are cut between keys, too.
TEST_F(TimestampVersions, StayInOneSlice) {
  options_.max_subcompactions = 4;
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(DeleteAllAndCompact());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  std::set<std::string> keys;
  for (const LiveFileMetaData& file : files) {
    const std::string first = file.smallestkey.substr(0, Key(0).size());
    EXPECT_TRUE(keys.insert(first).second) << first << " begins two files";
  }
  EXPECT_EQ(0u, CountRows());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
