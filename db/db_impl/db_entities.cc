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

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
void DBImpl::MultiGetEntity(const ReadOptions& options, size_t num_keys,
                            ColumnFamilyHandle** column_families,
                            const Slice* keys, PinnableWideColumns* results,
                            Status* statuses, bool /*sorted_input*/) {
  Statistics* const statistics = state_->store.statistics;
  StopWatch watch(state_->store.clock, statistics, DB_MULTIGET);
  RecordTick(statistics, NUMBER_MULTIGET_CALLS);
  RecordTick(statistics, NUMBER_MULTIGET_KEYS_READ, num_keys);
  // All keys at one moment, which a snapshot holds while they are read.
  ReadOptions at = options;
  const Snapshot* const held =
      options.snapshot == nullptr ? GetSnapshot() : nullptr;
  if (held != nullptr) at.snapshot = held;
  uint64_t bytes = 0;
  for (size_t i = 0; i < num_keys; ++i) {
    results[i].Reset();
    if (bytes > options.value_size_soft_limit) {
      statuses[i] = Status::Aborted("value_size_soft_limit exceeded");
      continue;
    }
    statuses[i] = GetEntity(at, column_families[i], keys[i], &results[i]);
    if (statuses[i].ok()) {
      bytes += results[i].serialized_size();
      RecordTick(statistics, NUMBER_MULTIGET_KEYS_FOUND);
      RecordTick(statistics, NUMBER_MULTIGET_BYTES_READ,
                 results[i].serialized_size());
    }
  }
  ReleaseSnapshot(held);
}

}  // namespace ROCKSDB_NAMESPACE::engine
