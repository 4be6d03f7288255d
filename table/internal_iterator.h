// InternalIterator: a cursor over entries in internal-key order.
//
// Place. Blocks, tables, memtables, levels and merges all implement it; the DB
// iterator and the compaction iterator consume it.
//
// Model. An iterator is positioned on an entry or is not valid. Validity, key
// and value are plain fields of the base class that each step fills in: a
// caller pays one virtual call per step and none to look at the entry.
//
// A value that needs a separate read may be left unread until it is needed:
// then ValueIsRead() is false, value() is empty, and ReadValue() reads it. This
// concerns only callers that asked for it.
//
// Invariants:
//   (1) key() and value() stay unchanged until the next step or ReadValue().
//   (2) After an error valid() is false and status() says why; reaching the
//       end leaves status() OK.
//
// Threads. One at a time.

#pragma once

#include "rocksdb/cleanable.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

class InternalIterator : public Cleanable {
 public:
  InternalIterator() = default;
  virtual ~InternalIterator() = default;
  InternalIterator(const InternalIterator&) = delete;
  InternalIterator& operator=(const InternalIterator&) = delete;

  bool Valid() const { return valid_; }
  Slice key() const { return key_; }
  Slice value() const { return value_; }

  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  // To the first entry at or after `target` (an internal key).
  virtual void Seek(const Slice& target) = 0;
  // To the last entry at or before `target`.
  virtual void SeekForPrev(const Slice& target) = 0;
  virtual void Next() = 0;  // REQUIRES: Valid()
  virtual void Prev() = 0;  // REQUIRES: Valid()
  virtual Status status() const = 0;

  bool ValueIsRead() const { return value_is_read_; }
  // REQUIRES: Valid(). False after an error.
  virtual bool ReadValue() { return true; }

  // True while key() / value() would stay readable after further steps, for
  // as long as this iterator lives.
  virtual bool IsKeyPinned() const { return false; }
  virtual bool IsValuePinned() const { return false; }

 protected:
  // Copies where `child` stands: what a wrapping iterator does after a step.
  void Mirror(const InternalIterator& child) {
    valid_ = child.valid_;
    key_ = child.key_;
    value_ = child.value_;
    value_is_read_ = child.value_is_read_;
  }

  Slice key_;
  Slice value_;
  bool valid_ = false;
  bool value_is_read_ = true;
};

// An iterator over nothing, with this status.
InternalIterator* NewEmptyInternalIterator(const Status& status = {});

}  // namespace ROCKSDB_NAMESPACE::engine
