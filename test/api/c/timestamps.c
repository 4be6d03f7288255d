/* User timestamps: a comparator of callbacks, writes with a time, reads at one,
   and history that is forgotten. */
#include "test/api/c/check.h"

enum { kTimeBytes = 8 };

/* The time as bytes that live until the same place is used again. */
static const char* Time(int place, uint64_t number) {
  static char bytes[8][kTimeBytes];
  int i;
  for (i = 0; i < kTimeBytes; ++i) {
    bytes[place][i] = (char)(number >> (8 * i) & 0xff);
  }
  return bytes[place];
}

static uint64_t NumberOf(const char* ts, size_t length) {
  uint64_t number = 0;
  size_t i;
  CHECK(ts != NULL && length == kTimeBytes);
  for (i = length; i > 0; --i) number = number << 8 | (unsigned char)ts[i - 1];
  return number;
}

static int CompareBytes(const char* a, size_t alen, const char* b,
                        size_t blen) {
  const int order = memcmp(a, b, alen < blen ? alen : blen);
  if (order != 0) return order;
  return alen < blen ? -1 : alen > blen ? 1 : 0;
}
static int CompareTimes(void* state, const char* a, size_t alen, const char* b,
                        size_t blen) {
  const uint64_t first = NumberOf(a, alen);
  const uint64_t second = NumberOf(b, blen);
  CHECK(state != NULL);
  return first < second ? -1 : first > second ? 1 : 0;
}
static int CompareKeys(void* state, const char* a, size_t alen,
                       unsigned char a_has_ts, const char* b, size_t blen,
                       unsigned char b_has_ts) {
  CHECK(state != NULL);
  return CompareBytes(a, alen - (a_has_ts ? kTimeBytes : 0), b,
                      blen - (b_has_ts ? kTimeBytes : 0));
}
static int Compare(void* state, const char* a, size_t alen, const char* b,
                   size_t blen) {
  const int order = CompareKeys(state, a, alen, 1, b, blen, 1);
  if (order != 0) return order;
  return CompareTimes(state, b + blen - kTimeBytes, kTimeBytes,
                      a + alen - kTimeBytes, kTimeBytes);
}
static const char* Name(void* state) {
  CHECK(state != NULL);
  return "leveldb.BytewiseComparator.u64ts";
}
static void CountDestroyed(void* state) { ++*(int*)state; }

/* A database whose families both have timestamps. */
typedef struct Stamped {
  int destroyed;
  rocksdb_comparator_t* comparator;
  rocksdb_options_t* options;
  rocksdb_writeoptions_t* write;
  rocksdb_t* db;
  rocksdb_column_family_handle_t* families[2];
} Stamped;

static void Open(Stamped* stamped) {
  char* err = NULL;
  const char* names[2] = {"default", "other"};
  const rocksdb_options_t* each[2];
  each[0] = each[1] = stamped->options;
  stamped->db =
      rocksdb_open_column_families(stamped->options, PathOf("timestamps"), 2,
                                   names, each, stamped->families, &err);
  CHECK_OK(err);
}

static void Close(Stamped* stamped) {
  rocksdb_column_family_handle_destroy(stamped->families[0]);
  rocksdb_column_family_handle_destroy(stamped->families[1]);
  rocksdb_close(stamped->db);
}

static void Create(Stamped* stamped) {
  char* err = NULL;
  stamped->destroyed = 0;
  stamped->comparator = rocksdb_comparator_with_ts_create(
      &stamped->destroyed, CountDestroyed, Compare, CompareTimes, CompareKeys,
      Name, kTimeBytes);
  stamped->options = rocksdb_options_create();
  stamped->write = rocksdb_writeoptions_create();
  rocksdb_options_set_comparator(stamped->options, stamped->comparator);
  rocksdb_options_set_create_if_missing(stamped->options, 1);
  rocksdb_options_set_create_missing_column_families(stamped->options, 1);
  rocksdb_destroy_db(stamped->options, PathOf("timestamps"), &err);
  CHECK_OK(err);
  Open(stamped);
}

