/* Open, write, read, iterate, batches, snapshots, properties. */
#include "test/api/c/check.h"

static rocksdb_t* OpenNew(const char* name) {
  char* err = NULL;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_t* db;
  rocksdb_destroy_db(options, PathOf(name), &err);
  CHECK_OK(err);
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open(options, PathOf(name), &err);
  CHECK_OK(err);
  CHECK(db != NULL);
  rocksdb_options_destroy(options);
  return db;
}

static void ErrorsReplaceEachOther(void) {
  char* err = NULL;
  rocksdb_options_t* options = rocksdb_options_create();
  CHECK(rocksdb_open(options, PathOf("nothing"), &err) == NULL);
  CHECK(err != NULL);
  /* A second failure frees the first text. */
  CHECK(rocksdb_open_for_read_only(options, PathOf("nothing"), 0, &err) ==
        NULL);
  CHECK(err != NULL);
  free(err);
  err = NULL;
  CHECK(rocksdb_open(options, PathOf("nothing"), &err) == NULL);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_options_destroy(options);
}

static void PointReads(rocksdb_t* db) {
  char* err = NULL;
  size_t length = 99;
  unsigned char found = 9;
  char buffer[4];
  char* value;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_pinnableslice_t* pinned;
  rocksdb_pinnable_handle_t* handle;

  PutText(db, "empty", "");
  PutText(db, "k", "value");
  CHECK(rocksdb_get(db, read, "no", 2, &length, &err) == NULL);
  CHECK_OK(err);
  CHECK(length == 0);
  value = rocksdb_get(db, read, "empty", 5, &length, &err);
  CHECK(value != NULL && length == 0); /* Empty is not "not found". */
  rocksdb_free(value);

  pinned = rocksdb_get_pinned(db, read, "k", 1, &err);
  CHECK_BYTES(rocksdb_pinnableslice_value(pinned, &length), length, "value");
  rocksdb_pinnableslice_destroy(pinned);
  CHECK(rocksdb_get_pinned(db, read, "no", 2, &err) == NULL);
  handle = rocksdb_get_pinned_v2(db, read, "k", 1, &err);
  CHECK_BYTES(rocksdb_pinnable_handle_get_value(handle, &length), length,
              "value");
  rocksdb_pinnable_handle_destroy(handle);

  CHECK(rocksdb_get_into_buffer(db, read, "k", 1, buffer, sizeof(buffer),
                                &length, &found, &err) == 0);
  CHECK(found == 1 && length == 5); /* Too long for the buffer. */
  PutText(db, "s", "abc");
  CHECK(rocksdb_get_into_buffer(db, read, "s", 1, buffer, sizeof(buffer),
                                &length, &found, &err) == 1);
  CHECK_BYTES(buffer, length, "abc");
  CHECK(rocksdb_get_into_buffer(db, read, "no", 2, buffer, sizeof(buffer),
                                &length, &found, &err) == 0);
  CHECK(found == 0);
  CHECK(rocksdb_key_may_exist(db, read, "k", 1, &value, &length, NULL, 0,
                              &found) == 1);
  CHECK(found == 1);
  CHECK_BYTES(value, length, "value");
  rocksdb_free(value);
  CHECK_OK(err);
  rocksdb_readoptions_destroy(read);
}

/* More keys than the library keeps in place, every other one missing. */
static void ManyKeys(rocksdb_t* db) {
  enum { kCount = 50 };
  static char names[kCount][8];
  const char* keys[kCount];
  size_t sizes[kCount];
  char* values[kCount];
  size_t value_sizes[kCount];
  char* errs[kCount];
  rocksdb_pinnableslice_t* pinned[kCount];
  rocksdb_slice_t slices[kCount];
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_column_family_handle_t* family =
      rocksdb_get_default_column_family_handle(db);
  size_t length;
  int counts[2] = {3, kCount};
  int i, round;
  for (i = 0; i < kCount; ++i) {
    snprintf(names[i], sizeof(names[i]), "m%02d", i);
    if (i % 2 == 0) PutText(db, names[i], names[i]);
    keys[i] = names[i];
    sizes[i] = 3;
    slices[i].data = names[i];
    slices[i].size = 3;
  }
  for (round = 0; round < 2; ++round) {
    const size_t count = (size_t)counts[round];
    rocksdb_multi_get(db, read, count, keys, sizes, values, value_sizes, errs);
    for (i = 0; i < counts[round]; ++i) {
      CHECK(errs[i] == NULL);
      CHECK((values[i] != NULL) == (i % 2 == 0));
      if (values[i] != NULL) CHECK_BYTES(values[i], value_sizes[i], names[i]);
      rocksdb_free(values[i]);
    }
    rocksdb_batched_multi_get_cf(db, read, family, count, keys, sizes, pinned,
                                 errs, true);
    for (i = 0; i < counts[round]; ++i) {
      CHECK((pinned[i] != NULL) == (i % 2 == 0));
      if (pinned[i] != NULL) {
        const char* value = rocksdb_pinnableslice_value(pinned[i], &length);
        CHECK_BYTES(value, length, names[i]);
      }
      rocksdb_pinnableslice_destroy(pinned[i]);
    }
    rocksdb_batched_multi_get_cf_slice(db, read, family, count, slices, pinned,
                                       errs, false);
    for (i = 0; i < counts[round]; ++i) {
      CHECK((pinned[i] != NULL) == (i % 2 == 0));
      rocksdb_pinnableslice_destroy(pinned[i]);
    }
  }
  rocksdb_column_family_handle_destroy(family);
  rocksdb_readoptions_destroy(read);
}

