// Wide columns of DBImpl: entities written and read.

#include "db/db_impl/db_impl.h"
#include "db/read/point_lookup.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

Status DBImpl::PutEntity(const WriteOptions& options,
                         ColumnFamilyHandle* column_family, const Slice& key,
                         const WideColumns& columns) {
  WriteBatch batch;
  RETURN_IF_ERROR(batch.PutEntity(column_family, key, columns));
  return Write(options, &batch);
}

Status DBImpl::GetEntity(const ReadOptions& options,
                         ColumnFamilyHandle* column_family, const Slice& key,
                         PinnableWideColumns* columns) {
  if (columns == nullptr) {
    return Status::InvalidArgument("Cannot call GetEntity without columns");
  }
  Statistics* const statistics = state_->store.statistics;
  StopWatch watch(state_->store.clock, statistics, DB_GET);
  const FamilyPtr& family = FamilyOf(column_family);
  columns->Reset();
  if (ReadsWithTimestamp(options, column_family)) {
    return LookUpAt(options, family, key, nullptr, columns, nullptr);
  }
  // View, sequence, rest: in the order of Get().
  const ScopedView view(family->views());
  const SequenceNumber sequence = SequenceFor(options, *view);
  const Status status = LookUpEntity(LookupDepsOf(*family, options), *view,
                                     options, key, sequence, columns);
  RecordTick(statistics, NUMBER_KEYS_READ);
  if (status.ok()) {
    RecordTick(statistics, BYTES_READ, columns->serialized_size());
    PerfAdd<&PerfContext::get_read_bytes>(columns->serialized_size());
    RecordInHistogram(statistics, BYTES_PER_READ, columns->serialized_size());
  }
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
