// db_bench: the benchmark of RocksDB's users, with its flags and its output.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "rocksdb/version.h"
#include "tools/db_bench/args.h"
#include "tools/db_bench/bench.h"
#include "tools/db_bench/flags.h"

// The library asks for it before it makes a ring.
extern "C" bool RocksDbIOUringEnable() { return FLAGS_io_uring_enabled; }

namespace ROCKSDB_NAMESPACE::bench {
namespace {

FlagKind KindOf(const std::string& name) {
  gflags::CommandLineFlagInfo info;
  if (!gflags::GetCommandLineFlagInfo(name.c_str(), &info)) {
    return FlagKind::kUnknown;
  }
  return info.type == "bool" ? FlagKind::kBool : FlagKind::kValue;
}

OwnFlags FlagsOfGflags() {
  std::vector<gflags::CommandLineFlagInfo> all;
  gflags::GetAllFlags(&all);
  OwnFlags own;
  own.kind = KindOf;
  for (const gflags::CommandLineFlagInfo& info : all) {
    own.names.push_back(info.name);
  }
  return own;
}

void ParseFlags(int argc, char** argv) {
  const CleanArgs clean = CleanArguments(
      std::vector<std::string>(argv + 1, argv + argc), FlagsOfGflags());
  for (const std::string& note : clean.notes) {
    std::fprintf(stderr, "db_bench: note: %s\n", note.c_str());
  }
  for (const std::string& error : clean.errors) {
    std::fprintf(stderr, "db_bench: %s\n", error.c_str());
  }
  if (!clean.errors.empty()) {
    std::fputs("db_bench: nothing was run; --help lists the flags\n", stderr);
    std::exit(1);
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
  gflags::SetVersionString(GetRocksVersionAsString() + "\n" +
                           GetRiverstoneBuildInfoAsString());
  gflags::ParseCommandLineFlags(&count, &array, true);
  if (FLAGS_build_info) {
    std::printf("%s\n%s\n",
                GetRocksBuildInfoAsString("db_bench", /*verbose=*/true).c_str(),
                GetRiverstoneBuildInfoAsString().c_str());
    std::exit(0);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::bench

int main(int argc, char** argv) {
  ROCKSDB_NAMESPACE::bench::ParseFlags(argc, argv);
  ROCKSDB_NAMESPACE::bench::Bench bench;
  return bench.Run();
}
