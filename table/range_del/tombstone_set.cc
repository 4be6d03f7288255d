#include "table/range_del/tombstone_set.h"

#include <algorithm>
#include <cassert>
#include <functional>

namespace ROCKSDB_NAMESPACE::engine {

TombstoneSet::TombstoneSet(const InternalKeyComparator* icmp,
                           std::vector<RangeTombstone> tombstones)
    : icmp_(icmp) {
  std::erase_if(tombstones, [icmp](const RangeTombstone& t) {
    return icmp->CompareUserKey(t.begin, t.end) >= 0;
  });
  if (tombstones.empty()) return;
  std::sort(tombstones.begin(), tombstones.end(),
            [icmp](const RangeTombstone& a, const RangeTombstone& b) {
              if (a.sequence != b.sequence || icmp->timestamp_size() == 0) {
                return a.sequence > b.sequence;
              }
              return icmp->user_comparator()->CompareTimestamp(a.timestamp,
                                                               b.timestamp) < 0;
            });
  TakePoints(tombstones);
  spans_.reserve(tombstones.size());
  given_sequences_.reserve(tombstones.size());
  for (const RangeTombstone& t : tombstones) {
    spans_.emplace_back(IndexOf(t.begin), IndexOf(t.end));
    given_sequences_.push_back(t.sequence);
  }
  if (icmp_->timestamp_size() > 0) TakeTimestamps(tombstones);
  assert(num_points() >= 2);  // Each has a begin before its end.
  // Count per node, add up, and fill.
  starts_.assign(2 * num_fragments() + 1, 0);
  for (const Span& span : spans_) {
    assert(span.first < span.second && span.second < num_points());  // (1)
    VisitNodes(span, [this](size_t node) { ++starts_[node + 1]; });
  }
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  ranks_.resize(starts_.back());
  std::vector<uint32_t> next(starts_);
  for (uint32_t rank = 0; rank < spans_.size(); ++rank) {
    VisitNodes(spans_[rank], [&](size_t node) {
      assert(next[node] == starts_[node] ||
             ranks_[next[node] - 1] < rank);  // (2)
      ranks_[next[node]++] = rank;
    });
  }
}

void TombstoneSet::TakePoints(const std::vector<RangeTombstone>& tombstones) {
  std::vector<Slice> all;
  all.reserve(2 * tombstones.size());
  for (const RangeTombstone& t : tombstones) {
    all.push_back(t.begin);
    all.push_back(t.end);
  }
  std::sort(all.begin(), all.end(), [this](const Slice& a, const Slice& b) {
    return icmp_->CompareUserKey(a, b) < 0;
  });
  all.erase(std::unique(all.begin(), all.end(),
                        [this](const Slice& a, const Slice& b) {
                          return icmp_->CompareUserKey(a, b) == 0;
                        }),
            all.end());
  size_t bytes = 0;
  for (const Slice& point : all) bytes += point.size();
  assert(points_.empty());
  bytes_.reserve(bytes);
  points_.reserve(all.size());
  for (const Slice& point : all) {
    const char* const at = bytes_.data() + bytes_.size();
    bytes_.append(point.data(), point.size());
    points_.emplace_back(at, point.size());
  }
  // (1). Reserved: the slices stay valid.
  assert(bytes_.size() == bytes);
}

void TombstoneSet::TakeTimestamps(
    const std::vector<RangeTombstone>& tombstones) {
  const size_t size = icmp_->timestamp_size();
  timestamp_bytes_.reserve(tombstones.size() * size);
  given_timestamps_.reserve(tombstones.size());
  for (const RangeTombstone& t : tombstones) {
    assert(t.timestamp.size() == size);
    const char* const at = timestamp_bytes_.data() + timestamp_bytes_.size();
    timestamp_bytes_.append(t.timestamp.data(), size);
    given_timestamps_.emplace_back(at, size);
  }
}

size_t TombstoneSet::FirstRank(SequenceNumber at_most) const {
  if (empty() || given_sequences_.front() <= at_most) return 0;
  const auto it =
      std::lower_bound(given_sequences_.begin(), given_sequences_.end(),
                       at_most, std::greater<>());
  return static_cast<size_t>(it - given_sequences_.begin());
}

SequenceNumber TombstoneSet::Newest(size_t fragment,
                                    SequenceNumber at_most) const {
  const size_t rank = RankOver(fragment, FirstRank(at_most));
  return rank == num_tombstones() ? 0 : sequence(rank);
}

SequenceNumber TombstoneSet::NewestSeen(size_t fragment, SequenceNumber at_most,
                                        const Slice& read_timestamp) const {
  if (given_timestamps_.empty()) return Newest(fragment, at_most);
  const Comparator& comparator = *icmp_->user_comparator();
  for (size_t rank = FirstRank(at_most);; ++rank) {
    rank = RankOver(fragment, rank);
    if (rank == num_tombstones()) return 0;
    if (comparator.CompareTimestamp(timestamp(rank), read_timestamp) <= 0) {
      return sequence(rank);
    }
  }
}

template <typename Visit>
void TombstoneSet::VisitNodes(const Span& span, Visit visit) const {
  size_t left = span.first + num_fragments();
  size_t right = span.second + num_fragments();
  for (; left < right; left /= 2, right /= 2) {
    if (left % 2 == 1) visit(left++);
    if (right % 2 == 1) visit(--right);
  }
}

uint32_t TombstoneSet::IndexOf(const Slice& point) const {
  const size_t up_to = PointsUpTo(point);
  assert(up_to > 0 && icmp_->CompareUserKey(points_[up_to - 1], point) == 0);
  return static_cast<uint32_t>(up_to - 1);
}

size_t TombstoneSet::PointsUpTo(const Slice& user_key) const {
  const auto it = std::partition_point(
      points_.begin(), points_.end(), [&](const Slice& point) {
        return icmp_->CompareUserKey(point, user_key) <= 0;
      });
  return static_cast<size_t>(it - points_.begin());
}

size_t TombstoneSet::RankOver(size_t fragment, size_t first) const {
  assert(fragment < num_fragments());
  size_t lowest = num_tombstones();
  for (size_t node = fragment + num_fragments(); node >= 1; node /= 2) {
    const auto end = ranks_.begin() + starts_[node + 1];
    const auto it =
        std::lower_bound(ranks_.begin() + starts_[node], end, first);
    if (it != end) lowest = std::min(lowest, size_t{*it});
  }
  return lowest;
}

size_t TombstoneSet::memory_bytes() const {
  return sizeof(*this) + bytes_.capacity() +
         points_.capacity() * sizeof(Slice) +
         spans_.capacity() * (sizeof(Span) + sizeof(SequenceNumber)) +
         starts_.capacity() * sizeof(uint32_t) + timestamp_bytes_.capacity() +
         given_timestamps_.capacity() * sizeof(Slice) +
         ranks_.capacity() * sizeof(uint32_t);
}

}  // namespace ROCKSDB_NAMESPACE::engine
