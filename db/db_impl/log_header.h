// The first lines of LOG: the version, the options, what this build supports.
//
// Place. Every way of opening calls it before it reads anything. The lines are
// those of RocksDB, because people and scripts search for them; each new LOG
// file repeats them.
#pragma once

#include <vector>

#include "db/format/store_context.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

void LogHeader(const StoreContext& store, const DBOptions& options,
               const std::vector<ColumnFamilyDescriptor>& families);

}  // namespace ROCKSDB_NAMESPACE::engine
