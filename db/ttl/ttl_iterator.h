// TtlIterator: an iterator over stamped values, which shows them without times.
//
// Threads. As iterators.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "db/ttl/stamped_value.h"
#include "rocksdb/iterator.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE::engine {

class TtlIterator final : public Iterator {
 public:
  explicit TtlIterator(std::unique_ptr<Iterator> base)
      : base_(std::move(base)) {}

  // A value that is no stamped one ends the walk with Corruption.
  bool Valid() const override { return status_.ok() && base_->Valid(); }
  void SeekToFirst() override {
    base_->SeekToFirst();
    Check();
  }
  void SeekToLast() override {
    base_->SeekToLast();
    Check();
  }
  void Seek(const Slice& target) override {
    base_->Seek(target);
    Check();
  }
  void SeekForPrev(const Slice& target) override {
    base_->SeekForPrev(target);
    Check();
  }
  void Next() override {
    base_->Next();
    Check();
  }
  void Prev() override {
    base_->Prev();
    Check();
  }
  Slice key() const override { return base_->key(); }
  Slice value() const override { return WithoutStamp(base_->value()); }
  const WideColumns& columns() const override {
    columns_ = {{kDefaultWideColumnName, value()}};
    return columns_;
  }
  Slice timestamp() const override { return base_->timestamp(); }
  Status status() const override {
    return status_.ok() ? base_->status() : status_;
  }
  bool PrepareValue() override {
    if (!base_->PrepareValue()) return false;
    prepared_ = true;
    Check();
    return Valid();
  }
  Status GetProperty(std::string name, std::string* value) override {
    return base_->GetProperty(std::move(name), value);
  }
  using Iterator::Refresh;
  Status Refresh(const Snapshot* snapshot) override {
    status_ = Status::OK();
    return base_->Refresh(snapshot);
  }

  // The base was made with allow_unprepared_value: no value before
  // PrepareValue().
  void set_unprepared() { unprepared_ = true; }

 private:
  void Check() {
    const bool has_value = !unprepared_ || std::exchange(prepared_, false);
    status_ =
        base_->Valid() && has_value ? CheckStamp(base_->value()) : Status::OK();
  }

  const std::unique_ptr<Iterator> base_;
  bool unprepared_ = false;
  bool prepared_ = false;
  Status status_;
  mutable WideColumns columns_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
