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

// GCC 12 takes what std::regex leaves unset for a mistake under sanitizers.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

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
    std::string command = (programs / c.command).string();
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
