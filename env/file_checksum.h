// Checksums of whole files that exist already.
//
// Place. Used for verification, ingestion and copies. The checksum of a table
// that is being written is computed during writing
// (table/block/block_writer.h).
//
// Threads. Pure functions.
#pragma once

#include <string>

#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct FileChecksum {
  std::string value;
  std::string function;
};

// Reads the first `size` bytes of `path`. `function`: the wanted one; empty:
// the factory's choice.
// Errors: InvalidArgument when the factory does not know the function;
// Corruption when the file is shorter.
Result<FileChecksum> ChecksumOfFile(FileSystem* fs, const std::string& path,
                                    uint64_t size,
                                    FileChecksumGenFactory* factory,
                                    const std::string& function,
                                    Env::IOPriority priority);

}  // namespace ROCKSDB_NAMESPACE::engine