static void Iterators(rocksdb_t* db) {
  char* err = NULL;
  size_t length;
  int count = 0;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_iterator_t* it;
  rocksdb_readoptions_set_iterate_lower_bound(read, "m10", 3);
  rocksdb_readoptions_set_iterate_upper_bound(read, "m20", 3);
  it = rocksdb_create_iterator(db, read);
  CHECK(!rocksdb_iter_valid(it));
  for (rocksdb_iter_seek_to_first(it); rocksdb_iter_valid(it);
       rocksdb_iter_next(it)) {
    rocksdb_slice_t key = rocksdb_iter_key_slice(it);
    rocksdb_slice_t value = rocksdb_iter_value_slice(it);
    CHECK(key.size == value.size);
    CHECK(memcmp(key.data, value.data, key.size) == 0);
    ++count;
  }
  CHECK(count == 5); /* m10, m12, ..., m18 */
  rocksdb_iter_get_error(it, &err);
  CHECK_OK(err);
  rocksdb_iter_seek_to_last(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "m18");
  rocksdb_iter_prev(it);
  CHECK_BYTES(rocksdb_iter_value(it, &length), length, "m16");
  rocksdb_iter_seek(it, "m13", 3);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "m14");
  rocksdb_iter_seek_for_prev(it, "m13", 3);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "m12");
  PutText(db, "m13", "m13");
  rocksdb_iter_refresh(it, &err);
  CHECK_OK(err);
  rocksdb_iter_seek(it, "m13", 3);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "m13");
  rocksdb_iter_destroy(it);
  rocksdb_readoptions_destroy(read);
}

static void CountPut(void* state, const char* k, size_t klen, const char* v,
                     size_t vlen) {
  CHECK(klen > 0 && k != NULL && v != NULL);
  *(int*)state += (int)vlen;
}
static void CountDelete(void* state, const char* k, size_t klen) {
  CHECK(klen > 0 && k != NULL);
  *(int*)state += 1000;
}

