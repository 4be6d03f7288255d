#include "db/db_impl/traced_db.h"

#include <utility>

#include "db/trace/block_cache_tracer.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/trace_reader_writer.h"

namespace ROCKSDB_NAMESPACE::engine {

Status TracedDB::StartTrace(const TraceOptions& options,
                            std::unique_ptr<TraceWriter>&& trace_writer) {
  DbState* const db = state();
  return db->tracer.Start(options, db->store.clock, std::move(trace_writer));
}

Status TracedDB::EndTrace() { return state()->tracer.End(); }

Status TracedDB::StartBlockCacheTrace(
    const TraceOptions& options, std::unique_ptr<TraceWriter>&& trace_writer) {
  if (trace_writer == nullptr) {
    return Status::InvalidArgument(
        "StartBlockCacheTrace() needs a TraceWriter");
  }
  BlockCacheTraceWriterOptions of_writer;
  of_writer.max_trace_file_size = options.max_trace_file_size;
  BlockCacheTraceOptions of_trace;
  of_trace.sampling_frequency = options.sampling_frequency;
  return StartBlockCacheTrace(
      of_trace, NewBlockCacheTraceWriter(state()->store.clock, of_writer,
                                         std::move(trace_writer)));
}

Status TracedDB::StartBlockCacheTrace(
    const BlockCacheTraceOptions& options,
    std::unique_ptr<BlockCacheTraceWriter>&& trace_writer) {
  const StoreContext& store = state()->store;
  return store.block_tracer->Start(options, store.clock,
                                   std::move(trace_writer));
}

Status TracedDB::EndBlockCacheTrace() {
  return state()->store.block_tracer->End();
}

void TracedDB::EndAllTraces() {
  (void)EndTrace();
  (void)EndBlockCacheTrace();
}

}  // namespace ROCKSDB_NAMESPACE::engine
