// Compaction filters of --use_keep_filter and --expire_style.
//
// Place. The options of the database name one of them; the benchmark timeseries
// sets the time that the second one compares with.
//
// Threads. Thread-safe.
#pragma once

#include <cstdint>

#include "rocksdb/compaction_filter.h"

namespace ROCKSDB_NAMESPACE::bench {

// Keeps everything: the cost of a filter.
const CompactionFilter* KeepFilter();

// Drops entries of timeseries that are older than --time_range. A key is an
// identity and a time, 8 bytes each, most significant first.
const CompactionFilter* ExpiredFilter();

// The time of timeseries, which begins at 0: one tick per write. NextSeriesTime
// gives each caller another one.
uint64_t NextSeriesTime();

// Entries that are older have expired.
uint64_t OldestSeriesTime();

}  // namespace ROCKSDB_NAMESPACE::bench
