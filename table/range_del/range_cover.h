// RangeCover: tells one merged read which entries range deletions hide.
//
// Place. Owned by the merging iterator of a DB iterator; memtables and level-0
// files are added when the iterator is made, files of deeper levels as the
// level's iterator opens them.
//
// Model. A source is what one child of the merge knows: a set of tombstones,
// or the sets of a level's files, each of which acts only between the bounds
// of its file. For a key, a source answers with a stretch: the keys around it
// for which the answer is the same. While the merge stays in the intersection
// of all stretches, a query costs one or two comparisons:
//
//   memtable     ......|======@9=======|..........
//   level 1      ..|==@5==|......|===@6====|......
//   cover        .. 5 |9  |  9   |  9  |  6|         <- one stretch at a time
//
// Invariants:
//   (1) When a key is shown, every file has been added whose range contains the
//       key and that lies in the part of its level that the iterator has
//       visited.
//   (2) Only tombstones with a sequence up to the read's are considered.
//
// Threads. One at a time.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "table/internal_key.h"
#include "table/range_del/tombstone_set.h"

namespace ROCKSDB_NAMESPACE::engine {

// A place between user keys: just before or just behind `key`.
struct KeyEdge {
  enum class Side : uint8_t { kLowest, kBefore, kBehind, kHighest };
  Slice key;
  Side side = Side::kLowest;
};

// Keys from `low` to `high`.
struct KeyStretch {
  KeyEdge low;
  KeyEdge high;  // Default: an empty stretch.
};

class RangeCover {
 public:
  struct Answer {
    SequenceNumber sequence = 0;  // Entries older than it are hidden.
    size_t child = 0;             // Whose tombstone it is.
    // Where that tombstone reaches.
    const KeyStretch* stretch = nullptr;
  };

  // `read_timestamp`: of a family with user timestamps; must outlive the cover.
  RangeCover(const InternalKeyComparator* icmp, SequenceNumber read_sequence,
             const Slice& read_timestamp = Slice())
      : icmp_(icmp),
        read_sequence_(read_sequence),
        read_timestamp_(read_timestamp) {}
  RangeCover(const RangeCover&) = delete;
  RangeCover& operator=(const RangeCover&) = delete;

  SequenceNumber read_sequence() const { return read_sequence_; }
  // False: nothing is hidden, At() need not be asked.
  bool active() const { return !sources_.empty(); }

  // Tombstones that act everywhere. `child`: the place of their source in the
  // merge, newest first.
  void Add(size_t child, std::shared_ptr<const TombstoneSet> set);
  // Those of one file; files of one child do not overlap. The bounds (internal
  // keys) must outlive the cover. Adding a file again changes nothing.
  void AddFile(size_t child, const std::shared_ptr<const TombstoneSet>& set,
               const Slice& smallest, const Slice& largest);

  // What hides entries of this user key. Valid until the next call.
  const Answer& At(const Slice& user_key) {
    if (!Holds(everywhere_, user_key)) Locate(user_key);
    return answer_;
  }

 private:
  struct Part {
    std::shared_ptr<const TombstoneSet> set;
    KeyStretch bounds;
  };
  struct Source {
    size_t child = 0;
    bool of_files = false;
    std::vector<Part> parts;  // In key order.
    KeyStretch stretch;       // Of the last answer ...
    SequenceNumber sequence = 0;
  };

  // True when the key comes before the edge.
  bool IsBefore(const Slice& user_key, const KeyEdge& edge) const;
  bool Holds(const KeyStretch& stretch, const Slice& user_key) const {
    return IsBefore(user_key, stretch.high) && !IsBefore(user_key, stretch.low);
  }
  int Compare(const KeyEdge& a, const KeyEdge& b) const;
  void Narrow(KeyStretch* stretch, const KeyStretch& by) const;
  void Locate(const Slice& user_key);
  void LocateIn(Source* source, const Slice& user_key) const;
  void LocateInSet(const TombstoneSet& set, const Slice& user_key,
                   Source* source) const;

  const InternalKeyComparator* const icmp_;
  const SequenceNumber read_sequence_;
  const Slice read_timestamp_;
  std::vector<Source> sources_;
  KeyStretch everywhere_;  // Where answer_ holds.
  Answer answer_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
