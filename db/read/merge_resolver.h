// Merge resolution: turns merge operands and a base into one value.
//
// Place. Used by point lookups, the DB iterator and the compaction iterator,
// so that a merge means the same everywhere.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/merge_operator.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

struct MergeContext {
  const MergeOperator* merge_operator = nullptr;
  Logger* info_log = nullptr;
  Statistics* statistics = nullptr;
};

// Applies `newest_first` on top of `base` (null: no base).
// Errors: InvalidArgument without a merge operator, Corruption when the
// operator fails. User code may throw: that is Corruption, too.
Status ResolveMerge(const MergeContext& context, const Slice& user_key,
                    const Slice* base,
                    const std::vector<std::string>& newest_first,
                    std::string* result);

// The same on top of an entity: its default column is the base, the other
// columns stay. `*result` is an entity. Errors: also DecodeEntity's.
Status ResolveMergeOnEntity(const MergeContext& context, const Slice& user_key,
                            const Slice& entity,
                            const std::vector<std::string>& newest_first,
                            std::string* result);

// Combines two or more operands without a base. Returns false when the
// operator cannot; the operands then stay apart.
bool CombineOperands(const MergeContext& context, const Slice& user_key,
                     const std::vector<std::string>& newest_first,
                     std::string* result);

}  // namespace ROCKSDB_NAMESPACE::engine
