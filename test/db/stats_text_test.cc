// The words and columns of "rocksdb.stats". The lines marked as RocksDB's were
// printed by RocksDB 7.8.3's db_bench for the numbers given.

#include "db/properties/stats_text.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "db/properties/property_names.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint64_t kMiB = 1 << 20;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The first line that begins with `start`.
std::string LineAt(const std::string& text, const std::string& start) {
  for (const std::string& line : Lines(text)) {
    if (line.starts_with(start)) return line;
  }
  return "no line begins with " + start;
}

std::vector<std::string> Words(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

CfStats SampleStats() {
  CfStats stats;
  stats.name = "default";
  stats.uptime_micros = 1'300'000;
  LevelStatsRow level0;
  level0.level = 0;
  level0.num_files = 2;
  level0.num_files_compacting = 2;
  level0.bytes = 3'198'000;
  level0.stats.count = 14;
  level0.stats.micros = 180'000;
  level0.stats.cpu_micros = 70'000;
  level0.stats.bytes_written = 21 * kMiB;
  LevelStatsRow level1;
  level1.level = 1;
  level1.num_files = 3;
  level1.num_files_compacting = 3;
  level1.bytes = 6'030'000;
  level1.stats.count = 6;
  level1.stats.micros = 420'000;
  level1.stats.cpu_micros = 150'000;
  level1.stats.bytes_read_upper = 18 * kMiB;
  level1.stats.bytes_read_output = 17 * kMiB;
  level1.stats.bytes_written = 33 * kMiB;
  level1.stats.records_in = 306'123;
  level1.stats.records_dropped = 23'456;
  LevelStatsRow level2;
  level2.level = 2;
  level2.score = 0.1;
  stats.levels = {level0, level1, level2};
  stats.priorities = {
      {"Low", level1.stats}, {"High", level0.stats}, {"User", {}}};
  stats.bytes_flushed = 21 * kMiB;
  stats.pending_compaction_bytes = 12345;
  stats.stalls.level0_slowdown = 2;
  stats.stalls.level0_slowdown_with_compaction = 2;
  stats.stalls.memtable_compaction = 3;
  stats.write_stall_line = "Write Stall (count): total-stops: 3\n";
  return stats;
}

TEST(StatsTextTest, TheLevelTableHasRocksdbsColumnWidths) {
  const std::string text = CfStatsTextNoHistogram(SampleStats(), CfStatsMark());
  // RocksDB's heading and its row for L0.
  EXPECT_EQ(
      "Level    Files   Size     Score Read(GB)  Rn(GB) Rnp1(GB) Write(GB) "
      "Wnew(GB) Moved(GB) W-Amp Rd(MB/s) Wr(MB/s) Comp(sec) CompMergeCPU(sec) "
      "Comp(cnt) Avg(sec) KeyIn KeyDrop Rblob(GB) Wblob(GB)",
      LineAt(text, "Level "));
  EXPECT_EQ(
      "  L0      2/2    3.05 MB   0.0      0.0     0.0      0.0       0.0      "
      "0.0       0.0   1.0      0.0    116.7      0.18              0.07       "
      " 14    0.013       0      0       0.0       0.0",
      LineAt(text, "  L0"));
  EXPECT_EQ(
      "  L1      3/3    5.75 MB   0.0      0.0     0.0      0.0       0.0      "
      "0.0       0.0   1.8     83.3     78.6      0.42              0.15       "
      "  6    0.070    306K    23K       0.0       0.0",
      LineAt(text, "  L1"));
  // A level without files and without history has no row.
  EXPECT_EQ("no line begins with   L2", LineAt(text, "  L2"));
  EXPECT_EQ(std::string(LineAt(text, "Level ").size(), '-'),
            LineAt(text, "------"));
}

TEST(StatsTextTest, SumAndIntHaveTheColumnsThatScriptsCut) {
  const CfStats now = SampleStats();
  CfStatsMark before;
  before.bytes_flushed = 14 * kMiB;
  before.total.bytes_written = 40 * kMiB;
  const std::string text = CfStatsTextNoHistogram(now, before);
  const std::vector<std::string> sum = Words(LineAt(text, " Sum"));
  ASSERT_EQ(22U, sum.size());
  EXPECT_EQ("5/5", sum[1]);
  EXPECT_EQ("2.6", sum[11]);  // 54 MiB written for 21 MiB flushed
  EXPECT_EQ("20", sum[16]);
  const std::vector<std::string> interval = Words(LineAt(text, " Int"));
  ASSERT_EQ(22U, interval.size());
  EXPECT_EQ("0/0", interval[1]);
  EXPECT_EQ("2.0", interval[11]);  // 14 MiB written for 7 MiB flushed
}

TEST(StatsTextTest, PrioritiesThatDidNothingAreLeftOut) {
  const std::string text = CfStatsTextNoHistogram(SampleStats(), CfStatsMark());
  EXPECT_EQ(22U, Words(LineAt(text, " Low")).size());
  EXPECT_EQ(22U, Words(LineAt(text, "High")).size());
  EXPECT_EQ("no line begins with User", LineAt(text, "User"));
}

TEST(StatsTextTest, TheGreppedLinesAreAllThere) {
  CfStatsMark before;
  before.uptime_micros = 1'000'000;
  before.bytes_flushed = 17 * kMiB;
  before.stalls = 4;
  const std::string text = CfStatsTextNoHistogram(SampleStats(), before);
  for (const char* line : {
           "** Compaction Stats [default] **",
           "Blob file count: 0, total size: 0.0 GB, garbage size: 0.0 GB, "
           "space amp: 0.0",
           "Uptime(secs): 1.3 total, 0.3 interval",
           "Flush(GB): cumulative 0.021, interval 0.004",
           "AddFile(Keys): cumulative 0, interval 0",
           "Cumulative compaction: 0.05 GB write, 41.54 MB/s write, 0.03 GB "
           "read, 26.92 MB/s read, 0.6 seconds",
           "Interval compaction: 0.05 GB write, 180.00 MB/s write, 0.03 GB "
           "read, 116.67 MB/s read, 0.6 seconds",
           "Estimated pending compaction bytes: 12345",
           "Stalls(count): 2 level0_slowdown, 2 "
           "level0_slowdown_with_compaction, 0 level0_numfiles, 0 "
           "level0_numfiles_with_compaction, 0 stop for "
           "pending_compaction_bytes, 0 slowdown for "
           "pending_compaction_bytes, 3 memtable_compaction, 0 "
           "memtable_slowdown, interval 1 total count",
           "Write Stall (count): total-stops: 3",
       }) {
    EXPECT_EQ(line, LineAt(text, line));
  }
}

TEST(StatsTextTest, DbStatsAreRocksdbs) {
  DbStats before;
  before.uptime_micros = 1'000'000;
  before.writes = before.keys = before.commit_groups = before.wal_writes =
      161'485;
  DbStats now;
  now.uptime_micros = 1'300'000;
  now.writes = now.keys = now.commit_groups = now.wal_writes = 200'000;
  now.bytes = now.wal_bytes = 25 * kMiB;
  now.stall_micros = 3'723'031'000;
  now.write_buffer_manager_stops = 7;
  EXPECT_EQ(
      (std::vector<std::string>{
          "",
          "** DB Stats **",
          "Uptime(secs): 1.3 total, 0.3 interval",
          "Cumulative writes: 200K writes, 200K keys, 200K commit groups, 1.0 "
          "writes per commit group, ingest: 0.02 GB, 19.23 MB/s",
          "Cumulative WAL: 200K writes, 0 syncs, 200000.00 writes per sync, "
          "written: 0.02 GB, 19.23 MB/s",
          "Cumulative stall: 01:02:3.031 H:M:S, 286387.0 percent",
          "Interval writes: 38K writes, 38K keys, 38K commit groups, 1.0 "
          "writes per commit group, ingest: 25.00 MB, 83.33 MB/s",
          "Interval WAL: 38K writes, 0 syncs, 38515.00 writes per sync, "
          "written: 0.02 GB, 83.33 MB/s",
          "Interval stall: 01:02:3.031 H:M:S, 1241010.3 percent",
          "Write Stall (count): write-buffer-manager-limit-stops: 7",
      }),
      Lines(DbStatsText(now, before)));
}

TEST(StatsTextTest, NothingHasHappenedYetAndNothingIsDividedByZero) {
  const std::string text = CfStatsTextNoHistogram(CfStats(), CfStatsMark()) +
                           DbStatsText(DbStats(), DbStats());
  EXPECT_EQ(std::string::npos, text.find("nan"));
  EXPECT_EQ(std::string::npos, text.find("inf "));
  EXPECT_EQ("Cumulative stall: 00:00:0.000 H:M:S, 0.0 percent",
            LineAt(text, "Cumulative stall"));
}

TEST(StatsTextTest, LevelStatsAreRocksdbs) {
  LevelStatsRow row;
  row.num_files = 2;
  row.bytes = 3 * kMiB;
  LevelStatsRow empty;
  empty.level = 1;
  EXPECT_EQ(
      "Level Files Size(MB)\n"
      "--------------------\n"
      "  0        2        3\n"
      "  1        0        0\n",
      LevelStatsText({row, empty}));
}

TEST(StatsTextTest, TheMapHasTheKeysThatProgramsRead) {
  const auto map = CfStatsMap(SampleStats());
  EXPECT_EQ("2", map.at("io_stalls.level0_slowdown"));
  EXPECT_EQ("0", map.at("io_stalls.level0_numfiles"));
  EXPECT_EQ("0", map.at("io_stalls.slowdown_for_pending_compaction_bytes"));
  EXPECT_EQ("3", map.at("io_stalls.total_stop"));
  EXPECT_EQ("2.571429", map.at("compaction.Sum.WriteAmp"));
  EXPECT_EQ("3.000000", map.at("compaction.L1.NumFiles"));
}

TEST(StatsTextTest, TheDbMapTellsLeadersFromFollowers) {
  DbStats stats;
  stats.uptime_micros = 1'250'000;
  stats.writes = 10;
  stats.keys = 30;
  stats.commit_groups = 4;
  stats.bytes = 700;
  stats.wal_writes = 9;
  stats.wal_syncs = 3;
  stats.wal_bytes = 650;
  stats.stall_micros = 12;
  EXPECT_EQ((std::map<std::string, std::string>{
                {"db.uptime", "1.250000"},
                {"db.user_bytes_written", "700"},
                {"db.user_keys_written", "30"},
                {"db.user_write_stall_micros", "12"},
                {"db.user_writes_by_other", "6"},
                {"db.user_writes_by_self", "4"},
                {"db.user_writes_with_wal", "9"},
                {"db.wal_bytes_written", "650"},
                {"db.wal_syncs", "3"},
            }),
            DbStatsMap(stats));
}

TEST(StatsTextTest, NumbersKeepThreeOrFourDigits) {
  EXPECT_EQ("9999", HumanCount(9999));
  EXPECT_EQ("10K", HumanCount(10'000));
  EXPECT_EQ("10M", HumanCount(10'000'000));
  EXPECT_EQ("10G", HumanCount(10'000'000'000));
  EXPECT_EQ("0.00 KB", HumanBytes(0));
  EXPECT_EQ("1024.00 TB", HumanBytes(uint64_t{1} << 50));
  EXPECT_EQ("17.96 MB", HumanBytes(18'832'425));
}

TEST(PropertyNamesTest, DigitsAtTheEndAreTheArgument) {
  const auto [name, level] = SplitPropertyName("rocksdb.num-files-at-level12");
  EXPECT_EQ(DB::Properties::kNumFilesAtLevelPrefix, name.ToString());
  EXPECT_EQ("12", level.ToString());
  EXPECT_EQ("", SplitPropertyName("rocksdb.stats").second.ToString());
  EXPECT_EQ("7", SplitPropertyName("7").second.ToString());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
