// Lists the files that an open database consists of at one moment.
//
// Place. Behind DB::GetLiveFilesStorageInfo and the older calls like it, for
// programs that copy a database in use. Disable file deletions before calling
// it.
//
// Model. Writers are excluded at that moment, so the logs end with a whole
// record, tables and logs are consistent with each other, and the MANIFEST
// names exactly the listed tables. Later appends to logs and MANIFEST lie
// beyond the listed sizes.
//
// Threads. Any. Enters the commit pipeline, so not with the DB mutex held.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/write/commit_pipeline.h"
#include "rocksdb/metadata.h"
#include "rocksdb/transaction_log.h"

namespace ROCKSDB_NAMESPACE::engine {

// What writes to the logs. Empty for a read-only database.
struct LogWriters {
  CommitPipeline* pipeline = nullptr;
  // While no thread writes: hands buffered records to the kernel. Not OK while
  // a log that is needed has failed.
  std::function<Status()> flush_log;
};

// Tables first, then MANIFEST, CURRENT, OPTIONS, and the logs that recovery may
// need, oldest first.
// Errors: those of flushing buffered log records, and of looking at files.
Status ListLiveFiles(DbState* db, const LogWriters& writers,
                     bool include_checksums,
                     std::vector<LiveFileStorageInfo>* files);

// The logs alone, those without a record left out.
Status ListWalFiles(DbState* db, const LogWriters& writers,
                    VectorWalPtr* files);
// The log that is appended to.
Status CurrentWalFile(const DbState& db, std::unique_ptr<WalFile>* file);

}  // namespace ROCKSDB_NAMESPACE::engine
