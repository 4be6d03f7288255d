// Effort: how often a test repeats itself.
//
// A sanitizer finds what it is for in the first thousands of operations, and
// makes each many times slower.

#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kEffortDivisor = 4;
#else
constexpr int kEffortDivisor = 1;
#endif

constexpr int Effort(int repetitions) { return repetitions / kEffortDivisor; }

// For what one thread does alone: of every so many cases one is enough for a
// thread sanitizer, which has nothing to find there.
#ifdef __SANITIZE_THREAD__
constexpr int kSingleThreadStride = 16;
#else
constexpr int kSingleThreadStride = 1;
#endif

}  // namespace ROCKSDB_NAMESPACE::test
