// Values in blob files, through the whole database: where they go, how they
// are read, what becomes of them in compactions. The model test does it at
// random; here is what must hold in particular.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/listener.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string Key(int n) { return "key" + std::to_string(1000 + n); }
std::string Large(int n) {
  return std::string(200, static_cast<char>('a' + n % 26)) + std::to_string(n);
}

class Blobs : public test::FilesTest {
 protected:
  Blobs() {
    options_.enable_blob_files = true;
    options_.min_blob_size = 100;
    options_.statistics = CreateDBStatistics();
    const Status status = MergeOperator::CreateFromString(
        ConfigOptions(), "stringappend", &options_.merge_operator);
    EXPECT_TRUE(status.ok());
  }

  // Every table is rewritten.
  // Waits for deletions, too: a flush that has not ended may have taken them
  // over.
  void Compact(CompactRangeOptions options = CompactRangeOptions()) {
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    const Status status = db_->CompactRange(options, nullptr, nullptr);
    ASSERT_TRUE(status.ok()) << status.ToString();
    AwaitPurge();
  }
  void AwaitPurge() {
    WaitForCompactOptions wait;
    wait.wait_for_purge = true;
    const Status status = db_->WaitForCompact(wait);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  std::string Get(const std::string& key,
                  const ReadOptions& read = ReadOptions()) {
    std::string value;
    const Status status = db_->Get(read, key, &value);
    return status.ok() ? value : status.IsNotFound() ? "-" : status.ToString();
  }
  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(property, &value)) << property;
    return value;
  }
  uint64_t Tick(Tickers ticker) {
    return options_.statistics->getAndResetTickerCount(ticker);
  }
  // Names of the blob files on disk.
  std::vector<std::string> OnDisk() {
    std::vector<std::string> names = Files(".blob");
    std::sort(names.begin(), names.end());
    return names;
  }
  std::vector<BlobMetaData> Live() {
    ColumnFamilyMetaData meta;
    db_->GetColumnFamilyMetaData(&meta);
    return meta.blob_files;
  }
  void FillLarge(int from, int to) {
    for (int i = from; i < to; ++i) Put(Key(i), Large(i));
    Flush();
  }
  void ExpectLarge(int from, int to) {
    for (int i = from; i < to; ++i) EXPECT_EQ(Large(i), Get(Key(i)));
  }
};

TEST_F(Blobs, AReadOnlyInstanceReadsFilesThatTheWriterDeleted) {
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1.0;
  options_.max_open_files = -1;
  Open();
  FillLarge(0, 10);
  std::unique_ptr<DB> reader;
  ASSERT_TRUE(DB::OpenForReadOnly(options_, db_->GetName(), &reader).ok());
  const std::vector<std::string> before = OnDisk();
  Compact();
  for (const std::string& name : OnDisk()) {
    EXPECT_EQ(0, std::count(before.begin(), before.end(), name));
  }
  std::swap(reader, db_);
  ExpectLarge(0, 10);
  std::swap(reader, db_);
}

