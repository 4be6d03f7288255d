// ColumnFamilyHandleImpl: what programs hold of a column family.
//
// Invariant: a handle keeps its ColumnFamily and the listeners alive and
// nothing else, so it may be destroyed after the database.

#pragma once

#include <string>
#include <utility>

#include "db/column_family/db_state.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {

class ColumnFamilyHandleImpl final : public ColumnFamilyHandle {
 public:
  ColumnFamilyHandleImpl(FamilyPtr family, DbState* db)
      : family_(std::move(family)),
        mu_(&db->mu),
        listeners_(db->store.options.listeners) {}
  ~ColumnFamilyHandleImpl() override { TellHandleDeletion(listeners_, this); }

  const std::string& GetName() const override { return family_->name(); }
  uint32_t GetID() const override { return family_->id(); }
  Status GetDescriptor(ColumnFamilyDescriptor* desc) override {
    MutexLock lock(mu_);
    *desc = ColumnFamilyDescriptor(family_->name(), *family_->options());
    return Status::OK();
  }
  const Comparator* GetComparator() const override {
    return family_->icmp().user_comparator();
  }

  const FamilyPtr& family() const { return family_; }

 private:
  const FamilyPtr family_;
  StateMutex* const mu_;
  const EventListeners listeners_;
};

inline const FamilyPtr& FamilyOf(ColumnFamilyHandle* handle) {
  return static_cast<ColumnFamilyHandleImpl*>(handle)->family();
}

// Also where the options have a timestamp and the family has none: an error.
inline bool ReadsWithTimestamp(const ReadOptions& options,
                               ColumnFamilyHandle* handle) {
  return options.timestamp != nullptr ||
         FamilyOf(handle)->icmp().timestamp_size() > 0;
}

}  // namespace ROCKSDB_NAMESPACE::engine
