// HoldsLock: does this thread hold a lock of a rank (lock_rank.h)?
//
// Place. In assertions where a lock must not be held: around file reads, writes
// and callbacks (docs/architecture.md, "One DB mutex"). Dev and sanitizer
// builds only, where a thread knows its locks.

#pragma once

#include "util/lock_rank.h"

namespace ROCKSDB_NAMESPACE::engine {

#ifndef NDEBUG
bool HoldsLock(LockRank rank);
#endif

}  // namespace ROCKSDB_NAMESPACE::engine
