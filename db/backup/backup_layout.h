// Names of files and folders in a backup directory.
//
// Place. Every such name is made here; names of database files come from
// db/format/file_names.h.
//
// Bytes. Relative to the backup directory:
//
//   meta/7                              the description of backup 7
//   private/7/MANIFEST-000005           a file of that backup alone
//   shared_checksum/000009_sX_1234.sst  a file of several, X its session
//   shared_checksum/000010_77_88.blob   the same: CRC32C 77, 88 bytes
//   shared/000009.sst                   of directories that tell files apart
//                                       by their number only
//   meta/.7.tmp, shared*/.NAME.tmp      being written
//
// Threads. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr char kMetaFolder[] = "meta";
inline constexpr char kPrivateFolder[] = "private";
inline constexpr char kSharedFolder[] = "shared";
inline constexpr char kSharedChecksumFolder[] = "shared_checksum";

std::string MetaPath(BackupID id);
std::string MetaStagingPath(BackupID id);
std::string PrivateFolder(BackupID id);
// "shared/000009.sst" -> "shared/.000009.sst.tmp"
std::string StagingPath(const std::string& path);
bool IsStagingName(std::string_view name);

// A positive decimal number as MetaPath writes it, or nothing.
std::optional<BackupID> ParseBackupId(std::string_view name);

// In shared_checksum; `name` is the file's name in the database.
std::string SessionPath(const std::string& name, const std::string& session,
                        std::optional<uint64_t> size);
std::string ChecksumPath(const std::string& name, uint32_t crc32c,
                         uint64_t size);

// The name in the database of what a backup calls `path`.
std::string OriginalName(std::string_view path);
// The session in the name, empty if there is none.
std::string_view SessionOf(std::string_view path);
// In either of the shared folders.
inline bool IsShared(std::string_view path) {
  return path.starts_with(kSharedFolder);
}

// Whether a description of backup `id` may name this: one of the three forms
// above, and nothing that leads elsewhere.
bool IsPathOfBackup(std::string_view path, BackupID id);

}  // namespace ROCKSDB_NAMESPACE::engine