TEST_F(Blobs, AreReadInEveryWay) {
  Open();
  FillLarge(0, 10);
  Put(Key(10), "small");
  Put(Key(11), "");
  ASSERT_TRUE(db_->Merge(WriteOptions(), Key(3), "more").ok());
  ASSERT_TRUE(db_->Delete(WriteOptions(), Key(4)).ok());
  const auto expected = [](int i) {
    if (i == 10) return std::string("small");
    if (i == 11) return std::string();
    return i == 3 ? Large(3) + ",more" : Large(i);
  };
  const auto check = [&] {
    std::vector<std::string> forward;
    std::vector<std::string> backward;
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      forward.push_back(it->key().ToString() + it->value().ToString());
    }
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      backward.push_back(it->key().ToString() + it->value().ToString());
    }
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward);
    ASSERT_EQ(11u, forward.size());
    std::vector<std::string> names;
    for (int i = 0; i < 12; ++i) names.push_back(Key(i));
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    db_->MultiGet(ReadOptions(), db_->DefaultColumnFamily(), keys.size(),
                  keys.data(), values.data(), statuses.data());
    size_t row = 0;
    for (int i = 0; i < 12; ++i) {
      const auto n = static_cast<size_t>(i);
      if (i == 4) {
        EXPECT_EQ("-", Get(Key(i)));
        EXPECT_TRUE(statuses[n].IsNotFound());
        continue;
      }
      EXPECT_EQ(expected(i), Get(Key(i)));
      EXPECT_EQ(expected(i), values[n].ToString()) << statuses[n].ToString();
      EXPECT_EQ(Key(i) + expected(i), forward[row++]);
    }
    // Turning round in the middle.
    it->Seek(Key(5));
    EXPECT_EQ(Large(5), it->value());
    it->Prev();
    EXPECT_EQ(expected(3), it->value());
    it->Next();
    EXPECT_EQ(Large(5), it->value());
    it->Next();
    EXPECT_EQ(Large(6), it->value());
    it->SeekForPrev(Key(7));
    EXPECT_EQ(Large(7), it->value());
  };
  check();
  Flush();
  check();
  EXPECT_EQ(1u, OnDisk().size());
  Open();
  check();
  Compact();
  check();
  Open();
  check();
}

TEST_F(Blobs, OnlyLargeValuesGoToFilesAndSizesEndThem) {
  options_.blob_file_size = 1000;
  options_.blob_compression_type = kSnappyCompression;
  Open();
  for (int i = 0; i < 20; ++i) Put(Key(i), std::string(99, 'v'));
  Flush();
  EXPECT_EQ(0u, OnDisk().size());
  options_.blob_compression_type = kNoCompression;
  Open();
  FillLarge(20, 40);
  // 32 bytes of header, the key and the value: five to a file.
  const std::vector<BlobMetaData> live = Live();
  ASSERT_EQ(4u, live.size());
  for (const BlobMetaData& file : live) {
    EXPECT_EQ(file.total_blob_count, 5u);
    uint64_t size = 0;
    ASSERT_TRUE(env_->GetFileSize("/db" + file.blob_file_name, &size).ok());
    EXPECT_EQ(size, file.blob_file_size);
  }
  ExpectLarge(20, 40);
  EXPECT_EQ(4u, Number("rocksdb.num-blob-files"));
  EXPECT_EQ(Number("rocksdb.live-blob-file-size"),
            Number("rocksdb.total-blob-file-size"));
  std::string text;
  EXPECT_TRUE(db_->GetProperty("rocksdb.blob-stats", &text));
  EXPECT_NE(std::string::npos, text.find("Number of blob files: 4\n"));
  EXPECT_TRUE(db_->GetProperty("rocksdb.cfstats", &text));
  EXPECT_NE(std::string::npos, text.find("Blob file count: 4,")) << text;
}

// As many of them as there are tables in the range, in proportion.
TEST_F(Blobs, CountInTheSizeOfARangeWhereAskedFor) {
  Open();
  FillLarge(0, 100);
  const auto size = [this](const std::string& from, const std::string& to,
                           bool tables) {
    SizeApproximationOptions options;
    options.include_files = tables;
    options.include_blob_files = true;
    const Range range(from, to);
    uint64_t bytes = 0;
    EXPECT_TRUE(db_->GetApproximateSizes(options, db_->DefaultColumnFamily(),
                                         &range, 1, &bytes)
                    .ok());
    return bytes;
  };
  const uint64_t all = size("a", "z", false);
  EXPECT_GT(all, 100u * 50u);
  EXPECT_LE(all, Number("rocksdb.total-blob-file-size"));
  EXPECT_GT(size("a", "z", true), all);
  EXPECT_EQ(0u, size("x", "z", false));
  SizeApproximationOptions nothing;
  nothing.include_files = false;
  const Range range("a", "z");
  uint64_t bytes = 0;
  EXPECT_TRUE(db_->GetApproximateSizes(nothing, db_->DefaultColumnFamily(),
                                       &range, 1, &bytes)
                  .IsInvalidArgument());
}

