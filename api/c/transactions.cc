// Transactions, of either kind of database: transaction_dbs.cc begins them.
#include <cstdlib>
#include <memory>
#include <new>

#include "api/c/convert.h"
#include "api/c/lookups.h"

using capi::ColumnFamilyHandle;
using capi::PinnableSlice;
using capi::Slice;
using capi::Status;
using capi::Transaction;
using capi_internal::Answered;
using capi_internal::AnswerLists;
using capi_internal::CopyBytes;
using capi_internal::KeyLists;
using capi_internal::SaveError;
using capi_internal::SaveForEach;

namespace {

// A lookup. Without a `lock` the key is not tracked.
struct Lookup {
  enum class Lock { kNone, kShared, kExclusive };

  Transaction* txn;
  const capi::ReadOptions& options;
  const rocksdb_column_family_handle_t* family;  // Null: default.
  Slice key;
  Lock lock = Lock::kNone;

  Status Run(PinnableSlice* value) const {
    if (lock == Lock::kNone) {
      return family != nullptr ? txn->Get(options, family->rep, key, value)
                               : txn->Get(options, key, value);
    }
    const bool exclusive = lock == Lock::kExclusive;
    if (family != nullptr) {
      return txn->GetForUpdate(options, family->rep, key, value, exclusive);
    }
    const Status status =
        txn->GetForUpdate(options, key, value->GetSelf(), exclusive);
    value->PinSelf();
    return status;
  }
};

Lookup::Lock LockFor(unsigned char exclusive) {
  return exclusive != 0 ? Lookup::Lock::kExclusive : Lookup::Lock::kShared;
}

char* GetCopy(const Lookup& lookup, size_t* vlen, char** errptr) {
  PinnableSlice value;
  const Status status = lookup.Run(&value);
  *vlen = status.ok() ? value.size() : 0;
  if (status.ok()) return CopyBytes(value);
  if (!status.IsNotFound()) SaveError(errptr, status);
  return nullptr;
}

rocksdb_pinnableslice_t* GetInPlace(const Lookup& lookup, char** errptr) {
  auto value = std::make_unique<rocksdb_pinnableslice_t>();
  const Status status = lookup.Run(&value->rep);
  if (status.ok()) return value.release();
  if (!status.IsNotFound()) SaveError(errptr, status);
  return nullptr;
}

// Calls the method of Transaction that reads many keys, in either of its
// forms.
template <typename Read>
void AnswerEach(const KeyLists& asked, const AnswerLists& answers,
                const Read& read) noexcept try {
  std::vector<Slice> keys;
  std::vector<ColumnFamilyHandle*> families;
  for (size_t i = 0; i < asked.count; ++i) {
    keys.emplace_back(asked.keys[i], asked.sizes[i]);
    if (asked.families != nullptr) families.push_back(asked.families[i]->rep);
  }
  std::vector<std::string> values;
  const std::vector<Status> statuses = read(families, keys, &values);
  for (size_t i = 0; i < asked.count; ++i) {
    answers.values[i] = nullptr;
    answers.sizes[i] = 0;
    if (!Answered(statuses[i], &answers.errs[i])) continue;
    answers.values[i] = CopyBytes(values[i]);
    answers.sizes[i] = values[i].size();
  }
} catch (...) {
  SaveForEach(asked.count, answers.values, answers.errs);
}

void MultiGetIn(Transaction* txn, const capi::ReadOptions& options,
                const KeyLists& asked, const AnswerLists& answers) {
  AnswerEach(asked, answers,
             [&](const auto& families, const auto& keys, auto* values) {
               return asked.families != nullptr
                          ? txn->MultiGet(options, families, keys, values)
                          : txn->MultiGet(options, keys, values);
             });
}

void MultiLockIn(Transaction* txn, const capi::ReadOptions& options,
                 const KeyLists& asked, const AnswerLists& answers) {
  AnswerEach(asked, answers,
             [&](const auto& families, const auto& keys, auto* values) {
               return asked.families != nullptr
                          ? txn->MultiGetForUpdate(options, families, keys,
                                                   values)
                          : txn->MultiGetForUpdate(options, keys, values);
             });
}

// A handle that the program gives back with rocksdb_free(); null without
// memory.
template <typename Handle>
Handle* NewMalloced(const Handle& handle) {
  void* const room = std::malloc(sizeof(Handle));
  return room != nullptr ? new (room) Handle(handle) : nullptr;
}

}  // namespace

