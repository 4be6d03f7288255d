// Backups.
#include "api/c/convert.h"
#include "api/c/fields.h"
#include "rocksdb/utilities/backup_engine.h"

using capi_internal::SaveError;

struct rocksdb_backup_engine_t {
  capi::BackupEngine* rep;
};
struct rocksdb_backup_engine_info_t {
  std::vector<capi::BackupInfo> rep;
};
struct rocksdb_backup_engine_options_t {
  capi::BackupEngineOptions rep;
};
struct rocksdb_restore_options_t {
  capi::RestoreOptions rep;
};

struct rocksdb_create_backup_options_t {
  capi::CreateBackupOptions rep;
};

namespace {

rocksdb_backup_engine_t* Open(const capi::BackupEngineOptions& options,
                              capi::Env* env, char** errptr) {
  capi::BackupEngine* engine = nullptr;
  if (SaveError(errptr, capi::BackupEngine::Open(options, env, &engine))) {
    return nullptr;
  }
  return new rocksdb_backup_engine_t{engine};
}

}  // namespace

extern "C" {

rocksdb_backup_engine_t* rocksdb_backup_engine_open(
    const rocksdb_options_t* options, const char* path, char** errptr) try {
  capi::BackupEngineOptions how(path);
  how.info_log = options->rep.info_log.get();
  return Open(how, options->rep.env, errptr);
}
CAPI_CATCH(rocksdb_backup_engine_t*, errptr)

rocksdb_backup_engine_t* rocksdb_backup_engine_open_opts(
    const rocksdb_backup_engine_options_t* options, rocksdb_env_t* env,
    char** errptr) try {
  return Open(options->rep, env->rep, errptr);
}
CAPI_CATCH(rocksdb_backup_engine_t*, errptr)

void rocksdb_backup_engine_create_new_backup(rocksdb_backup_engine_t* be,
                                             rocksdb_t* db, char** errptr) try {
  SaveError(errptr, be->rep->CreateNewBackup(db->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_backup_engine_create_new_backup_flush(
    rocksdb_backup_engine_t* be, rocksdb_t* db,
    unsigned char flush_before_backup, char** errptr) try {
  SaveError(errptr,
            be->rep->CreateNewBackup(db->rep, flush_before_backup != 0));
}
CAPI_CATCH(void, errptr)

void rocksdb_backup_engine_create_new_backup_with_options(
    rocksdb_backup_engine_t* be, rocksdb_t* db,
    const rocksdb_create_backup_options_t* options, uint32_t* backup_id,
    char** errptr) try {
  SaveError(errptr, be->rep->CreateNewBackup(options->rep, db->rep, backup_id));
}
CAPI_CATCH(void, errptr)

void rocksdb_backup_engine_create_new_backup_with_metadata(
    rocksdb_backup_engine_t* be, rocksdb_t* db,
    const rocksdb_create_backup_options_t* options, const char* app_metadata,
    size_t app_metadata_len, uint32_t* backup_id, char** errptr) try {
  SaveError(errptr,
            be->rep->CreateNewBackupWithMetadata(
                options->rep, db->rep,
                std::string(app_metadata, app_metadata_len), backup_id));
}
CAPI_CATCH(void, errptr)

void rocksdb_backup_engine_stop_backup(rocksdb_backup_engine_t* be) {
  be->rep->StopBackup();
}

void rocksdb_backup_engine_purge_old_backups(rocksdb_backup_engine_t* be,
                                             uint32_t num_backups_to_keep,
                                             char** errptr) try {
  SaveError(errptr, be->rep->PurgeOldBackups(num_backups_to_keep));
}
CAPI_CATCH(void, errptr)

void rocksdb_backup_engine_verify_backup(rocksdb_backup_engine_t* be,
                                         uint32_t backup_id,
                                         char** errptr) try {
  SaveError(errptr, be->rep->VerifyBackup(backup_id));
}
CAPI_CATCH(void, errptr)

void rocksdb_backup_engine_restore_db_from_latest_backup(
    rocksdb_backup_engine_t* be, const char* db_dir, const char* wal_dir,
    const rocksdb_restore_options_t* restore_options, char** errptr) try {
  SaveError(errptr, be->rep->RestoreDBFromLatestBackup(restore_options->rep,
                                                       db_dir, wal_dir));
}
CAPI_CATCH(void, errptr)

void rocksdb_backup_engine_restore_db_from_backup(
    rocksdb_backup_engine_t* be, const char* db_dir, const char* wal_dir,
    const rocksdb_restore_options_t* restore_options, const uint32_t backup_id,
    char** errptr) try {
  SaveError(errptr, be->rep->RestoreDBFromBackup(restore_options->rep,
                                                 backup_id, db_dir, wal_dir));
}
CAPI_CATCH(void, errptr)

void rocksdb_backup_engine_close(rocksdb_backup_engine_t* be) {
  if (be == nullptr) return;
  delete be->rep;
  delete be;
}

const rocksdb_backup_engine_info_t* rocksdb_backup_engine_get_backup_info(
    rocksdb_backup_engine_t* be) {
  auto* const info = new rocksdb_backup_engine_info_t;
  be->rep->GetBackupInfo(&info->rep);
  return info;
}

int rocksdb_backup_engine_info_count(const rocksdb_backup_engine_info_t* info) {
  return static_cast<int>(info->rep.size());
}

// A getter for one member of the info about the backup at `index`.
#define INFO(type, name)                                     \
  type rocksdb_backup_engine_info_##name(                    \
      const rocksdb_backup_engine_info_t* info, int index) { \
    return info->rep[static_cast<size_t>(index)].name;       \
  }

INFO(int64_t, timestamp)
INFO(uint32_t, backup_id)
INFO(uint64_t, size)
INFO(uint32_t, number_files)
#undef INFO

const char* rocksdb_backup_engine_info_app_metadata(
    const rocksdb_backup_engine_info_t* info, int index, size_t* len) {
  const std::string& text = info->rep[static_cast<size_t>(index)].app_metadata;
  *len = text.size();
  return text.data();
}

void rocksdb_backup_engine_info_destroy(
    const rocksdb_backup_engine_info_t* info) {
  delete info;
}

rocksdb_restore_options_t* rocksdb_restore_options_create(void) {
  return new rocksdb_restore_options_t;
}

void rocksdb_restore_options_destroy(rocksdb_restore_options_t* opt) {
  delete opt;
}

void rocksdb_restore_options_set_keep_log_files(rocksdb_restore_options_t* opt,
                                                int v) {
  opt->rep.keep_log_files = v != 0;
}

rocksdb_backup_engine_options_t* rocksdb_backup_engine_options_create(
    const char* backup_dir) {
  return new rocksdb_backup_engine_options_t{
      capi::BackupEngineOptions(backup_dir)};
}

void rocksdb_backup_engine_options_destroy(
    rocksdb_backup_engine_options_t* options) {
  delete options;
}

void rocksdb_backup_engine_options_set_backup_dir(
    rocksdb_backup_engine_options_t* options, const char* backup_dir) {
  options->rep.backup_dir = backup_dir;
}

void rocksdb_backup_engine_options_set_env(
    rocksdb_backup_engine_options_t* options, rocksdb_env_t* env) {
  options->rep.backup_env = env == nullptr ? nullptr : env->rep;
}

// clang-format off
#define FIELD_OPTIONS rocksdb_backup_engine_options_t
#define FIELD_PREFIX backup_engine_options

FIELD(share_table_files, unsigned char, share_table_files)
FIELD(share_files_with_checksum, unsigned char, share_files_with_checksum)
FIELD(sync, unsigned char, sync)
FIELD(destroy_old_data, unsigned char, destroy_old_data)
FIELD(backup_log_files, unsigned char, backup_log_files)
FIELD(backup_rate_limit, uint64_t, backup_rate_limit)
FIELD(restore_rate_limit, uint64_t, restore_rate_limit)
FIELD(max_background_operations, int, max_background_operations)
FIELD(callback_trigger_interval_size, uint64_t, callback_trigger_interval_size)
FIELD(max_valid_backups_to_open, int, max_valid_backups_to_open)
FIELD(share_files_with_checksum_naming, int, share_files_with_checksum_naming)
FIELD(schema_version, int, schema_version)
FIELD(io_buffer_size, uint64_t, io_buffer_size)
FIELD(current_temperatures_override_manifest, unsigned char, current_temperatures_override_manifest)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_restore_options_t
#define FIELD_PREFIX restore_options

GETTER(keep_log_files, unsigned char, keep_log_files)
FIELD(mode, int, mode)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_create_backup_options_t
#define FIELD_PREFIX create_backup_options

FIELD(flush_before_backup, unsigned char, flush_before_backup)
FIELD(atomic_flush, unsigned char, atomic_flush)
FIELD(decrease_background_thread_cpu_priority, unsigned char, decrease_background_thread_cpu_priority)
FIELD(background_thread_cpu_priority, int, background_thread_cpu_priority)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

LIFETIME(create_backup_options, rocksdb_create_backup_options_t)
// clang-format on

const char* rocksdb_backup_engine_options_get_backup_dir(
    rocksdb_backup_engine_options_t* options, size_t* size) {
  *size = options->rep.backup_dir.size();
  return options->rep.backup_dir.c_str();
}
void rocksdb_backup_engine_options_set_backup_rate_limiter(
    rocksdb_backup_engine_options_t* options, rocksdb_ratelimiter_t* limiter) {
  options->rep.backup_rate_limiter = limiter->rep;
}
void rocksdb_backup_engine_options_set_restore_rate_limiter(
    rocksdb_backup_engine_options_t* options, rocksdb_ratelimiter_t* limiter) {
  options->rep.restore_rate_limiter = limiter->rep;
}

void rocksdb_create_backup_options_set_progress_callback(
    rocksdb_create_backup_options_t* options, void* state,
    rocksdb_create_backup_options_progress_cb callback) {
  options->rep.progress_callback = nullptr;
  if (callback == nullptr) return;
  options->rep.progress_callback = [state, callback] { callback(state); };
}
void rocksdb_create_backup_options_set_exclude_files_callback(
    rocksdb_create_backup_options_t* options, void* state,
    rocksdb_create_backup_options_exclude_files_cb callback) {
  options->rep.exclude_files_callback = nullptr;
  if (callback == nullptr) return;
  options->rep.exclude_files_callback = [state, callback](
                                            capi::MaybeExcludeBackupFile* begin,
                                            capi::MaybeExcludeBackupFile* end) {
    for (auto* file = begin; file != end; ++file) {
      const std::string& name = file->info.relative_file;
      file->exclude_decision = callback(state, name.data(), name.size()) != 0;
    }
  };
}

}  // extern "C"
