// FamilyMerge: walks the keys of several column families in one order, and
// knows which of the families have the current one.
//
// Place. Below the two iterators over several families
// (db/read/family_iterators.h), over one iterator per family: its children,
// which show the same state.
//
// Model. Children that stand on the current key are in current_, in the order
// of their families. The others that stand on a key are in a heap, the one
// that comes next on top:
//
//   forward:  a: 1 [3]     b: [3] 5     c: 4     current_ = a b, heap = c
//
// A step moves the current children only. To turn, the others seek the current
// key again: they stand on the wrong side of it. So children must find all keys
// wherever they seek; with prefix_same_as_start, all of the walk's prefix.
//
// Invariants:
//   (1) A child is in current_, in the heap, or not valid.
//   (2) Every key in the heap lies behind the current one, as the walk goes.
//   (3) After an error of any child nothing is shown until the next seek.
//   (4) With prefix_same_as_start all children keep to one prefix: that of the
//       key sought or, from an end, that of the first key shown. The families
//       need the same prefix extractor for that.
//
// Threads. One at a time.

#pragma once

#include <memory>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {
class ColumnFamilyHandle;
class DB;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

struct FamilyChild {
  ColumnFamilyHandle* family = nullptr;
  std::unique_ptr<Iterator> iter;
};

struct FamilyMergeDeps {
  DB* db = nullptr;                   // Gives Refresh() its snapshots.
  const Comparator* order = nullptr;  // Of all the families.
  std::vector<FamilyChild> children;  // At least one.
};

class FamilyMerge {
 public:
  FamilyMerge(FamilyMergeDeps deps, const ReadOptions& options);
  FamilyMerge(const FamilyMerge&) = delete;
  FamilyMerge& operator=(const FamilyMerge&) = delete;

  bool Valid() const { return !current_.empty(); }
  void SeekToFirst();
  void SeekToLast();
  void Seek(const Slice& target);
  void SeekForPrev(const Slice& target);
  void Next();
  void Prev();
  Slice key() const;
  Status status() const { return status_; }

  // The children that have key(), in the order of their families.
  const std::vector<FamilyChild*>& current() const { return current_; }
  const Comparator& order() const { return *deps_.order; }

  // Of all current children.
  bool PrepareValue();
  // All children show one state afterwards, or nothing is shown any more.
  Status Refresh(const Snapshot* snapshot);

 private:
  int Compare(const Slice& a, const Slice& b) const;
  // As the walk goes; among equal keys the families' order decides.
  bool ComesLater(const FamilyChild* a, const FamilyChild* b) const;
  // As the walk goes.
  bool LiesBehind(const Slice& place, const Slice& from) const;
  void Clear();
  void Fail(const Status& status);
  template <typename Move>
  void Position(bool forward, const Move& move);
  // Puts a child where (1) wants it. False after an error.
  bool Place(FamilyChild* child);
  void TakeCurrent();
  void Advance(Iterator* iter) const;
  void Step();
  void Turn();
  Status RefreshAll(const Snapshot* snapshot);

  FamilyMergeDeps deps_;
  const bool tailing_;
  const bool same_prefix_;     // See prefix_same_as_start.
  const bool holds_snapshot_;  // The children renew what they read from it.
  bool forward_ = true;
  std::vector<FamilyChild*> current_;
  std::vector<FamilyChild*> ahead_;   // The heap.
  std::vector<FamilyChild*> moving_;  // Was current_ before a step.
  Status status_;
  Status broken_;  // Not OK: the children show different states.
};

}  // namespace ROCKSDB_NAMESPACE::engine
