/* A table made outside a database and taken in. */
#include "test/api/c/check.h"

void CheckFiles(void) {
  char* err = NULL;
  char* value;
  char path[4096];
  const char* list[1];
  uint64_t size = 0;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_envoptions_t* env = rocksdb_envoptions_create();
  rocksdb_ingestexternalfileoptions_t* ingest =
      rocksdb_ingestexternalfileoptions_create();
  rocksdb_sstfilewriter_t* writer = rocksdb_sstfilewriter_create(env, options);
  rocksdb_checkpoint_t* checkpoint;
  rocksdb_t* db;
  snprintf(path, sizeof(path), "%s", PathOf("outside.sst"));
  rocksdb_sstfilewriter_open(writer, path, &err);
  rocksdb_sstfilewriter_put(writer, "b", 1, "from the file", 13, &err);
  rocksdb_sstfilewriter_delete(writer, "c", 1, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_put(writer, "a", 1, "too late", 8, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_sstfilewriter_finish(writer, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_file_size(writer, &size);
  CHECK(size > 0);
  rocksdb_sstfilewriter_destroy(writer);

  rocksdb_destroy_db(options, PathOf("ingest"), &err);
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open(options, PathOf("ingest"), &err);
  CHECK_OK(err);
  PutText(db, "b", "older");
  PutText(db, "c", "older");
  list[0] = path;
  rocksdb_ingestexternalfileoptions_set_move_files(ingest, 1);
  rocksdb_ingest_external_file(db, list, 1, ingest, &err);
  CHECK_OK(err);
  value = GetText(db, "b");
  CHECK_BYTES(value, strlen(value), "from the file");
  free(value);
  CHECK(GetText(db, "c") == NULL);
  list[0] = "/no/such/file.sst";
  rocksdb_ingest_external_file(db, list, 1, ingest, &err);
  CHECK(err != NULL);
  rocksdb_free(err);
  err = NULL;
  checkpoint = rocksdb_checkpoint_object_create(db, &err);
  CHECK_OK(err);
  rocksdb_destroy_db(options, PathOf("checkpoint"), &err);
  rocksdb_checkpoint_create(checkpoint, PathOf("checkpoint"), 0, &err);
  CHECK_OK(err);
  rocksdb_checkpoint_create(checkpoint, PathOf("checkpoint"), 0, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_checkpoint_object_destroy(checkpoint);
  rocksdb_close(db);
  db = rocksdb_open(options, PathOf("checkpoint"), &err);
  CHECK_OK(err);
  value = GetText(db, "b");
  CHECK_BYTES(value, strlen(value), "from the file");
  free(value);
  rocksdb_close(db);
  rocksdb_ingestexternalfileoptions_destroy(ingest);
  rocksdb_envoptions_destroy(env);
  rocksdb_options_destroy(options);
}
