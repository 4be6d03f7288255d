/* Transactions that lock their keys. */
#include <pthread.h>

#include "test/api/c/check.h"

struct Opened {
  rocksdb_transactiondb_t* db;
  rocksdb_column_family_handle_t* family;
  rocksdb_options_t* options;
  rocksdb_readoptions_t* read;
  rocksdb_writeoptions_t* write;
  rocksdb_transaction_options_t* txn_options;
};

static const char kTimeout[] =
    "Operation timed out: Timeout waiting to lock key";

static rocksdb_transaction_t* Begin(const struct Opened* o) {
  return rocksdb_transaction_begin(o->db, o->write, o->txn_options, NULL);
}

/* In the database, outside of transactions; `text` NULL: there is no such
   key. */
static void CheckValue(const struct Opened* o, const char* key,
                       const char* text) {
  char* err = NULL;
  size_t length = 9;
  char* value = rocksdb_transactiondb_get(o->db, o->read, key, strlen(key),
                                          &length, &err);
  CHECK_OK(err);
  if (text == NULL) {
    CHECK(value == NULL && length == 0);
    return;
  }
  CHECK_BYTES(value, length, text);
  rocksdb_free(value);
}

static void CheckPinned(rocksdb_pinnableslice_t* pinned, const char* text) {
  size_t length = 0;
  CHECK(pinned != NULL);
  CHECK_BYTES(rocksdb_pinnableslice_value(pinned, &length), length, text);
  rocksdb_pinnableslice_destroy(pinned);
}

/* Two answers of a lookup of many keys: `text`, and none. */
static void CheckAnswers(char** values, const size_t* sizes, char** errs,
                         const char* text) {
  CHECK_OK(errs[0]);
  CHECK_OK(errs[1]);
  CHECK_BYTES(values[0], sizes[0], text);
  CHECK(values[1] == NULL && sizes[1] == 0);
  rocksdb_free(values[0]);
}

static void Locks(const struct Opened* o) {
  char* err = NULL;
  size_t length = 0;
  char* value;
  rocksdb_transaction_t* one = Begin(o);
  rocksdb_transaction_t* two = Begin(o);
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_transaction_put(one, "k", 1, "one", 3, &err);
  CHECK_OK(err);
  rocksdb_transaction_put(two, "k", 1, "two", 3, &err);
  CHECK_ERROR(err, kTimeout);
  rocksdb_transaction_put(two, "k", 1, "two", 3, NULL);
  CHECK(rocksdb_transaction_get_for_update(two, o->read, "k", 1, &length, 0,
                                           &err) == NULL);
  CHECK_ERROR(err, kTimeout);
  CHECK(rocksdb_transaction_get_pinned_for_update(two, o->read, "k", 1, 1,
                                                  &err) == NULL);
  CHECK_ERROR(err, kTimeout);
  rocksdb_transactiondb_put(o->db, o->write, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, kTimeout);
  rocksdb_transactiondb_merge(o->db, o->write, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, kTimeout);
  rocksdb_transactiondb_delete(o->db, o->write, "k", 1, &err);
  CHECK_ERROR(err, kTimeout);
  rocksdb_writebatch_put(batch, "k", 1, "v", 1);
  rocksdb_transactiondb_write(o->db, o->write, batch, &err);
  CHECK_ERROR(err, kTimeout);
  /* The family has locks of its own. */
  rocksdb_transactiondb_put_cf(o->db, o->write, o->family, "k", 1, "f", 1,
                               &err);
  CHECK_OK(err);
  value = rocksdb_transaction_get(two, o->read, "k", 1, &length, &err);
  CHECK(value == NULL);
  CHECK_OK(err);
  rocksdb_transaction_commit(one, &err);
  CHECK_OK(err);
  CheckValue(o, "k", "one");

  /* Shared locks. */
  CHECK(rocksdb_transaction_begin(o->db, o->write, o->txn_options, one) == one);
  value = rocksdb_transaction_get_for_update(one, o->read, "k", 1, &length, 0,
                                             &err);
  CHECK_BYTES(value, length, "one");
  rocksdb_free(value);
  CheckPinned(
      rocksdb_transaction_get_pinned_for_update(two, o->read, "k", 1, 0, &err),
      "one");
  rocksdb_transaction_delete(two, "k", 1, &err);
  CHECK_ERROR(err, kTimeout);
  rocksdb_transaction_rollback(one, &err);
  rocksdb_transaction_delete(two, "k", 1, &err);
  rocksdb_transaction_commit(two, &err);
  CHECK_OK(err);
  CheckValue(o, "k", NULL);
  rocksdb_writebatch_destroy(batch);
  rocksdb_transaction_destroy(one);
  rocksdb_transaction_destroy(two);
}

