// Finds the LOG files of a database.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// The names of LOG and its predecessors, without their directory, which is
// DBOptions::db_log_dir or else the database's own. In the order of names:
// LOG, then oldest first. A log that the program gave as info_log has no file
// here.
// Errors: InvalidArgument for null; those of reading the directory.
Status GetInfoLogList(DB* db, std::vector<std::string>* info_log_list);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
