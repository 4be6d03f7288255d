// Every property there is has an answer, and it is the right one of its kind.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using P = DB::Properties;
using Map = std::map<std::string, std::string>;

// Number: also GetIntProperty and the sum over families. Text: GetProperty.
// May be empty: so in this database. Map: GetMapProperty, too.
enum Kind : unsigned { kNumber = 1, kText = 2, kMayBeEmpty = 4, kMap = 8 };

struct Known {
  std::string name;
  unsigned kind;
};

std::vector<Known> AllProperties() {
  return {
      {P::kNumFilesAtLevelPrefix + "0", kText},
      {P::kCompressionRatioAtLevelPrefix + "1", kText},
      {P::kStats, kText},
      {P::kSSTables, kText},
      {P::kCFStats, kText | kMap},
      {P::kCFStatsNoFileHistogram, kText},
      {P::kCFFileHistogram, kText},
      {P::kCFWriteStallStats, kText | kMap},
      {P::kDBWriteStallStats, kText | kMap},
      {P::kDBStats, kText | kMap},
      {P::kLevelStats, kText},
      {P::kBlockCacheEntryStats, kText | kMap},
      {P::kFastBlockCacheEntryStats, kText | kMap},
      {P::kNumImmutableMemTable, kNumber},
      {P::kNumImmutableMemTableFlushed, kNumber},
      {P::kMemTableFlushPending, kNumber},
      {P::kNumRunningFlushes, kNumber},
      {P::kCompactionPending, kNumber},
      {P::kNumRunningCompactions, kNumber},
      {P::kNumRunningCompactionSortedRuns, kNumber},
      {P::kNumUnscheduledCompactions, kNumber},
      {P::kCompactionAbortCount, kNumber},
      {P::kBackgroundErrors, kNumber},
      {P::kCurSizeActiveMemTable, kNumber},
      {P::kCurSizeAllMemTables, kNumber},
      {P::kSizeAllMemTables, kNumber},
      {P::kNumEntriesActiveMemTable, kNumber},
      {P::kNumEntriesImmMemTables, kNumber},
      {P::kNumDeletesActiveMemTable, kNumber},
      {P::kNumDeletesImmMemTables, kNumber},
      {P::kEstimateNumKeys, kNumber},
      {P::kEstimateTableReadersMem, kNumber},
      {P::kIsFileDeletionsEnabled, kNumber},
      {P::kNumSnapshots, kNumber},
      {P::kOldestSnapshotTime, kNumber},
      {P::kOldestSnapshotSequence, kNumber},
      {P::kNumLiveVersions, kNumber},
      {P::kCurrentSuperVersionNumber, kNumber},
      {P::kEstimateLiveDataSize, kNumber},
      {P::kMinLogNumberToKeep, kNumber},
      {P::kMinObsoleteSstNumberToKeep, kNumber},
      {P::kTotalSstFilesSize, kNumber},
      {P::kLiveSstFilesSize, kNumber},
      {P::kObsoleteSstFilesSize, kNumber},
      {P::kLiveSstFilesSizeAtTemperature + "0", kText},
      {P::kBaseLevel, kNumber},
      {P::kEstimatePendingCompactionBytes, kNumber},
      {P::kAggregatedTableProperties, kText | kMap},
      {P::kAggregatedTablePropertiesAtLevel + "0", kText | kMap},
      {P::kActualDelayedWriteRate, kNumber},
      {P::kIsWriteStopped, kNumber},
      {P::kEstimateOldestKeyTime, kNumber},
      {P::kBlockCacheCapacity, kNumber},
      {P::kBlockCacheUsage, kNumber},
      {P::kBlockCachePinnedUsage, kNumber},
      {P::kOptionsStatistics, kText},
      {P::kNumBlobFiles, kNumber},
      {P::kBlobStats, kText | kMayBeEmpty},
      {P::kTotalBlobFileSize, kNumber},
      {P::kLiveBlobFileSize, kNumber},
      {P::kLiveBlobFileGarbageSize, kNumber},
      {P::kBlobCacheCapacity, kNumber},
      {P::kBlobCacheUsage, kNumber},
      {P::kBlobCachePinnedUsage, kNumber},
  };
}

