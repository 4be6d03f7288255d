#include "db/db_impl/traced_db.h"

#include <utility>

#include "db/trace/block_cache_tracer.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/statistics.h"
#include "rocksdb/stats_history.h"
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

Status TracedDB::GetStatsHistory(
    uint64_t start_time, uint64_t end_time,
    std::unique_ptr<StatsHistoryIterator>* stats_iterator) {
  if (stats_iterator == nullptr) {
    return Status::InvalidArgument(
        "GetStatsHistory() needs a place for the iterator, and got null");
  }
  *stats_iterator = state()->stats_history.NewIterator(start_time, end_time);
  return Status::OK();
}

void TracedDB::RecordStatsHistory() {
  constexpr uint64_t kMicrosPerSecond = uint64_t{1000} * 1000;
  DbState* const db = state();
  const Statistics* const statistics = db->store.statistics;
  StatsHistory::Counts now;
  if (statistics == nullptr || !statistics->getTickerMap(&now)) return;
  size_t bytes_max = 0;
  {
    MutexLock lock(&db->mu);
    bytes_max = db->options->stats_history_buffer_size;
  }
  const uint64_t seconds = db->store.clock->NowMicros() / kMicrosPerSecond;
  db->stats_history.Record(std::move(now), seconds, bytes_max);
}

}  // namespace ROCKSDB_NAMESPACE::engine
