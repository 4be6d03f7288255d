// db_bench as a program: what it refuses, it refuses before it touches a
// database; and the list of RocksDB's flags.
//
// Place. The program is built into the folder of this test.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class DbBench : public testing::Test {
 protected:
  void SetUp() override {
    Options options;
    options.create_if_missing = true;
    std::unique_ptr<DB> db;
    ASSERT_TRUE(DB::Open(options, dir_.path(), &db).ok());
    ASSERT_TRUE(db->Put(WriteOptions(), "precious", "value").ok());
  }

  static std::string Program() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() /
            "db_bench")
        .string();
  }

  Ran Run(const std::string& flags) const {
    Ran ran =
        RunCommand(Program() + " --num=10 --db=" + dir_.path() + " " + flags);
    ran.code = WIFEXITED(ran.code) ? WEXITSTATUS(ran.code) : -1;
    return ran;
  }

  bool PreciousIsThere() const {
    std::unique_ptr<DB> db;
    std::string value;
    return DB::OpenForReadOnly(Options(), dir_.path(), &db).ok() &&
           db->Get(ReadOptions(), "precious", &value).ok();
  }

  void ExpectRefused(const std::string& flags, const std::string& message) {
    const Ran ran = Run(flags);
    EXPECT_EQ(1, ran.code) << flags << "\n" << ran.output;
    EXPECT_NE(std::string::npos, ran.output.find(message))
        << flags << ": expected '" << message << "', found\n"
        << ran.output;
    EXPECT_EQ(std::string::npos, ran.output.find("ops/sec")) << ran.output;
    EXPECT_TRUE(PreciousIsThere()) << flags;
  }

  TempDir dir_;
};

TEST_F(DbBench, AMisspeltFlagIsRefusedWithTheNearestNameAndNothingIsDestroyed) {
  ExpectRefused("--benchmarks=readrandom --use_existing_bd",
                "unknown flag --use_existing_bd; did you mean "
                "--use_existing_db?");
  ExpectRefused("--benchmarks=readrandom -use-existing-dbs=1",
                "did you mean --use_existing_db?");
  ExpectRefused("--benchmarks=readrandom use_existing_db",
                "'use_existing_db' is not a flag");
  ExpectRefused("--benchmark=readrandom", "did you mean --benchmarks?");
  ExpectRefused("--benchmarks=readrandom --ttl=3",
                "did you mean --ttl_seconds?");
  ExpectRefused("--benchmarks=readrandom --bogus", "unknown flag --bogus\n");
}

TEST_F(DbBench, APauseWithoutARateIsRefused) {
  ExpectRefused("--benchmarks=fillrandom --write_pause_seconds=3",
                "--write_pause_seconds needs --sine_write_rate or");
  ExpectRefused("--benchmarks=fillrandom --write_pause_seconds=-3",
                "must be at least 0");
}

TEST_F(DbBench, AFlagOfRocksDBsThatWouldChangeTheResultIsRefused) {
  ExpectRefused("--benchmarks=fillrandom --skip_list_lookahead=4",
                "--skip_list_lookahead=4: RocksDB's db_bench has this flag");
  ExpectRefused("--benchmarks=fillrandom --use_plain_table",
                "--use_plain_table=true: RocksDB's db_bench has this flag");
}

TEST_F(DbBench, AFlagOfRocksDBsThatChangesNothingIsNotedAndTheBenchmarkRuns) {
  const Ran ran = Run(
      "--benchmarks=fillseq --skip_list_lookahead=0 --cuckoo_hash_ratio 0.5 "
      "--nouse_blob_db");
  EXPECT_EQ(0, ran.code);
  for (const char* note : {"note: --skip_list_lookahead=0 is ignored",
                           "--cuckoo_hash_ratio=0.5 is",
                           "--use_blob_db=false is ignored", "ops/sec"}) {
    EXPECT_NE(std::string::npos, ran.output.find(note)) << note << "\n"
                                                        << ran.output;
  }
}

TEST_F(DbBench, FillSyncWritesAsOftenAsAskedOverAThousandthOfTheKeys) {
  const Ran ran = Run("--benchmarks=fillsync,readseq --num=300");
  EXPECT_NE(std::string::npos, ran.output.find(" 300 operations"))
      << ran.output;
  EXPECT_NE(std::string::npos, ran.output.find(" 1 operations")) << ran.output;
}

