// SkipListWalk: a descent in steps, each of which asks for the memory that the
// next one looks at.
//
// Place. Before the insertions of a batch (memtable_apply.cc) and the lookups
// of a MultiGet: a step of each in turn, so that they wait for memory once for
// all of them instead of once for each node of each path. The insertion or
// lookup then finds its path in the cache. Only for the skiplist with bounds.
//
// Model. A hint: a walk reads the same nodes as a descent and changes nothing.
// It may miss the path if other insertions run.
//
// Threads. As readers of the list.

#pragma once

#include <array>
#include <cassert>
#include <cstddef>

#include "db/memtable/skiplist.h"
#include "db/memtable/skiplist_target.h"

namespace ROCKSDB_NAMESPACE::engine {

class SkipListWalk {
 public:
  // At its end.
  SkipListWalk() : target_(Slice(), 0) {}
  SkipListWalk(const SkipList<true>& list, const SkipListTarget& target)
      : list_(&list),
        node_(list.head()),
        level_(list.height() - 1),
        target_(target) {}

  // Goes on to the next node that is not known to be in the cache. False: the
  // walk is at its end.
  bool Step() {
    if (equal_ != nullptr) Compare();
    for (; level_ >= 0; --level_) {
      const auto& link = *node_->link(level_);
      const uint64_t bound = link.bound.load(std::memory_order_acquire);
      if (bound > target_.prefix) continue;
      Node* const next = link.next.load(std::memory_order_acquire);
      if (next == nullptr) continue;
      __builtin_prefetch(next->link(level_));
      __builtin_prefetch(next->entry());
      if (bound == target_.prefix) {
        equal_ = next;
      } else {
        node_ = next;
      }
      return true;
    }
    return false;
  }

  // At the end of a walk without concurrent insertions: the last node before
  // the target, or the head.
  const SkipList<true>::Node* node() const { return node_; }

 private:
  using Node = SkipList<true>::Node;

  // The bound did not tell: the key does, which is in the cache by now.
  void Compare() {
    if (list_->IsBefore(equal_, target_)) {
      node_ = equal_;
    } else {
      --level_;
    }
    equal_ = nullptr;
  }

  const SkipList<true>* list_ = nullptr;
  Node* node_ = nullptr;
  Node* equal_ = nullptr;  // To be compared with.
  int level_ = -1;
  SkipListTarget target_;
};

// Some walks that go together.
class SkipListWalks {
 public:
  static constexpr size_t kMax = 8;

  bool full() const { return size_ == kMax; }
  void Add(const SkipListWalk& walk) {
    assert(!full());
    walks_[size_++] = walk;
  }
  // To their ends, and forgets them.
  void Run() {
    if (size_ < 2) size_ = 0;  // Alone it would wait here instead of there.
    for (size_t moved = size_; moved > 0;) {
      moved = 0;
      for (size_t i = 0; i < size_; ++i) moved += walks_[i].Step() ? 1 : 0;
    }
    size_ = 0;
  }

 private:
  std::array<SkipListWalk, kMax> walks_;
  size_t size_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
