#include "db/memtable/rep_list.h"

#include <algorithm>
#include <new>

namespace ROCKSDB_NAMESPACE::engine {

RepList::RepList(const Order* order, Allocator* arena, int height_max,
                 int branching)
    : order_(*order),
      arena_(arena),
      height_max_(std::clamp(height_max, 1, kHeightMax)),
      branching_(static_cast<uint32_t>(std::max(branching, 2))),
      head_(NewNode(nullptr, height_max_)) {}

RepList::Node* RepList::NewNode(const char* entry, int height) {
  const size_t bytes =
      sizeof(Node) + sizeof(std::atomic<Node*>) * static_cast<size_t>(height);
  char* const memory = arena_->AllocateAligned(bytes);
  Node* const node = new (memory) Node;
  node->entry_ = entry;
  for (int i = 0; i < height; ++i) {
    new (&node->next_[i]) std::atomic<Node*>(nullptr);
  }
  return node;
}

int RepList::RandomHeight() {
  int height = 1;
  while (height < height_max_ && SplitMix64(&random_) % branching_ == 0) {
    ++height;
  }
  return height;
}

template <typename GoesOn>
RepList::Node* RepList::Descend(const GoesOn& goes_on, Node** path) const {
  Node* node = head_;
  for (int level = height_.load(std::memory_order_relaxed) - 1; level >= 0;
       --level) {
    for (Node* next = node->Next(level); next != nullptr && goes_on(*next);
         next = node->Next(level)) {
      node = next;
    }
    if (path != nullptr) path[level] = node;
  }
  return node;
}

bool RepList::Insert(const char* entry) {
  assert(entry != nullptr);
  Node* path[kHeightMax];
  std::fill_n(path, kHeightMax, head_);
  Node* const before = Descend(
      [&](const Node& node) { return order_(node.entry_, entry) < 0; }, path);
  const Node* const behind = before->Next(0);
  if (behind != nullptr && order_(behind->entry_, entry) == 0) return false;
  const int height = RandomHeight();
  Node* const node = NewNode(entry, height);
  if (height > height_.load(std::memory_order_relaxed)) {
    height_.store(height, std::memory_order_relaxed);
  }
  for (int level = 0; level < height; ++level) {
    node->next_[level].store(path[level]->Next(level),
                             std::memory_order_relaxed);
    path[level]->next_[level].store(node, std::memory_order_release);
  }
  return true;
}

const RepList::Node* RepList::Last() const {
  return OrNull(Descend([](const Node&) { return true; }, nullptr));
}

const RepList::Node* RepList::SeekGreaterOrEqual(const Slice& key) const {
  const Node* node = Descend(
      [&](const Node& each) { return order_(each.entry_, key) < 0; }, nullptr);
  node = node->Next();
  // What was inserted meanwhile may lie before the key.
  while (node != nullptr && order_(node->entry_, key) < 0) node = node->Next();
  return node;
}

const RepList::Node* RepList::SeekLessOrEqual(const Slice& key) const {
  return OrNull(
      Descend([&](const Node& each) { return order_(each.entry_, key) <= 0; },
              nullptr));
}

const RepList::Node* RepList::Before(const char* entry) const {
  return OrNull(
      Descend([&](const Node& each) { return order_(each.entry_, entry) < 0; },
              nullptr));
}

}  // namespace ROCKSDB_NAMESPACE::engine
