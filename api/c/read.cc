// Point lookups and snapshots. The value is found pinned and copied once, or
// not at all.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "api/c/convert.h"
#include "api/c/lookups.h"

using capi::ColumnFamilyHandle;
using capi::PinnableSlice;
using capi::Slice;
using capi::Status;
using capi_internal::Answered;
using capi_internal::AnswerLists;
using capi_internal::CopyBytes;
using capi_internal::Family;
using capi_internal::KeyLists;
using capi_internal::SaveError;
using capi_internal::SaveForEach;

namespace {

char* Get(rocksdb_t* db, const rocksdb_readoptions_t* options,
          ColumnFamilyHandle* family, const Slice& key, size_t* vallen,
          char** errptr) {
  PinnableSlice value;
  const Status status = db->rep->Get(options->rep, family, key, &value);
  if (status.ok()) {
    *vallen = value.size();
    return CopyBytes(value);
  }
  *vallen = 0;
  if (!status.IsNotFound()) SaveError(errptr, status);
  return nullptr;
}

// Where a lookup puts the length of the value that it found, and its timestamp.
struct FoundAtTime {
  size_t* vallen;
  char** ts;
  size_t* tslen;
};

char* GetAtTime(rocksdb_t* db, const rocksdb_readoptions_t* options,
                ColumnFamilyHandle* family, const Slice& key,
                const FoundAtTime& out, char** errptr) {
  PinnableSlice value;
  std::string found;
  const Status status = db->rep->Get(options->rep, family, key, &value, &found);
  *out.vallen = 0;
  *out.ts = nullptr;
  *out.tslen = 0;
  if (!status.ok()) {
    if (!status.IsNotFound()) SaveError(errptr, status);
    return nullptr;
  }
  *out.vallen = value.size();
  *out.ts = CopyBytes(found);
  *out.tslen = found.size();
  return CopyBytes(value);
}

// Handle is one of the two types that hold a PinnableSlice.
template <typename Handle>
Handle* GetPinned(rocksdb_t* db, const rocksdb_readoptions_t* options,
                  ColumnFamilyHandle* family, const Slice& key, char** errptr) {
  auto handle = std::make_unique<Handle>();
  const Status status = db->rep->Get(options->rep, family, key, &handle->rep);
  if (status.ok()) return handle.release();
  if (!status.IsNotFound()) SaveError(errptr, status);
  return nullptr;
}

// Where rocksdb_get_into_buffer puts its answer.
struct ValueBuffer {
  char* data;
  size_t size;
  size_t* vallen;
  unsigned char* found;
};

unsigned char GetIntoBuffer(rocksdb_t* db, const rocksdb_readoptions_t* options,
                            ColumnFamilyHandle* family, const Slice& key,
                            const ValueBuffer& out, char** errptr) {
  PinnableSlice value;
  const Status status = db->rep->Get(options->rep, family, key, &value);
  *out.found = status.ok() ? 1 : 0;
  *out.vallen = status.ok() ? value.size() : 0;
  if (!status.ok()) {
    if (!status.IsNotFound()) SaveError(errptr, status);
    return 0;
  }
  if (value.size() > out.size) return 0;
  if (!value.empty()) std::memcpy(out.data, value.data(), value.size());
  return 1;
}

// The arrays one MultiGet needs; small ones stay on the stack.
class Lookups {
 public:
  explicit Lookups(size_t count) {
    if (count <= kInPlace) return;
    heap_keys_.resize(count);
    heap_families_.resize(count);
    heap_values_ = std::make_unique<PinnableSlice[]>(count);
    heap_statuses_.resize(count);
  }

  Slice* keys() { return heap_values_ ? heap_keys_.data() : keys_.data(); }
  ColumnFamilyHandle** families() {
    return heap_values_ ? heap_families_.data() : families_.data();
  }
  PinnableSlice* values() {
    return heap_values_ ? heap_values_.get() : values_.data();
  }
  Status* statuses() {
    return heap_values_ ? heap_statuses_.data() : statuses_.data();
  }

