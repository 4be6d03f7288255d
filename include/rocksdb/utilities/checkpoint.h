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

  // Makes `checkpoint_dir`, a database of its own that holds everything
  // written before the call. Tables are linked, or copied to another file
  // system; all tables come to lie in that one directory, logs too.
  // log_size_for_flush: flush first when the logs have at least so many bytes
  // (0: always); else the logs are copied. Writes without a log are only
  // part of it when flushed.
  // sequence_number_ptr: may be null; a sequence number up to which
  // everything is part of the checkpoint.
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
