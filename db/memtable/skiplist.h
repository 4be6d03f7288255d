// SkipList: the sorted structure of a memtable; entries are only ever added.
//
// Place. Owned by MemTable, which lays out the entries and decides when
// insertions may run concurrently.
//
// Model. A node is its tower of links, level 0 last, followed by the entry's
// bytes; one allocation, no pointer from node to key:
//
//   | link h-1 | ... | link 1 | link 0 | varint klen | ikey | varint vlen | v |
//                             ^ Node*
//
// A link of the bytewise instantiation is a pair: the next node and a *bound*,
// the first eight bytes of the next node's user key as a big-endian number. A
// descent decides most steps from the bound and so touches only the nodes it
// moves to, never the ones it merely compares with. Other comparators use
// links without bounds.
//
// Invariants:
//   (1) Level 0 holds every node in internal-key order; level i+1 is a
//       subsequence of level i.
//   (2) A reader that loads a link's bound before its next sees
//       bound >= prefix(next), and bound == prefix(next) when no insertion is
//       running. So a bound below the target always means "move on", while a
//       bound above it is final only at rest; level 0 therefore ends with a
//       look at the node itself.
//   (3) A node never moves and lives as long as the arena.
//
// Threads. Readers never need a lock. Insert() must be the only insertion at a
// time; InsertConcurrently() may run concurrently with itself (links change by
// CAS, bounds by an atomic minimum).

#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdint>
#include <new>
#include <type_traits>

#include "db/memtable/skiplist_target.h"
#include "rocksdb/slice.h"
#include "table/internal_key.h"
#include "util/arena.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

class SkipListWalk;

template <bool kBytewise>
class SkipList {
 public:
  static constexpr int kHeightMax = 20;
  // One node in two reaches higher. With bounds in the links a level costs one
  // node touched per step forward and none for the comparison that ends it;
  // two short steps per factor of four then beat three.
  static constexpr int kBranchingBits = 1;

  class Node;

  // Where the last insertion went: the predecessor at every level. An
  // insertion that starts from the splice of its neighbour is O(1). A splice
  // never goes stale (nodes stay), it is only more or less useful.
  struct Splice {
    Node* prev[kHeightMax];
    int height = 0;  // Levels of `prev` that are filled in.
  };

  SkipList(const InternalKeyComparator* icmp, Allocator* arena)
      : icmp_(icmp), arena_(arena), head_(AllocateNode(0, kHeightMax)) {}
  SkipList(const SkipList&) = delete;
  SkipList& operator=(const SkipList&) = delete;

  // The height for a node, from 64 well-mixed bits.
  static int HeightFromBits(uint64_t bits) {
    const int zeros = std::countr_zero(bits | (uint64_t{1} << 63));
    const int height = 1 + zeros / kBranchingBits;
    return height < kHeightMax ? height : kHeightMax;
  }

  // Memory for a node whose entry has `bytes` bytes, to be written at
  // node->entry() before the insertion.
  Node* AllocateNode(size_t bytes, int height);

  // Both return false, and leave the list as it was, when an entry with the
  // same user key and trailer exists. `target` is the key of node's entry.
  // `hint` is null or where a near key went; alone among insertions.
  bool Insert(Node* node, int height, const SkipListTarget& target,
              Splice* hint = nullptr) {
    return InsertImpl<false>(node, height, target,
                             hint == nullptr ? &splice_ : hint);
  }
  // `splice` may be shared by the insertions of one thread.
  bool InsertConcurrently(Node* node, int height, const SkipListTarget& target,
                          Splice* splice) {
    return InsertImpl<true>(node, height, target, splice);
  }

  // nullptr when there is none.
  Node* First() const { return head_->Next(0); }
  Node* Last() const;
  // The first node at or after `target`.
  Node* SeekGreaterOrEqual(const SkipListTarget& target) const;
  // The last node before `target`.
  Node* SeekLess(const SkipListTarget& target) const;

  // For a walk of the caller's own, from the head, which has no entry.
  Node* head() const { return head_; }
  int height() const { return max_height_.load(std::memory_order_relaxed); }
  bool IsBefore(const Node* node, const SkipListTarget& target) const {
    return Compare(node, target) < 0;
  }

  // How many nodes lie before `target`, of about `count` altogether: counts on
  // a level with some hundreds of nodes, so the error is a few per cent of
  // `count`.
  uint64_t EstimateCountBefore(const SkipListTarget& target,
                               uint64_t count) const;

 private:
  struct BoundedLink {
    std::atomic<uint64_t> bound{~uint64_t{0}};
    std::atomic<Node*> next{nullptr};
  };
  struct PlainLink {
    std::atomic<Node*> next{nullptr};
  };
  using Link = std::conditional_t<kBytewise, BoundedLink, PlainLink>;

  int Compare(const Node* node, const SkipListTarget& target) const;

