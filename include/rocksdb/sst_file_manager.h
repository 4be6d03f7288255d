// SstFileManager: how much space the tables and blob files of some databases
// take, a limit on it, and a limit on how fast their files are deleted.
//
// Place. DBOptions::sst_file_manager; one may serve several databases of one
// file system, through which the manager deletes: paths must mean the same in
// it and in the Env of each database. Only what NewSstFileManager() makes has
// an effect; a class of the program's own is accepted and not asked.
//
// Threads. Every method may be called from any thread at once.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "rocksdb/file_system.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Env;
class Logger;

class SstFileManager {
 public:
  virtual ~SstFileManager() = default;

  // Bytes that tables and blob files may take; 0, the default: no limit. A
  // flush that reaches it fails with an IOError of subcode kSpaceLimit, as do
  // all writes after it until DB::Resume() (without paranoid_checks writes go
  // on). A compaction that might exceed it does not start; it is tried again
  // every second.
  virtual void SetMaxAllowedSpaceUsage(uint64_t max_allowed_space) = 0;
  // Bytes that compactions leave free below the limit. Default 0.
  virtual void SetCompactionBufferSize(uint64_t compaction_buffer_size) = 0;
  virtual bool IsMaxAllowedSpaceReached() = 0;
  // Also counts what running compactions may still write.
  virtual bool IsMaxAllowedSpaceReachedIncludingCompactions() = 0;

  // Bytes of all tracked files, without those that wait for their deletion.
  virtual uint64_t GetTotalSize() = 0;
  // Their paths and bytes.
  virtual std::unordered_map<std::string, uint64_t> GetTrackedFiles() = 0;

  // Bytes deleted per second; 0 or less: at once. A file that has to wait is
  // renamed to "NAME.trash"; what is left when the manager is destroyed is
  // deleted after the next opening. Logs and DestroyDB() do not wait.
  virtual int64_t GetDeleteRateBytesPerSecond() = 0;
  virtual void SetDeleteRateBytesPerSecond(int64_t delete_rate) = 0;
  // While more trash than this part of GetTotalSize() waits, files are deleted
  // at once.
  virtual double GetMaxTrashDBRatio() = 0;
  virtual void SetMaxTrashDBRatio(double ratio) = 0;
  virtual uint64_t GetTotalTrashSize() = 0;
  // Counts FILES_MARKED_TRASH, FILES_DELETED_IMMEDIATELY and
  // FILES_DELETED_FROM_TRASH_QUEUE there.
  virtual void SetStatisticsPtr(const std::shared_ptr<Statistics>& stats) = 0;
};

// `trash_dir` and `delete_existing_trash` have no effect, as in RocksDB. A file
// of more than `bytes_max_delete_chunk` is cut down by so many bytes at a time,
// unless it has another name; 0: never, for databases that read-only or
// secondary openings read meanwhile: they may have the file open. `status` may
// be null; always OK.
SstFileManager* NewSstFileManager(Env* env, std::shared_ptr<FileSystem> fs,
                                  std::shared_ptr<Logger> info_log = nullptr,
                                  const std::string& trash_dir = "",
                                  int64_t rate_bytes_per_sec = 0,
                                  bool delete_existing_trash = true,
                                  Status* status = nullptr,
                                  double max_trash_db_ratio = 0.25,
                                  uint64_t bytes_max_delete_chunk = uint64_t{64}
                                                                    << 20);
SstFileManager* NewSstFileManager(
    Env* env, std::shared_ptr<Logger> info_log = nullptr,
    std::string trash_dir = "", int64_t rate_bytes_per_sec = 0,
    bool delete_existing_trash = true, Status* status = nullptr,
    double max_trash_db_ratio = 0.25,
    uint64_t bytes_max_delete_chunk = uint64_t{64} << 20);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