// The result lines of a run, by benchmark.
std::map<std::string, std::string> ResultsOf(const std::string& output) {
  std::map<std::string, std::string> results;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("ops/sec") == std::string::npos) continue;
    results[line.substr(0, line.find_first_of(" :"))] = line;
  }
  return results;
}

TEST_F(DbBench, ChangesReadsAndMergesRunOverAllKeys) {
  const Ran ran = Run(
      "--num=3000 --merge_operator=stringappend --merge_keys=100 "
      "--benchmarks=fillseekseq,updaterandom,xorupdaterandom,appendrandom,"
      "mergerandom,readrandommergerandom,readtocache,readtorowcache,"
      "readwhilemerging,readwhilescanning,seekrandomwhilemerging,newiterator,"
      "newiteratorwhilewriting,approximatesizerandom,crc32c,acquireload,"
      "memstats,sstables");
  ASSERT_EQ(0, ran.code) << ran.output;
  std::map<std::string, std::string> results = ResultsOf(ran.output);
  for (const char* name :
       {"fillseekseq", "readtocache", "readtorowcache", "readwhilemerging",
        "readwhilescanning", "seekrandomwhilemerging", "newiterator",
        "newiteratorwhilewriting", "approximatesizerandom", "crc32c",
        "acquireload"}) {
    EXPECT_EQ(1u, results.count(name)) << name << "\n" << ran.output;
  }
  const auto expect = [&](const char* name, const char* text) {
    EXPECT_NE(std::string::npos, results[name].find(text))
        << name << ": " << results[name];
  };
  expect("fillseekseq", "6000 operations");
  expect("updaterandom", "( updates:3000 found:3000)");
  expect("xorupdaterandom", "( updates:3000 found:3000)");
  expect("appendrandom", "( updates:3000 found:3000)");
  expect("mergerandom", "( updates:3000)");
  expect("readrandommergerandom", "total:3000)");
  expect("readtocache", "3000 operations");
  expect("readtorowcache", "(3000 of 3000 found)");
  expect("readwhilemerging", "(3000 of 3000 found)");
  expect("readwhilescanning", "(3000 of 3000 found)");
  EXPECT_NE(std::string::npos,
            ran.output.find("rocksdb.cur-size-all-mem-tables"));
}

uint64_t RowsOf(const std::string& path) {
  std::unique_ptr<DB> db;
  EXPECT_TRUE(DB::OpenForReadOnly(Options(), path, &db).ok()) << path;
  uint64_t rows = 0;
  if (db == nullptr) return rows;
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++rows;
  return rows;
}

TEST_F(DbBench, ABenchmarkThatMergesNeedsAnOperator) {
  ExpectRefused("--benchmarks=fillseq,mergerandom", "needs --merge_operator");
}

TEST_F(DbBench, LevelsAreCompactedAndBackupsRestored) {
  const Ran ran = Run(
      "--num=2000 --disable_auto_compactions --write_buffer_size=65536 "
      "--level_compaction_dynamic_level_bytes=false "
      "--benchmarks=fillrandom,flush,compact0,levelstats,compact1,levelstats,"
      "backup,restore,compactall");
  ASSERT_EQ(0, ran.code) << ran.output;
  EXPECT_NE(std::string::npos, ran.output.find("compact0: ")) << ran.output;
  EXPECT_NE(std::string::npos, ran.output.find("compact1: 1 files"))
      << ran.output;
  EXPECT_EQ(1u, ResultsOf(ran.output).count("backup")) << ran.output;
  EXPECT_GT(RowsOf(dir_.path()), 1000u);
  EXPECT_EQ(RowsOf(dir_.path()), RowsOf(dir_.path() + ".restored"));
  std::filesystem::remove_all(dir_.path() + ".restored");
  std::filesystem::remove_all(dir_.path() + ".backup");
}

