// Opening, closing and destroying databases; lists of column families.
#include <cstdlib>
#include <memory>

#include "api/c/convert.h"
#include "api/c/families.h"
#include "rocksdb/utilities/db_ttl.h"

using capi::ColumnFamilyHandle;
using capi::DB;
using capi::DBWithTTL;
using capi::Slice;
using capi::Status;
using capi_internal::CopyBytes;
using capi_internal::CopyString;
using capi_internal::Families;
using capi_internal::FreePointers;
using capi_internal::GiveHandles;
using capi_internal::NewPointers;
using capi_internal::SaveError;

namespace {

rocksdb_t* Opened(const Status& status, std::unique_ptr<DB> db, char** errptr) {
  if (SaveError(errptr, status)) return nullptr;
  return new rocksdb_t{db.release()};
}

rocksdb_t* OpenedFamilies(const Status& status, std::unique_ptr<DB> db,
                          const std::vector<ColumnFamilyHandle*>& handles,
                          rocksdb_column_family_handle_t** out, char** errptr) {
  rocksdb_t* result = Opened(status, std::move(db), errptr);
  if (result == nullptr) return nullptr;
  GiveHandles(handles, out);
  return result;
}

}  // namespace

extern "C" {

rocksdb_t* rocksdb_open(const rocksdb_options_t* options, const char* name,
                        char** errptr) try {
  std::unique_ptr<DB> db;
  const Status status = DB::Open(options->rep, name, &db);
  return Opened(status, std::move(db), errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

rocksdb_t* rocksdb_open_for_read_only(const rocksdb_options_t* options,
                                      const char* name,
                                      unsigned char error_if_wal_file_exists,
                                      char** errptr) try {
  std::unique_ptr<DB> db;
  const Status status = DB::OpenForReadOnly(options->rep, name, &db,
                                            error_if_wal_file_exists != 0);
  return Opened(status, std::move(db), errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_t* rocksdb_open_column_families(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) try {
  const Families families{num_column_families, column_family_names,
                          column_family_options};
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = DB::Open(capi::DBOptions(options->rep), name,
                                 families.Descriptors(), &handles, &db);
  return OpenedFamilies(status, std::move(db), handles, column_family_handles,
                        errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_t* rocksdb_open_and_trim_history(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, const char* trim_ts,
    size_t trim_tslen, char** errptr) try {
  const Families families{num_column_families, column_family_names,
                          column_family_options};
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = DB::OpenAndTrimHistory(
      capi::DBOptions(options->rep), name, families.Descriptors(), &handles,
      &db, std::string(trim_ts, trim_tslen));
  return OpenedFamilies(status, std::move(db), handles, column_family_handles,
                        errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

rocksdb_t* rocksdb_open_with_ttl(const rocksdb_options_t* options,
                                 const char* name, int ttl, char** errptr) try {
  DBWithTTL* db = nullptr;
  const Status status = DBWithTTL::Open(options->rep, name, &db, ttl);
  return Opened(status, std::unique_ptr<DB>(db), errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_t* rocksdb_open_column_families_with_ttl(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, const int* ttls,
    char** errptr) try {
  const Families families{num_column_families, column_family_names,
                          column_family_options};
  DBWithTTL* db = nullptr;
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = DBWithTTL::Open(
      capi::DBOptions(options->rep), name, families.Descriptors(), &handles,
      &db, std::vector<int32_t>(ttls, ttls + num_column_families));
  return OpenedFamilies(status, std::unique_ptr<DB>(db), handles,
                        column_family_handles, errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_t* rocksdb_open_for_read_only_column_families(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles,
    unsigned char error_if_wal_file_exists, char** errptr) try {
  const Families families{num_column_families, column_family_names,
                          column_family_options};
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = DB::OpenForReadOnly(capi::DBOptions(options->rep), name,
                                            families.Descriptors(), &handles,
                                            &db, error_if_wal_file_exists != 0);
  return OpenedFamilies(status, std::move(db), handles, column_family_handles,
                        errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

rocksdb_t* rocksdb_open_as_secondary(const rocksdb_options_t* options,
                                     const char* name,
                                     const char* secondary_path,
                                     char** errptr) try {
  std::unique_ptr<DB> db;
  const Status status =
      DB::OpenAsSecondary(options->rep, name, secondary_path, &db);
  return Opened(status, std::move(db), errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_t* rocksdb_open_as_secondary_column_families(
    const rocksdb_options_t* options, const char* name,
    const char* secondary_path, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) try {
  const Families families{num_column_families, column_family_names,
                          column_family_options};
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> handles;
  const Status status =
      DB::OpenAsSecondary(capi::DBOptions(options->rep), name, secondary_path,
                          families.Descriptors(), &handles, &db);
  return OpenedFamilies(status, std::move(db), handles, column_family_handles,
                        errptr);
}
CAPI_CATCH(rocksdb_t*, errptr)

void rocksdb_try_catch_up_with_primary(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->TryCatchUpWithPrimary());
}
CAPI_CATCH(void, errptr)

void rocksdb_close(rocksdb_t* db) {
  if (db == nullptr) return;
  delete db->rep;
  delete db;
}

void rocksdb_destroy_db(const rocksdb_options_t* options, const char* name,
                        char** errptr) try {
  SaveError(errptr, capi::DestroyDB(name, options->rep));
}
CAPI_CATCH(void, errptr)

char* rocksdb_get_db_identity(rocksdb_t* db, size_t* id_len) {
  std::string identity;
  if (!db->rep->GetDbIdentity(identity).ok()) return nullptr;
  *id_len = identity.size();
  return CopyBytes(identity);
}

char** rocksdb_list_column_families(const rocksdb_options_t* options,
                                    const char* name, size_t* lencf,
                                    char** errptr) try {
  *lencf = 0;
  std::vector<std::string> names;
  const Status status =
      DB::ListColumnFamilies(capi::DBOptions(options->rep), name, &names);
  if (SaveError(errptr, status)) return nullptr;
  char** list = NewPointers<char>(names.size());
  if (list == nullptr) return nullptr;
  for (const std::string& family : names) list[(*lencf)++] = CopyString(family);
  return list;
}
CAPI_CATCH(char**, errptr)

void rocksdb_list_column_families_destroy(char** list, size_t len) {
  if (list == nullptr) return;
  for (size_t i = 0; i < len; ++i) std::free(list[i]);
  FreePointers(list);
}

rocksdb_column_family_handle_t* rocksdb_create_column_family(
    rocksdb_t* db, const rocksdb_options_t* column_family_options,
    const char* column_family_name, char** errptr) try {
  ColumnFamilyHandle* handle = nullptr;
  const Status status = db->rep->CreateColumnFamily(
      capi::ColumnFamilyOptions(column_family_options->rep), column_family_name,
      &handle);
  if (SaveError(errptr, status)) return nullptr;
  return new rocksdb_column_family_handle_t{handle};
}
CAPI_CATCH(rocksdb_column_family_handle_t*, errptr)

rocksdb_column_family_handle_t* rocksdb_create_column_family_with_ttl(
    rocksdb_t* db, const rocksdb_options_t* column_family_options,
    const char* column_family_name, int ttl, char** errptr) try {
  auto* const with_ttl = dynamic_cast<DBWithTTL*>(db->rep);
  if (with_ttl == nullptr) {
    SaveError(errptr,
              Status::InvalidArgument("the database was opened without a TTL",
                                      "open it with rocksdb_open_with_ttl"));
    return nullptr;
  }
  ColumnFamilyHandle* handle = nullptr;
  const Status status = with_ttl->CreateColumnFamilyWithTtl(
      capi::ColumnFamilyOptions(column_family_options->rep), column_family_name,
      &handle, ttl);
  if (SaveError(errptr, status)) {
    // Made, though its options could not be written.
    if (handle != nullptr) (void)db->rep->DestroyColumnFamilyHandle(handle);
    return nullptr;
  }
  return new rocksdb_column_family_handle_t{handle};
}
CAPI_CATCH(rocksdb_column_family_handle_t*, errptr)

rocksdb_column_family_handle_t** rocksdb_create_column_families(
    rocksdb_t* db, const rocksdb_options_t* column_family_options,
    int num_column_families, const char* const* column_family_names,
    size_t* lencfs, char** errptr) try {
  const std::vector<std::string> names(
      column_family_names, column_family_names + num_column_families);
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = db->rep->CreateColumnFamilies(
      capi::ColumnFamilyOptions(column_family_options->rep), names, &handles);
  SaveError(errptr, status);
  *lencfs = handles.size();
  auto** list = NewPointers<rocksdb_column_family_handle_t>(handles.size());
  if (list == nullptr) return nullptr;
  for (size_t i = 0; i < handles.size(); ++i) {
    list[i] = new rocksdb_column_family_handle_t{handles[i]};
  }
  return list;
}
CAPI_CATCH(rocksdb_column_family_handle_t**, errptr)

void rocksdb_create_column_families_destroy(
    rocksdb_column_family_handle_t** list) {
  FreePointers(list);
}

void rocksdb_drop_column_family(rocksdb_t* db,
                                rocksdb_column_family_handle_t* handle,
                                char** errptr) try {
  SaveError(errptr, db->rep->DropColumnFamily(handle->rep));
}
CAPI_CATCH(void, errptr)

rocksdb_column_family_handle_t* rocksdb_get_default_column_family_handle(
    rocksdb_t* db) {
  return new rocksdb_column_family_handle_t{db->rep->DefaultColumnFamily(),
                                            false};
}

void rocksdb_column_family_handle_destroy(
    rocksdb_column_family_handle_t* handle) {
  if (handle == nullptr) return;
  if (handle->owned) delete handle->rep;
  delete handle;
}

uint32_t rocksdb_column_family_handle_get_id(
    rocksdb_column_family_handle_t* handle) {
  return handle->rep->GetID();
}

char* rocksdb_column_family_handle_get_name(
    rocksdb_column_family_handle_t* handle, size_t* name_len) {
  *name_len = handle->rep->GetName().size();
  return CopyString(handle->rep->GetName());
}

}  // extern "C"
