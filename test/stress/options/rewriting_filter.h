// RewritingFilter: a compaction filter that writes again what it is shown.
//
// Place. An option as any other (option_values.h): a history's answers do not
// depend on it.
//
// Model. Half of the values, merge operands and entities are "changed", to what
// they were.
//
// Threads. All jobs may use one filter.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/compaction_filter.h"

namespace ROCKSDB_NAMESPACE::stress {

// The object `compaction_filter`; lives for ever.
const CompactionFilter* RewritingFilter();

// `tables`: which it filters, "compactions", "flushes" (and what recoveries
// write) or "all".
std::shared_ptr<CompactionFilterFactory> NewRewritingFilterFactory(
    const std::string& tables);

}  // namespace ROCKSDB_NAMESPACE::stress