TEST_F(Blobs, OverwrittenOnesAreCountedAndTheirFilesGo) {
  Open();
  FillLarge(0, 10);
  FillLarge(0, 4);
  ASSERT_EQ(2u, Live().size());
  Compact();
  std::vector<BlobMetaData> live = Live();
  ASSERT_EQ(2u, live.size());
  EXPECT_EQ(4u, live[0].garbage_blob_count);
  EXPECT_EQ(0u, live[1].garbage_blob_count);
  EXPECT_EQ(live[0].garbage_blob_bytes,
            Number("rocksdb.live-blob-file-garbage-size"));
  // The rest of the oldest file: nothing points there any more.
  FillLarge(4, 10);
  Compact();
  live = Live();
  ASSERT_EQ(2u, live.size());
  EXPECT_EQ(0u, live[0].garbage_blob_count);
  EXPECT_EQ(2u, OnDisk().size());
  ExpectLarge(0, 10);
  Open();
  EXPECT_EQ(2u, OnDisk().size());
  ExpectLarge(0, 10);
  // Deleted, with everything.
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(db_->SingleDelete(WriteOptions(), Key(i)).ok());
  }
  Compact();
  EXPECT_EQ(0u, Live().size());
  EXPECT_EQ(0u, OnDisk().size());
}

TEST_F(Blobs, CountInTheStatisticsOfFlushesAndCompactions) {
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1.0;
  Open();
  FillLarge(0, 100);
  uint64_t blobs = Number("rocksdb.live-blob-file-size");
  uint64_t tables = Number("rocksdb.live-sst-files-size");
  EXPECT_GT(blobs, 100u * 200);
  EXPECT_EQ(blobs + tables, Number("rocksdb.estimate-live-data-size"));
  EXPECT_EQ(blobs + tables, Tick(FLUSH_WRITE_BYTES));
  const auto column = [this](const char* name) {
    std::map<std::string, std::string> map;
    EXPECT_TRUE(db_->GetMapProperty("rocksdb.cfstats", &map));
    return std::stod(map["compaction.Sum." + std::string(name)]);
  };
  EXPECT_DOUBLE_EQ(1.0, column("WriteAmp"));
  const double gib = 1 << 30;
  EXPECT_NEAR(static_cast<double>(blobs) / gib, column("WblobGB"), 1e-6);
  const auto compact = [this] {
    ASSERT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  };
  // All are read and written again.
  compact();
  const uint64_t rewritten = Number("rocksdb.live-blob-file-size");
  EXPECT_NEAR(static_cast<double>(blobs + rewritten) / gib, column("WblobGB"),
              2e-6);
  EXPECT_GT(column("RblobGB"), 0.0);
  EXPECT_GT(column("WriteAmp"), 1.9);
  EXPECT_LT(column("WriteAmp"), 3.1);
  EXPECT_GT(Tick(COMPACT_WRITE_BYTES), rewritten);
  EXPECT_GT(Tick(COMPACT_READ_BYTES), blobs);
  // Garbage is not live.
  ASSERT_TRUE(
      db_->SetOptions({{"enable_blob_garbage_collection", "false"}}).ok());
  FillLarge(0, 50);
  compact();
  blobs = Number("rocksdb.live-blob-file-size");
  tables = Number("rocksdb.live-sst-files-size");
  const uint64_t garbage = Number("rocksdb.live-blob-file-garbage-size");
  EXPECT_GT(garbage, 50u * 200);
  EXPECT_EQ(blobs + tables - garbage,
            Number("rocksdb.estimate-live-data-size"));
}

