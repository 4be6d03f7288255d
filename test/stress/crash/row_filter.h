// RowFilter: a compaction filter that removes some rows and changes others.
//
// Place. Setup gives it to the families of some histories; the checks ask here
// what it may have done to a row.
//
// Model. A pure function of the value. A row of a plain key stays, may be gone,
// or may end with a sign; ReadRows() takes the sign away again. A crash may
// take back what a job did, so a row that was gone may be there again: nothing
// says when a filter has run. What was before the row may never be seen.
//
// Threads. All jobs may use one filter.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

// In some lives an object, in others a factory for some jobs or all. Returns
// where, for people.
std::string DrawRowFilter(uint64_t seed, uint64_t life,
                          ColumnFamilyOptions* family);

// `row` as in Rows.
bool MayBeFilteredOut(const std::string& key, const std::string& row);
std::string WithoutSign(std::string row);

}  // namespace ROCKSDB_NAMESPACE::stress
