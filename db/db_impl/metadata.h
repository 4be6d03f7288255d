// Descriptions of what a database holds: files, levels, sizes of key ranges.

#pragma once

#include <vector>

#include "db/column_family/column_family.h"
#include "rocksdb/db.h"
#include "rocksdb/metadata.h"

namespace ROCKSDB_NAMESPACE::engine {

// Under the DB mutex.
void AppendLiveFiles(const ColumnFamily& family,
                     std::vector<LiveFileMetaData>* files);
ColumnFamilyMetaData DescribeFamily(const ColumnFamily& family);
ColumnFamilyMetaData DescribePart(const ColumnFamily& family,
                                  const GetColumnFamilyMetaDataOptions& wanted);

// Without it.
uint64_t ApproximateBytes(const ColumnFamily& family, const ReadView& view,
                          const Range& range,
                          const SizeApproximationOptions& options);
MemTableRangeStats MemTableStats(const ReadView& view, const Range& range);

}  // namespace ROCKSDB_NAMESPACE::engine