// NOLINTBEGIN(readability-function-size): the signatures are public.
extern "C" {

void rocksdb_transaction_destroy(rocksdb_transaction_t* txn) {
  if (txn == nullptr) return;
  delete txn->rep;
  delete txn;
}

void rocksdb_transaction_set_name(rocksdb_transaction_t* txn, const char* name,
                                  size_t name_len, char** errptr) try {
  SaveError(errptr, txn->rep->SetName(std::string(name, name_len)));
}
CAPI_CATCH(void, errptr)

char* rocksdb_transaction_get_name(rocksdb_transaction_t* txn,
                                   size_t* name_len) {
  const std::string name = txn->rep->GetName();
  *name_len = name.size();
  return CopyBytes(name);
}

void rocksdb_transaction_prepare(rocksdb_transaction_t* txn,
                                 char** errptr) try {
  SaveError(errptr, txn->rep->Prepare());
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_commit(rocksdb_transaction_t* txn, char** errptr) try {
  SaveError(errptr, txn->rep->Commit());
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_rollback(rocksdb_transaction_t* txn,
                                  char** errptr) try {
  SaveError(errptr, txn->rep->Rollback());
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_set_savepoint(rocksdb_transaction_t* txn) {
  txn->rep->SetSavePoint();
}

void rocksdb_transaction_rollback_to_savepoint(rocksdb_transaction_t* txn,
                                               char** errptr) try {
  SaveError(errptr, txn->rep->RollbackToSavePoint());
}
CAPI_CATCH(void, errptr)

rocksdb_writebatch_wi_t* rocksdb_transaction_get_writebatch_wi(
    rocksdb_transaction_t* txn) {
  return NewMalloced(
      rocksdb_writebatch_wi_t{txn->rep->GetWriteBatch(), /*owned=*/false});
}

void rocksdb_transaction_rebuild_from_writebatch(
    rocksdb_transaction_t* txn, rocksdb_writebatch_t* writebatch,
    char** errptr) try {
  SaveError(errptr, txn->rep->RebuildFromWriteBatch(&writebatch->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_rebuild_from_writebatch_wi(rocksdb_transaction_t* txn,
                                                    rocksdb_writebatch_wi_t* wi,
                                                    char** errptr) try {
  SaveError(errptr, txn->rep->RebuildFromWriteBatch(wi->rep->GetWriteBatch()));
}
CAPI_CATCH(void, errptr)

// The next two have no way to report an error.
void rocksdb_transaction_set_commit_timestamp(rocksdb_transaction_t* txn,
                                              uint64_t commit_timestamp) {
  (void)txn->rep->SetCommitTimestamp(commit_timestamp);
}

void rocksdb_transaction_set_read_timestamp_for_validation(
    rocksdb_transaction_t* txn, uint64_t read_timestamp) {
  (void)txn->rep->SetReadTimestampForValidation(read_timestamp);
}

const rocksdb_snapshot_t* rocksdb_transaction_get_snapshot(
    rocksdb_transaction_t* txn) {
  return NewMalloced(rocksdb_snapshot_t{txn->rep->GetSnapshot()});
}

char* rocksdb_transaction_get(rocksdb_transaction_t* txn,
                              const rocksdb_readoptions_t* options,
                              const char* key, size_t klen, size_t* vlen,
                              char** errptr) try {
  return GetCopy({txn->rep, options->rep, nullptr, Slice(key, klen)}, vlen,
                 errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_transaction_get_cf(rocksdb_transaction_t* txn,
                                 const rocksdb_readoptions_t* options,
                                 rocksdb_column_family_handle_t* column_family,
                                 const char* key, size_t klen, size_t* vlen,
                                 char** errptr) try {
  return GetCopy({txn->rep, options->rep, column_family, Slice(key, klen)},
                 vlen, errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_transaction_get_for_update(rocksdb_transaction_t* txn,
                                         const rocksdb_readoptions_t* options,
                                         const char* key, size_t klen,
                                         size_t* vlen, unsigned char exclusive,
                                         char** errptr) try {
  return GetCopy(
      {txn->rep, options->rep, nullptr, Slice(key, klen), LockFor(exclusive)},
      vlen, errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_transaction_get_for_update_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key, size_t klen,
    size_t* vlen, unsigned char exclusive, char** errptr) try {
  return GetCopy({txn->rep, options->rep, column_family, Slice(key, klen),
                  LockFor(exclusive)},
                 vlen, errptr);
}
CAPI_CATCH(char*, errptr)

rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    const char* key, size_t klen, char** errptr) try {
  return GetInPlace({txn->rep, options->rep, nullptr, Slice(key, klen)},
                    errptr);
}
CAPI_CATCH(rocksdb_pinnableslice_t*, errptr)

rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key, size_t klen,
    char** errptr) try {
  return GetInPlace({txn->rep, options->rep, column_family, Slice(key, klen)},
                    errptr);
}
CAPI_CATCH(rocksdb_pinnableslice_t*, errptr)

rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_for_update(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    const char* key, size_t klen, unsigned char exclusive, char** errptr) try {
  return GetInPlace(
      {txn->rep, options->rep, nullptr, Slice(key, klen), LockFor(exclusive)},
      errptr);
}
CAPI_CATCH(rocksdb_pinnableslice_t*, errptr)

rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_for_update_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key, size_t klen,
    unsigned char exclusive, char** errptr) try {
  return GetInPlace({txn->rep, options->rep, column_family, Slice(key, klen),
                     LockFor(exclusive)},
                    errptr);
}
CAPI_CATCH(rocksdb_pinnableslice_t*, errptr)

void rocksdb_transaction_multi_get(rocksdb_transaction_t* txn,
                                   const rocksdb_readoptions_t* options,
                                   size_t num_keys,
                                   const char* const* keys_list,
                                   const size_t* keys_list_sizes,
                                   char** values_list,
                                   size_t* values_list_sizes, char** errs) {
  MultiGetIn(txn->rep, options->rep,
             {nullptr, num_keys, keys_list, keys_list_sizes},
             {values_list, values_list_sizes, errs});
}

void rocksdb_transaction_multi_get_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t num_keys, const char* const* keys_list,
    const size_t* keys_list_sizes, char** values_list,
    size_t* values_list_sizes, char** errs) {
  MultiGetIn(txn->rep, options->rep,
             {column_families, num_keys, keys_list, keys_list_sizes},
             {values_list, values_list_sizes, errs});
}

void rocksdb_transaction_multi_get_for_update(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    size_t num_keys, const char* const* keys_list,
    const size_t* keys_list_sizes, char** values_list,
    size_t* values_list_sizes, char** errs) {
  MultiLockIn(txn->rep, options->rep,
              {nullptr, num_keys, keys_list, keys_list_sizes},
              {values_list, values_list_sizes, errs});
}

void rocksdb_transaction_multi_get_for_update_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t num_keys, const char* const* keys_list,
    const size_t* keys_list_sizes, char** values_list,
    size_t* values_list_sizes, char** errs) {
  MultiLockIn(txn->rep, options->rep,
              {column_families, num_keys, keys_list, keys_list_sizes},
              {values_list, values_list_sizes, errs});
}

void rocksdb_transaction_put(rocksdb_transaction_t* txn, const char* key,
                             size_t klen, const char* val, size_t vlen,
                             char** errptr) try {
  SaveError(errptr, txn->rep->Put(Slice(key, klen), Slice(val, vlen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_put_cf(rocksdb_transaction_t* txn,
                                rocksdb_column_family_handle_t* column_family,
                                const char* key, size_t klen, const char* val,
                                size_t vlen, char** errptr) try {
  SaveError(errptr, txn->rep->Put(column_family->rep, Slice(key, klen),
                                  Slice(val, vlen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_merge(rocksdb_transaction_t* txn, const char* key,
                               size_t klen, const char* val, size_t vlen,
                               char** errptr) try {
  SaveError(errptr, txn->rep->Merge(Slice(key, klen), Slice(val, vlen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_merge_cf(rocksdb_transaction_t* txn,
                                  rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t klen, const char* val,
                                  size_t vlen, char** errptr) try {
  SaveError(errptr, txn->rep->Merge(column_family->rep, Slice(key, klen),
                                    Slice(val, vlen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_delete(rocksdb_transaction_t* txn, const char* key,
                                size_t klen, char** errptr) try {
  SaveError(errptr, txn->rep->Delete(Slice(key, klen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_delete_cf(
    rocksdb_transaction_t* txn, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t klen, char** errptr) try {
  SaveError(errptr, txn->rep->Delete(column_family->rep, Slice(key, klen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_transaction_put_log_data(rocksdb_transaction_t* txn,
                                      const char* blob, size_t len) {
  txn->rep->PutLogData(Slice(blob, len));
}

rocksdb_iterator_t* rocksdb_transaction_create_iterator(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options) {
  return new rocksdb_iterator_t{txn->rep->GetIterator(options->rep)};
}

rocksdb_iterator_t* rocksdb_transaction_create_iterator_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family) {
  return new rocksdb_iterator_t{
      txn->rep->GetIterator(options->rep, column_family->rep)};
}

}  // extern "C"
// NOLINTEND(readability-function-size)
