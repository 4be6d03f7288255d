/* Databases whose entries expire. */
#include "test/api/c/check.h"

void CheckTtl(void) {
  char* err = NULL;
  const char* const names[] = {"default", "brief"};
  const int ttls[] = {0, 100};
  const rocksdb_options_t* both[2];
  rocksdb_column_family_handle_t* handles[2];
  rocksdb_column_family_handle_t* family;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_t* db;
  char* text;
  size_t length = 0;
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open_with_ttl(options, PathOf("ttl"), 100, &err);
  CHECK_OK(err);
  PutText(db, "k", "value");
  family =
      rocksdb_create_column_family_with_ttl(db, options, "brief", 10, &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(family);
  rocksdb_close(db);

  both[0] = both[1] = options;
  db = rocksdb_open_column_families_with_ttl(options, PathOf("ttl"), 2, names,
                                             both, handles, ttls, &err);
  CHECK_OK(err);
  text = GetText(db, "k");
  CHECK(text != NULL && strcmp(text, "value") == 0);
  free(text);
  rocksdb_column_family_handle_destroy(handles[0]);
  rocksdb_column_family_handle_destroy(handles[1]);
  rocksdb_close(db);

  /* Without it the times at the ends of the values are there. */
  db = rocksdb_open(options, PathOf("ttl"), &err);
  CHECK_ERROR(err, "Invalid argument"); /* A family is missing. */
  db = rocksdb_open_column_families(options, PathOf("ttl"), 2, names, both,
                                    handles, &err);
  CHECK_OK(err);
  text = rocksdb_get(db, read, "k", 1, &length, &err);
  CHECK_OK(err);
  CHECK(length == 9 && memcmp(text, "value", 5) == 0);
  free(text);
  CHECK(rocksdb_create_column_family_with_ttl(db, options, "other", 10, &err) ==
        NULL);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_column_family_handle_destroy(handles[0]);
  rocksdb_column_family_handle_destroy(handles[1]);
  rocksdb_close(db);
  rocksdb_readoptions_destroy(read);
  rocksdb_options_destroy(options);
}
