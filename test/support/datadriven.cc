#include "test/support/datadriven.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace ROCKSDB_NAMESPACE::test {

namespace {

// Parses "name=value" words after the command.
void ParseHead(const std::string& line, Case* c) {
  std::istringstream words(line);
  words >> c->command;
  for (std::string word; words >> word;) {
    const size_t eq = word.find('=');
    c->args[word.substr(0, eq)] =
        eq == std::string::npos ? "" : word.substr(eq + 1);
  }
}

std::string Join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

uint64_t Case::Uint(const std::string& name, uint64_t fallback) const {
  const auto it = args.find(name);
  return it == args.end() ? fallback : std::stoull(it->second);
}

std::vector<std::string> RunDataDriven(
    const std::string& path,
    const std::function<std::string(const Case&)>& interpret) {
  std::ifstream in(path);
  if (!in) return {path + ": cannot be opened"};

  std::vector<std::string> failures;
  std::string rewritten;
  int line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    if (line.empty() || line[0] == '#') {
      rewritten += line + "\n";
      continue;
    }
    Case c;
    c.position = path + ":" + std::to_string(line_number);
    ParseHead(line, &c);
    rewritten += line + "\n";
    while (std::getline(in, line) && line != "----") {
      ++line_number;
      c.input.push_back(line);
    }
    ++line_number;
    std::vector<std::string> expected;
    while (std::getline(in, line) && !line.empty()) {
      ++line_number;
      expected.push_back(line);
    }
    ++line_number;

    const std::string got = interpret(c);
    if (got != Join(expected)) {
      failures.push_back(c.position + ": " + c.command + "\n--- expected\n" +
                         Join(expected) + "--- got\n" + got);
    }
    rewritten += Join(c.input) + "----\n" + got + "\n";
  }

  if (std::getenv("REWRITE") == nullptr) return failures;
  std::ofstream(path) << rewritten;
  return {};
}

}  // namespace ROCKSDB_NAMESPACE::test
