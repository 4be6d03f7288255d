// Single writes, batches as a whole, and how far back timestamps reach.
#include "api/c/convert.h"

using capi::Slice;
using capi::Status;
using capi_internal::CopyBytes;
using capi_internal::Family;
using capi_internal::SaveError;

// NOLINTBEGIN(readability-function-size): the signatures are public.
extern "C" {

void rocksdb_put(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                 const char* key, size_t keylen, const char* val, size_t vallen,
                 char** errptr) try {
  SaveError(errptr,
            db->rep->Put(options->rep, Slice(key, keylen), Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_put_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                    rocksdb_column_family_handle_t* column_family,
                    const char* key, size_t keylen, const char* val,
                    size_t vallen, char** errptr) try {
  SaveError(errptr, db->rep->Put(options->rep, column_family->rep,
                                 Slice(key, keylen), Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_delete(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                    const char* key, size_t keylen, char** errptr) try {
  SaveError(errptr, db->rep->Delete(options->rep, Slice(key, keylen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_delete_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                       rocksdb_column_family_handle_t* column_family,
                       const char* key, size_t keylen, char** errptr) try {
  SaveError(errptr, db->rep->Delete(options->rep, column_family->rep,
                                    Slice(key, keylen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_delete_range_cf(rocksdb_t* db,
                             const rocksdb_writeoptions_t* options,
                             rocksdb_column_family_handle_t* column_family,
                             const char* start_key, size_t start_key_len,
                             const char* end_key, size_t end_key_len,
                             char** errptr) try {
  SaveError(errptr, db->rep->DeleteRange(options->rep, column_family->rep,
                                         Slice(start_key, start_key_len),
                                         Slice(end_key, end_key_len)));
}
CAPI_CATCH(void, errptr)

void rocksdb_singledelete(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                          const char* key, size_t keylen, char** errptr) try {
  SaveError(errptr, db->rep->SingleDelete(options->rep, Slice(key, keylen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_singledelete_cf(rocksdb_t* db,
                             const rocksdb_writeoptions_t* options,
                             rocksdb_column_family_handle_t* column_family,
                             const char* key, size_t keylen,
                             char** errptr) try {
  SaveError(errptr, db->rep->SingleDelete(options->rep, column_family->rep,
                                          Slice(key, keylen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_merge(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                   const char* key, size_t keylen, const char* val,
                   size_t vallen, char** errptr) try {
  SaveError(errptr, db->rep->Merge(options->rep, Slice(key, keylen),
                                   Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_merge_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                      rocksdb_column_family_handle_t* column_family,
                      const char* key, size_t keylen, const char* val,
                      size_t vallen, char** errptr) try {
  SaveError(errptr, db->rep->Merge(options->rep, column_family->rep,
                                   Slice(key, keylen), Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_write(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                   rocksdb_writebatch_t* batch, char** errptr) try {
  SaveError(errptr, db->rep->Write(options->rep, &batch->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_put_with_ts(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                         const char* key, size_t keylen, const char* ts,
                         size_t tslen, const char* val, size_t vallen,
                         char** errptr) try {
  SaveError(errptr,
            db->rep->Put(options->rep, Family(db, nullptr), Slice(key, keylen),
                         Slice(ts, tslen), Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_put_cf_with_ts(rocksdb_t* db,
                            const rocksdb_writeoptions_t* options,
                            rocksdb_column_family_handle_t* column_family,
                            const char* key, size_t keylen, const char* ts,
                            size_t tslen, const char* val, size_t vallen,
                            char** errptr) try {
  SaveError(errptr,
            db->rep->Put(options->rep, column_family->rep, Slice(key, keylen),
                         Slice(ts, tslen), Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_delete_with_ts(rocksdb_t* db,
                            const rocksdb_writeoptions_t* options,
                            const char* key, size_t keylen, const char* ts,
                            size_t tslen, char** errptr) try {
  SaveError(errptr, db->rep->Delete(options->rep, Family(db, nullptr),
                                    Slice(key, keylen), Slice(ts, tslen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_delete_cf_with_ts(rocksdb_t* db,
                               const rocksdb_writeoptions_t* options,
                               rocksdb_column_family_handle_t* column_family,
                               const char* key, size_t keylen, const char* ts,
                               size_t tslen, char** errptr) try {
  SaveError(errptr, db->rep->Delete(options->rep, column_family->rep,
                                    Slice(key, keylen), Slice(ts, tslen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_singledelete_with_ts(rocksdb_t* db,
                                  const rocksdb_writeoptions_t* options,
                                  const char* key, size_t keylen,
                                  const char* ts, size_t tslen,
                                  char** errptr) try {
  SaveError(errptr,
            db->rep->SingleDelete(options->rep, Family(db, nullptr),
                                  Slice(key, keylen), Slice(ts, tslen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_singledelete_cf_with_ts(
    rocksdb_t* db, const rocksdb_writeoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, const char* ts, size_t tslen, char** errptr) try {
  SaveError(errptr,
            db->rep->SingleDelete(options->rep, column_family->rep,
                                  Slice(key, keylen), Slice(ts, tslen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_increase_full_history_ts_low(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const char* ts_low, size_t ts_lowlen, char** errptr) try {
  SaveError(errptr, db->rep->IncreaseFullHistoryTsLow(
                        column_family->rep, std::string(ts_low, ts_lowlen)));
}
CAPI_CATCH(void, errptr)

char* rocksdb_get_full_history_ts_low(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    size_t* ts_lowlen, char** errptr) try {
  std::string ts_low;
  *ts_lowlen = 0;
  const Status status =
      db->rep->GetFullHistoryTsLow(column_family->rep, &ts_low);
  if (SaveError(errptr, status)) return nullptr;
  *ts_lowlen = ts_low.size();
  return CopyBytes(ts_low);
}
CAPI_CATCH(char*, errptr)

}  // extern "C"
// NOLINTEND(readability-function-size)