  // The last node before `target` at `level`, from `x`, which is before it.
  Node* Advance(Node* x, int level, const SkipListTarget& target) const;
  // Fills splice->prev for every level below max_height_.
  void Locate(const SkipListTarget& target, Splice* splice) const;
  bool SpliceFits(const Splice& splice, const SkipListTarget& target) const;
  void RaiseMaxHeight(int height, Splice* splice);

  template <bool kConcurrent>
  bool InsertImpl(Node* node, int height, const SkipListTarget& target,
                  Splice* splice);
  // Links `node` at `level`, at or after `prev`. Null when it is a duplicate,
  // else its predecessor there.
  template <bool kConcurrent>
  Node* LinkAt(int level, Node* node, Node* prev, const SkipListTarget& target);

  static void LowerBound(Link* link, uint64_t prefix, bool concurrent);

  const InternalKeyComparator* const icmp_;
  Allocator* const arena_;
  Node* const head_;
  std::atomic<int> max_height_{1};
  Splice splice_;  // Of Insert().
};

template <bool kBytewise>
class SkipList<kBytewise>::Node {
 public:
  char* entry() { return reinterpret_cast<char*>(this + 1); }
  const char* entry() const { return reinterpret_cast<const char*>(this + 1); }
  // The internal key inside the entry.
  Slice key() const { return GetLengthPrefixedSlice(entry()); }

  Node* Next(int level) const {
    return (link_ - level)->next.load(std::memory_order_acquire);
  }

 private:
  friend class SkipList;
  friend class SkipListWalk;
  Link* link(int level) { return link_ - level; }

  Link link_[1];
};

template <bool kBytewise>
auto SkipList<kBytewise>::AllocateNode(size_t bytes, int height) -> Node* {
  assert(0 < height && height <= kHeightMax);
  const size_t tower = sizeof(Link) * static_cast<size_t>(height);
  char* memory = arena_->AllocateAligned(tower + bytes);
  for (int i = 0; i < height; ++i) new (memory + sizeof(Link) * i) Link;
  return reinterpret_cast<Node*>(memory + tower - sizeof(Link));
}

template <bool kBytewise>
int SkipList<kBytewise>::Compare(const Node* node,
                                 const SkipListTarget& target) const {
  const Slice key = node->key();
  const Slice user_key = ExtractUserKey(key);
  const int order = kBytewise
                        ? user_key.compare(target.user_key)
                        : icmp_->CompareUserKey(user_key, target.user_key);
  if (order != 0) return order;
  const uint64_t trailer = ExtractTrailer(key);
  return trailer > target.trailer ? -1 : (trailer < target.trailer ? +1 : 0);
}

template <bool kBytewise>
auto SkipList<kBytewise>::Advance(Node* x, int level,
                                  const SkipListTarget& target) const -> Node* {
  for (;;) {
    Link* const link = x->link(level);
    if constexpr (kBytewise) {
      // Before `next`: see invariant (2).
      const uint64_t bound = link->bound.load(std::memory_order_acquire);
      if (bound > target.prefix) return x;
      Node* const next = link->next.load(std::memory_order_acquire);
      if (bound == target.prefix &&
          (next == nullptr || !IsBefore(next, target)))
        return x;
      assert(next != nullptr);  // (2): only a node lowers a bound.
      x = next;
    } else {
      Node* const next = link->next.load(std::memory_order_acquire);
      if (next == nullptr || !IsBefore(next, target)) return x;
      x = next;
    }
  }
}

template <bool kBytewise>
auto SkipList<kBytewise>::SeekGreaterOrEqual(const SkipListTarget& target) const
    -> Node* {
  Node* x = head_;
  for (int level = height() - 1; level >= 0; --level)
    x = Advance(x, level, target);
  // A bound may lag behind an insertion: trust only the node itself.
  Node* next = x->Next(0);
  while (next != nullptr && IsBefore(next, target)) next = next->Next(0);
  return next;
}

template <bool kBytewise>
auto SkipList<kBytewise>::SeekLess(const SkipListTarget& target) const
    -> Node* {
  Node* x = head_;
  for (int level = height() - 1; level >= 0; --level)
    x = Advance(x, level, target);
  for (Node* next = x->Next(0); next != nullptr && IsBefore(next, target);
       next = next->Next(0))
    x = next;
  return x == head_ ? nullptr : x;
}

template <bool kBytewise>
auto SkipList<kBytewise>::Last() const -> Node* {
  Node* x = head_;
  for (int level = height() - 1; level >= 0; --level)
    while (Node* next = x->Next(level)) x = next;
  return x == head_ ? nullptr : x;
}