static void Destroy(Stamped* stamped) {
  Close(stamped);
  rocksdb_writeoptions_destroy(stamped->write);
  rocksdb_options_destroy(stamped->options);
  CHECK(stamped->destroyed == 0);
  rocksdb_comparator_destroy(stamped->comparator);
  CHECK(stamped->destroyed == 1);
}

/* The value of the key in the family at that time, and the time of the entry;
   "" and 0 if there is none. Family 0 is also read without its handle. */
static void ValueIs(Stamped* stamped, int family, const char* key, uint64_t at,
                    const char* value, uint64_t time) {
  int way;
  for (way = family; way < 2; ++way) {
    char* err = NULL;
    char* ts = NULL;
    size_t tslen = 7;
    size_t length = 7;
    char* found;
    rocksdb_readoptions_t* read = rocksdb_readoptions_create();
    rocksdb_readoptions_set_timestamp(read, Time(0, at), kTimeBytes);
    if (way == 0) {
      found = rocksdb_get_with_ts(stamped->db, read, key, strlen(key), &length,
                                  &ts, &tslen, &err);
    } else {
      found =
          rocksdb_get_cf_with_ts(stamped->db, read, stamped->families[family],
                                 key, strlen(key), &length, &ts, &tslen, &err);
    }
    CHECK_OK(err);
    if (time == 0) {
      CHECK(found == NULL && length == 0 && ts == NULL && tslen == 0);
    } else {
      CHECK_BYTES(found, length, value);
      CHECK(NumberOf(ts, tslen) == time);
    }
    rocksdb_free(found);
    rocksdb_free(ts);
    rocksdb_readoptions_destroy(read);
  }
}

