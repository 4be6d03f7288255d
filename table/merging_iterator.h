// MergingIterator: one sorted view over many internal iterators.
//
// Model. A loser tree (forward) or heap over children keyed by their current
// internal key, with an 8-byte big-endian prefix of the user key beside each
// so that most comparisons touch no key bytes (bytewise comparator only).
//
// With a RangeCover, entries that range deletions hide are not shown. Only the
// child that stands on a hidden entry moves on; if it is older than the range
// deletion everything it has there is hidden, and it seeks to the far end.

#pragma once

#include <memory>
#include <vector>

#include "table/internal_iterator.h"
#include "table/internal_key.h"
#include "table/range_del/range_cover.h"

namespace ROCKSDB_NAMESPACE::engine {

// Takes ownership of `children`; newest first, if there is a cover. With one
// child and no cover returns that child.
InternalIterator* NewMergingIterator(
    const InternalKeyComparator* icmp, std::vector<InternalIterator*> children,
    std::unique_ptr<RangeCover> cover = nullptr);

}  // namespace ROCKSDB_NAMESPACE::engine
