/* Listeners: what is in the reports of memtables, flushes, compactions and
   ingestions. */
#include "test/api/c/check.h"

struct Seen {
  int sealed;
  int flushes_begun;
  int flushes;
  int compactions_begun;
  int compactions;
  int ingestions;
  int destroyed;
};

#define CHECK_TEXT(get, object, text)                  \
  do {                                                 \
    size_t size_of_text = 0;                           \
    const char* got_text = get(object, &size_of_text); \
    CHECK_BYTES(got_text, size_of_text, text);         \
  } while (0)

/* The second memtable and file have a deletion. */
static void OnSealed(void* state, const rocksdb_memtableinfo_t* info) {
  const uint64_t deletions = ((struct Seen*)state)->sealed++ > 0;
  CHECK_TEXT(rocksdb_memtableinfo_cf_name, info, "default");
  CHECK(rocksdb_memtableinfo_num_entries(info) == 2);
  CHECK(rocksdb_memtableinfo_num_deletes(info) == deletions);
  CHECK(rocksdb_memtableinfo_first_seqno(info) > 0);
  CHECK(rocksdb_memtableinfo_earliest_seqno(info) <=
        rocksdb_memtableinfo_first_seqno(info));
}

static void OnFlushBegun(void* state, rocksdb_t* db,
                         const rocksdb_flushjobinfo_t* info) {
  ++((struct Seen*)state)->flushes_begun;
  CHECK(db != NULL);
  CHECK(rocksdb_flushjobinfo_cf_id(info) == 0);
}

static void CheckProperties(const rocksdb_table_properties_t* properties,
                            uint64_t deletions) {
  size_t i;
  size_t count;
  CHECK(properties != NULL);
  CHECK_TEXT(rocksdb_table_properties_column_family_name, properties,
             "default");
  CHECK_TEXT(rocksdb_table_properties_comparator_name, properties,
             "leveldb.BytewiseComparator");
  CHECK(rocksdb_table_properties_num_entries(properties) == 2);
  CHECK(rocksdb_table_properties_num_deletions(properties) == deletions);
  CHECK(rocksdb_table_properties_num_data_blocks(properties) == 1);
  CHECK(rocksdb_table_properties_data_size(properties) > 0);
  CHECK(
      rocksdb_table_properties_has_key_smallest_seqno(properties) ==
      (rocksdb_table_properties_key_smallest_seqno(properties) != UINT64_MAX));
  count = rocksdb_table_properties_user_collected_properties_count(properties);
  for (i = 0; i < count; ++i) {
    size_t length = 0;
    CHECK(rocksdb_table_properties_user_collected_properties_key_at(
              properties, i, &length) != NULL);
    CHECK(rocksdb_table_properties_user_collected_properties_value_at(
              properties, i, &length) != NULL);
  }
  CHECK(rocksdb_table_properties_user_collected_properties_key_at(
            properties, count, &count) == NULL);
  CHECK(count == 0);
}

static void OnFlush(void* state, rocksdb_t* db,
                    const rocksdb_flushjobinfo_t* info) {
  struct Seen* seen = (struct Seen*)state;
  size_t length = 0;
  const char* path = rocksdb_flushjobinfo_file_path(info, &length);
  CHECK(db != NULL);
  CHECK_TEXT(rocksdb_flushjobinfo_cf_name, info, "default");
  CHECK(length > 4 && memcmp(path + length - 4, ".sst", 4) == 0);
  CHECK(rocksdb_flushjobinfo_file_number(info) > 0);
  CHECK(rocksdb_flushjobinfo_smallest_seqno(info) <
        rocksdb_flushjobinfo_largest_seqno(info));
  CHECK(rocksdb_flushjobinfo_triggered_writes_stop(info) == 0);
  CHECK(rocksdb_flushjobinfo_blob_file_addition_infos_count(info) == 0);
  CHECK(rocksdb_flushjobinfo_blob_file_addition_info_at(info, 0) == NULL);
  CheckProperties(rocksdb_flushjobinfo_table_properties(info),
                  seen->flushes++ > 0);
}

static void OnCompactionBegun(void* state, rocksdb_t* db,
                              const rocksdb_compactionjobinfo_t* info) {
  (void)info;
  ++((struct Seen*)state)->compactions_begun;
  CHECK(db != NULL);
}

static void CheckFilesOf(const rocksdb_compactionjobinfo_t* info) {
  size_t length = 0;
  size_t count = rocksdb_compactionjobinfo_input_files_count(info);
  const char* output;
  const rocksdb_compaction_file_info_t* file;
  CHECK(count == 2);
  CHECK(rocksdb_compactionjobinfo_input_file_infos_count(info) == count);
  CHECK(rocksdb_compactionjobinfo_input_file_at(info, count, &length) == NULL);
  CHECK(rocksdb_compactionjobinfo_input_file_info_at(info, count) == NULL);
  file = rocksdb_compactionjobinfo_input_file_info_at(info, 0);
  CHECK(rocksdb_compaction_file_info_level(file) == 0);
  CHECK(rocksdb_compactionjobinfo_output_files_count(info) == 1);
  file = rocksdb_compactionjobinfo_output_file_info_at(info, 0);
  CHECK(rocksdb_compaction_file_info_level(file) ==
        rocksdb_compactionjobinfo_output_level(info));
  CHECK(rocksdb_compaction_file_info_file_number(file) > 0);
  output = rocksdb_compactionjobinfo_output_file_at(info, 0, &length);
  CHECK(output != NULL && memcmp(output + length - 4, ".sst", 4) == 0);
  CHECK(rocksdb_compactionjobinfo_table_properties_for_file(info, "none", 4) ==
        NULL);
  CHECK(rocksdb_compactionjobinfo_table_properties_value_at(info, 99) == NULL);
}

