// What is done to options before an engine runs with them.
//
// Place. DB::Open(), CreateColumnFamily() and the Set*Options() calls first
// sanitize (values are moved into range, unset ones get their meaning), then
// validate (contradictions are refused). The engine only sees the result.
//
// Invariants: sanitizing twice changes nothing more.
//
// Threads. Pure functions, except that SanitizeOptions(DBOptions) may make a
// write buffer manager.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {

// `dbname` becomes the only path when none is given.
DBOptions SanitizeOptions(const std::string& dbname, const DBOptions& options);

// REQUIRES: db_options are sanitized. What was changed against the program's
// wish is named in the log, if there is one.
ColumnFamilyOptions SanitizeOptions(const DBOptions& db_options,
                                    const ColumnFamilyOptions& options);

// InvalidArgument for contradictions, NotSupported for what this library does
// not have. Nothing is changed.
Status ValidateOptions(const DBOptions& options);
Status ValidateOptions(const DBOptions& db_options,
                       const ColumnFamilyOptions& options);
Status ValidateOptions(const DBOptions& db_options,
                       const std::vector<ColumnFamilyDescriptor>& families);

// How many jobs of each kind may run.
struct BackgroundLimits {
  int flushes = 1;
  int compactions = 1;
};
// A quarter of max_background_jobs for flushes, unless given one by one. One
// compaction only, unless `speed_up` (there is pressure).
BackgroundLimits ResolveBackgroundLimits(const DBOptions& options,
                                         bool speed_up);

}  // namespace ROCKSDB_NAMESPACE::engine
