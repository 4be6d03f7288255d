// The command line of db_bench: what gflags may see of it, and what is wrong.
//
// Place. Runs before gflags sees the arguments, and before anything is opened
// or destroyed.
//
// Model. Each word that starts with '-' is a flag, with one dash or two, as
// -name, -noname, -name=value or -name value. A flag of ours passes; some old
// names are translated. Any other flag is one that only RocksDB has
// (rocksdb_flags.def) or a mistake: a misspelt --use_existing_db must not
// destroy a database. A flag of RocksDB's that we lack is a mistake, too, if it
// would change what is measured.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

enum class FlagKind { kUnknown, kBool, kValue };

// The flags that gflags knows.
struct OwnFlags {
  std::function<FlagKind(const std::string&)> kind;
  std::vector<std::string> names;  // For suggestions.
};

struct CleanArgs {
  std::vector<std::string> args;    // For gflags, "--name=value" each.
  std::vector<std::string> notes;   // One sentence per flag that is ignored.
  std::vector<std::string> errors;  // Any: the benchmark must not run.
};

// `args` without the program's name.
CleanArgs CleanArguments(const std::vector<std::string>& args,
                         const OwnFlags& own);

// The name that was probably meant: the one that needs the fewest changes of a
// character, at most one for every four characters of the longer name and three
// in all, or else the one with which all names begin that begin with `name` and
// an underscore. Swapping two neighbours is one change, and so are all missing
// or extra underscores of a name that is right otherwise. "": none is near.
std::string NearestName(const std::string& name,
                        const std::vector<std::string>& names);

}  // namespace ROCKSDB_NAMESPACE::bench
