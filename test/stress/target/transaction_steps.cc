#include "test/stress/target/transaction_steps.h"

#include <map>

#include "rocksdb/comparator.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "test/stress/target/entity_columns.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

// `To`: a Transaction or a WriteBatchBase.
template <typename To>
Status WriteStep(To* to, ColumnFamilyHandle* family, const Operation& write) {
  switch (write.kind) {
    case Kind::kSavePoint:
      to->SetSavePoint();
      return Status::OK();
    case Kind::kRollback:
      return to->RollbackToSavePoint();
    case Kind::kPopSavePoint:
      return to->PopSavePoint();
    case Kind::kPut:
      return to->Put(family, write.key, ExpandValue(write.value));
    case Kind::kEntity:
      return to->PutEntity(family, write.key, EntityColumns(write).wide());
    case Kind::kMerge:
      return to->Merge(family, write.key, ExpandValue(write.value));
    case Kind::kSingleDelete:
      return to->SingleDelete(family, write.key);
    default:
      return to->Delete(family, write.key);
  }
}

class StepsOfTransaction final : public TransactionSteps {
 public:
  explicit StepsOfTransaction(Transaction* transaction)
      : transaction_(transaction) {}

  Status Write(ColumnFamilyHandle* family, const Operation& write) override {
    return WriteStep(transaction_, family, write);
  }
  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Operation& read, std::string* value) override {
    if (read.Setting("update") != "true") {
      return transaction_->Get(options, family, read.key, value);
    }
    ReadOptions at_its_time = options;
    at_its_time.timestamp = nullptr;
    return transaction_->GetForUpdate(at_its_time, family, read.key, value);
  }
  std::unique_ptr<Iterator> NewIterator(const ReadOptions& options,
                                        ColumnFamilyHandle* family) override {
    return std::unique_ptr<Iterator>(
        transaction_->GetIterator(options, family));
  }
  Status Commit(uint64_t time) override { return CommitAt(time, transaction_); }
  Status Rollback() override { return transaction_->Rollback(); }

 private:
  Transaction* const transaction_;
};

class StepsOfBatch final : public TransactionSteps {
 public:
  StepsOfBatch(DB* db, const WriteOptions& writes)
      : db_(db),
        writes_(writes),
        batch_(BytewiseComparator(), /*reserved_bytes=*/0,
               /*overwrite_key=*/true) {}

  Status Write(ColumnFamilyHandle* family, const Operation& write) override {
    if (family != nullptr) {
      sizes_[family->GetID()] = family->GetComparator()->timestamp_size();
    }
    return WriteStep(&batch_, family, write);
  }
  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Operation& read, std::string* value) override {
    return batch_.GetFromBatchAndDB(db_, options, family, read.key, value);
  }
  std::unique_ptr<Iterator> NewIterator(const ReadOptions& options,
                                        ColumnFamilyHandle* family) override {
    return std::unique_ptr<Iterator>(batch_.NewIteratorWithBase(
        family, db_->NewIterator(options, family), &options));
  }
  Status Commit(uint64_t time) override {
    std::string bytes;
    RETURN_IF_ERROR(batch_.GetWriteBatch()->UpdateTimestamps(
        EncodeU64Ts(time, &bytes),
        [this](uint32_t family) { return sizes_[family]; }));
    return db_->Write(writes_, batch_.GetWriteBatch());
  }
  Status Rollback() override { return Status::OK(); }

 private:
  DB* const db_;
  const WriteOptions writes_;
  WriteBatchWithIndex batch_;
  std::map<uint32_t, size_t> sizes_;  // Of timestamps, by family.
};

}  // namespace

Status CommitAt(uint64_t time, Transaction* transaction) {
  if (time > 0) RETURN_IF_ERROR(transaction->SetCommitTimestamp(time));
  return transaction->Commit();
}

std::unique_ptr<TransactionSteps> StepsOf(Transaction* transaction) {
  return std::make_unique<StepsOfTransaction>(transaction);
}

std::unique_ptr<TransactionSteps> StepsOf(DB* db, const WriteOptions& writes) {
  return std::make_unique<StepsOfBatch>(db, writes);
}

}  // namespace ROCKSDB_NAMESPACE::stress
