/* Comparators, merge operators, compaction filters, slice transforms and
   loggers made of callbacks. */
#define _POSIX_C_SOURCE 200112L
#include <unistd.h>

#include "test/api/c/check.h"

static int destroyed;
static void CountDestroyed(void* state) {
  (void)state;
  ++destroyed;
}

/* Bytes backwards. */
static int CompareBackwards(void* state, const char* a, size_t alen,
                            const char* b, size_t blen) {
  const size_t shorter = alen < blen ? alen : blen;
  const int order = memcmp(a, b, shorter);
  (void)state;
  if (order != 0) return -order;
  return alen < blen ? 1 : alen > blen ? -1 : 0;
}
static const char* BackwardsName(void* state) {
  (void)state;
  return "backwards";
}

/* Operands joined with '+'; an operand "bad" fails. */
static char* Join(const char* first, size_t first_length,
                  const char* const* operands, const size_t* sizes, int count,
                  unsigned char* success, size_t* length) {
  char* joined = (char*)malloc(1000);
  size_t used = 0;
  int i;
  if (first != NULL) {
    memcpy(joined, first, first_length);
    used = first_length;
  }
  *success = 1;
  for (i = 0; i < count; ++i) {
    if (sizes[i] == 3 && memcmp(operands[i], "bad", 3) == 0) *success = 0;
    if (used > 0) joined[used++] = '+';
    memcpy(joined + used, operands[i], sizes[i]);
    used += sizes[i];
  }
  *length = used;
  return joined;
}
static char* FullMerge(void* state, const char* key, size_t key_length,
                       const char* existing, size_t existing_length,
                       const char* const* operands, const size_t* sizes,
                       int count, unsigned char* success, size_t* length) {
  (void)state;
  CHECK(key != NULL && key_length > 0);
  return Join(existing, existing_length, operands, sizes, count, success,
              length);
}
static char* PartialMerge(void* state, const char* key, size_t key_length,
                          const char* const* operands, const size_t* sizes,
                          int count, unsigned char* success, size_t* length) {
  (void)state;
  CHECK(key != NULL && key_length > 0);
  return Join(NULL, 0, operands, sizes, count, success, length);
}
static const char* JoinName(void* state) {
  (void)state;
  return "join";
}

/* Drops keys that begin with 'd', changes those that begin with 'c'. */
static unsigned char Filter(void* state, int level, const char* key,
                            size_t key_length, const char* value,
                            size_t value_length, char** new_value,
                            size_t* new_length, unsigned char* changed) {
  static char other[] = "changed";
  (void)state;
  CHECK(level >= 0 && key_length > 0 && value != NULL && value_length > 0);
  if (key[0] == 'c') {
    *new_value = other;
    *new_length = strlen(other);
    *changed = 1;
  }
  return key[0] == 'd';
}
static const char* FilterName(void* state) {
  (void)state;
  return "filter";
}
static rocksdb_compactionfilter_t* MakeFilter(
    void* state, rocksdb_compactionfiltercontext_t* context) {
  CHECK(rocksdb_compactionfiltercontext_is_manual_compaction(context));
  return rocksdb_compactionfilter_create(state, CountDestroyed, Filter,
                                         FilterName);
}

static char* FirstByte(void* state, const char* key, size_t length,
                       size_t* out) {
  (void)state;
  *out = length > 0 ? 1 : 0;
  return (char*)key;
}
static unsigned char NotEmpty(void* state, const char* key, size_t length) {
  (void)state;
  (void)key;
  return length > 0;
}
static const char* FirstByteName(void* state) {
  (void)state;
  return "first byte";
}

static void CountLine(void* state, unsigned level, char* line, size_t length) {
  CHECK(level <= 5 && line != NULL);
  if (length > 0) ++*(int*)state;
}

static rocksdb_t* Open(rocksdb_options_t* options, const char* name) {
  char* err = NULL;
  rocksdb_t* db;
  rocksdb_destroy_db(options, PathOf(name), &err);
  CHECK_OK(err);
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open(options, PathOf(name), &err);
  CHECK_OK(err);
  return db;
}

static void FlushAndCompact(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_compactoptions_t* compact = rocksdb_compactoptions_create();
  rocksdb_flush(db, flush, &err);
  CHECK_OK(err);
  rocksdb_compactoptions_set_bottommost_level_compaction(compact, 2);
  rocksdb_compact_range_opt(db, compact, NULL, 0, NULL, 0);
  rocksdb_compactoptions_destroy(compact);
  rocksdb_flushoptions_destroy(flush);
}

static void Comparators(void) {
  char* err = NULL;
  size_t length;
  rocksdb_comparator_t* comparator = rocksdb_comparator_create(
      NULL, CountDestroyed, CompareBackwards, BackwardsName);
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_t* plain = rocksdb_options_create();
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_iterator_t* it;
  rocksdb_t* db;
  rocksdb_options_set_comparator(options, comparator);
  db = Open(options, "comparator");
  PutText(db, "a", "1");
  PutText(db, "b", "2");
  FlushAndCompact(db);
  PutText(db, "bb", "3");
  it = rocksdb_create_iterator(db, read);
  rocksdb_iter_seek_to_first(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "bb");
  rocksdb_iter_next(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "b");
  rocksdb_iter_destroy(it);
  rocksdb_close(db);
  CHECK(rocksdb_open(plain, PathOf("comparator"), &err) == NULL);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_readoptions_destroy(read);
  rocksdb_options_destroy(plain);
  rocksdb_options_destroy(options);
  destroyed = 0;
  rocksdb_comparator_destroy(comparator);
  CHECK(destroyed == 1);
}

