// fillrandom as a program, with our own shared library.
//
// Place. Program and library are built into the folder of this test.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "test/support/peer.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

std::string Built(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name)
      .string();
}

// The options in an OPTIONS file by name.
std::map<std::string, std::string> OptionsIn(const std::string& directory) {
  std::map<std::string, std::string> result;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    if (file.path().filename().string().rfind("OPTIONS-", 0) != 0) continue;
    std::ifstream in(file.path());
    for (std::string line; std::getline(in, line);) {
      const size_t at = line.find('=');
      if (line[0] == '#' || at == std::string::npos) continue;
      result[line.substr(0, at)] = line.substr(at + 1);
    }
  }
  return result;
}

class FillRandom : public testing::Test {
 protected:
  Ran Run(const std::string& flags) const {
    Ran ran = RunCommand(
        Built("fillrandom") + " --library=" + Built("librocksdb.so") +
        " --duration=1 --db=" + Db() + " --report_file=" + dir_.path() +
        "/report.csv " + flags);
    ran.code = WIFEXITED(ran.code) ? WEXITSTATUS(ran.code) : -1;
    return ran;
  }

  std::string Db() const { return dir_.path() + "/db"; }

  std::vector<std::string> Report() const {
    std::vector<std::string> lines;
    std::ifstream in(dir_.path() + "/report.csv");
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  TempDir dir_;
};

// On a machine that others keep busy, nothing may be written in two seconds:
// then they become more.
TEST_F(FillRandom, EachSecondIsReportedAndLatenciesArePrinted) {
  constexpr int kSecondsMax = 128;
  const std::string flags =
      "--threads=2 --num_column_families=2 --num_multi_db=2 --value_size=1000 "
      "--options=write_buffer_size=1048576 --duration=";
  uint64_t reported = 0;
  for (int seconds = 2; reported == 0 && seconds <= kSecondsMax; seconds *= 4) {
    const Ran ran = Run(flags + std::to_string(seconds));
    ASSERT_EQ(0, ran.code) << ran.output;
    const std::vector<std::string> lines = Report();
    ASSERT_EQ(seconds + 1, lines.size());
    EXPECT_EQ("secs_elapsed,interval_qps", lines[0]);
    for (int second = 1; second <= seconds; ++second) {
      const std::string number = std::to_string(second) + ",";
      ASSERT_EQ(0, lines[second].rfind(number, 0)) << lines[second];
      reported += std::stoul(lines[second].substr(number.size()));
    }
    const size_t count = ran.output.find("\nCount: ");
    ASSERT_NE(std::string::npos, count) << ran.output;
    // Those of the last moment end after the last line.
    EXPECT_LE(reported, std::stoul(ran.output.substr(count + 8)));
    EXPECT_NE(std::string::npos, ran.output.find("\nMin: ")) << ran.output;
    EXPECT_NE(std::string::npos, ran.output.find(" P99.9: ")) << ran.output;
  }
  EXPECT_GT(reported, 0);
  EXPECT_EQ("1048576", OptionsIn(Db() + "/0")["  write_buffer_size"]);
  EXPECT_EQ("1048576", OptionsIn(Db() + "/1")["  write_buffer_size"]);
}

// None of these has an effect without filters, a cached index or FIFO; files
// are deleted when they become obsolete, whatever the period.
TEST_F(FillRandom, OptionsAreThoseOfDbBench) {
  const Ran ran = Run("--num=1000");
  ASSERT_EQ(0, ran.code) << ran.output;
  const std::string bench_db = dir_.path() + "/bench";
  const Ran bench = RunCommand(
      Built("db_bench") + " --benchmarks=fillrandom --num=10 --statistics " +
      "--compression_type=None --max_background_flushes=4 " +
      "--max_background_compactions=2 " +
      "--use_direct_io_for_flush_and_compaction=true --db=" + bench_db +
      " --wal_dir=" + bench_db);
  ASSERT_EQ(0, bench.code) << bench.output;
  const std::set<std::string> without_effect = {
      "  cache_index_and_filter_blocks_with_high_priority",
      "  compaction_options_fifo", "  delete_obsolete_files_period_micros",
      "  optimize_filters_for_memory", "  pin_top_level_index_and_filter"};
  const auto of_bench = OptionsIn(bench_db);
  auto of_loop = OptionsIn(Db());
  ASSERT_GT(of_bench.size(), 100);
  for (const auto& [name, value] : of_bench) {
    if (without_effect.count(name) == 0) {
      EXPECT_EQ(value, of_loop[name]) << name;
    }
  }
}

TEST_F(FillRandom, WritesAreNotFasterThanTheSine) {
  const Ran ran =
      Run("--duration=2 --value_size=984 --sine_write_rate --sine_a=0 "
          "--sine_d=100000 --sine_write_rate_interval_milliseconds=1000");
  ASSERT_EQ(0, ran.code) << ran.output;
  const std::vector<std::string> lines = Report();
  ASSERT_EQ(3, lines.size());
  for (int second = 1; second <= 2; ++second) {
    EXPECT_LE(std::stoul(lines[second].substr(2)), 130) << lines[second];
  }
  EXPECT_NE(std::string::npos, ran.output.find("Cumulative stall: "))
      << ran.output;
}

TEST_F(FillRandom, WrongOptionsAndLibrariesAreRefused) {
  const Ran option = Run("--options=write_buffer_sise=1");
  EXPECT_EQ(1, option.code);
  EXPECT_NE(std::string::npos, option.output.find("write_buffer_sise"))
      << option.output;
  const Ran library = Run("--library=/no/such.so");
  EXPECT_EQ(1, library.code);
  EXPECT_NE(std::string::npos, library.output.find("cannot load"))
      << library.output;
  EXPECT_EQ(1, Run("--threads=0").code);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
