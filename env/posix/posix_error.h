// PosixError: turns errno into an IOStatus with RocksDB's wording.
//
//   IO error: No such file or directory: While open a file for random read:
//   /db/000012.sst: No such file or directory
//
// Clients grep these sentences, so they keep their form.

#pragma once

#include <string>

#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE::engine {

// `context` says what was being done, for example "While fsync"; `path` may
// be empty. ENOSPC and EDQUOT give NoSpace and are retryable: space may come
// back. So are EMFILE and ENFILE, because files may be closed. ENOENT gives
// PathNotFound, ESTALE IOFenced.
IOStatus PosixError(const std::string& context, const std::string& path,
                    int error_number);

// The reason alone: "No such file or directory".
std::string PosixReason(int error_number);

}  // namespace ROCKSDB_NAMESPACE::engine
