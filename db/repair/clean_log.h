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
#include <map>

#include "db/format/store_context.h"
#include "rocksdb/types.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct LogSummary {
  uint64_t number = 0;
  uint64_t records = 0;
  uint64_t damaged = 0;                               // Left out.
  std::map<uint32_t, SequenceNumber> last_sequences;  // By family.
  std::map<uint32_t, uint16_t> timestamp_sizes;       // By family.
};

// Errors: those of reading and writing; damage is none.
Result<LogSummary> CleanLog(const StoreContext& store, uint64_t number);

// Moves a file of `dir` into dir/lost.
Status MoveToLost(FileSystem* fs, const std::string& dir,
                  const std::string& base_name);

}  // namespace ROCKSDB_NAMESPACE::engine
