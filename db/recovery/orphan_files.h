// What lies in the directories of a database that is being opened.
//
// Place. Steps of opening: after the MANIFEST is read, before WALs are
// replayed. Reads only; leftovers are removed by the scan of
// db/file_deletion once the database is open.
//
// Invariant: the next file number is raised above every number found, so that
// no name is ever used twice.
//
// Threads. One.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/format/file_names.h"
#include "db/manifest/version_set.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct FoundFile {
  std::string dir;
  std::string name;
  ParsedFileName parsed;
};

struct DirectoryListing {
  std::vector<FoundFile> files;  // Of all directories; ours only.
  std::vector<uint64_t> logs;    // In wal_dir, ascending.
  uint64_t max_number = 0;       // Over everything found.
};

// `dirs` must exist, except that a missing one is an empty one if
// `missing_is_empty` (read-only opens).
Result<DirectoryListing> ListDirectories(FileSystem* fs, const std::string& db,
                                         const std::string& wal_dir,
                                         const std::vector<std::string>& dirs,
                                         bool missing_is_empty);

// Every live table and blob file exists with the recorded size; a blob file
// that no table is linked to may be gone.
// Errors: Corruption naming the file, the expected and the found size.
Status CheckLiveFiles(FileSystem* fs, const VersionSet& versions);

// Logs tracked by the MANIFEST exist with at least their synced size.
Status CheckTrackedLogs(FileSystem* fs, const std::string& wal_dir,
                        const VersionSet::Recovered& recovered,
                        uint64_t min_log_number);

// The logs of `listing` that recovery has to read.
std::vector<uint64_t> LogsToReplay(const DirectoryListing& listing,
                                   uint64_t min_log_number);

}  // namespace ROCKSDB_NAMESPACE::engine
