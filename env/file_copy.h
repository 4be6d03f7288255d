// Copies and hard links of whole files, durable on return.
//
// Place. Ingestion, checkpoints, export and import of column families copy one
// file at a time, backups many concurrently.
//
// Invariant: after an error the target does not exist.
//
// Threads. Functions without state. RunFileCopies starts threads of its own
// and waits for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

struct IoPass;

struct FileCopyOptions {
  bool use_fsync = false;
  Temperature temperature = Temperature::kUnknown;
  // Of the reads and writes; null: not limited.
  RateLimiter* rate_limiter = nullptr;
  const IoPass* io_pass = nullptr;  // Or null.
};

// Copies the first `size` bytes (UINT64_MAX: all) and syncs the copy.
// Errors: Corruption when the source is shorter.
Status CopyFileSynced(FileSystem* fs, const std::string& from,
                      const std::string& to, uint64_t size,
                      const FileCopyOptions& options);

// One file of many.
struct FileCopyTask {
  // Where the bytes come from: a file, or `contents` if that has no name.
  FileSystem* source_fs = nullptr;
  std::string source;
  std::string contents;
  uint64_t size = UINT64_MAX;  // As above.

  // Where they go; empty: they are only read.
  std::string target;
  // Not empty: the copy has this name until it is complete.
  std::string staging;
  // Of the target. When it is kUnknown, or with prefer_source_temperature,
  // what the source's file system says is taken, unless that is kUnknown.
  Temperature temperature = Temperature::kUnknown;
  bool prefer_source_temperature = false;
  std::optional<uint32_t> expected_crc32c;
  // An error of this task, but Incomplete, is its own: the others go on.
  bool may_fail = false;

  // Results; `temperature` is one, too.
  Status status;  // With may_fail.
  uint64_t bytes = 0;
  uint32_t crc32c = 0;
};

struct FileCopyRun {
  FileSystem* target_fs = nullptr;
  bool sync = true;  // False: a crash may lose the copies.
  bool use_fsync = false;
  int threads = 1;  // The calling one included.
  size_t buffer_bytes = size_t{256} * 1024;
  RateLimiter* rate_limiter = nullptr;
  const IoPass* io_pass = nullptr;          // Or null.
  const std::atomic<bool>* stop = nullptr;  // True: end with Incomplete.
  // Called each time that so many bytes were copied, one call at a time.
  std::function<void()> on_progress;
  uint64_t progress_bytes = UINT64_MAX;
};

// Runs the tasks, and no further one after the first error, which it returns;
// those of tasks that may fail are none.
// Names are durable when their directories are synced.
// Errors: Corruption when a source is shorter, or has another checksum, than
// expected.
Status RunFileCopies(const FileCopyRun& run, std::vector<FileCopyTask>* tasks);

// Writes what the kernel still holds of `path` to the device.
Status SyncFile(FileSystem* fs, const std::string& path, bool use_fsync);

// Links `from` to `to` and syncs: who wrote it may not have done so.
// Errors: NotSupported when the file system cannot link these two.
Status LinkFileSynced(FileSystem* fs, const std::string& from,
                      const std::string& to, bool use_fsync);

}  // namespace ROCKSDB_NAMESPACE::engine