TEST_F(DbBench, AnotherDatabaseReplaysWhatWasTraced) {
  const std::string trace = dir_.path() + ".trace";
  const std::string blocks = dir_.path() + ".blocks";
  const std::string traced = "--num=500 --trace_file=" + trace + " ";
  const Ran wrote = Run(traced + "--benchmarks=fillrandom");
  ASSERT_EQ(0, wrote.code) << wrote.output;
  const size_t rows = RowsOf(dir_.path());
  EXPECT_GT(rows, 100u);
  std::filesystem::remove_all(dir_.path());
  const Ran replayed = Run(traced +
                           "--trace_replay_fast_forward=1000 "
                           "--simcache_size=1000000 --block_cache_trace_file=" +
                           blocks + " --benchmarks=replay");
  ASSERT_EQ(0, replayed.code) << replayed.output;
  EXPECT_EQ(1u, ResultsOf(replayed.output).count("replay"));
  EXPECT_EQ(rows, RowsOf(dir_.path()));
  EXPECT_NE(std::string::npos,
            replayed.output.find("SIMULATOR CACHE STATISTICS:"))
      << replayed.output;
  // The replay itself is not traced.
  EXPECT_FALSE(std::filesystem::exists(blocks));
  ASSERT_EQ(0, Run("--num=500 --use_existing_db --benchmarks=flush,readrandom "
                   "--block_cache_trace_file=" +
                   blocks)
                   .code);
  EXPECT_GT(std::filesystem::file_size(blocks), 500u);
  std::filesystem::remove(trace);
  std::filesystem::remove(blocks);
}

TEST_F(DbBench, TracesNeedAFileAndOneDatabase) {
  ExpectRefused("--benchmarks=replay", "needs --trace_file");
  ExpectRefused("--benchmarks=fillseq --trace_file=x --num_multi_db=2",
                "exclude --num_multi_db");
  ExpectRefused("--benchmarks=fillseq --trace_replay_fast_forward=0",
                "must be at least 1");
}

TEST_F(DbBench, OperationsGoToEveryFamilyOfEveryDatabase) {
  const std::string several =
      "--num=400 --num_column_families=3 --num_multi_db=2 --wal_dir=" +
      dir_.path() + " ";
  const Ran ran = Run(several +
                      "--benchmarks=fillrandom,overwrite,readrandom,flush,"
                      "compact,waitforcompaction,levelstats");
  EXPECT_EQ(0, ran.code) << ran.output;
  for (const std::string number : {"/0", "/1"}) {
    std::vector<std::string> names;
    ASSERT_TRUE(
        DB::ListColumnFamilies(DBOptions(), dir_.path() + number, &names).ok());
    EXPECT_EQ((std::vector<std::string>{"default", "column_family_name_000001",
                                        "column_family_name_000002"}),
              names);
    bool has_log = false;  // --wal_dir is numbered too.
    for (const auto& file :
         std::filesystem::directory_iterator(dir_.path() + number)) {
      has_log |= file.path().extension() == ".log";
    }
    EXPECT_TRUE(has_log) << number;
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names)
      families.emplace_back(name, Options());
    std::vector<ColumnFamilyHandle*> handles;
    std::unique_ptr<DB> db;
    ASSERT_TRUE(DB::OpenForReadOnly(DBOptions(), dir_.path() + number, families,
                                    &handles, &db)
                    .ok());
    for (ColumnFamilyHandle* handle : handles) {
      const std::unique_ptr<Iterator> it(
          db->NewIterator(ReadOptions(), handle));
      int keys = 0;
      for (it->SeekToFirst(); it->Valid(); it->Next()) ++keys;
      EXPECT_GT(keys, 20) << handle->GetName();
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
  }
  ExpectRefused("--benchmarks=fillseq,seekrandom --num_multi_db=2",
                "benchmark 'seekrandom' works on one column family");
  ExpectRefused("--benchmarks=readrandom --num_column_families=2 --readonly",
                "exclude --readonly");
}

TEST_F(DbBench, BlueStoreFillsItsFamiliesAndWhatDiesYoungNeverReachesATable) {
  const Ran ran =
      Run("--benchmarks=bluestore,flush --writes=20000 --num=500 --statistics "
          "--options_string=compression=kNoCompression,write_buffer_size=1MB,"
          "max_write_buffer_number=64,min_write_buffer_number_to_merge=32");
  EXPECT_EQ(0, ran.code) << ran.output;
  EXPECT_NE(std::string::npos, ran.output.find(" 20000 operations"));
  EXPECT_NE(std::string::npos, ran.output.find(", 10 listings of p50 "))
      << ran.output;
  const std::vector<std::string> names = {"default", "O-0", "O-1", "O-2",
                                          "p-0",     "p-1", "p-2", "m-0",
                                          "m-1",     "m-2", "L"};
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, Options());
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
  const Status opened =
      DB::OpenForReadOnly(DBOptions(), dir_.path(), families, &handles, &db);
  ASSERT_TRUE(opened.ok()) << opened.ToString();
  std::map<char, std::pair<uint64_t, uint64_t>> entries;  // Alive, in tables.
  for (ColumnFamilyHandle* handle : handles) {
    auto& [alive, in_tables] = entries[handle->GetName()[0]];
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions(), handle));
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++alive;
    TablePropertiesCollection tables;
    EXPECT_TRUE(db->GetPropertiesOfAllTables(handle, &tables).ok());
    for (const auto& [path, table] : tables) in_tables += table->num_entries;
    EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
  EXPECT_EQ(500u, entries['O'].first);
  EXPECT_EQ(5000u, entries['m'].first);
  EXPECT_EQ(6400u, entries['p'].first);
  EXPECT_EQ(64u, entries['L'].first);
  EXPECT_LT(entries['p'].second, 20000u);  // Of 33,600 written.
  EXPECT_LT(entries['L'].second, 2500u);   // Of 4,936.
}

