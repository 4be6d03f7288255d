// Databases with transactions, of both kinds. What they have in common with
// other databases is done by the functions for these.
#include <memory>

#include "api/c/convert.h"
#include "api/c/families.h"

using capi::ColumnFamilyHandle;
using capi::OptimisticTransactionDB;
using capi::Status;
using capi::Transaction;
using capi::TransactionDB;
using capi_internal::Families;
using capi_internal::GiveHandles;
using capi_internal::NewPointers;
using capi_internal::SaveError;

namespace {

// For the time of one call.
template <typename Handle>
rocksdb_t AsDB(const Handle* db) {
  return rocksdb_t{db->rep};
}

// Without closing it, rocksdb_..._close_base_db frees the result.
template <typename Handle>
rocksdb_t* NewBase(const Handle* db) {
  capi::DB* const base = db->rep->GetBaseDB();
  return base != nullptr ? new rocksdb_t{base} : nullptr;
}

// Handle is one of the two types of databases, Class what it holds.
template <typename Handle, typename Class>
Handle* WithTransactions(const Status& status, Class* opened, char** errptr) {
  std::unique_ptr<Class> db(opened);
  if (SaveError(errptr, status)) return nullptr;
  return new Handle{db.release()};
}

template <typename Handle, typename Class>
Handle* WithFamilies(const Status& status, Class* opened,
                     const std::vector<ColumnFamilyHandle*>& handles,
                     rocksdb_column_family_handle_t** out, char** errptr) {
  Handle* result = WithTransactions<Handle>(status, opened, errptr);
  if (result != nullptr) GiveHandles(handles, out);
  return result;
}

// `made`: what BeginTransaction() returned for `old`, which goes on if there
// is one.
rocksdb_transaction_t* Begun(Transaction* made, rocksdb_transaction_t* old) {
  if (old == nullptr) return new rocksdb_transaction_t{made};
  old->rep = made;
  return old;
}

Transaction* Old(const rocksdb_transaction_t* old) {
  return old != nullptr ? old->rep : nullptr;
}

}  // namespace

// NOLINTBEGIN(readability-function-size): the signatures are public.
extern "C" {

// ---- With locks.

rocksdb_transactiondb_t* rocksdb_transactiondb_open(
    const rocksdb_options_t* options,
    const rocksdb_transactiondb_options_t* txn_db_options, const char* name,
    char** errptr) try {
  TransactionDB* db = nullptr;
  const Status status =
      TransactionDB::Open(options->rep, txn_db_options->rep, name, &db);
  return WithTransactions<rocksdb_transactiondb_t>(status, db, errptr);
}
CAPI_CATCH(rocksdb_transactiondb_t*, errptr)

rocksdb_transactiondb_t* rocksdb_transactiondb_open_column_families(
    const rocksdb_options_t* options,
    const rocksdb_transactiondb_options_t* txn_db_options, const char* name,
    int num_column_families, const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) try {
  const Families families{num_column_families, column_family_names,
                          column_family_options};
  TransactionDB* db = nullptr;
  std::vector<ColumnFamilyHandle*> handles;
  const Status status =
      TransactionDB::Open(capi::DBOptions(options->rep), txn_db_options->rep,
                          name, families.Descriptors(), &handles, &db);
  return WithFamilies<rocksdb_transactiondb_t>(status, db, handles,
                                               column_family_handles, errptr);
}
CAPI_CATCH(rocksdb_transactiondb_t*, errptr)

void rocksdb_transactiondb_close(rocksdb_transactiondb_t* txn_db) {
  if (txn_db == nullptr) return;
  delete txn_db->rep;
  delete txn_db;
}

rocksdb_t* rocksdb_transactiondb_get_base_db(rocksdb_transactiondb_t* txn_db) {
  return NewBase(txn_db);
}

void rocksdb_transactiondb_close_base_db(rocksdb_t* base_db) { delete base_db; }

rocksdb_transaction_t* rocksdb_transaction_begin(
    rocksdb_transactiondb_t* txn_db,
    const rocksdb_writeoptions_t* write_options,
    const rocksdb_transaction_options_t* txn_options,
    rocksdb_transaction_t* old_txn) {
  return Begun(txn_db->rep->BeginTransaction(write_options->rep,
                                             txn_options->rep, Old(old_txn)),
               old_txn);
}

rocksdb_transaction_t** rocksdb_transactiondb_get_prepared_transactions(
    rocksdb_transactiondb_t* txn_db, size_t* cnt) {
  std::vector<Transaction*> prepared;
  txn_db->rep->GetAllPreparedTransactions(&prepared);
  *cnt = 0;
  if (prepared.empty()) return nullptr;
  auto** list = NewPointers<rocksdb_transaction_t>(prepared.size());
  if (list == nullptr) return nullptr;
  for (Transaction* txn : prepared) {
    list[(*cnt)++] = new rocksdb_transaction_t{txn};
  }
  return list;
}

rocksdb_column_family_handle_t* rocksdb_transactiondb_create_column_family(
    rocksdb_transactiondb_t* txn_db,
    const rocksdb_options_t* column_family_options,
    const char* column_family_name, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_create_column_family(&db, column_family_options,
                                      column_family_name, errptr);
}

const rocksdb_snapshot_t* rocksdb_transactiondb_create_snapshot(
    rocksdb_transactiondb_t* txn_db) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_create_snapshot(&db);
}

