/* A C99 program against the shared library, as a user would write one:
   c_api_program DIRECTORY. It ends with 1 and a place at the first surprise. */
#include <stdio.h>

#include "test/api/c/check.h"

static const char* directory;

const char* PathOf(const char* name) {
  static char path[4096];
  snprintf(path, sizeof(path), "%s/%s", directory, name);
  return path;
}

void PutText(rocksdb_t* db, const char* key, const char* value) {
  char* err = NULL;
  rocksdb_writeoptions_t* options = rocksdb_writeoptions_create();
  rocksdb_put(db, options, key, strlen(key), value, strlen(value), &err);
  CHECK_OK(err);
  rocksdb_writeoptions_destroy(options);
}

char* GetText(rocksdb_t* db, const char* key) {
  char* err = NULL;
  size_t length = 0;
  rocksdb_readoptions_t* options = rocksdb_readoptions_create();
  char* value = rocksdb_get(db, options, key, strlen(key), &length, &err);
  char* text = NULL;
  CHECK_OK(err);
  if (value != NULL) {
    text = (char*)malloc(length + 1);
    memcpy(text, value, length);
    text[length] = '\0';
  }
  rocksdb_free(value);
  rocksdb_readoptions_destroy(options);
  return text;
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  directory = argv[1];
  CheckData();
  CheckFamilies();
  CheckOptions();
  CheckCallbacks();
  CheckFiles();
  CheckBackups();
  CheckTimestamps();
  CheckIndexedBatches();
  CheckTtl();
  CheckTransactions();
  CheckOptimisticTransactions();
  CheckFields();
  CheckListeners();
  CheckMaintenance();
  CheckOptionObjects();
  CheckCompactionService();
  CheckTraces();
  printf("ok\n");
  return 0;
}
