// PrefixSeek: whether the seeks of one iterator may ask prefix filters.
//
// Place. Owned by the DB iterator; asked by the sources below it that have
// prefix filters: tables, memtables.
//
// Model. If a filter has no key with the prefix of the seek's target, its
// source is skipped. That is correct for a caller that only looks at keys with
// that prefix:
//
//   kSamePrefix  the caller said so (a prefix extractor and no total order);
//                filters of the same extractor are asked
//   kAutomatic   the upper bound says so: no key in front of it has another
//                prefix. What the caller sees is the same as in total order,
//                so every filter may be asked with its own extractor
//
// This applies only to seeks of the caller. Seeks that iterators make
// internally, to change direction or to skip versions, must find everything;
// a source that has left out what lies outside of a prefix by itself may go on
// with that for as long as the caller is kept within the prefix.
//
// Threads. One at a time.

#pragma once

#include <cassert>
#include <memory>
#include <utility>

#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

class PrefixSeek {
 public:
  enum class Mode : uint8_t { kSamePrefix, kAutomatic };
  enum class Direction : uint8_t { kForward, kBackward };

  PrefixSeek(Mode mode, std::shared_ptr<const SliceTransform> extractor,
             const InternalKeyComparator* icmp, const Slice* upper_bound)
      : mode_(mode),
        extractor_(std::move(extractor)),
        icmp_(icmp),
        upper_bound_(upper_bound) {}
  PrefixSeek(const PrefixSeek&) = delete;
  PrefixSeek& operator=(const PrefixSeek&) = delete;

  // What the options ask for; null: total order, as always with timestamps.
  static std::unique_ptr<PrefixSeek> For(
      const ReadOptions& options,
      const std::shared_ptr<const SliceTransform>& extractor,
      const InternalKeyComparator* icmp, bool opt_in_only);

  // May a filter whose prefixes `extractor` made be asked at all? Compares
  // texts: once per iterator.
  bool Accepts(const SliceTransform* extractor) const;

  // A seek of the caller's, from Begin() to End().
  void Begin(Direction direction) {
    direction_ = direction;
    active_ = true;
    ruled_out_ = false;
    whole_ = false;
  }
  // True when something was ruled out.
  bool End() {
    assert(active_);
    active_ = false;
    return std::exchange(ruled_out_, false);
  }

  // True with the prefix to ask a filter for; false: it must not be asked.
  // `extractor` is the filter's.
  bool Prefix(const SliceTransform& extractor, const Slice& user_key,
              Slice* prefix) const {
    return active_ && MakePrefix(extractor, user_key, prefix);
  }
  bool active() const { return active_; }
  // Until the next seek of the caller's keys with any prefix may be shown: what
  // is sought from now on must be found.
  void ReadWhole() { whole_ = true; }
  bool whole() const { return whole_; }
  Direction direction() const { return direction_; }
  // False when the upper bound ends what is shown in any case.
  bool ends_with_prefix() const { return mode_ == Mode::kSamePrefix; }
  // The asker shows nothing.
  void RuleOut() {
    ruled_out_ = true;
    just_ruled_out_ = true;
  }
  // Has RuleOut() been called since the last time?
  bool TakeJustRuledOut() { return std::exchange(just_ruled_out_, false); }
  // False when no key behind `bound`, seen from `user_key`, can matter: it has
  // left the prefix.
  bool GoesOnBehind(const Slice& bound, const Slice& user_key) const;

 private:
  bool MakePrefix(const SliceTransform& extractor, const Slice& user_key,
                  Slice* prefix) const;
  bool BoundKeepsPrefix(const SliceTransform& extractor,
                        const Slice& prefix) const;

  const Mode mode_;
  const std::shared_ptr<const SliceTransform> extractor_;
  const InternalKeyComparator* const icmp_;
  const Slice* const upper_bound_;
  Direction direction_ = Direction::kForward;
  bool active_ = false;
  bool ruled_out_ = false;
  bool just_ruled_out_ = false;
  bool whole_ = true;
};

}  // namespace ROCKSDB_NAMESPACE::engine
