// Iterators.
#include "api/c/convert.h"

using capi::Slice;
using capi_internal::SaveError;

namespace {

rocksdb_slice_t ByValue(const Slice& slice) {
  return rocksdb_slice_t{slice.data(), slice.size()};
}

}  // namespace

extern "C" {

rocksdb_iterator_t* rocksdb_create_iterator(
    rocksdb_t* db, const rocksdb_readoptions_t* options) {
  return new rocksdb_iterator_t{db->rep->NewIterator(options->rep)};
}

rocksdb_iterator_t* rocksdb_create_iterator_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family) {
  return new rocksdb_iterator_t{
      db->rep->NewIterator(options->rep, column_family->rep)};
}

void rocksdb_create_iterators(rocksdb_t* db, rocksdb_readoptions_t* opts,
                              rocksdb_column_family_handle_t** column_families,
                              rocksdb_iterator_t** iterators, size_t size,
                              char** errptr) try {
  std::vector<capi::ColumnFamilyHandle*> families;
  for (size_t i = 0; i < size; ++i) families.push_back(column_families[i]->rep);
  std::vector<capi::Iterator*> made;
  if (SaveError(errptr, db->rep->NewIterators(opts->rep, families, &made))) {
    for (size_t i = 0; i < size; ++i) iterators[i] = nullptr;
    return;
  }
  for (size_t i = 0; i < size; ++i) {
    iterators[i] = new rocksdb_iterator_t{made[i]};
  }
}
CAPI_CATCH(void, errptr)

void rocksdb_iter_destroy(rocksdb_iterator_t* iter) {
  if (iter == nullptr) return;
  delete iter->rep;
  delete iter;
}

unsigned char rocksdb_iter_valid(const rocksdb_iterator_t* iter) {
  return iter->rep->Valid() ? 1 : 0;
}

void rocksdb_iter_seek_to_first(rocksdb_iterator_t* iter) {
  iter->rep->SeekToFirst();
}

void rocksdb_iter_seek_to_last(rocksdb_iterator_t* iter) {
  iter->rep->SeekToLast();
}

void rocksdb_iter_seek(rocksdb_iterator_t* iter, const char* k, size_t klen) {
  iter->rep->Seek(Slice(k, klen));
}

void rocksdb_iter_seek_for_prev(rocksdb_iterator_t* iter, const char* k,
                                size_t klen) {
  iter->rep->SeekForPrev(Slice(k, klen));
}

void rocksdb_iter_next(rocksdb_iterator_t* iter) { iter->rep->Next(); }

void rocksdb_iter_prev(rocksdb_iterator_t* iter) { iter->rep->Prev(); }

const char* rocksdb_iter_key(const rocksdb_iterator_t* iter, size_t* klen) {
  const Slice key = iter->rep->key();
  *klen = key.size();
  return key.data();
}

const char* rocksdb_iter_value(const rocksdb_iterator_t* iter, size_t* vlen) {
  const Slice value = iter->rep->value();
  *vlen = value.size();
  return value.data();
}

const char* rocksdb_iter_timestamp(const rocksdb_iterator_t* iter,
                                   size_t* tslen) {
  const Slice timestamp = iter->rep->timestamp();
  *tslen = timestamp.size();
  return timestamp.data();
}

rocksdb_slice_t rocksdb_iter_key_slice(const rocksdb_iterator_t* iter) {
  return ByValue(iter->rep->key());
}

rocksdb_slice_t rocksdb_iter_value_slice(const rocksdb_iterator_t* iter) {
  return ByValue(iter->rep->value());
}

rocksdb_slice_t rocksdb_iter_timestamp_slice(const rocksdb_iterator_t* iter) {
  return ByValue(iter->rep->timestamp());
}

void rocksdb_iter_get_error(const rocksdb_iterator_t* iter, char** errptr) try {
  SaveError(errptr, iter->rep->status());
}
CAPI_CATCH(void, errptr)

void rocksdb_iter_refresh(const rocksdb_iterator_t* iter, char** errptr) try {
  SaveError(errptr, iter->rep->Refresh());
}
CAPI_CATCH(void, errptr)

}  // extern "C"