template <bool kBytewise>
uint64_t SkipList<kBytewise>::EstimateCountBefore(const SkipListTarget& target,
                                                  uint64_t count) const {
  constexpr int kCountedBits = 9;
  const int top = height() - 1;
  const int wanted =
      (static_cast<int>(std::bit_width(count)) - kCountedBits) / kBranchingBits;
  uint64_t before = 0;
  Node* x = head_;
  for (int level = std::clamp(wanted, 0, top); level >= 0; --level) {
    Node* const end = Advance(x, level, target);
    for (; x != end; x = x->Next(level))
      before += uint64_t{1} << (kBranchingBits * level);
  }
  return before;
}

template <bool kBytewise>
void SkipList<kBytewise>::Locate(const SkipListTarget& target,
                                 Splice* splice) const {
  const int height = this->height();
  Node* x = head_;
  for (int level = height - 1; level >= 0; --level) {
    x = Advance(x, level, target);
    splice->prev[level] = x;
  }
  splice->height = height;
}

// True when `target` goes right behind the splice at level 0. The levels above
// then hold too, as predecessors to advance from.
template <bool kBytewise>
bool SkipList<kBytewise>::SpliceFits(const Splice& splice,
                                     const SkipListTarget& target) const {
  if (splice.height == 0) return false;
  Node* const prev = splice.prev[0];
  Link* const link = prev->link(0);
  if constexpr (kBytewise) {
    if (link->bound.load(std::memory_order_acquire) < target.prefix)
      return false;
  }
  if (prev != head_ && !IsBefore(prev, target)) return false;
  if constexpr (kBytewise) {
    if (link->bound.load(std::memory_order_acquire) > target.prefix)
      return true;
  }
  Node* const next = link->next.load(std::memory_order_acquire);
  return next == nullptr || !IsBefore(next, target);
}

template <bool kBytewise>
void SkipList<kBytewise>::RaiseMaxHeight(int height, Splice* splice) {
  int seen = this->height();
  while (seen < height && !max_height_.compare_exchange_weak(
                              seen, height, std::memory_order_relaxed)) {
  }
  for (; splice->height < height; ++splice->height)
    splice->prev[splice->height] = head_;
  assert(splice->height <= this->height());
}

template <bool kBytewise>
void SkipList<kBytewise>::LowerBound(Link* link, uint64_t prefix,
                                     bool concurrent) {
  if constexpr (kBytewise) {
    if (!concurrent) {
      link->bound.store(prefix, std::memory_order_release);
      return;
    }
    uint64_t seen = link->bound.load(std::memory_order_relaxed);
    while (prefix < seen && !link->bound.compare_exchange_weak(
                                seen, prefix, std::memory_order_release)) {
    }
  }
}

template <bool kBytewise>
template <bool kConcurrent>
auto SkipList<kBytewise>::LinkAt(int level, Node* node, Node* prev,
                                 const SkipListTarget& target) -> Node* {
  Link* const mine = node->link(level);
  for (;;) {
    prev = Advance(prev, level, target);
    Link* const link = prev->link(level);
    uint64_t bound = ~uint64_t{0};
    if constexpr (kBytewise)
      bound = link->bound.load(std::memory_order_acquire);
    Node* const next = link->next.load(std::memory_order_acquire);
    // At rest an unequal bound settles the order without touching `next`.
    const bool look = kConcurrent || !kBytewise || bound == target.prefix;
    if (next != nullptr && look) {
      const int order = Compare(next, target);
      if (order < 0) {
        prev = next;  // Other insertions run: the bound lagged.
        continue;
      }
      if (order == 0) return nullptr;
      if constexpr (kBytewise) {
        const Slice key = ExtractUserKey(next->key());
        bound = UserKeyPrefix(key.data(), key.size());
      }
    }
    if constexpr (kBytewise)
      mine->bound.store(bound, std::memory_order_relaxed);
    mine->next.store(next, std::memory_order_relaxed);
    if constexpr (kConcurrent) {
      Node* expected = next;
      if (!link->next.compare_exchange_strong(expected, node,
                                              std::memory_order_acq_rel))
        continue;
    } else {
      link->next.store(node, std::memory_order_release);
    }
    LowerBound(link, target.prefix, kConcurrent);
    return prev;
  }
}

template <bool kBytewise>
template <bool kConcurrent>
bool SkipList<kBytewise>::InsertImpl(Node* node, int height,
                                     const SkipListTarget& target,
                                     Splice* splice) {
  assert(0 < height && height <= kHeightMax);
  if (!SpliceFits(*splice, target)) Locate(target, splice);
  if (splice->height < height) RaiseMaxHeight(height, splice);
  for (int level = 0; level < height; ++level) {
    Node* const prev =
        LinkAt<kConcurrent>(level, node, splice->prev[level], target);
    // A duplicate shows at level 0, before anything is linked.
    if (prev == nullptr) return false;
    splice->prev[level] = prev;
  }
  // The next key, if it follows this one, starts from here. The predecessors
  // above stay valid starting points.
  for (int level = 0; level < height; ++level) splice->prev[level] = node;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
