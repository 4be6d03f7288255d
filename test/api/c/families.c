/* Column families: made, opened, listed, dropped; handles that live too long.
 */
#include "test/api/c/check.h"

static rocksdb_options_t* Creating(void) {
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_create_missing_column_families(options, 1);
  return options;
}

static void ListIs(const char* name, size_t count) {
  char* err = NULL;
  size_t length = 0;
  rocksdb_options_t* options = rocksdb_options_create();
  char** list =
      rocksdb_list_column_families(options, PathOf(name), &length, &err);
  CHECK_OK(err);
  CHECK(length == count);
  CHECK(strcmp(list[0], "default") == 0);
  rocksdb_list_column_families_destroy(list, length);
  rocksdb_options_destroy(options);
}

static void ListIsAnError(const char* name) {
  char* err = NULL;
  size_t length = 1;
  rocksdb_options_t* options = rocksdb_options_create();
  CHECK(rocksdb_list_column_families(options, PathOf(name), &length, &err) ==
        NULL);
  CHECK(length == 0);
  CHECK_ERROR(err, "IO error: No such file or directory: ");
  rocksdb_options_destroy(options);
}

typedef struct Seen {
  uint32_t put_id;
  uint32_t deleted_id;
} Seen;

static void SeePut(void* state, uint32_t id, const char* k, size_t klen,
                   const char* v, size_t vlen) {
  CHECK(k != NULL && klen == 1 && v != NULL && vlen == 1);
  ((Seen*)state)->put_id = id;
}
static void SeeDelete(void* state, uint32_t id, const char* k, size_t klen) {
  CHECK(k != NULL && klen == 1);
  ((Seen*)state)->deleted_id = id;
}

static void WriteAndRead(rocksdb_t* db,
                         rocksdb_column_family_handle_t** handles) {
  char* err = NULL;
  size_t length = 0;
  Seen seen = {77, 77};
  char* value;
  const char* keys[2] = {"x", "x"};
  const size_t key_sizes[2] = {1, 1};
  char* values[2];
  size_t sizes[2];
  char* errs[2];
  rocksdb_iterator_t* iterators[2];
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_put_cf(db, write, handles[0], "x", 1, "0", 1, &err);
  rocksdb_writebatch_put_cf(batch, handles[1], "x", 1, "1", 1);
  rocksdb_writebatch_delete_cf(batch, handles[0], "y", 1);
  rocksdb_writebatch_iterate_cf(batch, &seen, SeePut, SeeDelete, SeePut);
  CHECK(seen.put_id == rocksdb_column_family_handle_get_id(handles[1]));
  CHECK(seen.deleted_id == 0);
  rocksdb_write(db, write, batch, &err);
  CHECK_OK(err);
  rocksdb_multi_get_cf(db, read,
                       (const rocksdb_column_family_handle_t* const*)handles, 2,
                       keys, key_sizes, values, sizes, errs);
  CHECK_BYTES(values[0], sizes[0], "0");
  CHECK_BYTES(values[1], sizes[1], "1");
  rocksdb_free(values[0]);
  rocksdb_free(values[1]);
  rocksdb_create_iterators(db, read, handles, iterators, 2, &err);
  CHECK_OK(err);
  rocksdb_iter_seek_to_first(iterators[1]);
  CHECK_BYTES(rocksdb_iter_value(iterators[1], &length), length, "1");
  rocksdb_iter_destroy(iterators[0]);
  rocksdb_iter_destroy(iterators[1]);
  rocksdb_delete_cf(db, write, handles[1], "x", 1, &err);
  CHECK_OK(err);
  CHECK(rocksdb_get_cf(db, read, handles[1], "x", 1, &length, &err) == NULL);
  value = rocksdb_column_family_handle_get_name(handles[1], &length);
  CHECK_BYTES(value, length, "one");
  rocksdb_free(value);
  rocksdb_writebatch_destroy(batch);
  rocksdb_readoptions_destroy(read);
  rocksdb_writeoptions_destroy(write);
}

static void Metadata(rocksdb_t* db, rocksdb_column_family_handle_t** handles) {
  char* err = NULL;
  char* name;
  size_t i, files = 0;
  rocksdb_column_family_metadata_t* meta;
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_flush_cfs(db, flush, handles, 2, &err);
  CHECK_OK(err);
  meta = rocksdb_get_column_family_metadata_cf(db, handles[1]);
  name = rocksdb_column_family_metadata_get_name(meta);
  CHECK(strcmp(name, "one") == 0);
  rocksdb_free(name);
  for (i = 0; i < rocksdb_column_family_metadata_get_level_count(meta); ++i) {
    rocksdb_level_metadata_t* level =
        rocksdb_column_family_metadata_get_level_metadata(meta, i);
    files += rocksdb_level_metadata_get_file_count(level);
    CHECK(rocksdb_level_metadata_get_sst_file_metadata(level, 99) == NULL);
    rocksdb_level_metadata_destroy(level);
  }
  CHECK(files == rocksdb_column_family_metadata_get_file_count(meta));
  CHECK(rocksdb_column_family_metadata_get_level_metadata(meta, 99) == NULL);
  rocksdb_column_family_metadata_destroy(meta);
  rocksdb_flushoptions_destroy(flush);
}

void CheckFamilies(void) {
  char* err = NULL;
  size_t made = 0;
  char own[4096];
  const char* names[2] = {"default", "one"};
  const char* more[2] = {"two", "three"};
  const char* all[4] = {"default", "one", "two", "three"};
  rocksdb_column_family_handle_t* handles[4];
  rocksdb_column_family_handle_t** list;
  rocksdb_options_t* options = Creating();
  const rocksdb_options_t* each[4];
  rocksdb_t* db;
  each[0] = each[1] = each[2] = each[3] = options;
  rocksdb_destroy_db(options, PathOf("families"), &err);
  CHECK_OK(err);
  db = rocksdb_open_column_families(options, PathOf("families"), 2, names, each,
                                    handles, &err);
  CHECK_OK(err);
  WriteAndRead(db, handles);
  Metadata(db, handles);
  list = rocksdb_create_column_families(db, options, 2, more, &made, &err);
  CHECK_OK(err);
  CHECK(made == 2);
  rocksdb_drop_column_family(db, list[1], &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(list[0]);
  rocksdb_column_family_handle_destroy(list[1]);
  rocksdb_create_column_families_destroy(list);
  handles[2] = rocksdb_create_column_family(db, options, "one", &err);
  CHECK(handles[2] == NULL);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_column_family_handle_destroy(handles[0]);
  rocksdb_close(db);
  /* Bindings with finalizers destroy handles late. */
  rocksdb_column_family_handle_destroy(handles[1]);
  ListIs("families", 3);
  ListIsAnError("no families");

  CHECK(rocksdb_open_column_families(options, PathOf("families"), 1, names,
                                     each, handles, &err) == NULL);
  CHECK_ERROR(err, "Invalid argument: ");
  db = rocksdb_open_for_read_only_column_families(
      options, PathOf("families"), 3, all, each, handles, 0, &err);
  CHECK_OK(err);
  for (made = 0; made < 3; ++made) {
    rocksdb_column_family_handle_destroy(handles[made]);
  }
  rocksdb_close(db);
  snprintf(own, sizeof(own), "%s", PathOf("families2"));
  db = rocksdb_open_as_secondary_column_families(
      options, PathOf("families"), own, 3, all, each, handles, &err);
  CHECK_OK(err);
  for (made = 0; made < 3; ++made) {
    rocksdb_column_family_handle_destroy(handles[made]);
  }
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}
