// BackupEngine: copies of databases in a directory of their own, which share
// the tables they have in common.
//
// Model. A backup directory holds numbered backups. Each is the state of one
// database at one moment: its tables, blob files, MANIFEST, OPTIONS and logs.
// Making one copies only the tables that no earlier backup has. Any backup
// can be restored, verified or deleted by itself.
//
// Invariants. A backup exists from the moment its description is renamed into
// place: whatever stops CreateNewBackup before, process or machine, leaves
// only files that the next call removes. With `sync` this holds for power
// failures too.
//
// Threads. Every function may be called from any thread. Functions that only
// read run concurrently; those that change the directory run alone. Two engines
// may use one directory at the same time only if neither changes it.
#pragma once

#include <cassert>
#include <climits>
#include <cstdint>
#include <forward_list>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/io_status.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class BackupEngineReadOnlyBase;
class DB;
class RateLimiter;

// Names of whole-file checksums: that of databases, that of backups.
constexpr char kDbFileChecksumFuncName[] = "FileChecksumCrc32c";
constexpr char kBackupFileChecksumFuncName[] = "crc32c";

struct BackupEngineOptions {
  // Where the backups are; not the database's own directory. Required. Made
  // when missing; the directory it stands in must exist.
  std::string backup_dir;

  // Whose files the backups are; null: those of the engine's db_env.
  Env* backup_env = nullptr;

  // Backups share tables and blob files. False: each has its own copies.
  bool share_table_files = true;

  // Is told what happens; may be null. Outlives the engine.
  Logger* info_log = nullptr;

  // Everything reaches the device before a call returns. False: only what was
  // synced before is safe when the machine fails.
  bool sync = true;

  // BackupEngine::Open deletes all backups that are there.
  bool destroy_old_data = false;

  // False: logs are left out, so what was not flushed is not in the backup.
  bool backup_log_files = true;

  // Bytes per second, 0: no limit. They count writes; a limiter with a mode of
  // its own is given by the next field, which then replaces the number.
  uint64_t backup_rate_limit = 0;
  std::shared_ptr<RateLimiter> backup_rate_limiter{nullptr};

  // The same for restoring.
  uint64_t restore_rate_limit = 0;
  std::shared_ptr<RateLimiter> restore_rate_limiter{nullptr};

  // Shared files are told apart by more than their number (see the naming
  // below). False loses data when databases of different history share the
  // directory; only there for old directories.
  bool share_files_with_checksum = true;

  // Files copied at a time, by CreateNewBackup and restoring. 1 or less: by
  // the calling thread alone.
  int max_background_operations = 1;

  // The progress callback is called each time so many more bytes were copied.
  uint64_t callback_trigger_interval_size = 4 * 1024 * 1024;

  // BackupEngineReadOnly opens at most so many sound backups, the newest.
  int max_valid_backups_to_open = INT_MAX;

  // How shared files are called, NNNNNN being the file's number.
  enum ShareFilesNaming : uint32_t {
    // NNNNNN_<crc32c>_<size>.sst, .blob: of old releases. The name is known
    // only when the file was read.
    kLegacyCrc32cAndFileSize = 1U,

    // NNNNNN_s<session id>.sst, the session being that of the table's
    // writer. Blob files, and tables without one, take the name above.
    kUseDbSessionId = 2U,

    kMaskNoNamingFlags = 0xffffU,

    // Puts _<size> before .sst.
    kFlagIncludeFileSize = 1U << 31,

    kMaskNamingFlags = ~kMaskNoNamingFlags,
  };

  // May differ from backup to backup; the same file is then kept twice.
  ShareFilesNaming share_files_with_checksum_naming =
      static_cast<ShareFilesNaming>(
          static_cast<uint32_t>(kUseDbSessionId) |
          static_cast<uint32_t>(kFlagIncludeFileSize));

  // Version of the description that is written. 2, read by 6.19 and later,
  // also holds sizes and temperatures, and may leave files out.
  int schema_version = 1;

  // Which temperature is noted when the file system and the MANIFEST differ:
  // true: the file system's. One that is known wins over kUnknown.
  bool current_temperatures_override_manifest = false;