void rocksdb_transactiondb_release_snapshot(
    rocksdb_transactiondb_t* txn_db, const rocksdb_snapshot_t* snapshot) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_release_snapshot(&db, snapshot);
}

char* rocksdb_transactiondb_property_value(rocksdb_transactiondb_t* txn_db,
                                           const char* propname) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_property_value(&db, propname);
}

int rocksdb_transactiondb_property_int(rocksdb_transactiondb_t* txn_db,
                                       const char* propname,
                                       uint64_t* out_val) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_property_int(&db, propname, out_val);
}

char* rocksdb_transactiondb_get(rocksdb_transactiondb_t* txn_db,
                                const rocksdb_readoptions_t* options,
                                const char* key, size_t klen, size_t* vlen,
                                char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_get(&db, options, key, klen, vlen, errptr);
}

char* rocksdb_transactiondb_get_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, size_t* vallen, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_get_cf(&db, options, column_family, key, keylen, vallen,
                        errptr);
}

rocksdb_pinnableslice_t* rocksdb_transactiondb_get_pinned(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    const char* key, size_t klen, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_get_pinned(&db, options, key, klen, errptr);
}

rocksdb_pinnableslice_t* rocksdb_transactiondb_get_pinned_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_get_pinned_cf(&db, options, column_family, key, keylen,
                               errptr);
}

void rocksdb_transactiondb_multi_get(rocksdb_transactiondb_t* txn_db,
                                     const rocksdb_readoptions_t* options,
                                     size_t num_keys,
                                     const char* const* keys_list,
                                     const size_t* keys_list_sizes,
                                     char** values_list,
                                     size_t* values_list_sizes, char** errs) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_multi_get(&db, options, num_keys, keys_list, keys_list_sizes,
                    values_list, values_list_sizes, errs);
}

void rocksdb_transactiondb_multi_get_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t num_keys, const char* const* keys_list,
    const size_t* keys_list_sizes, char** values_list,
    size_t* values_list_sizes, char** errs) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_multi_get_cf(&db, options, column_families, num_keys, keys_list,
                       keys_list_sizes, values_list, values_list_sizes, errs);
}

void rocksdb_transactiondb_put(rocksdb_transactiondb_t* txn_db,
                               const rocksdb_writeoptions_t* options,
                               const char* key, size_t klen, const char* val,
                               size_t vlen, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_put(&db, options, key, klen, val, vlen, errptr);
}

void rocksdb_transactiondb_put_cf(rocksdb_transactiondb_t* txn_db,
                                  const rocksdb_writeoptions_t* options,
                                  rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t keylen,
                                  const char* val, size_t vallen,
                                  char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_put_cf(&db, options, column_family, key, keylen, val, vallen, errptr);
}

void rocksdb_transactiondb_write(rocksdb_transactiondb_t* txn_db,
                                 const rocksdb_writeoptions_t* options,
                                 rocksdb_writebatch_t* batch, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_write(&db, options, batch, errptr);
}

void rocksdb_transactiondb_merge(rocksdb_transactiondb_t* txn_db,
                                 const rocksdb_writeoptions_t* options,
                                 const char* key, size_t klen, const char* val,
                                 size_t vlen, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_merge(&db, options, key, klen, val, vlen, errptr);
}

void rocksdb_transactiondb_merge_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_writeoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key, size_t klen,
    const char* val, size_t vlen, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_merge_cf(&db, options, column_family, key, klen, val, vlen, errptr);
}

void rocksdb_transactiondb_delete(rocksdb_transactiondb_t* txn_db,
                                  const rocksdb_writeoptions_t* options,
                                  const char* key, size_t klen, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_delete(&db, options, key, klen, errptr);
}

void rocksdb_transactiondb_delete_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_writeoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_delete_cf(&db, options, column_family, key, keylen, errptr);
}

rocksdb_iterator_t* rocksdb_transactiondb_create_iterator(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_create_iterator(&db, options);
}

rocksdb_iterator_t* rocksdb_transactiondb_create_iterator_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_create_iterator_cf(&db, options, column_family);
}

void rocksdb_transactiondb_flush(rocksdb_transactiondb_t* txn_db,
                                 const rocksdb_flushoptions_t* options,
                                 char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_flush(&db, options, errptr);
}

void rocksdb_transactiondb_flush_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_flushoptions_t* options,
    rocksdb_column_family_handle_t* column_family, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_flush_cf(&db, options, column_family, errptr);
}

void rocksdb_transactiondb_flush_cfs(
    rocksdb_transactiondb_t* txn_db, const rocksdb_flushoptions_t* options,
    rocksdb_column_family_handle_t** column_families, int num_column_families,
    char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_flush_cfs(&db, options, column_families, num_column_families, errptr);
}

