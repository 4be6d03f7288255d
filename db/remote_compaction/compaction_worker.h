// CompactionWorker: carries out a RemoteInput in a database that was opened
// without being written to.
//
// Place. Called by DB::OpenAndCompact(), which opens and closes the database.
// The work is that of a CompactionJob, as in the process that asked for it;
// only the plan comes out of a string, and the outputs go elsewhere.
//
// Invariants:
//   (1) Nothing is written but in the output directory.
//   (2) After an error none of the job's files is there.
//   (3) Tables get numbers that no file of the database has, because open files
//       are cached by number. Blob files get those of the input.
//
// Threads. The calling one, and helpers of the Env's low pool.

#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "db/column_family/db_state.h"
#include "db/compaction/compaction_job.h"
#include "db/remote_compaction/compaction_input.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

struct CompactionWork {
  DbState* db = nullptr;
  FamilyPtr family;
  const RemoteInput* input = nullptr;
  // Where the outputs go: one directory.
  std::shared_ptr<const FileHome> home;
  CompactionObserver* observer = nullptr;       // May be null.
  const std::atomic<bool>* canceled = nullptr;  // May be null.
};

// `*result` becomes an encoded RemoteResult. Errors: Aborted when the files
// of the input are not in the family's Version; Incomplete when it was
// cancelled; those of the job.
Status RunCompactionWork(const CompactionWork& work, std::string* result);

}  // namespace ROCKSDB_NAMESPACE::engine
