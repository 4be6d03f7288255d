// TombstoneSet: range deletions, cut into fragments that can be searched.
//
// Place. Made from a table's range deletion block, from runs of a memtable's
// range deletions, and from the inputs of a flush or compaction; used by
// lookups, by iterators (RangeCover) and by the code that writes tables.
//
// Model. The begins and ends of tombstones, sorted, are the points. Between two
// adjacent points lies a fragment, all of whose keys are covered by the same
// tombstones:
//
//   a@7       |-----------|              fragments   [1,3)  7
//   b@4             |-----------|                    [3,5)  7 4
//   c@9                            |--|              [5,7)  4
//   points    1     3     5     7  8  9              [7,8)  none   [8,9)  9
//
// A tombstone over many fragments is not listed in each: the fragments are the
// leaves of a segment tree, and the tombstone is stored at the few inner nodes
// that make up its range. So n tombstones take O(n log n) memory however they
// overlap, and a query costs a search among the points and a walk from leaf to
// root.
//
// Invariants:
//   (1) Points strictly ascend; keys are copies, so the set depends on no other
//   object.
//   (2) Ranks order tombstones from the newest to the oldest: by sequence
//   number, and where that is the same, as in an ingested file, by timestamp,
//   the oldest first. Those of one node ascend.
//
// Threads. Immutable.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "table/internal_key.h"
#include "table/timestamps.h"

namespace ROCKSDB_NAMESPACE::engine {

// Deletes the user keys of [begin, end) that are older than `sequence`. With
// user timestamps both ends carry the largest one, so that they lie before all
// versions of their key, and `timestamp` is the deletion's own: only reads at
// or after it see it.
struct RangeTombstone {
  Slice begin;
  Slice end;
  SequenceNumber sequence = 0;
  Slice timestamp = {};
};

class TombstoneSet {
 public:
  // `icmp` must outlive the set. Tombstones may overlap and come in any order;
  // those with begin >= end are left out.
  TombstoneSet(const InternalKeyComparator* icmp,
               std::vector<RangeTombstone> tombstones);
  TombstoneSet(const TombstoneSet&) = delete;
  TombstoneSet& operator=(const TombstoneSet&) = delete;

  bool empty() const { return points_.empty(); }
  // As they were given, by rank.
  size_t num_tombstones() const { return spans_.size(); }
  RangeTombstone tombstone(size_t rank) const {
    return {points_[spans_[rank].first], points_[spans_[rank].second],
            sequence(rank), timestamp(rank)};
  }
  SequenceNumber sequence(size_t rank) const { return given_sequences_[rank]; }
  // Empty without user timestamps.
  Slice timestamp(size_t rank) const {
    return given_timestamps_.empty() ? Slice() : given_timestamps_[rank];
  }
  // Of the newest tombstone that is not newer than `at_most`.
  size_t FirstRank(SequenceNumber at_most) const;
  size_t num_points() const { return points_.size(); }
  Slice point(size_t i) const { return points_[i]; }
  // Fragment i is [point(i), point(i + 1)).
  size_t num_fragments() const { return empty() ? 0 : points_.size() - 1; }

  // How many points are not behind `user_key`: with n > 0 the key lies in
  // fragment n - 1, if there is one.
  size_t PointsUpTo(const Slice& user_key) const;

  // The newest tombstone over the fragment, none newer than `at_most`; 0 when
  // there is none.
  SequenceNumber Newest(size_t fragment, SequenceNumber at_most) const;
  // The same among those with a timestamp up to `read_timestamp`; without user
  // timestamps that is not looked at.
  SequenceNumber NewestSeen(size_t fragment, SequenceNumber at_most,
                            const Slice& read_timestamp) const;
  // The same for a user key, whose timestamp is that of the read.
  SequenceNumber NewestOver(const Slice& user_key,
                            SequenceNumber at_most) const {
    const size_t n = PointsUpTo(user_key);
    if (n == 0 || n == points_.size()) return 0;
    if (given_timestamps_.empty()) return Newest(n - 1, at_most);
    return NewestSeen(n - 1, at_most,
                      TimestampOf(user_key, icmp_->timestamp_size()));
  }
  // The lowest rank, `first` or more, among tombstones over the fragment;
  // num_tombstones() when there is none.
  size_t RankOver(size_t fragment, size_t first) const;

  const InternalKeyComparator& icmp() const { return *icmp_; }
  size_t memory_bytes() const;

 private:
  using Span = std::pair<uint32_t, uint32_t>;  // Of points.

  void TakePoints(const std::vector<RangeTombstone>& tombstones);
  void TakeTimestamps(const std::vector<RangeTombstone>& tombstones);
  uint32_t IndexOf(const Slice& point) const;
  // Calls visit(node) for the nodes that make up the fragments of the span.
  template <typename Visit>
  void VisitNodes(const Span& span, Visit visit) const;

  const InternalKeyComparator* const icmp_;
  std::string bytes_;
  std::vector<Slice> points_;
  std::vector<Span> spans_;
  std::vector<SequenceNumber> given_sequences_;
  std::string timestamp_bytes_;
  std::vector<Slice> given_timestamps_;  // Empty without user timestamps.
  // Node i's ranks are [starts_[i], starts_[i + 1]); leaves come last.
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> ranks_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
