// Collects the numbers of the properties about memory.
//
// Place. Asked by the PropertyReader. Caches are walked without the DB mutex.
//
// Threads. Any; takes the DB mutex.

#pragma once

#include <map>
#include <memory>
#include <string>

#include "db/column_family/db_state.h"
#include "rocksdb/cache.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

// Null: the family has none. Under the DB mutex.
std::shared_ptr<Cache> BlockCacheOf(const ColumnFamily& family);

// False: the property is not about memory, or there is no such cache.
bool MemoryText(DbState* db, const FamilyPtr& family, const Slice& property,
                std::string* value);
bool MemoryMap(DbState* db, const FamilyPtr& family, const Slice& property,
               std::map<std::string, std::string>* value);

}  // namespace ROCKSDB_NAMESPACE::engine
