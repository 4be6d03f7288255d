/* Compactions of chosen files, verification, repair, lists of files, exports
   and imports, and backups with options. */
#include "test/api/c/check.h"

static rocksdb_t* OpenNew(rocksdb_options_t* options, const char* name) {
  char* err = NULL;
  rocksdb_t* db;
  rocksdb_destroy_db(options, PathOf(name), &err);
  CHECK_OK(err);
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open(options, PathOf(name), &err);
  CHECK_OK(err);
  return db;
}

static void PutAndFlush(rocksdb_t* db, const char* key, const char* value) {
  char* err = NULL;
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  PutText(db, key, value);
  rocksdb_flush(db, flush, &err);
  CHECK_OK(err);
  rocksdb_flushoptions_destroy(flush);
}

static void ValueIs(rocksdb_t* db, const char* key, const char* value) {
  char* text = GetText(db, key);
  CHECK(text != NULL && strcmp(text, value) == 0);
  free(text);
}

/* Two files of level 0 become one of level 1. */
static void ChosenFiles(rocksdb_t* db) {
  char* err = NULL;
  const char* inputs[2];
  char** outputs = NULL;
  size_t num_outputs = 0;
  unsigned char* canceled = rocksdb_compaction_options_canceled_create();
  rocksdb_compaction_options_t* how = rocksdb_compaction_options_create();
  rocksdb_compactionjobinfo_t* info = rocksdb_compactionjobinfo_create();
  rocksdb_column_family_handle_t* family =
      rocksdb_get_default_column_family_handle(db);
  const rocksdb_livefiles_t* files = rocksdb_livefiles(db);
  CHECK(rocksdb_livefiles_count(files) == 2);
  inputs[0] = rocksdb_livefiles_name(files, 0);
  inputs[1] = rocksdb_livefiles_name(files, 1);
  rocksdb_compaction_options_set_canceled(how, canceled);
  rocksdb_compaction_options_canceled_set(canceled, 1);
  rocksdb_compact_files(db, how, inputs, 2, 1, -1, &outputs, &num_outputs, NULL,
                        &err);
  CHECK_ERROR(err, "Result incomplete: ");
  CHECK(num_outputs == 0 && outputs == NULL);
  rocksdb_compaction_options_canceled_set(canceled, 0);
  rocksdb_compact_files_cf(db, family, how, inputs, 2, -1, -1, NULL, NULL, NULL,
                           &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_compact_files(db, how, inputs, 2, 1, -1, &outputs, &num_outputs, info,
                        &err);
  CHECK_OK(err);
  CHECK(num_outputs == 1 && strstr(outputs[0], ".sst") != NULL);
  rocksdb_compact_files_output_file_names_destroy(outputs, num_outputs);
  CHECK(rocksdb_compactionjobinfo_input_files_count(info) == 2);
  rocksdb_suggest_compact_range(db, NULL, 0, NULL, 0, &err);
  CHECK_OK(err);
  rocksdb_suggest_compact_range_cf(db, family, "a", 1, "b", 1, &err);
  CHECK_OK(err);
  rocksdb_livefiles_destroy(files);
  rocksdb_column_family_handle_destroy(family);
  rocksdb_compactionjobinfo_destroy(info);
  rocksdb_compaction_options_destroy(how);
  rocksdb_compaction_options_canceled_destroy(canceled);
}

static size_t FilesOfAPart(
    rocksdb_t* db, const rocksdb_column_family_metadata_options_t* part) {
  rocksdb_column_family_metadata_t* meta =
      rocksdb_get_column_family_metadata_with_options(db, part);
  const size_t files = rocksdb_column_family_metadata_get_file_count(meta);
  rocksdb_column_family_metadata_destroy(meta);
  return files;
}

/* One file, in level 1. */
static void Part(rocksdb_t* db) {
  size_t length = 9;
  rocksdb_column_family_handle_t* family =
      rocksdb_get_default_column_family_handle(db);
  rocksdb_column_family_metadata_options_t* part =
      rocksdb_column_family_metadata_options_create();
  rocksdb_column_family_metadata_t* meta;
  CHECK(rocksdb_column_family_metadata_options_get_level(part) == -1);
  CHECK(rocksdb_column_family_metadata_options_get_start_key(part, &length) ==
        NULL);
  CHECK(length == 0 && FilesOfAPart(db, part) == 1);
  rocksdb_column_family_metadata_options_set_start_key(part, "l", 1);
  CHECK(*rocksdb_column_family_metadata_options_get_start_key(part, &length) ==
        'l');
  CHECK(length == 1 && FilesOfAPart(db, part) == 0);
  rocksdb_column_family_metadata_options_set_start_key(part, NULL, 0);
  rocksdb_column_family_metadata_options_set_end_key(part, "k", 1);
  CHECK(*rocksdb_column_family_metadata_options_get_end_key(part, &length) ==
        'k');
  CHECK(length == 1 && FilesOfAPart(db, part) == 1);
  rocksdb_column_family_metadata_options_set_level(part, 0);
  CHECK(FilesOfAPart(db, part) == 0);
  rocksdb_column_family_metadata_options_set_level(part, 1);
  meta = rocksdb_get_column_family_metadata_cf_with_options(db, family, part);
  CHECK(rocksdb_column_family_metadata_get_level_count(meta) == 1);
  rocksdb_column_family_metadata_destroy(meta);
  rocksdb_column_family_metadata_options_destroy(part);
  rocksdb_column_family_handle_destroy(family);
}

static void FilesOfARange(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_column_family_handle_t* family =
      rocksdb_get_default_column_family_handle(db);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  rocksdb_delete_file_in_range(db, "l", 1, NULL, 0, &err);
  CHECK_OK(err);
  ValueIs(db, "k", "2"); /* Its table lies in the range in part. */
  rocksdb_delete_file_in_range_cf(db, family, "a", 1, "m", 1, &err);
  CHECK_OK(err);
  CHECK(GetText(db, "k") == NULL);
  rocksdb_column_family_handle_destroy(family);
}

static void FilesByName(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  const rocksdb_livefiles_t* files;
  rocksdb_put(db, write, "q", 1, "v", 1, &err);
  CHECK_OK(err);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  rocksdb_delete_file(db, "/000000.sst");
  ValueIs(db, "q", "v");
  files = rocksdb_livefiles(db);
  CHECK(rocksdb_livefiles_count(files) == 1);
  rocksdb_delete_file(db, rocksdb_livefiles_name(files, 0));
  rocksdb_livefiles_destroy(files);
  CHECK(GetText(db, "q") == NULL);
  rocksdb_writeoptions_destroy(write);
}

static void ByHand(rocksdb_t* db) {
  char* err = NULL;
  const char* const keys[] = {"max_background_jobs"};
  const char* const values[] = {"3"};
  const char* const wrong[] = {"three"};
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_set_db_options(db, 1, keys, values, &err);
  CHECK_OK(err);
  rocksdb_set_db_options(db, 1, keys, wrong, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_pause_background_work(db, &err);
  CHECK_OK(err);
  rocksdb_continue_background_work(db, &err);
  CHECK_OK(err);
  rocksdb_verify_checksum(db, &err);
  CHECK_OK(err);
  rocksdb_verify_checksum_with_options(db, read, &err);
  CHECK_OK(err);
  rocksdb_verify_file_checksums(db, &err);
  CHECK_OK(err);
  rocksdb_verify_file_checksums_with_options(db, read, &err);
  CHECK_OK(err);
  rocksdb_readoptions_destroy(read);
}

static void Sizes(rocksdb_t* db) {
  char* err = NULL;
  const char* const starts[] = {"a"};
  const char* const limits[] = {"z"};
  const size_t lengths[] = {1};
  uint64_t files = 0;
  uint64_t memtables = 0;
  uint64_t nothing = 1;
  rocksdb_column_family_handle_t* family =
      rocksdb_get_default_column_family_handle(db);
  rocksdb_size_approximation_options_t* how =
      rocksdb_size_approximation_options_create();
  rocksdb_approximate_sizes_with_options(db, how, 1, starts, lengths, limits,
                                         lengths, &files, &err);
  CHECK_OK(err);
  CHECK(files > 0);
  rocksdb_size_approximation_options_set_include_files(how, 0);
  CHECK(rocksdb_size_approximation_options_get_include_files(how) == 0);
  rocksdb_size_approximation_options_set_include_blob_files(how, 1);
  CHECK(rocksdb_size_approximation_options_get_include_blob_files(how) == 1);
  rocksdb_size_approximation_options_set_include_memtables(how, 1);
  CHECK(rocksdb_size_approximation_options_get_include_memtables(how) == 1);
  rocksdb_size_approximation_options_set_files_size_error_margin(how, 0.5);
  CHECK(rocksdb_size_approximation_options_get_files_size_error_margin(how) ==
        0.5);
  rocksdb_approximate_sizes_cf_with_options(db, family, how, 1, starts, lengths,
                                            limits, lengths, &nothing, &err);
  CHECK_OK(err);
  CHECK(nothing == 0);
  PutText(db, "m", "in memory");
  rocksdb_approximate_sizes_cf_with_flags(db, family, 1, starts, lengths,
                                          limits, lengths, 1, &memtables, &err);
  CHECK_OK(err);
  CHECK(memtables > 0);
  rocksdb_size_approximation_options_destroy(how);
  rocksdb_column_family_handle_destroy(family);
}

static void Logs(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_wal_files_t* files;
  rocksdb_wal_file_t* current;
  const rocksdb_wal_file_t* last;
  rocksdb_wal_iterator_t* updates;
  rocksdb_wal_readoptions_t* read = rocksdb_wal_readoptions_create();
  rocksdb_flushwaloptions_t* flush = rocksdb_flushwaloptions_create();
  rocksdb_flushwaloptions_set_sync(flush, 1);
  rocksdb_flush_wal_with_options(db, flush, &err);
  CHECK_OK(err);
  files = rocksdb_get_sorted_wal_files(db, &err);
  CHECK_OK(err);
  current = rocksdb_get_current_wal_file(db, &err);
  CHECK_OK(err);
  CHECK(rocksdb_wal_files_count(files) >= 1);
  CHECK(rocksdb_wal_files_get_wal_file(files, rocksdb_wal_files_count(files)) ==
        NULL);
  last =
      rocksdb_wal_files_get_wal_file(files, rocksdb_wal_files_count(files) - 1);
  CHECK(strstr(rocksdb_wal_file_path_name(last), ".log") != NULL);
  CHECK(strcmp(rocksdb_wal_file_path_name(last),
               rocksdb_wal_file_path_name(current)) == 0);
  CHECK(rocksdb_wal_file_log_number(last) ==
        rocksdb_wal_file_log_number(current));
  CHECK(rocksdb_wal_file_type(last) == 1);
  CHECK(rocksdb_wal_file_start_sequence(last) > 0);
  CHECK(rocksdb_wal_file_size_file_bytes(last) > 0);
  CHECK(rocksdb_wal_readoptions_get_verify_checksums(read) == 1);
  rocksdb_wal_readoptions_set_verify_checksums(read, 0);
  CHECK(rocksdb_wal_readoptions_get_verify_checksums(read) == 0);
  updates = rocksdb_get_updates_since(db, 0, read, &err);
  CHECK_OK(err);
  CHECK(rocksdb_wal_iter_valid(updates));
  rocksdb_wal_iter_destroy(updates);
  rocksdb_flushwaloptions_destroy(flush);
  rocksdb_wal_readoptions_destroy(read);
  rocksdb_wal_file_destroy(current);
  rocksdb_wal_files_destroy(files);
}

static void StorageInfo(rocksdb_t* db) {
  char* err = NULL;
  size_t i;
  int tables = 0;
  int pointers = 0; /* CURRENT */
  rocksdb_livefiles_storage_info_t* info;
  rocksdb_livefiles_storage_info_options_t* how =
      rocksdb_livefiles_storage_info_options_create();
  rocksdb_livefiles_storage_info_options_set_include_checksum_info(how, 1);
  CHECK(rocksdb_livefiles_storage_info_options_get_include_checksum_info(how));
  rocksdb_livefiles_storage_info_options_set_atomic_flush(how, 1);
  CHECK(rocksdb_livefiles_storage_info_options_get_atomic_flush(how) == 1);
  rocksdb_livefiles_storage_info_options_set_wal_size_for_flush(how,
                                                                UINT64_MAX);
  CHECK(rocksdb_livefiles_storage_info_options_get_wal_size_for_flush(how) ==
        UINT64_MAX);
  info = rocksdb_get_livefiles_storage_info(db, how, &err);
  CHECK_OK(err);
  for (i = 0; i < rocksdb_livefiles_storage_info_count(info); ++i) {
    size_t length = 0;
    const char* name =
        rocksdb_livefiles_storage_info_relative_filename(info, i);
    CHECK(strcmp(rocksdb_livefiles_storage_info_directory(info, i),
                 PathOf("kept")) == 0);
    rocksdb_livefiles_storage_info_replacement_contents(info, i, &length);
    pointers += strcmp(name, "CURRENT") == 0 && length > 0;
    CHECK(rocksdb_livefiles_storage_info_temperature(info, i) == 0);
    if (strstr(name, ".sst") == NULL) continue;
    ++tables;
    CHECK(rocksdb_livefiles_storage_info_file_type(info, i) == 2);
    CHECK(rocksdb_livefiles_storage_info_file_number(info, i) > 0);
    CHECK(rocksdb_livefiles_storage_info_size(info, i) > 0);
    CHECK(rocksdb_livefiles_storage_info_trim_to_size(info, i) == 0);
    CHECK(
        strcmp(rocksdb_livefiles_storage_info_file_checksum_func_name(info, i),
               "FileChecksumCrc32c") == 0);
    CHECK(*rocksdb_livefiles_storage_info_file_checksum(info, i) != '\0');
  }
  CHECK(tables == 1 && pointers == 1);
  rocksdb_livefiles_storage_info_destroy(info);
  rocksdb_livefiles_storage_info_options_destroy(how);
}

static void Kept(void) {
  char* err = NULL;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_file_checksum_gen_factory_t* sums =
      rocksdb_file_checksum_gen_crc32c_factory_create();
  rocksdb_t* db;
  rocksdb_options_set_file_checksum_gen_factory(options, sums);
  rocksdb_file_checksum_gen_factory_destroy(sums);
  rocksdb_options_set_disable_auto_compactions(options, 1);
  db = OpenNew(options, "kept");
  PutAndFlush(db, "k", "1");
  PutAndFlush(db, "k", "2");
  ChosenFiles(db);
  Part(db);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  ByHand(db);
  Sizes(db);
  Logs(db);
  StorageInfo(db);
  ValueIs(db, "k", "2");
  rocksdb_close(db);
  rocksdb_repair_db(options, PathOf("kept"), &err);
  CHECK_OK(err);
  db = rocksdb_open(options, PathOf("kept"), &err);
  CHECK_OK(err);
  ValueIs(db, "k", "2");
  ValueIs(db, "m", "in memory");
  FilesOfARange(db);
  FilesByName(db);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

/* The same metadata, as a program would put it together. */
static rocksdb_export_import_files_metadata_t* Rebuilt(
    rocksdb_export_import_files_metadata_t* metadata) {
  rocksdb_export_import_files_metadata_t* copy =
      rocksdb_export_import_files_metadata_create();
  rocksdb_livefiles_t* files =
      rocksdb_export_import_files_metadata_get_files(metadata);
  rocksdb_livefiles_t* built = rocksdb_livefiles_create();
  char* comparator =
      rocksdb_export_import_files_metadata_get_db_comparator_name(metadata);
  int i;
  CHECK(strcmp(comparator, "leveldb.BytewiseComparator") == 0);
  for (i = 0; i < rocksdb_livefiles_count(files); ++i) {
    size_t length = 0;
    const char* key;
    rocksdb_livefile_t* file = rocksdb_livefile_create();
    rocksdb_livefile_set_column_family_name(
        file, rocksdb_livefiles_column_family_name(files, i));
    rocksdb_livefile_set_level(file, rocksdb_livefiles_level(files, i));
    rocksdb_livefile_set_name(file, rocksdb_livefiles_name(files, i));
    rocksdb_livefile_set_directory(file, rocksdb_livefiles_directory(files, i));
    rocksdb_livefile_set_size(file, rocksdb_livefiles_size(files, i));
    key = rocksdb_livefiles_smallestkey(files, i, &length);
    rocksdb_livefile_set_smallest_key(file, key, length);
    key = rocksdb_livefiles_largestkey(files, i, &length);
    rocksdb_livefile_set_largest_key(file, key, length);
    rocksdb_livefile_set_smallest_seqno(
        file, rocksdb_livefiles_smallest_seqno(files, i));
    rocksdb_livefile_set_largest_seqno(
        file, rocksdb_livefiles_largest_seqno(files, i));
    rocksdb_livefile_set_num_entries(file, rocksdb_livefiles_entries(files, i));
    rocksdb_livefile_set_num_deletions(file,
                                       rocksdb_livefiles_deletions(files, i));
    rocksdb_livefiles_add(built, file);
    rocksdb_livefile_destroy(file);
  }
  CHECK(rocksdb_livefiles_count(built) == 1);
  rocksdb_export_import_files_metadata_set_db_comparator_name(copy, comparator);
  rocksdb_export_import_files_metadata_set_files(copy, built);
  rocksdb_livefiles_destroy(built);
  rocksdb_livefiles_destroy(files);
  rocksdb_free(comparator);
  return copy;
}

static void ImportInto(rocksdb_t* db, rocksdb_options_t* options,
                       const char* name,
                       rocksdb_export_import_files_metadata_t* metadata) {
  char* err = NULL;
  char* value;
  size_t length = 0;
  rocksdb_column_family_handle_t* family;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_import_column_family_options_t* how =
      rocksdb_import_column_family_options_create();
  rocksdb_import_column_family_options_set_move_files(how, 1);
  CHECK(rocksdb_import_column_family_options_get_move_files(how) == 1);
  rocksdb_import_column_family_options_set_move_files(how, 0);
  family = rocksdb_create_column_family_with_import(db, options, name, how,
                                                    metadata, &err);
  CHECK_OK(err);
  value = rocksdb_get_cf(db, read, family, "k", 1, &length, &err);
  CHECK_OK(err);
  CHECK_BYTES(value, length, "exported");
  rocksdb_free(value);
  CHECK(rocksdb_create_column_family_with_import(db, options, name, how,
                                                 metadata, &err) == NULL);
  CHECK(err != NULL);
  rocksdb_free(err);
  rocksdb_column_family_handle_destroy(family);
  rocksdb_import_column_family_options_destroy(how);
  rocksdb_readoptions_destroy(read);
}

static void ExportAndImport(void) {
  char* err = NULL;
  char export_dir[4096];
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_t* db = OpenNew(options, "exporter");
  rocksdb_checkpoint_t* checkpoint = rocksdb_checkpoint_object_create(db, &err);
  rocksdb_column_family_handle_t* family =
      rocksdb_get_default_column_family_handle(db);
  rocksdb_export_import_files_metadata_t* metadata;
  rocksdb_export_import_files_metadata_t* copy;
  CHECK_OK(err);
  snprintf(export_dir, sizeof(export_dir), "%s", PathOf("exported"));
  PutText(db, "k", "exported");
  metadata = rocksdb_checkpoint_export_column_family(checkpoint, family,
                                                     export_dir, &err);
  CHECK_OK(err);
  CHECK(rocksdb_checkpoint_export_column_family(checkpoint, family, export_dir,
                                                &err) == NULL);
  CHECK_ERROR(err, "Invalid argument: ");
  ImportInto(db, options, "as it was", metadata);
  copy = Rebuilt(metadata);
  ImportInto(db, options, "rebuilt", copy);
  rocksdb_export_import_files_metadata_destroy(copy);
  rocksdb_export_import_files_metadata_destroy(metadata);
  rocksdb_column_family_handle_destroy(family);
  rocksdb_checkpoint_object_destroy(checkpoint);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

struct Progress {
  int calls;
  int excluded;
};

static void OnProgress(void* state) { ++((struct Progress*)state)->calls; }

static unsigned char ExcludeNothing(void* state, const char* name,
                                    size_t length) {
  CHECK(length > 0 && name != NULL);
  ++((struct Progress*)state)->excluded;
  return 0;
}

static void BackupWithOptions(void) {
  char* err = NULL;
  size_t length = 0;
  uint32_t id = 0;
  struct Progress progress = {0, 0};
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_ratelimiter_t* limiter =
      rocksdb_ratelimiter_create(1 << 30, 100000, 10);
  rocksdb_create_backup_options_t* how = rocksdb_create_backup_options_create();
  rocksdb_restore_options_t* restore = rocksdb_restore_options_create();
  rocksdb_backup_engine_options_t* engine_options =
      rocksdb_backup_engine_options_create(PathOf("noted_backups"));
  rocksdb_backup_engine_t* engine;
  const rocksdb_backup_engine_info_t* info;
  rocksdb_t* db = OpenNew(options, "noted");
  CHECK_BYTES(
      rocksdb_backup_engine_options_get_backup_dir(engine_options, &length),
      length, PathOf("noted_backups"));
  rocksdb_backup_engine_options_set_schema_version(engine_options, 2);
  rocksdb_backup_engine_options_set_destroy_old_data(engine_options, 1);
  rocksdb_backup_engine_options_set_callback_trigger_interval_size(
      engine_options, 1);
  rocksdb_backup_engine_options_set_backup_rate_limiter(engine_options,
                                                        limiter);
  rocksdb_backup_engine_options_set_restore_rate_limiter(engine_options,
                                                         limiter);
  rocksdb_ratelimiter_destroy(limiter);
  engine = rocksdb_backup_engine_open_opts(engine_options, env, &err);
  CHECK_OK(err);
  PutText(db, "k", "v");
  rocksdb_create_backup_options_set_atomic_flush(how, 1);
  CHECK(rocksdb_create_backup_options_get_atomic_flush(how) == 1);
  rocksdb_create_backup_options_set_flush_before_backup(how, 1);
  CHECK(rocksdb_create_backup_options_get_flush_before_backup(how) == 1);
  rocksdb_create_backup_options_set_background_thread_cpu_priority(how, 1);
  CHECK(rocksdb_create_backup_options_get_background_thread_cpu_priority(how) ==
        1);
  rocksdb_create_backup_options_set_progress_callback(how, &progress,
                                                      OnProgress);
  rocksdb_create_backup_options_set_exclude_files_callback(how, &progress,
                                                           ExcludeNothing);
  rocksdb_backup_engine_create_new_backup_with_metadata(engine, db, how, "note",
                                                        4, &id, &err);
  CHECK_OK(err);
  CHECK(id == 1 && progress.calls > 0 && progress.excluded == 1);
  rocksdb_create_backup_options_set_progress_callback(how, NULL, NULL);
  rocksdb_create_backup_options_set_exclude_files_callback(how, NULL, NULL);
  rocksdb_backup_engine_create_new_backup_with_options(engine, db, how, &id,
                                                       &err);
  CHECK_OK(err);
  CHECK(id == 2);
  info = rocksdb_backup_engine_get_backup_info(engine);
  CHECK_BYTES(rocksdb_backup_engine_info_app_metadata(info, 0, &length), length,
              "note");
  rocksdb_backup_engine_info_destroy(info);
  rocksdb_restore_options_set_mode(restore, 2);
  CHECK(rocksdb_restore_options_get_mode(restore) == 2);
  rocksdb_restore_options_set_keep_log_files(restore, 1);
  CHECK(rocksdb_restore_options_get_keep_log_files(restore) == 1);
  rocksdb_close(db);
  rocksdb_backup_engine_close(engine);
  rocksdb_backup_engine_options_destroy(engine_options);
  rocksdb_restore_options_destroy(restore);
  rocksdb_create_backup_options_destroy(how);
  rocksdb_env_destroy(env);
  rocksdb_options_destroy(options);
}

void CheckMaintenance(void) {
  Kept();
  ExportAndImport();
  BackupWithOptions();
}