  // Bytes read at a time while copying; 0: 256 KiB.
  uint64_t io_buffer_size = 0;

  // Writes the options to `logger`.
  void Dump(Logger* logger) const;

  explicit BackupEngineOptions(
      const std::string& _backup_dir, Env* _backup_env = nullptr,
      bool _share_table_files = true, Logger* _info_log = nullptr,
      bool _sync = true, bool _destroy_old_data = false,
      bool _backup_log_files = true, uint64_t _backup_rate_limit = 0,
      uint64_t _restore_rate_limit = 0, int _max_background_operations = 1,
      uint64_t _callback_trigger_interval_size = 4 * 1024 * 1024,
      int _max_valid_backups_to_open = INT_MAX,
      ShareFilesNaming _share_files_with_checksum_naming =
          static_cast<ShareFilesNaming>(
              static_cast<uint32_t>(kUseDbSessionId) |
              static_cast<uint32_t>(kFlagIncludeFileSize)))
      : backup_dir(_backup_dir),
        backup_env(_backup_env),
        share_table_files(_share_table_files),
        info_log(_info_log),
        sync(_sync),
        destroy_old_data(_destroy_old_data),
        backup_log_files(_backup_log_files),
        backup_rate_limit(_backup_rate_limit),
        restore_rate_limit(_restore_rate_limit),
        max_background_operations(_max_background_operations),
        callback_trigger_interval_size(_callback_trigger_interval_size),
        max_valid_backups_to_open(_max_valid_backups_to_open),
        share_files_with_checksum_naming(_share_files_with_checksum_naming) {}
};

inline BackupEngineOptions::ShareFilesNaming operator&(
    BackupEngineOptions::ShareFilesNaming lhs,
    BackupEngineOptions::ShareFilesNaming rhs) {
  return static_cast<BackupEngineOptions::ShareFilesNaming>(
      static_cast<uint32_t>(lhs) & static_cast<uint32_t>(rhs));
}

inline BackupEngineOptions::ShareFilesNaming operator|(
    BackupEngineOptions::ShareFilesNaming lhs,
    BackupEngineOptions::ShareFilesNaming rhs) {
  return static_cast<BackupEngineOptions::ShareFilesNaming>(
      static_cast<uint32_t>(lhs) | static_cast<uint32_t>(rhs));
}

// A file that a backup names and does not hold.
struct BackupExcludedFileInfo {
  explicit BackupExcludedFileInfo(const std::string& _relative_file)
      : relative_file(_relative_file) {}

  // Below the backup directory.
  std::string relative_file;
};

// A shared file that would be copied, and the answer whether to leave it out.
struct MaybeExcludeBackupFile {
  explicit MaybeExcludeBackupFile(BackupExcludedFileInfo&& _info)
      : info(std::move(_info)) {}

  BackupExcludedFileInfo info;
  bool exclude_decision = false;
};

struct CreateBackupOptions {
  // False: what is not flushed is in the logs that are copied. Needed when
  // writes go without a log.
  bool flush_before_backup = false;

  // Called by the copying threads, one call at a time. What it throws is
  // dropped.
  std::function<void()> progress_callback = {};

  // Is shown the shared files of the backup that are not there yet and sets
  // the decision of those another backup directory holds; see
  // RestoreOptions::alternate_dirs. Needs schema_version 2.
  std::function<void(MaybeExcludeBackupFile* files_begin,
                     MaybeExcludeBackupFile* files_end)>
      exclude_files_callback = {};

  // Without effect.
  bool decrease_background_thread_cpu_priority = false;
  CpuPriority background_thread_cpu_priority = CpuPriority::kNormal;
};

struct RestoreOptions {
  // What may stay of the files in the database's directory.
  enum Mode : uint32_t {
    // Tables of the same number, size and session: fast, and does not see
    // damage.
    kKeepLatestDbSessionIdFiles = 1U,
    // Tables and blob files whose checksum is the backup's.
    kVerifyChecksum = 2U,
    // Nothing.
    kPurgeAllFiles = 0xffffU,
  };

  // Logs in wal_dir stay as they are, and those of its archive are moved
  // there. For databases backed up without logs.
  bool keep_log_files = false;

