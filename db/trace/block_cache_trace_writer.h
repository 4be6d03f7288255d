// OwnBlockTrace: what the writer of NewBlockCacheTraceWriter() can do besides.
//
// Place. BlockCacheTracer asks its writer whether it is one. The public
// interface has neither: its vtable is that of RocksDB.
//
// Threads. One at a time.

#pragma once

#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

class OwnBlockTrace : public BlockCacheTraceWriter {
 public:
  // Nothing is written any more: the trace is as large as it may be.
  virtual bool full() const = 0;
  // Says whether all has been written, which a destructor cannot say. Nothing
  // else may be called then.
  virtual Status Close() = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
