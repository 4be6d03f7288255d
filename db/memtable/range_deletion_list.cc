#include "db/memtable/range_deletion_list.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

#include "table/range_del/range_cover.h"

namespace ROCKSDB_NAMESPACE::engine {

void RangeDeletionList::Add(const RangeTombstone& tombstone) {
  const size_t key_bytes = tombstone.begin.size() + tombstone.end.size() +
                           tombstone.timestamp.size();
  char* const memory = arena_->AllocateAligned(sizeof(Node) + key_bytes);
  char* const begin = memory + sizeof(Node);
  char* const end = begin + tombstone.begin.size();
  std::memcpy(begin, tombstone.begin.data(), tombstone.begin.size());
  std::memcpy(end, tombstone.end.data(), tombstone.end.size());
  char* const timestamp = end + tombstone.end.size();
  std::memcpy(timestamp, tombstone.timestamp.data(),
              tombstone.timestamp.size());
  Node* const node = new (memory) Node{
      {Slice(begin, tombstone.begin.size()), Slice(end, tombstone.end.size()),
       tombstone.sequence, Slice(timestamp, tombstone.timestamp.size())},
      nullptr,
      0};
  Node* head = head_.load(std::memory_order_acquire);
  do {
    node->next = head;
    node->depth = head == nullptr ? 1 : head->depth + 1;
  } while (!head_.compare_exchange_weak(head, node, std::memory_order_acq_rel,
                                        std::memory_order_acquire));
  if (node->depth % kTailMax == 0) MakeRun(node);
}

void RangeDeletionList::MakeRun(const Node* newest) {
  MutexLock lock(&mu_);
  const Run* older = newest_run_.load(std::memory_order_relaxed);
  // Another writer may have come first, with a later node.
  if (older != nullptr && older->depth >= newest->depth) return;
  uint64_t base = older == nullptr ? 0 : older->depth;
  while (older != nullptr &&
         older->depth - older->base_depth <= newest->depth - base) {
    base = older->base_depth;
    older = older->older;
  }
  std::vector<RangeTombstone> tombstones;
  assert(base < newest->depth);
  tombstones.reserve(newest->depth - base);
  for (const Node* node = newest; node != nullptr && node->depth > base;
       node = node->next) {
    tombstones.push_back(node->tombstone);
  }
  assert(tombstones.size() == newest->depth - base);  // (1)
  auto run = std::make_unique<Run>(icmp_, std::move(tombstones));
  run->older = older;
  run->depth = newest->depth;
  run->base_depth = base;
  newest_run_.store(run.get(), std::memory_order_release);
  runs_.push_back(std::move(run));
}

// The run first: the head is then at or behind it.
template <typename Visit>
auto RangeDeletionList::VisitTail(Visit visit) const -> const Run* {
  const Run* const run = newest_run_.load(std::memory_order_acquire);
  const uint64_t depth = run == nullptr ? 0 : run->depth;
  for (const Node* node = head_.load(std::memory_order_acquire);
       node != nullptr && node->depth > depth; node = node->next) {
    visit(node->tombstone);
  }
  return run;
}

SequenceNumber RangeDeletionList::NewestOver(const Slice& user_key,
                                             SequenceNumber at_most) const {
  SequenceNumber newest = 0;
  const Run* run = VisitTail([&](const RangeTombstone& t) {
    if (t.sequence > at_most || t.sequence <= newest) return;
    if (!t.timestamp.empty() &&
        icmp_->user_comparator()->CompareTimestamp(
            t.timestamp, TimestampOf(user_key, t.timestamp.size())) > 0) {
      return;
    }
    if (icmp_->CompareUserKey(t.begin, user_key) <= 0 &&
        icmp_->CompareUserKey(user_key, t.end) < 0) {
      newest = t.sequence;
    }
  });
  for (; run != nullptr; run = run->older) {
    newest = std::max(newest, run->set.NewestOver(user_key, at_most));
  }
  return newest;
}

bool RangeDeletionList::Touches(const Slice& smallest,
                                const Slice& largest) const {
  for (const Node* node = head_.load(std::memory_order_acquire);
       node != nullptr; node = node->next) {
    if (icmp_->CompareUserKey(node->tombstone.begin, largest) <= 0 &&
        icmp_->CompareUserKey(smallest, node->tombstone.end) < 0) {
      return true;
    }
  }
  return false;
}

void RangeDeletionList::AppendTo(std::vector<RangeTombstone>* out) const {
  for (const Node* node = head_.load(std::memory_order_acquire);
       node != nullptr; node = node->next) {
    out->push_back(node->tombstone);
  }
}

void RangeDeletionList::AddTo(RangeCover* cover, size_t child) const {
  std::vector<RangeTombstone> tail;
  const Run* run = VisitTail([&](const RangeTombstone& t) {
    if (t.sequence <= cover->read_sequence()) tail.push_back(t);
  });
  if (!tail.empty()) {
    cover->Add(child,
               std::make_shared<const TombstoneSet>(icmp_, std::move(tail)));
  }
  // The list outlives every read of it: the runs need no owner.
  for (; run != nullptr; run = run->older) {
    cover->Add(child, std::shared_ptr<const TombstoneSet>(
                          std::shared_ptr<void>(), &run->set));
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
