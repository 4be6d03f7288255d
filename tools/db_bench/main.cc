// db_bench: the benchmark of RocksDB's users, with its flags and its output.

#include <cstdio>
#include <string>
#include <vector>

#include "tools/db_bench/args.h"
#include "tools/db_bench/bench.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {
namespace {

FlagKind KindOf(const std::string& name) {
  gflags::CommandLineFlagInfo info;
  if (!gflags::GetCommandLineFlagInfo(name.c_str(), &info)) {
    return FlagKind::kUnknown;
  }
  return info.type == "bool" ? FlagKind::kBool : FlagKind::kValue;
}

void ParseFlags(int argc, char** argv) {
  const CleanArgs clean =
      CleanArguments(std::vector<std::string>(argv + 1, argv + argc), KindOf);
  for (const std::string& warning : clean.warnings) {
    std::fprintf(stderr, "db_bench: %s\n", warning.c_str());
  }
  std::vector<std::string> words = {argv[0]};
  words.insert(words.end(), clean.args.begin(), clean.args.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int count = static_cast<int>(words.size());
  char** array = pointers.data();
  gflags::SetUsageMessage("\nUSAGE:\ndb_bench [--name=value]...");
  gflags::SetVersionString("11.8.0");
  gflags::ParseCommandLineFlags(&count, &array, true);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::bench

int main(int argc, char** argv) {
  ROCKSDB_NAMESPACE::bench::ParseFlags(argc, argv);
  ROCKSDB_NAMESPACE::bench::Bench bench;
  return bench.Run();
}