 private:
  static constexpr size_t kInPlace = 32;
  std::array<Slice, kInPlace> keys_;
  std::array<ColumnFamilyHandle*, kInPlace> families_;
  std::array<PinnableSlice, kInPlace> values_;
  std::array<Status, kInPlace> statuses_;
  std::vector<Slice> heap_keys_;
  std::vector<ColumnFamilyHandle*> heap_families_;
  std::unique_ptr<PinnableSlice[]> heap_values_;
  std::vector<Status> heap_statuses_;
};

void CopyAnswers(Lookups* lookups, size_t count, char** values, size_t* sizes,
                 char** errs) {
  for (size_t i = 0; i < count; ++i) {
    values[i] = nullptr;
    sizes[i] = 0;
    if (!Answered(lookups->statuses()[i], &errs[i])) continue;
    values[i] = CopyBytes(lookups->values()[i]);
    sizes[i] = lookups->values()[i].size();
  }
}

// Where a lookup of many keys puts the timestamps of what it found.
struct FoundTimes {
  char** list;
  size_t* sizes;
};

// REQUIRES: CopyAnswers() was called.
void CopyTimes(const std::vector<std::string>& found, char* const* values,
               const FoundTimes& times) {
  for (size_t i = 0; i < found.size(); ++i) {
    const bool there = values[i] != nullptr;
    times.list[i] = there ? CopyBytes(found[i]) : nullptr;
    times.sizes[i] = there ? found[i].size() : 0;
  }
}

void ClearTimes(size_t count, const FoundTimes& times) noexcept {
  std::fill_n(times.list, count, nullptr);
  std::fill_n(times.sizes, count, 0);
}

// `times`: null: not asked for.
void MultiGet(rocksdb_t* db, const rocksdb_readoptions_t* options,
              const KeyLists& asked, const AnswerLists& answers,
              const FoundTimes* times = nullptr) noexcept try {
  Lookups lookups(asked.count);
  for (size_t i = 0; i < asked.count; ++i) {
    lookups.keys()[i] = Slice(asked.keys[i], asked.sizes[i]);
    lookups.families()[i] = asked.families != nullptr ? asked.families[i]->rep
                                                      : Family(db, nullptr);
  }
  std::vector<std::string> found(times != nullptr ? asked.count : 0);
  db->rep->MultiGet(options->rep, asked.count, lookups.families(),
                    lookups.keys(), lookups.values(),
                    times != nullptr ? found.data() : nullptr,
                    lookups.statuses());
  CopyAnswers(&lookups, asked.count, answers.values, answers.sizes,
              answers.errs);
  if (times != nullptr) CopyTimes(found, answers.values, *times);
} catch (...) {
  SaveForEach(asked.count, answers.values, answers.errs);
  if (times != nullptr) ClearTimes(asked.count, *times);
}

void PinAnswers(Lookups* lookups, size_t count,
                rocksdb_pinnableslice_t** values, char** errs) {
  for (size_t i = 0; i < count; ++i) {
    values[i] = nullptr;
    if (!Answered(lookups->statuses()[i], &errs[i])) continue;
    values[i] = new rocksdb_pinnableslice_t;
    values[i]->rep = std::move(lookups->values()[i]);
  }
}

// Where rocksdb_key_may_exist puts a value that it comes across. Without
// `found`, it puts none.
struct CheapValue {
  char** value;
  size_t* val_len;
  unsigned char* found;
};

unsigned char KeyMayExist(rocksdb_t* db, const rocksdb_readoptions_t* options,
                          ColumnFamilyHandle* family, const Slice& key,
                          const CheapValue& out) {
  std::string text;
  bool found = false;
  const bool may_exist =
      db->rep->KeyMayExist(options->rep, family, key, &text,
                           out.found != nullptr ? &found : nullptr);
  if (out.found != nullptr) {
    *out.found = found ? 1 : 0;
    if (found) {
      *out.val_len = text.size();
      *out.value = CopyBytes(text);
    }
  }
  return may_exist ? 1 : 0;
}

}  // namespace

