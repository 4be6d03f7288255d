#include "db/transaction/batch_target.h"

#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

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

}  // namespace

FamilyPtr FindFamily(DbState* db, uint32_t id) {
  MutexLock lock(&db->mu);
  return db->families->Get(id);
}

size_t TimestampSizeOf::operator()(uint32_t family) {
  const auto [it, is_new] = known_.try_emplace(family);
  if (is_new) {
    const FamilyPtr found = FindFamily(db_, family);
    it->second = found == nullptr ? 0 : found->icmp().timestamp_size();
  }
  return it->second;
}

std::unique_ptr<ColumnFamilyHandle> BatchTargetOf(DbState* db, uint32_t id) {
  FamilyPtr found = FindFamily(db, id);
  if (found == nullptr) return nullptr;
  return std::make_unique<BatchTarget>(std::move(found));
}

}  // namespace ROCKSDB_NAMESPACE::engine
