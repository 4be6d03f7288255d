// Write batches with an index: filled as other batches, and read before they
// are written.
#include <cstdlib>

#include "api/c/batches.h"
#include "api/c/callbacks.h"
#include "api/c/convert.h"
#include "rocksdb/utilities/write_batch_with_index.h"

using capi::ColumnFamilyHandle;
using capi::Slice;
using capi::Status;
using capi::WriteBatchWithIndex;
using capi_internal::CopyBytes;
using capi_internal::DefaultFamilyReader;
using capi_internal::DeleteCallback;
using capi_internal::Family;
using capi_internal::Parts;
using capi_internal::PutCallback;
using capi_internal::SaveError;
using capi_internal::TimestampSizeCallback;
using capi_internal::UpdateTimestamps;

namespace {

// The value, or NULL for a missing key or an error.
char* TakeValue(const Status& status, const std::string& value, size_t* vallen,
                char** errptr) {
  *vallen = status.ok() ? value.size() : 0;
  if (status.ok()) return CopyBytes(value);
  if (!status.IsNotFound()) SaveError(errptr, status);
  return nullptr;
}

char* GetThrough(WriteBatchWithIndex* batch, rocksdb_t* db,
                 const rocksdb_readoptions_t* options,
                 ColumnFamilyHandle* family, const Slice& key, size_t* vallen,
                 char** errptr) {
  std::string value;
  const Status status =
      batch->GetFromBatchAndDB(db->rep, options->rep, family, key, &value);
  return TakeValue(status, value, vallen, errptr);
}

rocksdb_pinnableslice_t* GetPinnedThrough(WriteBatchWithIndex* batch,
                                          rocksdb_t* db,
                                          const rocksdb_readoptions_t* options,
                                          ColumnFamilyHandle* family,
                                          const Slice& key, char** errptr) {
  auto value = std::make_unique<rocksdb_pinnableslice_t>();
  const Status status =
      batch->GetFromBatchAndDB(db->rep, options->rep, family, key, &value->rep);
  if (status.ok()) return value.release();
  if (!status.IsNotFound()) SaveError(errptr, status);
  return nullptr;
}

// Takes over the handle of the base.
rocksdb_iterator_t* Overlay(rocksdb_writebatch_wi_t* wbwi,
                            rocksdb_iterator_t* base_iterator,
                            ColumnFamilyHandle* family,
                            const capi::ReadOptions* options) {
  auto result = std::make_unique<rocksdb_iterator_t>();
  const std::unique_ptr<rocksdb_iterator_t> base(base_iterator);
  result->rep = wbwi->rep->NewIteratorWithBase(family, base->rep, options);
  return result.release();
}

}  // namespace

