/* Options that hold objects, sets and texts: they do what they say. */
#include "test/api/c/check.h"

static void Sets(void) {
  size_t length = 0;
  rocksdb_options_t* o = rocksdb_options_create();
  rocksdb_options_checksum_handoff_file_types_clear(o);
  rocksdb_options_checksum_handoff_file_types_add(o, 2);
  rocksdb_options_checksum_handoff_file_types_add(o, 1000);
  CHECK(rocksdb_options_checksum_handoff_file_types_contains(o, 2) == 1);
  CHECK(rocksdb_options_checksum_handoff_file_types_contains(o, 1000) == 0);
  CHECK(rocksdb_options_checksum_handoff_file_types_count(o) == 1);
  rocksdb_options_checksum_handoff_file_types_remove(o, 2);
  CHECK(rocksdb_options_checksum_handoff_file_types_count(o) == 0);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_clear(o);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_add(o, 1);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_add(o, -1);
  CHECK(rocksdb_options_calculate_sst_write_lifetime_hint_set_contains(o, 1));
  CHECK(rocksdb_options_calculate_sst_write_lifetime_hint_set_count(o) == 1);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_remove(o, 1);
  CHECK(rocksdb_options_calculate_sst_write_lifetime_hint_set_count(o) == 0);
  rocksdb_options_set_db_host_id(o, "a host");
  CHECK_BYTES(rocksdb_options_get_db_host_id(o, &length), length, "a host");
  rocksdb_options_set_daily_offpeak_time_utc(o, "01:00-02:00");
  CHECK_BYTES(rocksdb_options_get_daily_offpeak_time_utc(o, &length), length,
              "01:00-02:00");
  rocksdb_options_set_wal_dir(o, "/logs");
  CHECK_BYTES(rocksdb_options_get_wal_dir(o, &length), length, "/logs");
  rocksdb_options_set_db_log_dir(o, "/texts");
  CHECK_BYTES(rocksdb_options_get_db_log_dir(o, &length), length, "/texts");
  rocksdb_options_destroy(o);
}

static void Allocators(void) {
  char* err = NULL;
  CHECK(rocksdb_jemalloc_nodump_allocator_create(&err) == NULL);
  CHECK_ERROR(err, "Not implemented: ");
}

struct Replay {
  int families;
  int records;
  int destroyed;
};

static void OnFamilies(void* state, const uint32_t* ids, const uint64_t* logs,
                       size_t count, const char* const* names,
                       const size_t* name_lengths, const uint32_t* name_ids,
                       size_t name_count) {
  struct Replay* replay = (struct Replay*)state;
  replay->families += (int)count;
  CHECK(count == 1 && ids[0] == 0 && logs != NULL);
  CHECK(name_count == 1 && name_ids[0] == 0);
  CHECK_BYTES(names[0], name_lengths[0], "default");
}

/* The first record is left out, the second one replaced. */
static int OnRecord(void* state, unsigned long long log_number,
                    const char* name, size_t length,
                    const rocksdb_writebatch_t* batch,
                    rocksdb_writebatch_t* new_batch,
                    unsigned char* batch_changed) {
  struct Replay* replay = (struct Replay*)state;
  CHECK(log_number > 0 && length > 4 && name != NULL && batch != NULL);
  if (++replay->records == 1) return 1; /* kIgnoreCurrentRecord */
  if (replay->records == 2) {
    rocksdb_writebatch_put(new_batch, "b", 1, "replaced", 8);
    *batch_changed = 1;
  }
  return 0;
}

static void OnDestroyed(void* state) { ++((struct Replay*)state)->destroyed; }
static const char* FilterName(void* state) {
  (void)state;
  return "c_filter";
}

