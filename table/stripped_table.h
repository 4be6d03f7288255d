// Tables whose keys were stored without their user timestamps
// (persist_user_defined_timestamps=false). Internally such a table uses the
// order of the bare keys; this file converts keys between the two forms.
//
// Model. Every entry counts as written at the smallest timestamp:
//
//   stored   key | trailer        shown   key | 00..00 | trailer
//
// Threads. As for the iterator below it.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rocksdb/comparator.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// The order of keys without their timestamps.
class StrippedComparator final : public Comparator {
 public:
  // `with_timestamps` must outlive the object.
  explicit StrippedComparator(const Comparator* with_timestamps)
      : order_(*with_timestamps) {}
  const char* Name() const override { return order_.Name(); }
  int Compare(const Slice& a, const Slice& b) const override {
    return order_.CompareWithoutTimestamp(a, /*a_has_ts=*/false, b,
                                          /*b_has_ts=*/false);
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}

 private:
  const Comparator& order_;
};

// Where a seek to the shown key `target` leads among stored ones: what has a
// larger timestamp comes before all entries of its key.
std::string StrippedTarget(const Slice& target, size_t timestamp_size);

// Shows the entries of a stripped table with timestamps.
class PaddingIterator final : public InternalIterator {
 public:
  PaddingIterator(std::unique_ptr<InternalIterator> stored,
                  size_t timestamp_size)
      : stored_(std::move(stored)), timestamp_size_(timestamp_size) {}

  void SeekToFirst() override {
    stored_->SeekToFirst();
    Show();
  }
  void SeekToLast() override {
    stored_->SeekToLast();
    Show();
  }
  void Seek(const Slice& target) override {
    stored_->Seek(StrippedTarget(target, timestamp_size_));
    Show();
  }
  void SeekForPrev(const Slice& target) override {
    stored_->SeekForPrev(StrippedTarget(target, timestamp_size_));
    Show();
  }
  void Next() override {
    stored_->Next();
    Show();
  }
  void Prev() override {
    stored_->Prev();
    Show();
  }
  Status status() const override { return stored_->status(); }
  bool IsValuePinned() const override { return stored_->IsValuePinned(); }

 private:
  void Show();

  const std::unique_ptr<InternalIterator> stored_;
  const size_t timestamp_size_;
  std::string padded_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
