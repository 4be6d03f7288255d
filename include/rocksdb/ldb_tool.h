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

// Shows a key as people read it.
class SliceFormatter {
 public:
  virtual ~SliceFormatter();
  virtual std::string Format(const Slice& s) const = 0;
};

// What of the tool itself can be changed.
struct LDBOptions {
  LDBOptions();

  // Applied to keys that are printed as text: not with --hex or --key_hex,
  // not in JSON, and not in dumps of internal keys. Null: the bytes.
  std::shared_ptr<SliceFormatter> key_formatter;

  // How the help text begins.
  std::string print_help_header = "ldb - RocksDB Tool";
};

// Prints to standard output, and errors to standard error. No state: runs may
// follow each other, and run at the same time but for what they print.
class LDBTool {
 public:
  // Runs the command of `argv` (argv[0] is the program's name) and ends the
  // process with its exit code, by exit().
  //
  // The families that `column_families` names are opened with the options it
  // gives them. Others follow the database's OPTIONS file, with comparator,
  // merge operator and prefix extractor of `db_options` where the file does
  // not name one that the library can make; without such a file, and for new
  // databases, `db_options` is what they get. Flags change all of them.
  // Databases are opened through db_options.env. What is given by path (tables
  // aside), and backups, are read from the default file system.
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
