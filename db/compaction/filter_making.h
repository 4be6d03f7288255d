// Makes the compaction filter of a job that writes tables.
//
// Place. Used by compactions and flushes before they begin to merge. Calls the
// program's factory, so no lock is held.
//
// A factory is asked first whether it filters tables written for the job's
// reason. The object `compaction_filter` filters compactions only.
//
// Threads. Any.

#pragma once

#include <memory>

#include "db/compaction/plan.h"
#include "db/compaction/table_output.h"
#include "db/read/table_cache.h"
#include "rocksdb/compaction_filter.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// Null: nothing is filtered. The options' own object stays theirs.
using JobFilter = std::shared_ptr<const CompactionFilter>;

// Errors: NotSupported if the filter does not ignore snapshots: of a factory's
// this is not known when the database is opened.
Result<JobFilter> FilterForCompaction(const TableOwner& owner,
                                      const CompactionPlan& plan,
                                      const TableCache& tables);
Result<JobFilter> FilterForFlush(const TableOwner& owner,
                                 TableFileCreationReason reason);

}  // namespace ROCKSDB_NAMESPACE::engine
