/* Backups made, looked at, restored and removed. */
#include "test/api/c/check.h"

static rocksdb_backup_engine_t* OpenEngine(rocksdb_env_t* env) {
  char* err = NULL;
  rocksdb_backup_engine_t* engine;
  rocksdb_backup_engine_options_t* how =
      rocksdb_backup_engine_options_create("replaced");
  rocksdb_backup_engine_options_set_backup_dir(how, PathOf("backups"));
  rocksdb_backup_engine_options_set_env(how, env);
  CHECK(rocksdb_backup_engine_options_get_sync(how) == 1);
  CHECK(rocksdb_backup_engine_options_get_share_table_files(how) == 1);
  CHECK(rocksdb_backup_engine_options_get_backup_log_files(how) == 1);
  CHECK(rocksdb_backup_engine_options_get_destroy_old_data(how) == 0);
  rocksdb_backup_engine_options_set_destroy_old_data(how, 1);
  rocksdb_backup_engine_options_set_max_background_operations(how, 2);
  CHECK(rocksdb_backup_engine_options_get_max_background_operations(how) == 2);
  rocksdb_backup_engine_options_set_backup_rate_limit(how, 1u << 30);
  CHECK(rocksdb_backup_engine_options_get_backup_rate_limit(how) == 1u << 30);
  rocksdb_backup_engine_options_set_schema_version(how, 2);
  engine = rocksdb_backup_engine_open_opts(how, env, &err);
  CHECK_OK(err);
  rocksdb_backup_engine_options_set_schema_version(how, 9);
  CHECK(rocksdb_backup_engine_open_opts(how, env, &err) == NULL);
  CHECK_ERROR(err, "Not implemented: ");
  rocksdb_backup_engine_options_destroy(how);
  return engine;
}

void CheckBackups(void) {
  char* err = NULL;
  char* value;
  char restored[4096];
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_restore_options_t* restore = rocksdb_restore_options_create();
  const rocksdb_backup_engine_info_t* info;
  rocksdb_backup_engine_t* engine = OpenEngine(env);
  rocksdb_t* db;
  rocksdb_destroy_db(options, PathOf("backed_up"), &err);
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open(options, PathOf("backed_up"), &err);
  CHECK_OK(err);
  PutText(db, "k", "first");
  rocksdb_backup_engine_create_new_backup(engine, db, &err);
  CHECK_OK(err);
  PutText(db, "k", "second");
  rocksdb_backup_engine_create_new_backup_flush(engine, db, 1, &err);
  CHECK_OK(err);
  rocksdb_close(db);

  info = rocksdb_backup_engine_get_backup_info(engine);
  CHECK(rocksdb_backup_engine_info_count(info) == 2);
  CHECK(rocksdb_backup_engine_info_backup_id(info, 1) == 2);
  CHECK(rocksdb_backup_engine_info_timestamp(info, 1) > 1700000000);
  CHECK(rocksdb_backup_engine_info_size(info, 1) > 0);
  CHECK(rocksdb_backup_engine_info_number_files(info, 1) >= 4);
  rocksdb_backup_engine_info_destroy(info);
  rocksdb_backup_engine_verify_backup(engine, 1, &err);
  CHECK_OK(err);
  rocksdb_backup_engine_verify_backup(engine, 7, &err);
  CHECK_ERROR(err, "NotFound: ");

  rocksdb_restore_options_set_keep_log_files(restore, 0);
  snprintf(restored, sizeof(restored), "%s", PathOf("restored"));
  rocksdb_backup_engine_restore_db_from_backup(engine, restored, restored,
                                               restore, 1, &err);
  CHECK_OK(err);
  db = rocksdb_open(options, restored, &err);
  CHECK_OK(err);
  value = GetText(db, "k");
  CHECK_BYTES(value, strlen(value), "first");
  free(value);
  rocksdb_close(db);
  rocksdb_backup_engine_restore_db_from_latest_backup(engine, restored,
                                                      restored, restore, &err);
  CHECK_OK(err);
  db = rocksdb_open(options, restored, &err);
  CHECK_OK(err);
  value = GetText(db, "k");
  CHECK_BYTES(value, strlen(value), "second");
  free(value);

  rocksdb_backup_engine_purge_old_backups(engine, 1, &err);
  CHECK_OK(err);
  rocksdb_backup_engine_stop_backup(engine);
  rocksdb_backup_engine_create_new_backup(engine, db, &err);
  CHECK_ERROR(err, "Result incomplete: ");
  rocksdb_close(db);
  rocksdb_backup_engine_close(engine);
  engine = rocksdb_backup_engine_open(options, PathOf("backups"), &err);
  CHECK_OK(err);
  info = rocksdb_backup_engine_get_backup_info(engine);
  CHECK(rocksdb_backup_engine_info_count(info) == 1);
  rocksdb_backup_engine_info_destroy(info);
  rocksdb_backup_engine_close(engine);
  rocksdb_restore_options_destroy(restore);
  rocksdb_options_destroy(options);
  rocksdb_env_destroy(env);
}
