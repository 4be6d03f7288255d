// Timestamps of eight bytes through the C interface: the order of
// BytewiseComparatorWithU64Ts, made of callbacks, and times as bytes.
//
// Place. For families of CTarget that have timestamps.
//
// Threads. Any.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "test/stress/peer/api.h"

namespace ROCKSDB_NAMESPACE::stress {

// A little-endian number.
std::string BytesOfTime(uint64_t time);
// Not older than any; it lives for ever.
const std::string& NewestTime();

rocksdb_comparator_t* NewU64Comparator(const Api& api);

}  // namespace ROCKSDB_NAMESPACE::stress
