// Write batches. Records are only collected here, so what can be wrong with
// one (an unknown family) is told when the batch is written.
#include "api/c/batches.h"
#include "api/c/convert.h"

using capi::ColumnFamilyHandle;
using capi::Slice;
using capi::Status;
using capi_internal::BlobCallback;
using capi_internal::DefaultFamilyReader;
using capi_internal::DeleteCallback;
using capi_internal::Parts;
using capi_internal::PutCallback;
using capi_internal::SaveError;
using capi_internal::TimestampSizeCallback;
using capi_internal::UpdateTimestamps;

namespace {

using FamilyPairCallback = void (*)(void*, uint32_t, const char*, size_t,
                                    const char*, size_t);
using FamilyKeyCallback = void (*)(void*, uint32_t, const char*, size_t);

class FamilyReader final : public capi::WriteBatch::Handler {
 public:
  FamilyReader(void* state, FamilyPairCallback put, FamilyKeyCallback deleted,
               FamilyPairCallback merge, BlobCallback log_data = nullptr)
      : state_(state),
        put_(put),
        deleted_(deleted),
        merge_(merge),
        log_data_(log_data) {}

  Status PutCF(uint32_t id, const Slice& key, const Slice& value) override {
    put_(state_, id, key.data(), key.size(), value.data(), value.size());
    return Status::OK();
  }
  Status DeleteCF(uint32_t id, const Slice& key) override {
    deleted_(state_, id, key.data(), key.size());
    return Status::OK();
  }
  Status MergeCF(uint32_t id, const Slice& key, const Slice& value) override {
    merge_(state_, id, key.data(), key.size(), value.data(), value.size());
    return Status::OK();
  }
  void LogData(const Slice& blob) override {
    if (log_data_ != nullptr) log_data_(state_, blob.data(), blob.size());
  }

 private:
  void* const state_;
  const FamilyPairCallback put_;
  const FamilyKeyCallback deleted_;
  const FamilyPairCallback merge_;
  const BlobCallback log_data_;
};

}  // namespace