TEST_F(Blobs, CollectionMovesThemOutOfTheOldestFiles) {
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 0.5;
  Open();
  FillLarge(0, 10);
  FillLarge(10, 20);
  const std::vector<std::string> before = OnDisk();
  ASSERT_EQ(2u, before.size());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  const std::vector<std::string> after = OnDisk();
  ASSERT_EQ(2u, after.size());
  EXPECT_EQ(before[1], after[0]);  // The oldest was emptied.
  EXPECT_EQ(10u, Tick(BLOB_DB_GC_NUM_KEYS_RELOCATED));
  ExpectLarge(0, 20);
  // Too small for a blob now: into the table.
  ASSERT_TRUE(db_->SetOptions({{"min_blob_size", "10000"},
                               {"blob_garbage_collection_age_cutoff", "1.0"}})
                  .ok());
  Compact();
  EXPECT_EQ(0u, OnDisk().size());
  ExpectLarge(0, 20);
  Open();
  ExpectLarge(0, 20);
}

TEST_F(Blobs, CompactRangeSaysWhetherToCollect) {
  Open();
  FillLarge(0, 10);
  const std::vector<std::string> first = OnDisk();
  CompactRangeOptions range;
  Compact(range);
  EXPECT_EQ(first, OnDisk());
  range.blob_garbage_collection_policy = BlobGarbageCollectionPolicy::kForce;
  range.blob_garbage_collection_age_cutoff = 1.0;
  Compact(range);
  EXPECT_NE(first, OnDisk());
  const std::vector<std::string> second = OnDisk();
  ASSERT_TRUE(db_->SetOptions({{"enable_blob_garbage_collection", "true"},
                               {"blob_garbage_collection_age_cutoff", "1.0"}})
                  .ok());
  range.blob_garbage_collection_policy = BlobGarbageCollectionPolicy::kDisable;
  Compact(range);
  EXPECT_EQ(second, OnDisk());
  ExpectLarge(0, 10);
}

TEST_F(Blobs, TablesAreRewrittenForMuchGarbageAlone) {
  Open();
  FillLarge(0, 10);
  FillLarge(100, 110);
  const CompactRangeOptions plain;
  ASSERT_TRUE(db_->CompactRange(plain, nullptr, nullptr).ok());
  for (int i = 0; i < 9; ++i) Put(Key(i), "small");
  Flush();
  const Slice end("key1050");
  ASSERT_TRUE(db_->CompactRange(plain, nullptr, &end).ok());
  ASSERT_EQ(9u, Live().at(0).garbage_blob_count);
  const std::vector<std::string> before = OnDisk();
  ASSERT_EQ(2u, before.size());
  ASSERT_TRUE(
      db_->SetOptions({{"enable_blob_garbage_collection", "true"},
                       {"blob_garbage_collection_age_cutoff", "0.5"},
                       {"blob_garbage_collection_force_threshold", "0.8"},
                       {"disable_auto_compactions", "false"}})
          .ok());
  AwaitPurge();
  const std::vector<std::string> after = OnDisk();
  ASSERT_EQ(2u, after.size());
  EXPECT_EQ(before[1], after[0]);
  EXPECT_EQ(Large(9), Get(Key(9)));
  ExpectLarge(100, 110);
}

// Turns the first letter of half of the values into another.
class Turner final : public CompactionFilter {
 public:
  const char* Name() const override { return "Turner"; }
  bool Filter(int /*level*/, const Slice& key, const Slice& value,
              std::string* new_value, bool* changed) const override {
    *changed = key[key.size() - 1] % 2 == 0;
    if (!*changed) return false;
    *new_value = value.ToString();
    (*new_value)[0] = value[0] == 'X' ? 'Y' : 'X';
    return false;
  }
};