TEST_F(DbBench, AnUnknownBenchmarkPrintsTheListAndNothingIsDestroyed) {
  ExpectRefused("--benchmarks=fillseq,fillrandon",
                "unknown benchmark 'fillrandon'; db_bench has:\n  fillseq\n");
  ExpectRefused("--benchmarks=fillseq[Y3]", "benchmark 'fillseq[Y3]'");
  ExpectRefused("--benchmarks=fillseq --write_shape=snake", "snake");
}

TEST_F(DbBench, WhatOpenOrAWriteRefusesIsKnownBeforeAnythingIsDestroyed) {
  const std::string fill = "--benchmarks=fillseq ";
  for (const auto& [flags, message] : std::map<std::string, std::string>{
           {"--compaction_style=1", "kCompactionStyleUniversal"},
           {"--memtablerep=vector", "doesn't allow concurrent writes"},
           {"--checksum_type=9", "unknown checksum type"},
           {"--options_string=checksum=kNoSuch", "checksum"},
           {"--options_string=write_bufer_size=1MB", "write_bufer_size"},
           {"--io_profile=/nowhere/profile", "/nowhere/profile"},
           {"--wal_dir=/nowhere/logs", "/nowhere/logs"},
           {"--options_string=db_log_dir=/nowhere/logs", "/nowhere/logs"},
           {"--report_interval_seconds=1 --report_file=/nowhere/report.csv",
            "/nowhere/report.csv"},
           {"--timeline_file=/nowhere/timeline.csv", "/nowhere/timeline.csv"},
           {"--cache_type=nosuch", "hyper_clock_cache"},
           {"--compaction_pri=9", "--compaction_pri=9: expected 0 to 4"},
           {"--num_levels=0", "--num_levels=0: expected at least 1"},
           {"--value_size=-1", "--value_size must be at least 0"},
           {"--value_size_distribution_type=odd", "fixed, uniform or normal"},
           {"--block_protection_bytes_per_key=300", "expected 0, 1, 2, 4 or 8"},
           {"--memtable_protection_bytes_per_key=3", "only supports 0, 1, 2"},
           {"--index_shortening_mode=5", "expected 0 to 2"},
           {"--max_bytes_for_level_multiplier_additional=1,x", "by commas"},
           {"--cost_write_buffer_to_cache --cache_size=-1", "a block cache"},
           {"--cache_uri=nosuch", "Invalid argument"},
           {"--options_file=/nowhere/OPTIONS", "/nowhere/OPTIONS"},
           {"--writes_per_range_tombstone=5", "--max_num_range_tombstones"},
           {"--column_family_distribution=50,60", "whose sum is 100"},
           {"--overwrite_probability=2", "must be 0 to 1"},
           {"--transaction_db --optimistic_transaction_db", "excludes"},
           {"--use_keep_filter --expire_style=compaction_filter", "one filter"},
           {"--sync --disable_wal", "has to enable WAL"},
           {"--readonly", "need --use_existing_db"},
           {"--use_direct_reads --mmap_read", "use_direct_reads"}}) {
    ExpectRefused(fill + flags, message);
    ExpectRefused(fill + flags, "nothing was destroyed");
  }
  // A later workload with families of its own, or that syncs.
  ExpectRefused("--benchmarks=fillseq,bluestore --checksum_type=9",
                "unknown checksum type");
  ExpectRefused("--benchmarks=fillseq,fillsync --disable_wal",
                "has to enable WAL");
}

