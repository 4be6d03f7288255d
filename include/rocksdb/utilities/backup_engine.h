// BackupEngine: keeps copies of databases in a backup directory. Copies share
// the tables that they have in common.
//
// Model. A backup directory holds numbered backups. Each is the state of one
// database at one moment: its tables, blob files, MANIFEST, OPTIONS and logs.
// Making one copies only the tables that no earlier backup has. Any backup
// can be restored, verified or deleted by itself.
//
// Invariants. A backup exists from the moment its description is renamed into
// place. If CreateNewBackup is interrupted before, even by a crash of the
// process, it leaves only files that the next call removes. With `sync` this
// also holds for power failures.
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

// Names of whole-file checksums: in databases, and in backups.
constexpr char kDbFileChecksumFuncName[] = "FileChecksumCrc32c";
constexpr char kBackupFileChecksumFuncName[] = "crc32c";

struct BackupEngineOptions {
  // The directory of the backups; not the database's own. Required. Created if
  // missing; its parent directory must exist.
  std::string backup_dir;

  // The Env for the backups' files; null: the engine's db_env.
  Env* backup_env = nullptr;

  // Backups share tables and blob files. False: each has its own copies.
  bool share_table_files = true;

  // Receives messages; may be null. Must outlive the engine.
  Logger* info_log = nullptr;

  // All data is on the device before a call returns. False: a crash of the
  // machine may lose backups.
  bool sync = true;

  // BackupEngine::Open deletes all existing backups.
  bool destroy_old_data = false;

  // False: logs are left out, so the backup lacks data that was not flushed.
  bool backup_log_files = true;

  // Bytes written per second, 0: no limit. The next field, a limiter with its
  // own mode, replaces the number.
  uint64_t backup_rate_limit = 0;
  std::shared_ptr<RateLimiter> backup_rate_limiter{nullptr};

  // The same for restoring.
  uint64_t restore_rate_limit = 0;
  std::shared_ptr<RateLimiter> restore_rate_limiter{nullptr};

  // The names of shared files contain more than their number (see the naming
  // below). False loses data if databases of different history share the
  // directory; it exists only for old directories.
  bool share_files_with_checksum = true;

  // Files copied at a time, by CreateNewBackup and restoring. 1 or less: by
  // the calling thread alone.
  int max_background_operations = 1;

  // The progress callback is called each time this many more bytes were copied.
  uint64_t callback_trigger_interval_size = 4 * 1024 * 1024;

  // BackupEngineReadOnly opens at most this many intact backups, the newest.
  int max_valid_backups_to_open = INT_MAX;

  // The names of shared files, where NNNNNN is the file's number.
  enum ShareFilesNaming : uint32_t {
    // NNNNNN_<crc32c>_<size>.sst, .blob: used by old releases. The whole file
    // must be read to find its name.
    kLegacyCrc32cAndFileSize = 1U,

    // NNNNNN_s<session id>.sst, with the session of the table's writer. Blob
    // files, and tables without a session, take the name above.
    kUseDbSessionId = 2U,

    kMaskNoNamingFlags = 0xffffU,

    // Puts _<size> before .sst.
    kFlagIncludeFileSize = 1U << 31,

    kMaskNamingFlags = ~kMaskNoNamingFlags,
  };

  // May differ between backups; the same file is then stored twice.
  ShareFilesNaming share_files_with_checksum_naming =
      static_cast<ShareFilesNaming>(
          static_cast<uint32_t>(kUseDbSessionId) |
          static_cast<uint32_t>(kFlagIncludeFileSize));

  // Version of the description that is written. 2, read by 6.19 and later,
  // also holds sizes and temperatures, and may leave files out.
  int schema_version = 1;

  // Which temperature is recorded if the file system and the MANIFEST differ.
  // True: the file system's. A known one takes precedence over kUnknown.
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

// A file that a backup names but does not contain.
struct BackupExcludedFileInfo {
  explicit BackupExcludedFileInfo(const std::string& _relative_file)
      : relative_file(_relative_file) {}

  // Below the backup directory.
  std::string relative_file;
};

// A shared file that would be copied, and the decision whether to leave it out.
struct MaybeExcludeBackupFile {
  explicit MaybeExcludeBackupFile(BackupExcludedFileInfo&& _info)
      : info(std::move(_info)) {}

  BackupExcludedFileInfo info;
  bool exclude_decision = false;
};

struct CreateBackupOptions {
  // False: the copied logs contain data that is not flushed. Set it if writes
  // do not use the log.
  bool flush_before_backup = false;

  // That flush is one of all families at one moment; see
  // LiveFilesStorageInfoOptions.
  bool atomic_flush = false;

  // Called by the copying threads, one call at a time, while this engine is
  // locked: it must not call a backup engine. Exceptions from it are ignored.
  std::function<void()> progress_callback = {};

  // Receives the shared files that are not in the backup directory yet, and
  // sets the decision for those that another backup directory holds; see
  // RestoreOptions::alternate_dirs. Needs schema_version 2. Called while this
  // engine is locked: ask the engine of the other directory before, because two
  // that ask each other would wait for ever.
  std::function<void(MaybeExcludeBackupFile* files_begin,
                     MaybeExcludeBackupFile* files_end)>
      exclude_files_callback = {};

