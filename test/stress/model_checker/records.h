// What the operations write: keys, records and options at random, for a batch
// or for a transaction.
//
// Place. Below write_ops.h and transactions.h.
//
// Threads. Each call is for one thread.

#pragma once

#include <string>

#include "rocksdb/utilities/transaction.h"
#include "rocksdb/write_batch.h"
#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

enum class Record { kPut, kEntity, kMerge, kDelete, kSingleDelete };

// Which record a key may get now.
Record AnyRecord(ThreadContext* t, const Change::Key& of);

// Takes records of a slot for a batch. Where its family has timestamps, they
// get a new time, or need WriteBatch::UpdateTimestamps(). Or for a transaction,
// whose commit gives it.
class Recorder {
 public:
  Recorder(ThreadContext* t, int slot, WriteBatch* batch);
  Recorder(ThreadContext* t, int slot, Transaction* transaction);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  Status Put(const Slice& key, const Slice& value);
  // Or a put, if there are timestamps, or a transaction.
  Status TimedPut(const Slice& key, const Slice& value);
  // REQUIRES: no timestamps.
  Status PutEntity(const Slice& key, const WideColumns& columns);
  Status Merge(const Slice& key, const Slice& value);
  Status Delete(const Slice& key);
  Status SingleDelete(const Slice& key);
  // REQUIRES: no transaction.
  Status DeleteRange(const Slice& begin, const Slice& end);

 private:
  ColumnFamilyHandle* const family_;
  WriteBatch* const batch_ = nullptr;
  Transaction* const transaction_ = nullptr;
  std::string text_;
  bool stamped_ = false;
  Slice time_;  // Empty: none, or it is set later.
};

// Adds one record, and what it does to the change.
Status AddRecord(ThreadContext* t, Change* change, Change::Key* key,
                 Record record, Recorder* recorder);

// For a write of this key, or of keys like it.
WriteOptions AnyWriteOptions(ThreadContext* t, uint32_t key);

// Does a write that has returned survive a kill of the process?
bool IsDurable(ThreadContext* t, const WriteOptions& options);

// Some plain keys that may be written together, with the same options; without
// those of the slot `except`.
void AddPlainKeys(ThreadContext* t, const AllSlotsUse& use, int except,
                  Change* change);
// All ten copies of a mirrored key, in two families.
void AddMirroredKeys(ThreadContext* t, Change* change);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
