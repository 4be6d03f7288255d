// Names of the files in a database directory, and the two tiny text files
// (CURRENT, IDENTITY) that only hold a name.
//
// Place. All code that creates, opens, lists or deletes a file takes its name
// from here. Nothing else in the engine spells a file name.
//
// Bytes. Numbers are decimal, padded with zeros to six digits; readers accept
// any number of digits. Logs, tables, MANIFESTs, OPTIONS files, blob files and
// temporaries draw from one counter.
//
// Invariants:
//   (1) ParseFileName accepts exactly what the functions above it produce,
//       plus the older spellings; a file with any other name is not ours and
//       is never touched.
//   (2) CURRENT is only ever replaced by rename, after its new content and the
//       MANIFEST it names are on the device.
//
// Threads. Pure functions; those with a FileSystem are called by one thread.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// At most this many db_paths: the path id is stored in two bits by old peers.
inline constexpr uint32_t kPathsMax = 4;
// File numbers end here, so that the counter cannot overflow.
inline constexpr uint64_t kFileNumberMax = (uint64_t{1} << 62) - 1;

// Base names.
std::string LogBaseName(uint64_t number);         // 000012.log
std::string TableBaseName(uint64_t number);       // 000012.sst
std::string BlobBaseName(uint64_t number);        // 000012.blob
std::string DescriptorBaseName(uint64_t number);  // MANIFEST-000012
std::string OptionsBaseName(uint64_t number);     // OPTIONS-000012

// Full names.
std::string LogFileName(const std::string& wal_dir, uint64_t number);
std::string ArchivalDirectory(const std::string& wal_dir);
std::string TableFileName(const std::string& dir, uint64_t number);
// An id beyond the list means the last entry. REQUIRES: `dirs` is not empty.
std::string TableFileName(const std::vector<std::string>& dirs, uint64_t number,
                          uint32_t path_id);
// The older spelling of a table, 000012.ldb, looked for when .sst is missing.
std::string OldTableFileName(const std::string& dir, uint64_t number);
std::string BlobFileName(const std::string& dir, uint64_t number);
std::string DescriptorFileName(const std::string& db, uint64_t number);
std::string CurrentFileName(const std::string& db);
std::string LockFileName(const std::string& db);
std::string IdentityFileName(const std::string& db);
std::string OptionsFileName(const std::string& db, uint64_t number);
std::string TempOptionsFileName(const std::string& db, uint64_t number);
std::string TempFileName(const std::string& db, uint64_t number);

// "<db>/LOG", or "<log_dir>/<db path with / as _>_LOG" with a log directory.
std::string InfoLogFileName(const std::string& db, const std::string& log_dir);
// "LOG", or "<db path with / as _>_LOG": what ParseFileName needs to know a
// foreign log directory's names.
std::string InfoLogPrefix(const std::string& db, const std::string& log_dir);
// The same of a database whose path may be relative: names of LOG files in a
// log directory have the absolute one.
std::string InfoLogPrefixOf(FileSystem* fs, const std::string& db,
                            const std::string& log_dir);

struct ParsedFileName {
  FileType type = kTempFile;
  uint64_t number = 0;    // 0 for files without one; LOG.old: microseconds.
  bool archived = false;  // A log under archive/.
};

// Parses a base name (or archive/NNNNNN.log). False for names that are not
// ours. `info_log_prefix`: from InfoLogPrefix().
bool ParseFileName(std::string_view name, std::string_view info_log_prefix,
                   ParsedFileName* parsed);
inline bool ParseFileName(std::string_view name, ParsedFileName* parsed) {
  return ParseFileName(name, "LOG", parsed);
}
// "anything.trash": waiting for rate-limited deletion when the process ended.
bool IsTrashName(std::string_view name);
// The file that became this trash: "000012.sst.trash", or "000012.sst1.trash"
// when there was such trash already. False if it was no file of a database.
bool ParseTrashName(std::string_view name, ParsedFileName* parsed);

// Makes CURRENT name MANIFEST-`number`: temporary, sync, rename, sync of
// `directory` (null: it is opened here).
IOStatus SetCurrentFile(FileSystem* fs, const std::string& db, uint64_t number,
                        FSDirectory* directory);

// The number of the MANIFEST named by CURRENT.
// Errors: NotFound without CURRENT; Corruption for a malformed one.
Result<uint64_t> ReadCurrentFile(FileSystem* fs, const std::string& db);

// The database id with trailing newlines cut; NotFound when there is none,
// and an empty string when the file is empty.
Result<std::string> ReadIdentityFile(FileSystem* fs, const std::string& db);
// Writes `id` through a temporary; syncs file and directory.
IOStatus WriteIdentityFile(FileSystem* fs, const std::string& db,
                           const std::string& id);

// File systems say in two ways that something is not there.
inline bool IsMissing(const Status& status) {
  return status.IsNotFound() || status.IsPathNotFound();
}

// "/a/b/" -> "/a/b"; "/" stays.
std::string WithoutTrailingSlashes(std::string path);
// "/a/b" -> "/a", "a/b" -> "a", "/a" -> "/". REQUIRES: no slash at the end.
std::string ParentDirectory(const std::string& path);

// The names in `dir`; of one that is not there, none.
Status ListIfThere(FileSystem* fs, const std::string& dir,
                   std::vector<std::string>* names);

// Writes `data` to `name`, synced. What CURRENT and IDENTITY are made with.
IOStatus WriteFileSynced(FileSystem* fs, const std::string& name,
                         const std::string& data);
// Syncs the entries of `dir`.
IOStatus SyncDirectory(FileSystem* fs, const std::string& dir);

}  // namespace ROCKSDB_NAMESPACE::engine
