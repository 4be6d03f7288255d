// Puts exported tables into a column family that was just made.
//
// Place. Behind DB::CreateColumnFamilyWithImport; the counterpart of
// db/checkpoint. Unlike ingestion it keeps levels and sequence numbers: the
// tables are the whole of the family.
//
// Invariant: the family gets all tables, by one MANIFEST edit, or none.
//
// Threads. Any; enters the commit pipeline.
#pragma once

#include <vector>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/write/commit_pipeline.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {

struct FamilyImport {
  DbState* db = nullptr;
  StallMonitor* stalls = nullptr;
  CommitPipeline* pipeline = nullptr;
  FamilyPtr family;  // Empty.
  bool move_files = false;
  std::vector<const ExportImportFilesMetaData*> metadatas;
};

// Errors: InvalidArgument for another comparator, no files, a level that the
// family does not have, or several sources whose key ranges overlap; Corruption
// for files that are not as described, or overlap in a level; those of files.
Status ImportTables(const FamilyImport& import);

}  // namespace ROCKSDB_NAMESPACE::engine
