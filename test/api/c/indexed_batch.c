/* Write batches that are read before they are written. */
#include "test/api/c/check.h"

struct Seen {
  int puts;
  int deletions;
};

static void SeePut(void* state, const char* k, size_t klen, const char* v,
                   size_t vlen) {
  CHECK(k != NULL && klen > 0 && v != NULL);
  ((struct Seen*)state)->puts += vlen > 0 ? 1 : 0;
}

static void SeeDeletion(void* state, const char* k, size_t klen) {
  CHECK(k != NULL && klen > 0);
  ++((struct Seen*)state)->deletions;
}

static void Fill(rocksdb_writebatch_wi_t* batch) {
  const char* const keys[] = {"v", "1"};
  const char* const values[] = {"x", "yz"};
  const char* const ends[] = {"v", "9"};
  const size_t ones[] = {1, 1};
  const size_t sizes[] = {1, 2};

  rocksdb_writebatch_wi_put(batch, "a", 1, "1", 1);
  rocksdb_writebatch_wi_delete(batch, "b", 1);
  rocksdb_writebatch_wi_singledelete(batch, "c", 1);
  rocksdb_writebatch_wi_putv(batch, 2, keys, ones, 2, values, sizes);
  rocksdb_writebatch_wi_put(batch, "v3", 2, "3", 1);
  rocksdb_writebatch_wi_delete_rangev(batch, 2, keys, ones, ends, ones);
  rocksdb_writebatch_wi_deletev(batch, 2, keys, ones);
  rocksdb_writebatch_wi_put(batch, "v2", 2, "2", 1);
  rocksdb_writebatch_wi_put_log_data(batch, "log", 3);
  CHECK(rocksdb_writebatch_wi_count(batch) == 8);
}

