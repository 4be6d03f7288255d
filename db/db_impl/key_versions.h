// Every stored version of a family's keys.
//
// Place. Behind GetAllKeyVersions and ldb's idump.
// Threads. Any.
#pragma once

#include <functional>

#include "db/db_impl/db_impl.h"
#include "rocksdb/utilities/debug.h"

namespace ROCKSDB_NAMESPACE::engine {

// Calls `use` for each version from `begin` on (empty: from the first) in the
// order of internal keys, without what range deletions cover, until it answers
// false.
Status ForEachKeyVersion(DB* db, ColumnFamilyHandle* family, const Slice& begin,
                         const std::function<bool(const KeyVersion&)>& use);

}  // namespace ROCKSDB_NAMESPACE::engine
