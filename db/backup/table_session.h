// The session that wrote a table, by which backups tell tables apart.
//
// Threads. Pure but for the file.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// Empty when the table does not say.
Result<std::string> ReadTableSession(FileSystem* fs, const std::string& path,
                                     uint64_t size);

}  // namespace ROCKSDB_NAMESPACE::engine
