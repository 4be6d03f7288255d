// What the iterators over several families show of a database, compared with
// what the iterators of single families show.
//
// Place. Part of the dump of a DbTarget: nothing is written meanwhile, and the
// dump says whether the single ones are right.
//
// Threads. One at a time.

#pragma once

#include <map>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

// "", or the first difference. Only families in bytewise order without
// timestamps are looked at. "" also where something cannot be read, which the
// dump answers.
std::string DifferenceOverFamilies(
    DB* db, const std::map<std::string, ColumnFamilyHandle*>& families,
    const ReadOptions& reads);

}  // namespace ROCKSDB_NAMESPACE::stress
