// Properties, sizes, flushes, compactions, background work, SetOptions.
#include <unordered_map>

#include "api/c/convert.h"
#include "api/c/ranges.h"
#include "rocksdb/convenience.h"

using capi::ColumnFamilyHandle;
using capi::CompactRangeOptions;
using capi::Slice;
using capi_internal::CopyString;
using capi_internal::Family;
using capi_internal::KeyArrays;
using capi_internal::OptionalKey;
using capi_internal::SaveError;

namespace {

char* Property(rocksdb_t* db, ColumnFamilyHandle* family, const char* name) {
  std::string value;
  if (!db->rep->GetProperty(family, name, &value)) return nullptr;
  return CopyString(value);
}

void ApproximateSizes(rocksdb_t* db, ColumnFamilyHandle* family, int count,
                      const KeyArrays& keys, uint64_t* sizes, char** errptr) {
  const std::vector<capi::Range> ranges = keys.Ranges(count);
  SaveError(errptr,
            db->rep->GetApproximateSizes(family, ranges.data(), count, sizes));
}

// The C interface of compactions has no room for an error.
void CompactRange(rocksdb_t* db, ColumnFamilyHandle* family,
                  const CompactRangeOptions& options, const Slice* start,
                  const Slice* limit) {
  (void)db->rep->CompactRange(options, family, start, limit);
}

void SetOptions(rocksdb_t* db, ColumnFamilyHandle* family, int count,
                const char* const keys[], const char* const values[],
                char** errptr) {
  std::unordered_map<std::string, std::string> options;
  for (int i = 0; i < count; ++i) options[keys[i]] = values[i];
  SaveError(errptr, db->rep->SetOptions(family, options));
}

}  // namespace

