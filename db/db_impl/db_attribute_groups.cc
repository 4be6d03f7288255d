// What DB does over several column families at once: attribute groups, and the
// iterators. All of it is made of other calls of DB, so that a database on top
// of another needs to change those only.

#include <memory>
#include <utility>
#include <vector>

#include "db/read/family_iterators.h"
#include "rocksdb/attribute_groups.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckGroupsToRead(const PinnableAttributeGroups& groups) {
  for (const PinnableAttributeGroup& group : groups) {
    if (group.column_family() != nullptr) continue;
    return Status::InvalidArgument(
        "GetEntity: an attribute group has no column family");
  }
  return Status::OK();
}

}  // namespace

Status DB::PutEntity(const WriteOptions& options, const Slice& key,
                     const AttributeGroups& attribute_groups) {
  WriteBatch batch;
  RETURN_IF_ERROR(batch.PutEntity(key, attribute_groups));
  return Write(options, &batch);
}

Status DB::GetEntity(const ReadOptions& options, const Slice& key,
                     PinnableAttributeGroups* result) {
  if (result == nullptr) {
    return Status::InvalidArgument("Cannot call GetEntity without groups");
  }
  MultiGetEntity(options, 1, &key, result);
  return CheckGroupsToRead(*result);
}

void DB::MultiGetEntity(const ReadOptions& options, size_t num_keys,
                        const Slice* keys, PinnableAttributeGroups* results) {
  std::vector<PinnableAttributeGroup*> groups;
  std::vector<ColumnFamilyHandle*> families;
  std::vector<Slice> wanted;
  for (size_t i = 0; i < num_keys; ++i) {
    const Status status = CheckGroupsToRead(results[i]);
    for (PinnableAttributeGroup& group : results[i]) {
      group.Reset();
      group.SetStatus(status);
      if (!status.ok()) continue;
      groups.push_back(&group);
      families.push_back(group.column_family());
      wanted.push_back(keys[i]);
    }
  }
  if (groups.empty()) return;
  std::vector<PinnableWideColumns> columns(groups.size());
  std::vector<Status> statuses(groups.size());
  MultiGetEntity(options, groups.size(), families.data(), wanted.data(),
                 columns.data(), statuses.data());
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i]->SetStatus(statuses[i]);
    if (statuses[i].ok()) groups[i]->SetColumns(std::move(columns[i]));
  }
}

std::unique_ptr<Iterator> DB::NewCoalescingIterator(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_families) {
  return engine::CoalesceFamilies(this, options, column_families);
}

std::unique_ptr<AttributeGroupIterator> DB::NewAttributeGroupIterator(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_families) {
  return engine::GroupFamilies(this, options, column_families);
}

}  // namespace ROCKSDB_NAMESPACE
