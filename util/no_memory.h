// Memory that the machine refuses becomes a Status.
//
// Place. Around work that asks for much and that can be given up: reading a
// block, building a table, applying a write. docs/limits.md says what holds
// elsewhere.
//
// Threads. Functions of their arguments.
#pragma once

#include <new>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

// What `work` returns, or MemoryLimit if it ran out of memory. The Status has
// no text, because a text takes memory.
template <typename Work>
Status OrNoMemory(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status::MemoryLimit();
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