// NOLINTBEGIN(readability-function-size): the signatures are public.
extern "C" {

char* rocksdb_get(rocksdb_t* db, const rocksdb_readoptions_t* options,
                  const char* key, size_t keylen, size_t* vallen,
                  char** errptr) try {
  return Get(db, options, Family(db, nullptr), Slice(key, keylen), vallen,
             errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_get_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                     rocksdb_column_family_handle_t* column_family,
                     const char* key, size_t keylen, size_t* vallen,
                     char** errptr) try {
  return Get(db, options, column_family->rep, Slice(key, keylen), vallen,
             errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_get_with_ts(rocksdb_t* db, const rocksdb_readoptions_t* options,
                          const char* key, size_t keylen, size_t* vallen,
                          char** ts, size_t* tslen, char** errptr) try {
  return GetAtTime(db, options, Family(db, nullptr), Slice(key, keylen),
                   {vallen, ts, tslen}, errptr);
}
CAPI_CATCH(char*, errptr)

char* rocksdb_get_cf_with_ts(rocksdb_t* db,
                             const rocksdb_readoptions_t* options,
                             rocksdb_column_family_handle_t* column_family,
                             const char* key, size_t keylen, size_t* vallen,
                             char** ts, size_t* tslen, char** errptr) try {
  return GetAtTime(db, options, column_family->rep, Slice(key, keylen),
                   {vallen, ts, tslen}, errptr);
}
CAPI_CATCH(char*, errptr)

rocksdb_pinnableslice_t* rocksdb_get_pinned(
    rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
    size_t keylen, char** errptr) try {
  return GetPinned<rocksdb_pinnableslice_t>(db, options, Family(db, nullptr),
                                            Slice(key, keylen), errptr);
}
CAPI_CATCH(rocksdb_pinnableslice_t*, errptr)

rocksdb_pinnableslice_t* rocksdb_get_pinned_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, char** errptr) try {
  return GetPinned<rocksdb_pinnableslice_t>(db, options, column_family->rep,
                                            Slice(key, keylen), errptr);
}
CAPI_CATCH(rocksdb_pinnableslice_t*, errptr)

void rocksdb_pinnableslice_destroy(rocksdb_pinnableslice_t* v) { delete v; }

const char* rocksdb_pinnableslice_value(const rocksdb_pinnableslice_t* t,
                                        size_t* vlen) {
  *vlen = t != nullptr ? t->rep.size() : 0;
  return t != nullptr ? t->rep.data() : nullptr;
}

rocksdb_pinnable_handle_t* rocksdb_get_pinned_v2(
    rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
    size_t keylen, char** errptr) try {
  return GetPinned<rocksdb_pinnable_handle_t>(db, options, Family(db, nullptr),
                                              Slice(key, keylen), errptr);
}
CAPI_CATCH(rocksdb_pinnable_handle_t*, errptr)

rocksdb_pinnable_handle_t* rocksdb_get_pinned_cf_v2(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, char** errptr) try {
  return GetPinned<rocksdb_pinnable_handle_t>(db, options, column_family->rep,
                                              Slice(key, keylen), errptr);
}
CAPI_CATCH(rocksdb_pinnable_handle_t*, errptr)

void rocksdb_pinnable_handle_destroy(rocksdb_pinnable_handle_t* handle) {
  delete handle;
}

const char* rocksdb_pinnable_handle_get_value(
    const rocksdb_pinnable_handle_t* handle, size_t* vallen) {
  *vallen = handle != nullptr ? handle->rep.size() : 0;
  return handle != nullptr ? handle->rep.data() : nullptr;
}

unsigned char rocksdb_get_into_buffer(rocksdb_t* db,
                                      const rocksdb_readoptions_t* options,
                                      const char* key, size_t keylen,
                                      char* buffer, size_t buffer_size,
                                      size_t* vallen, unsigned char* found,
                                      char** errptr) try {
  return GetIntoBuffer(db, options, Family(db, nullptr), Slice(key, keylen),
                       ValueBuffer{buffer, buffer_size, vallen, found}, errptr);
}
CAPI_CATCH(unsigned char, errptr)

unsigned char rocksdb_get_into_buffer_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t keylen, char* buffer, size_t buffer_size, size_t* vallen,
    unsigned char* found, char** errptr) try {
  return GetIntoBuffer(db, options, column_family->rep, Slice(key, keylen),
                       ValueBuffer{buffer, buffer_size, vallen, found}, errptr);
}
CAPI_CATCH(unsigned char, errptr)

void rocksdb_multi_get(rocksdb_t* db, const rocksdb_readoptions_t* options,
                       size_t num_keys, const char* const* keys_list,
                       const size_t* keys_list_sizes, char** values_list,
                       size_t* values_list_sizes, char** errs) {
  MultiGet(db, options, {nullptr, num_keys, keys_list, keys_list_sizes},
           {values_list, values_list_sizes, errs});
}

void rocksdb_multi_get_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t num_keys, const char* const* keys_list,
    const size_t* keys_list_sizes, char** values_list,
    size_t* values_list_sizes, char** errs) {
  MultiGet(db, options, {column_families, num_keys, keys_list, keys_list_sizes},
           {values_list, values_list_sizes, errs});
}

void rocksdb_multi_get_with_ts(rocksdb_t* db,
                               const rocksdb_readoptions_t* options,
                               size_t num_keys, const char* const* keys_list,
                               const size_t* keys_list_sizes,
                               char** values_list, size_t* values_list_sizes,
                               char** timestamp_list,
                               size_t* timestamp_list_sizes, char** errs) {
  const FoundTimes times{timestamp_list, timestamp_list_sizes};
  MultiGet(db, options, {nullptr, num_keys, keys_list, keys_list_sizes},
           {values_list, values_list_sizes, errs}, &times);
}

void rocksdb_multi_get_cf_with_ts(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t num_keys, const char* const* keys_list,
    const size_t* keys_list_sizes, char** values_list,
    size_t* values_list_sizes, char** timestamps_list,
    size_t* timestamps_list_sizes, char** errs) {
  const FoundTimes times{timestamps_list, timestamps_list_sizes};
  MultiGet(db, options, {column_families, num_keys, keys_list, keys_list_sizes},
           {values_list, values_list_sizes, errs}, &times);
}

void rocksdb_batched_multi_get_cf(rocksdb_t* db,
                                  const rocksdb_readoptions_t* options,
                                  rocksdb_column_family_handle_t* column_family,
                                  size_t num_keys, const char* const* keys_list,
                                  const size_t* keys_list_sizes,
                                  rocksdb_pinnableslice_t** values, char** errs,
                                  const bool sorted_input) try {
  Lookups lookups(num_keys);
  for (size_t i = 0; i < num_keys; ++i) {
    lookups.keys()[i] = Slice(keys_list[i], keys_list_sizes[i]);
  }
  db->rep->MultiGet(options->rep, column_family->rep, num_keys, lookups.keys(),
                    lookups.values(), lookups.statuses(), sorted_input);
  PinAnswers(&lookups, num_keys, values, errs);
} catch (...) {
  SaveForEach(num_keys, values, errs);
}

void rocksdb_batched_multi_get_cf_slice(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, size_t num_keys,
    const rocksdb_slice_t* keys_list, rocksdb_pinnableslice_t** values,
    char** errs, const bool sorted_input) try {
  Lookups lookups(num_keys);
  for (size_t i = 0; i < num_keys; ++i) {
    lookups.keys()[i] = Slice(keys_list[i].data, keys_list[i].size);
  }
  db->rep->MultiGet(options->rep, column_family->rep, num_keys, lookups.keys(),
                    lookups.values(), lookups.statuses(), sorted_input);
  PinAnswers(&lookups, num_keys, values, errs);
} catch (...) {
  SaveForEach(num_keys, values, errs);
}

unsigned char rocksdb_key_may_exist(
    rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
    size_t key_len, char** value, size_t* val_len, const char* /*timestamp*/,
    size_t /*timestamp_len*/, unsigned char* value_found) {
  return KeyMayExist(db, options, Family(db, nullptr), Slice(key, key_len),
                     CheapValue{value, val_len, value_found});
}

unsigned char rocksdb_key_may_exist_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_len, char** value, size_t* val_len, const char* /*timestamp*/,
    size_t /*timestamp_len*/, unsigned char* value_found) {
  return KeyMayExist(db, options, column_family->rep, Slice(key, key_len),
                     CheapValue{value, val_len, value_found});
}

const rocksdb_snapshot_t* rocksdb_create_snapshot(rocksdb_t* db) {
  return new rocksdb_snapshot_t{db->rep->GetSnapshot()};
}

void rocksdb_release_snapshot(rocksdb_t* db,
                              const rocksdb_snapshot_t* snapshot) {
  if (snapshot == nullptr) return;
  db->rep->ReleaseSnapshot(snapshot->rep);
  delete snapshot;
}

uint64_t rocksdb_snapshot_get_sequence_number(
    const rocksdb_snapshot_t* snapshot) {
  return snapshot->rep->GetSequenceNumber();
}

uint64_t rocksdb_get_latest_sequence_number(rocksdb_t* db) {
  return db->rep->GetLatestSequenceNumber();
}

}  // extern "C"
// NOLINTEND(readability-function-size)