// What the lines give a class, in all.
uint64_t SumOfTimeline(const std::string& lines, const std::string& io_class,
                       const std::string& figure) {
  const std::regex pattern("\"" + io_class + "\":\\{[^}]*\"" + figure +
                           "\":([0-9]+)");
  uint64_t sum = 0;
  for (std::sregex_iterator it(lines.begin(), lines.end(), pattern), end;
       it != end; ++it) {
    sum += std::stoull((*it)[1]);
  }
  return sum;
}

TEST_F(DbBench, TheTimelineShowsWhatEachClassHadOfTheDisk) {
  std::ofstream(dir_.File("profile.yaml"))
      << "disks:\n  - mountpoint: /\n    read_iops: 20000\n"
         "    read_bandwidth: 50MB\n    write_iops: 20000\n"
         "    write_bandwidth: 50MB\n";
  const Ran ran =
      Run("--benchmarks=fillrandom --num=100000000 --duration=2 --db=" +
          dir_.File("timed") + " --write_buffer_size=1000000 --io_profile=" +
          dir_.File("profile.yaml") + " --timeline_file=" + dir_.File("lines"));
  ASSERT_EQ(0, ran.code) << ran.output;
  std::stringstream lines;
  lines << std::ifstream(dir_.File("lines")).rdbuf();
  EXPECT_GT(SumOfTimeline(lines.str(), "log", "bytes"), 100'000u);
  EXPECT_GT(SumOfTimeline(lines.str(), "flush", "bytes"), 100'000u);
  EXPECT_GT(SumOfTimeline(lines.str(), "flush", "ops"), 0u);
  EXPECT_GT(SumOfTimeline(lines.str(), "flush", "disk_us"), 0u);
  EXPECT_NE(std::string::npos, lines.str().find("\"backups\":{"));
  EXPECT_EQ(0u, SumOfTimeline(lines.str(), "backups", "bytes"));
}

TEST_F(DbBench, TheRehearsalOfTheOptionsLeavesNothingBehind) {
  const auto names = [this] {
    std::set<std::string> found;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(dir_.path())) {
      found.insert(file.path().filename());
    }
    return found;
  };
  const std::set<std::string> before = names();
  ExpectRefused("--benchmarks=fillseq --checksum_type=9 --wal_dir=" +
                    dir_.path() + "/logs",
                "unknown checksum type");
  // The test's own look at the database adds nothing.
  EXPECT_EQ(before, names());

  const Ran ran = Run("--benchmarks=fillseq --wal_dir=" + dir_.path() +
                      "/logs --num_column_families=2 --statistics");
  EXPECT_EQ(0, ran.code) << ran.output;
  for (const std::string& name : names()) {
    EXPECT_EQ(std::string::npos, name.find("rehearsal")) << name;
  }
  EXPECT_NE(std::string::npos,
            ran.output.find("rocksdb.number.keys.written COUNT : 10\n"))
      << "what the rehearsal wrote is counted:\n"
      << ran.output;
}

TEST_F(DbBench, TheRehearsalOfTheOptionsKeepsDatabasesBelowTheOneItIsFor) {
  const std::string inner = dir_.File("parent/rehearsal");
  std::filesystem::create_directories(inner);
  ASSERT_EQ(0, Run("--benchmarks=fillseq --db=" + inner).code);
  const Ran refused =
      Run("--benchmarks=fillseq --checksum_type=9 --db=" + dir_.File("parent"));
  EXPECT_EQ(1, refused.code) << refused.output;
  std::unique_ptr<DB> db;
  const Status opened = DB::OpenForReadOnly(Options(), inner, &db);
  EXPECT_TRUE(opened.ok()) << opened.ToString();
}

TEST_F(DbBench, TheRehearsalOfTheOptionsKeepsWhatIsWhereItWouldBe) {
  for (const std::string place : {"db", "wal", "log"}) {
    // exec: the program has the number of the shell that names the directory.
    const std::string taken = dir_.File(place) + "/db_bench_rehearsal.$$";
    const Ran ran = RunCommand(
        "mkdir -p " + taken + " && touch " + taken + "/precious && exec " +
        Program() + " --num=10 --benchmarks=fillseq --db=" + dir_.File("db") +
        " --wal_dir=" + dir_.File("wal") +
        " --options_string=db_log_dir=" + dir_.File("log"));
    EXPECT_TRUE(WIFEXITED(ran.code) && WEXITSTATUS(ran.code) == 1) << place;
    EXPECT_NE(std::string::npos, ran.output.find("is where the options would"))
        << place << "\n"
        << ran.output;
    EXPECT_NE(std::string::npos, ran.output.find("nothing was destroyed"));
    int kept = 0;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(dir_.File(place))) {
      kept += file.path().filename() == "precious" ? 1 : 0;
    }
    EXPECT_EQ(1, kept) << place;
    std::filesystem::remove_all(dir_.File(place));
  }
}