// Each of two tables has a blob in a file of its own that is old and half
// garbage, and eleven in a newer one. When that blob is moved away, the filter
// makes the newer one half garbage, which is then the oldest.
TEST_F(Blobs, AFilterThatChangesValuesHasThemCollectedOnce) {
  const Turner turner;
  options_.sst_partitioner_factory = NewSstPartitionerFixedPrefixFactory(5);
  Open();
  for (const int table : {0, 100}) {
    Put(Key(table + 99), Large(table + 1));
    FillLarge(table + 1, table + 2);
  }
  for (const int table : {0, 100}) {
    Put(Key(table), Large(0));
    ASSERT_TRUE(db_->Delete(WriteOptions(), Key(table + 99)).ok());
    FillLarge(table + 2, table + 12);
  }
  Compact();
  db_.reset();
  options_.compaction_filter = &turner;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 0.5;
  options_.blob_garbage_collection_force_threshold = 0.5;
  options_.disable_auto_compactions = false;
  Open();
  WaitForCompactOptions wait;
  wait.timeout = std::chrono::seconds(10);
  const Status status = db_->WaitForCompact(wait);
  EXPECT_TRUE(status.ok()) << status.ToString();
  db_.reset();
}

// blob_files.h (3).
TEST_F(Blobs, StayWhileAReaderUsesThem) {
  Open();
  FillLarge(0, 10);
  const Snapshot* snapshot = db_->GetSnapshot();
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  for (int i = 0; i < 10; ++i) Put(Key(i), "small");
  Flush();
  Compact();
  EXPECT_EQ(1u, Live().size());  // For the snapshot.
  ReadOptions old;
  old.snapshot = snapshot;
  EXPECT_EQ(Large(3), Get(Key(3), old));
  db_->ReleaseSnapshot(snapshot);
  Compact();
  EXPECT_EQ(0u, Live().size());
  EXPECT_EQ(1u, OnDisk().size());  // For the iterator.
  int n = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    EXPECT_EQ(Large(n++), it->value());
  }
  EXPECT_EQ(10, n);
  it.reset();
  AwaitPurge();
  EXPECT_EQ(0u, OnDisk().size());
}

// compaction_job.h (3), blob_files.h (2).
TEST_F(Blobs, GarbageIsExactWhateverASliceDrops) {
  options_.max_subcompactions = 4;
  options_.target_file_size_base = 2000;
  Open();
  FillLarge(0, 300);
  for (int i = 0; i < 300; i += 2) {
    ASSERT_TRUE(db_->Delete(WriteOptions(), Key(i)).ok());
  }
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), Key(100), Key(150)).ok());
  Flush();
  FillLarge(200, 220);
  Compact();
  uint64_t garbage = 0;
  uint64_t total = 0;
  for (const BlobMetaData& file : Live()) {
    garbage += file.garbage_blob_count;
    total += file.total_blob_count;
  }
  uint64_t live = 0;
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++live;
  EXPECT_TRUE(it->status().ok());
  EXPECT_EQ(320u, total);
  EXPECT_EQ(total - live, garbage);
  EXPECT_EQ(150u - 25u + 10u, live);
}

TEST_F(Blobs, BeginAtTheirLevel) {
  options_.blob_file_starting_level = 1;
  Open();
  FillLarge(0, 10);
  EXPECT_EQ(0u, OnDisk().size());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(1u, OnDisk().size());
  ExpectLarge(0, 10);
}

TEST_F(Blobs, MergesStandOnThemInCompactionsToo) {
  Open();
  FillLarge(0, 3);
  ASSERT_TRUE(db_->Merge(WriteOptions(), Key(1), "x").ok());
  Flush();
  ASSERT_TRUE(db_->Merge(WriteOptions(), Key(1), "y").ok());
  Flush();
  EXPECT_EQ(Large(1) + ",x,y", Get(Key(1)));
  Compact();
  EXPECT_EQ(Large(1) + ",x,y", Get(Key(1)));
  const std::vector<BlobMetaData> live = Live();
  ASSERT_EQ(2u, live.size());
  EXPECT_EQ(1u, live[0].garbage_blob_count);
  EXPECT_EQ(1u, live[1].total_blob_count);
}

