#include "db/transaction/optimistic_transaction.h"

#include "db/column_family/change_check.h"
#include "db/transaction/batch_target.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

OptimisticTransaction::OptimisticTransaction(
    DBImpl* db, const WriteOptions& write_options,
    const OptimisticTransactionOptions& options)
    : TransactionBase(db, write_options, options.cmp), impl_(db) {
  if (options.set_snapshot) SetSnapshot();
}

void OptimisticTransaction::Reuse(const WriteOptions& write_options,
                                  const OptimisticTransactionOptions& options) {
  Restart(write_options);
  if (options.set_snapshot) SetSnapshot();
}

Status OptimisticTransaction::Prepare() {
  return Status::InvalidArgument(
      "an optimistic transaction has no two-phase commit", "call Commit()");
}

Status OptimisticTransaction::SetName(const TransactionName& /*name*/) {
  return Status::InvalidArgument(
      "an optimistic transaction has no name",
      "names are for two-phase commits, which need a TransactionDB");
}

Status OptimisticTransaction::TrackKey(uint32_t family, const std::string& key,
                                       const KeyUse& use) {
  if (use.assume_tracked && tracked().Find(family, key) == nullptr) {
    return Status::InvalidArgument(
        "assume_tracked is set, but the key is not tracked",
        "track it before, with GetForUpdate() or a write");
  }
  // What is not to be checked has nothing to be tracked for.
  if (!use.validate && !use.assume_tracked) return Status::OK();
  MakeSnapshotIfDue();
  const Snapshot* const snapshot = GetSnapshot();
  Note(family, key,
       snapshot != nullptr ? snapshot->GetSequenceNumber()
                           : impl_->GetLatestSequenceNumber(),
       use);
  return Status::OK();
}

std::unique_ptr<ColumnFamilyHandle> OptimisticTransaction::HandleOf(
    uint32_t family) {
  return BatchTargetOf(impl_->state(), family);
}

Status OptimisticTransaction::CommitCheck(SequenceNumber last_published) {
  DbState* const db = impl_->state();
  for (const auto& [id, keys] : tracked().families()) {
    const FamilyPtr family = FindFamily(db, id);
    if (family == nullptr) continue;  // Dropped: the batch says so.
    ChangeCheck check(db, family.get(), ChangeCheck::Asks::kMemTables);
    for (const auto& [key, tracked] : keys) {
      if (tracked.since >= last_published) continue;
      RETURN_IF_ERROR(check.Unchanged(key, tracked.since));
    }
  }
  return Status::OK();
}

Status OptimisticTransaction::Commit() {
  CommitRequest request;
  request.batch = GetWriteBatch()->GetWriteBatch();
  request.options = GetWriteOptions();
  request.hooks = this;
  Status status = impl_->Commit(&request);
  if (!status.ok()) return status;
  Clear();
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
