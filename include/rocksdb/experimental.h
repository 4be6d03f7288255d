// Functions that RocksDB has not made methods of DB, or not yet.
//
// Threads. Any; UpdateManifestForFilesState() needs a database that is not
// open.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {
namespace experimental {

// Marks the files with keys from `begin` to `end` (null: no bound) for
// compaction at some later time; files of the deepest level stay. The second
// form means the default column family. Errors: InvalidArgument without a
// database; those of a database that cannot be written.
Status SuggestCompactRange(DB* db, ColumnFamilyHandle* column_family,
                           const Slice* begin, const Slice* end);
Status SuggestCompactRange(DB* db, const Slice* begin, const Slice* end);

// Moves all files of level 0 to `target_level` without reading them.
// Errors: InvalidArgument without a database or family, if the files overlap,
// if there is no such level, or if it or a level above it has files.
Status PromoteL0(DB* db, ColumnFamilyHandle* column_family,
                 int target_level = 1);

struct UpdateManifestForFilesStateOptions {
  // Ask the file system for the temperatures of tables, and store those that
  // are known and differ from the MANIFEST's.
  bool update_temperatures = true;
};

// Makes the MANIFEST say what is true of the files. `column_families`: all
// there are. Each family is changed by itself: after an error some may be.
// Errors: IOError if the database is in use; those of reading the MANIFEST and
// of opening its tables.
Status UpdateManifestForFilesState(
    const DBOptions& db_opts, const std::string& db_name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    const UpdateManifestForFilesStateOptions& opts = {});

}  // namespace experimental
}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
