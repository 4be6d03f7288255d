// Guarded: calls of a program's trace writer, which may fail in any way.
//
// Place. Around each call of a TraceWriter or a BlockCacheTraceWriter: what is
// traced must not notice.
//
// Threads. A function of its argument.

#pragma once

#include <new>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

// What `call` returns; a Status also when it throws.
template <typename Call>
Status Guarded(const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Status::MemoryLimit();
  } catch (...) {
    return Status::Aborted("the trace writer has thrown an exception");
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
