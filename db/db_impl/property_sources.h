// Properties whose values have to be read from tables.
//
// Place. Next to PropertyReader, which answers from numbers in memory. These
// functions may read files, so they are never called under the DB mutex.

#pragma once

#include <map>
#include <string>

#include "db/column_family/column_family.h"
#include "db/compaction/plan.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE::engine {

using PropertyMap = std::map<std::string, std::string>;

// Sums over the family's tables; `level` -1: of all levels. False when one
// cannot be opened.
bool SumTableProperties(const ColumnFamily& family, int level,
                        TableProperties* sum);
PropertyMap MapOf(const TableProperties& sum);

// "name: value", a line each.
std::string LinesOf(const PropertyMap& map);

// How many sorted runs a compaction takes in.
uint64_t SortedRunsOf(const CompactionPlan& plan);

}  // namespace ROCKSDB_NAMESPACE::engine
