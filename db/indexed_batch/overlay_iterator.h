// OverlayIterator: what an iterator over a database would show if a write batch
// were applied.
//
// Place. Made by WriteBatchWithIndex, over one FamilyIndex and an iterator of
// the same family.
//
// Model. Two cursors stand at or behind the current key, in the direction of
// the walk: `base_` in the database and `batch_` in the index. The nearer one
// is next; where both have the key, the batch decides:
//
//   base    a   c     e
//   batch     b c=del   f        shows a b e f
//
// Keys that a range deletion of the batch covers are skipped in the base.
//
// With a prefix extractor, a seek of the base may find nothing but the prefix
// that it seeks. So turns and skips, which the caller did not ask to be seeks,
// are steps, unless the base is known to be in total order.
//
// Invariants:
//   (1) While the iterator is valid, no cursor's key is before the current key
//       (behind it, when walking backwards).
//   (2) A key that the batch deletes is never current.
//
// What is written to the batch ahead of the current key may be missed until the
// next seek.
//
// Threads. As iterators.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "db/indexed_batch/batch_lookup.h"
#include "db/indexed_batch/family_index.h"
#include "rocksdb/iterator.h"

namespace ROCKSDB_NAMESPACE::engine {

struct OverlayOptions {
  // Called for keys with operands.
  std::function<Status(MergeContext*)> find_merge_operator;
  bool within_prefix = false;  // The base stays within the prefix of a seek.
  bool total_order = false;    // A seek of the base misses no key.
  bool has_lower_bound = false;
  bool has_upper_bound = false;
  std::string lower_bound;  // First key to show.
  std::string upper_bound;  // First key not to show.
};

class OverlayIterator final : public Iterator {
 public:
  OverlayIterator(const FamilyIndex* index, std::unique_ptr<Iterator> base,
                  OverlayOptions options);

  bool Valid() const override { return valid_; }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void SeekForPrev(const Slice& target) override;
  void Next() override;
  void Prev() override;
  Slice key() const override;
  Slice value() const override;
  const WideColumns& columns() const override;
  Slice timestamp() const override;
  bool PrepareValue() override;
  Status status() const override;
  Status GetProperty(std::string name, std::string* value) override {
    return base_->GetProperty(std::move(name), value);
  }
  using Iterator::Refresh;
  Status Refresh(const Snapshot* snapshot) override;

 private:
  enum class Shows : uint8_t { kBase, kBatch };

  int Compare(const Slice& a, const Slice& b) const {
    return index_->Compare(a, b);
  }
  bool BatchHasKey() const;
  void Reset();
  // Stands at the nearest key that is to be shown, from where the cursors are.
  void Settle();
  // The batch has the next key. False: it is deleted, or status_ says why not.
  bool TakeFromBatch(bool base_has_it);
  void AdvanceBase() { forward_ ? base_->Next() : base_->Prev(); }
  void AdvanceBatch() { forward_ ? batch_.NextKey() : batch_.PrevKey(); }
  // Moves the cursors that are at the current key.
  void LeaveCurrent();
  void TurnTo(bool forward);
  // Moves the base, which went the other way, to `current` or past it.
  void TurnBase(const Slice& current);
  bool SkipDeletedBase();
  void Fail(Status status);

  const FamilyIndex* const index_;
  const std::unique_ptr<Iterator> base_;
  const OverlayOptions options_;
  FamilyIndex::Cursor batch_;
  bool forward_ = true;
  bool valid_ = false;
  Shows shows_ = Shows::kBase;
  Status status_;
  // Of the current key, when the batch shows it.
  std::string key_;
  BatchAnswer answer_;
  Slice value_;  // In the answer.
  mutable PinnableWideColumns columns_;
  mutable bool has_columns_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
