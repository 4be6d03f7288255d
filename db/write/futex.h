// Sleeping on a word of 32 bits, and waking a thread that sleeps there.
//
// Not std::atomic::wait, because it yields several times before it sleeps; on a
// busy machine each yield costs a time slice.

#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// Sleeps while the word holds `expected`. May return early: look again.
void FutexWait(std::atomic<uint32_t>* word, uint32_t expected);

// Wakes one thread. The word may be gone by now: its address is all that is
// used, and a thread that sleeps there for another reason looks again.
void FutexWake(std::atomic<uint32_t>* word);

}  // namespace ROCKSDB_NAMESPACE::engine
