// sst_dump as a function, for programs with comparators of their own.
#pragma once

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Prints to standard output, and errors to standard error.
class SSTDumpTool {
 public:
  // Runs the command line `argv` (argv[0] is the program's name) and returns
  // the exit code: 0, or 1 or 255 after an error. The tool uses `options.env`
  // to read files and `options.comparator` for tables written with a comparator
  // of that name.
  int Run(int argc, char const* const* argv, Options options = Options());
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
