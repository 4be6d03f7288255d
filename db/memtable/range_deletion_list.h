// RangeDeletionList: the range deletions of one memtable.
//
// Place. Owned by MemTable, next to the skiplist of its point entries.
//
// Model. Writers push onto a linked list, newest first. Every 32nd of them
// also makes a searchable run of what was pushed since the last run, together
// with older runs that are not larger than what it has so far; so runs grow
// in powers of two and each tombstone is copied O(log n) times. A question
// asks the few runs and looks at the at most 31 tombstones of the tail:
//
//   head -> 70 -> 69 -> ... -> 65 -> 64 -> ... -> 33 -> 32 -> ... -> 1
//           |------- tail -------|   |- run of 1..64 ----------------|
//
// Nothing is ever taken away while the list lives, so readers need neither
// locks nor counts.
//
// Invariants:
//   (1) A run and the older ones it names hold exactly the nodes up to its
//       depth; published runs never change.
//
// Threads. Any, at once.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "table/internal_key.h"
#include "table/range_del/tombstone_set.h"
#include "util/arena.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class RangeCover;

class RangeDeletionList {
 public:
  RangeDeletionList(const InternalKeyComparator* icmp, Allocator* arena)
      : icmp_(icmp), arena_(arena) {}
  RangeDeletionList(const RangeDeletionList&) = delete;
  RangeDeletionList& operator=(const RangeDeletionList&) = delete;

  // True until the first Add(): one load.
  bool empty() const {
    return head_.load(std::memory_order_acquire) == nullptr;
  }
  uint64_t size() const {
    const Node* const head = head_.load(std::memory_order_acquire);
    return head == nullptr ? 0 : head->depth;
  }

  // Copies the keys.
  void Add(const RangeTombstone& tombstone);

  // The newest tombstone over the key, none newer than `at_most`; 0: none.
  SequenceNumber NewestOver(const Slice& user_key,
                            SequenceNumber at_most) const;
  // True when one of them is over a key from `smallest` to `largest`. Looks at
  // each.
  bool Touches(const Slice& smallest, const Slice& largest) const;
  // All of them, newest first. The slices live as long as the list.
  void AppendTo(std::vector<RangeTombstone>* out) const;
  // Gives `cover` what its read can see, as the sets of child `child`.
  void AddTo(RangeCover* cover, size_t child) const;

 private:
  struct Node {
    RangeTombstone tombstone;
    Node* next;
    uint64_t depth;  // Nodes from here to the end.
  };
  struct Run {
    Run(const InternalKeyComparator* icmp,
        std::vector<RangeTombstone> tombstones)
        : set(icmp, std::move(tombstones)) {}
    TombstoneSet set;
    const Run* older = nullptr;
    uint64_t depth = 0;       // Of the newest node in it.
    uint64_t base_depth = 0;  // Of the newest node below it.
  };
  static constexpr uint64_t kTailMax = 32;

  void MakeRun(const Node* newest) EXCLUDES_LOCK(mu_);
  // The nodes newer than the newest run.
  template <typename Visit>
  const Run* VisitTail(Visit visit) const;

  const InternalKeyComparator* const icmp_;
  Allocator* const arena_;
  std::atomic<Node*> head_{nullptr};
  std::atomic<const Run*> newest_run_{nullptr};
  Mutex mu_;
  std::vector<std::unique_ptr<Run>> runs_ GUARDED_BY(mu_);  // All ever made.
};

}  // namespace ROCKSDB_NAMESPACE::engine