void rocksdb_transactiondb_flush_wal(rocksdb_transactiondb_t* txn_db,
                                     unsigned char sync, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  rocksdb_flush_wal(&db, sync, errptr);
}

rocksdb_checkpoint_t* rocksdb_transactiondb_checkpoint_object_create(
    rocksdb_transactiondb_t* txn_db, char** errptr) {
  rocksdb_t db = AsDB(txn_db);
  return rocksdb_checkpoint_object_create(&db, errptr);
}

// ---- Without locks.

rocksdb_optimistictransactiondb_t* rocksdb_optimistictransactiondb_open(
    const rocksdb_options_t* options, const char* name, char** errptr) try {
  OptimisticTransactionDB* db = nullptr;
  const Status status = OptimisticTransactionDB::Open(options->rep, name, &db);
  return WithTransactions<rocksdb_optimistictransactiondb_t>(status, db,
                                                             errptr);
}
CAPI_CATCH(rocksdb_optimistictransactiondb_t*, errptr)

rocksdb_optimistictransactiondb_t*
rocksdb_optimistictransactiondb_open_with_otxn_db_options(
    const rocksdb_options_t* options,
    const rocksdb_optimistictransactiondb_options_t* otxn_db_options,
    const char* name, char** errptr) {
  const char* const names[] = {capi::kDefaultColumnFamilyName.c_str()};
  const rocksdb_options_t* const family_options[] = {options};
  rocksdb_column_family_handle_t* handle = nullptr;
  auto* const db =
      rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
          options, otxn_db_options, name, 1, names, family_options, &handle,
          errptr);
  // The database keeps one of its own.
  rocksdb_column_family_handle_destroy(handle);
  return db;
}

rocksdb_optimistictransactiondb_t*
rocksdb_optimistictransactiondb_open_column_families(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) try {
  const rocksdb_optimistictransactiondb_options_t defaults;
  return rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
      options, &defaults, name, num_column_families, column_family_names,
      column_family_options, column_family_handles, errptr);
}
CAPI_CATCH(rocksdb_optimistictransactiondb_t*, errptr)

rocksdb_optimistictransactiondb_t*
rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
    const rocksdb_options_t* options,
    const rocksdb_optimistictransactiondb_options_t* otxn_db_options,
    const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) try {
  const Families families{num_column_families, column_family_names,
                          column_family_options};
  OptimisticTransactionDB* db = nullptr;
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = OptimisticTransactionDB::Open(
      capi::DBOptions(options->rep), otxn_db_options->rep, name,
      families.Descriptors(), &handles, &db);
  return WithFamilies<rocksdb_optimistictransactiondb_t>(
      status, db, handles, column_family_handles, errptr);
}
CAPI_CATCH(rocksdb_optimistictransactiondb_t*, errptr)

void rocksdb_optimistictransactiondb_close(
    rocksdb_optimistictransactiondb_t* otxn_db) {
  if (otxn_db == nullptr) return;
  delete otxn_db->rep;
  delete otxn_db;
}

rocksdb_t* rocksdb_optimistictransactiondb_get_base_db(
    rocksdb_optimistictransactiondb_t* otxn_db) {
  return NewBase(otxn_db);
}

void rocksdb_optimistictransactiondb_close_base_db(rocksdb_t* base_db) {
  delete base_db;
}

rocksdb_transaction_t* rocksdb_optimistictransaction_begin(
    rocksdb_optimistictransactiondb_t* otxn_db,
    const rocksdb_writeoptions_t* write_options,
    const rocksdb_optimistictransaction_options_t* otxn_options,
    rocksdb_transaction_t* old_txn) {
  return Begun(otxn_db->rep->BeginTransaction(write_options->rep,
                                              otxn_options->rep, Old(old_txn)),
               old_txn);
}

void rocksdb_optimistictransactiondb_write(
    rocksdb_optimistictransactiondb_t* otxn_db,
    const rocksdb_writeoptions_t* options, rocksdb_writebatch_t* batch,
    char** errptr) {
  rocksdb_t db = AsDB(otxn_db);
  rocksdb_write(&db, options, batch, errptr);
}

char* rocksdb_optimistictransactiondb_property_value(
    rocksdb_optimistictransactiondb_t* otxn_db, const char* propname) {
  rocksdb_t db = AsDB(otxn_db);
  return rocksdb_property_value(&db, propname);
}

int rocksdb_optimistictransactiondb_property_int(
    rocksdb_optimistictransactiondb_t* otxn_db, const char* propname,
    uint64_t* out_val) {
  rocksdb_t db = AsDB(otxn_db);
  return rocksdb_property_int(&db, propname, out_val);
}

rocksdb_checkpoint_t* rocksdb_optimistictransactiondb_checkpoint_object_create(
    rocksdb_optimistictransactiondb_t* otxn_db, char** errptr) {
  rocksdb_t db = AsDB(otxn_db);
  return rocksdb_checkpoint_object_create(&db, errptr);
}

}  // extern "C"
// NOLINTEND(readability-function-size)