extern "C" {

char* rocksdb_property_value(rocksdb_t* db, const char* propname) {
  return Property(db, Family(db, nullptr), propname);
}

char* rocksdb_property_value_cf(rocksdb_t* db,
                                rocksdb_column_family_handle_t* column_family,
                                const char* propname) {
  return Property(db, column_family->rep, propname);
}

int rocksdb_property_int(rocksdb_t* db, const char* propname,
                         uint64_t* out_val) {
  return db->rep->GetIntProperty(Slice(propname), out_val) ? 0 : -1;
}

int rocksdb_property_int_cf(rocksdb_t* db,
                            rocksdb_column_family_handle_t* column_family,
                            const char* propname, uint64_t* out_val) {
  return db->rep->GetIntProperty(column_family->rep, Slice(propname), out_val)
             ? 0
             : -1;
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void rocksdb_approximate_sizes(rocksdb_t* db, int num_ranges,
                               const char* const* range_start_key,
                               const size_t* range_start_key_len,
                               const char* const* range_limit_key,
                               const size_t* range_limit_key_len,
                               uint64_t* sizes, char** errptr) try {
  ApproximateSizes(db, Family(db, nullptr), num_ranges,
                   KeyArrays{range_start_key, range_start_key_len,
                             range_limit_key, range_limit_key_len},
                   sizes, errptr);
}
CAPI_CATCH(void, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void rocksdb_approximate_sizes_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    int num_ranges, const char* const* range_start_key,
    const size_t* range_start_key_len, const char* const* range_limit_key,
    const size_t* range_limit_key_len, uint64_t* sizes, char** errptr) try {
  ApproximateSizes(db, column_family->rep, num_ranges,
                   KeyArrays{range_start_key, range_start_key_len,
                             range_limit_key, range_limit_key_len},
                   sizes, errptr);
}
CAPI_CATCH(void, errptr)

void rocksdb_flush(rocksdb_t* db, const rocksdb_flushoptions_t* options,
                   char** errptr) try {
  SaveError(errptr, db->rep->Flush(options->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_flush_cf(rocksdb_t* db, const rocksdb_flushoptions_t* options,
                      rocksdb_column_family_handle_t* column_family,
                      char** errptr) try {
  SaveError(errptr, db->rep->Flush(options->rep, column_family->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_flush_cfs(rocksdb_t* db, const rocksdb_flushoptions_t* options,
                       rocksdb_column_family_handle_t** column_families,
                       int num_column_families, char** errptr) try {
  std::vector<ColumnFamilyHandle*> families;
  families.reserve(static_cast<size_t>(num_column_families));
  for (int i = 0; i < num_column_families; ++i) {
    families.push_back(column_families[i]->rep);
  }
  SaveError(errptr, db->rep->Flush(options->rep, families));
}
CAPI_CATCH(void, errptr)

rocksdb_wal_iterator_t* rocksdb_get_updates_since(
    rocksdb_t* db, uint64_t seq_number,
    const rocksdb_wal_readoptions_t* options, char** errptr) try {
  using Iterator = capi::TransactionLogIterator;
  std::unique_ptr<Iterator> iter;
  const capi::Status status = db->rep->GetUpdatesSince(
      seq_number, &iter,
      options != nullptr ? options->rep : Iterator::ReadOptions());
  if (SaveError(errptr, status)) return nullptr;
  return new rocksdb_wal_iterator_t{std::move(iter)};
}
CAPI_CATCH(rocksdb_wal_iterator_t*, errptr)

rocksdb_wal_readoptions_t* rocksdb_wal_readoptions_create(void) {
  return new rocksdb_wal_readoptions_t;
}
void rocksdb_wal_readoptions_destroy(rocksdb_wal_readoptions_t* options) {
  delete options;
}
void rocksdb_wal_readoptions_set_verify_checksums(
    rocksdb_wal_readoptions_t* options, unsigned char verify_checksums) {
  options->rep.verify_checksums_ = verify_checksums != 0;
}
unsigned char rocksdb_wal_readoptions_get_verify_checksums(
    rocksdb_wal_readoptions_t* options) {
  return options->rep.verify_checksums_;
}

void rocksdb_wal_iter_next(rocksdb_wal_iterator_t* iter) { iter->rep->Next(); }

unsigned char rocksdb_wal_iter_valid(const rocksdb_wal_iterator_t* iter) {
  return iter->rep->Valid() ? 1 : 0;
}

void rocksdb_wal_iter_status(const rocksdb_wal_iterator_t* iter,
                             char** errptr) try {
  SaveError(errptr, iter->rep->status());
}
CAPI_CATCH(void, errptr)

rocksdb_writebatch_t* rocksdb_wal_iter_get_batch(
    const rocksdb_wal_iterator_t* iter, uint64_t* seq) {
  capi::BatchResult result = iter->rep->GetBatch();
  if (seq != nullptr) *seq = result.sequence;
  return new rocksdb_writebatch_t{std::move(*result.writeBatchPtr)};
}

void rocksdb_wal_iter_destroy(const rocksdb_wal_iterator_t* iter) {
  delete iter;
}

void rocksdb_flush_wal(rocksdb_t* db, unsigned char sync, char** errptr) try {
  SaveError(errptr, db->rep->FlushWAL(sync != 0));
}
CAPI_CATCH(void, errptr)

void rocksdb_compact_range(rocksdb_t* db, const char* start_key,
                           size_t start_key_len, const char* limit_key,
                           size_t limit_key_len) {
  Slice start, limit;
  CompactRange(db, Family(db, nullptr), CompactRangeOptions(),
               OptionalKey(start_key, start_key_len, &start),
               OptionalKey(limit_key, limit_key_len, &limit));
}

void rocksdb_compact_range_cf(rocksdb_t* db,
                              rocksdb_column_family_handle_t* column_family,
                              const char* start_key, size_t start_key_len,
                              const char* limit_key, size_t limit_key_len) {
  Slice start, limit;
  CompactRange(db, column_family->rep, CompactRangeOptions(),
               OptionalKey(start_key, start_key_len, &start),
               OptionalKey(limit_key, limit_key_len, &limit));
}

void rocksdb_compact_range_opt(rocksdb_t* db, rocksdb_compactoptions_t* opt,
                               const char* start_key, size_t start_key_len,
                               const char* limit_key, size_t limit_key_len) {
  Slice start, limit;
  CompactRange(db, Family(db, nullptr), opt->rep,
               OptionalKey(start_key, start_key_len, &start),
               OptionalKey(limit_key, limit_key_len, &limit));
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void rocksdb_compact_range_cf_opt(rocksdb_t* db,
                                  rocksdb_column_family_handle_t* column_family,
                                  rocksdb_compactoptions_t* opt,
                                  const char* start_key, size_t start_key_len,
                                  const char* limit_key, size_t limit_key_len) {
  Slice start, limit;
  CompactRange(db, column_family->rep, opt->rep,
               OptionalKey(start_key, start_key_len, &start),
               OptionalKey(limit_key, limit_key_len, &limit));
}

void rocksdb_wait_for_compact(rocksdb_t* db,
                              rocksdb_wait_for_compact_options_t* options,
                              char** errptr) try {
  SaveError(errptr, db->rep->WaitForCompact(options->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_disable_manual_compaction(rocksdb_t* db) {
  db->rep->DisableManualCompaction();
}

void rocksdb_enable_manual_compaction(rocksdb_t* db) {
  db->rep->EnableManualCompaction();
}

void rocksdb_abort_all_compactions(rocksdb_t* db) {
  db->rep->AbortAllCompactions();
}

void rocksdb_resume_all_compactions(rocksdb_t* db) {
  db->rep->ResumeAllCompactions();
}

void rocksdb_cancel_all_background_work(rocksdb_t* db, unsigned char wait) {
  capi::CancelAllBackgroundWork(db->rep, wait != 0);
}

void rocksdb_disable_file_deletions(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->DisableFileDeletions());
}
CAPI_CATCH(void, errptr)

void rocksdb_enable_file_deletions(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->EnableFileDeletions());
}
CAPI_CATCH(void, errptr)

// What API levels below 9 call; declared by rocksdb/c.h under another name.
__attribute__((visibility("default"))) void rocksdb_enable_file_deletions_v8(
    rocksdb_t* db, unsigned char force, char** errptr) {
  SaveError(errptr, db->rep->EnableFileDeletions(force != 0));
}

void rocksdb_set_options(rocksdb_t* db, int count, const char* const keys[],
                         const char* const values[], char** errptr) try {
  SetOptions(db, Family(db, nullptr), count, keys, values, errptr);
}
CAPI_CATCH(void, errptr)

void rocksdb_set_options_cf(rocksdb_t* db,
                            rocksdb_column_family_handle_t* handle, int count,
                            const char* const keys[],
                            const char* const values[], char** errptr) try {
  SetOptions(db, handle->rep, count, keys, values, errptr);
}
CAPI_CATCH(void, errptr)

}  // extern "C"
