// UserWriteCallback: tells a program how far its write is.
//
// Place. DB::WriteWithCallback(), for programs that put writes of several
// threads in an order of their own.
//
// Threads. Other writers wait while a function runs, so be fast, and write
// nothing to the database from there. An exception is ignored but for a line in
// LOG.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class UserWriteCallback {
 public:
  virtual ~UserWriteCallback() = default;

  // The write has its place in the queue: writes that are queued later commit
  // later. It may still fail. In the thread that writes.
  virtual void OnWriteEnqueued() = 0;

  // The log has the write, synced if that was requested; readers do not see it
  // yet. Not called if the write is refused before, if the log fails, and
  // without a log (disableWAL). In any thread that writes.
  virtual void OnWalWriteFinish() = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
