// How DBOptions become the options of a file.

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

EnvOptions::EnvOptions() = default;

EnvOptions::EnvOptions(const DBOptions& options)
    : use_mmap_reads(options.allow_mmap_reads),
      use_mmap_writes(options.allow_mmap_writes),
      use_direct_reads(options.use_direct_reads),
      // Only flush and compaction write directly; they say so themselves.
      use_direct_writes(false),
      allow_fallocate(options.allow_fallocate),
      set_fd_cloexec(options.is_fd_close_on_exec),
      bytes_per_sync(options.bytes_per_sync),
      strict_bytes_per_sync(options.strict_bytes_per_sync),
      compaction_readahead_size(options.compaction_readahead_size),
      writable_file_max_buffer_size(options.writable_file_max_buffer_size),
      rate_limiter(options.rate_limiter.get()) {}

FileOptions FileSystem::OptimizeForLogWrite(const FileOptions& options,
                                            const DBOptions& db_options) const {
  FileOptions result = OptimizeForManifestWrite(options);
  result.bytes_per_sync = db_options.wal_bytes_per_sync;
  result.writable_file_max_buffer_size =
      db_options.writable_file_max_buffer_size;
  return result;
}

}  // namespace ROCKSDB_NAMESPACE
