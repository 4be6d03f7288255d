// What opening and CreateColumnFamily share: from options to a ColumnFamily.

#pragma once

#include <string>

#include "db/column_family/db_state.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {

// The paths of the family's tables: cf_paths, else db_paths, else the
// database directory.
std::vector<std::string> TableDirsOf(const StoreContext& store,
                                     const ColumnFamilyOptions& options);
// Makes those directories.
Status CreateTableDirs(const StoreContext& store,
                       const ColumnFamilyOptions& options);

FamilyConfig FamilyConfigOf(const StoreContext& store, const std::string& name,
                            const ColumnFamilyOptions& options);

// Makes the family's object and adds it to the set; it has no memtable yet.
FamilyPtr AddFamily(DbState* db, FamilyVersions* versions,
                    const ColumnFamilyOptions& options)
    REQUIRES_LOCK(kStateLock);

// Makes a family of a database that has a log: durable, empty and published.
// REQUIRES: no writer, and not the mutex.
Result<FamilyPtr> CreateFamily(DbState* db, const std::string& name,
                               const ColumnFamilyOptions& options)
    EXCLUDES_LOCK(kStateLock);

}  // namespace ROCKSDB_NAMESPACE::engine
