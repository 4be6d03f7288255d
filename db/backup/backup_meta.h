// BackupMeta: the description of one backup, the file that makes it exist.
//
// Bytes. Text, each line ended by a newline:
//
//   schema_version 2.0                  absent in version 1
//   1795170432                          seconds since 1970
//   90                                  sequence number
//   metadata 6170700102                 hex; absent when empty
//   2                                   lines that follow
//   private/1/CURRENT crc32 2659179228
//   shared_checksum/000009_sX_5.sst crc32 77 size 5 temp kCold
//
// crc32 is the CRC32C of the whole file. Version 2 has any number of names with
// values after a path, lines "name value" before the number of files, and
// perhaps a line "// FOOTER" with such lines behind it. Names that are not
// known are skipped, unless they begin with "ni::": then the whole description
// is refused. `ni::excluded true` marks a file that the backup leaves out; it
// makes the version 2.1.
//
// Threads. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "rocksdb/utilities/backup_engine.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct BackupFile {
  std::string path;  // Below the backup directory.
  std::optional<uint64_t> size;
  std::optional<uint32_t> crc32c;
  Temperature temperature = Temperature::kUnknown;
  bool excluded = false;
};

struct BackupMeta {
  int64_t timestamp = 0;
  uint64_t sequence = 0;
  std::string app_metadata;
  std::vector<BackupFile> files;

  uint64_t TotalBytes() const;
};

std::string EncodeBackupMeta(const BackupMeta& meta, int schema_version);

// `name`: of the file, for errors. Every path in the result is one of
// IsPathOfBackup, none comes twice.
// Errors: Corruption; NotSupported for a later version.
Result<BackupMeta> DecodeBackupMeta(const Slice& text, BackupID id,
                                    const std::string& name);

}  // namespace ROCKSDB_NAMESPACE::engine