  // Has no effect.
  bool decrease_background_thread_cpu_priority = false;
  CpuPriority background_thread_cpu_priority = CpuPriority::kNormal;
};

struct RestoreOptions {
  // Which files in the database's directory may stay.
  enum Mode : uint32_t {
    // Tables of the same number, size and session: fast, but does not detect
    // damage.
    kKeepLatestDbSessionIdFiles = 1U,
    // Tables and blob files with the same checksum as in the backup.
    kVerifyChecksum = 2U,
    // Nothing.
    kPurgeAllFiles = 0xffffU,
  };

  // Logs in wal_dir are kept, and those in its archive are moved there. For
  // databases backed up without logs.
  bool keep_log_files = false;

  // Engines that hold the files left out of the backup.
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
  // Size of all its files, shared ones included, without the description.
  uint64_t size = 0U;
  uint32_t number_files = 0U;
  // As passed to CreateNewBackupWithMetadata.
  std::string app_metadata;

  // The rest is filled if details are requested. Names of files are relative to
  // the backup directory.
  std::vector<BackupFileInfo> file_details;
  std::vector<BackupExcludedFileInfo> excluded_files;
  // DB::OpenForReadOnly opens the backup in place, with this name (and an empty
  // wal_dir) and this Env, which must outlive that database.
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

// The calls that do not change the backup directory.
class BackupEngineReadOnlyBase {
 public:
  virtual ~BackupEngineReadOnlyBase() = default;

  // The newest intact backup. NotFound when there is none.
  virtual Status GetLatestBackupInfo(
      BackupInfo* backup_info, bool include_file_details = false) const = 0;

  // NotFound when there is none of this number; Corruption when it is damaged.
  virtual Status GetBackupInfo(BackupID backup_id, BackupInfo* backup_info,
                               bool include_file_details = false) const = 0;

  // All intact backups, oldest first.
  virtual void GetBackupInfo(std::vector<BackupInfo>* backup_infos,
                             bool include_file_details = false) const = 0;

  // Backups whose description or files were damaged when the engine was opened.
  // Their files, as far as the description could be read, stay until the
  // backups are deleted.
  virtual void GetCorruptedBackups(
      std::vector<BackupID>* corrupt_backup_ids) const = 0;

  // Restores the backup to db_dir and wal_dir. Missing directories are created,
  // one level deep. Files of another database in them are deleted, other files
  // are kept. Logs go to wal_dir, everything else to db_dir, so open the
  // database without db_paths afterwards.
  // Errors: IOError if the database is open; Corruption if the checksum of a
  // file is wrong. From the first change to the end there is no CURRENT in
  // db_dir, so a partial restore cannot be opened.
  virtual IOStatus RestoreDBFromBackup(const RestoreOptions& options,
                                       BackupID backup_id,
                                       const std::string& db_dir,
                                       const std::string& wal_dir) const = 0;
  virtual IOStatus RestoreDBFromBackup(
      BackupID backup_id, const std::string& db_dir, const std::string& wal_dir,
      const RestoreOptions& options = RestoreOptions()) const {
    return RestoreDBFromBackup(options, backup_id, db_dir, wal_dir);
  }

  // The newest intact backup. NotFound when there is none.
  virtual IOStatus RestoreDBFromLatestBackup(
      const RestoreOptions& options, const std::string& db_dir,
      const std::string& wal_dir) const = 0;
  virtual IOStatus RestoreDBFromLatestBackup(
      const std::string& db_dir, const std::string& wal_dir,
      const RestoreOptions& options = RestoreOptions()) const {
    return RestoreDBFromLatestBackup(options, db_dir, wal_dir);
  }

  // Compares the sizes of the files, and optionally their checksums, with those
  // written, or those found when the engine was opened.
  // Errors: Corruption, NotFound.
  virtual IOStatus VerifyBackup(BackupID backup_id,
                                bool verify_with_checksum = false) const = 0;
};

// The calls that add to the backup directory.
class BackupEngineAppendOnlyBase {
 public:
  virtual ~BackupEngineAppendOnlyBase() = default;

  // Backs up the current state of `db`, with `app_metadata` for the program's
  // own use. Writers may continue meanwhile. *new_backup_id, if not null, gets
  // its number. Errors: NotSupported when the database's tables are in more
  // than one directory; Incomplete after StopBackup; Corruption; those of
  // files. Then there is no new backup.
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

  // Removes files that belong to no backup. CreateNewBackup, DeleteBackup and
  // PurgeOldBackups do so themselves if files were left behind.
  virtual IOStatus GarbageCollect() = 0;
};

class BackupEngine : public BackupEngineReadOnlyBase,
                     public BackupEngineAppendOnlyBase {
 public:
  ~BackupEngine() override = default;

  // Creates the directory if missing. `db_env`: the Env of the databases. The
  // caller deletes *backup_engine_ptr.
  static IOStatus Open(const BackupEngineOptions& options, Env* db_env,
                       BackupEngine** backup_engine_ptr);
  static IOStatus Open(Env* db_env, const BackupEngineOptions& options,
                       BackupEngine** backup_engine_ptr) {
    return BackupEngine::Open(options, db_env, backup_engine_ptr);
  }

  // Deletes all intact backups but this many of the newest ones.
  virtual IOStatus PurgeOldBackups(uint32_t num_backups_to_keep) = 0;

  // Also damaged ones. NotFound when there is none of this number.
  virtual IOStatus DeleteBackup(BackupID backup_id) = 0;
};

// Only reads and restores; never changes the directory.
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
