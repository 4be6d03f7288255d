#include "db/compaction/surviving_tombstones.h"

#include <algorithm>
#include <cassert>

#include "table/timestamps.h"

namespace ROCKSDB_NAMESPACE::engine {

SequenceNumber StripeOf(const std::vector<SequenceNumber>& snapshots,
                        SequenceNumber sequence) {
  if (snapshots.empty()) return kSequenceMax;
  const auto it =
      std::lower_bound(snapshots.begin(), snapshots.end(), sequence);
  return it == snapshots.end() ? kSequenceMax : *it;
}

bool SurvivingTombstones::Needed(size_t fragment, const Slice& begin,
                                 const Slice& end,
                                 std::vector<Mark>* newest_first) const {
  newest_first->clear();
  const std::vector<SequenceNumber>& snapshots = options_.snapshots;
  for (size_t rank = set_.RankOver(fragment, 0); rank < set_.num_tombstones();
       rank = set_.RankOver(fragment, rank)) {
    const Mark mark{set_.sequence(rank), set_.timestamp(rank)};
    if (mark.sequence == 0) return false;
    ++rank;
    // Any of them may be the one that a read at some time sees.
    if (set_.icmp().timestamp_size() > 0) {
      if (newest_first->empty() || newest_first->back() != mark) {
        newest_first->push_back(mark);
      }
      continue;
    }
    const auto older =
        std::lower_bound(snapshots.begin(), snapshots.end(), mark.sequence);
    // What is older is seen by all, too.
    if (older == snapshots.begin() && options_.may_exist_below &&
        !options_.may_exist_below(begin, end)) {
      return true;
    }
    newest_first->push_back(mark);
    if (older == snapshots.begin()) return false;
    rank = set_.FirstRank(*(older - 1));  // Of the next stripe.
  }
  return false;
}

size_t SurvivingTombstones::CountObsolete() const {
  size_t count = 0;
  std::vector<Mark> marks;
  for (size_t i = 0; i < set_.num_fragments(); ++i) {
    if (Needed(i, set_.point(i), set_.point(i + 1), &marks)) ++count;
  }
  return count;
}

std::vector<RangeTombstone> SurvivingTombstones::Between(
    const Slice* low, const Slice* high) const {
  const InternalKeyComparator& icmp = set_.icmp();
  std::vector<RangeTombstone> out;
  const size_t points = low == nullptr ? 1 : set_.PointsUpTo(*low);
  std::vector<Mark> marks;
  std::vector<Mark> last;  // Of the fragment before.
  size_t last_at = 0;      // Where that begins in `out`.
  for (size_t i = points == 0 ? 0 : points - 1; i < set_.num_fragments(); ++i) {
    Slice begin = set_.point(i);
    Slice end = set_.point(i + 1);
    if (high != nullptr && icmp.CompareUserKey(begin, *high) >= 0) break;
    if (low != nullptr && icmp.CompareUserKey(begin, *low) < 0) begin = *low;
    if (high != nullptr && icmp.CompareUserKey(end, *high) > 0) end = *high;
    assert(icmp.CompareUserKey(begin, end) < 0);
    Needed(i, begin, end, &marks);
    if (!marks.empty() && marks == last) {
      for (size_t j = last_at; j < out.size(); ++j) out[j].end = end;
      continue;
    }
    last_at = out.size();
    last = marks;
    for (const Mark& mark : marks) {
      out.push_back({begin, end, mark.sequence, mark.timestamp});
    }
  }
  return out;
}

void AppendWithin(const TombstoneSet& set, const FileMetaData& file,
                  std::deque<std::string>* ends,
                  std::vector<RangeTombstone>* out) {
  const InternalKeyComparator& icmp = set.icmp();
  Slice low = file.smallest.user_key();
  Slice high = file.largest.user_key();
  if (icmp.timestamp_size() > 0) {
    // All versions of a key, as the ends of range deletions mean them.
    const Comparator& comparator = *icmp.user_comparator();
    low = ends->emplace_back(BeforeVersions(low, comparator));
    if (IsRangeSentinel(file.largest.Encode())) {
      high = ends->emplace_back(BeforeVersions(high, comparator));
    }
  }
  // An inclusive bound inside a range deletion, which old releases could write:
  // up to the next key there can be. In other orders than the bytes' the next
  // file begins with that user key.
  if (!IsRangeSentinel(file.largest.Encode()) && icmp.bytewise()) {
    high = ends->emplace_back(high.ToString() + '\0');
  }
  for (size_t i = 0; i < set.num_tombstones(); ++i) {
    RangeTombstone tombstone = set.tombstone(i);
    if (icmp.CompareUserKey(tombstone.begin, low) < 0) tombstone.begin = low;
    if (icmp.CompareUserKey(tombstone.end, high) > 0) tombstone.end = high;
    out->push_back(tombstone);  // One that is empty now will be left out.
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
