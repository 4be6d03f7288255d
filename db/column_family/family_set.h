// FamilySet: the open column families, and what the commit pipeline sees of
// them.
//
// Threads. Changed under the DB mutex while the pipeline is exclusive; all()
// under the mutex, the rest also by a leader or member of a running group.

#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "db/column_family/column_family.h"
#include "db/memtable/memtable_apply.h"

namespace ROCKSDB_NAMESPACE::engine {

class FamilySet final : public FamilyResolver {
 public:
  // `on_full` is called once for each memtable that has reached its size, from
  // a writer's thread without the DB mutex.
  explicit FamilySet(std::function<void()> on_full)
      : on_full_(std::move(on_full)) {}

  void Add(FamilyPtr family) REQUIRES_LOCK(kStateLock);
  void Remove(uint32_t id) REQUIRES_LOCK(kStateLock);

  ColumnFamily* Lookup(uint32_t id) const;
  FamilyPtr Get(uint32_t id) const;
  FamilyPtr Get(const std::string& name) const;
  ColumnFamily* default_family() const { return default_; }
  // By id.
  const std::vector<FamilyPtr>& all() const REQUIRES_LOCK(kStateLock) {
    return all_;
  }

  // In all memtables older values stay when newer ones come.
  bool TakesSnapshots() const REQUIRES_LOCK(kStateLock);

  // FamilyResolver. The default family, by far the most common, costs one
  // comparison.
  Found Find(uint32_t family_id) override;
  Status ReadNewest(const NewestQuery& query, NewestValue* newest) override;
  void OnMemTableFull(uint32_t family_id, MemTable* memtable) override;

 private:
  const std::function<void()> on_full_;
  ColumnFamily* default_ = nullptr;
  std::unordered_map<uint32_t, FamilyPtr> by_id_;
  std::vector<FamilyPtr> all_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
