// RecoveredState: everything opening has read before it writes its first byte.
//
// Place. Made by ReadRecoveredState; used by the later steps of opening, by
// read-only opens (which stop here) and by tools.
//
// Threads. A value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/manifest/version_set.h"
#include "db/recovery/orphan_files.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct RecoveredState {
  VersionSet::Recovered manifest;
  DirectoryListing listing;
  std::vector<uint64_t> logs;  // To be replayed, ascending.
  uint64_t next_file_number_in_manifest = 0;
  // What IDENTITY holds; empty when missing or empty.
  std::string identity;
};

struct RecoveryPlaces {
  std::string db;
  std::string wal_dir;
  std::vector<std::string> dirs;  // Of all table files.
};

// MANIFEST -> `versions`, directory listing, checks of the live files and the
// tracked logs. Raises the next file number over everything found. Writes
// nothing.
Result<RecoveredState> ReadRecoveredState(
    FileSystem* fs, const RecoveryPlaces& places,
    const std::vector<FamilyConfig>& families, bool read_only,
    VersionSet* versions);

}  // namespace ROCKSDB_NAMESPACE::engine
