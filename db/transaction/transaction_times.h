// TransactionTimes: the timestamps by which a transaction reads and writes
// families with user timestamps.
//
// Place. Part of a PessimisticTransaction, which asks it before it tracks a key
// of such a family and before it commits.
//
// Model. Two numbers. The read time says what the transaction has seen: a key
// is refused if another writer gave it a newer timestamp. The commit time is
// what all its own keys get when it is committed. kMaxTxnTimestamp: not set.
// Without a read time no key is asked for its timestamp; without a commit time
// a transaction whose keys lack theirs cannot be committed.
//
// Bytes. 8, little-endian, as the comparators of u64ts order them. Families
// with timestamps of another size are refused.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::engine {

class TransactionTimes {
 public:
  // `validates`: TransactionDBOptions::enable_udt_validation.
  explicit TransactionTimes(bool validates) : validates_(validates) {}

  void Reset();
  // InvalidArgument: below the one that is set.
  Status SetRead(TxnTimestamp time);
  // InvalidArgument: not above the read time. A lower one than before is taken.
  Status SetCommit(TxnTimestamp time);
  void ForgetCommit() { commit_ = kMaxTxnTimestamp; }
  TxnTimestamp commit() const { return commit_; }

  // Of a family with timestamps: InvalidArgument if they are not integers.
  static Status CheckSize(const ColumnFamilyHandle& family);
  // OK: a key of a family with timestamps may be read for update.
  Status CheckRead(const ReadOptions& options, bool do_validate) const;

  // True: keys are asked for their timestamps.
  bool asks() const { return validates_ && has_read(); }
  bool has_read() const { return read_ != kMaxTxnTimestamp; }
  bool has_commit() const { return commit_ != kMaxTxnTimestamp; }
  // As comparators take them. REQUIRES: they are set.
  const Slice& read_bytes() const { return read_slice_; }
  std::string commit_bytes() const;

  // `size_of`, also below: of the timestamps of a family; 0: it has none, or is
  // gone. InvalidArgument: a key lacks a timestamp of another size, which no
  // commit can give it.
  static Status CheckPlaces(const std::function<size_t(uint32_t)>& size_of,
                            const WriteBatch& batch);
  // Gives the commit time to all keys of families with timestamps, also to
  // those that have one. `stamped`: there were such keys. InvalidArgument: a
  // key lacks its timestamp, and there is no commit time.
  Status Stamp(const std::function<size_t(uint32_t)>& size_of,
               WriteBatch* batch, bool* stamped) const;

 private:
  const bool validates_;
  TxnTimestamp read_ = kMaxTxnTimestamp;
  TxnTimestamp lowest_read_ = 0;  // That may be set.
  TxnTimestamp commit_ = kMaxTxnTimestamp;
  std::string read_bytes_;
  Slice read_slice_;  // Of them: ReadOptions has a pointer to it.
};

}  // namespace ROCKSDB_NAMESPACE::engine
