// Traces of what a benchmark does: --trace_file, --block_cache_trace_file.
//
// Place. Around the threads of a benchmark. What replay executes.
//
// Threads. The main thread.
#pragma once

#include "rocksdb/db.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

// Those the flags ask for, into new files. Errors: those of the database.
Status StartTraces(DB* db);
Status EndTraces(DB* db);

}  // namespace ROCKSDB_NAMESPACE::bench
