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
  // Newest first, so that each node's list comes out sorted.
  std::sort(tombstones.begin(), tombstones.end(),
            [](const RangeTombstone& a, const RangeTombstone& b) {
              return a.sequence > b.sequence;
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
  sequences_.resize(starts_.back());
  std::vector<uint32_t> next(starts_);
  for (size_t i = 0; i < spans_.size(); ++i) {
    VisitNodes(spans_[i], [&](size_t node) {
      assert(next[node] == starts_[node] ||
             sequences_[next[node] - 1] >= given_sequences_[i]);  // (2)
      sequences_[next[node]++] = given_sequences_[i];
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

Slice TombstoneSet::TimestampOfSequence(SequenceNumber sequence) const {
  if (given_timestamps_.empty()) return {};
  const auto it =
      std::lower_bound(given_sequences_.begin(), given_sequences_.end(),
                       sequence, std::greater<>());
  assert(it != given_sequences_.end() && *it == sequence);
  return given_timestamps_[static_cast<size_t>(it - given_sequences_.begin())];
}

SequenceNumber TombstoneSet::NewestSeen(size_t fragment, SequenceNumber at_most,
                                        const Slice& read_timestamp) const {
  SequenceNumber newest = Newest(fragment, at_most);
  if (given_timestamps_.empty()) return newest;
  const Comparator& comparator = *icmp_->user_comparator();
  while (newest > 0 && comparator.CompareTimestamp(TimestampOfSequence(newest),
                                                   read_timestamp) > 0) {
    newest = Newest(fragment, newest - 1);
  }
  return newest;
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

SequenceNumber TombstoneSet::Newest(size_t fragment,
                                    SequenceNumber at_most) const {
  assert(fragment < num_fragments());
  SequenceNumber newest = 0;
  for (size_t node = fragment + num_fragments(); node >= 1; node /= 2) {
    const auto end = sequences_.begin() + starts_[node + 1];
    const auto it = std::lower_bound(sequences_.begin() + starts_[node], end,
                                     at_most, std::greater<>());
    if (it != end) newest = std::max(newest, *it);
  }
  return newest;
}

size_t TombstoneSet::memory_bytes() const {
  return sizeof(*this) + bytes_.capacity() +
         points_.capacity() * sizeof(Slice) +
         spans_.capacity() * (sizeof(Span) + sizeof(SequenceNumber)) +
         starts_.capacity() * sizeof(uint32_t) + timestamp_bytes_.capacity() +
         given_timestamps_.capacity() * sizeof(Slice) +
         sequences_.capacity() * sizeof(SequenceNumber);
}

}  // namespace ROCKSDB_NAMESPACE::engine
