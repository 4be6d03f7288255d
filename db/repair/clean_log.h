// CleanLog: a write-ahead log without what is damaged in it.
//
// Place. RepairDB, before the logs are replayed.
//
// Model. Records are taken one by one; those that cannot be read, or are no
// batch, are left out. A log that has such records is written anew, and the
// original goes to lost/. A log that only ends in the middle of a record stays
// as it is: replay knows how to deal with that.
//
// Threads. One.
#pragma once

#include <cstdint>
#include <string>

#include "db/format/store_context.h"
#include "db/repair/log_tally.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// Adds the log to `tally`, which knows those before it.
// Errors: those of reading and writing; damage is none.
Result<LogSummary> CleanLog(const StoreContext& store, uint64_t number,
                            LogTally* tally);

// Moves a file of `dir` into dir/lost.
Status MoveToLost(FileSystem* fs, const std::string& dir,
                  const std::string& base_name);

}  // namespace ROCKSDB_NAMESPACE::engine
