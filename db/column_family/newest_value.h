// ReadNewestValue: what a write finds that depends on older values.
//
// Place. Between memtables, which ask through FamilyResolver, and the point
// lookup: used by the commit pipeline's families and by log replay.

#pragma once

#include "db/column_family/column_family.h"
#include "db/memtable/memtable_apply.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

// Errors: as of a lookup, but a missing key is no error; InvalidArgument for an
// operand without a merge operator; Corruption when the operator fails.
Status ReadNewestValue(const ColumnFamily& family, const ReadView& view,
                       const NewestQuery& query, NewestValue* newest);

}  // namespace ROCKSDB_NAMESPACE::engine