static void WalFilters(void) {
  char* err = NULL;
  char* value;
  struct Replay replay = {0, 0, 0};
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_walfilter_t* filter = rocksdb_walfilter_create(
      &replay, OnDestroyed, OnFamilies, OnRecord, FilterName);
  rocksdb_t* db;
  rocksdb_destroy_db(options, PathOf("filtered"), &err);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_avoid_flush_during_shutdown(options, 1);
  db = rocksdb_open(options, PathOf("filtered"), &err);
  CHECK_OK(err);
  PutText(db, "a", "1");
  PutText(db, "b", "1");
  PutText(db, "c", "1");
  rocksdb_close(db);
  rocksdb_options_set_wal_filter(options, filter);
  db = rocksdb_open(options, PathOf("filtered"), &err);
  CHECK_OK(err);
  rocksdb_options_clear_wal_filter(options);
  CHECK(replay.families == 1 && replay.records == 3);
  CHECK(GetText(db, "a") == NULL);
  value = GetText(db, "b");
  CHECK(value != NULL && strcmp(value, "replaced") == 0);
  free(value);
  value = GetText(db, "c");
  CHECK(value != NULL && strcmp(value, "1") == 0);
  free(value);
  rocksdb_close(db);
  rocksdb_walfilter_destroy(filter);
  CHECK(replay.destroyed == 1);
  rocksdb_options_destroy(options);
}

static unsigned char NoTables(void* state,
                              const rocksdb_table_properties_t* properties) {
  CHECK(rocksdb_table_properties_num_entries(properties) > 0);
  ++*(int*)state;
  return 0;
}
static void CountDestroyed(void* state) { *(int*)state += 1000; }

static int Entries(rocksdb_t* db, const rocksdb_readoptions_t* read) {
  int count = 0;
  rocksdb_iterator_t* it = rocksdb_create_iterator(db, read);
  for (rocksdb_iter_seek_to_first(it); rocksdb_iter_valid(it);
       rocksdb_iter_next(it)) {
    ++count;
  }
  rocksdb_iter_destroy(it);
  return count;
}

static void ReadsOf(rocksdb_t* db) {
  int calls = 0;
  size_t length = 0;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  CHECK(rocksdb_readoptions_has_merge_operand_count_threshold(read) == 0);
  rocksdb_readoptions_set_merge_operand_count_threshold(read, 7);
  CHECK(rocksdb_readoptions_has_merge_operand_count_threshold(read) == 1);
  CHECK(rocksdb_readoptions_get_merge_operand_count_threshold(read) == 7);
  rocksdb_readoptions_clear_merge_operand_count_threshold(read);
  CHECK(rocksdb_readoptions_get_merge_operand_count_threshold(read) == 0);
  CHECK(rocksdb_readoptions_get_request_id(read, &length) == NULL);
  rocksdb_readoptions_set_request_id(read, "request", 7);
  CHECK_BYTES(rocksdb_readoptions_get_request_id(read, &length), length,
              "request");
  CHECK(Entries(db, read) == 4);
  rocksdb_readoptions_clear_request_id(read);
  CHECK(rocksdb_readoptions_has_table_filter(read) == 0);
  rocksdb_readoptions_set_table_filter(read, &calls, CountDestroyed, NoTables);
  CHECK(rocksdb_readoptions_has_table_filter(read) == 1);
  CHECK(Entries(db, read) == 0 && calls > 0 && calls < 1000);
  rocksdb_readoptions_clear_table_filter(read);
  CHECK(calls >= 1000);
  CHECK(Entries(db, read) == 4);
  rocksdb_readoptions_destroy(read);
}

