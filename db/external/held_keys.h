// What a database already holds in a range of keys.
//
// Place. Asked by ingestion while no writers run, without the mutex. Reads of
// tables only those whose bounds touch the range.
//
// Both ends of a range are user keys and inclusive. Deletions count as well.
#pragma once

#include "db/manifest/version.h"
#include "db/memtable/memtable.h"
#include "db/read/table_cache.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

bool HoldsKeys(const MemTable& memtable, const InternalKeyComparator& icmp,
               const Slice& first, const Slice& last);

// Errors: those of reading.
Result<bool> HoldsKeys(const Version& version, const TableCache& tables,
                       const Slice& first, const Slice& last);

}  // namespace ROCKSDB_NAMESPACE::engine
