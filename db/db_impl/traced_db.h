// TracedDB: the calls of DB that start and end traces, and the history of the
// statistics.
//
// Place. The base of DBImpl, which has no room for them.
//
// Threads. Any.

#pragma once

#include <cstdint>
#include <memory>

#include "db/column_family/db_state.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

class TracedDB : public DB {
 public:
  Status StartTrace(const TraceOptions& options,
                    std::unique_ptr<TraceWriter>&& trace_writer) override;
  Status EndTrace() override;
  Status StartBlockCacheTrace(
      const TraceOptions& options,
      std::unique_ptr<TraceWriter>&& trace_writer) override;
  Status StartBlockCacheTrace(
      const BlockCacheTraceOptions& options,
      std::unique_ptr<BlockCacheTraceWriter>&& trace_writer) override;
  Status EndBlockCacheTrace() override;

  Status GetStatsHistory(
      uint64_t start_time, uint64_t end_time,
      std::unique_ptr<StatsHistoryIterator>* stats_iterator) override;

  virtual DbState* state() = 0;

 protected:
  // All traces; what fails is not reported.
  void EndAllTraces();
  // Of what the tickers say now; nothing without statistics. Without the DB
  // mutex.
  void RecordStatsHistory();
};

}  // namespace ROCKSDB_NAMESPACE::engine
