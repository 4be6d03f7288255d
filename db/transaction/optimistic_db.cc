// OptimisticTransactionDB: opens a database whose memtables remember enough,
// and begins transactions.

#include <cassert>
#include <utility>

#include "db/db_impl/db_impl.h"
#include "db/transaction/keep_history.h"
#include "db/transaction/optimistic_transaction.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

class OptimisticDB final : public OptimisticTransactionDB {
 public:
  explicit OptimisticDB(DB* db)
      : OptimisticTransactionDB(db),
        impl_(dynamic_cast<DBImpl*>(db->GetRootDB())) {
    assert(impl_ != nullptr);
  }

  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& column_family_name,
                            ColumnFamilyHandle** handle) override {
    ColumnFamilyOptions own = options;
    KeepHistory(&own);
    return db_->CreateColumnFamily(own, column_family_name, handle);
  }
  Transaction* BeginTransaction(const WriteOptions& write_options,
                                const OptimisticTransactionOptions& txn_options,
                                Transaction* old_txn) override {
    if (old_txn == nullptr) {
      return new OptimisticTransaction(impl_, write_options, txn_options);
    }
    static_cast<OptimisticTransaction*>(old_txn)->Reuse(write_options,
                                                        txn_options);
    return old_txn;
  }

 private:
  DBImpl* const impl_;
};

class NoBuckets final : public OccLockBuckets {
 public:
  size_t ApproximateMemoryUsage() const override { return sizeof(*this); }
};

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<OccLockBuckets> MakeSharedOccLockBuckets(
    size_t /*bucket_count*/, bool /*cache_aligned*/) {
  return std::make_shared<engine::NoBuckets>();
}

Status OptimisticTransactionDB::Open(const Options& options,
                                     const std::string& dbname,
                                     OptimisticTransactionDB** dbptr) {
  std::vector<ColumnFamilyHandle*> handles;
  RETURN_IF_ERROR(
      Open(DBOptions(options), dbname,
           {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}}, &handles,
           dbptr));
  // The database keeps one of its own.
  return (*dbptr)->DestroyColumnFamilyHandle(handles.front());
}

Status OptimisticTransactionDB::Open(
    const DBOptions& db_options, const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles,
    OptimisticTransactionDB** dbptr) {
  return Open(db_options, OptimisticTransactionDBOptions(), dbname,
              column_families, handles, dbptr);
}

Status OptimisticTransactionDB::Open(
    const DBOptions& db_options,
    const OptimisticTransactionDBOptions& /*occ_options*/,
    const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles,
    OptimisticTransactionDB** dbptr) {
  *dbptr = nullptr;
  std::vector<ColumnFamilyDescriptor> families = column_families;
  for (ColumnFamilyDescriptor& family : families) {
    engine::KeepHistory(&family.options);
  }
  std::unique_ptr<DB> db;
  RETURN_IF_ERROR(DB::Open(db_options, dbname, families, handles, &db));
  *dbptr = new engine::OptimisticDB(db.release());
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
