// What a transaction needs to know of a column family that it knows by its id.
//
// Threads. Any; a TimestampSizeOf is for one.

#pragma once

#include <map>
#include <memory>

#include "db/column_family/column_family.h"
#include "db/column_family/db_state.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

// Null: there is none.
FamilyPtr FindFamily(DbState* db, uint32_t id);

// Bytes of the timestamps of a family; 0: it has none, or there is no such
// family. Asks for each family once.
class TimestampSizeOf {
 public:
  explicit TimestampSizeOf(DbState* db) : db_(db) {}
  size_t operator()(uint32_t family);

 private:
  DbState* const db_;
  std::map<uint32_t, size_t> known_;
};

// Enough of a handle to add writes to a batch; null: there is no such family.
std::unique_ptr<ColumnFamilyHandle> BatchTargetOf(DbState* db, uint32_t id);

}  // namespace ROCKSDB_NAMESPACE::engine
