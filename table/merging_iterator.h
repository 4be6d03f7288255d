// MergingIterator: one sorted view over many internal iterators.
//
// Model. A loser tree (forward) or heap over children keyed by their current
// internal key, with an 8-byte big-endian prefix of the user key beside each
// so that most comparisons touch no key bytes (bytewise comparator only).

#pragma once

#include <vector>

#include "table/internal_iterator.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// Takes ownership of `children`. With one child returns that child.
InternalIterator* NewMergingIterator(const InternalKeyComparator* icmp,
                                     std::vector<InternalIterator*> children);

}  // namespace ROCKSDB_NAMESPACE::engine
