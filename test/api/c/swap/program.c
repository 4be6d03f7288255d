/* A program for either library: built against an installed RocksDB's header,
   run with its library and with ours. Both must print the same, and each must
   read what the other wrote.

   program write DIRECTORY | program read DIRECTORY */
#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void Check(char* err) {
  if (err == NULL) return;
  printf("error: %s\n", err);
  exit(1);
}

static rocksdb_options_t* Options(void) {
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  rocksdb_cache_t* cache = rocksdb_cache_create_lru(1 << 20);
  rocksdb_block_based_options_set_block_cache(table, cache);
  rocksdb_block_based_options_set_filter_policy(
      table, rocksdb_filterpolicy_create_bloom(10));
  rocksdb_block_based_options_set_format_version(table, 5);
  rocksdb_options_set_block_based_table_factory(options, table);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_create_missing_column_families(options, 1);
  rocksdb_options_set_write_buffer_size(options, 64 << 10);
  rocksdb_options_set_compression(options, rocksdb_no_compression);
  rocksdb_options_set_max_open_files(options, 100);
  rocksdb_block_based_options_destroy(table);
  rocksdb_cache_destroy(cache);
  return options;
}

static void Write(rocksdb_t* db, rocksdb_column_family_handle_t** families) {
  char* err = NULL;
  char key[16], value[64];
  int i;
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  for (i = 0; i < 3000; ++i) {
    rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
    snprintf(key, sizeof(key), "key%06d", i);
    snprintf(value, sizeof(value), "value of %d and some more bytes", i);
    rocksdb_writebatch_put_cf(batch, families[0], key, strlen(key), value,
                              strlen(value));
    if (i % 3 == 0) {
      rocksdb_writebatch_put_cf(batch, families[1], value, strlen(value), key,
                                strlen(key));
    }
    rocksdb_write(db, write, batch, &err);
    Check(err);
    rocksdb_writebatch_destroy(batch);
    if (i % 7 == 0) {
      rocksdb_delete(db, write, key, strlen(key), &err);
      Check(err);
    }
  }
  rocksdb_flush(db, flush, &err);
  Check(err);
  rocksdb_compact_range(db, "key000100", 9, NULL, 0);
  rocksdb_put(db, write, "only in the log", 15, "x", 1, &err);
  Check(err);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_writeoptions_destroy(write);
}

static void Read(rocksdb_t* db, rocksdb_column_family_handle_t** families) {
  char* err = NULL;
  unsigned long hash = 5381;
  int count, family;
  size_t i, length;
  char* value;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  for (family = 0; family < 2; ++family) {
    rocksdb_iterator_t* it =
        rocksdb_create_iterator_cf(db, read, families[family]);
    count = 0;
    for (rocksdb_iter_seek_to_first(it); rocksdb_iter_valid(it);
         rocksdb_iter_next(it)) {
      const char* bytes = rocksdb_iter_key(it, &length);
      for (i = 0; i < length; ++i) hash = hash * 33 + (unsigned char)bytes[i];
      bytes = rocksdb_iter_value(it, &length);
      for (i = 0; i < length; ++i) hash = hash * 33 + (unsigned char)bytes[i];
      ++count;
    }
    rocksdb_iter_get_error(it, &err);
    Check(err);
    printf("family %d: %d entries, hash %lx\n", family, count, hash);
    rocksdb_iter_destroy(it);
  }
  value = rocksdb_get(db, read, "key000007", 9, &length, &err);
  Check(err);
  printf("deleted: %s\n", value == NULL ? "not found" : "found");
  value = rocksdb_get(db, read, "key000008", 9, &length, &err);
  Check(err);
  printf("kept: %.*s\n", (int)length, value);
  free(value);
  rocksdb_readoptions_destroy(read);
}

static void Errors(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_merge(db, write, "k", 1, "v", 1, &err);
  printf("merge without operator: %s\n", err == NULL ? "no error" : "error");
  free(err);
  printf("unknown property: %s\n",
         rocksdb_property_value(db, "nothing") == NULL ? "NULL" : "text");
  rocksdb_writeoptions_destroy(write);
}

int main(int argc, char** argv) {
  char* err = NULL;
  const char* names[2] = {"default", "second"};
  const rocksdb_options_t* each[2];
  rocksdb_column_family_handle_t* families[2];
  rocksdb_options_t* options = Options();
  rocksdb_t* db;
  if (argc != 3) return 2;
  each[0] = each[1] = options;
  db = rocksdb_open_column_families(options, argv[2], 2, names, each, families,
                                    &err);
  Check(err);
  if (strcmp(argv[1], "write") == 0) Write(db, families);
  Read(db, families);
  Errors(db);
  rocksdb_column_family_handle_destroy(families[0]);
  rocksdb_column_family_handle_destroy(families[1]);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
  return 0;
}