static void MergeOperators(void) {
  char* err = NULL;
  char* value;
  int i;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  size_t length;
  rocksdb_t* db;
  rocksdb_options_set_merge_operator(
      options, rocksdb_mergeoperator_create(NULL, CountDestroyed, FullMerge,
                                            PartialMerge, NULL, JoinName));
  db = Open(options, "merge");
  PutText(db, "k", "a");
  rocksdb_merge(db, write, "k", 1, "b", 1, &err);
  rocksdb_merge(db, write, "k", 1, "c", 1, &err);
  rocksdb_merge(db, write, "new", 3, "x", 1, &err);
  CHECK_OK(err);
  for (i = 0; i < 2; ++i) {
    value = GetText(db, "k");
    CHECK_BYTES(value, strlen(value), "a+b+c");
    free(value);
    value = GetText(db, "new");
    CHECK_BYTES(value, strlen(value), "x");
    free(value);
    FlushAndCompact(db);
  }
  rocksdb_merge(db, write, "k", 1, "bad", 3, &err);
  CHECK_OK(err);
  CHECK(rocksdb_get(db, read, "k", 1, &length, &err) == NULL);
  CHECK_ERROR(err, "Corruption: ");
  rocksdb_close(db);
  rocksdb_readoptions_destroy(read);
  rocksdb_writeoptions_destroy(write);
  destroyed = 0;
  rocksdb_options_destroy(options);
  CHECK(destroyed == 1); /* The operator had changed hands. */
}

static void Filters(int by_factory) {
  char* value;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_compactionfilter_t* filter = NULL;
  rocksdb_t* db;
  if (by_factory) {
    rocksdb_options_set_compaction_filter_factory(
        options, rocksdb_compactionfilterfactory_create(
                     NULL, CountDestroyed, MakeFilter, FilterName));
  } else {
    filter = rocksdb_compactionfilter_create(NULL, CountDestroyed, Filter,
                                             FilterName);
    rocksdb_options_set_compaction_filter(options, filter);
  }
  destroyed = 0;
  db = Open(options, "filter");
  PutText(db, "c", "old");
  PutText(db, "d", "dropped");
  PutText(db, "k", "kept");
  FlushAndCompact(db);
  value = GetText(db, "c");
  CHECK_BYTES(value, strlen(value), "changed");
  free(value);
  CHECK(GetText(db, "d") == NULL);
  value = GetText(db, "k");
  CHECK_BYTES(value, strlen(value), "kept");
  free(value);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
  if (filter != NULL) rocksdb_compactionfilter_destroy(filter);
  CHECK(destroyed >= (by_factory ? 2 : 1));
}

static void TransformsAndLoggers(void) {
  char* value;
  int lines = 0;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_logger_t* logger =
      rocksdb_logger_create_callback_logger(1, CountLine, &lines);
  rocksdb_logger_t* got;
  rocksdb_t* db;
  rocksdb_logger_destroy(rocksdb_options_get_info_log(options));
  rocksdb_options_set_info_log(options, logger);
  got = rocksdb_options_get_info_log(options);
  CHECK(got != NULL);
  rocksdb_logger_destroy(got);
  rocksdb_logger_destroy(logger);
  rocksdb_options_set_prefix_extractor(
      options, rocksdb_slicetransform_create(NULL, CountDestroyed, FirstByte,
                                             NotEmpty, FirstByteName));
  db = Open(options, "transform");
  PutText(db, "abc", "1");
  FlushAndCompact(db);
  value = GetText(db, "abc");
  CHECK_BYTES(value, strlen(value), "1");
  free(value);
  rocksdb_close(db);
  CHECK(lines > 10);
  rocksdb_options_set_prefix_extractor(
      options, rocksdb_slicetransform_create_fixed_prefix(3));
  rocksdb_slicetransform_destroy(rocksdb_slicetransform_create_noop());
  rocksdb_options_destroy(options);
}

/* Lines of the stderr logger begin with its prefix, whatever is in it. */
static void PrefixesAreNoFormats(void) {
  char text[4096];
  size_t size;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_logger_t* logger = rocksdb_logger_create_stderr_logger(1, "100%d%s");
  FILE* lines = tmpfile();
  const int kept = dup(2);
  CHECK(lines != NULL && kept >= 0);
  rocksdb_options_set_info_log(options, logger);
  rocksdb_logger_destroy(logger);
  CHECK(dup2(fileno(lines), 2) == 2);
  rocksdb_close(Open(options, "stderr"));
  CHECK(dup2(kept, 2) == 2);
  close(kept);
  rewind(lines);
  size = fread(text, 1, sizeof(text) - 1, lines);
  text[size] = 0;
  CHECK(strncmp(text, "100%d%s ", 8) == 0);
  fclose(lines);
  rocksdb_options_destroy(options);
}

void CheckCallbacks(void) {
  Comparators();
  MergeOperators();
  Filters(0);
  Filters(1);
  TransformsAndLoggers();
  PrefixesAreNoFormats();
}
