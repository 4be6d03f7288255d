/* Checks of the C program: they print the place and end the program. */
#ifndef TEST_API_C_CHECK_H_
#define TEST_API_C_CHECK_H_

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rocksdb/c.h"

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

/* No error since the last check; `err` is a char* of the caller. */
#define CHECK_OK(err)                                            \
  do {                                                           \
    if ((err) != NULL) {                                         \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, (err)); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

/* An error whose text begins with `kind`; it is freed and cleared. */
#define CHECK_ERROR(err, kind)                                   \
  do {                                                           \
    CHECK((err) != NULL);                                        \
    if (strncmp((err), (kind), strlen(kind)) != 0) {             \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, (err)); \
      exit(1);                                                   \
    }                                                            \
    rocksdb_free(err);                                           \
    (err) = NULL;                                                \
  } while (0)

/* The bytes are those of the text. */
#define CHECK_BYTES(data, length, text)           \
  do {                                            \
    CHECK((data) != NULL);                        \
    CHECK((length) == strlen(text));              \
    CHECK(memcmp((data), (text), (length)) == 0); \
  } while (0)

/* "<directory of the test>/<name>", good until the next call. */
const char* PathOf(const char* name);

void CheckData(void);
void CheckFamilies(void);
void CheckOptions(void);
void CheckCallbacks(void);
void CheckFiles(void);
void CheckBackups(void);
void CheckTimestamps(void);
void CheckIndexedBatches(void);
void CheckTtl(void);
void CheckTransactions(void);
void CheckOptimisticTransactions(void);
void CheckFields(void);
void CheckListeners(void);
void CheckMaintenance(void);
void CheckOptionObjects(void);
void CheckCompactionService(void);
void CheckTraces(void);

/* Shared helpers: values of the default family. */
void PutText(rocksdb_t* db, const char* key, const char* value);
/* malloc'ed and zero-terminated; NULL when not found. */
char* GetText(rocksdb_t* db, const char* key);

#endif /* TEST_API_C_CHECK_H_ */