// NOLINTBEGIN(readability-function-size): the signatures are public.
extern "C" {

rocksdb_writebatch_t* rocksdb_writebatch_create(void) {
  return new rocksdb_writebatch_t;
}

rocksdb_writebatch_t* rocksdb_writebatch_create_from(const char* rep,
                                                     size_t size) {
  return new rocksdb_writebatch_t{capi::WriteBatch(std::string(rep, size))};
}

rocksdb_writebatch_t* rocksdb_writebatch_create_with_params(
    size_t reserved_bytes, size_t max_bytes, size_t protection_bytes_per_key,
    size_t default_cf_ts_sz) {
  return new rocksdb_writebatch_t{capi::WriteBatch(
      reserved_bytes, max_bytes, protection_bytes_per_key, default_cf_ts_sz)};
}

void rocksdb_writebatch_destroy(rocksdb_writebatch_t* b) { delete b; }

void rocksdb_writebatch_clear(rocksdb_writebatch_t* b) { b->rep.Clear(); }

int rocksdb_writebatch_count(rocksdb_writebatch_t* b) {
  return static_cast<int>(b->rep.Count());
}

void rocksdb_writebatch_put(rocksdb_writebatch_t* b, const char* key,
                            size_t klen, const char* val, size_t vlen) {
  (void)b->rep.Put(Slice(key, klen), Slice(val, vlen));
}

void rocksdb_writebatch_put_cf(rocksdb_writebatch_t* b,
                               rocksdb_column_family_handle_t* column_family,
                               const char* key, size_t klen, const char* val,
                               size_t vlen) {
  (void)b->rep.Put(column_family->rep, Slice(key, klen), Slice(val, vlen));
}

void rocksdb_writebatch_put_cf_with_ts(
    rocksdb_writebatch_t* b, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t klen, const char* ts, size_t tslen, const char* val,
    size_t vlen) {
  (void)b->rep.Put(column_family->rep, Slice(key, klen), Slice(ts, tslen),
                   Slice(val, vlen));
}

void rocksdb_writebatch_putv(rocksdb_writebatch_t* b, int num_keys,
                             const char* const* keys_list,
                             const size_t* keys_list_sizes, int num_values,
                             const char* const* values_list,
                             const size_t* values_list_sizes) {
  (void)b->rep.Put(Parts(num_keys, keys_list, keys_list_sizes),
                   Parts(num_values, values_list, values_list_sizes));
}

void rocksdb_writebatch_putv_cf(rocksdb_writebatch_t* b,
                                rocksdb_column_family_handle_t* column_family,
                                int num_keys, const char* const* keys_list,
                                const size_t* keys_list_sizes, int num_values,
                                const char* const* values_list,
                                const size_t* values_list_sizes) {
  (void)b->rep.Put(column_family->rep,
                   Parts(num_keys, keys_list, keys_list_sizes),
                   Parts(num_values, values_list, values_list_sizes));
}

void rocksdb_writebatch_merge(rocksdb_writebatch_t* b, const char* key,
                              size_t klen, const char* val, size_t vlen) {
  (void)b->rep.Merge(Slice(key, klen), Slice(val, vlen));
}

void rocksdb_writebatch_merge_cf(rocksdb_writebatch_t* b,
                                 rocksdb_column_family_handle_t* column_family,
                                 const char* key, size_t klen, const char* val,
                                 size_t vlen) {
  (void)b->rep.Merge(column_family->rep, Slice(key, klen), Slice(val, vlen));
}

void rocksdb_writebatch_mergev(rocksdb_writebatch_t* b, int num_keys,
                               const char* const* keys_list,
                               const size_t* keys_list_sizes, int num_values,
                               const char* const* values_list,
                               const size_t* values_list_sizes) {
  (void)b->rep.Merge(Parts(num_keys, keys_list, keys_list_sizes),
                     Parts(num_values, values_list, values_list_sizes));
}

void rocksdb_writebatch_mergev_cf(rocksdb_writebatch_t* b,
                                  rocksdb_column_family_handle_t* column_family,
                                  int num_keys, const char* const* keys_list,
                                  const size_t* keys_list_sizes, int num_values,
                                  const char* const* values_list,
                                  const size_t* values_list_sizes) {
  (void)b->rep.Merge(column_family->rep,
                     Parts(num_keys, keys_list, keys_list_sizes),
                     Parts(num_values, values_list, values_list_sizes));
}

void rocksdb_writebatch_delete(rocksdb_writebatch_t* b, const char* key,
                               size_t klen) {
  (void)b->rep.Delete(Slice(key, klen));
}

void rocksdb_writebatch_delete_cf(rocksdb_writebatch_t* b,
                                  rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t klen) {
  (void)b->rep.Delete(column_family->rep, Slice(key, klen));
}

void rocksdb_writebatch_delete_cf_with_ts(
    rocksdb_writebatch_t* b, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t klen, const char* ts, size_t tslen) {
  (void)b->rep.Delete(column_family->rep, Slice(key, klen), Slice(ts, tslen));
}

void rocksdb_writebatch_deletev(rocksdb_writebatch_t* b, int num_keys,
                                const char* const* keys_list,
                                const size_t* keys_list_sizes) {
  (void)b->rep.Delete(Parts(num_keys, keys_list, keys_list_sizes));
}

void rocksdb_writebatch_deletev_cf(
    rocksdb_writebatch_t* b, rocksdb_column_family_handle_t* column_family,
    int num_keys, const char* const* keys_list, const size_t* keys_list_sizes) {
  (void)b->rep.Delete(column_family->rep,
                      Parts(num_keys, keys_list, keys_list_sizes));
}

void rocksdb_writebatch_delete_range(rocksdb_writebatch_t* b,
                                     const char* start_key,
                                     size_t start_key_len, const char* end_key,
                                     size_t end_key_len) {
  (void)b->rep.DeleteRange(Slice(start_key, start_key_len),
                           Slice(end_key, end_key_len));
}

void rocksdb_writebatch_delete_range_cf(
    rocksdb_writebatch_t* b, rocksdb_column_family_handle_t* column_family,
    const char* start_key, size_t start_key_len, const char* end_key,
    size_t end_key_len) {
  (void)b->rep.DeleteRange(column_family->rep, Slice(start_key, start_key_len),
                           Slice(end_key, end_key_len));
}

void rocksdb_writebatch_delete_rangev(rocksdb_writebatch_t* b, int num_keys,
                                      const char* const* start_keys_list,
                                      const size_t* start_keys_list_sizes,
                                      const char* const* end_keys_list,
                                      const size_t* end_keys_list_sizes) {
  (void)b->rep.DeleteRange(
      Parts(num_keys, start_keys_list, start_keys_list_sizes),
      Parts(num_keys, end_keys_list, end_keys_list_sizes));
}

void rocksdb_writebatch_delete_rangev_cf(
    rocksdb_writebatch_t* b, rocksdb_column_family_handle_t* column_family,
    int num_keys, const char* const* start_keys_list,
    const size_t* start_keys_list_sizes, const char* const* end_keys_list,
    const size_t* end_keys_list_sizes) {
  (void)b->rep.DeleteRange(
      column_family->rep,
      Parts(num_keys, start_keys_list, start_keys_list_sizes),
      Parts(num_keys, end_keys_list, end_keys_list_sizes));
}

void rocksdb_writebatch_singledelete(rocksdb_writebatch_t* b, const char* key,
                                     size_t klen) {
  (void)b->rep.SingleDelete(Slice(key, klen));
}

void rocksdb_writebatch_singledelete_cf(
    rocksdb_writebatch_t* b, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t klen) {
  (void)b->rep.SingleDelete(column_family->rep, Slice(key, klen));
}

void rocksdb_writebatch_singledelete_cf_with_ts(
    rocksdb_writebatch_t* b, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t klen, const char* ts, size_t tslen) {
  (void)b->rep.SingleDelete(column_family->rep, Slice(key, klen),
                            Slice(ts, tslen));
}

void rocksdb_writebatch_put_log_data(rocksdb_writebatch_t* b, const char* blob,
                                     size_t len) {
  (void)b->rep.PutLogData(Slice(blob, len));
}

void rocksdb_writebatch_iterate(rocksdb_writebatch_t* b, void* state,
                                PutCallback put, DeleteCallback deleted) {
  DefaultFamilyReader reader(state, put, deleted);
  (void)b->rep.Iterate(&reader);
}

void rocksdb_writebatch_iterate_cf(rocksdb_writebatch_t* b, void* state,
                                   FamilyPairCallback put_cf,
                                   FamilyKeyCallback deleted_cf,
                                   FamilyPairCallback merge_cf) {
  FamilyReader reader(state, put_cf, deleted_cf, merge_cf);
  (void)b->rep.Iterate(&reader);
}

void rocksdb_writebatch_iterate_ld(rocksdb_writebatch_t* b, void* state,
                                   PutCallback put, DeleteCallback deleted,
                                   BlobCallback log_data) {
  DefaultFamilyReader reader(state, put, deleted, log_data);
  (void)b->rep.Iterate(&reader);
}

void rocksdb_writebatch_iterate_cf_ld(rocksdb_writebatch_t* b, void* state,
                                      FamilyPairCallback put_cf,
                                      FamilyKeyCallback deleted_cf,
                                      FamilyPairCallback merge_cf,
                                      BlobCallback log_data) {
  FamilyReader reader(state, put_cf, deleted_cf, merge_cf, log_data);
  (void)b->rep.Iterate(&reader);
}

void rocksdb_writebatch_verify_checksum(rocksdb_writebatch_t* b,
                                        char** errptr) try {
  capi_internal::SaveError(errptr, b->rep.VerifyChecksum());
}
CAPI_CATCH(void, errptr)

const char* rocksdb_writebatch_data(rocksdb_writebatch_t* b, size_t* size) {
  *size = b->rep.GetDataSize();
  return b->rep.Data().data();
}

void rocksdb_writebatch_set_save_point(rocksdb_writebatch_t* b) {
  b->rep.SetSavePoint();
}

void rocksdb_writebatch_update_timestamps(rocksdb_writebatch_t* b,
                                          const char* ts, size_t tslen,
                                          void* state,
                                          TimestampSizeCallback get_ts_size,
                                          char** errptr) try {
  SaveError(errptr,
            UpdateTimestamps(&b->rep, Slice(ts, tslen), state, get_ts_size));
}
CAPI_CATCH(void, errptr)

void rocksdb_writebatch_rollback_to_save_point(rocksdb_writebatch_t* b,
                                               char** errptr) try {
  SaveError(errptr, b->rep.RollbackToSavePoint());
}
CAPI_CATCH(void, errptr)

void rocksdb_writebatch_pop_save_point(rocksdb_writebatch_t* b,
                                       char** errptr) try {
  SaveError(errptr, b->rep.PopSavePoint());
}
CAPI_CATCH(void, errptr)

}  // extern "C"
// NOLINTEND(readability-function-size)