TEST_F(DbBench, TheRehearsalOfTheOptionsDeletesOnlyWhatEndedProcessesLeft) {
  const auto ended_process = [] {
    std::string number = RunCommand("echo $$").output;  // That shell's.
    number.erase(number.find_last_not_of('\n') + 1);
    return number;
  };
  const std::string ended = ended_process();
  const std::string name = "db_bench_rehearsal.";
  const std::string left = dir_.File(name + ended);
  Options options;
  options.create_if_missing = true;
  const std::vector<std::string> kept = {
      name + std::to_string(::getpid()), name + "0", name + "0" + ended,
      name + ended + "x", "x" + name + ended};
  std::unique_ptr<DB> db;
  for (const std::string& other : kept) {
    ASSERT_TRUE(DB::Open(options, dir_.File(other), &db).ok()) << other;
    db.reset();
  }
  std::filesystem::create_directory_symlink(dir_.File(kept.front()),
                                            dir_.File(name + ended_process()));
  options.wal_dir = dir_.File("logs/" + name + ended);
  std::filesystem::create_directories(options.wal_dir);
  ASSERT_TRUE(DB::Open(options, left, &db).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "key", "value").ok());
  db.reset();
  ASSERT_EQ(0, Run("--benchmarks=fillseq --wal_dir=" + dir_.File("logs")).code);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_FALSE(std::filesystem::exists(options.wal_dir));
  for (const std::string& other : kept) {
    const std::string current = dir_.File(other + "/CURRENT");
    EXPECT_TRUE(std::filesystem::exists(current)) << other;
  }
}

struct Row {
  std::string type;
  std::string value;
};

// RocksDB's --help: "-name (text) type: T default: V", over several lines.
std::map<std::string, Row> FlagsOfThePackagedOne() {
  std::istringstream in(RunCommand(Peer("db_bench") + " --help").output);
  std::string text;
  bool gflags_own = false;
  for (std::string line; std::getline(in, line);) {
    if (line.find("Flags from") != std::string::npos) {
      gflags_own = line.find("gflags") != std::string::npos;
    } else if (!gflags_own) {
      const size_t begin = line.find_first_not_of(' ');
      if (begin == 4) text += '\n';
      if (begin != std::string::npos) text += line.substr(begin) + " ";
    }
  }
  std::map<std::string, Row> flags;
  const std::regex flag(
      "\n-(\\w+) \\([^\n]*\\) type: (\\w+) +default: ([^\n]*)");
  for (std::sregex_iterator it(text.begin(), text.end(), flag), end; it != end;
       ++it) {
    std::string value = (*it)[3];
    value.erase(value.find_last_not_of(' ') + 1);
    std::erase(value, '"');
    flags[(*it)[1]] = {(*it)[2], value};
  }
  return flags;
}

TEST(DbBenchFlags, EveryFlagOfThePackagedOneIsOursOrInTheList) {
  if (!std::filesystem::exists(Peer("db_bench"))) {
    GTEST_SKIP() << "NO PEER: there is no packaged db_bench";
  }
  std::map<std::string, Row> known;
#define FLAG(type, name, value, help) known[#name] = {};
#include "tools/db_bench/flags.def"  // NOLINT: expanded here on purpose.
#undef FLAG
#define FLAG(type, name, value, effect)                                \
  EXPECT_FALSE(known.contains(#name)) << #name << " is in both lists"; \
  known[#name] = {#type, value};
#include "tools/db_bench/rocksdb_flags.def"  // NOLINT: expanded on purpose.
#undef FLAG
  const std::map<std::string, Row> theirs = FlagsOfThePackagedOne();
  EXPECT_GT(theirs.size(), 400u);
  for (const auto& [name, row] : theirs) {
    ASSERT_TRUE(known.contains(name)) << name;
    const Row& ours = known[name];
    if (ours.type.empty()) continue;
    EXPECT_EQ(row.type, ours.type) << name;
    if (row.type == "double") {
      EXPECT_DOUBLE_EQ(std::stod(row.value), std::stod(ours.value)) << name;
    } else {
      EXPECT_EQ(row.value, ours.value) << name;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