static void OnCompaction(void* state, rocksdb_t* db,
                         const rocksdb_compactionjobinfo_t* info) {
  char* err = NULL;
  const rocksdb_compaction_job_stats_t* stats =
      rocksdb_compactionjobinfo_stats(info);
  ++((struct Seen*)state)->compactions;
  CHECK(db != NULL);
  rocksdb_compactionjobinfo_status(info, &err);
  CHECK_OK(err);
  CHECK_TEXT(rocksdb_compactionjobinfo_cf_name, info, "default");
  CHECK(rocksdb_compactionjobinfo_base_input_level(info) == 0);
  CHECK(rocksdb_compactionjobinfo_output_level(info) > 0);
  CHECK(rocksdb_compactionjobinfo_aborted(info) == 0);
  CHECK(rocksdb_compactionjobinfo_num_input_files(info) == 2);
  CHECK(rocksdb_compaction_job_stats_num_input_files(stats) == 2);
  CHECK(rocksdb_compaction_job_stats_num_input_records(stats) == 4);
  CHECK(rocksdb_compactionjobinfo_input_records(info) == 4);
  CHECK(rocksdb_compactionjobinfo_output_records(info) ==
        rocksdb_compaction_job_stats_num_output_records(stats));
  CHECK(rocksdb_compaction_job_stats_is_manual_compaction(stats) == 1);
  CHECK(rocksdb_compaction_job_stats_total_input_bytes(stats) ==
        rocksdb_compactionjobinfo_total_input_bytes(info));
  CheckFilesOf(info);
}

static void OnIngestion(void* state, rocksdb_t* db,
                        const rocksdb_externalfileingestioninfo_t* info) {
  ++((struct Seen*)state)->ingestions;
  CHECK(db != NULL);
  CHECK_TEXT(rocksdb_externalfileingestioninfo_cf_name, info, "default");
  CHECK_TEXT(rocksdb_externalfileingestioninfo_external_file_path, info,
             PathOf("listened.sst"));
  CHECK(rocksdb_table_properties_num_entries(
            rocksdb_externalfileingestioninfo_table_properties(info)) == 1);
}

static void OnDestroyed(void* state) { ++((struct Seen*)state)->destroyed; }

static void Ingest(rocksdb_t* db, const rocksdb_options_t* options) {
  char* err = NULL;
  char path[4096];
  const char* list[1];
  rocksdb_envoptions_t* env = rocksdb_envoptions_create();
  rocksdb_ingestexternalfileoptions_t* how =
      rocksdb_ingestexternalfileoptions_create();
  rocksdb_sstfilewriter_t* writer = rocksdb_sstfilewriter_create(env, options);
  snprintf(path, sizeof(path), "%s", PathOf("listened.sst"));
  rocksdb_sstfilewriter_open(writer, path, &err);
  rocksdb_sstfilewriter_put(writer, "z", 1, "v", 1, &err);
  rocksdb_sstfilewriter_finish(writer, &err);
  CHECK_OK(err);
  list[0] = path;
  rocksdb_ingest_external_file(db, list, 1, how, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_ingestexternalfileoptions_destroy(how);
  rocksdb_envoptions_destroy(env);
}

void CheckListeners(void) {
  char* err = NULL;
  int i;
  struct Seen seen;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_t* db;
  memset(&seen, 0, sizeof(seen));
  rocksdb_options_add_eventlistener(
      options,
      rocksdb_eventlistener_create(&seen, OnDestroyed, OnFlushBegun, OnFlush,
                                   OnCompactionBegun, OnCompaction, NULL, NULL,
                                   OnIngestion, NULL, NULL, OnSealed));
  rocksdb_eventlistener_destroy(
      rocksdb_eventlistener_create(&seen, OnDestroyed, NULL, NULL, NULL, NULL,
                                   NULL, NULL, NULL, NULL, NULL, NULL));
  CHECK(seen.destroyed == 1);
  rocksdb_destroy_db(options, PathOf("listened"), &err);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_disable_auto_compactions(options, 1);
  db = rocksdb_open(options, PathOf("listened"), &err);
  CHECK_OK(err);
  for (i = 0; i < 2; ++i) {
    PutText(db, "a", "1");
    if (i == 0) {
      PutText(db, "b", "1");
    } else {
      rocksdb_delete(db, write, "b", 1, &err);
    }
    rocksdb_flush(db, flush, &err);
    CHECK_OK(err);
  }
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  Ingest(db, options);
  rocksdb_close(db);
  CHECK(seen.sealed == 2);
  CHECK(seen.flushes_begun == 2 && seen.flushes == 2);
  CHECK(seen.compactions_begun == 1 && seen.compactions == 1);
  CHECK(seen.ingestions == 1);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_writeoptions_destroy(write);
  rocksdb_options_destroy(options);
  CHECK(seen.destroyed == 2);
}