struct Waiter {
  rocksdb_transaction_t* txn;
  char* err;
};

static void* WaitForFirst(void* argument) {
  struct Waiter* waiter = (struct Waiter*)argument;
  rocksdb_transaction_put(waiter->txn, "d1", 2, "2", 1, &waiter->err);
  if (waiter->err != NULL) rocksdb_transaction_rollback(waiter->txn, NULL);
  return NULL;
}

/* Each holds what the other one wants; one of them is refused. */
static void Deadlocks(const struct Opened* o) {
  char* err = NULL;
  pthread_t thread;
  struct Waiter waiter = {NULL, NULL};
  rocksdb_transaction_t* txn;
  rocksdb_transaction_options_set_deadlock_detect(o->txn_options, 1);
  rocksdb_transaction_options_set_lock_timeout(o->txn_options, 60000);
  txn = Begin(o);
  waiter.txn = Begin(o);
  rocksdb_transaction_options_set_deadlock_detect(o->txn_options, 0);
  rocksdb_transaction_options_set_lock_timeout(o->txn_options, 1);
  rocksdb_transaction_put(txn, "d1", 2, "1", 1, &err);
  rocksdb_transaction_put(waiter.txn, "d2", 2, "2", 1, &err);
  CHECK_OK(err);
  CHECK(pthread_create(&thread, NULL, WaitForFirst, &waiter) == 0);
  rocksdb_transaction_put(txn, "d2", 2, "1", 1, &err);
  if (err != NULL) rocksdb_transaction_rollback(txn, NULL);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK((err == NULL) != (waiter.err == NULL));
  if (err == NULL) err = waiter.err;
  CHECK_ERROR(err, "Resource busy: Deadlock");
  rocksdb_transaction_destroy(waiter.txn);
  rocksdb_transaction_destroy(txn);
}

static void Reads(const struct Opened* o) {
  char* err = NULL;
  size_t length = 0;
  const char* const keys[] = {"r", "none"};
  const size_t sizes[] = {1, 4};
  const rocksdb_column_family_handle_t* families[2];
  char* values[2];
  size_t lengths[2];
  char* errs[2];
  char* value;
  rocksdb_transaction_t* txn = Begin(o);
  rocksdb_transaction_t* other = Begin(o);
  families[0] = families[1] = o->family;
  rocksdb_transactiondb_put_cf(o->db, o->write, o->family, "r", 1, "family", 6,
                               &err);
  rocksdb_transaction_put(txn, "r", 1, "mine", 4, &err);
  CHECK_OK(err);
  CheckPinned(rocksdb_transaction_get_pinned(txn, o->read, "r", 1, &err),
              "mine");
  CHECK(rocksdb_transaction_get_pinned(txn, o->read, "none", 4, &err) == NULL);
  CheckPinned(
      rocksdb_transaction_get_pinned_cf(txn, o->read, o->family, "r", 1, &err),
      "family");
  CheckPinned(
      rocksdb_transaction_get_pinned_for_update(txn, o->read, "r", 1, 1, &err),
      "mine");
  CheckPinned(rocksdb_transaction_get_pinned_for_update_cf(
                  txn, o->read, o->family, "r", 1, 1, &err),
              "family");
  value = rocksdb_transaction_get_cf(txn, o->read, o->family, "r", 1, &length,
                                     &err);
  CHECK_BYTES(value, length, "family");
  rocksdb_free(value);
  value = rocksdb_transaction_get_for_update_cf(txn, o->read, o->family, "r", 1,
                                                &length, 1, &err);
  CHECK_BYTES(value, length, "family");
  rocksdb_free(value);
  CHECK_OK(err);

  rocksdb_transaction_multi_get(txn, o->read, 2, keys, sizes, values, lengths,
                                errs);
  CheckAnswers(values, lengths, errs, "mine");
  rocksdb_transaction_multi_get_cf(txn, o->read, families, 2, keys, sizes,
                                   values, lengths, errs);
  CheckAnswers(values, lengths, errs, "family");
  rocksdb_transaction_multi_get_for_update(txn, o->read, 2, keys, sizes, values,
                                           lengths, errs);
  CheckAnswers(values, lengths, errs, "mine");
  rocksdb_transaction_multi_get_for_update_cf(other, o->read, families, 2, keys,
                                              sizes, values, lengths, errs);
  CHECK(values[0] == NULL && values[1] == NULL);
  CHECK_ERROR(errs[0], kTimeout);
  CHECK_ERROR(errs[1], kTimeout);
  rocksdb_transaction_rollback(txn, &err);
  CHECK_OK(err);
  rocksdb_transaction_multi_get_for_update_cf(other, o->read, families, 2, keys,
                                              sizes, values, lengths, errs);
  CheckAnswers(values, lengths, errs, "family");
  rocksdb_transaction_destroy(other);
  rocksdb_transaction_destroy(txn);
}

