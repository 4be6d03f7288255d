#include "db/db_impl/traced_db.h"

#include <utility>

#include "rocksdb/system_clock.h"
#include "rocksdb/trace_reader_writer.h"

namespace ROCKSDB_NAMESPACE::engine {

Status TracedDB::StartTrace(const TraceOptions& options,
                            std::unique_ptr<TraceWriter>&& trace_writer) {
  DbState* const db = state();
  return db->tracer.Start(options, db->store.clock, std::move(trace_writer));
}

Status TracedDB::EndTrace() { return state()->tracer.End(); }

}  // namespace ROCKSDB_NAMESPACE::engine
