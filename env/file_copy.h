// Copies and hard links of whole files, durable on return.
//
// Place. Ingestion, checkpoints, export and import of column families.
//
// Invariant: on error there is no file at the target.
//
// Threads. Functions without state.
#pragma once

#include <string>

#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

struct FileCopyOptions {
  bool use_fsync = false;
  Temperature temperature = Temperature::kUnknown;
  // Of the reads and writes; null: not limited.
  RateLimiter* rate_limiter = nullptr;
};

// Copies the first `size` bytes (UINT64_MAX: all) and syncs the copy.
// Errors: Corruption when the source is shorter.
Status CopyFileSynced(FileSystem* fs, const std::string& from,
                      const std::string& to, uint64_t size,
                      const FileCopyOptions& options);

// Writes what the kernel still holds of `path` to the device.
Status SyncFile(FileSystem* fs, const std::string& path, bool use_fsync);

// Links `from` to `to` and syncs: who wrote it may not have done so.
// Errors: NotSupported when the file system cannot link these two.
Status LinkFileSynced(FileSystem* fs, const std::string& from,
                      const std::string& to, bool use_fsync);

}  // namespace ROCKSDB_NAMESPACE::engine