TEST_F(Blobs, TheCacheKeepsThemAndReadTiersAreHonoured) {
  options_.blob_cache = NewLRUCache(1 << 20);
  Open();
  FillLarge(0, 3);
  ReadOptions cached;
  cached.read_tier = kBlockCacheTier;
  (void)Get(Key(0));  // The table's blocks.
  Tick(BLOB_DB_CACHE_HIT);
  EXPECT_TRUE(Get(Key(1), cached).starts_with("Result incomplete"));
  std::string value;
  bool found = true;
  EXPECT_TRUE(db_->KeyMayExist(ReadOptions(), Key(1), &value, &found));
  EXPECT_FALSE(found);
  EXPECT_EQ(Large(1), Get(Key(1)));
  EXPECT_EQ(Large(1), Get(Key(1), cached));
  EXPECT_EQ(1u, Tick(BLOB_DB_CACHE_HIT));
  EXPECT_TRUE(db_->KeyMayExist(ReadOptions(), Key(1), &value, &found));
  EXPECT_TRUE(found);
  EXPECT_EQ(Large(1), value);
  EXPECT_GT(Number("rocksdb.blob-cache-usage"), 400u);
  EXPECT_EQ(uint64_t{1} << 20, Number("rocksdb.blob-cache-capacity"));
  ReadOptions passing;
  passing.fill_cache = false;
  EXPECT_EQ(Large(2), Get(Key(2), passing));
  EXPECT_TRUE(Get(Key(2), cached).starts_with("Result incomplete"));
  // What a flush writes may go there at once.
  ASSERT_TRUE(db_->SetOptions({{"prepopulate_blob_cache", "kFlushOnly"}}).ok());
  FillLarge(5, 6);
  Tick(BLOB_DB_CACHE_HIT);
  Tick(BLOB_DB_BLOB_FILE_BYTES_READ);
  EXPECT_EQ(Large(5), Get(Key(5)));
  EXPECT_EQ(1u, Tick(BLOB_DB_CACHE_HIT));
  EXPECT_EQ(0u, Tick(BLOB_DB_BLOB_FILE_BYTES_READ));
}

// Removes by key, or looks at the value.
class ByKey final : public CompactionFilter {
 public:
  const char* Name() const override { return "by-key"; }
  Decision FilterBlobByKey(int, const Slice& key, std::string* new_value,
                           std::string*) const override {
    if (key == Key(1)) return Decision::kRemove;
    if (key == Key(2)) {
      *new_value = "changed";
      return Decision::kChangeValue;
    }
    return key == Key(3) ? Decision::kUndetermined : Decision::kKeep;
  }
  Decision FilterV2(int, const Slice& key, ValueType type, const Slice& value,
                    std::string* new_value, std::string*) const override {
    if (key != Key(3) || type != kValue || value != Large(3)) {
      return Decision::kKeep;
    }
    *new_value = "looked at";
    return Decision::kChangeValue;
  }
};

TEST_F(Blobs, FiltersDecideByKeyOrByValue) {
  const ByKey filter;
  options_.compaction_filter = &filter;
  Open();
  FillLarge(0, 5);
  Compact();
  EXPECT_EQ(Large(0), Get(Key(0)));
  EXPECT_EQ("-", Get(Key(1)));
  EXPECT_EQ("changed", Get(Key(2)));
  EXPECT_EQ("looked at", Get(Key(3)));
  EXPECT_EQ(Large(4), Get(Key(4)));
  ASSERT_EQ(1u, Live().size());
  EXPECT_EQ(3u, Live()[0].garbage_blob_count);
}

