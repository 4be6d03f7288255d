/* Transactions that are checked when they commit. */
#include "test/api/c/check.h"

struct Opened {
  rocksdb_optimistictransactiondb_t* db;
  rocksdb_t* base;
  rocksdb_options_t* options;
  rocksdb_readoptions_t* read;
  rocksdb_writeoptions_t* write;
  rocksdb_optimistictransaction_options_t* txn_options;
};

static rocksdb_transaction_t* Begin(const struct Opened* o) {
  return rocksdb_optimistictransaction_begin(o->db, o->write, o->txn_options,
                                             NULL);
}

static void Conflicts(const struct Opened* o) {
  char* err = NULL;
  size_t length = 9;
  char* text;
  rocksdb_transaction_t* txn = Begin(o);
  rocksdb_transaction_put(txn, "a", 1, "txn", 3, &err);
  CHECK_OK(err);
  PutText(o->base, "a", "other");
  rocksdb_transaction_commit(txn, NULL); /* An error without errptr. */
  rocksdb_transaction_commit(txn, &err);
  CHECK_ERROR(err, "Resource busy: ");
  rocksdb_transaction_rollback(txn, &err);
  CHECK_OK(err);

  /* A read for update conflicts, too; a plain one does not. */
  text = rocksdb_transaction_get_for_update(txn, o->read, "a", 1, &length, 1,
                                            &err);
  CHECK_BYTES(text, length, "other");
  rocksdb_free(text);
  PutText(o->base, "a", "newer");
  rocksdb_transaction_commit(txn, &err);
  CHECK_ERROR(err, "Resource busy: ");
  CHECK(rocksdb_optimistictransaction_begin(o->db, o->write, o->txn_options,
                                            txn) == txn);
  text = rocksdb_transaction_get(txn, o->read, "a", 1, &length, &err);
  CHECK_BYTES(text, length, "newer");
  rocksdb_free(text);
  PutText(o->base, "a", "newest");
  rocksdb_transaction_put(txn, "b", 1, "1", 1, &err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  CHECK(rocksdb_transaction_get(txn, o->read, "none", 4, &length, &err) ==
        NULL);
  CHECK_OK(err);
  CHECK(length == 0);

  rocksdb_transaction_prepare(txn, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_transaction_set_name(txn, "name", 4, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_transaction_destroy(txn);
}

static void SavePoints(const struct Opened* o) {
  char* err = NULL;
  size_t length;
  char* text;
  rocksdb_transaction_t* txn = Begin(o);
  rocksdb_transaction_put(txn, "s", 1, "1", 1, &err);
  rocksdb_transaction_set_savepoint(txn);
  rocksdb_transaction_put(txn, "s", 1, "2", 1, &err);
  rocksdb_transaction_delete(txn, "b", 1, &err);
  rocksdb_transaction_rollback_to_savepoint(txn, &err);
  CHECK_OK(err);
  rocksdb_transaction_rollback_to_savepoint(txn, &err);
  CHECK_ERROR(err, "NotFound");
  rocksdb_transaction_rollback_to_savepoint(txn, NULL);
  rocksdb_transaction_put_log_data(txn, "log", 3);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  rocksdb_transaction_destroy(txn);
  text = GetText(o->base, "s");
  CHECK_BYTES(text, strlen(text), "1");
  free(text);
  text = rocksdb_get(o->base, o->read, "b", 1, &length, &err);
  CHECK_BYTES(text, length, "1");
  rocksdb_free(text);
}

static void Snapshots(const struct Opened* o) {
  char* err = NULL;
  size_t length = 0;
  const rocksdb_snapshot_t* snapshot;
  char* text;
  rocksdb_transaction_t* txn;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_optimistictransaction_options_set_set_snapshot(o->txn_options, 1);
  CHECK(rocksdb_optimistictransaction_options_get_set_snapshot(
            o->txn_options) == 1);
  PutText(o->base, "snap", "old");
  txn = Begin(o);
  rocksdb_optimistictransaction_options_set_set_snapshot(o->txn_options, 0);
  PutText(o->base, "snap", "new");
  snapshot = rocksdb_transaction_get_snapshot(txn);
  CHECK(rocksdb_snapshot_get_sequence_number(snapshot) <
        rocksdb_get_latest_sequence_number(o->base));
  rocksdb_readoptions_set_snapshot(read, snapshot);
  rocksdb_free((void*)snapshot);
  text = rocksdb_transaction_get(txn, read, "snap", 4, &length, &err);
  CHECK_BYTES(text, length, "old");
  rocksdb_free(text);
  rocksdb_transaction_put(txn, "snap", 4, "txn", 3, &err);
  CHECK_OK(err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_ERROR(err, "Resource busy: ");
  rocksdb_transaction_destroy(txn);

  txn = Begin(o); /* No snapshot: the newest state is read. */
  snapshot = rocksdb_transaction_get_snapshot(txn);
  CHECK(snapshot != NULL);
  rocksdb_readoptions_set_snapshot(read, snapshot);
  rocksdb_free((void*)snapshot);
  text = rocksdb_transaction_get(txn, read, "snap", 4, &length, &err);
  CHECK_BYTES(text, length, "new");
  rocksdb_free(text);
  rocksdb_transaction_destroy(txn);
  rocksdb_readoptions_destroy(read);
}

static void Iterators(const struct Opened* o,
                      rocksdb_column_family_handle_t* family) {
  char* err = NULL;
  size_t length = 0;
  rocksdb_transaction_t* txn = Begin(o);
  rocksdb_iterator_t* it;
  rocksdb_transaction_put(txn, "0", 1, "first", 5, &err);
  rocksdb_transaction_delete(txn, "a", 1, &err);
  rocksdb_transaction_put_cf(txn, family, "x", 1, "family", 6, &err);
  rocksdb_transaction_delete_cf(txn, family, "y", 1, &err);
  CHECK_OK(err);
  it = rocksdb_transaction_create_iterator(txn, o->read);
  rocksdb_iter_seek_to_first(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "0");
  rocksdb_iter_next(it);
  CHECK_BYTES(rocksdb_iter_key(it, &length), length, "b");
  rocksdb_iter_destroy(it);
  it = rocksdb_transaction_create_iterator_cf(txn, o->read, family);
  rocksdb_iter_seek_to_first(it);
  CHECK_BYTES(rocksdb_iter_value(it, &length), length, "family");
  rocksdb_iter_next(it);
  CHECK(!rocksdb_iter_valid(it));
  rocksdb_iter_destroy(it);
  rocksdb_transaction_destroy(txn); /* Nothing was committed. */
  CHECK(rocksdb_get_cf(o->base, o->read, family, "x", 1, &length, &err) ==
        NULL);
  CHECK_OK(err);
}

static void Batches(const struct Opened* o) {
  char* err = NULL;
  size_t length = 0;
  rocksdb_transaction_t* txn = Begin(o);
  rocksdb_writebatch_wi_t* own;
  rocksdb_writebatch_wi_t* indexed = rocksdb_writebatch_wi_create(0, 1);
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  char* text;
  rocksdb_writebatch_put(batch, "r1", 2, "1", 1);
  rocksdb_writebatch_delete(batch, "b", 1);
  rocksdb_transaction_rebuild_from_writebatch(txn, batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_wi_put(indexed, "r2", 2, "2", 1);
  rocksdb_transaction_rebuild_from_writebatch_wi(txn, indexed, &err);
  CHECK_OK(err);

  own = rocksdb_transaction_get_writebatch_wi(txn);
  CHECK(rocksdb_writebatch_wi_count(own) == 3);
  text = rocksdb_writebatch_wi_get_from_batch(own, o->options, "r1", 2, &length,
                                              &err);
  CHECK_BYTES(text, length, "1");
  rocksdb_free(text);
  rocksdb_free(own);
  rocksdb_writebatch_wi_destroy(rocksdb_transaction_get_writebatch_wi(txn));

  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  text = GetText(o->base, "r2");
  CHECK_BYTES(text, strlen(text), "2");
  free(text);
  rocksdb_writebatch_clear(batch);
  rocksdb_writebatch_put(batch, "w", 1, "outside", 7);
  rocksdb_optimistictransactiondb_write(o->db, o->write, batch, &err);
  CHECK_OK(err);
  text = GetText(o->base, "w");
  CHECK_BYTES(text, strlen(text), "outside");
  free(text);
  rocksdb_writebatch_destroy(batch);
  rocksdb_writebatch_wi_destroy(indexed);
  rocksdb_transaction_destroy(txn);
}

static void Database(const struct Opened* o) {
  char* err = NULL;
  uint64_t number = 0;
  rocksdb_t* copy;
  char* text = rocksdb_optimistictransactiondb_property_value(
      o->db, "rocksdb.estimate-num-keys");
  rocksdb_checkpoint_t* checkpoint =
      rocksdb_optimistictransactiondb_checkpoint_object_create(o->db, &err);
  CHECK_OK(err);
  CHECK(text != NULL);
  rocksdb_free(text);
  CHECK(rocksdb_optimistictransactiondb_property_int(
            o->db, "rocksdb.estimate-num-keys", &number) == 0);
  CHECK(number > 0);
  CHECK(rocksdb_optimistictransactiondb_property_int(o->db, "no", &number) ==
        -1);
  CHECK(rocksdb_optimistictransactiondb_property_value(o->db, "no") == NULL);

  rocksdb_checkpoint_create(checkpoint, PathOf("optimistic-copy"), 0, &err);
  CHECK_OK(err);
  rocksdb_checkpoint_object_destroy(checkpoint);
  copy = rocksdb_open_for_read_only(o->options, PathOf("optimistic-copy"), 0,
                                    &err);
  CHECK_OK(err);
  text = GetText(copy, "w");
  CHECK_BYTES(text, strlen(text), "outside");
  free(text);
  rocksdb_close(copy);
}

static void Opens(const rocksdb_options_t* options) {
  char* err = NULL;
  const char* const names[] = {"default", "other"};
  const rocksdb_options_t* both[2];
  rocksdb_column_family_handle_t* handles[2];
  rocksdb_optimistictransactiondb_t* db;
  rocksdb_optimistictransactiondb_options_t* db_options =
      rocksdb_optimistictransactiondb_options_create();
  rocksdb_optimistictransactiondb_lock_buckets_t* buckets =
      rocksdb_optimistictransactiondb_lock_buckets_create(100, 1);
  CHECK(rocksdb_optimistictransactiondb_lock_buckets_approximate_memory_usage(
            buckets) > 0);
  rocksdb_optimistictransactiondb_options_set_shared_lock_buckets(db_options,
                                                                  buckets);
  rocksdb_optimistictransactiondb_lock_buckets_destroy(buckets);
  CHECK(rocksdb_optimistictransactiondb_options_get_validate_policy(
            db_options) == 1);
  rocksdb_optimistictransactiondb_options_set_validate_policy(db_options, 0);
  CHECK(rocksdb_optimistictransactiondb_options_get_validate_policy(
            db_options) == 0);
  rocksdb_optimistictransactiondb_options_set_occ_lock_buckets(db_options, 7);
  CHECK(rocksdb_optimistictransactiondb_options_get_occ_lock_buckets(
            db_options) == 7);

  CHECK(rocksdb_optimistictransactiondb_open(options, PathOf("optimistic"),
                                             &err) == NULL);
  CHECK_ERROR(err, "Invalid argument"); /* A family is missing. */
  CHECK(rocksdb_optimistictransactiondb_open_with_otxn_db_options(
            options, db_options, PathOf("optimistic"), NULL) == NULL);
  both[0] = both[1] = options;
  db = rocksdb_optimistictransactiondb_open_column_families(
      options, PathOf("optimistic"), 2, names, both, handles, &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(handles[0]);
  rocksdb_column_family_handle_destroy(handles[1]);
  rocksdb_optimistictransactiondb_close(db);
  db =
      rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
          options, db_options, PathOf("optimistic"), 2, names, both, handles,
          &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(handles[0]);
  rocksdb_column_family_handle_destroy(handles[1]);
  rocksdb_optimistictransactiondb_close(db);
  db = rocksdb_optimistictransactiondb_open_with_otxn_db_options(
      options, db_options, PathOf("optimistic2"), &err);
  CHECK_OK(err);
  rocksdb_optimistictransactiondb_close(db);
  rocksdb_optimistictransactiondb_options_destroy(db_options);
}

void CheckOptimisticTransactions(void) {
  char* err = NULL;
  struct Opened o;
  rocksdb_column_family_handle_t* family;
  o.options = rocksdb_options_create();
  o.read = rocksdb_readoptions_create();
  o.write = rocksdb_writeoptions_create();
  o.txn_options = rocksdb_optimistictransaction_options_create();
  rocksdb_options_set_create_if_missing(o.options, 1);
  o.db = rocksdb_optimistictransactiondb_open(o.options, PathOf("optimistic"),
                                              &err);
  CHECK_OK(err);
  o.base = rocksdb_optimistictransactiondb_get_base_db(o.db);
  family = rocksdb_create_column_family(o.base, o.options, "other", &err);
  CHECK_OK(err);

  Conflicts(&o);
  SavePoints(&o);
  Snapshots(&o);
  Iterators(&o, family);
  Batches(&o);
  Database(&o);

  rocksdb_column_family_handle_destroy(family);
  rocksdb_optimistictransactiondb_close_base_db(o.base);
  rocksdb_optimistictransactiondb_close(o.db);
  Opens(o.options);
  rocksdb_transaction_destroy(NULL);
  rocksdb_optimistictransactiondb_close(NULL);
  rocksdb_optimistictransaction_options_destroy(o.txn_options);
  rocksdb_writeoptions_destroy(o.write);
  rocksdb_readoptions_destroy(o.read);
  rocksdb_options_destroy(o.options);
}
