// TransactionSteps: what the steps of a transaction write to and read through,
// on any kind of database.
//
// Place. Of DbTarget. On a plain database it is a batch with an index.
//
// Threads. One.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/utilities/transaction.h"
#include "test/stress/history/operation.h"

namespace ROCKSDB_NAMESPACE::stress {

class TransactionSteps {
 public:
  virtual ~TransactionSteps() = default;

  // A write, or one of the kinds of save points, then without a family.
  virtual Status Write(ColumnFamilyHandle* family, const Operation& write) = 0;
  virtual Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
                     const Operation& read, std::string* value) = 0;
  virtual std::unique_ptr<Iterator> NewIterator(const ReadOptions& options,
                                                ColumnFamilyHandle* family) = 0;
  // Keys of families with timestamps get this time.
  virtual Status Commit(uint64_t time) = 0;
  virtual Status Rollback() = 0;
};

// 0: there is none.
Status CommitAt(uint64_t time, Transaction* transaction);

std::unique_ptr<TransactionSteps> StepsOf(Transaction* transaction);
std::unique_ptr<TransactionSteps> StepsOf(DB* db, const WriteOptions& writes);

}  // namespace ROCKSDB_NAMESPACE::stress