static void Alone(rocksdb_writebatch_wi_t* batch,
                  const rocksdb_options_t* options) {
  char* err = NULL;
  size_t length = 9;
  char* value = rocksdb_writebatch_wi_get_from_batch(batch, options, "a", 1,
                                                     &length, &err);
  CHECK_OK(err);
  CHECK_BYTES(value, length, "1");
  rocksdb_free(value);
  CHECK(rocksdb_writebatch_wi_get_from_batch(batch, options, "v3", 2, &length,
                                             &err) == NULL);
  CHECK_OK(err);
  CHECK(length == 0);
  rocksdb_writebatch_wi_set_save_point(batch);
  rocksdb_writebatch_wi_merge(batch, "m", 1, "x", 1);
  CHECK(rocksdb_writebatch_wi_get_from_batch(batch, options, "m", 1, &length,
                                             &err) == NULL);
  CHECK_ERROR(err, "Merge in progress");
  rocksdb_writebatch_wi_rollback_to_save_point(batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_wi_rollback_to_save_point(batch, &err);
  CHECK_ERROR(err, "NotFound");
}

static void Through(rocksdb_t* db, rocksdb_writebatch_wi_t* batch) {
  char* err = NULL;
  size_t length = 0;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_pinnableslice_t* pinned;
  rocksdb_iterator_t* it;
  char* value = rocksdb_writebatch_wi_get_from_batch_and_db(
      batch, db, read, "d", 1, &length, &err);
  CHECK_BYTES(value, length, "db");
  rocksdb_free(value);
  CHECK(rocksdb_writebatch_wi_get_from_batch_and_db(batch, db, read, "b", 1,
                                                    &length, &err) == NULL);
  pinned = rocksdb_writebatch_wi_get_pinned_from_batch_and_db(batch, db, read,
                                                              "a", 1, &err);
  CHECK_BYTES(rocksdb_pinnableslice_value(pinned, &length), length, "1");
  rocksdb_pinnableslice_destroy(pinned);
  CHECK(rocksdb_writebatch_wi_get_pinned_from_batch_and_db(
            batch, db, read, "no", 2, &err) == NULL);
  CHECK_OK(err);

  it = rocksdb_writebatch_wi_create_iterator_with_base(
      batch, rocksdb_create_iterator(db, read));
  rocksdb_iter_seek_to_first(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "a");
  rocksdb_iter_next(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "d");
  rocksdb_iter_next(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "v2");
  CHECK_BYTES(rocksdb_iter_value(it, &length), length, "2");
  rocksdb_iter_next(it);
  CHECK(!rocksdb_iter_valid(it));
  rocksdb_iter_destroy(it);
  rocksdb_readoptions_set_iterate_upper_bound(read, "v", 1);
  it = rocksdb_writebatch_wi_create_iterator_with_base_readopts(
      batch, rocksdb_create_iterator(db, read), read);
  rocksdb_iter_seek_to_last(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "d");
  rocksdb_iter_destroy(it);
  rocksdb_readoptions_destroy(read);
}

static void Families(rocksdb_t* db, const rocksdb_options_t* options) {
  char* err = NULL;
  size_t length = 0;
  const char* const keys[] = {"k"};
  const char* const values[] = {"v"};
  const size_t ones[] = {1};
  char* value;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_pinnableslice_t* pinned;
  rocksdb_iterator_t* it;
  rocksdb_column_family_handle_t* family =
      rocksdb_create_column_family(db, options, "other", &err);
  rocksdb_writebatch_wi_t* batch =
      rocksdb_writebatch_wi_create_with_params(NULL, 0, 1, 0, 0);
  CHECK_OK(err);
  rocksdb_writebatch_wi_put_cf(batch, family, "a", 1, "1", 1);
  rocksdb_writebatch_wi_putv_cf(batch, family, 1, keys, ones, 1, values, ones);
  rocksdb_writebatch_wi_delete_cf(batch, family, "d", 1);
  rocksdb_writebatch_wi_deletev_cf(batch, family, 1, keys, ones);
  rocksdb_writebatch_wi_singledelete_cf(batch, family, "s", 1);
  rocksdb_writebatch_wi_delete_range_cf(batch, family, "x", 1, "z", 1);
  rocksdb_writebatch_wi_delete_rangev_cf(batch, family, 1, keys, ones, keys,
                                         ones);
  value = rocksdb_writebatch_wi_get_from_batch_cf(batch, options, family, "a",
                                                  1, &length, &err);
  CHECK_BYTES(value, length, "1");
  rocksdb_free(value);
  value = rocksdb_writebatch_wi_get_from_batch_and_db_cf(
      batch, db, read, family, "a", 1, &length, &err);
  CHECK_BYTES(value, length, "1");
  rocksdb_free(value);
  pinned = rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf(
      batch, db, read, family, "a", 1, &err);
  CHECK_BYTES(rocksdb_pinnableslice_value(pinned, &length), length, "1");
  rocksdb_pinnableslice_destroy(pinned);
  it = rocksdb_writebatch_wi_create_iterator_with_base_cf(
      batch, rocksdb_create_iterator_cf(db, read, family), family);
  rocksdb_iter_seek_to_first(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "a");
  rocksdb_iter_next(it);
  CHECK(!rocksdb_iter_valid(it));
  rocksdb_iter_destroy(it);
  rocksdb_writebatch_wi_merge_cf(batch, family, "a", 1, "2", 1);
  rocksdb_writebatch_wi_mergev_cf(batch, family, 1, keys, ones, 1, values,
                                  ones);
  it = rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts(
      batch, rocksdb_create_iterator_cf(db, read, family), family, read);
  rocksdb_iter_seek_to_first(it); /* There is no merge operator. */
  CHECK(!rocksdb_iter_valid(it));
  rocksdb_iter_get_error(it, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_iter_destroy(it);
  rocksdb_writebatch_wi_destroy(batch);
  rocksdb_column_family_handle_destroy(family);
  rocksdb_readoptions_destroy(read);
}

void CheckIndexedBatches(void) {
  char* err = NULL;
  size_t length = 0;
  struct Seen seen = {0, 0};
  const char* const keys[] = {"w"};
  const size_t ones[] = {1};
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_writebatch_wi_t* batch = rocksdb_writebatch_wi_create(0, 1);
  rocksdb_t* db;
  char* text;
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open(options, PathOf("indexed"), &err);
  CHECK_OK(err);
  PutText(db, "b", "db");
  PutText(db, "d", "db");

  Fill(batch);
  Alone(batch, options);
  Through(db, batch);
  rocksdb_writebatch_wi_iterate(batch, &seen, SeePut, SeeDeletion);
  /* It ends at the range deletion, for which there is no callback. */
  CHECK(seen.puts == 3 && seen.deletions == 1);
  CHECK(rocksdb_writebatch_wi_data(batch, &length) != NULL && length > 12);
  rocksdb_write_writebatch_wi(db, write, batch, &err);
  CHECK_OK(err);
  text = GetText(db, "v2");
  CHECK(text != NULL && strcmp(text, "2") == 0);
  free(text);
  CHECK(GetText(db, "b") == NULL);

  rocksdb_writebatch_wi_clear(batch);
  CHECK(rocksdb_writebatch_wi_count(batch) == 0);
  rocksdb_writebatch_wi_delete_range(batch, "a", 1, "z", 1);
  rocksdb_writebatch_wi_mergev(batch, 1, keys, ones, 1, keys, ones);
  rocksdb_write_writebatch_wi(db, write, batch, &err);
  CHECK_OK(err);
  CHECK(GetText(db, "v2") == NULL);
  Families(db, options);
  rocksdb_writebatch_wi_destroy(batch);
  rocksdb_writeoptions_destroy(write);
  rocksdb_options_destroy(options);
  rocksdb_close(db);
}
