#include "db/column_family/family_set.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/column_family/newest_value.h"

namespace ROCKSDB_NAMESPACE::engine {

void FamilySet::Add(FamilyPtr family) {
  assert(!by_id_.contains(family->id()));
  if (family->id() == 0) default_ = family.get();
  by_id_[family->id()] = family;
  all_.push_back(std::move(family));
  std::sort(
      all_.begin(), all_.end(),
      [](const FamilyPtr& a, const FamilyPtr& b) { return a->id() < b->id(); });
}

void FamilySet::Remove(uint32_t id) {
  assert(id != 0 && by_id_.contains(id));
  by_id_.erase(id);
  std::erase_if(all_, [id](const FamilyPtr& f) { return f->id() == id; });
}

ColumnFamily* FamilySet::Lookup(uint32_t id) const {
  if (id == 0) return default_;
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? nullptr : it->second.get();
}

FamilyPtr FamilySet::Get(uint32_t id) const {
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? nullptr : it->second;
}

FamilyPtr FamilySet::Get(const std::string& name) const {
  for (const FamilyPtr& family : all_) {
    if (family->name() == name) return family;
  }
  return nullptr;
}

bool FamilySet::TakesSnapshots() const {
  return std::all_of(all_.begin(), all_.end(), [](const FamilyPtr& family) {
    return family->mem()->takes_snapshots();
  });
}

FamilyResolver::Found FamilySet::Find(uint32_t family_id) {
  ColumnFamily* family = Lookup(family_id);
  if (family == nullptr) return {};
  return {Found::Verdict::kWrite, family->mem().get()};
}

Status FamilySet::ReadNewest(const NewestQuery& query, NewestValue* newest) {
  const ColumnFamily* const family = Lookup(query.family);
  assert(family != nullptr);  // Its memtable asks.
  const ScopedView view(family->views());
  return ReadNewestValue(*family, *view, query, newest);
}

void FamilySet::OnMemTableFull(uint32_t /*family_id*/, MemTable* /*memtable*/) {
  on_full_();
}

}  // namespace ROCKSDB_NAMESPACE::engine