TEST_F(Blobs, DamageIsNamedAndNothingElseIsLost) {
  Open();
  FillLarge(0, 3);
  const std::string path = "/db/" + OnDisk().at(0);
  db_.reset();
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(env_.get(), path, &bytes).ok());
  std::string bad = bytes;
  bad[bytes.find(Large(1)) + 50] = '!';
  ASSERT_TRUE(WriteStringToFile(env_.get(), bad, path).ok());
  Open();
  const std::string answer = Get(Key(1));
  EXPECT_TRUE(answer.starts_with("Corruption")) << answer;
  EXPECT_NE(std::string::npos, answer.find(path + " offset")) << answer;
  EXPECT_EQ(Large(0), Get(Key(0)));
  EXPECT_EQ(Large(2), Get(Key(2)));
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  EXPECT_TRUE(it->Valid());
  it->Next();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsCorruption());
  it.reset();
  CompactRangeOptions collect;
  collect.blob_garbage_collection_policy = BlobGarbageCollectionPolicy::kForce;
  collect.blob_garbage_collection_age_cutoff = 1;
  collect.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  EXPECT_TRUE(db_->CompactRange(collect, nullptr, nullptr).IsCorruption());
  db_.reset();
  // A file of another length is found when the database is opened.
  ASSERT_TRUE(
      WriteStringToFile(env_.get(), bytes.substr(0, bytes.size() - 1), path)
          .ok());
  const Status cut = DB::Open(options_, "/db", &db_);
  EXPECT_TRUE(cut.IsCorruption()) << cut.ToString();
  EXPECT_NE(std::string::npos, cut.ToString().find(path)) << cut.ToString();
}

class BlobListener final : public EventListener {
 public:
  void OnBlobFileCreationStarted(
      const BlobFileCreationBriefInfo& info) override {
    Say("begun", info.file_path);
  }
  void OnBlobFileCreated(const BlobFileCreationInfo& info) override {
    Say(info.reason == BlobFileCreationReason::kFlush ? "flushed" : "compacted",
        info.file_path + " " + std::to_string(info.total_blob_count));
  }
  void OnBlobFileDeleted(const BlobFileDeletionInfo& info) override {
    Say("deleted", info.file_path);
  }
  void OnFlushCompleted(DB*, const FlushJobInfo& info) override {
    Say("flush", std::to_string(info.blob_file_addition_infos.size()));
  }
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    if (info.blob_file_garbage_infos.empty()) return;
    Say("garbage",
        std::to_string(info.blob_file_garbage_infos[0].garbage_blob_count));
  }
  std::vector<std::string> Take() {
    const std::lock_guard<std::mutex> lock(mu_);
    return std::exchange(heard_, {});
  }

 private:
  void Say(const std::string& what, const std::string& detail) {
    const std::lock_guard<std::mutex> lock(mu_);
    heard_.push_back(what + " " + detail);
  }
  std::mutex mu_;
  std::vector<std::string> heard_;
};

TEST_F(Blobs, ListenersHearOfTheirFiles) {
  const auto listener = std::make_shared<BlobListener>();
  options_.listeners = {listener};
  Open();
  FillLarge(0, 3);
  const std::string path = "/db/" + OnDisk().at(0);
  EXPECT_EQ((std::vector<std::string>{"begun " + path, "flushed " + path + " 3",
                                      "flush 1"}),
            listener->Take());
  for (int i = 0; i < 3; ++i) Put(Key(i), "small");
  Flush();
  listener->Take();
  Compact();
  const std::vector<std::string> heard = listener->Take();
  EXPECT_NE(heard.end(), std::find(heard.begin(), heard.end(), "garbage 3"));
  EXPECT_NE(heard.end(),
            std::find(heard.begin(), heard.end(), "deleted " + path));
}

