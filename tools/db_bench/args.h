// Command lines of other db_bench versions: what this one does not know is
// skipped with a warning instead of ending the run.
//
// Place. Runs before gflags sees the arguments.
//
// Model. Each word that starts with '-' is a flag, with one dash or two, as
// -name, -noname, -name=value or -name value. Known flags pass, some old names
// are translated, the rest is dropped together with its value.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

enum class FlagKind { kUnknown, kBool, kValue };

struct CleanArgs {
  std::vector<std::string> args;      // For gflags, "--name=value" each.
  std::vector<std::string> warnings;  // One sentence per dropped word.
};

// `args` without the program's name.
CleanArgs CleanArguments(
    const std::vector<std::string>& args,
    const std::function<FlagKind(const std::string&)>& kind);

}  // namespace ROCKSDB_NAMESPACE::bench
