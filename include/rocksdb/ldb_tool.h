// ldb as a function: a program that knows its own comparators and merge
// operators gives its users an ldb that knows them, too.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Formats a key for people to read.
class SliceFormatter {
 public:
  virtual ~SliceFormatter();
  virtual std::string Format(const Slice& s) const = 0;
};

// Options of the tool.
struct LDBOptions {
  LDBOptions();

  // Applied to keys that are printed as text, but not with --hex or --key_hex,
  // in JSON, or in dumps of internal keys. Null: the bytes are printed.
  std::shared_ptr<SliceFormatter> key_formatter;

  // How the help text begins.
  std::string print_help_header = "ldb - RocksDB Tool";
};

// Prints to standard output, and errors to standard error. It has no state:
// runs may follow each other or be concurrent, but then their output mixes.
class LDBTool {
 public:
  // Runs the command of `argv` (argv[0] is the program's name) and ends the
  // process with its exit code, by exit().
  //
  // The families that `column_families` names are opened with the options it
  // gives them. Others follow the database's OPTIONS file; comparator, merge
  // operator and prefix extractor come from `db_options` if the file does not
  // name one that the library can make. Without such a file, and for new
  // databases, they get `db_options`. Flags change all of them. Databases are
  // opened through db_options.env. Files given by path (except tables), and
  // backups, are read from the default file system.
  void Run(
      int argc, char** argv, Options db_options = Options(),
      const LDBOptions& ldb_options = LDBOptions(),
      const std::vector<ColumnFamilyDescriptor>* column_families = nullptr);

  // The same, but returns the exit code: 0, or 1 after an error.
  int RunAndReturn(
      int argc, char** argv, Options db_options = Options(),
      const LDBOptions& ldb_options = LDBOptions(),
      const std::vector<ColumnFamilyDescriptor>* column_families = nullptr);
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
