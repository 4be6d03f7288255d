// RepList: a skiplist of pointers to entries, for the kinds of memtables that
// are not the default one.
//
// Place. A bucket of HashRep, and SkipListRep. (The default memtable is
// skiplist.h, which keeps its entries inside the nodes.)
//
// Model. With a height of 1 it is a sorted linked list.
//
// Threads. One thread inserts, any read, without locks: a node is complete
// before it is linked, and is never unlinked.

#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "rocksdb/memtablerep.h"
#include "util/arena.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

class RepList {
 public:
  static constexpr int kHeightMax = 32;
  using Order = MemTableRep::KeyComparator;

  class Node {
   public:
    const char* entry() const { return entry_; }
    const Node* Next() const { return Next(0); }

   private:
    friend class RepList;
    Node* Next(int level) const {
      return next_[level].load(std::memory_order_acquire);
    }
    const char* entry_ = nullptr;
    std::atomic<Node*> next_[1];  // As many as the node is high.
  };

  // One node in `branching` reaches a level higher.
  RepList(const Order* order, Allocator* arena, int height_max, int branching);
  RepList(const RepList&) = delete;
  RepList& operator=(const RepList&) = delete;

  // False: an equal entry is there already.
  bool Insert(const char* entry);

  // Null when there is none.
  const Node* First() const { return head_->Next(); }
  const Node* Last() const;
  const Node* SeekGreaterOrEqual(const Slice& key) const;
  // The last at or before `key`.
  const Node* SeekLessOrEqual(const Slice& key) const;
  // The last before an entry that is in the list.
  const Node* Before(const char* entry) const;

 private:
  Node* NewNode(const char* entry, int height);
  int RandomHeight();
  // The last node for which `goes_on` holds; the head if it does for none.
  // `path`, if not null, gets it for each level.
  template <typename GoesOn>
  Node* Descend(const GoesOn& goes_on, Node** path) const;
  const Node* OrNull(const Node* node) const {
    return node == head_ ? nullptr : node;
  }

  const Order& order_;
  Allocator* const arena_;
  const int height_max_;
  const uint32_t branching_;
  uint64_t random_ = 0x9E3779B97F4A7C15u;  // Of the inserting thread.
  std::atomic<int> height_{1};
  Node* const head_;
};

// A cursor over a RepList, which may be null: then it shows nothing.
class RepListIterator final : public MemTableRep::Iterator {
 public:
  explicit RepListIterator(const RepList* list) : list_(list) {}

  void SetList(const RepList* list) {
    list_ = list;
    node_ = nullptr;
  }
  bool Valid() const override { return node_ != nullptr; }
  const char* key() const override { return node_->entry(); }
  void Next() override { node_ = node_->Next(); }
  void Prev() override { node_ = list_->Before(node_->entry()); }
  void Seek(const Slice& key, const char*) override {
    node_ = list_ == nullptr ? nullptr : list_->SeekGreaterOrEqual(key);
  }
  void SeekForPrev(const Slice& key, const char*) override {
    node_ = list_ == nullptr ? nullptr : list_->SeekLessOrEqual(key);
  }
  void SeekToFirst() override {
    node_ = list_ == nullptr ? nullptr : list_->First();
  }
  void SeekToLast() override {
    node_ = list_ == nullptr ? nullptr : list_->Last();
  }

 private:
  const RepList* list_;
  const RepList::Node* node_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE::engine
