// Memtables stay for a while after they are flushed, so that conflicts are
// found in memory.

#pragma once

#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {

// Without it every check that looks behind the last flush would read tables, or
// fail (change_check.h).
inline void KeepHistory(ColumnFamilyOptions* options) {
  if (options->max_write_buffer_size_to_maintain == 0) {
    options->max_write_buffer_size_to_maintain = -1;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
