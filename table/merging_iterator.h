// MergingIterator: one sorted view over many internal iterators.
//
// Model. A loser tree, the same for both directions, over children keyed by
// their current internal key, with an 8-byte big-endian prefix of the user key
// next to each so that most comparisons touch no key bytes (bytewise comparator
// only).
//
// With a RangeCover, entries that range deletions hide are not shown. Only the
// child that is positioned on a hidden entry moves on. If the child's source is
// older than the range deletion, all its entries in that range are hidden, and
// it seeks to the end of the range.

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
