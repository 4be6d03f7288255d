// StoreContext: where a database lives and what it reports to.
//
// Place. A plain value made once at open and handed down by reference to
// everything that touches files; it has no behaviour.
//
// Threads. Immutable after open. `options` are those given at open; what
// SetDBOptions may change is asked from the owner at each use.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {
class FileSystem;
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class BlockCacheTracer;
class CoreLocalCounter;
class IoGate;
class SstFileManagerImpl;

struct StoreContext {
  std::string dbname;
  std::string wal_dir;
  DBOptions options;  // Sanitized.
  FileSystem* fs = nullptr;
  SystemClock* clock = nullptr;
  // Where background I/O takes its turn; null: nowhere.
  std::shared_ptr<IoGate> io_gate;
  // Bytes of blocks that users' reads took from table files; null: uncounted.
  std::shared_ptr<CoreLocalCounter> user_read_bytes;
  // Traces what table readers do in the block cache; null: never.
  std::shared_ptr<BlockCacheTracer> block_tracer;
  // Tracks and deletes files; null: none is configured, or one that is not
  // ours.
  SstFileManagerImpl* space = nullptr;
  Statistics* statistics = nullptr;
  Logger* info_log = nullptr;
  std::string db_id;
  std::string db_session_id;
  std::string db_host_id;
};

}  // namespace ROCKSDB_NAMESPACE::engine
