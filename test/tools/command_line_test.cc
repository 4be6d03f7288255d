// ldb and sst_dump as programs: command lines in, what they print out.
//
// Place. The programs are built beside this test. Cases are in
// testdata/command_line:
//
//   ldb|sst_dump [only=REGEX]
//   <arguments; $DB is the case file's database>
//   ----
//   <output of both streams, then "exit N" unless N is 0>
//
// `only` keeps the lines that match. The database's path is shown as $DB, a
// table's number and size (the time written into it may take a byte more or
// less) as NUMBER:SIZE.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/datadriven.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

std::string ReplaceAll(std::string text, const std::string& from,
                       const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string OutputOf(const std::string& command) {
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "popen failed\n";
  std::string output;
  char buffer[4096];
  while (const size_t n = fread(buffer, 1, sizeof(buffer), pipe)) {
    output.append(buffer, n);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return output;
  return output + "exit " +
         (WIFEXITED(status) ? std::to_string(WEXITSTATUS(status))
                            : "by signal") +
         "\n";
}

// Lines that match `only`; empty ones as ".".
std::string Lines(const std::string& text, const std::string& only) {
  const std::regex wanted(only);
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    if (!only.empty() && !std::regex_search(line, wanted)) continue;
    out += (line.empty() ? "." : line) + "\n";
  }
  return out;
}

TEST(CommandLine, ProgramsPrintWhatScriptsExpect) {
  const TempDir dir;
  const std::string db = dir.File("db");
  const std::filesystem::path programs =
      std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto interpret = [&](const Case& c) {
    std::string command = "TZ=UTC " + (programs / c.command).string();
    for (const std::string& line : c.input) {
      command += " " + ReplaceAll(line, "$DB", db);
    }
    std::string output = ReplaceAll(OutputOf(command), db, "$DB");
    output = std::regex_replace(output, std::regex("\n \\d+:\\d+\\["),
                                "\n NUMBER:SIZE[");
    const auto only = c.args.find("only");
    return Lines(output, only == c.args.end() ? "" : only->second);
  };
  for (const std::string& diff :
       RunDataDriven("test/tools/testdata/command_line", interpret)) {
    ADD_FAILURE() << diff;
  }
}

constexpr char kPackaged[] = "/usr/bin/";

// What makes a database, and what looks at one. Each maker's is looked at by
// both. Left out are `scan`, where 7.8.3 prints " : " and later releases print
// " ==> ", and `get` of a missing key, which fails in 7.8.3 and not in 11.8.
const char* const kMaking[] = {
    "ldb batchput a 1 a.1 22 b 2 bb 3 c 4 --create_if_missing --db=$DB",
    "ldb delete b --db=$DB",
    "ldb compact --db=$DB",
    "ldb deleterange bb c --db=$DB",
    "ldb create_column_family two --db=$DB",
    "ldb put x y --column_family=two --db=$DB",
    "ldb put blob 2222222222222222222222222222222222 --enable_blob_files "
    "--min_blob_size=10 --db=$DB",
    "ldb put a new --db=$DB"};
const char* const kLooking[] = {
    "ldb scan --no_value --hex --db=$DB",
    "ldb get a --value_hex --db=$DB",
    "ldb dump --create_if_missing --db=$DB",
    "ldb dump --hex --db=$DB",
    "ldb dump --count_only --db=$DB",
    "ldb dump --count_delim --db=$DB",
    "ldb dump --path=$(ls $DB/*.sst | head -1)",
    "ldb idump --db=$DB",
    "ldb idump --from=a --to=bb --max_keys=2 --db=$DB",
    "ldb dump_wal --header --print_value --walfile=$(ls $DB/*.log | tail -1)",
    "ldb manifest_dump --verbose --path=$(ls $DB/MANIFEST-* | tail -1)",
    "ldb dump_live_files --db=$DB",
    "ldb list_column_families --db=$DB",
    "ldb list_live_files_metadata --db=$DB",
    "ldb list_live_files_metadata --sort_by_filename --db=$DB",
    "ldb list_file_range_deletes --db=$DB",
    "ldb checkconsistency --db=$DB",
    "ldb get_property --db=$DB",
    "ldb get_property rocksdb.dbstats --db=$DB | grep -v 'uptime\\|stall'",
    "ldb get_property rocksdb.cfstats --db=$DB | cut -d: -f1",
    "ldb get_property rocksdb.cfstats-no-file-histogram --db=$DB | head -3",
    "ldb scan --colour=red --db=$DB",
    "sst_dump --command=raw --file=$(ls $DB/*.sst | head -1) && cat "
    "$(ls $DB/*_dump.txt) | grep -v block.size",
    "sst_dump --command=scan --file=$(ls $DB/*.sst | head -1)",
    "sst_dump --command=verify --file=$(ls $DB/*.sst | head -1)",
    "sst_dump --show_properties --file=$(ls $DB/*.sst | head -1)",
    "sst_dump --show_properties --command=none --file=$(ls $DB/*.sst | head "
    "-1)",
    "sst_dump --readahead_size=4096 --file=$(ls $DB/*.sst | head -1)",
    "sst_dump --show_summary --command=none --file=$(ls $DB/*.sst | head -1)",
    "sst_dump --command=scan --decode_blob_index --file=$(ls $DB/*.sst | head "
    "-1)"};

TEST(CommandLine, ProgramsAndThePackagedOnesSayTheSameOfADatabase) {
  if (!std::filesystem::exists(std::string(kPackaged) + "ldb")) {
    GTEST_SKIP() << "NOT COMPARED: there is no packaged ldb in " << kPackaged;
  }
  const TempDir dir;
  const std::string ours =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().string() +
      "/";
  for (const std::string& maker : {ours, std::string(kPackaged)}) {
    const std::string db = dir.File(maker == ours ? "ours" : "packaged");
    const auto run = [&db](const std::string& programs, const char* line) {
      // What 7.8.3 does not know the names of, and zero bytes, at which its
      // texts end.
      std::string output =
          std::regex_replace(OutputOf(programs + ReplaceAll(line, "$DB", db)),
                             std::regex(" (epoch_number|tail size):\\d+"), "");
      std::erase(output, '\0');
      return Lines(output,
                   "^(?!options.env is|  # rocksdb.(data.block|index.block|key|"
                   "tail))");
    };
    for (const char* line : kMaking) {
      ASSERT_TRUE(run(maker, line).find("exit") == std::string::npos) << line;
    }
    for (const char* line : kLooking) {
      EXPECT_EQ(run(ours, line), run(kPackaged, line))
          << line << "\nof the database of " << maker;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
