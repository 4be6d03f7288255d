// Makes a database fit for options that place its files in other levels.
#pragma once

#include <string>

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Opens the database with `old_opts`, the ones that it was last used with, and
// compacts all of it into the level that `new_opts` needs: the last one if
// these have level_compaction_dynamic_level_bytes, or else level 1. The files
// need up to twice their space meanwhile. Afterwards the database opens with
// `new_opts`, also if num_levels is smaller than before.
//
// The database is not open, and has no column family but the default one.
// `old_opts` and `new_opts` name the same paths, comparator, merge operator and
// so on. An interrupted call loses nothing; make it again.
//
// Errors: NotSupported unless both options have kCompactionStyleLevel; those of
// opening and compacting.
Status OptionChangeMigration(std::string dbname, const Options& old_opts,
                             const Options& new_opts);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