  // Engines that hold files which the backup leaves out.
  std::forward_list<BackupEngineReadOnlyBase*> alternate_dirs;

  Mode mode = kPurgeAllFiles;

  explicit RestoreOptions(bool _keep_log_files = false,
                          Mode _mode = Mode::kPurgeAllFiles)
      : keep_log_files(_keep_log_files), mode(_mode) {}
};

using BackupID = uint32_t;

using BackupFileInfo = FileStorageInfo;

struct BackupInfo {
  BackupID backup_id = 0U;
  // Seconds since 1970.
  int64_t timestamp = 0;
  // Of all its files, shared ones included, without the description.
  uint64_t size = 0U;
  uint32_t number_files = 0U;
  // What CreateNewBackupWithMetadata was given.
  std::string app_metadata;

  // The rest is filled when details are asked for. Names of files are
  // relative to the backup directory.
  std::vector<BackupFileInfo> file_details;
  std::vector<BackupExcludedFileInfo> excluded_files;
  // DB::OpenForReadOnly opens the backup as it is, by this name (with an empty
  // wal_dir) and this Env, which must live as long as that database.
  std::string name_for_open;
  std::shared_ptr<Env> env_for_open;

  BackupInfo() = default;

  BackupInfo(BackupID _backup_id, int64_t _timestamp, uint64_t _size,
             uint32_t _number_files, const std::string& _app_metadata)
      : backup_id(_backup_id),
        timestamp(_timestamp),
        size(_size),
        number_files(_number_files),
        app_metadata(_app_metadata) {}
};

// For programs that want to count backups; the engine does not use it.
class BackupStatistics {
 public:
  BackupStatistics() = default;
  BackupStatistics(uint32_t _number_success_backup,
                   uint32_t _number_fail_backup)
      : success_(_number_success_backup), fail_(_number_fail_backup) {}

  void IncrementNumberSuccessBackup() { ++success_; }
  void IncrementNumberFailBackup() { ++fail_; }
  uint32_t GetNumberSuccessBackup() const { return success_; }
  uint32_t GetNumberFailBackup() const { return fail_; }
  std::string ToString() const {
    return "# success backup: " + std::to_string(success_) +
           ", # fail backup: " + std::to_string(fail_);
  }

 private:
  uint32_t success_ = 0;
  uint32_t fail_ = 0;
};

// What does not change the backup directory.
class BackupEngineReadOnlyBase {
 public:
  virtual ~BackupEngineReadOnlyBase() = default;

  // The newest sound backup. NotFound when there is none.
  virtual Status GetLatestBackupInfo(
      BackupInfo* backup_info, bool include_file_details = false) const = 0;

  // NotFound when there is none of this number; Corruption when it is damaged.
  virtual Status GetBackupInfo(BackupID backup_id, BackupInfo* backup_info,
                               bool include_file_details = false) const = 0;

  // All sound ones, oldest first.
  virtual void GetBackupInfo(std::vector<BackupInfo>* backup_infos,
                             bool include_file_details = false) const = 0;

  // Those whose description or files were not as they should be when the
  // engine was opened. Their files stay until they are deleted, as far as the
  // description could be read.
  virtual void GetCorruptedBackups(
      std::vector<BackupID>* corrupt_backup_ids) const = 0;

  // Makes db_dir and wal_dir hold the backup. Both are made when missing, one
  // level deep; what they hold of another database is deleted, other files
  // are left alone. Logs go to wal_dir, everything else to db_dir, so the
  // database is then opened without db_paths.
  // The database must be closed: IOError when it is open. Each file's checksum
  // is compared: Corruption. From the first change to the end there is no
  // CURRENT in db_dir, so what was restored half does not open.
  virtual IOStatus RestoreDBFromBackup(const RestoreOptions& options,
                                       BackupID backup_id,
                                       const std::string& db_dir,
                                       const std::string& wal_dir) const = 0;
  virtual IOStatus RestoreDBFromBackup(
      BackupID backup_id, const std::string& db_dir, const std::string& wal_dir,
      const RestoreOptions& options = RestoreOptions()) const {
    return RestoreDBFromBackup(options, backup_id, db_dir, wal_dir);
  }

