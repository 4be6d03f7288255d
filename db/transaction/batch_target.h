// What a transaction needs to know of a column family that it knows by its id.
//
// Threads. Functions, of any thread.

#pragma once

#include <memory>

#include "db/column_family/column_family.h"
#include "db/column_family/db_state.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

// Null: there is none.
FamilyPtr FindFamily(DbState* db, uint32_t id);

// Enough of a handle to add writes to a batch; null: there is no such family.
std::unique_ptr<ColumnFamilyHandle> BatchTargetOf(DbState* db, uint32_t id);

}  // namespace ROCKSDB_NAMESPACE::engine