TEST_F(Blobs, GoIntoCheckpointsAndNotIntoExports) {
  Open();
  FillLarge(0, 5);
  Checkpoint* made = nullptr;
  ASSERT_TRUE(Checkpoint::Create(db_.get(), &made).ok());
  const std::unique_ptr<Checkpoint> checkpoint(made);
  ASSERT_TRUE(checkpoint->CreateCheckpoint("/copy").ok());
  ExportImportFilesMetaData* metadata = nullptr;
  EXPECT_TRUE(
      checkpoint
          ->ExportColumnFamily(db_->DefaultColumnFamily(), "/export", &metadata)
          .IsNotSupported());
  std::vector<std::string> live;
  uint64_t manifest_size = 0;
  ASSERT_TRUE(db_->GetLiveFiles(live, &manifest_size).ok());
  EXPECT_NE(live.end(), std::find(live.begin(), live.end(), "/" + OnDisk()[0]));
  for (int i = 0; i < 5; ++i) Put(Key(i), "small");
  Flush();
  Compact();
  EXPECT_EQ(0u, OnDisk().size());
  db_.reset();
  ASSERT_TRUE(DB::Open(options_, "/copy", &db_).ok());
  ExpectLarge(0, 5);
  db_.reset();
  ASSERT_TRUE(DestroyDB("/copy", options_).ok());
  std::vector<std::string> names;
  EXPECT_FALSE(env_->GetChildren("/copy", &names).ok() && !names.empty());
}

TEST_F(Blobs, ChecksumsOfTheirFilesAreMadeAndVerified) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  FillLarge(0, 5);
  const std::string path = "/db/" + OnDisk().at(0);
  ASSERT_EQ(1u, Live().size());
  EXPECT_EQ("FileChecksumCrc32c", Live()[0].checksum_method);
  EXPECT_EQ(4u, Live()[0].checksum_value.size());
  EXPECT_TRUE(db_->VerifyFileChecksums(ReadOptions()).ok());
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(env_.get(), path, &bytes).ok());
  bytes[40] = static_cast<char>(~bytes[40]);
  ASSERT_TRUE(WriteStringToFile(env_.get(), bytes, path).ok());
  const Status status = db_->VerifyFileChecksums(ReadOptions());
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_NE(std::string::npos, status.ToString().find(path));
}

TEST_F(Blobs, AreReadWithFewOpenFiles) {
  options_.max_open_files = 20;
  options_.blob_file_size = 300;
  Open();
  FillLarge(0, 60);
  ASSERT_GT(OnDisk().size(), 25u);
  for (int round = 0; round < 2; ++round) ExpectLarge(0, 60);
  Compact();
  for (int i = 0; i < 60; ++i) Put(Key(i), "small");
  Compact();
  EXPECT_EQ(0u, OnDisk().size());
}

TEST_F(Blobs, ReplayedLogsGoThereToo) {
  Open();
  for (int i = 0; i < 10; ++i) Put(Key(i), Large(i));
  db_.reset();
  Open();
  EXPECT_EQ(1u, OnDisk().size());
  ExpectLarge(0, 10);
  Open();
  ExpectLarge(0, 10);
}

TEST_F(Blobs, DroppedFamiliesTakeThemAlong) {
  Open();
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &handle).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), handle, Key(1), Large(1)).ok());
  ASSERT_TRUE(db_->Flush(FlushOptions(), handle).ok());
  EXPECT_EQ(1u, OnDisk().size());
  ASSERT_TRUE(db_->DropColumnFamily(handle).ok());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), handle, Key(1), &value).ok());
  EXPECT_EQ(Large(1), value);
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  Put("z", "z");
  Flush();
  EXPECT_EQ(0u, OnDisk().size());
}

TEST_F(Blobs, NonsenseInOptionsIsRefused) {
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1.5;
  EXPECT_TRUE(DB::Open(options_, "/db", &db_).IsInvalidArgument());
  options_.blob_garbage_collection_age_cutoff = 0.5;
  options_.blob_garbage_collection_force_threshold = -0.5;
  EXPECT_TRUE(DB::Open(options_, "/db", &db_).IsInvalidArgument());
  options_.blob_garbage_collection_force_threshold = 1;
  options_.blob_compression_type = kXpressCompression;
  EXPECT_TRUE(DB::Open(options_, "/db", &db_).IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