static void Outside(const struct Opened* o) {
  char* err = NULL;
  size_t length = 0;
  const char* const keys[] = {"o", "none"};
  const size_t sizes[] = {1, 4};
  const rocksdb_column_family_handle_t* families[2];
  char* values[2];
  size_t lengths[2];
  char* errs[2];
  char* value;
  rocksdb_iterator_t* it;
  families[0] = families[1] = o->family;
  rocksdb_transactiondb_put(o->db, o->write, "o", 1, "1", 1, &err);
  rocksdb_transactiondb_put_cf(o->db, o->write, o->family, "o", 1, "f", 1,
                               &err);
  CHECK_OK(err);
  CheckPinned(rocksdb_transactiondb_get_pinned(o->db, o->read, "o", 1, &err),
              "1");
  CheckPinned(rocksdb_transactiondb_get_pinned_cf(o->db, o->read, o->family,
                                                  "o", 1, &err),
              "f");
  value = rocksdb_transactiondb_get_cf(o->db, o->read, o->family, "o", 1,
                                       &length, &err);
  CHECK_BYTES(value, length, "f");
  rocksdb_free(value);
  rocksdb_transactiondb_multi_get(o->db, o->read, 2, keys, sizes, values,
                                  lengths, errs);
  CheckAnswers(values, lengths, errs, "1");
  rocksdb_transactiondb_multi_get_cf(o->db, o->read, families, 2, keys, sizes,
                                     values, lengths, errs);
  CheckAnswers(values, lengths, errs, "f");
  it = rocksdb_transactiondb_create_iterator(o->db, o->read);
  rocksdb_iter_seek(it, "o", 1);
  CHECK_BYTES(rocksdb_iter_value(it, &length), length, "1");
  rocksdb_iter_destroy(it);
  it = rocksdb_transactiondb_create_iterator_cf(o->db, o->read, o->family);
  rocksdb_iter_seek(it, "o", 1);
  CHECK_BYTES(rocksdb_iter_value(it, &length), length, "f");
  rocksdb_iter_destroy(it);
  rocksdb_transactiondb_delete(o->db, o->write, "o", 1, &err);
  rocksdb_transactiondb_delete_cf(o->db, o->write, o->family, "o", 1, &err);
  CHECK_OK(err);
  CheckValue(o, "o", NULL);
  CHECK(rocksdb_transactiondb_get_cf(o->db, o->read, o->family, "o", 1, &length,
                                     &err) == NULL);
}

