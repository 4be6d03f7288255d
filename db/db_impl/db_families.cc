// Column families of an open database: made, dropped, their handles destroyed.

#include <string>

#include "db/column_family/check_state.h"
#include "db/db_impl/db_impl.h"
#include "db/db_impl/family_setup.h"
#include "db/options/options_table.h"
#include "db/options/validate.h"

namespace ROCKSDB_NAMESPACE::engine {

Status DBImpl::CreateColumnFamily(const ColumnFamilyOptions& options,
                                  const std::string& column_family_name,
                                  ColumnFamilyHandle** handle) {
  *handle = nullptr;
  RETURN_IF_ERROR(CheckWritable());
  const ColumnFamilyOptions sanitized =
      SanitizeOptions(state_->store.options, options);
  RETURN_IF_ERROR(ValidateOptions(state_->store.options, sanitized));
  RETURN_IF_ERROR(CreateTableDirs(state_->store, sanitized));
  FamilyPtr family;
  {
    const CommitPipeline::ExclusiveGuard guard(&pipeline_);
    {
      MutexLock lock(&state_->mu);
      if (state_->families->Get(column_family_name) != nullptr) {
        return Status::InvalidArgument("Column family already exists");
      }
    }
    Result<FamilyPtr> created =
        CreateFamily(state_.get(), column_family_name, sanitized);
    if (!created.ok()) return created.status();
    family = std::move(*created);
    MutexLock lock(&state_->mu);
    state_->deletion->AddDirs(TableDirsOf(state_->store, sanitized));
    stalls_.Recalculate(family.get());
    pipeline_.RequestAttention();  // max_total_wal_size may count from now on.
    Info(state_->store.info_log, "Created column family [%s] (ID %u)",
         column_family_name.c_str(), family->id());
  }
  tuning_.Update(timer_);
  *handle = NewHandle(family);
  return PersistOptions();
}

Status DBImpl::DropColumnFamily(ColumnFamilyHandle* column_family) {
  RETURN_IF_ERROR(CheckWritable());
  const FamilyPtr& family = FamilyOf(column_family);
  if (family->id() == 0) {
    return Status::InvalidArgument("Can't drop default column family");
  }
  {
    const CommitPipeline::ExclusiveGuard guard(&pipeline_);
    MutexLock lock(&state_->mu);
    if (family->dropped()) {
      return Status::InvalidArgument("Column family already dropped!");
    }
    RETURN_IF_ERROR(state_->versions->DropFamily(
        family->versions(), &state_->mu, state_->directory.get()));
    family->MarkDropped();
    dropped_.push_back({family, family->versions()});
    state_->families->Remove(family->id());
    CheckState(*state_);
    state_->changed.SignalAll();
    Info(state_->store.info_log, "Dropped column family with id %u",
         family->id());
  }
  {
    MutexLock lock(&state_->mu);
    compactor_.CancelFamily(*family);
    flusher_.FamilyDropped(family.get());
    state_->changed.SignalAll();
  }
  tuning_.Update(timer_);
  return PersistOptions();
}

// Those that no handle, reader or job holds any more: their files have no other
// owner, and are deleted next.
void DBImpl::ForgetDroppedFamilies() {
  state_->mu.AssertHeld();
  const auto is_over = [this](const DroppedFamily& dropped)
                           REQUIRES_LOCK(kStateLock) {
                             if (!dropped.family.expired()) return false;
                             state_->versions->ForgetFamily(dropped.versions);
                             return true;
                           };
  std::erase_if(dropped_, is_over);
}

Status DBImpl::DestroyColumnFamilyHandle(ColumnFamilyHandle* column_family) {
  if (column_family == default_handle_.get()) {
    return Status::InvalidArgument(
        "Cannot destroy the handle returned by DefaultColumnFamily()");
  }
  const bool dropped = FamilyOf(column_family)->dropped();
  delete column_family;
  if (!dropped || read_only_) return Status::OK();
  MutexLock lock(&state_->mu);
  DeleteObsolete();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
