// OptimisticTransactionDB: transactions without locks, which are checked when
// they commit.
//
// Model. A commit asks the memtables whether a tracked key has changed. They
// have to reach back to the beginning of the transaction, so families keep
// flushed memtables: max_write_buffer_size_to_maintain, if it is 0, becomes -1
// (as much as the write buffers take).
//
// Writes outside of transactions are allowed, and transactions notice them.
//
// Threads. As DB.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/utilities/stackable_db.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Transaction;

struct OptimisticTransactionOptions {
  // SetSnapshot() at the beginning.
  bool set_snapshot = false;
  // Of the default family.
  const Comparator* cmp = BytewiseComparator();
};

enum class OccValidationPolicy {
  kValidateSerial = 0,
  kValidateParallel = 1,
};

// Locks that RocksDB's parallel validation shares between databases. They have
// no effect here.
class OccLockBuckets {
 public:
  virtual ~OccLockBuckets() = default;
  virtual size_t ApproximateMemoryUsage() const = 0;
};

std::shared_ptr<OccLockBuckets> MakeSharedOccLockBuckets(
    size_t bucket_count, bool cache_aligned = false);

// Commits are checked in commit order, with either policy.
struct OptimisticTransactionDBOptions {
  OccValidationPolicy validate_policy = OccValidationPolicy::kValidateParallel;
  uint32_t occ_lock_buckets = 1 << 20;                  // Has no effect.
  std::shared_ptr<OccLockBuckets> shared_lock_buckets;  // Has no effect.
};

class OptimisticTransactionDB : public StackableDB {
 public:
  static Status Open(const Options& options, const std::string& dbname,
                     OptimisticTransactionDB** dbptr);
  static Status Open(const DBOptions& db_options, const std::string& dbname,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     OptimisticTransactionDB** dbptr);
  static Status Open(const DBOptions& db_options,
                     const OptimisticTransactionDBOptions& occ_options,
                     const std::string& dbname,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     OptimisticTransactionDB** dbptr);

  OptimisticTransactionDB(const OptimisticTransactionDB&) = delete;
  void operator=(const OptimisticTransactionDB&) = delete;

  // The caller deletes the result, before the database is closed. `old_txn`,
  // one of this database, is made a new one instead and returned.
  virtual Transaction* BeginTransaction(
      const WriteOptions& write_options,
      const OptimisticTransactionOptions& txn_options =
          OptimisticTransactionOptions(),
      Transaction* old_txn = nullptr) = 0;

 protected:
  explicit OptimisticTransactionDB(DB* db) : StackableDB(db) {}
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
