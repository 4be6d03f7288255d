// IteratorBase: moving through keys in order. Values are added by Iterator.
//
// Model. An iterator is positioned on an entry or is not Valid(). It sees the
// database as it was when the iterator was made. Every positioning call clears
// an earlier error; check status() when Valid() turns false.
//
// Threads. Const methods may be called by several threads at once, others by
// one.
#pragma once

#include <string>

#include "rocksdb/cleanable.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Snapshot;

class IteratorBase : public Cleanable {
 public:
  IteratorBase() = default;
  IteratorBase(const IteratorBase&) = delete;
  void operator=(const IteratorBase&) = delete;
  virtual ~IteratorBase() = default;

  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  // The first entry at or after `target`.
  virtual void Seek(const Slice& target) = 0;
  // The last entry at or before `target`.
  virtual void SeekForPrev(const Slice& target) = 0;
  // REQUIRES: Valid().
  virtual void Next() = 0;
  virtual void Prev() = 0;

  // REQUIRES: Valid(). The bytes stay until the iterator moves (longer with
  // ReadOptions::pin_data).
  virtual Slice key() const = 0;

  virtual Status status() const = 0;

  // Takes the newest state (or that of a snapshot) and becomes not Valid().
  virtual Status Refresh() { return Refresh(nullptr); }
  virtual Status Refresh(const Snapshot*) {
    return Status::NotSupported("Refresh() is not supported");
  }

  // REQUIRES: Valid(). Reads a value that was left unread
  // (ReadOptions::allow_unprepared_value). False: it cannot be read, and the
  // iterator is not Valid() any more.
  virtual bool PrepareValue() { return Valid(); }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
