// What a database has its directories for, and so which files in them are its
// own.
//
// Place. Where files are deleted for their names alone: DestroyDB, and the scan
// of db/file_deletion. Logs, tables and LOG may be put into directories that
// are another database's: of these only the kinds that were asked for are ours.
//
// Threads. Pure functions.
#pragma once

#include <map>
#include <string>

#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

// Bits: one directory may have several.
enum DirectoryRole : unsigned {
  kDatabaseRole = 1,  // The database's own directory: files of all kinds.
  kTablesRole = 2,    // db_paths, cf_paths.
  kLogsRole = 4,      // wal_dir, or an archive of logs.
  kInfoLogRole = 8,   // db_log_dir.
};

// The roles of each directory.
using DirectoryRoles = std::map<std::string, unsigned>;

// Is a file of this kind the database's in a directory of these roles?
inline bool HoldsKind(unsigned roles, FileType kind) {
  if ((roles & kDatabaseRole) != 0) return true;
  switch (kind) {
    case kTableFile:
    case kBlobFile:
      return (roles & kTablesRole) != 0;
    case kWalFile:
      return (roles & kLogsRole) != 0;
    case kInfoLogFile:
      return (roles & kInfoLogRole) != 0;
    default:
      return false;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
