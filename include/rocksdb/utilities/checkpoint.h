// Checkpoints: copies of a database that is in use, made of hard links where
// possible.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ColumnFamilyHandle;
class DB;
struct ExportImportFilesMetaData;

class Checkpoint {
 public:
  // The caller deletes the result, before the database.
  static Status Create(DB* db, Checkpoint** checkpoint_ptr);

  virtual ~Checkpoint() = default;

  // Makes the database `checkpoint_dir`, which contains everything written
  // before the call. Tables are linked, or copied to another file system. All
  // tables and logs are put into that one directory. log_size_for_flush: flush
  // first if the logs have at least this many bytes (0: always); otherwise the
  // logs are copied. Writes without a log are included only if they have been
  // flushed.
  // sequence_number_ptr: may be null; receives a sequence number up to which
  // the checkpoint is complete.
  // Errors: InvalidArgument when the directory exists; those of files. Then
  // nothing is left behind.
  virtual Status CreateCheckpoint(const std::string& checkpoint_dir,
                                  uint64_t log_size_for_flush = 0,
                                  uint64_t* sequence_number_ptr = nullptr);

  // Flushes the column family and makes `export_dir` with all of its tables,
  // for DB::CreateColumnFamilyWithImport. The caller deletes *metadata, which
  // must be null before.
  // Errors: as above.
  virtual Status ExportColumnFamily(ColumnFamilyHandle* handle,
                                    const std::string& export_dir,
                                    ExportImportFilesMetaData** metadata);
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
