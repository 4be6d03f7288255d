// Command: one thing ldb can do.
//
// Place. Each is defined in a file of its own and listed in main.cc.
#pragma once

#include <span>

#include "rocksdb/status.h"
#include "tools/ldb/arguments.h"

namespace ROCKSDB_NAMESPACE::ldb {

struct Command {
  const char* name;
  const char* usage;  // What follows the name in the help text.
  // Flags it knows beside those of every command.
  std::span<const char* const> flags;
  bool needs_db;
  // Prints its result; main.cc prints the error.
  Status (*run)(const Arguments& arguments);
};

extern const Command kApproxSize;
extern const Command kBatchPut;
extern const Command kCheckConsistency;
extern const Command kCheckpoint;
extern const Command kCompact;
extern const Command kCreateColumnFamily;
extern const Command kDelete;
extern const Command kDeleteRange;
extern const Command kDropColumnFamily;
extern const Command kDump;
extern const Command kDumpWal;
extern const Command kFileChecksumDump;
extern const Command kGet;
extern const Command kGetProperty;
extern const Command kIngestExternSst;
extern const Command kListColumnFamilies;
extern const Command kListLiveFilesMetadata;
extern const Command kLoad;
extern const Command kManifestDump;
extern const Command kPut;
extern const Command kScan;
extern const Command kWriteExternSst;

}  // namespace ROCKSDB_NAMESPACE::ldb
