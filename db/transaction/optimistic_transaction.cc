#include "db/transaction/optimistic_transaction.h"

#include <utility>

#include "db/column_family/change_check.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Enough of a handle for a batch.
class BatchTarget final : public ColumnFamilyHandle {
 public:
  explicit BatchTarget(FamilyPtr family) : family_(std::move(family)) {}
  const std::string& GetName() const override { return family_->name(); }
  uint32_t GetID() const override { return family_->id(); }
  Status GetDescriptor(ColumnFamilyDescriptor* /*desc*/) override {
    return Status::NotSupported("GetDescriptor");
  }
  const Comparator* GetComparator() const override {
    return family_->icmp().user_comparator();
  }

 private:
  const FamilyPtr family_;
};

FamilyPtr FindFamily(DbState* db, uint32_t id) {
  MutexLock lock(&db->mu);
  return db->families->Get(id);
}

}  // namespace

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
                                       bool read_only, bool /*exclusive*/,
                                       bool do_validate) {
  // A read that is not to be checked has nothing to be tracked for.
  if (read_only && !do_validate) return Status::OK();
  MakeSnapshotIfDue();
  const Snapshot* const snapshot = GetSnapshot();
  Note(family, key,
       snapshot != nullptr ? snapshot->GetSequenceNumber()
                           : impl_->GetLatestSequenceNumber(),
       read_only);
  return Status::OK();
}

std::unique_ptr<ColumnFamilyHandle> OptimisticTransaction::HandleOf(
    uint32_t family) {
  FamilyPtr found = FindFamily(impl_->state(), family);
  if (found == nullptr) return nullptr;
  return std::make_unique<BatchTarget>(std::move(found));
}

Status OptimisticTransaction::CommitCheck(SequenceNumber last_published) {
  DbState* const db = impl_->state();
  for (const auto& [id, keys] : tracked().families()) {
    const FamilyPtr family = FindFamily(db, id);
    if (family == nullptr) continue;  // Dropped: the batch says so.
    ChangeCheck check(db, family.get());
    for (const auto& [key, tracked] : keys) {
      if (tracked.since >= last_published) continue;
      RETURN_IF_ERROR(check.Unchanged(key, tracked.since));
    }
  }
  return Status::OK();
}

Status OptimisticTransaction::Commit() {
  Status status =
      impl_->Commit(*GetWriteOptions(), GetWriteBatch()->GetWriteBatch(), this);
  if (!status.ok()) return status;
  Clear();
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
