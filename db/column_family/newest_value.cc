#include "db/column_family/newest_value.h"

#include <cassert>
#include <utility>

#include "db/read/merge_resolver.h"
#include "db/read/point_lookup.h"
#include "rocksdb/wide_columns.h"
#include "table/entity.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

Status AddOperand(const ColumnFamily& family, const ReadView& view,
                  const NewestQuery& query, NewestValue* newest) {
  const LookupDeps deps = family.lookup_deps();
  const MergeContext merge{view.options->merge_operator.get(),
                           deps.store->info_log, deps.store->statistics};
  const std::string before = std::exchange(newest->bytes, {});
  const Slice base(before);
  const std::vector<std::string> operands = {query.operand->ToString()};
  if (newest->is_entity) {
    return ResolveMergeOnEntity(merge, query.user_key, base, operands,
                                &newest->bytes);
  }
  return ResolveMerge(merge, query.user_key, newest->exists ? &base : nullptr,
                      operands, &newest->bytes);
}

}  // namespace

Status ReadNewestValue(const ColumnFamily& family, const ReadView& view,
                       const NewestQuery& query, NewestValue* newest) {
  if (family.icmp().timestamp_size() > 0) {
    return Status::NotSupported("a write that depends on older values",
                                "in a column family with timestamps");
  }
  ReadOptions options;
  options.read_tier = query.from_files ? kReadAllTier : kBlockCacheTier;
  PinnableWideColumns found;
  Status status = LookUpEntity(family.lookup_deps(), view, options,
                               query.user_key, query.sequence, &found);
  *newest = NewestValue();
  if (status.ok()) {
    const WideColumns& columns = found.columns();
    newest->exists = true;
    newest->is_entity =
        columns.size() != 1 || columns.front().name() != kDefaultWideColumnName;
    if (newest->is_entity) {
      RETURN_IF_ERROR(EncodeEntity(columns, &newest->bytes));
    } else {
      newest->bytes = columns.front().value().ToString();
    }
  } else if (!status.IsNotFound()) {
    return status;
  }
  if (query.operand == nullptr) return Status::OK();
  return AddOperand(family, view, query, newest);
}

}  // namespace ROCKSDB_NAMESPACE::engine