static void Batches(rocksdb_t* db) {
  char* err = NULL;
  const char* pieces[2] = {"b", "ig"};
  const size_t sizes[2] = {1, 2};
  int seen = 0;
  size_t size;
  const char* data;
  char* value;
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_t* copy;
  rocksdb_writebatch_put(batch, "a", 1, "one", 3);
  rocksdb_writebatch_putv(batch, 2, pieces, sizes, 2, pieces, sizes);
  rocksdb_writebatch_delete(batch, "k", 1);
  rocksdb_writebatch_set_save_point(batch);
  rocksdb_writebatch_put(batch, "undone", 6, "x", 1);
  CHECK(rocksdb_writebatch_count(batch) == 4);
  rocksdb_writebatch_rollback_to_save_point(batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_pop_save_point(batch, &err);
  CHECK_ERROR(err, "NotFound");
  rocksdb_writebatch_iterate(batch, &seen, CountPut, CountDelete);
  CHECK(seen == 1006);
  data = rocksdb_writebatch_data(batch, &size);
  copy = rocksdb_writebatch_create_from(data, size);
  rocksdb_writebatch_destroy(batch);
  rocksdb_write(db, write, copy, &err);
  CHECK_OK(err);
  rocksdb_writebatch_clear(copy);
  CHECK(rocksdb_writebatch_count(copy) == 0);
  rocksdb_writebatch_destroy(copy);
  rocksdb_writeoptions_destroy(write);
  value = GetText(db, "big");
  CHECK_BYTES(value, strlen(value), "big");
  free(value);
  CHECK(GetText(db, "k") == NULL);
  CHECK(GetText(db, "undone") == NULL);
}

static void Ranges(rocksdb_t* db) {
  char* err = NULL;
  const char* begin[2] = {"r", "3"};
  const char* end[2] = {"r", "4"};
  const size_t sizes[2] = {1, 1};
  char* value;
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_column_family_handle_t* family =
      rocksdb_get_default_column_family_handle(db);
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  PutText(db, "r1", "1");
  PutText(db, "r2", "2");
  PutText(db, "r3", "3");
  PutText(db, "r4", "4");
  PutText(db, "r5", "5");
  rocksdb_delete_range_cf(db, write, family, "r1", 2, "r2", 2, &err);
  CHECK_OK(err);
  CHECK(GetText(db, "r1") == NULL);
  free(GetText(db, "r2"));
  rocksdb_delete_range_cf(db, write, family, "r2", 2, "r1", 2, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_writebatch_delete_range(batch, "r2", 2, "r3", 2);
  rocksdb_writebatch_delete_range_cf(batch, family, "r5", 2, "r6", 2);
  rocksdb_writebatch_delete_rangev(batch, 2, begin, sizes, end, sizes);
  rocksdb_writebatch_delete_rangev_cf(batch, family, 2, begin, sizes, end,
                                      sizes);
  CHECK(rocksdb_writebatch_count(batch) == 4);
  rocksdb_write(db, write, batch, &err);
  CHECK_OK(err);
  CHECK(GetText(db, "r2") == NULL);
  CHECK(GetText(db, "r3") == NULL);
  CHECK(GetText(db, "r5") == NULL);
  value = GetText(db, "r4");
  CHECK_BYTES(value, strlen(value), "4");
  free(value);
  rocksdb_writebatch_destroy(batch);
  rocksdb_column_family_handle_destroy(family);
  rocksdb_writeoptions_destroy(write);
}

static void SnapshotsAndFiles(rocksdb_t* db) {
  char* err = NULL;
  const char* starts[1] = {""};
  const char* limits[1] = {"zzz"};
  const size_t start_sizes[1] = {0};
  const size_t limit_sizes[1] = {3};
  uint64_t bytes = 0;
  size_t length;
  char* value;
  const rocksdb_livefiles_t* files;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  const rocksdb_snapshot_t* snapshot = rocksdb_create_snapshot(db);
  CHECK(rocksdb_snapshot_get_sequence_number(snapshot) ==
        rocksdb_get_latest_sequence_number(db));
  PutText(db, "a", "two");
  rocksdb_readoptions_set_snapshot(read, snapshot);
  value = rocksdb_get(db, read, "a", 1, &length, &err);
  CHECK_BYTES(value, length, "one");
  rocksdb_free(value);
  rocksdb_release_snapshot(db, snapshot);

  rocksdb_flush(db, flush, &err);
  CHECK_OK(err);
  rocksdb_approximate_sizes(db, 1, starts, start_sizes, limits, limit_sizes,
                            &bytes, &err);
  CHECK_OK(err);
  CHECK(bytes > 0);
  files = rocksdb_livefiles(db);
  CHECK(rocksdb_livefiles_count(files) == 1);
  CHECK(rocksdb_livefiles_size(files, 0) > 0);
  CHECK(strcmp(rocksdb_livefiles_column_family_name(files, 0), "default") == 0);
  CHECK_BYTES(rocksdb_livefiles_smallestkey(files, 0, &length), length, "a");
  rocksdb_livefiles_destroy(files);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  value = rocksdb_property_value(db, "rocksdb.num-files-at-level0");
  CHECK_BYTES(value, strlen(value), "0");
  rocksdb_free(value);
  CHECK(rocksdb_property_value(db, "no such property") == NULL);
  CHECK(rocksdb_property_int(db, "rocksdb.estimate-num-keys", &bytes) == 0);
  CHECK(bytes > 0);
  CHECK(rocksdb_property_int(db, "no such property", &bytes) == -1);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_readoptions_destroy(read);
}

static void Background(rocksdb_t* db) {
  char* err = NULL;
  size_t length = 0;
  char* identity;
  char* level0;
  rocksdb_wait_for_compact_options_t* wait =
      rocksdb_wait_for_compact_options_create();
  rocksdb_wait_for_compact_options_set_flush(wait, 1);
  PutText(db, "late", "x");
  rocksdb_wait_for_compact(db, wait, &err);
  CHECK_OK(err);
  rocksdb_wait_for_compact_options_destroy(wait);
  rocksdb_disable_file_deletions(db, &err);
  rocksdb_enable_file_deletions(db, &err);
  rocksdb_disable_manual_compaction(db);
  rocksdb_enable_manual_compaction(db);
  rocksdb_abort_all_compactions(db);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  level0 = rocksdb_property_value(db, "rocksdb.num-files-at-level0");
  CHECK(level0 != NULL && strcmp(level0, "0") != 0);
  rocksdb_free(level0);
  rocksdb_resume_all_compactions(db);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  level0 = rocksdb_property_value(db, "rocksdb.num-files-at-level0");
  CHECK_BYTES(level0, strlen(level0), "0");
  rocksdb_free(level0);
  rocksdb_flush_wal(db, 1, &err);
  CHECK_OK(err);
  identity = rocksdb_get_db_identity(db, &length);
  CHECK(identity != NULL && length > 0);
  rocksdb_free(identity);
  rocksdb_cancel_all_background_work(db, 1);
}

static void Counts(rocksdb_t* db) {
  rocksdb_perfcontext_t* context = rocksdb_perfcontext_create();
  char* text;
  rocksdb_set_perf_level(rocksdb_enable_time_except_for_mutex);
  rocksdb_perfcontext_reset(context);
  free(GetText(db, "followed"));
  CHECK(rocksdb_perfcontext_metric(context, rocksdb_get_from_memtable_count) ==
        1);
  CHECK(rocksdb_perfcontext_metric(context, rocksdb_get_from_memtable_time) >
        0);
  CHECK(rocksdb_perfcontext_metric(context, -1) == 0);
  CHECK(rocksdb_perfcontext_metric(context, 12345) == 0);
  text = rocksdb_perfcontext_report(context, 1);
  CHECK(strstr(text, "get_from_memtable_count = 1, ") != NULL);
  CHECK(strstr(text, "blob_read_count") == NULL);
  rocksdb_free(text);
  rocksdb_set_perf_level(rocksdb_enable_count);
  rocksdb_perfcontext_destroy(context);
}

static void Updates(rocksdb_t* db) {
  char* err = NULL;
  uint64_t sequence = 0;
  const uint64_t last = rocksdb_get_latest_sequence_number(db);
  rocksdb_writebatch_t* batch;
  rocksdb_wal_iterator_t* iter =
      rocksdb_get_updates_since(db, last, NULL, &err);
  CHECK_OK(err);
  CHECK(rocksdb_wal_iter_valid(iter));
  batch = rocksdb_wal_iter_get_batch(iter, &sequence);
  CHECK(sequence == last);
  CHECK(rocksdb_writebatch_count(batch) == 1);
  rocksdb_writebatch_destroy(batch);
  rocksdb_wal_iter_next(iter);
  CHECK(!rocksdb_wal_iter_valid(iter));
  rocksdb_wal_iter_status(iter, &err);
  CHECK_OK(err);
  rocksdb_wal_iter_destroy(iter);
  CHECK(rocksdb_get_updates_since(db, last + 1, NULL, &err) == NULL);
  CHECK_ERROR(err, "NotFound: ");
}

static void Secondary(rocksdb_options_t* options,
                      rocksdb_writeoptions_t* write) {
  char* err = NULL;
  char* value;
  char own[4096];
  rocksdb_t* db = rocksdb_open(options, PathOf("data"), &err);
  rocksdb_t* secondary;
  CHECK_OK(err);
  snprintf(own, sizeof(own), "%s", PathOf("secondary"));
  secondary = rocksdb_open_as_secondary(options, PathOf("data"), own, &err);
  CHECK_OK(err);
  rocksdb_put(db, write, "followed", 8, "yes", 3, &err);
  CHECK_OK(err);
  CHECK(GetText(secondary, "followed") == NULL);
  rocksdb_try_catch_up_with_primary(secondary, &err);
  CHECK_OK(err);
  value = GetText(secondary, "followed");
  CHECK_BYTES(value, strlen(value), "yes");
  free(value);
  rocksdb_put(secondary, write, "a", 1, "b", 1, &err);
  CHECK_ERROR(err, "Not implemented: ");
  rocksdb_try_catch_up_with_primary(db, &err);
  CHECK_ERROR(err, "Not implemented: ");
  Counts(db);
  Updates(db);
  rocksdb_close(secondary);
  rocksdb_close(db);
}

void CheckData(void) {
  char* err = NULL;
  char* value;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_t* db = OpenNew("data");
  ErrorsReplaceEachOther();
  PointReads(db);
  ManyKeys(db);
  Iterators(db);
  Batches(db);
  SnapshotsAndFiles(db);
  Ranges(db);
  Background(db);
  rocksdb_close(db);

  db = rocksdb_open_for_read_only(options, PathOf("data"), 0, &err);
  CHECK_OK(err);
  value = GetText(db, "a");
  CHECK_BYTES(value, strlen(value), "two");
  free(value);
  rocksdb_put(db, write, "a", 1, "b", 1, &err);
  CHECK_ERROR(err, "Not implemented: ");
  rocksdb_close(db);
  Secondary(options, write);
  rocksdb_writeoptions_destroy(write);
  rocksdb_options_destroy(options);
}