  // The newest sound backup. NotFound when there is none.
  virtual IOStatus RestoreDBFromLatestBackup(
      const RestoreOptions& options, const std::string& db_dir,
      const std::string& wal_dir) const = 0;
  virtual IOStatus RestoreDBFromLatestBackup(
      const std::string& db_dir, const std::string& wal_dir,
      const RestoreOptions& options = RestoreOptions()) const {
    return RestoreDBFromLatestBackup(options, db_dir, wal_dir);
  }

  // Compares the sizes of the files, and their checksums if asked to, with
  // what was written, or what was there when the engine was opened.
  // Errors: Corruption, NotFound.
  virtual IOStatus VerifyBackup(BackupID backup_id,
                                bool verify_with_checksum = false) const = 0;
};

// What adds to the backup directory.
class BackupEngineAppendOnlyBase {
 public:
  virtual ~BackupEngineAppendOnlyBase() = default;

  // A backup of `db` as it is, with `app_metadata` for the program's own use.
  // Writers go on meanwhile. *new_backup_id, if not null, gets its number.
  // Errors: NotSupported when the database's tables are in more than one
  // directory; Incomplete after StopBackup; Corruption; those of files. Then
  // there is no new backup.
  virtual IOStatus CreateNewBackupWithMetadata(
      const CreateBackupOptions& options, DB* db,
      const std::string& app_metadata, BackupID* new_backup_id = nullptr) = 0;
  virtual IOStatus CreateNewBackupWithMetadata(
      DB* db, const std::string& app_metadata, bool flush_before_backup = false,
      std::function<void()> progress_callback = {}) {
    CreateBackupOptions options;
    options.flush_before_backup = flush_before_backup;
    options.progress_callback = std::move(progress_callback);
    return CreateNewBackupWithMetadata(options, db, app_metadata);
  }

  virtual IOStatus CreateNewBackup(const CreateBackupOptions& options, DB* db,
                                   BackupID* new_backup_id = nullptr) {
    return CreateNewBackupWithMetadata(options, db, "", new_backup_id);
  }
  virtual IOStatus CreateNewBackup(
      DB* db, bool flush_before_backup = false,
      std::function<void()> progress_callback = {}) {
    return CreateNewBackupWithMetadata(db, "", flush_before_backup,
                                       std::move(progress_callback));
  }

  // From any thread: the backup that is being made, and every later one of
  // this engine, ends with Incomplete. Does not wait.
  virtual void StopBackup() = 0;

  // Removes what belongs to no backup. CreateNewBackup, DeleteBackup and
  // PurgeOldBackups do so themselves when something was left behind.
  virtual IOStatus GarbageCollect() = 0;
};

class BackupEngine : public BackupEngineReadOnlyBase,
                     public BackupEngineAppendOnlyBase {
 public:
  ~BackupEngine() override = default;

  // Makes the directory when missing. `db_env`: where databases are. The
  // caller deletes *backup_engine_ptr.
  static IOStatus Open(const BackupEngineOptions& options, Env* db_env,
                       BackupEngine** backup_engine_ptr);
  static IOStatus Open(Env* db_env, const BackupEngineOptions& options,
                       BackupEngine** backup_engine_ptr) {
    return BackupEngine::Open(options, db_env, backup_engine_ptr);
  }

  // Deletes all sound backups but the newest so many.
  virtual IOStatus PurgeOldBackups(uint32_t num_backups_to_keep) = 0;

  // Also damaged ones. NotFound when there is none of this number.
  virtual IOStatus DeleteBackup(BackupID backup_id) = 0;
};

// Only looks and restores; never changes the directory.
class BackupEngineReadOnly : public BackupEngineReadOnlyBase {
 public:
  ~BackupEngineReadOnly() override = default;

  // Errors: NotFound without a backup directory; NotSupported with
  // destroy_old_data.
  static IOStatus Open(const BackupEngineOptions& options, Env* db_env,
                       BackupEngineReadOnly** backup_engine_ptr);
  static IOStatus Open(Env* db_env, const BackupEngineOptions& options,
                       BackupEngineReadOnly** backup_engine_ptr) {
    return BackupEngineReadOnly::Open(options, db_env, backup_engine_ptr);
  }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
