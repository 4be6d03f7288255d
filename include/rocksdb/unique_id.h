// Ids that tell one table file from all others, wherever it is copied.
//
// Model. An id is computed from properties that the file holds: the identity of
// the database that wrote it, that database's session, and the file's number.
// Its bytes are binary: do not treat them as a C string.
//
// Threads. Any.
#pragma once

#include <string>

#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// 16 bytes, enough for practically all uses; a prefix serves as a hash.
// Errors: NotSupported for tables without these properties, such as those of
// RocksDB before 6.24.
Status GetUniqueIdFromTableProperties(const TableProperties& props,
                                      std::string* out_id);

// The same and 8 bytes more, for files of a very large number of hosts in one
// place.
Status GetExtendedUniqueIdFromTableProperties(const TableProperties& props,
                                              std::string* out_id);

// In hexadecimal, with a '-' after every 8 bytes:
// "998214B0BF736744-71AA542F7E745C86". Also of a part of an id.
std::string UniqueIdToHumanString(const std::string& id);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
