// TracedDB: the calls of DB that start and end traces.
//
// Place. The base of DBImpl, which has no room for them.
//
// Threads. Any.

#pragma once

#include <memory>

#include "db/column_family/db_state.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

class TracedDB : public DB {
 public:
  Status StartTrace(const TraceOptions& options,
                    std::unique_ptr<TraceWriter>&& trace_writer) override;
  Status EndTrace() override;

  virtual DbState* state() = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