class PropertiesTest : public testing::Test {
 protected:
  PropertiesTest() {
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    BlockBasedTableOptions table;
    table.block_cache = cache_;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    EXPECT_TRUE(DB::Open(options_, dir_.path(), &db_).ok());
    // 100 keys in level 1, 30 of them also in level 0, 5 in the memtable.
    Fill(100);
    EXPECT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    Fill(30);
    for (int i = 0; i < 5; ++i) Put(i);
    std::string value;
    EXPECT_TRUE(db_->Get(ReadOptions(), Key(77), &value).ok());
  }

  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  void Put(int i) {
    EXPECT_TRUE(db_->Put(WriteOptions(), Key(i), "value").ok());
  }
  void Fill(int keys) {
    for (int i = 0; i < keys; ++i) Put(i);
    EXPECT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  uint64_t Number(const std::string& name) {
    uint64_t number = 0;
    EXPECT_TRUE(db_->GetIntProperty(name, &number)) << name;
    return number;
  }
  std::string Text(const std::string& name) {
    std::string text;
    EXPECT_TRUE(db_->GetProperty(name, &text)) << name;
    return text;
  }
  Map MapOf(const std::string& name) {
    Map map;
    EXPECT_TRUE(db_->GetMapProperty(name, &map)) << name;
    return map;
  }

  test::TempDir dir_;
  const std::shared_ptr<Cache> cache_ = NewLRUCache(1 << 20);
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(PropertiesTest, EveryPropertyAnswersInAllItsForms) {
  for (const auto& [name, kind] : AllProperties()) {
    const std::string text = Text(name);
    EXPECT_TRUE((kind & kMayBeEmpty) != 0 || !text.empty()) << name;
    uint64_t number = 0;
    const bool is_number = (kind & kNumber) != 0;
    EXPECT_EQ(is_number, db_->GetIntProperty(name, &number)) << name;
    EXPECT_EQ(is_number, db_->GetAggregatedIntProperty(name, &number)) << name;
    if (is_number) {
      EXPECT_EQ(std::string::npos, text.find_first_not_of("0123456789"))
          << name << ": " << text;
    }
    Map map;
    EXPECT_EQ((kind & kMap) != 0, db_->GetMapProperty(name, &map)) << name;
    EXPECT_EQ((kind & kMap) != 0, !map.empty()) << name;
  }
}

TEST_F(PropertiesTest, UnknownNamesAreRefused) {
  std::string text;
  uint64_t number = 0;
  Map map;
  for (const char* name :
       {"rocksdb.nothing", "stats", "", "rocksdb.num-files-at-level",
        "rocksdb.num-files-at-level77",
        "rocksdb.aggregated-table-properties-at-level",
        "rocksdb.aggregated-table-properties-at-level77"}) {
    EXPECT_FALSE(db_->GetProperty(name, &text)) << name;
    EXPECT_FALSE(db_->GetIntProperty(name, &number)) << name;
    EXPECT_FALSE(db_->GetMapProperty(name, &map)) << name;
  }
}

TEST_F(PropertiesTest, TablePropertiesAreSummedByLevel) {
  EXPECT_EQ("130", MapOf(P::kAggregatedTableProperties)["num_entries"]);
  const std::string& at_level = P::kAggregatedTablePropertiesAtLevel;
  EXPECT_EQ("30", MapOf(at_level + "0")["num_entries"]);
  uint64_t below = 0;
  for (int level = 1; level < db_->NumberLevels(); ++level) {
    below +=
        std::stoull(MapOf(at_level + std::to_string(level))["num_entries"]);
  }
  EXPECT_EQ(100u, below);
  EXPECT_NE(std::string::npos,
            Text(P::kAggregatedTableProperties).find("# entries=130"));
}

TEST_F(PropertiesTest, CacheEntriesAreToldByRole) {
  const Map map = MapOf(P::kBlockCacheEntryStats);
  EXPECT_EQ(std::to_string(1 << 20), map.at("capacity"));
  EXPECT_EQ("1", map.at("count.data-block"));
  EXPECT_GT(std::stoull(map.at("bytes.data-block")), 0u);
  EXPECT_GT(std::stod(map.at("percent.data-block")), 0.0);
  EXPECT_EQ("0", map.at("count.blob-value"));
  EXPECT_NE(std::string::npos,
            Text(P::kBlockCacheEntryStats).find(" DataBlock(1,"));
}

TEST_F(PropertiesTest, StallsHaveAllTheirCauses) {
  const Map family = MapOf(P::kCFWriteStallStats);
  EXPECT_EQ("0", family.at("total-stops"));
  EXPECT_EQ("0", family.at("memtable-limit-delays"));
  EXPECT_EQ(
      "0", MapOf(P::kDBWriteStallStats).at("write-buffer-manager-limit-stops"));
  const Map stats = MapOf(P::kCFStats);
  EXPECT_TRUE(stats.contains("io_stalls.level0_slowdown"));
  EXPECT_TRUE(stats.contains("compaction.Sum.WriteAmp"));
}

TEST_F(PropertiesTest, DbStatsCountWhatWasWritten) {
  const Map before = MapOf(P::kDBStats);
  EXPECT_EQ(9u, before.size());
  EXPECT_EQ("135", before.at("db.user_keys_written"));
  EXPECT_EQ("135", before.at("db.user_writes_by_self"));
  EXPECT_EQ("0", before.at("db.user_writes_by_other"));
  EXPECT_EQ("0", before.at("db.user_write_stall_micros"));
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(db_->Put(unlogged, "unlogged", "x").ok());
  WriteOptions synced;
  synced.sync = true;
  ASSERT_TRUE(db_->Put(synced, "synced", "x").ok());
  const Map after = MapOf(P::kDBStats);
  EXPECT_EQ("137", after.at("db.user_keys_written"));
  EXPECT_EQ("136", after.at("db.user_writes_with_wal"));
  EXPECT_EQ("1", after.at("db.wal_syncs"));
  EXPECT_GT(std::stoull(after.at("db.user_bytes_written")),
            std::stoull(after.at("db.wal_bytes_written")));
  EXPECT_GE(std::stod(after.at("db.uptime")),
            std::stod(before.at("db.uptime")));
}

TEST_F(PropertiesTest, NumbersAreThoseOfTheDatabase) {
  EXPECT_EQ(5u, Number(P::kNumEntriesActiveMemTable));
  EXPECT_EQ(135u, Number(P::kEstimateNumKeys));
  EXPECT_EQ(1u << 20, Number(P::kBlockCacheCapacity));
  EXPECT_EQ(1u, Number(P::kIsFileDeletionsEnabled));
  EXPECT_EQ("1", Text(P::kNumFilesAtLevelPrefix + "0"));
  EXPECT_EQ(std::to_string(Number(P::kLiveSstFilesSize)),
            Text(P::kLiveSstFilesSizeAtTemperature + "0"));
  EXPECT_EQ("0", Text(P::kLiveSstFilesSizeAtTemperature + "4"));
  const Snapshot* const snapshot = db_->GetSnapshot();
  EXPECT_EQ(1u, Number(P::kNumSnapshots));
  EXPECT_EQ(snapshot->GetSequenceNumber(), Number(P::kOldestSnapshotSequence));
  db_->ReleaseSnapshot(snapshot);
  EXPECT_EQ(0u, Number(P::kNumRunningCompactionSortedRuns));
  // As in RocksDB: no job holds anything back.
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(UINT64_MAX, Number(P::kMinObsoleteSstNumberToKeep));
}

// It could only describe itself, and it does not write.
// A database that is open for writing, and the same opened twice for reading.
class ReadingProcess : public ::testing::Test {
 protected:
  void OpenWriter(const Options& options) {
    ASSERT_TRUE(DB::Open(options, dir_.File("db"), &writer_).ok());
  }
  void OpenReaders(const Options& options) {
    std::unique_ptr<DB> db;
    ASSERT_TRUE(DB::OpenForReadOnly(options, dir_.File("db"), &db).ok());
    readers_.push_back(std::move(db));
    ASSERT_TRUE(
        DB::OpenAsSecondary(options, dir_.File("db"), dir_.File("second"), &db)
            .ok());
    readers_.push_back(std::move(db));
  }

  const test::TempDir dir_;
  std::unique_ptr<DB> writer_;
  std::vector<std::unique_ptr<DB>> readers_;
};

TEST_F(ReadingProcess, SaysThatItCannotKnowWhatLimitsWrites) {
  Options options;
  options.create_if_missing = true;
  options.level0_file_num_compaction_trigger = 2;
  options.level0_slowdown_writes_trigger = 2;
  options.level0_stop_writes_trigger = 2;
  options.disable_auto_compactions = true;
  OpenWriter(options);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(writer_->Put(WriteOptions(), "key", "value").ok());
    ASSERT_TRUE(writer_->Flush(FlushOptions()).ok());
  }
  std::string text;
  ASSERT_TRUE(writer_->GetProperty("rocksdb.write-limit", &text));
  EXPECT_EQ(text.find("Unknown"), std::string::npos) << text;
  options.disable_auto_compactions = false;
  OpenReaders(options);
  for (const std::unique_ptr<DB>& db : readers_) {
    for (const char* name :
         {"rocksdb.write-limit", "rocksdb.auto-tune.state",
          "rocksdb.is-write-stopped", "rocksdb.actual-delayed-write-rate",
          "rocksdb.write-stops-without-job", "rocksdb.cf-write-stall-stats",
          "rocksdb.db-write-stall-stats"}) {
      ASSERT_TRUE(db->GetProperty(name, &text)) << name;
      EXPECT_EQ(text.find("Unknown: this process has the database open for "
                          "reading only."),
                0u)
          << name << ": " << text;
      EXPECT_EQ(text.find("limit  "), std::string::npos) << text;
    }
    ASSERT_TRUE(db->GetProperty("rocksdb.write-stall-cause", &text));
    EXPECT_EQ(text, "unknown");
    std::map<std::string, std::string> state;
    ASSERT_TRUE(db->GetMapProperty("rocksdb.auto-tune.state", &state));
    EXPECT_EQ(state.size(), 1u);
    // In numbers and maps there is no room for "unknown".
    for (const auto& name : {P::kIsWriteStopped, P::kActualDelayedWriteRate}) {
      uint64_t number = 0;
      EXPECT_FALSE(db->GetIntProperty(name, &number)) << name;
      EXPECT_FALSE(db->GetAggregatedIntProperty(name, &number)) << name;
    }
    EXPECT_FALSE(db->GetMapProperty(P::kCFWriteStallStats, &state));
    EXPECT_FALSE(db->GetMapProperty(P::kDBWriteStallStats, &state));
  }
}

TEST_F(ReadingProcess, CountsItsUptimeFromItsOpenAndNoStallsOfTheWriter) {
  Options options;
  options.create_if_missing = true;
  OpenWriter(options);
  OpenReaders(options);
  const std::string unknown = "unknown: opened for reading only";
  for (const std::unique_ptr<DB>& db : readers_) {
    std::map<std::string, std::string> state;
    ASSERT_TRUE(db->GetMapProperty(P::kDBStats, &state));
    EXPECT_LT(std::stod(state.at("db.uptime")), 600);
    EXPECT_EQ(unknown, state.at("db.user_write_stall_micros"));
    ASSERT_TRUE(db->GetMapProperty(P::kCFStats, &state));
    EXPECT_EQ(unknown, state.at("io_stalls.total_stop"));
    std::string text;
    ASSERT_TRUE(db->GetProperty(P::kStats, &text));
    for (const char* line :
         {"Cumulative stall: ", "Interval stall: ", "Stalls(count): ",
          "Write Stall (count): ",
          "Write Stall (count): write-buffer-manager-limit-stops: "}) {
      EXPECT_NE(std::string::npos, text.find("\n" + (line + unknown) + "\n"))
          << line << "\n"
          << text;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