static void Reads(void) {
  char* err = NULL;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_sst_partitioner_factory_t* by_prefix =
      rocksdb_sst_partitioner_fixed_prefix_factory_create(1);
  rocksdb_t* db;
  rocksdb_destroy_db(options, PathOf("filtered_reads"), &err);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_sst_partitioner_factory(options, by_prefix);
  rocksdb_sst_partitioner_factory_destroy(by_prefix);
  db = rocksdb_open(options, PathOf("filtered_reads"), &err);
  CHECK_OK(err);
  PutText(db, "a1", "v");
  PutText(db, "a2", "v");
  PutText(db, "b1", "v");
  PutText(db, "b2", "v");
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  ReadsOf(db);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

static void CountCompaction(void* state, rocksdb_t* db,
                            const rocksdb_compactionjobinfo_t* info) {
  CHECK(db != NULL && info != NULL);
  ++*(int*)state;
}

/* A file of deletions is compacted by itself. */
static void ManyDeletions(void) {
  char* err = NULL;
  int compactions = 0;
  int i;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_wait_for_compact_options_t* wait =
      rocksdb_wait_for_compact_options_create();
  rocksdb_t* db;
  rocksdb_destroy_db(options, PathOf("deletions"), &err);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_add_compact_on_deletion_collector_factory(options, 8, 4);
  rocksdb_options_add_compact_on_deletion_collector_factory_del_ratio(options,
                                                                      0, 0, 2);
  rocksdb_options_add_compact_on_deletion_collector_factory_min_file_size(
      options, 0, 0, 0, 1);
  rocksdb_options_add_eventlistener(
      options, rocksdb_eventlistener_create(&compactions, NULL, NULL, NULL,
                                            NULL, CountCompaction, NULL, NULL,
                                            NULL, NULL, NULL, NULL));
  db = rocksdb_open(options, PathOf("deletions"), &err);
  CHECK_OK(err);
  for (i = 0; i < 4; ++i) {
    const char key[] = {(char)('0' + i), '\0'};
    PutText(db, key, "v");
  }
  rocksdb_flush(db, flush, &err);
  rocksdb_wait_for_compact(db, wait, &err);
  CHECK_OK(err);
  CHECK(compactions == 0);
  rocksdb_compact_range(db, NULL, 0, NULL, 0); /* To a level below. */
  compactions = 0;
  for (i = 0; i < 4; ++i) {
    const char key = (char)('0' + i);
    rocksdb_delete(db, write, &key, 1, &err);
  }
  rocksdb_flush(db, flush, &err);
  rocksdb_wait_for_compact(db, wait, &err);
  CHECK_OK(err);
  rocksdb_close(db);
  CHECK(compactions > 0);
  rocksdb_wait_for_compact_options_destroy(wait);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_writeoptions_destroy(write);
  rocksdb_options_destroy(options);
}

struct Records {
  int puts;
  int deletions;
  int blobs;
};

static void SeePut(void* state, const char* k, size_t klen, const char* v,
                   size_t vlen) {
  CHECK(klen == 1 && vlen == 1 && k != NULL && v != NULL);
  ++((struct Records*)state)->puts;
}
static void SeeDeletion(void* state, const char* k, size_t klen) {
  CHECK(klen == 1 && k != NULL);
  ++((struct Records*)state)->deletions;
}
static void SeePutOf(void* state, uint32_t id, const char* k, size_t klen,
                     const char* v, size_t vlen) {
  CHECK(id == 0);
  SeePut(state, k, klen, v, vlen);
}
static void SeeDeletionOf(void* state, uint32_t id, const char* k,
                          size_t klen) {
  CHECK(id == 0);
  SeeDeletion(state, k, klen);
}
static void SeeBlob(void* state, const char* blob, size_t length) {
  CHECK_BYTES(blob, length, "blob");
  ++((struct Records*)state)->blobs;
}

static void BatchesWithBlobs(void) {
  char* err = NULL;
  struct Records seen = {0, 0, 0};
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put(batch, "a", 1, "1", 1);
  rocksdb_writebatch_put_log_data(batch, "blob", 4);
  rocksdb_writebatch_delete(batch, "b", 1);
  rocksdb_writebatch_iterate_ld(batch, &seen, SeePut, SeeDeletion, SeeBlob);
  CHECK(seen.puts == 1 && seen.deletions == 1 && seen.blobs == 1);
  rocksdb_writebatch_iterate_cf_ld(batch, &seen, SeePutOf, SeeDeletionOf,
                                   SeePutOf, SeeBlob);
  CHECK(seen.puts == 2 && seen.deletions == 2 && seen.blobs == 2);
  rocksdb_writebatch_verify_checksum(batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_destroy(batch);
}

void CheckOptionObjects(void) {
  Sets();
  Allocators();
  WalFilters();
  Reads();
  ManyDeletions();
  BatchesWithBlobs();
}
