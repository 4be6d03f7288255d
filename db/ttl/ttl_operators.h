// The compaction filter and the merge operator of a DBWithTTL, around those of
// the program.
//
// Place. Put into a family's options before it is opened.
//
// Invariant: what the program's own see and return is without times.
//
// Threads. As filters and operators: any.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

// Of one family; may change while it is in use.
using TtlSeconds = std::shared_ptr<std::atomic<int32_t>>;

// Wraps the family's compaction filter or filter factory, and its merge
// operator. A filter that is not made by a factory is returned, to be kept
// until the database is closed; else null.
std::unique_ptr<const CompactionFilter> AddTtl(
    const TtlSeconds& ttl, const std::shared_ptr<SystemClock>& clock,
    ColumnFamilyOptions* options);

}  // namespace ROCKSDB_NAMESPACE::engine