/* The families add numbers of eight bytes. */
static void Merges(const struct Opened* o) {
  char* err = NULL;
  size_t length = 0;
  const uint64_t two = 2;
  const char* operand = (const char*)&two;
  uint64_t sum = 0;
  char* value;
  rocksdb_transaction_t* txn = Begin(o);
  rocksdb_transactiondb_merge(o->db, o->write, "m", 1, operand, 8, &err);
  rocksdb_transactiondb_merge_cf(o->db, o->write, o->family, "m", 1, operand, 8,
                                 &err);
  rocksdb_transaction_merge(txn, "m", 1, operand, 8, &err);
  rocksdb_transaction_merge_cf(txn, o->family, "m", 1, operand, 8, &err);
  rocksdb_transaction_put_cf(txn, o->family, "p", 1, "v", 1, &err);
  rocksdb_transaction_delete_cf(txn, o->family, "p", 1, &err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  value = rocksdb_transactiondb_get(o->db, o->read, "m", 1, &length, &err);
  CHECK(value != NULL && length == 8);
  memcpy(&sum, value, 8);
  CHECK(sum == 4);
  rocksdb_free(value);
  value = rocksdb_transactiondb_get_cf(o->db, o->read, o->family, "m", 1,
                                       &length, &err);
  CHECK(value != NULL && length == 8);
  memcpy(&sum, value, 8);
  CHECK(sum == 4);
  rocksdb_free(value);
  rocksdb_transaction_destroy(txn);
}

static void Snapshots(const struct Opened* o) {
  char* err = NULL;
  size_t length = 0;
  const rocksdb_snapshot_t* snapshot;
  char* value;
  rocksdb_transaction_t* txn;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_transactiondb_put(o->db, o->write, "s", 1, "old", 3, &err);
  rocksdb_transaction_options_set_set_snapshot(o->txn_options, 1);
  txn = Begin(o);
  rocksdb_transaction_options_set_set_snapshot(o->txn_options, 0);
  snapshot = rocksdb_transactiondb_create_snapshot(o->db);
  rocksdb_transactiondb_put(o->db, o->write, "s", 1, "new", 3, &err);
  CHECK_OK(err);
  rocksdb_readoptions_set_snapshot(read, snapshot);
  value = rocksdb_transactiondb_get(o->db, read, "s", 1, &length, &err);
  CHECK_BYTES(value, length, "old");
  rocksdb_free(value);
  rocksdb_transactiondb_release_snapshot(o->db, snapshot);

  snapshot = rocksdb_transaction_get_snapshot(txn);
  rocksdb_readoptions_set_snapshot(read, snapshot);
  rocksdb_free((void*)snapshot);
  value = rocksdb_transaction_get(txn, read, "s", 1, &length, &err);
  CHECK_BYTES(value, length, "old");
  rocksdb_free(value);
  rocksdb_transaction_put(txn, "s", 1, "txn", 3, &err);
  CHECK_ERROR(err, "Resource busy: "); /* It changed after the snapshot. */
  rocksdb_transaction_set_commit_timestamp(txn, 1);
  rocksdb_transaction_set_read_timestamp_for_validation(txn, 1);
  rocksdb_transaction_destroy(txn);
  rocksdb_readoptions_destroy(read);
}

static void NamesAndBatches(const struct Opened* o) {
  char* err = NULL;
  size_t length = 9;
  char* text;
  rocksdb_transaction_t* txn = Begin(o);
  rocksdb_transaction_t* other = Begin(o);
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  text = rocksdb_transaction_get_name(txn, &length);
  CHECK(text != NULL && length == 0);
  rocksdb_free(text);
  rocksdb_transaction_set_name(txn, "na\0me", 5, &err);
  CHECK_OK(err);
  text = rocksdb_transaction_get_name(txn, &length);
  CHECK(length == 5 && memcmp(text, "na\0me", 5) == 0);
  rocksdb_free(text);
  rocksdb_transaction_set_name(other, "na\0me", 5, &err);
  CHECK_ERROR(err, "Invalid argument");
  CHECK(rocksdb_transactiondb_get_prepared_transactions(o->db, &length) ==
        NULL);
  CHECK(length == 0);

  rocksdb_writebatch_put(batch, "b", 1, "rebuilt", 7);
  rocksdb_transaction_set_savepoint(txn);
  rocksdb_transaction_rebuild_from_writebatch(txn, batch, &err);
  CHECK_OK(err);
  rocksdb_transaction_put(other, "b", 1, "v", 1, &err);
  CHECK_ERROR(err, kTimeout);
  rocksdb_transaction_rollback_to_savepoint(txn, &err);
  rocksdb_transaction_put(other, "b", 1, "v", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_rebuild_from_writebatch(txn, batch, &err);
  CHECK_ERROR(err, kTimeout);
  rocksdb_transaction_rollback(other, &err);
  rocksdb_transaction_rebuild_from_writebatch(txn, batch, &err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  CheckValue(o, "b", "rebuilt");
  rocksdb_transaction_commit(txn, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_transactiondb_write(o->db, o->write, batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_destroy(batch);
  rocksdb_transaction_destroy(other);
  rocksdb_transaction_destroy(txn);
}

static void Files(const struct Opened* o) {
  char* err = NULL;
  uint64_t number = 0;
  rocksdb_column_family_handle_t* families[1];
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_t* base = rocksdb_transactiondb_get_base_db(o->db);
  rocksdb_checkpoint_t* checkpoint;
  char* text;
  families[0] = o->family;
  rocksdb_transactiondb_flush_wal(o->db, 1, &err);
  rocksdb_transactiondb_flush(o->db, flush, &err);
  rocksdb_transactiondb_flush_cf(o->db, flush, o->family, &err);
  rocksdb_transactiondb_flush_cfs(o->db, flush, families, 1, &err);
  CHECK_OK(err);
  text = rocksdb_transactiondb_property_value(o->db,
                                              "rocksdb.num-files-at-level0");
  CHECK(text != NULL && strcmp(text, "0") != 0);
  rocksdb_free(text);
  CHECK(rocksdb_transactiondb_property_int(o->db, "rocksdb.estimate-num-keys",
                                           &number) == 0);
  CHECK(number > 0);
  CHECK(rocksdb_transactiondb_property_value(o->db, "no") == NULL);

  checkpoint = rocksdb_transactiondb_checkpoint_object_create(o->db, &err);
  CHECK_OK(err);
  rocksdb_checkpoint_create(checkpoint, PathOf("locks-copy"), 0, &err);
  CHECK_OK(err);
  rocksdb_checkpoint_object_destroy(checkpoint);

  text = GetText(base, "b");
  CHECK_BYTES(text, strlen(text), "rebuilt");
  free(text);
  rocksdb_transactiondb_close_base_db(base);
  rocksdb_flushoptions_destroy(flush);
}

#define CHECK_FIELD(type, field, value)                      \
  do {                                                       \
    rocksdb_##type##_set_##field(options, (value));          \
    CHECK(rocksdb_##type##_get_##field(options) == (value)); \
  } while (0)

static void DatabaseFields(void) {
  rocksdb_transactiondb_options_t* options =
      rocksdb_transactiondb_options_create();
  CHECK(rocksdb_transactiondb_options_get_max_num_locks(options) == -1);
  CHECK(rocksdb_transactiondb_options_get_num_stripes(options) == 16);
  CHECK(rocksdb_transactiondb_options_get_transaction_lock_timeout(options) ==
        1000);
  CHECK_FIELD(transactiondb_options, max_num_locks, -2);
  CHECK_FIELD(transactiondb_options, max_num_deadlocks, 4000000000u);
  CHECK_FIELD(transactiondb_options, num_stripes, (size_t)1 << 40);
  CHECK_FIELD(transactiondb_options, transaction_lock_timeout, -3);
  CHECK_FIELD(transactiondb_options, default_lock_timeout, (int64_t)1 << 40);
  CHECK_FIELD(transactiondb_options, write_policy, 2);
  CHECK_FIELD(transactiondb_options, rollback_merge_operands, 1);
  CHECK_FIELD(transactiondb_options, use_per_key_point_lock_mgr, 1);
  CHECK_FIELD(transactiondb_options, skip_concurrency_control, 1);
  CHECK_FIELD(transactiondb_options, default_write_batch_flush_threshold, -4);
  CHECK_FIELD(transactiondb_options, txn_commit_bypass_memtable_threshold, 5);
  CHECK_FIELD(transactiondb_options, enable_udt_validation, 0);
  rocksdb_transactiondb_options_destroy(options);
}

static void TransactionFields(void) {
  rocksdb_transaction_options_t* options = rocksdb_transaction_options_create();
  CHECK(rocksdb_transaction_options_get_skip_prepare(options) == 1);
  CHECK(rocksdb_transaction_options_get_deadlock_detect_depth(options) == 50);
  CHECK_FIELD(transaction_options, set_snapshot, 1);
  CHECK_FIELD(transaction_options, deadlock_detect, 1);
  CHECK_FIELD(transaction_options,
              use_only_the_last_commit_time_batch_for_recovery, 1);
  CHECK_FIELD(transaction_options, lock_timeout, -2);
  CHECK_FIELD(transaction_options, deadlock_timeout_us, (int64_t)1 << 40);
  CHECK_FIELD(transaction_options, expiration, 3);
  CHECK_FIELD(transaction_options, deadlock_detect_depth, 4);
  CHECK_FIELD(transaction_options, max_write_batch_size, (size_t)1 << 40);
  CHECK_FIELD(transaction_options, skip_concurrency_control, 1);
  CHECK_FIELD(transaction_options, skip_prepare, 0);
  CHECK_FIELD(transaction_options, write_batch_flush_threshold, -5);
  CHECK_FIELD(transaction_options, write_batch_track_timestamp_size, 1);
  CHECK_FIELD(transaction_options, commit_bypass_memtable, 1);
  CHECK_FIELD(transaction_options, large_txn_commit_optimize_threshold, 6);
  CHECK_FIELD(transaction_options, large_txn_commit_optimize_byte_threshold,
              (uint64_t)1 << 40);
  rocksdb_transaction_options_destroy(options);
}

static void OptionsCount(const struct Opened* o) {
  char* err = NULL;
  const char large[200] = "larger than the batch may become";
  rocksdb_transaction_t* txn;
  rocksdb_transaction_options_t* options = rocksdb_transaction_options_create();
  rocksdb_transaction_options_set_skip_prepare(options, 0);
  rocksdb_transaction_options_set_max_write_batch_size(options, 100);
  txn = rocksdb_transaction_begin(o->db, o->write, options, NULL);
  rocksdb_transaction_put(txn, "c", 1, "v", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_put(txn, "d", 1, large, sizeof(large), &err);
  CHECK_ERROR(err, "Operation aborted: Memory limit");
  rocksdb_transaction_commit(txn, &err);
  CHECK(err != NULL); /* It was not prepared. */
  rocksdb_free(err);
  rocksdb_transaction_destroy(txn);
  rocksdb_transaction_options_destroy(options);
}

static void Reopen(struct Opened* o,
                   rocksdb_transactiondb_options_t* db_options) {
  char* err = NULL;
  const char* const names[] = {"default", "other"};
  const rocksdb_options_t* both[2];
  rocksdb_column_family_handle_t* handles[2];
  rocksdb_column_family_handle_destroy(o->family);
  rocksdb_transactiondb_close(o->db);
  CHECK(rocksdb_transactiondb_open(o->options, db_options, PathOf("locks"),
                                   &err) == NULL);
  CHECK_ERROR(err, "Invalid argument"); /* A family is missing. */
  CHECK(rocksdb_transactiondb_open(o->options, db_options, PathOf("locks"),
                                   NULL) == NULL);
  both[0] = both[1] = o->options;
  o->db = rocksdb_transactiondb_open_column_families(
      o->options, db_options, PathOf("locks"), 2, names, both, handles, &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(handles[0]);
  o->family = handles[1];
  CheckValue(o, "b", "rebuilt");
}

void CheckTransactions(void) {
  char* err = NULL;
  struct Opened o;
  rocksdb_transactiondb_options_t* db_options =
      rocksdb_transactiondb_options_create();
  rocksdb_transactiondb_options_set_transaction_lock_timeout(db_options, 1);
  rocksdb_transactiondb_options_set_default_lock_timeout(db_options, 1);
  o.options = rocksdb_options_create();
  o.read = rocksdb_readoptions_create();
  o.write = rocksdb_writeoptions_create();
  o.txn_options = rocksdb_transaction_options_create();
  rocksdb_options_set_create_if_missing(o.options, 1);
  rocksdb_options_set_uint64add_merge_operator(o.options);
  o.db =
      rocksdb_transactiondb_open(o.options, db_options, PathOf("locks"), &err);
  CHECK_OK(err);
  o.family = rocksdb_transactiondb_create_column_family(o.db, o.options,
                                                        "other", &err);
  CHECK_OK(err);

  Locks(&o);
  Deadlocks(&o);
  Reads(&o);
  Outside(&o);
  Merges(&o);
  Snapshots(&o);
  NamesAndBatches(&o);
  Files(&o);
  DatabaseFields();
  TransactionFields();
  OptionsCount(&o);
  Reopen(&o, db_options);
  Locks(&o);

  rocksdb_column_family_handle_destroy(o.family);
  rocksdb_transactiondb_close(o.db);
  rocksdb_transactiondb_close(NULL);
  rocksdb_transaction_options_destroy(o.txn_options);
  rocksdb_transactiondb_options_destroy(db_options);
  rocksdb_writeoptions_destroy(o.write);
  rocksdb_readoptions_destroy(o.read);
  rocksdb_options_destroy(o.options);
}