static void SingleWrites(Stamped* stamped) {
  char* err = NULL;
  rocksdb_column_family_handle_t* other = stamped->families[1];
  rocksdb_t* db = stamped->db;
  rocksdb_put_with_ts(db, stamped->write, "k", 1, Time(0, 10), kTimeBytes, "a",
                      1, &err);
  rocksdb_put_with_ts(db, stamped->write, "k", 1, Time(0, 20), kTimeBytes, "b",
                      1, &err);
  rocksdb_put_with_ts(db, stamped->write, "s", 1, Time(0, 20), kTimeBytes, "c",
                      1, &err);
  rocksdb_delete_with_ts(db, stamped->write, "k", 1, Time(0, 30), kTimeBytes,
                         &err);
  rocksdb_singledelete_with_ts(db, stamped->write, "s", 1, Time(0, 30),
                               kTimeBytes, &err);
  CHECK_OK(err);
  rocksdb_put_cf_with_ts(db, stamped->write, other, "k", 1, Time(0, 15),
                         kTimeBytes, "A", 1, &err);
  rocksdb_put_cf_with_ts(db, stamped->write, other, "s", 1, Time(0, 15),
                         kTimeBytes, "B", 1, &err);
  rocksdb_delete_cf_with_ts(db, stamped->write, other, "k", 1, Time(0, 25),
                            kTimeBytes, &err);
  rocksdb_singledelete_cf_with_ts(db, stamped->write, other, "s", 1,
                                  Time(0, 25), kTimeBytes, &err);
  CHECK_OK(err);
  rocksdb_put(db, stamped->write, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_put_with_ts(db, stamped->write, "k", 1, "short", 5, "v", 1, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  ValueIs(stamped, 0, "k", 9, "", 0);
  ValueIs(stamped, 0, "k", 10, "a", 10);
  ValueIs(stamped, 0, "k", 29, "b", 20);
  ValueIs(stamped, 0, "k", 30, "", 0);
  ValueIs(stamped, 0, "s", 29, "c", 20);
  ValueIs(stamped, 0, "s", 31, "", 0);
  ValueIs(stamped, 1, "k", 24, "A", 15);
  ValueIs(stamped, 1, "k", 25, "", 0);
  ValueIs(stamped, 1, "s", 24, "B", 15);
  ValueIs(stamped, 1, "s", 25, "", 0);
}

static void Batches(Stamped* stamped) {
  char* err = NULL;
  rocksdb_column_family_handle_t** families = stamped->families;
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put_cf_with_ts(batch, families[0], "b", 1, Time(0, 40),
                                    kTimeBytes, "x", 1);
  rocksdb_writebatch_put_cf_with_ts(batch, families[1], "b", 1, Time(0, 40),
                                    kTimeBytes, "y", 1);
  rocksdb_writebatch_put_cf_with_ts(batch, families[1], "c", 1, Time(0, 40),
                                    kTimeBytes, "z", 1);
  rocksdb_writebatch_delete_cf_with_ts(batch, families[1], "b", 1, Time(0, 50),
                                       kTimeBytes);
  rocksdb_writebatch_singledelete_cf_with_ts(batch, families[1], "c", 1,
                                             Time(0, 50), kTimeBytes);
  CHECK(rocksdb_writebatch_count(batch) == 5);
  rocksdb_write(stamped->db, stamped->write, batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_destroy(batch);
  ValueIs(stamped, 0, "b", 60, "x", 40);
  ValueIs(stamped, 1, "b", 49, "y", 40);
  ValueIs(stamped, 1, "b", 50, "", 0);
  ValueIs(stamped, 1, "c", 49, "z", 40);
  ValueIs(stamped, 1, "c", 50, "", 0);
}

static size_t TimeSize(void* state, uint32_t family) {
  ++*(int*)state;
  return family < 2 ? kTimeBytes : SIZE_MAX;
}

/* Keys that get their timestamps when all of them are there. */
static void TimesSetLater(Stamped* stamped) {
  char* err = NULL;
  int asked = 0;
  rocksdb_column_family_handle_t* other = stamped->families[1];
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_wi_t* indexed = rocksdb_writebatch_wi_create(0, 0);
  rocksdb_writebatch_put_cf(batch, other, "l", 1, "x", 1);
  rocksdb_writebatch_put_cf(batch, other, "m", 1, "x", 1);
  rocksdb_writebatch_delete_cf(batch, other, "m", 1);
  CHECK(rocksdb_writebatch_count(batch) == 3);
  rocksdb_write(stamped->db, stamped->write, batch, &err);
  CHECK_ERROR(err, "Invalid argument: write batch must have timestamp(s) set");
  rocksdb_writebatch_update_timestamps(batch, "short", 5, &asked, TimeSize,
                                       &err);
  CHECK_ERROR(err, "Invalid argument: ");
  asked = 0;
  rocksdb_writebatch_update_timestamps(batch, Time(0, 50), kTimeBytes, &asked,
                                       TimeSize, &err);
  CHECK_OK(err);
  CHECK(asked == 3);
  rocksdb_write(stamped->db, stamped->write, batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_destroy(batch);
  ValueIs(stamped, 1, "l", 49, "", 0);
  ValueIs(stamped, 1, "l", 50, "x", 50);
  ValueIs(stamped, 1, "m", 50, "", 0);
  rocksdb_writebatch_wi_put_cf(indexed, other, "l", 1, "y", 1);
  rocksdb_writebatch_wi_update_timestamps(indexed, Time(0, 60), kTimeBytes,
                                          &asked, TimeSize, &err);
  CHECK_OK(err);
  rocksdb_write_writebatch_wi(stamped->db, stamped->write, indexed, &err);
  CHECK_OK(err);
  rocksdb_writebatch_wi_destroy(indexed);
  ValueIs(stamped, 1, "l", 59, "x", 50);
  ValueIs(stamped, 1, "l", 60, "y", 60);
}

/* The default family's need a batch that knows their size. */
static void TimesOfTheDefaultFamily(Stamped* stamped) {
  char* err = NULL;
  int asked = 0;
  rocksdb_writebatch_t* unaware = rocksdb_writebatch_create();
  rocksdb_writebatch_t* batch =
      rocksdb_writebatch_create_with_params(0, 0, 0, kTimeBytes);
  rocksdb_writebatch_put_cf(unaware, stamped->families[0], "n", 1, "x", 1);
  CHECK(rocksdb_writebatch_count(unaware) == 0);
  rocksdb_writebatch_put_cf(batch, stamped->families[0], "n", 1, "x", 1);
  rocksdb_writebatch_put(batch, "o", 1, "y", 1);
  rocksdb_writebatch_update_timestamps(batch, Time(0, 50), kTimeBytes, &asked,
                                       NULL, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_writebatch_update_timestamps(batch, Time(0, 50), kTimeBytes, &asked,
                                       TimeSize, &err);
  CHECK_OK(err);
  rocksdb_write(stamped->db, stamped->write, batch, &err);
  CHECK_OK(err);
  ValueIs(stamped, 0, "n", 49, "", 0);
  ValueIs(stamped, 0, "n", 50, "x", 50);
  ValueIs(stamped, 0, "o", 50, "y", 50);
  rocksdb_writebatch_destroy(unaware);
  rocksdb_writebatch_destroy(batch);
}

/* What a transaction writes gets the time of its commit, and what is newer than
   its reads is noticed. */
static void InTransactions(Stamped* stamped) {
  char* err = NULL;
  size_t length;
  char* value;
  rocksdb_transactiondb_options_t* how = rocksdb_transactiondb_options_create();
  rocksdb_transaction_options_t* txn_how = rocksdb_transaction_options_create();
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_transactiondb_t* db = rocksdb_transactiondb_open(
      stamped->options, how, PathOf("timed_transactions"), &err);
  rocksdb_transaction_t* txn;
  CHECK_OK(err);
  txn = rocksdb_transaction_begin(db, stamped->write, txn_how, NULL);
  rocksdb_transaction_put(txn, "t", 1, "x", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_ERROR(err, "Invalid argument: Must assign a commit timestamp");
  rocksdb_transaction_set_read_timestamp_for_validation(txn, 20);
  rocksdb_transaction_set_commit_timestamp(txn, 30);
  rocksdb_transaction_set_commit_timestamp(txn, 20); /* Is refused. */
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  rocksdb_readoptions_set_timestamp(read, Time(0, 29), kTimeBytes);
  CHECK(rocksdb_transactiondb_get(db, read, "t", 1, &length, &err) == NULL);
  CHECK_OK(err);
  rocksdb_readoptions_set_timestamp(read, Time(0, 30), kTimeBytes);
  value = rocksdb_transactiondb_get(db, read, "t", 1, &length, &err);
  CHECK_OK(err);
  CHECK_BYTES(value, length, "x");
  rocksdb_free(value);
  txn = rocksdb_transaction_begin(db, stamped->write, txn_how, txn);
  rocksdb_transaction_set_read_timestamp_for_validation(txn, 29);
  rocksdb_transaction_put(txn, "t", 1, "y", 1, &err);
  CHECK_ERROR(err, "Resource busy: ");
  rocksdb_transaction_destroy(txn);
  rocksdb_transactiondb_close(db);
  rocksdb_readoptions_destroy(read);
  rocksdb_transaction_options_destroy(txn_how);
  rocksdb_transactiondb_options_destroy(how);
}

static void ManyKeys(Stamped* stamped) {
  const char* keys[2] = {"k", "none"};
  const size_t key_sizes[2] = {1, 4};
  const rocksdb_column_family_handle_t* families[2];
  int way;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  families[0] = families[1] = stamped->families[0];
  rocksdb_readoptions_set_timestamp(read, Time(0, 25), kTimeBytes);
  for (way = 0; way < 2; ++way) {
    char* values[2] = {(char*)keys, (char*)keys};
    char* times[2] = {(char*)keys, (char*)keys};
    char* errs[2] = {(char*)keys, (char*)keys};
    size_t sizes[2] = {7, 7};
    size_t time_sizes[2] = {7, 7};
    if (way == 0) {
      rocksdb_multi_get_with_ts(stamped->db, read, 2, keys, key_sizes, values,
                                sizes, times, time_sizes, errs);
    } else {
      rocksdb_multi_get_cf_with_ts(stamped->db, read, families, 2, keys,
                                   key_sizes, values, sizes, times, time_sizes,
                                   errs);
    }
    CHECK_OK(errs[0]);
    CHECK_OK(errs[1]);
    CHECK_BYTES(values[0], sizes[0], "b");
    CHECK(NumberOf(times[0], time_sizes[0]) == 20);
    CHECK(values[1] == NULL && sizes[1] == 0);
    CHECK(times[1] == NULL && time_sizes[1] == 0);
    rocksdb_free(values[0]);
    rocksdb_free(times[0]);
  }
  rocksdb_readoptions_set_timestamp(read, NULL, 0);
  {
    char* err = NULL;
    size_t length;
    CHECK(rocksdb_get(stamped->db, read, "k", 1, &length, &err) == NULL);
    CHECK_ERROR(err, "Invalid argument: ");
  }
  rocksdb_readoptions_destroy(read);
}

static void Iterators(Stamped* stamped) {
  char* err = NULL;
  size_t length;
  rocksdb_slice_t ts;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_iterator_t* it;
  rocksdb_readoptions_set_timestamp(read, Time(0, 29), kTimeBytes);
  it = rocksdb_create_iterator(stamped->db, read);
  rocksdb_iter_seek(it, "k", 1);
  CHECK(rocksdb_iter_valid(it));
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "k");
  CHECK_BYTES(rocksdb_iter_value(it, &length), length, "b");
  CHECK(NumberOf(rocksdb_iter_timestamp(it, &length), kTimeBytes) == 20);
  CHECK(length == kTimeBytes);
  ts = rocksdb_iter_timestamp_slice(it);
  CHECK(NumberOf(ts.data, ts.size) == 20);
  rocksdb_iter_next(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "s");
  rocksdb_iter_next(it);
  CHECK(!rocksdb_iter_valid(it));
  rocksdb_iter_get_error(it, &err);
  CHECK_OK(err);
  rocksdb_iter_destroy(it);
  /* All entries from time 10 on. */
  rocksdb_readoptions_set_iter_start_ts(read, Time(1, 10), kTimeBytes);
  it = rocksdb_create_iterator(stamped->db, read);
  rocksdb_iter_seek(it, "k", 1);
  CHECK(NumberOf(rocksdb_iter_timestamp(it, &length), kTimeBytes) == 20);
  rocksdb_iter_next(it);
  CHECK(NumberOf(rocksdb_iter_timestamp(it, &length), kTimeBytes) == 10);
  CHECK_BYTES(rocksdb_iter_value(it, &length), length, "a");
  rocksdb_iter_destroy(it);
  rocksdb_readoptions_destroy(read);
}

static uint64_t TsLow(Stamped* stamped) {
  char* err = NULL;
  size_t length = 7;
  char* low = rocksdb_get_full_history_ts_low(stamped->db, stamped->families[0],
                                              &length, &err);
  uint64_t number = 0;
  CHECK_OK(err);
  CHECK(low != NULL);
  if (length > 0) number = NumberOf(low, length);
  rocksdb_free(low);
  return number;
}

static void ReadIsTooOld(Stamped* stamped, uint64_t at) {
  char* err = NULL;
  char* ts;
  size_t tslen, length;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_readoptions_set_timestamp(read, Time(0, at), kTimeBytes);
  CHECK(rocksdb_get_with_ts(stamped->db, read, "k", 1, &length, &ts, &tslen,
                            &err) == NULL);
  CHECK(ts == NULL);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_readoptions_destroy(read);
}

static void History(Stamped* stamped) {
  char* err = NULL;
  char low[kTimeBytes];
  rocksdb_compactoptions_t* compact = rocksdb_compactoptions_create();
  CHECK(TsLow(stamped) == 0);
  rocksdb_increase_full_history_ts_low(stamped->db, stamped->families[0],
                                       Time(0, 15), kTimeBytes, &err);
  CHECK_OK(err);
  CHECK(TsLow(stamped) == 15);
  ReadIsTooOld(stamped, 14);
  ValueIs(stamped, 0, "k", 15, "a", 10);
  rocksdb_increase_full_history_ts_low(stamped->db, stamped->families[0],
                                       Time(0, 14), kTimeBytes, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  memcpy(low, Time(0, 25), kTimeBytes);
  rocksdb_compactoptions_set_full_history_ts_low(compact, low, kTimeBytes);
  rocksdb_compactoptions_set_bottommost_level_compaction(compact, 2);
  rocksdb_compact_range_cf_opt(stamped->db, stamped->families[0], compact, NULL,
                               0, NULL, 0);
  CHECK(TsLow(stamped) == 25);
  ReadIsTooOld(stamped, 15);
  ValueIs(stamped, 0, "k", 25, "b", 20);
  ValueIs(stamped, 0, "k", 30, "", 0);
  rocksdb_compactoptions_set_full_history_ts_low(compact, NULL, 0);
  rocksdb_compact_range_cf_opt(stamped->db, stamped->families[0], compact, NULL,
                               0, NULL, 0);
  CHECK(TsLow(stamped) == 25);
  rocksdb_compactoptions_destroy(compact);
}

/* A file with two versions and a deletion; taken once. */
static void TableFiles(Stamped* stamped) {
  char* err = NULL;
  const char* paths[1];
  rocksdb_envoptions_t* env = rocksdb_envoptions_create();
  rocksdb_ingestexternalfileoptions_t* ingest =
      rocksdb_ingestexternalfileoptions_create();
  rocksdb_sstfilewriter_t* writer =
      rocksdb_sstfilewriter_create(env, stamped->options);
  rocksdb_sstfilewriter_open(writer, PathOf("timestamps.sst"), &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_put(writer, "x", 1, "v", 1, &err);
  CHECK_ERROR(err, "Invalid argument: Timestamp size mismatch");
  rocksdb_sstfilewriter_put_with_ts(writer, "x", 1, Time(0, 32), kTimeBytes,
                                    "v", 1, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_put_with_ts(writer, "x", 1, Time(0, 31), kTimeBytes,
                                    "u", 1, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_delete_with_ts(writer, "y", 1, Time(0, 31), kTimeBytes,
                                       &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_finish(writer, &err);
  CHECK_OK(err);
  paths[0] = PathOf("timestamps.sst");
  rocksdb_ingest_external_file(stamped->db, paths, 1, ingest, &err);
  CHECK_OK(err);
  ValueIs(stamped, 0, "x", 31, "u", 31);
  ValueIs(stamped, 0, "x", 32, "v", 32);
  ValueIs(stamped, 0, "y", 32, "", 0);
  rocksdb_ingest_external_file(stamped->db, paths, 1, ingest, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_ingestexternalfileoptions_destroy(ingest);
  rocksdb_envoptions_destroy(env);
}

static void PersistOption(void) {
  rocksdb_options_t* options = rocksdb_options_create();
  CHECK(rocksdb_options_get_persist_user_defined_timestamps(options) == 1);
  rocksdb_options_set_persist_user_defined_timestamps(options, 0);
  CHECK(rocksdb_options_get_persist_user_defined_timestamps(options) == 0);
  rocksdb_options_destroy(options);
}

/* Without what is later than 15. */
static void Trim(Stamped* stamped) {
  char* err = NULL;
  const char* names[2] = {"default", "other"};
  const rocksdb_options_t* each[2];
  Close(stamped);
  each[0] = each[1] = stamped->options;
  CHECK(rocksdb_open_and_trim_history(stamped->options, PathOf("timestamps"), 2,
                                      names, each, stamped->families, "short",
                                      5, &err) == NULL);
  CHECK_ERROR(err, "Invalid argument: ");
  stamped->db = rocksdb_open_and_trim_history(
      stamped->options, PathOf("timestamps"), 2, names, each, stamped->families,
      Time(1, 15), kTimeBytes, &err);
  CHECK_OK(err);
  ValueIs(stamped, 0, "k", 9, "", 0);
  ValueIs(stamped, 0, "k", 100, "a", 10);
  ValueIs(stamped, 0, "s", 100, "", 0);
  ValueIs(stamped, 1, "k", 100, "A", 15);
}

void CheckTimestamps(void) {
  Stamped stamped;
  Create(&stamped);
  SingleWrites(&stamped);
  Batches(&stamped);
  ManyKeys(&stamped);
  Iterators(&stamped);
  TimesSetLater(&stamped);
  TimesOfTheDefaultFamily(&stamped);
  InTransactions(&stamped);
  Close(&stamped);
  Open(&stamped);
  History(&stamped);
  Close(&stamped);
  Open(&stamped);
  CHECK(TsLow(&stamped) == 25);
  TableFiles(&stamped);
  Destroy(&stamped);
  Create(&stamped);
  SingleWrites(&stamped);
  Trim(&stamped);
  Destroy(&stamped);
  PersistOption();
}
