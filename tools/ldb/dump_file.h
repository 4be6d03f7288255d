// The content of one file of a database, by its kind.
//
// Place. `dump --path`, dump_live_files, and the commands for one kind.
//
// Errors. Corruption and its kin name the file; what could be read before was
// printed.
#pragma once

#include <string>

#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE::ldb {

// What --path names: a table, a blob file, a log or a MANIFEST.
Outcome DumpFile(const Arguments& arguments);

struct WalDumpOptions {
  bool header = false;
  bool values = false;
};
// A record per line.
Status DumpWalFile(const std::string& path, const Arguments& arguments,
                   const WalDumpOptions& options);
// The state that the MANIFEST ends with; edits, too, with --verbose.
Status DumpManifestFile(const std::string& path, const Arguments& arguments);
// Its records.
Status DumpBlobFile(const std::string& path, const Arguments& arguments);
// Entries and properties.
Status DumpTableFile(const std::string& path, const Arguments& arguments);

}  // namespace ROCKSDB_NAMESPACE::ldb
