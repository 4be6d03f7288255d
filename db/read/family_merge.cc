#include "db/read/family_merge.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "rocksdb/db.h"
#include "rocksdb/snapshot.h"

namespace ROCKSDB_NAMESPACE::engine {

FamilyMerge::FamilyMerge(FamilyMergeDeps deps, const ReadOptions& options)
    : deps_(std::move(deps)),
      tailing_(options.tailing),
      same_prefix_(options.prefix_same_as_start),
      holds_snapshot_(options.auto_refresh_iterator_with_snapshot &&
                      options.snapshot != nullptr) {
  assert(deps_.db != nullptr && deps_.order != nullptr);
  assert(!deps_.children.empty());
  current_.reserve(deps_.children.size());
  ahead_.reserve(deps_.children.size());
  moving_.reserve(deps_.children.size());
  // What cannot be read at all says so before the first seek.
  for (const FamilyChild& child : deps_.children) {
    if (status_.ok()) status_ = child.iter->status();
  }
}

int FamilyMerge::Compare(const Slice& a, const Slice& b) const {
  return deps_.order->CompareWithoutTimestamp(a, /*a_has_ts=*/false, b,
                                              /*b_has_ts=*/false);
}

bool FamilyMerge::ComesLater(const FamilyChild* a, const FamilyChild* b) const {
  const int order = Compare(a->iter->key(), b->iter->key());
  if (order != 0) return forward_ ? order > 0 : order < 0;
  return a > b;
}

bool FamilyMerge::LiesBehind(const Slice& place, const Slice& from) const {
  const int order = Compare(place, from);
  return forward_ ? order > 0 : order < 0;
}

Slice FamilyMerge::key() const {
  assert(Valid());
  return current_.front()->iter->key();
}

void FamilyMerge::Clear() {
  current_.clear();
  ahead_.clear();
  status_ = broken_;
}

void FamilyMerge::Fail(const Status& status) {
  Clear();
  if (status_.ok()) status_ = status;
}

bool FamilyMerge::Place(FamilyChild* child) {
  if (child->iter->Valid()) {
    ahead_.push_back(child);
    std::push_heap(ahead_.begin(), ahead_.end(),
                   [this](const FamilyChild* a, const FamilyChild* b) {
                     return ComesLater(a, b);
                   });
    return true;
  }
  const Status status = child->iter->status();
  if (!status.ok()) Fail(status);
  return status.ok();
}

void FamilyMerge::TakeCurrent() {
  assert(current_.empty());
  while (
      !ahead_.empty() &&
      (current_.empty() || Compare(ahead_.front()->iter->key(), key()) == 0)) {
    std::pop_heap(ahead_.begin(), ahead_.end(),
                  [this](const FamilyChild* a, const FamilyChild* b) {
                    return ComesLater(a, b);
                  });
    current_.push_back(ahead_.back());
    ahead_.pop_back();
  }
  assert(std::is_sorted(current_.begin(), current_.end()));
}

template <typename Move>
void FamilyMerge::Position(bool forward, const Move& move) {
  Clear();
  if (!status_.ok()) return;
  forward_ = forward;
  for (FamilyChild& child : deps_.children) {
    move(child.iter.get());
    if (!Place(&child)) return;
  }
  TakeCurrent();
}

void FamilyMerge::SeekToFirst() {
  Position(/*forward=*/true, [](Iterator* iter) { iter->SeekToFirst(); });
  if (same_prefix_ && Valid()) Seek(key());  // (4)
}

void FamilyMerge::SeekToLast() {
  Position(/*forward=*/false, [](Iterator* iter) { iter->SeekToLast(); });
  if (same_prefix_ && Valid()) SeekForPrev(key());  // (4)
}

void FamilyMerge::Seek(const Slice& target) {
  const std::string copy = target.ToString();  // It may be the current key.
  Position(/*forward=*/true, [&copy](Iterator* iter) { iter->Seek(copy); });
}

void FamilyMerge::SeekForPrev(const Slice& target) {
  const std::string copy = target.ToString();
  Position(/*forward=*/false,
           [&copy](Iterator* iter) { iter->SeekForPrev(copy); });
}

void FamilyMerge::Next() {
  assert(Valid());
  forward_ ? Step() : Turn();
}

void FamilyMerge::Prev() {
  assert(Valid());
  forward_ ? Turn() : Step();
}

void FamilyMerge::Advance(Iterator* iter) const {
  assert(iter->Valid());
  forward_ ? iter->Next() : iter->Prev();
}

void FamilyMerge::Step() {
  moving_.clear();
  moving_.swap(current_);
  for (FamilyChild* child : moving_) {
    Advance(child->iter.get());
    if (!Place(child)) return;
  }
  TakeCurrent();
}

// The other way than the last step or seek.
void FamilyMerge::Turn() {
  const std::string from = key().ToString();
  moving_.clear();
  moving_.swap(current_);
  ahead_.clear();
  forward_ = !forward_;
  for (FamilyChild& child : deps_.children) {
    Iterator* const iter = child.iter.get();
    const bool has_key =
        std::binary_search(moving_.begin(), moving_.end(), &child);
    // One that stands somewhere has the prefix of the walk, and steps. (4)
    if (!has_key && !(same_prefix_ && iter->Valid())) {
      forward_ ? iter->Seek(from) : iter->SeekForPrev(from);
    }
    // One without the key can have got it: the batch of a transaction grows.
    while (iter->Valid() && !LiesBehind(iter->key(), from)) Advance(iter);
    if (!Place(&child)) return;
  }
  TakeCurrent();
}

bool FamilyMerge::PrepareValue() {
  for (const FamilyChild* child : current_) {
    if (child->iter->PrepareValue()) continue;
    Fail(child->iter->status());
    return false;
  }
  return Valid();
}

Status FamilyMerge::RefreshAll(const Snapshot* snapshot) {
  const Status before = broken_;
  // Until all have succeeded: memory can run out in any of them.
  broken_ = Status::Incomplete("A Refresh() of several families did not end");
  Clear();
  for (FamilyChild& child : deps_.children) {
    Status status = child.iter->Refresh(snapshot);
    if (status.ok()) continue;
    // Those before this one show another state now.
    const bool is_first = &child == &deps_.children.front();
    broken_ = is_first ? before : status;
    status_ = broken_;
    return status;
  }
  broken_ = Status::OK();
  status_ = Status::OK();
  return Status::OK();
}

Status FamilyMerge::Refresh(const Snapshot* snapshot) {
  // Tailing children catch up by themselves, one by one.
  if (snapshot != nullptr || tailing_ || deps_.children.size() == 1) {
    return RefreshAll(snapshot);
  }
  if (holds_snapshot_) {
    return Status::NotSupported(
        "Refresh() of an iterator that renews what it reads from a snapshot",
        "over several families it needs another snapshot");
  }
  ManagedSnapshot held(deps_.db);
  if (held.snapshot() == nullptr) {
    return Status::NotSupported(
        "Refresh() of several families needs a snapshot",
        "this database takes none");
  }
  return RefreshAll(held.snapshot());
}

}  // namespace ROCKSDB_NAMESPACE::engine
