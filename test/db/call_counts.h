// How often the calling thread has allocated and locked, in db_tests.
//
// Model. This program's operator new, pthread_mutex_lock and the two locks of
// pthread_rwlock_t count and go on to the real ones. The sanitizers bring their
// own, so under them nothing is counted.

#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kCountsCalls = false;
#else
inline constexpr bool kCountsCalls = true;
#endif

uint64_t Allocations();
uint64_t Locks();

}  // namespace ROCKSDB_NAMESPACE::test
