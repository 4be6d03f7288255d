#include "table/range_del/range_cover.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Side = KeyEdge::Side;

KeyEdge Lowest() { return {{}, Side::kLowest}; }
KeyEdge Highest() { return {{}, Side::kHighest}; }

KeyEdge Before(const Slice& key) { return {key, Side::kBefore}; }

}  // namespace

bool RangeCover::IsBefore(const Slice& user_key, const KeyEdge& edge) const {
  if (edge.side == Side::kLowest) return false;
  if (edge.side == Side::kHighest) return true;
  const int order = icmp_->CompareUserKey(user_key, edge.key);
  return order < 0 || (order == 0 && edge.side == Side::kBehind);
}

int RangeCover::Compare(const KeyEdge& a, const KeyEdge& b) const {
  const auto rank = [](Side side) { return static_cast<int>(side); };
  const bool both_keys = a.side != Side::kLowest && a.side != Side::kHighest &&
                         b.side != Side::kLowest && b.side != Side::kHighest;
  if (both_keys) {
    const int order = icmp_->CompareUserKey(a.key, b.key);
    if (order != 0) return order;
  }
  return rank(a.side) - rank(b.side);
}

void RangeCover::Narrow(KeyStretch* stretch, const KeyStretch& by) const {
  if (Compare(by.low, stretch->low) > 0) stretch->low = by.low;
  if (Compare(by.high, stretch->high) < 0) stretch->high = by.high;
}

void RangeCover::Add(size_t child, std::shared_ptr<const TombstoneSet> set) {
  if (set == nullptr || set->empty()) return;
  Source source;
  source.child = child;
  source.parts.push_back({std::move(set), {Lowest(), Highest()}});
  sources_.push_back(std::move(source));
  everywhere_ = {};
}

void RangeCover::AddFile(size_t child,
                         const std::shared_ptr<const TombstoneSet>& set,
                         const Slice& smallest, const Slice& largest) {
  if (set == nullptr || set->empty()) return;
  assert(smallest.size() >= kTrailerSize && largest.size() >= kTrailerSize);
  const KeyEdge high{ExtractUserKey(largest),
                     IsRangeSentinel(largest) ? Side::kBefore : Side::kBehind};
  Part part{set, {Before(ExtractUserKey(smallest)), high}};
  auto source = std::find_if(
      sources_.begin(), sources_.end(),
      [&](const Source& s) { return s.of_files && s.child == child; });
  if (source == sources_.end()) {
    sources_.emplace_back();
    source = sources_.end() - 1;
    source->child = child;
    source->of_files = true;
  }
  const auto at =
      std::lower_bound(source->parts.begin(), source->parts.end(), part,
                       [this](const Part& a, const Part& b) {
                         const int order = Compare(a.bounds.low, b.bounds.low);
                         if (order != 0) return order < 0;
                         // Old releases could end a file inside a user key.
                         return Compare(a.bounds.high, b.bounds.high) < 0;
                       });
  // A file's bounds are bytes of its own: the same ones are the same file.
  if (at != source->parts.end() &&
      at->bounds.low.key.data() == part.bounds.low.key.data()) {
    return;
  }
  source->parts.insert(at, std::move(part));
  source->stretch = {};
  everywhere_ = {};
}

void RangeCover::LocateInSet(const TombstoneSet& set, const Slice& user_key,
                             Source* source) const {
  const size_t n = set.PointsUpTo(user_key);
  KeyStretch fragment{Lowest(), Highest()};
  if (n > 0) fragment.low = Before(set.point(n - 1));
  if (n < set.num_points()) fragment.high = Before(set.point(n));
  const bool inside = n > 0 && n < set.num_points();
  source->sequence =
      inside ? set.NewestSeen(n - 1, read_sequence_, read_timestamp_) : 0;
  assert(source->sequence <= read_sequence_);  // (2)
  Narrow(&source->stretch, fragment);
}

void RangeCover::LocateIn(Source* source, const Slice& user_key) const {
  const std::vector<Part>& parts = source->parts;
  const auto behind = std::partition_point(
      parts.begin(), parts.end(),
      [&](const Part& part) { return !IsBefore(user_key, part.bounds.low); });
  if (behind != parts.begin() &&
      IsBefore(user_key, (behind - 1)->bounds.high)) {
    source->stretch = (behind - 1)->bounds;
    // Old releases could end a file inside a user key; the next one then has
    // all tombstones over that key, too.
    if (behind != parts.end()) {
      Narrow(&source->stretch, {Lowest(), behind->bounds.low});
    }
    LocateInSet(*(behind - 1)->set, user_key, source);
    return;
  }
  source->sequence = 0;
  source->stretch.low =
      behind == parts.begin() ? Lowest() : (behind - 1)->bounds.high;
  source->stretch.high = behind == parts.end() ? Highest() : behind->bounds.low;
}

void RangeCover::Locate(const Slice& user_key) {
  everywhere_ = {Lowest(), Highest()};
  answer_ = {};
  for (Source& source : sources_) {
    if (!Holds(source.stretch, user_key)) LocateIn(&source, user_key);
    Narrow(&everywhere_, source.stretch);
    if (source.sequence > answer_.sequence) {
      answer_ = {source.sequence, source.child, &source.stretch};
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