// NOLINTBEGIN(readability-function-size): the signatures are public.
extern "C" {

rocksdb_writebatch_wi_t* rocksdb_writebatch_wi_create(
    size_t reserved_bytes, unsigned char overwrite_keys) {
  return new rocksdb_writebatch_wi_t{new WriteBatchWithIndex(
      capi::BytewiseComparator(), reserved_bytes, overwrite_keys != 0)};
}

rocksdb_writebatch_wi_t* rocksdb_writebatch_wi_create_with_params(
    rocksdb_comparator_t* backup_index_comparator, size_t reserved_bytes,
    unsigned char overwrite_key, size_t max_bytes,
    size_t protection_bytes_per_key) {
  return new rocksdb_writebatch_wi_t{new WriteBatchWithIndex(
      backup_index_comparator, reserved_bytes, overwrite_key != 0, max_bytes,
      protection_bytes_per_key)};
}

void rocksdb_writebatch_wi_destroy(rocksdb_writebatch_wi_t* b) {
  if (b == nullptr) return;
  if (!b->owned) {
    std::free(b);
    return;
  }
  delete b->rep;
  delete b;
}

void rocksdb_writebatch_wi_clear(rocksdb_writebatch_wi_t* b) {
  b->rep->Clear();
}

int rocksdb_writebatch_wi_count(rocksdb_writebatch_wi_t* b) {
  return static_cast<int>(b->rep->GetWriteBatch()->Count());
}

void rocksdb_writebatch_wi_put(rocksdb_writebatch_wi_t* b, const char* key,
                               size_t klen, const char* val, size_t vlen) {
  (void)b->rep->Put(Slice(key, klen), Slice(val, vlen));
}

void rocksdb_writebatch_wi_put_cf(rocksdb_writebatch_wi_t* b,
                                  rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t klen, const char* val,
                                  size_t vlen) {
  (void)b->rep->Put(column_family->rep, Slice(key, klen), Slice(val, vlen));
}

void rocksdb_writebatch_wi_merge(rocksdb_writebatch_wi_t* b, const char* key,
                                 size_t klen, const char* val, size_t vlen) {
  (void)b->rep->Merge(Slice(key, klen), Slice(val, vlen));
}

void rocksdb_writebatch_wi_merge_cf(
    rocksdb_writebatch_wi_t* b, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t klen, const char* val, size_t vlen) {
  (void)b->rep->Merge(column_family->rep, Slice(key, klen), Slice(val, vlen));
}

void rocksdb_writebatch_wi_delete(rocksdb_writebatch_wi_t* b, const char* key,
                                  size_t klen) {
  (void)b->rep->Delete(Slice(key, klen));
}

void rocksdb_writebatch_wi_delete_cf(
    rocksdb_writebatch_wi_t* b, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t klen) {
  (void)b->rep->Delete(column_family->rep, Slice(key, klen));
}

void rocksdb_writebatch_wi_singledelete(rocksdb_writebatch_wi_t* b,
                                        const char* key, size_t klen) {
  (void)b->rep->SingleDelete(Slice(key, klen));
}

void rocksdb_writebatch_wi_singledelete_cf(
    rocksdb_writebatch_wi_t* b, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t klen) {
  (void)b->rep->SingleDelete(column_family->rep, Slice(key, klen));
}

void rocksdb_writebatch_wi_delete_range(rocksdb_writebatch_wi_t* b,
                                        const char* start_key,
                                        size_t start_key_len,
                                        const char* end_key,
                                        size_t end_key_len) {
  (void)b->rep->DeleteRange(Slice(start_key, start_key_len),
                            Slice(end_key, end_key_len));
}

void rocksdb_writebatch_wi_delete_range_cf(
    rocksdb_writebatch_wi_t* b, rocksdb_column_family_handle_t* column_family,
    const char* start_key, size_t start_key_len, const char* end_key,
    size_t end_key_len) {
  (void)b->rep->DeleteRange(column_family->rep, Slice(start_key, start_key_len),
                            Slice(end_key, end_key_len));
}

void rocksdb_writebatch_wi_putv(rocksdb_writebatch_wi_t* b, int num_keys,
                                const char* const* keys_list,
                                const size_t* keys_list_sizes, int num_values,
                                const char* const* values_list,
                                const size_t* values_list_sizes) {
  (void)b->rep->Put(Parts(num_keys, keys_list, keys_list_sizes),
                    Parts(num_values, values_list, values_list_sizes));
}

void rocksdb_writebatch_wi_putv_cf(
    rocksdb_writebatch_wi_t* b, rocksdb_column_family_handle_t* column_family,
    int num_keys, const char* const* keys_list, const size_t* keys_list_sizes,
    int num_values, const char* const* values_list,
    const size_t* values_list_sizes) {
  (void)b->rep->Put(column_family->rep,
                    Parts(num_keys, keys_list, keys_list_sizes),
                    Parts(num_values, values_list, values_list_sizes));
}

void rocksdb_writebatch_wi_mergev(rocksdb_writebatch_wi_t* b, int num_keys,
                                  const char* const* keys_list,
                                  const size_t* keys_list_sizes, int num_values,
                                  const char* const* values_list,
                                  const size_t* values_list_sizes) {
  (void)b->rep->Merge(Parts(num_keys, keys_list, keys_list_sizes),
                      Parts(num_values, values_list, values_list_sizes));
}

void rocksdb_writebatch_wi_mergev_cf(
    rocksdb_writebatch_wi_t* b, rocksdb_column_family_handle_t* column_family,
    int num_keys, const char* const* keys_list, const size_t* keys_list_sizes,
    int num_values, const char* const* values_list,
    const size_t* values_list_sizes) {
  (void)b->rep->Merge(column_family->rep,
                      Parts(num_keys, keys_list, keys_list_sizes),
                      Parts(num_values, values_list, values_list_sizes));
}

void rocksdb_writebatch_wi_deletev(rocksdb_writebatch_wi_t* b, int num_keys,
                                   const char* const* keys_list,
                                   const size_t* keys_list_sizes) {
  (void)b->rep->Delete(Parts(num_keys, keys_list, keys_list_sizes));
}

void rocksdb_writebatch_wi_deletev_cf(
    rocksdb_writebatch_wi_t* b, rocksdb_column_family_handle_t* column_family,
    int num_keys, const char* const* keys_list, const size_t* keys_list_sizes) {
  (void)b->rep->Delete(column_family->rep,
                       Parts(num_keys, keys_list, keys_list_sizes));
}

void rocksdb_writebatch_wi_delete_rangev(rocksdb_writebatch_wi_t* b,
                                         int num_keys,
                                         const char* const* start_keys_list,
                                         const size_t* start_keys_list_sizes,
                                         const char* const* end_keys_list,
                                         const size_t* end_keys_list_sizes) {
  (void)b->rep->DeleteRange(
      Parts(num_keys, start_keys_list, start_keys_list_sizes),
      Parts(num_keys, end_keys_list, end_keys_list_sizes));
}

void rocksdb_writebatch_wi_delete_rangev_cf(
    rocksdb_writebatch_wi_t* b, rocksdb_column_family_handle_t* column_family,
    int num_keys, const char* const* start_keys_list,
    const size_t* start_keys_list_sizes, const char* const* end_keys_list,
    const size_t* end_keys_list_sizes) {
  (void)b->rep->DeleteRange(
      column_family->rep,
      Parts(num_keys, start_keys_list, start_keys_list_sizes),
      Parts(num_keys, end_keys_list, end_keys_list_sizes));
}

void rocksdb_writebatch_wi_put_log_data(rocksdb_writebatch_wi_t* b,
                                        const char* blob, size_t len) {
  (void)b->rep->PutLogData(Slice(blob, len));
}

void rocksdb_writebatch_wi_update_timestamps(rocksdb_writebatch_wi_t* b,
                                             const char* ts, size_t tslen,
                                             void* state,
                                             TimestampSizeCallback get_ts_size,
                                             char** errptr) try {
  SaveError(errptr, UpdateTimestamps(b->rep->GetWriteBatch(), Slice(ts, tslen),
                                     state, get_ts_size));
}
CAPI_CATCH(void, errptr)

void rocksdb_writebatch_wi_iterate(rocksdb_writebatch_wi_t* b, void* state,
                                   PutCallback put, DeleteCallback deleted) {
  DefaultFamilyReader reader(state, put, deleted);
  (void)b->rep->GetWriteBatch()->Iterate(&reader);
}

const char* rocksdb_writebatch_wi_data(rocksdb_writebatch_wi_t* b,
                                       size_t* size) {
  const std::string& data = b->rep->GetWriteBatch()->Data();
  *size = data.size();
  return data.data();
}

void rocksdb_writebatch_wi_set_save_point(rocksdb_writebatch_wi_t* b) {
  b->rep->SetSavePoint();
}

void rocksdb_writebatch_wi_rollback_to_save_point(rocksdb_writebatch_wi_t* b,
                                                  char** errptr) try {
  SaveError(errptr, b->rep->RollbackToSavePoint());
}
CAPI_CATCH(void, errptr)

char* rocksdb_writebatch_wi_get_from_batch(rocksdb_writebatch_wi_t* wbwi,
                                           const rocksdb_options_t* options,
                                           const char* key, size_t keylen,
                                           size_t* vallen, char** errptr) try {
  std::string value;
  const Status status =
      wbwi->rep->GetFromBatch(options->rep, Slice(key, keylen), &value);
  return TakeValue(status, value, vallen, errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_writebatch_wi_get_from_batch_cf(
    rocksdb_writebatch_wi_t* wbwi, const rocksdb_options_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, size_t* vallen, char** errptr) try {
  std::string value;
  const Status status = wbwi->rep->GetFromBatch(
      column_family->rep, options->rep, Slice(key, keylen), &value);
  return TakeValue(status, value, vallen, errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_writebatch_wi_get_from_batch_and_db(
    rocksdb_writebatch_wi_t* wbwi, rocksdb_t* db,
    const rocksdb_readoptions_t* options, const char* key, size_t keylen,
    size_t* vallen, char** errptr) try {
  return GetThrough(wbwi->rep, db, options, Family(db, nullptr),
                    Slice(key, keylen), vallen, errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_writebatch_wi_get_from_batch_and_db_cf(
    rocksdb_writebatch_wi_t* wbwi, rocksdb_t* db,
    const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, size_t* vallen, char** errptr) try {
  return GetThrough(wbwi->rep, db, options, column_family->rep,
                    Slice(key, keylen), vallen, errptr);
}
CAPI_CATCH(char*, errptr)

rocksdb_pinnableslice_t* rocksdb_writebatch_wi_get_pinned_from_batch_and_db(
    rocksdb_writebatch_wi_t* wbwi, rocksdb_t* db,
    const rocksdb_readoptions_t* options, const char* key, size_t keylen,
    char** errptr) try {
  return GetPinnedThrough(wbwi->rep, db, options, Family(db, nullptr),
                          Slice(key, keylen), errptr);
}
CAPI_CATCH(rocksdb_pinnableslice_t*, errptr)

rocksdb_pinnableslice_t* rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf(
    rocksdb_writebatch_wi_t* wbwi, rocksdb_t* db,
    const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, char** errptr) try {
  return GetPinnedThrough(wbwi->rep, db, options, column_family->rep,
                          Slice(key, keylen), errptr);
}
CAPI_CATCH(rocksdb_pinnableslice_t*, errptr)

void rocksdb_write_writebatch_wi(rocksdb_t* db,
                                 const rocksdb_writeoptions_t* options,
                                 rocksdb_writebatch_wi_t* wbwi,
                                 char** errptr) try {
  SaveError(errptr, db->rep->Write(options->rep, wbwi->rep->GetWriteBatch()));
}
CAPI_CATCH(void, errptr)

rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base(
    rocksdb_writebatch_wi_t* wbwi, rocksdb_iterator_t* base_iterator) {
  return Overlay(wbwi, base_iterator, nullptr, nullptr);
}

rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_cf(
    rocksdb_writebatch_wi_t* wbwi, rocksdb_iterator_t* base_iterator,
    rocksdb_column_family_handle_t* cf) {
  return Overlay(wbwi, base_iterator, cf->rep, nullptr);
}

rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_readopts(
    rocksdb_writebatch_wi_t* wbwi, rocksdb_iterator_t* base_iterator,
    const rocksdb_readoptions_t* options) {
  return Overlay(wbwi, base_iterator, nullptr, &options->rep);
}

rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts(
    rocksdb_writebatch_wi_t* wbwi, rocksdb_iterator_t* base_iterator,
    rocksdb_column_family_handle_t* cf, const rocksdb_readoptions_t* options) {
  return Overlay(wbwi, base_iterator, cf->rep, &options->rep);
}

}  // extern "C"
// NOLINTEND(readability-function-size)
